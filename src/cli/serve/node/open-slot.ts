/** Opens the catalogue of a slot in a process of a node. */
import { type App, type ClusterAccess, type ClusterAddressParts, clockFor, openApp } from '../../../app.ts';
import type { Settings } from '../../../settings.ts';

/** Opens a slot of a node for reading. */
export function openSlot(
  path: string,
  config: Settings,
  cluster: ClusterAddressParts,
  clusterAccess: ClusterAccess,
): App {
  const app = openApp({
    data: path,
    create: false,
    readOnly: true,
    clock: clockFor(config),
    cluster,
    clusterAccess,
  });
  app.identity.configure(config);
  return app;
}
