/** Counts the responses of this process, and writes `/metrics` in the text format of Prometheus. */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { countResponse, type RequestHistory, requestHistory, sumHistories } from './request-history.ts';

/** Why a response is 429: which limit was exceeded. `fault_injection` is `serve --fail 429`. */
export const rateLimitReasons = [
  'account_window',
  'fault_injection',
  'key_window',
  'network',
  'oauth',
  'quota',
  'sign_in',
] as const;
export type RateLimitReason = (typeof rateLimitReasons)[number];

/** The parts of the service that are measured apart. */
type Surface = 'rest' | 'mcp' | 'oauth' | 'account' | 'site' | 'service';

/** The reason of a 429 for which the handler named none. */
const defaultReasons: Record<Surface, RateLimitReason> = {
  rest: 'fault_injection',
  mcp: 'fault_injection',
  oauth: 'oauth',
  account: 'sign_in',
  site: 'network',
  service: 'network',
};

/** The upper bounds of the buckets of request durations, in seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** The durations of the requests of one surface and status class. `buckets` has one more for what is longer than all bounds. */
type DurationHistogram = { buckets: number[]; sumSeconds: number };

/** Counts of one process, or the sum of several. */
export type ProcessMetrics = {
  /** Responses by the first digit of their status. */
  answers: number[];
  /** Responses with status 429. */
  rateLimited: Partial<Record<RateLimitReason, number>>;
  /** By surface and status class, such as `rest 2xx`. */
  durations: Record<string, DurationHistogram>;
  /** Resident memory, in bytes. */
  memory: number;
  processes: number;
  /** Requests by hour. */
  history: RequestHistory;
};

const emptyMetrics = (): ProcessMetrics => ({
  answers: [0, 0, 0, 0, 0, 0],
  rateLimited: {},
  durations: {},
  memory: 0,
  processes: 0,
  history: {},
});

const counts = emptyMetrics();

const surfaces: Record<string, Surface> = {
  '.well-known': 'service',
  'changelog.json': 'service',
  'llms.txt': 'service',
  'openapi.json': 'service',
  account: 'account',
  admin: 'account',
  api: 'rest',
  healthz: 'service',
  mcp: 'mcp',
  metrics: 'service',
  oauth: 'oauth',
  readyz: 'service',
};

function surfaceOf(url = '/'): Surface {
  const [segment = ''] = /[^/?]+/.exec(url.slice(0, 50)) ?? [];
  return Object.hasOwn(surfaces, segment) ? (surfaces[segment] as Surface) : 'site';
}

function addDuration(durations: ProcessMetrics['durations'], key: string, seconds: number): void {
  durations[key] ??= { buckets: new Array<number>(durationBuckets.length + 1).fill(0), sumSeconds: 0 };
  const histogram = durations[key];
  const index = durationBuckets.findIndex((bound) => seconds <= bound);
  const bucket = index === -1 ? durationBuckets.length : index;
  histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
  histogram.sumSeconds += seconds;
}

const reasons = new WeakMap<ServerResponse, RateLimitReason>();

/** Names the limit that a 429 response is about; call it before the response ends. */
export function setRateLimitReason(response: ServerResponse, reason: RateLimitReason): void {
  reasons.set(response, reason);
}

/** A response that is counted when it ends: cheaper than a listener for each. */
export class CountedResponse extends ServerResponse {
  readonly #startMs = performance.now();
  readonly #surface: Surface;
  #counted = false;

  constructor(...args: ConstructorParameters<typeof ServerResponse<IncomingMessage>>) {
    super(...args);
    // Handlers rewrite the URL of the request.
    this.#surface = surfaceOf(args[0].url);
  }

  override end(...parts: unknown[]): this {
    if (!this.#counted) {
      this.#counted = true;
      const digit = Math.trunc(this.statusCode / 100);
      countResponse(this.statusCode);
      counts.answers[digit] = (counts.answers[digit] ?? 0) + 1;
      const seconds = (performance.now() - this.#startMs) / 1_000;
      addDuration(counts.durations, `${this.#surface} ${digit}xx`, seconds);
      if (this.statusCode === 429) {
        const reason = reasons.get(this) ?? defaultReasons[this.#surface];
        counts.rateLimited[reason] = (counts.rateLimited[reason] ?? 0) + 1;
      }
    }
    return super.end(...(parts as []));
  }
}

/** The counts of this process. */
export const processMetrics = (): ProcessMetrics => ({
  ...sumMetrics([counts]),
  memory: process.memoryUsage.rss(),
  processes: 1,
  history: requestHistory(),
});

/** Adds the counts of several processes. */
export function sumMetrics(all: readonly ProcessMetrics[]): ProcessMetrics {
  const sum = emptyMetrics();
  for (const { answers, rateLimited, durations, memory, processes } of all) {
    sum.answers = addArrays(sum.answers, answers);
    for (const reason of rateLimitReasons) {
      sum.rateLimited[reason] = (sum.rateLimited[reason] ?? 0) + (rateLimited[reason] ?? 0);
    }
    for (const [key, { buckets, sumSeconds }] of Object.entries(durations)) {
      const before = sum.durations[key] ?? { buckets: [], sumSeconds: 0 };
      sum.durations[key] = {
        buckets: addArrays(before.buckets, buckets),
        sumSeconds: before.sumSeconds + sumSeconds,
      };
    }
    sum.memory += memory;
    sum.processes += processes;
  }
  sum.history = sumHistories(all.map(({ history }) => history));
  return sum;
}

const addArrays = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => (one[at] ?? 0) + (other[at] ?? 0));

/** The write-ahead log of the data file: its size in bytes, and for how long (ms) readers have kept it from shrinking. */
export type WalState = { logBytes: number; heldMs: number };

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

type MetricsInput = {
  counts: ProcessMetrics;
  /** Seconds since the start. */
  uptime: number;
  revision: number;
  version: string;
  log: WalState;
  /** All scheduled sources, by name. */
  sources: readonly SourceMetrics[];
};

/** Writes all metrics. */
export function metricsText({ counts, uptime, revision, version, log, sources }: MetricsInput): string {
  return [
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
      Object.entries(counts.durations).sort().flatMap(histogramLines),
    ),
    metric('cratebase_uptime_seconds', 'gauge', 'Seconds since the start.', [` ${uptime.toFixed(3)}`]),
    metric('cratebase_resident_memory_bytes', 'gauge', 'Memory of all processes that answer.', [
      ` ${counts.memory}`,
    ]),
    metric('cratebase_processes', 'gauge', 'Processes that answer.', [` ${counts.processes}`]),
    metric('cratebase_catalogue_revision', 'gauge', 'Revision of the catalogue.', [` ${revision}`]),
    metric('cratebase_log_bytes', 'gauge', 'Size of the write-ahead log.', [` ${log.logBytes}`]),
    metric('cratebase_log_held_seconds', 'gauge', 'How long readers have kept the log from shrinking.', [
      ` ${(log.heldMs / 1000).toFixed(1)}`,
    ]),
    ...sourceMetricTexts(sources),
    metric('cratebase_build_info', 'gauge', 'The version that runs.', [`{version="${version}"} 1`]),
  ].join('');
}

/** @param lines the samples without the name of the metric; of a histogram, with the suffix of the name */
const metric = (name: string, type: string, help: string, lines: string[]): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${name}${line}\n`).join('')}`;

function histogramLines([key, { buckets, sumSeconds }]: [string, DurationHistogram]): string[] {
  const [surface, status] = key.split(' ');
  const labels = `surface="${surface}",status="${status}"`;
  let count = 0;
  const lines = buckets.map((bucket, at) => {
    count += bucket;
    return `_bucket{${labels},le="${durationBuckets[at] ?? '+Inf'}"} ${count}`;
  });
  return [...lines, `_sum{${labels}} ${sumSeconds.toFixed(6)}`, `_count{${labels}} ${count}`];
}

function sourceMetricTexts(sources: readonly SourceMetrics[]): string[] {
  const listed = sources.slice(0, maxSources);
  const gauge = (name: string, help: string, read: (source: SourceMetrics) => number | null) =>
    metric(
      name,
      'gauge',
      help,
      listed.flatMap((source) => {
        const value = read(source);
        return value === null ? [] : [`{source="${escapeLabel(source.name)}"} ${value}`];
      }),
    );
  return [
    metric('cratebase_sources', 'gauge', `Scheduled sources; the first ${maxSources} have metrics.`, [
      ` ${sources.length}`,
    ]),
    gauge(
      'cratebase_source_last_success_timestamp_seconds',
      'Unix time of the last successful run of a source.',
      ({ lastSuccessMs }) => (lastSuccessMs === null ? null : lastSuccessMs / 1_000),
    ),
    gauge('cratebase_source_failures', 'Consecutive failed runs of a source.', ({ failures }) => failures),
    gauge(
      'cratebase_source_rejected_records',
      'Records of a source rejected by its last run.',
      ({ rejected }) => rejected,
    ),
    gauge('cratebase_source_records', 'Records that a source lists.', ({ records }) => records),
  ];
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
