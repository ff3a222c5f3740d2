/**
 * Compares cratebase with services as they are commonly built, on the same data file in the same minutes: pages and details
 * from joins (Fastify, Kysely), pages by offset (Express), search by rank (FTS5), typeahead in memory (MiniSearch).
 */
import Database from 'better-sqlite3';
import type { Walk } from '../cases.ts';
import type { Caller } from '../catalogue.ts';
import { Child } from '../child.ts';
import type { ClientHandlers } from '../client.ts';
import { connections, median } from '../measure.ts';
import type { RoundResult } from '../messages.ts';
import { Random } from '../random.ts';
import { processorMs, type Running } from '../server.ts';
import type { PeerHandlers, PeerName } from './peer.ts';

/** One comparison: what cratebase and a peer are asked. */
export type PeerCase = { title: string; peer: PeerName; ours: string[]; theirs: string[] };
export type PeerResult = {
  title: string;
  peer: PeerName;
  perSecond: number;
  peerPerSecond: number;
  /** How many times as many requests cratebase answers per second. */
  timesAhead: number;
  processorUs: number;
  peerProcessorUs: number;
  p99Ms: number;
  peerP99Ms: number;
};

const rounds = 3;
const pageLimit = 50;
const maxQueries = 300;

/** Returns the comparisons. `positions` are starts and ids of events all over the list. */
export function peerCases(
  walk: Walk,
  positions: readonly { start: number; id: number }[],
  events: number,
): PeerCase[] {
  const random = new Random(13);
  const some = <T>(list: readonly T[]): T[] => Array.from({ length: maxQueries }, () => random.pick(list));
  const slugs = some(walk.slugs);
  const names = some(walk.names.filter((name) => /\p{L}{4}/u.test(name)));
  const words = names.map((name) => (/\p{L}{4,}/u.exec(name)?.[0] ?? name).toLowerCase());
  const api = '/api/v1';
  const search = (title: string, peer: PeerName, queries: readonly string[]): PeerCase => {
    const own = [...new Set(queries)].map((query) => encodeURIComponent(query));
    return {
      title,
      peer,
      ours: own.map((q) => `${api}/search?q=${q}&limit=10`),
      theirs: own.map((q) => `/search?q=${q}&limit=10`),
    };
  };
  const deepest = walk.deepest === null ? '' : `&cursor=${walk.deepest}`;
  return [
    {
      title: 'page',
      peer: 'fastify',
      ours: some(walk.cursors).map((cursor) => `${api}/events?limit=${pageLimit}&cursor=${cursor}`),
      theirs: some(positions).map(({ start, id }) => `/events?limit=${pageLimit}&after=${start},${id}`),
    },
    {
      title: 'deep page',
      peer: 'express',
      ours: [`${api}/events?limit=${pageLimit}${deepest}`],
      theirs: [`/events?limit=${pageLimit}&offset=${Math.max(0, events - pageLimit)}`],
    },
    {
      title: 'detail',
      peer: 'fastify',
      ours: slugs.map((slug) => `${api}/events/${slug}`),
      theirs: slugs.map((slug) => `/events/${slug}`),
    },
    search('search', 'fts5', names),
    search(
      'typeahead',
      'fts5',
      words.map((word) => word.slice(0, 2)),
    ),
    search(
      'typeahead',
      'minisearch',
      words.map((word) => word.slice(0, 2)),
    ),
    search(
      'typeahead, 4 letters',
      'minisearch',
      words.map((word) => word.slice(0, 4)),
    ),
  ];
}

/** Returns starts and ids of events all over the list. */
export function somePositions(file: string): { start: number; id: number }[] {
  const sqlite = new Database(file, { fileMustExist: true });
  sqlite.pragma('query_only = ON');
  try {
    const rows = sqlite.prepare<[], { start: number; id: number }>(
      `SELECT start_ts AS start, id FROM events WHERE id % (SELECT 1 + count(*) / ${10 * maxQueries} FROM events) = 0`,
    );
    return rows.all();
  } finally {
    sqlite.close();
  }
}

/** Runs the comparisons. `onSent` is told how many requests cratebase was sent. */
export async function comparePeers(
  cases: readonly PeerCase[],
  { server, caller, file, seconds }: { server: Running; caller: Caller; file: string; seconds: number },
  note: (text: string) => void,
  onSent: (count: number) => void,
): Promise<PeerResult[]> {
  const client = new Child<ClientHandlers>('client.ts');
  const results: PeerResult[] = [];
  try {
    await client.call('key', caller.key);
    for (const name of new Set(cases.map(({ peer }) => peer))) {
      note(`starting the peer ${name} …`);
      const peer = new Child<PeerHandlers>('peers/peer.ts');
      try {
        const port = await peer.call('start', { name, file });
        for (const one of cases.filter((other) => other.peer === name)) {
          note(`${one.title} against ${name} …`);
          results.push(await compare(one, { client, server, peer, port, seconds }, onSent));
        }
      } finally {
        await peer.stop();
      }
    }
  } finally {
    await client.stop();
  }
  return results;
}

type Sides = {
  client: Child<ClientHandlers>;
  server: Running;
  peer: Child<PeerHandlers>;
  port: number;
  seconds: number;
};

async function compare(
  { title, peer: name, ours, theirs }: PeerCase,
  { client, server, peer, port, seconds }: Sides,
  onSent: (count: number) => void,
): Promise<PeerResult> {
  await client.call('paths', { name: 'ours', paths: ours });
  await client.call('paths', { name: 'theirs', paths: theirs });
  const load = async (list: 'ours' | 'theirs', time: number) => {
    const isOurs = list === 'ours';
    const usedMs = isOurs ? server.processorMs : () => processorMs(peer.pid);
    const before = usedMs();
    const target = isOurs ? server.port : port;
    const result = await client.call('round', { port: target, list, cold: true, connections, seconds: time });
    if (isOurs) onSent(result.sent);
    return { ...result, processorMs: usedMs() - before };
  };
  const own: Awaited<ReturnType<typeof load>>[] = [];
  const other: typeof own = [];
  for (const list of ['ours', 'theirs'] as const) await load(list, Math.min(0.5, seconds));
  for (let round = 0; round < rounds; round++) {
    own.push(await load('ours', seconds / rounds));
    other.push(await load('theirs', seconds / rounds));
  }
  const middle = (list: readonly RoundResult[], key: 'perSecond' | 'p99Ms') =>
    median(list.map((one) => one[key]));
  const perRequest = (list: typeof own) =>
    (1_000 * list.reduce((sum, one) => sum + one.processorMs, 0)) /
    Math.max(
      1,
      list.reduce((sum, one) => sum + one.requests, 0),
    );
  const [perSecond, peerPerSecond] = [middle(own, 'perSecond'), middle(other, 'perSecond')];
  return {
    title,
    peer: name,
    perSecond,
    peerPerSecond,
    // A peer that answers nothing in a round is at most that fast.
    timesAhead: perSecond / Math.max(peerPerSecond, rounds / seconds),
    processorUs: perRequest(own),
    peerProcessorUs: perRequest(other),
    p99Ms: middle(own, 'p99Ms'),
    peerP99Ms: middle(other, 'p99Ms'),
  };
}

const descriptions: Record<PeerName, string> = {
  fastify: 'Fastify with Kysely joins',
  express: 'Express with offsets',
  fts5: 'FTS5 by rank',
  minisearch: 'MiniSearch',
};

/** Returns the lines for people. */
export const renderPeers = (results: readonly PeerResult[]): string[] =>
  results.map(
    ({ title, peer, timesAhead, perSecond, peerPerSecond, processorUs, peerProcessorUs }) =>
      `peer           ${title}: cratebase answers ${timesAhead.toFixed(1)} times as many as ${descriptions[peer]} (${Math.round(perSecond)} and ${Math.round(peerPerSecond)} per s; ${Math.round(processorUs)} and ${Math.round(peerProcessorUs)} µs of processor time)`,
  );
