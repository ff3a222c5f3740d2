/**
 * `npm run bench` measures the throughput of cratebase, as a share of plain node:http on the same machine in the same
 * minutes. Exits with 0 whatever the figures are, and with 1 if a step fails.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import {
  type Case,
  caseIds,
  casesOf,
  depthPaths,
  firstPage,
  groups,
  type Walk,
  walkEvents,
} from './cases.ts';
import {
  type Caller,
  describeCatalogue,
  makeCaller,
  prepareCatalogue,
  readUsage,
  revokeCaller,
} from './catalogue.ts';
import { measureFilters } from './filters.ts';
import { Bench, type Comparison, connections, median } from './measure.ts';
import { readBenchOptions } from './options.ts';
import { runOtherBenches } from './other-benches.ts';
import { comparePeers, peerCases, somePositions } from './peers/compare.ts';
import { type CaseResult, type Report, renderReport } from './report.ts';
import { findProgram, type Program, profiledProgram, startServer, timeStart } from './server.ts';
import { compareWorkers, type WorkersResult } from './workers.ts';

const usage = `npm run bench -- [options]
  --events N      size of the catalogue (100000); made at the first run, kept in bench/data
  --seconds S     of load for each case on each side (5)
  --only A,B      ${groups.join(', ')}; or single cases: ${caseIds.join(', ')}
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --profile DIR   run from source and write the server's CPU profile there
  --folder DIR    where catalogues are kept (bench/data)
  --fresh         make the catalogue again
  --whole         also run the benches of imports, second sources and agents, whose output follows
  --json          print one JSON document
  --output FILE   write the JSON document to a file, too`;

const goals = { depth: 1.3, startMs: 400, memoryMb: 200 };
const starts = 5;
/** Fewer would leave lists without pages. */
const minEvents = 500;

type Options = {
  events: number;
  seconds: number;
  /** Groups, or ids of cases. */
  only: readonly string[];
  program: Program;
  folder: string | undefined;
  fresh: boolean;
  json: boolean;
  output: string | undefined;
  whole: boolean;
};

class WrongUsage extends Error {}

function readOptions(): Options {
  const { values } = readBenchOptions(usage, {
    options: {
      events: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '5' },
      only: { type: 'string', default: groups.join(',') },
      program: { type: 'string' },
      profile: { type: 'string' },
      folder: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      output: { type: 'string' },
      whole: { type: 'boolean', default: false },
    },
  });
  const [events, seconds] = [Number(values.events), Number(values.seconds)];
  if (!Number.isInteger(events) || events < minEvents) {
    throw new WrongUsage(`--events is a whole number, ${minEvents} at least, not ${values.events}.`);
  }
  if (!(seconds > 0 && seconds <= 600)) {
    throw new WrongUsage(`--seconds is a number up to 600, not ${values.seconds}.`);
  }
  const only = values.only.split(',').map((name) => name.trim());
  const stray = only.find((name) => !(groups as readonly string[]).includes(name) && !caseIds.includes(name));
  if (stray !== undefined) {
    throw new WrongUsage(`--only is some of ${[...groups, ...caseIds].join(', ')}, not "${stray}".`);
  }
  if (values.program !== undefined && !existsSync(values.program)) {
    throw new WrongUsage(`There is no program ${values.program}.`);
  }
  if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true });
  const program =
    values.profile === undefined ? findProgram(values.program) : profiledProgram(values.profile);
  const { folder, fresh, json, output, whole } = values;
  return { events, seconds, only, program, folder, fresh, json, output, whole };
}

const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Measures the selected cases over one data file. */
async function run(options: Options): Promise<Report> {
  const { events, fresh, folder, program, only } = options;
  const file = await prepareCatalogue({ events, fresh, note, ...(folder !== undefined && { folder }) });
  const caller = await makeCaller(file);
  try {
    const before = await readUsage(file);
    const measured = await load(options, file, caller);
    const counted = (await readUsage(file)) - before;
    const start = only.includes('start') ? await measureStart(program, file, caller.key) : null;
    if (only.includes('filters')) note('filters and searches without HTTP …');
    const filters = only.includes('filters') ? measureFilters(file) : null;
    const others = options.whole ? runOtherBenches(options.events, note) : null;
    return {
      program: program.description,
      node: process.versions.node,
      cpus: cpus().length,
      catalogue: describeCatalogue(events),
      events,
      connections,
      seconds: options.seconds,
      ...measured,
      start,
      filters,
      others,
      metered: { sent: measured.metered.sent, counted },
    };
  } finally {
    await revokeCaller(file, caller);
  }
}

async function load(options: Options, file: string, caller: Caller) {
  const { only, seconds, program } = options;
  const server = await startServer(program, file);
  const bench = new Bench(server, file, caller, seconds);
  try {
    await bench.open();
    note('walking the list …');
    const walk = await walkEvents(server.url, caller.key);
    bench.sent += walk.requests;
    const startMb = server.memory().ownMb;
    const cases: CaseResult[] = [];
    for (const one of casesOf(walk, Date.now())) {
      if (!only.includes(one.group) && !only.includes(one.id)) continue;
      note(`${one.title} …`);
      cases.push(judge(one, await bench.compare(one)));
    }
    const peers = only.includes('peers')
      ? await comparePeers(
          peerCases(walk, somePositions(file), walk.events),
          { server, caller, file, seconds },
          note,
          (count) => {
            bench.sent += count;
          },
        )
      : null;
    const workers = only.includes('workers')
      ? await measureWorkers(options, file, caller, walk, bench)
      : null;
    const depth = only.includes('lists') ? await measureDepth(bench, depthPaths(walk)) : null;
    const { ownMb: endMb, allMb } = server.memory();
    const memory = { startMb, endMb, allMb, goalMb: goals.memoryMb, met: endMb < goals.memoryMb };
    return { cases, depth, peers, workers, memory, metered: { sent: bench.sent } };
  } finally {
    await bench.close();
    await server.stop();
  }
}

function judge(one: Case, { cratebase, bare, ratio, bareBusy }: Comparison): CaseResult {
  const { id, title, group, goal } = one;
  const met = goal === null ? null : 'ratio' in goal ? ratio >= goal.ratio : cratebase.p99Ms < goal.p99Ms;
  const clientBound = bare.clientBusy > bareBusy;
  return { id, title, group, cratebase, bare, ratio, goal, met, clientBound };
}

/** Pages and details that no cache helps: the same ones would measure the client. */
function measureWorkers(
  { program, seconds }: Options,
  file: string,
  caller: Caller,
  walk: Walk,
  bench: Bench,
): Promise<WorkersResult[]> {
  note('one and two workers …');
  const cold = casesOf(walk, Date.now()).filter(({ id }) => ['list_random', 'detail_random'].includes(id));
  return compareWorkers(cold, { program, file, caller, seconds }, (count) => {
    bench.sent += count;
  });
}

async function measureDepth(
  bench: Bench,
  paths: { first: string; deepest: string },
): Promise<Report['depth']> {
  note('first and deepest page …');
  const { first, deepest } = await bench.compareDepth(paths);
  const times = first.perSecond / deepest.perSecond;
  return {
    firstMs: first.p50Ms,
    deepestMs: deepest.p50Ms,
    times,
    goal: goals.depth,
    met: times <= goals.depth,
  };
}

async function measureStart(program: Program, file: string, key: string): Promise<Report['start']> {
  note('start-up …');
  const times = [];
  for (let start = 0; start < starts; start++) times.push(await timeStart(program, file, firstPage, key));
  const apiMs = median(times.map((time) => time.apiMs));
  return {
    healthMs: median(times.map((time) => time.healthMs)),
    apiMs,
    goalMs: goals.startMs,
    met: apiMs < goals.startMs,
  };
}

async function main(): Promise<void> {
  try {
    const options = readOptions();
    const report = await run(options);
    const document = JSON.stringify(report);
    if (options.output !== undefined) writeFileSync(options.output, `${document}\n`);
    process.stdout.write(`${options.json ? document : renderReport(report)}\n`);
    const { sent, counted } = report.metered;
    if (sent === counted) return;
    note(`bench: ${sent} requests were sent, but ${counted} counted.`);
    process.exitCode = 1;
  } catch (failure) {
    const wrong = failure instanceof WrongUsage;
    note(`bench: ${failure instanceof Error ? failure.message : failure}${wrong ? `\n${usage}` : ''}`);
    process.exitCode = wrong ? 2 : 1;
  }
}

await main();
