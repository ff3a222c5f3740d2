/**
 * `node --import tsx bench/mcp.ts` measures how many tools/call the MCP endpoint answers per second (authenticated, counted,
 * with real questions), as a share of the SDK's own server with an empty tool, in turn in the same minutes. With
 * `--questions N`: how long different questions take, each asked once over one connection.
 */
import { mkdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeCatalogue, makeCaller, prepareCatalogue, readUsage, revokeCaller } from './catalogue.ts';
import { Child } from './child.ts';
import type { BareMcpHandlers } from './mcp-bare.ts';
import { call, sentCalls, type Target } from './mcp-client.ts';
import type { McpInsideHandlers } from './mcp-inside.ts';
import { differentQuestions, type Question, type QuestionGroups } from './mcp-questions.ts';
import { connections, median } from './measure.ts';
import { readBenchOptions } from './options.ts';
import { findProgram, profiledProgram, type Running, startServer } from './server.ts';

const usage = `node --import tsx bench/mcp.ts -- [options]
  --events N      size of the catalogue (100000); made at the first run, kept in bench/data
  --file FILE     an existing data file instead; accounts and usage are written to it
  --folder DIR    where catalogues are kept (bench/data)
  --seconds S     of load for each case on each side (5)
  --questions N   up to N different questions per group, each asked once: latency over one connection, and the processor
                  time of the tool alone; without the first tenth, of which only the maximum is shown
  --only A,B      groups whose title contains one of these texts
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --profile DIR   run from source and write the server's CPU profile there
  --json          print one JSON document`;

const goal = 0.8;
const goalMs = 15;
const rounds = 5;
/** How many different questions a case repeats. */
const repeated = 50;
const { values } = readBenchOptions(usage, {
  options: {
    events: { type: 'string', default: '100000' },
    file: { type: 'string' },
    folder: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    questions: { type: 'string' },
    only: { type: 'string', default: '' },
    program: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const print = (...lines: string[]): void => {
  if (!values.json) process.stdout.write(`${lines.join('\n')}\n`);
};
const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

type Round = { perSecond: number; p99Ms: number };
/** Figures of one group. Times in ms; `toolMs` is processor time of the tool alone, `processorMs` that of the server. */
type Result = Record<string, number | string | null>;

/** The value below which a share of the sorted numbers lies. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

/** Keeps `count` connections busy, each asking its next question when the last is answered. */
async function load(target: Target, seconds: number, count = connections): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const latencies: number[] = [];
  const began = performance.now();
  let next = 0;
  const converse = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1_000) {
      const question = target.questions[next++ % target.questions.length] as Question;
      const asked = performance.now();
      await call(agent, target, question);
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: count }, converse));
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / ((performance.now() - began) / 1_000),
    p99Ms: quantile(latencies, 0.99),
  };
}

/** The same questions again: calls per second beside those of the empty tool, in turn. */
async function compareRepeated(
  title: string,
  target: Target,
  empty: Target,
  server: Running,
): Promise<Result> {
  const [ours, theirs]: [Round[], Round[]] = [[], []];
  const seconds = Number(values.seconds) / rounds;
  let [spentMs, calls]: [number | null, number] = [0, 0];
  for (let round = -1; round < rounds; round += 1) {
    const [spent, sent] = [server.processorMs(), sentCalls()];
    const mine = await load(target, seconds);
    const now = server.processorMs();
    const other = { calls: sentCalls() - sent, round: await load(empty, seconds) };
    // The first of each warms up.
    if (round < 0) continue;
    ours.push(mine);
    theirs.push(other.round);
    calls += other.calls;
    spentMs = spentMs === null || spent === null || now === null ? null : spentMs + now - spent;
  }
  const perSecond = median(ours.map((one) => one.perSecond));
  const emptyPerSecond = median(theirs.map((one) => one.perSecond));
  const p99Ms = median(ours.map((one) => one.p99Ms));
  const processorMs = spentMs === null ? null : spentMs / calls;
  const ratio = perSecond / emptyPerSecond;
  const shown = [perSecond.toFixed(0), emptyPerSecond.toFixed(0), ratio.toFixed(2), p99Ms.toFixed(1)];
  shown.push(processorMs?.toFixed(3) ?? '');
  print(`${title.padEnd(36)}${columns(shown)}   ${ratio >= goal ? 'met' : 'MISSED'}`);
  return { title, perSecond, emptyPerSecond, ratio, p99Ms, processorMs };
}

/** The questions of a group before the measured ones, as a share: they compile code and statements. */
const warmUpShare = 0.1;

/** Different questions, each once: latency over one connection, and the processor time of the tool without HTTP. */
async function timeDifferent(
  title: string,
  target: Target,
  inside: Child<McpInsideHandlers>,
): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const timed: { question: string; ms: number }[] = [];
  for (const question of target.questions) {
    const began = performance.now();
    await call(agent, target, question);
    timed.push({ question: JSON.stringify(question.given), ms: performance.now() - began });
  }
  agent.destroy();
  const inTool = await inside.call('run', target.questions);
  const warmUps = Math.floor(warmUpShare * timed.length);
  const firstMaxMs = Math.max(0, ...timed.splice(0, warmUps).map(({ ms }) => ms));
  timed.sort((a, b) => a.ms - b.ms);
  const latencies = timed.map(({ ms }) => ms);
  const spent = inTool.slice(warmUps).sort((a, b) => a - b);
  const at = (share: number) => [quantile(latencies, share), quantile(spent, share)] as const;
  const [[p50Ms, toolP50Ms], [p99Ms, toolP99Ms], [maxMs, toolMaxMs]] = [at(0.5), at(0.99), at(1)];
  const numbers = [p50Ms, p99Ms, maxMs, firstMaxMs, toolP50Ms, toolP99Ms, toolMaxMs];
  const count = latencies.length;
  const shown = [String(count), ...numbers.map((number) => number.toFixed(1))];
  print(`${title.padEnd(36)}${columns(shown)}   ${p99Ms < goalMs ? 'met' : 'MISSED'}`);
  const slowest = timed.at(-1)?.question ?? '';
  return {
    title,
    questions: count,
    p50Ms,
    p99Ms,
    maxMs,
    firstMaxMs,
    toolP50Ms,
    toolP99Ms,
    toolMaxMs,
    slowest,
  };
}

const columns = (texts: readonly string[]): string => texts.map((text) => text.padStart(9)).join('');

function chosen(groups: QuestionGroups): [string, Question[]][] {
  const parts = values.only.split(',').filter(Boolean);
  return Object.entries(groups).filter(
    ([title, questions]) =>
      questions.length > 0 && (parts.length === 0 || parts.some((part) => title.includes(part))),
  );
}

function printHead(description: string, what: string): void {
  print(`${description}; ${what}`);
  if (values.questions === undefined)
    print(
      `${'the same questions again'.padEnd(36)}${columns(['per s', 'empty', 'ratio', 'p99 ms', 'cpu ms'])}   goal ${goal}, ${connections} connections`,
    );
  else
    print(
      `${'different questions'.padEnd(36)}${columns(['count', 'p50 ms', 'p99 ms', 'max ms', 'first max', 'tool p50', 'tool p99', 'tool max'])}   goal p99 < ${goalMs} ms, 1 connection`,
    );
}

/**
 * How a started service is found to be idle: time between two checks (ms), maximum number of checks, and the processor
 * time (ms) that an idle service uses between two.
 */
const idleCheck = { everyMs: 1_000, maxCount: 60, maxIdleMs: 30 };

/** Waits until a service that was started has loaded the words of names, which takes seconds in a large catalogue. */
async function waitUntilIdle(server: Running): Promise<void> {
  // It begins to load them a second after its start.
  await sleep(2 * idleCheck.everyMs);
  for (let check = 0, before = server.processorMs(); check < idleCheck.maxCount; check += 1) {
    await sleep(idleCheck.everyMs);
    const now = server.processorMs();
    // Without /proc there are no figures to compare.
    if (!(now - before > idleCheck.maxIdleMs)) return;
    before = now;
  }
}

async function main(): Promise<void> {
  const { file: given, folder, profile } = values;
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const events = Number(values.events);
  if (profile !== undefined) mkdirSync(profile, { recursive: true });
  const program = profile === undefined ? findProgram(values.program) : profiledProgram(profile);
  const file = given ?? (await prepareCatalogue({ events, note, ...(folder !== undefined && { folder }) }));
  const caller = await makeCaller(file);
  const server = await startServer(program, file);
  const bare = new Child<BareMcpHandlers>('mcp-bare.ts');
  const inside = new Child<McpInsideHandlers>('mcp-inside.ts');
  try {
    const questions = [{ tool: 'empty', given: {} }];
    const empty = { port: await bare.call('listen', undefined), key: '', questions };
    const different = values.questions === undefined ? null : Number(values.questions);
    if (different !== null) {
      await inside.call('open', file);
      await waitUntilIdle(server);
    }
    const before = await readUsage(file);
    const catalogue = given ?? describeCatalogue(events);
    printHead(program.description, catalogue);
    const results: Result[] = [];
    let counted = 0;
    for (const [title, group] of chosen(differentQuestions(file, different ?? repeated))) {
      note(`${title} …`);
      const target = { port: server.port, key: caller.key, questions: group };
      const own = server.port;
      const result =
        different === null
          ? await compareRepeated(title, target, empty, server)
          : await timeDifferent(title, target, inside);
      counted = sentCalls(own);
      results.push(result);
    }
    const usageNow = (await readUsage(file)) - before;
    if (usageNow !== counted) throw new Error(`${counted} calls were sent, but ${usageNow} counted.`);
    if (values.json)
      process.stdout.write(`${JSON.stringify({ program: program.description, catalogue, results })}\n`);
  } finally {
    await Promise.all([server.stop(), bare.stop(), inside.stop()]);
    await revokeCaller(file, caller);
  }
}

await main();
