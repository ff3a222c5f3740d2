/** The environment variables of the processes that a service starts. */
import type { Settings } from '../../settings.ts';

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
  return { ...env, ...ca, CRATEBASE_CLUSTER: cluster, CRATEBASE_ROLE: 'catalogue' };
}
