/** The environment of processes that a service starts. */
import type { Settings } from '../../settings.ts';

/** The role of a process whose data file is a copy of a cluster's catalogue: it must not look for another one. */
export const catalogueRole = 'catalogue';

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
