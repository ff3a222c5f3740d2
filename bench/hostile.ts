/**
 * `npm run bench:hostile` measures records that are written to be costly. Each scenario goes through the real import into a
 * new file, in a process of its own. The time of a record is the time that the thread compares and writes it. Records are
 * read ahead, so the time between two reads is no measure. Plain records go first, because the first record of a process
 * compiles the code.
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
import { plainFeeds, scenarios } from './hostile-scenarios.ts';
import { readBenchOptions } from './options.ts';

const usage = `npm run bench:hostile -- [options]
  --only TEXT     scenarios whose name has the text
  --limit S       processor time after which no more records of a scenario are read (60)
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
  records: number;
  /** Records that the limit left. */
  unread: number;
  rejected: number;
  cpuS: number;
  medianMs: number;
  worstMs: number;
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
    if (figures === null) console.error(`${name}: one record took longer than ${limitS} s`);
    else results.push({ name, ...figures });
    if (figures && !given.json) console.log(lineOf(name, figures));
  }
  if (given.json) console.log(JSON.stringify({ goals, results }, null, 2));
}

function lineOf(
  name: string,
  { records, unread, rejected, cpuS, medianMs, worstMs, peakMb }: Figures,
): string {
  const isMet = medianMs <= goals.medianMs && worstMs <= goals.worstMs && unread === 0;
  const left = unread > 0 ? `, ${unread} not reached` : '';
  const refused = rejected > 0 ? `, ${rejected} rejected` : '';
  return [
    name.padEnd(56),
    `${records} records`.padStart(13),
    `${cpuS.toFixed(1)} s`.padStart(8),
    `median ${medianMs.toFixed(2)} ms`.padStart(18),
    `worst ${worstMs.toFixed(1)} ms`.padStart(18),
    `${peakMb} MB`.padStart(7),
    ` ${isMet ? 'met' : 'BELOW'}${left}${refused}`,
  ].join(' ');
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
  const times: number[] = [];
  let [rejected, unread] = [0, 0];
  let spentMs = 0;
  const isOver = () => spentMs > limitS * 1_000;
  await warmUp(folder);
  timeRecords((ms, isNew) => {
    if (isNew) times.push(0);
    times[times.length - 1] = (times.at(-1) as number) + ms;
    spentMs += ms;
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
  const sorted = times.toSorted((a, b) => a - b);
  const figures: Figures = {
    records: times.length,
    unread,
    rejected,
    cpuS: times.reduce((sum, ms) => sum + ms, 0) / 1_000,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    worstMs: sorted.at(-1) ?? 0,
    peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  };
  process.send?.(figures);
  process.disconnect();
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

/** Measures each piece of work on records: `took` receives ms, and whether it is the first piece of a record. */
function timeRecords(took: (ms: number, isNew: boolean) => void): void {
  const timed = <T>(work: () => T, isNew: boolean): T => {
    const [cpu, began] = [process.threadCpuUsage(), performance.now()];
    try {
      return work();
    } finally {
      const { user, system } = process.threadCpuUsage(cpu);
      // The clock includes the time of other programs, and processor time is reported in steps: the lower one is right.
      took(Math.min(performance.now() - began, (user + system) / 1_000 + cpuStepMs), isNew);
    }
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
