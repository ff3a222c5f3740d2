/** New pictures count towards the budget of a network. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const artists = Array.from({ length: 60 }, (_, index) => ({
  kind: 'artist',
  external_id: `a-${index}`,
  name: `Example Act ${index}`,
}));
let server: Server;
before(async () => {
  const dataFile = join(folder.path, 'site.db');
  importFeed(dataFile, artists);
  server = await startServer({ dataFile, more: ['--page-limit', '50'] });
});
after(() => folder.remove());

const ask = (path: string) => server.get(path, { key: null });

test('a network that requests many new pictures gets a Retry-After', async () => {
  const statuses: number[] = [];
  for (let index = 1; index < artists.length && !statuses.includes(429); index += 1)
    statuses.push((await ask(`/og/artists/example-act-${index}.png`)).status);
  assert.ok(statuses.includes(429), statuses.join(' '));
  assert.ok(statuses.every((status) => status === 200 || status === 429));
  // A refusal is delayed until the network may ask again, so pages are asked for beside further pictures.
  const paths = Array.from({ length: 12 }, (_, at) => `/artists/example-act-${artists.length - 1 - at}`);
  const pictures = paths.map((path) => ask(`/og${path}.png`));
  const pages = await Promise.all(paths.map(ask));
  await Promise.all(pictures);
  const refused = pages.find(({ status }) => status === 429);
  assert.match(String(refused?.headers['retry-after']), /^\d+$/);
  assert.equal((await ask('/healthz')).status, 200);
});

test('a service that has drawn pictures ends at once', { timeout: 30_000 }, async () => {
  await server.stop();
});
