/** What makes a client's life easier: Last-Modified, a limit of parameters, and no window for a frozen clock. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { problem, succeeded } from '../support/expect.ts';
import * as feed from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';
import { ask } from '../support/rest-client.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'comfort.db');
let server: Server;
before(async () => {
  importFeed(dataFile, feed.feed);
  server = await startServer({ dataFile, window: 10_000 });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

describe('Last-Modified', () => {
  for (const [operation, path] of [
    ['getArtist', '/artists/ben-klock'],
    ['getVenue', '/venues/berghain'],
    ['getEvent', '/events/klubnacht-2026-11-21'],
    ['getCity', '/cities/berlin'],
    ['getFestivalEdition', '/festivals/dekmantel/editions/2026'],
  ] as const) {
    it(`${path}: the updated_at of the record`, async () => {
      for (const _ of [1, 2, 3]) {
        const answer = await ask(server, path);
        const { data } = succeeded(operation, answer);
        assert.equal(answer.headers['last-modified'], new Date(String(data.updated_at)).toUTCString());
      }
    });
  }

  it('is not on lists', async () => {
    for (const path of ['/events', '/stats', '/search?q=ben'])
      assert.equal((await ask(server, path)).headers['last-modified'], undefined, path);
  });
});

describe('parameters', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');

  it('reads a filter behind 999 others, and refuses more', async () => {
    const { data } = (await ask(server, `/artists?${many(999)}&country=XK`)).json() as { data: unknown[] };
    assert.deepEqual(data, []);
    const answer = await ask(server, `/artists?${many(1_000)}&country=XK`);
    problem('invalid_parameter', answer);
    assert.match(answer.text, /more than 1,000 query parameters/);
  });
});

/** Returns the window that the responses of `serve --dev` state. */
async function windowOf(options: { now?: string; window?: number }): Promise<unknown> {
  const own = await startServer({ dataFile, ...options });
  try {
    return (await ask(own, '/stats')).headers['x-ratelimit-limit'];
  } finally {
    await own.stop();
  }
}

describe('serve --dev --now', () => {
  it('has no window that could never end, unless one is given', async () => {
    assert.equal(await windowOf({}), '60');
    assert.equal(await windowOf({ now: feed.feedNow }), '1000000000000');
    assert.equal(await windowOf({ now: feed.feedNow, window: 7 }), '7');
  });
});
