/** A peer in a process of its own. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { answerParent } from '../child.ts';
import { JoinedEvents } from './joins.ts';
import { openFts, openMiniSearch, type PeerSearch } from './names.ts';

export const peerNames = ['fastify', 'express', 'fts5', 'minisearch'] as const;
export type PeerName = (typeof peerNames)[number];

const maxLimit = 100;
const limitOf = (text: unknown): number => Math.min(maxLimit, Number(text ?? 50));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Fastify: pages by a key, details, both with Kysely joins. */
async function startFastify(file: string): Promise<number> {
  const events = new JoinedEvents(file);
  const app = fastify();
  app.get<{ Querystring: Record<string, string | undefined> }>('/events', async ({ query }) => {
    const [start, id] = (query.after ?? '-1e15,0').split(',').map(Number) as [number, number];
    return { data: await events.after({ start, id }, limitOf(query.limit)) };
  });
  app.get<{ Params: { slug: string } }>('/events/:slug', async ({ params }) => ({
    data: await events.bySlug(params.slug),
  }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}

/** Express: pages by an offset. */
function startExpress(file: string): Promise<number> {
  const events = new JoinedEvents(file);
  const app = express();
  app.get('/events', async ({ query }, response) => {
    response.json({ data: await events.at(Number(query.offset ?? 0), limitOf(query.limit)) });
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(portOf(server)));
  });
}

/** node:http with a search by name. */
function startSearch(search: PeerSearch): Promise<number> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://peer');
    const data = search(searchParams.get('q') ?? '', Number(searchParams.get('limit') ?? 10));
    const body = Buffer.from(JSON.stringify({ data }));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(portOf(server)));
  });
}

const starts: Record<PeerName, (file: string) => Promise<number>> = {
  fastify: startFastify,
  express: startExpress,
  fts5: (file) => startSearch(openFts(file)),
  minisearch: (file) => startSearch(openMiniSearch(file)),
};

const handlers = {
  /** Opens a data file and listens; the port. */
  start: ({ name, file }: { name: PeerName; file: string }): Promise<number> => starts[name](file),
};
export type PeerHandlers = typeof handlers;

if (process.send !== undefined && process.argv[1]?.includes('peer')) answerParent(handlers);
