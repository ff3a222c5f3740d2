/** How this program starts itself as another process: command and environment variables. */

import { isSea } from 'node:sea';
import type { Settings } from '../settings.ts';

/** The role of a process whose data file is a copy of a cluster's catalogue: it must not look for another one. */
export const catalogueRole = 'catalogue';

/**
 * Returns the environment of a process that works on the data file that `--data` names. In a cluster that is a slot of
 * this node: the process must not look for the published catalogue itself.
 */
export function childEnvironment({
  cluster,
  clusterCa,
}: Partial<Pick<Settings, 'cluster' | 'clusterCa'>>): NodeJS.ProcessEnv {
  const { CRATEBASE_ROLE: _, CRATEBASE_CLUSTER_FILE: file, ...env } = process.env;
  if (cluster == null) return file === undefined ? env : { ...env, CRATEBASE_CLUSTER_FILE: file };
  const ca = clusterCa == null ? {} : { CRATEBASE_CLUSTER_CA: clusterCa };
  return { ...env, ...ca, CRATEBASE_CLUSTER: cluster, CRATEBASE_ROLE: catalogueRole };
}

export type ClusterSettings = Partial<Pick<Settings, 'cluster' | 'clusterCa' | 'objects'>>;

/** The variables that name a cluster, whichever way the service learned of it. */
export const clusterVariables = ({
  cluster = null,
  clusterCa = null,
  objects = null,
}: ClusterSettings): Record<string, string> => ({
  ...(cluster === null ? {} : { CRATEBASE_CLUSTER: cluster }),
  ...(clusterCa === null ? {} : { CRATEBASE_CLUSTER_CA: clusterCa }),
  ...(objects === null ? {} : { CRATEBASE_OBJECTS: objects }),
});

/** Returns the command that starts this program, and the leading arguments: from source, loader options and script. */
export function selfCommand(): { command: string; args: string[] } {
  const args = isSea() ? [] : [...process.execArgv, process.argv[1] as string];
  return { command: process.execPath, args };
}
