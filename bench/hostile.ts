/**
 * `npm run bench:hostile` measures records that are written to be costly. Each scenario goes through the real import into a
 * new file, in a process of its own. The time of a line is the time that the thread compares and writes it. Lines are
 * read ahead, so the time between two reads is no measure. Plain lines go first, because the first line of a process
 * compiles the code.
 *
 * A line may write many records: an event with 500 new acts writes 501. So the time per record written is printed as well;
 * for a line that writes none, it is the time of the line.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { importFeed } from '../src/ingest/import/import-feed.ts';
import { RecordUpserter } from '../src/ingest/import/upsert.ts';
import { openDatabase } from '../src/store/database.ts';
import { CatalogueWriter } from '../src/store/writer.ts';
import { plainFeeds, scenarios } from './hostile-scenarios.ts';
import { readBenchOptions } from './options.ts';

const usage = `npm run bench:hostile -- [options]
  --only TEXT     scenarios whose name has the text
  --limit S       processor time after which no more lines of a scenario are read (60)
  --profile DIR   write CPU profiles there
  --json          print one JSON document`;

const goals = { medianMs: 5, worstMs: 50 };
/** Processor time is known to so many ms. */
const cpuStepMs = 4;
const now = Date.UTC(2026, 10, 1);

const { values: given } = readBenchOptions(usage, {
  options: {
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '60' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Job = { scenario: number; limitS: number };
type Figures = {
  lines: number;
  /** Lines that the limit left. */
  unread: number;
  rejected: number;
  cpuS: number;
  /** Per line. */
  medianMs: number;
  worstMs: number;
  /** Records written per line on average, and ms per record written. */
  writtenPerLine: number;
  medianMsPerRecord: number;
  worstMsPerRecord: number;
  peakMb: number;
};

if (process.send) process.once('message', (job: Job) => void answer(job));
else if (given.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const limitS = Number(given.limit);
  const results: (Figures & { name: string })[] = [];
  for (const [scenario, { name }] of scenarios.entries()) {
    if (!name.includes(given.only)) continue;
    const figures = await run({ scenario, limitS });
    if (figures === null) console.error(`${name}: one line took longer than ${limitS} s`);
    else results.push({ name, ...figures });
    if (figures && !given.json) console.log(lineOf(name, figures));
  }
  if (given.json) console.log(JSON.stringify({ goals, results }, null, 2));
}

function lineOf(name: string, figures: Figures): string {
  const { lines, unread, rejected, cpuS, peakMb, writtenPerLine } = figures;
  const left = unread > 0 ? `, ${unread} not reached` : '';
  const refused = rejected > 0 ? `, ${rejected} rejected` : '';
  return [
    name.padEnd(56),
    `${lines} lines`.padStart(11),
    `${cpuS.toFixed(1)} s`.padStart(7),
    `line: median ${figures.medianMs.toFixed(2)}, worst ${figures.worstMs.toFixed(1)} ms`.padStart(38),
    `${writtenPerLine.toFixed(1)} records/line`.padStart(19),
    `record: median ${figures.medianMsPerRecord.toFixed(2)}, worst ${figures.worstMsPerRecord.toFixed(1)} ms`.padStart(
      39,
    ),
    `${peakMb} MB`.padStart(7),
    ` ${verdictOf(figures)}${left}${refused}`,
  ].join(' ');
}

function verdictOf(figures: Figures): string {
  const isMet = (median: number, worst: number) => median <= goals.medianMs && worst <= goals.worstMs;
  if (figures.unread > 0) return 'MISSED';
  if (isMet(figures.medianMs, figures.worstMs)) return 'met';
  return isMet(figures.medianMsPerRecord, figures.worstMsPerRecord) ? 'met per record' : 'MISSED';
}

/** Imports a scenario in a process of its own; null where a single record takes longer than the limit. */
async function run(job: Job): Promise<Figures | null> {
  const profile = given.profile ? ['--cpu-prof', `--cpu-prof-dir=${given.profile}`] : [];
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [], {
    execArgv: [...process.execArgv, ...profile],
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), job.limitS * 20_000 + 60_000);
  child.send(job);
  return await new Promise((resolve) => {
    let figures: Figures | null = null;
    child.once('message', (message) => {
      figures = message as Figures;
    });
    child.once('exit', () => {
      clearTimeout(deadline);
      resolve(figures);
    });
  });
}

async function answer({ scenario, limitS }: Job): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-hostile-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  const lines: { ms: number; written: Set<number> }[] = [];
  let [rejected, unread] = [0, 0];
  let spentMs = 0;
  const isOver = () => spentMs > limitS * 1_000;
  await warmUp(folder);
  timeLines({
    took: (ms, isNew) => {
      if (isNew) lines.push({ ms: 0, written: new Set() });
      (lines.at(-1) as { ms: number }).ms += ms;
      spentMs += ms;
    },
    wrote: (id) => lines.at(-1)?.written.add(id),
  });
  try {
    for (const feed of scenarios[scenario]?.feeds() ?? []) {
      if (isOver()) {
        unread += feed.records.length;
        continue;
      }
      const report = await importFeed(sqlite, {
        source: feed.source,
        type: 'feed',
        now,
        alone: false,
        records: untilOver(feed.records, isOver, (count) => {
          unread += count;
        }),
      });
      rejected += report.rejectedCount;
    }
  } finally {
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const perLine = spreadOf(lines.map(({ ms }) => ms));
  const perRecord = spreadOf(lines.map(({ ms, written }) => ms / Math.max(1, written.size)));
  const figures: Figures = {
    lines: lines.length,
    unread,
    rejected,
    cpuS: spentMs / 1_000,
    medianMs: perLine.median,
    worstMs: perLine.worst,
    writtenPerLine: lines.reduce((sum, { written }) => sum + written.size, 0) / Math.max(1, lines.length),
    medianMsPerRecord: perRecord.median,
    worstMsPerRecord: perRecord.worst,
    peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  };
  process.send?.(figures);
  process.disconnect();
}

function spreadOf(values: readonly number[]): { median: number; worst: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
}

/** Imports plain records into another file: the first record of a process compiles the code and loads the places. */
async function warmUp(folder: string): Promise<void> {
  const sqlite = openDatabase(join(folder, 'plain.db'), { create: true });
  for (const { source, records } of plainFeeds())
    await importFeed(sqlite, {
      source,
      type: 'feed',
      now,
      alone: false,
      records: untilOver(
        records,
        () => false,
        () => {},
      ),
    });
  sqlite.close();
}

/** The records of a feed, until too much time was spent. */
async function* untilOver(records: readonly object[], isOver: () => boolean, left: (count: number) => void) {
  for (const [at, record] of records.entries()) {
    if (isOver()) return left(records.length - at);
    yield { record };
  }
}

/** Receives what the work on lines takes and writes. */
type LineObserver = {
  /** Called with ms for each piece of work, and whether it is the first piece of a line. */
  took: (ms: number, isNew: boolean) => void;
  /** Called with the id of each record that is created or changed. */
  wrote: (id: number) => void;
};

/** Measures each piece of work on lines, and the records that it writes. */
function timeLines({ took, wrote }: LineObserver): void {
  let isTimed = false;
  const timed = <T>(work: () => T, isNew: boolean): T => {
    const [cpu, began] = [process.threadCpuUsage(), performance.now()];
    isTimed = true;
    try {
      return work();
    } finally {
      isTimed = false;
      const { user, system } = process.threadCpuUsage(cpu);
      // The clock includes the time of other programs, and processor time is reported in steps: the lower one is right.
      took(Math.min(performance.now() - began, (user + system) / 1_000 + cpuStepMs), isNew);
    }
  };
  const { save } = CatalogueWriter.prototype;
  CatalogueWriter.prototype.save = function (this: CatalogueWriter, kind, id, ...values) {
    const changed = save.call(this, kind, id, ...values);
    if (isTimed && changed.size > 0) wrote(id);
    return changed;
  };
  const { plan: workOut } = RecordUpserter.prototype;
  RecordUpserter.prototype.plan = function (this: RecordUpserter, read) {
    const plan = timed(() => workOut.call(this, read), true);
    return {
      ...plan,
      write: () => timed(plan.write, false),
      newArtists: plan.newArtists.map((one) => () => timed(one, false)),
    };
  };
}
