/**
 * `node --import tsx bench/mcp.ts` measures how many tools/call the MCP endpoint answers per second (authenticated, counted,
 * with real questions), as a share of the SDK's own server with an empty tool, in turn in the same minutes.
 */
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { describeCatalogue, makeCaller, prepareCatalogue, readUsage, revokeCaller } from './catalogue.ts';
import { Child } from './child.ts';
import type { BareMcpHandlers } from './mcp-bare.ts';
import { connections, median } from './measure.ts';
import { findProgram, startServer } from './server.ts';

const goal = 0.8;
const rounds = 5;
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '5' },
    program: { type: 'string' },
  },
});
const print = (...lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};
const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

type Question = { tool: string; given: Record<string, unknown> };
type Target = { port: number; key: string; questions: readonly Question[] };
type Round = { perSecond: number; p99Ms: number };

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

let sent = 0;

/** One call; resolves when its answer has been read, with how it began. */
function call(agent: Agent, { port, key }: Target, { tool, given }: Question): Promise<string> {
  sent += 1;
  const params = { name: tool, arguments: given, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'tools/call', params });
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': tool,
  };
  return new Promise((resolve, reject) => {
    const sending = request(
      { agent, host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.once('end', () => {
          const good = answer.statusCode === 200 && text.includes('"content"') && !text.includes('"isError"');
          if (good) resolve(text);
          else reject(new Error(`${tool} gave ${answer.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    sending.once('error', reject);
    sending.end(body);
  });
}

/** Runs the connections at once; each sends its next call when the last one is answered. */
async function load(target: Target, seconds: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const began = performance.now();
  let next = 0;
  const converse = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1_000) {
      const question = target.questions[next++ % target.questions.length] as Question;
      const startedAt = performance.now();
      await call(agent, target, question);
      latencies.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, converse));
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / ((performance.now() - began) / 1_000),
    p99Ms: latencies[Math.floor(0.99 * (latencies.length - 1))] ?? Number.NaN,
  };
}

type Event = { artist: string; venue: string; city: string };

/** What the catalogue knows of some coming events, to ask about. */
async function learn(target: Target): Promise<Event[]> {
  const agent = new Agent();
  const text = await call(agent, target, { tool: 'search_events', given: { limit: 50 } });
  const { events } = (JSON.parse(text) as { result: { structuredContent: { events: EventItem[] } } }).result
    .structuredContent;
  return events.flatMap(({ lineup, venue }) =>
    lineup[0] && venue.name && venue.city
      ? [{ artist: lineup[0].name, venue: venue.name, city: venue.city }]
      : [],
  );
}
type EventItem = { lineup: { name: string }[]; venue: { name: string | null; city: string | null } };

/** What agents ask, in turn: no two of a kind in a row are the same. */
const casesOf = (known: readonly Event[]): Record<string, Question[]> => {
  const of = (tool: string, given: (event: Event) => Record<string, unknown>) =>
    known.map((event) => ({ tool, given: given(event) }));
  return {
    'search_events by city': of('search_events', ({ city }) => ({ city })),
    artist_info: of('artist_info', ({ artist }) => ({ artist })),
    artist_upcoming_events: of('artist_upcoming_events', ({ artist }) => ({ artist })),
    venue_upcoming_events: of('venue_upcoming_events', ({ venue, city }) => ({ venue, city })),
  };
};

async function main(): Promise<void> {
  const seconds = Number(values.seconds);
  const events = Number(values.events);
  const program = findProgram(values.program);
  const file = await prepareCatalogue({ events, note });
  const caller = await makeCaller(file);
  const server = await startServer(program, file);
  const bare = new Child<BareMcpHandlers>('mcp-bare.ts');
  try {
    const empty = {
      port: await bare.call('listen', undefined),
      key: '',
      questions: [{ tool: 'empty', given: {} }],
    };
    const before = await readUsage(file);
    sent = 0;
    const known = await learn({ port: server.port, key: caller.key, questions: [] });
    print(
      `${program.description}; ${describeCatalogue(events)}; ${connections} connections`,
      `${'tools/call'.padEnd(26)}${'per s'.padStart(8)}${'empty'.padStart(8)}${'ratio'.padStart(8)}${'p99 ms'.padStart(8)}   goal ${goal}`,
    );
    let sentInAll = sent;
    for (const [title, questions] of Object.entries(casesOf(known))) {
      note(`${title} …`);
      const target = { port: server.port, key: caller.key, questions };
      const [ours, theirs]: [Round[], Round[]] = [[], []];
      for (let round = -1; round < rounds; round += 1) {
        sent = 0;
        const mine = await load(target, seconds / rounds);
        sentInAll += sent;
        const other = await load(empty, seconds / rounds);
        // The first of each warms up.
        if (round >= 0) {
          ours.push(mine);
          theirs.push(other);
        }
      }
      const rate = median(ours.map(({ perSecond }) => perSecond));
      const emptyRate = median(theirs.map(({ perSecond }) => perSecond));
      const ratio = rate / emptyRate;
      const p99 = median(ours.map(({ p99Ms }) => p99Ms));
      const numbers = [rate.toFixed(0), emptyRate.toFixed(0), ratio.toFixed(2), p99.toFixed(1)];
      const shown = numbers.map((number) => number.padStart(8)).join('');
      print(`${title.padEnd(26)}${shown}   ${ratio >= goal ? 'met' : 'MISSED'}`);
    }
    const counted = (await readUsage(file)) - before;
    if (counted !== sentInAll) throw new Error(`${sentInAll} calls were sent, but ${counted} counted.`);
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
    await revokeCaller(file, caller);
  }
}

await main();
