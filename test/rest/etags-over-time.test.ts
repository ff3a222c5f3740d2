/** Entity tags while time passes: never equal with different bodies, and the same where no answer can have changed. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import polka from 'polka';
import type { PendingRequest } from '../../src/access/access.ts';
import { openSearch } from '../../src/catalogue/search.ts';
import { apiPrefix } from '../../src/contract/operations.ts';
import { mountRest, type RestDependencies } from '../../src/rest/routes.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { freshFile, says } from '../support/matching.ts';

const ms = (text: string): number => Date.parse(text);
const venue = { name: 'Kornspeicher', city: 'Berlin', country: 'DE' };
const lines = [
  { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  { kind: 'venue', external_id: 'v', ...venue, closed_at: '2026-12-01' },
  { kind: 'artist', external_id: 'a', name: 'Vera Lindt', ended_at: '2026-12' },
  { kind: 'label', external_id: 'l', name: 'Tiefgang', closed_at: '2027', artists: [{ name: 'Vera Lindt' }] },
  { kind: 'festival', external_id: 'f', name: 'Nachtlager', ended_at: '2026-11-25' },
  ...['2026-11-21T22:00', '2026-11-28T22:00', '2026-12-05T22:00'].map((start_at, at) => ({
    kind: 'event',
    external_id: `e${at}`,
    name: `Night ${at}`,
    start_at,
    venue,
    lineup: [{ name: 'Vera Lindt' }],
    genres: ['Techno'],
  })),
];

/** Around each instant at which something begins or ends, and at each midnight. */
const days = Array.from({ length: 20 }, (_, at) => ms('2026-11-19T00:00:00Z') + at * 86_400_000);
const instants = [
  ...days.flatMap((day) => [day - 1, day, day + 43_200_000]),
  ...[ms('2026-12-31T23:59:59.999Z'), ms('2027-01-01T00:00:00Z')],
];

let now = instants[0] as number;
let server: Server;
const closing: (() => void)[] = [];

before(async () => {
  const sqlite = freshFile({ after: (end) => closing.push(end) });
  await says(sqlite, 'one', lines);
  const app = polka();
  mountRest(app, {
    reader: openCatalogueReader(sqlite),
    search: openSearch(sqlite),
    clock: { now: () => now },
    // Every request has a key without limits: tags do not depend on it.
    access: {
      verifiedCredential: () => ({ id: 'key_1', scope: 'all' }),
      enqueue: (request: PendingRequest) =>
        request.settled({ outcome: 'admitted', plan: 'free', limits: [9, 9, 9, 9, 9, 9] }),
    },
    log: () => {},
    baseUrl: 'https://catalogue.example',
    version: '1',
    fail: [],
    compress: false,
  } as unknown as RestDependencies);
  server = createServer((req, res) => void app.handler(req as never, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => {
  server.close();
  for (const end of closing) end();
});

const get = async (path: string, tag?: string) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${apiPrefix}${path}`, {
    ...(tag === undefined ? {} : { headers: { 'if-none-match': tag } }),
  });
  return { status: response.status, tag: response.headers.get('etag') ?? '', body: await response.text() };
};

/** The tags and bodies of a path at all instants; `tags` counts the changes of the tag, `bodies` those of the body. */
async function follow(path: string): Promise<{ tags: number; bodies: number }> {
  const bodies = new Map<string, string>();
  let previous: { tag: string; body: string } | null = null;
  const changes = { tags: 0, bodies: 0 };
  for (const instant of instants) {
    now = instant;
    const { status, tag, body } = await get(path);
    assert.equal(status, 200, `${path}: ${body}`);
    assert.equal(bodies.get(tag) ?? body, body, `${path}: one tag, two bodies`);
    bodies.set(tag, body);
    if (previous !== null) {
      const isUnmodified: boolean = (await get(path, previous.tag)).status === 304;
      assert.equal(isUnmodified, previous.tag === tag);
      if (isUnmodified) assert.equal(previous.body, body, `${path}: a stale 304`);
      if (previous.tag !== tag) changes.tags++;
      if (previous.body !== body) changes.bodies++;
    }
    previous = { tag, body };
  }
  return changes;
}

/** Paths, and how often their body changes in these weeks. */
const paths: [path: string, bodies: number][] = [
  ['/venues', 1],
  ['/venues?status=closed', 1],
  ['/venues?upcoming=true', 2],
  ['/festivals', 1],
  ['/festivals/nachtlager', 1],
  ['/labels', 1],
  ['/labels/tiefgang', 1],
  ['/labels/tiefgang/artists', 4],
  ['/artists', 4],
  ['/artists/vera-lindt', 4],
  ['/artists?slug=vera-lindt', 4],
  ['/venues/kornspeicher', 4],
  ['/cities/berlin', 3],
  ['/genres/techno', 3],
  ['/artists/vera-lindt/events', 3],
  ['/stats', 3],
  ['/artists/vera-lindt/events?from=', 3],
];
for (const [path, bodies] of paths)
  test(`${path}: no answer is stale, and its tag changes with events and endings only`, async () => {
    const changes = await follow(path);
    assert.equal(changes.bodies, bodies);
    // One tag covers all kinds: four endings and three events.
    assert.ok(changes.tags <= 7, `${changes.tags} tags`);
  });

test('an answer that does not depend on the time keeps its tag', async () => {
  for (const path of ['/events', '/cities', '/genres', '/artists/vera-lindt/events?from=2026-01-01'])
    assert.deepEqual(await follow(path), { tags: 0, bodies: 0 }, path);
});

test('results of the search are never stale', async () => {
  for (const q of ['night', 'vera', 'korn']) await follow(`/search?q=${q}`);
});
