/** What /metrics tells, in Prometheus' text format. */
import { ServerResponse } from 'node:http';

/** Answers given, by the first digit of their status; summed over processes where there are several. */
export type ProcessMetrics = { answers: number[]; memory: number; processes: number };

const responsesByClass: number[] = [0, 0, 0, 0, 0, 0];

/** Counts as it ends: cheaper than a listener for each answer. */
export class CountedResponse extends ServerResponse {
  #counted = false;

  override end(...parts: unknown[]): this {
    if (!this.#counted) {
      this.#counted = true;
      const digit = Math.trunc(this.statusCode / 100);
      responsesByClass[digit] = (responsesByClass[digit] ?? 0) + 1;
    }
    return super.end(...(parts as []));
  }
}

/** The counts of this process. */
export const processMetrics = (): ProcessMetrics => ({
  answers: [...responsesByClass],
  memory: process.memoryUsage.rss(),
  processes: 1,
});

/** The sum of several processes' counts. */
export function sumMetrics(all: readonly ProcessMetrics[]): ProcessMetrics {
  const sum: ProcessMetrics = { answers: [0, 0, 0, 0, 0, 0], memory: 0, processes: 0 };
  for (const counts of all) {
    counts.answers.forEach((count, digit) => {
      sum.answers[digit] = (sum.answers[digit] ?? 0) + count;
    });
    sum.memory += counts.memory;
    sum.processes += counts.processes;
  }
  return sum;
}

/** The write-ahead log of the data file: its size in bytes, and for how long (ms) readers have kept it from shrinking. */
export type WalState = { logBytes: number; heldMs: number };

type MetricsInput = {
  counts: ProcessMetrics;
  uptime: number;
  revision: number;
  version: string;
  log: WalState;
};

/** The whole text; `uptime` in seconds. */
export function metricsText({ counts, uptime, revision, version, log }: MetricsInput): string {
  const metric = (name: string, type: string, help: string, lines: string[]) =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${name}${line}\n`).join('')}`;
  return [
    metric(
      'cratebase_requests_total',
      'counter',
      'Requests answered, by class of status.',
      [2, 3, 4, 5].map((digit) => `{status="${digit}xx"} ${counts.answers[digit]}`),
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
    metric('cratebase_build_info', 'gauge', 'The version that runs.', [`{version="${version}"} 1`]),
  ].join('');
}
