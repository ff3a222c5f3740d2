/** What each command does with `--cluster`. Commands must not change the catalogue of a cluster in place. */

/**
 * `change`: runs on a copy of the published catalogue, which is published afterwards; `read`: runs on such a copy;
 * `own`: uses the cluster itself, or needs no catalogue. A text: refused, with this advice.
 */
export type ClusterMode = 'change' | 'read' | 'own' | { refused: string };

const change = [
  'import',
  'settings set',
  'settings unset',
  'sources add',
  'sources set',
  'sources pause',
  'sources resume',
  'sources approve',
  'sources reject',
  'sources remove',
  'sync',
  'review decide',
  'review undo',
  'merge',
  'split',
  'never-merge',
  'hide',
  'unhide',
  'delete',
  'undelete',
  'forget',
  'samples remove',
  'edit',
  'add',
  'undo',
];
const read = [
  'settings list',
  'settings get',
  'sources list',
  'sources show',
  'sources preview',
  'sources runs',
  'sources rejected',
  'sources held',
  'review',
  'duplicates',
  'explain',
  'removed',
  'history',
  'audit',
  'search',
  'show',
  'stats',
  'export',
  'verify',
];
const own = [
  'serve',
  'accounts',
  'keys',
  'plans',
  'cluster',
  'backup',
  'doctor',
  // Without a catalogue, or a part of a service.
  'places',
  'openapi',
  'completion',
  'healthcheck',
  'install',
  'man',
  'licenses',
  'values',
  'action',
];
const refused: Record<string, string> = {
  restore: 'Begin a new cluster with the file: `cratebase cluster init --from FILE` with an empty database.',
  mcp: 'Connect agents to the address of the service, which ends in /mcp.',
};

/** Returns the mode of a command by its path, such as `sources add`; undefined: it is not in the table. */
export function clusterModeOf(path: string): ClusterMode | undefined {
  if (change.includes(path)) return 'change';
  if (read.includes(path)) return 'read';
  if (own.includes(path) || own.includes(path.split(' ')[0] as string)) return 'own';
  const advice = refused[path];
  return advice === undefined ? undefined : { refused: advice };
}
