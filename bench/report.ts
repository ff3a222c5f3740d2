/** The results of the benchmark, as one document and as a table. */
import type { Group } from './cases.ts';
import { type GroupResult, renderFilters } from './filters.ts';
import { type Side, verdict } from './measure.ts';
import type { OtherBench } from './other-benches.ts';
import { type PeerResult, renderPeers } from './peers/compare.ts';
import { renderWorkers, type WorkersResult } from './workers.ts';

export type CaseResult = {
  id: string;
  title: string;
  group: Group;
  cratebase: Side;
  bare: Side;
  ratio: number;
  goal: { ratio: number } | { p99Ms: number } | null;
  met: boolean | null;
  /** Whether the client was the bottleneck: the bare server had capacity left. */
  clientBound: boolean;
};
export type Report = {
  program: string;
  node: string;
  cpus: number;
  catalogue: string;
  events: number;
  connections: number;
  seconds: number;
  cases: CaseResult[];
  depth: { firstMs: number; deepestMs: number; times: number; goal: number; met: boolean } | null;
  start: { healthMs: number; apiMs: number; goalMs: number; met: boolean } | null;
  filters: GroupResult[] | null;
  peers: PeerResult[] | null;
  workers: WorkersResult[] | null;
  /** The output of the benches of imports, second sources and agents. */
  others: OtherBench[] | null;
  /** Without pages of mapped files, but for `allMb`. */
  memory: { startMb: number; endMb: number; allMb: number; goalMb: number; met: boolean };
  /** Requests sent with the key, and how many of them the account was charged: equal, or the meter is wrong. */
  metered: { sent: number; counted: number };
};

const rate = (value: number): string => Math.round(value).toLocaleString('en');
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

function goalOf({ goal }: CaseResult): string {
  if (goal === null) return '';
  return 'ratio' in goal ? goal.ratio.toFixed(2) : `p99 < ${goal.p99Ms} ms`;
}

/** The table for people. */
export function renderReport(report: Report): string {
  const lines = [
    `cratebase ${report.program}, node ${report.node}, ${report.cpus} CPUs`,
    `${report.catalogue}; ${report.connections} connections, ${report.seconds} s for each case and side, medians of rounds in turn`,
  ];
  if (report.cases.length > 0) lines.push('', ...table(report.cases));
  lines.push('');
  const { depth, start, memory, metered } = report;
  if (depth) {
    lines.push(
      `deepest page   ${depth.times.toFixed(2)} times the first (${ms(depth.deepestMs)} and ${ms(depth.firstMs)} ms p50)   goal ${depth.goal}   ${verdict(depth.met)}`,
    );
  }
  if (start) {
    lines.push(
      `start-up       ${Math.round(start.healthMs)} ms to /healthz, ${Math.round(start.apiMs)} ms to the first answer   goal ${start.goalMs} ms   ${verdict(start.met)}`,
    );
  }
  lines.push(
    `memory         ${memory.endMb} MB after the run, ${memory.startMb} MB at its start, with mapped files ${memory.allMb} MB   goal ${memory.goalMb} MB   ${verdict(memory.met)}`,
    `metered        ${rate(metered.counted)} counted of ${rate(metered.sent)} sent`,
  );
  if (report.peers) lines.push(...renderPeers(report.peers));
  if (report.workers) lines.push(...renderWorkers(report.workers));
  for (const { title, clientBound } of report.cases) {
    if (clientBound)
      lines.push(`note           ${title}: the client was the limit of the bare server's rate`);
  }
  if (report.filters) lines.push('', renderFilters(report.filters, false));
  for (const { title, output } of report.others ?? []) lines.push('', `${title}:`, output);
  return lines.join('\n');
}

function table(cases: readonly CaseResult[]): string[] {
  const titles = [
    'case',
    'cratebase/s',
    'bare/s',
    'ratio',
    'goal',
    '',
    'p50 ms',
    'p99 ms',
    'bare p50',
    'bytes',
    'µs cpu',
    'bare µs',
  ];
  const rows = cases.map((one) => [
    one.title,
    rate(one.cratebase.perSecond),
    rate(one.bare.perSecond),
    // Rounded down: 0.699 does not reach a goal of 0.70.
    (Math.floor(one.ratio * 100) / 100).toFixed(2),
    goalOf(one),
    verdict(one.met),
    ms(one.cratebase.p50Ms),
    ms(one.cratebase.p99Ms),
    ms(one.bare.p50Ms),
    rate(one.cratebase.bytesPerAnswer),
    rate(one.cratebase.processorUs),
    rate(one.bare.processorUs),
  ]);
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  return [titles, ...rows].map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
