/** Writes `/metrics` in the text format of Prometheus. */
import {
  accountEvents,
  type DurationHistogram,
  durationBuckets,
  type ProcessMetrics,
  rateLimitReasons,
} from './metrics.ts';

/** The write-ahead log of the data file: its size in bytes, and for how long (ms) readers have kept it from shrinking. */
export type WalState = { logBytes: number; heldMs: number };
/** The data file in use: its log, and the last check for damage, which ended at `checkedTs` (ms); null before the first. */
export type FileHealth = WalState & { checkedTs: number | null; damage: readonly string[] };

/** The figures of a scheduled source. */
export type SourceMetrics = {
  name: string;
  /** Milliseconds since 1970; null before the first success. */
  lastSuccessMs: number | null;
  /** Consecutive runs that failed. */
  failures: number;
  /** Records that the last run rejected. */
  rejected: number;
  /** Records that the source lists. */
  records: number;
};

/** Further sources have no metrics of their own, so that the number of time series stays bounded. */
const maxSources = 200;

/** The data file and its disk, in bytes; null if the size is unknown. */
export type FileMetrics = { fileBytes: number | null; diskFreeBytes: number | null };

/** The scheduled backups. Times are in ms since 1970. */
export type BackupMetrics = { lastSuccessMs: number | null; lastBytes: number | null; failures: number };

/** The scheduled exports. Times are in ms since 1970. */
export type ExportMetrics = {
  lastSuccessMs: number | null;
  lastBytes: number | null;
  lastRevision: number | null;
  failures: number;
};

type MetricsInput = {
  counts: ProcessMetrics;
  /** Seconds since the start. */
  uptime: number;
  revision: number;
  version: string;
  log: FileHealth;
  /** All scheduled sources, by name. */
  sources: readonly SourceMetrics[];
  file: FileMetrics;
  /** Pairs of records that wait for a decision. */
  undecidedPairs: number;
  /** Null without scheduled backups. */
  backups: BackupMetrics | null;
  /** Null without scheduled exports. */
  exports: ExportMetrics | null;
  /** The revision since which the change feed is complete. */
  changesFrom: number;
  /** Whether the accounts of the cluster can be reached; null: the data file has them. */
  areAccountsReachable: boolean | null;
  /** The publication that this node of a cluster serves, and the active one; null: it is no node. */
  publication: { serving: number; head: number } | null;
};

/** Returns all metrics. */
export function metricsText(input: MetricsInput): string {
  return [
    ...requestMetricTexts(input.counts),
    ...processMetricTexts(input),
    gauge('cratebase_catalogue_revision', 'Revision of the catalogue.', input.revision),
    ...fileMetricTexts(input),
    gauge(
      'cratebase_undecided_pairs',
      'Doubtful pairs that wait for a decision, at most 5000.',
      input.undecidedPairs,
    ),
    ...backupMetricTexts(input.backups),
    ...exportMetricTexts(input.exports),
    gauge(
      'cratebase_changes_oldest_revision',
      'The oldest revision that a client of the change feed can continue from.',
      input.changesFrom,
    ),
    ...clusterMetricTexts(input),
    ...sourceMetricTexts(input.sources),
    metric('cratebase_build_info', 'gauge', 'The version that runs.', [`{version="${input.version}"} 1`]),
  ].join('');
}

/** @param lines the samples without the name of the metric; of a histogram, with the suffix of the name */
const metric = (name: string, type: string, help: string, lines: string[]): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${name}${line}\n`).join('')}`;

/** A gauge without a sample if its value is unknown. */
const gauge = (name: string, help: string, value: number | string | null): string =>
  metric(name, 'gauge', help, value === null ? [] : [` ${value}`]);

const inSeconds = (ms: number | null | undefined): number | null => (ms == null ? null : ms / 1_000);

const requestMetricTexts = (counts: ProcessMetrics): string[] => [
  metric(
    'cratebase_requests_total',
    'counter',
    'Requests answered, by class of status.',
    [2, 3, 4, 5].map((digit) => `{status="${digit}xx"} ${counts.answers[digit]}`),
  ),
  metric(
    'cratebase_rate_limited_total',
    'counter',
    'Responses with status 429, by the limit that was exceeded.',
    rateLimitReasons.map((reason) => `{reason="${reason}"} ${counts.rateLimited[reason] ?? 0}`),
  ),
  metric(
    'cratebase_request_duration_seconds',
    'histogram',
    'Seconds from the headers of a request to the end of its response.',
    Object.entries(counts.durations).sort().flatMap(histogramLines('surface')),
  ),
  metric(
    'cratebase_operation_duration_seconds',
    'histogram',
    'The same for each operation of the REST API, and each tool and method of the agent endpoint.',
    Object.entries(counts.operations).sort().flatMap(histogramLines('operation')),
  ),
  metric(
    'cratebase_refused_total',
    'counter',
    'Responses with status 401 (reason credential) and 403 (permission).',
    Object.entries(counts.refused)
      .sort()
      .map(([key, count]) => {
        const [surface, reason] = key.split(' ');
        return `{surface="${surface}",reason="${reason}"} ${count}`;
      }),
  ),
  metric(
    'cratebase_account_events_total',
    'counter',
    'Sign-ups by their outcome, and failed sign-ins.',
    accountEvents.map((event) => `{event="${event}"} ${counts.accountEvents[event] ?? 0}`),
  ),
];

const processMetricTexts = ({ counts, uptime }: MetricsInput): string[] => [
  metric(
    'cratebase_event_loop_delay_seconds',
    'gauge',
    'How late timers ran in the last one to two minutes, in the process where they were latest.',
    [
      `{statistic="p50"} ${counts.eventLoop.p50.toFixed(6)}`,
      `{statistic="p99"} ${counts.eventLoop.p99.toFixed(6)}`,
      `{statistic="max"} ${counts.eventLoop.max.toFixed(6)}`,
    ],
  ),
  gauge('cratebase_uptime_seconds', 'Seconds since the start.', uptime.toFixed(3)),
  gauge('cratebase_resident_memory_bytes', 'Memory of all processes that answer.', counts.memory),
  gauge('cratebase_processes', 'Processes that answer.', counts.processes),
];

const fileMetricTexts = ({ file, log }: MetricsInput): string[] => [
  gauge('cratebase_file_bytes', 'Size of the data file.', file.fileBytes),
  gauge('cratebase_disk_free_bytes', 'Free space on the disk of the data file.', file.diskFreeBytes),
  gauge('cratebase_log_bytes', 'Size of the write-ahead log.', log.logBytes),
  gauge(
    'cratebase_log_held_seconds',
    'How long readers have kept the log from shrinking.',
    (log.heldMs / 1000).toFixed(1),
  ),
  gauge(
    'cratebase_file_damaged',
    '1 if the last check found damage in the data file, otherwise 0.',
    log.checkedTs === null ? null : Number(log.damage.length > 0),
  ),
  gauge(
    'cratebase_file_last_check_timestamp_seconds',
    'Unix time of the last complete check of the data file.',
    inSeconds(log.checkedTs),
  ),
];

const clusterMetricTexts = ({ areAccountsReachable, publication }: MetricsInput): string[] => [
  gauge(
    'cratebase_cluster_accounts_reachable',
    '1 if this node reaches the accounts of the cluster, otherwise 0.',
    areAccountsReachable === null ? null : Number(areAccountsReachable),
  ),
  gauge(
    'cratebase_cluster_serving_publication',
    'The number of the publication of the catalogue that this node serves.',
    publication?.serving ?? null,
  ),
  gauge(
    'cratebase_cluster_head_publication',
    'The number of the publication that all nodes serve, as far as this node knows.',
    publication?.head ?? null,
  ),
];

const backupMetricTexts = (backups: BackupMetrics | null): string[] => [
  gauge(
    'cratebase_backup_last_success_timestamp_seconds',
    'Unix time of the last scheduled backup that succeeded.',
    inSeconds(backups?.lastSuccessMs),
  ),
  gauge('cratebase_backup_last_bytes', 'Size of the last scheduled backup.', backups?.lastBytes ?? null),
  gauge('cratebase_backup_failures', 'Consecutive scheduled backups that failed.', backups?.failures ?? null),
];

const exportMetricTexts = (exports: ExportMetrics | null): string[] => [
  gauge(
    'cratebase_export_last_success_timestamp_seconds',
    'Unix time of the last scheduled export that succeeded.',
    inSeconds(exports?.lastSuccessMs),
  ),
  gauge(
    'cratebase_export_last_bytes',
    'Size of the last scheduled export, all files together.',
    exports?.lastBytes ?? null,
  ),
  gauge(
    'cratebase_export_last_revision',
    'Revision of the catalogue in the last scheduled export.',
    exports?.lastRevision ?? null,
  ),
  gauge('cratebase_export_failures', 'Consecutive scheduled exports that failed.', exports?.failures ?? null),
];

const histogramLines =
  (label: string) =>
  ([key, { buckets, sumSeconds }]: [string, DurationHistogram]): string[] => {
    const at = key.lastIndexOf(' ');
    const labels = `${label}="${key.slice(0, at)}",status="${key.slice(at + 1)}"`;
    let count = 0;
    const lines = buckets.map((bucket, index) => {
      count += bucket;
      return `_bucket{${labels},le="${durationBuckets[index] ?? '+Inf'}"} ${count}`;
    });
    return [...lines, `_sum{${labels}} ${sumSeconds.toFixed(6)}`, `_count{${labels}} ${count}`];
  };

function sourceMetricTexts(sources: readonly SourceMetrics[]): string[] {
  const first = sources.slice(0, maxSources);
  const gaugeOfEach = (name: string, help: string, figureOf: (source: SourceMetrics) => number | null) =>
    metric(
      name,
      'gauge',
      help,
      first.flatMap((source) => {
        const value = figureOf(source);
        return value === null ? [] : [`{source="${escapeLabel(source.name)}"} ${value}`];
      }),
    );
  return [
    gauge('cratebase_sources', `Scheduled sources; the first ${maxSources} have metrics.`, sources.length),
    gaugeOfEach(
      'cratebase_source_last_success_timestamp_seconds',
      'Unix time of the last successful run of a source.',
      ({ lastSuccessMs }) => inSeconds(lastSuccessMs),
    ),
    gaugeOfEach(
      'cratebase_source_failures',
      'Consecutive failed runs of a source.',
      ({ failures }) => failures,
    ),
    gaugeOfEach(
      'cratebase_source_rejected_records',
      'Records of a source rejected by its last run.',
      ({ rejected }) => rejected,
    ),
    gaugeOfEach('cratebase_source_records', 'Records that a source lists.', ({ records }) => records),
  ];
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
