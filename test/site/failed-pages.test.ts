/** Pages that fail through the fault of the service: a page for browsers, the error of the API for programs. */
import assert from 'node:assert/strict';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { folder } from '../support/cli-run.ts';
import { feed } from '../support/feed.ts';
import { importFeed } from '../support/program.ts';
import { type Served, serve } from '../support/serve-process.ts';

const cwd = folder();
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const ask = (served: Served, path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`http://127.0.0.1:${served.port}${path}`, { headers });

/** Starts a service on a copy of the catalogue of `feed`. */
async function start(name: string): Promise<Served> {
  importFeed(join(cwd, name), feed);
  return serve(`--data ${name}`, { cwd });
}

describe('pages of a damaged data file', () => {
  let served: Served;
  before(async () => {
    served = await start('damaged.db');
    const file = join(cwd, 'damaged.db');
    const pageSize = 4_096;
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(statSync(file).size - pageSize, 0xaa), 0, undefined, pageSize);
    closeSync(handle);
  });
  after(() => served.stop());

  for (const path of ['/', '/artists/unknown', '/no-page']) {
    it(`${path} is a page for a browser, in its language`, async () => {
      const response = await ask(served, path, { ...browser, 'Accept-Language': 'de' });
      assert.equal(response.status, 503);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(response.headers.get('retry-after'), '5');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('content-language'), 'de');
      assert.match(await response.text(), /<h1>Im Moment nicht erreichbar<\/h1>/);
    });
  }

  it('is the error of the API for a program', async () => {
    const response = await ask(served, '/', {});
    assert.equal(response.status, 503);
    const { error } = (await response.json()) as { error: { type: string } };
    assert.equal(error.type, 'unavailable');
  });

  it('is a page without a body for HEAD', async () => {
    const response = await fetch(`http://127.0.0.1:${served.port}/`, { method: 'HEAD', headers: browser });
    assert.equal(response.status, 503);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(await response.text(), '');
  });
});

describe('a page that fails for another reason', () => {
  let served: Served;
  before(async () => {
    served = await start('other.db');
    const sqlite = new Database(join(cwd, 'other.db'));
    sqlite.exec('PRAGMA foreign_keys = OFF; DROP TABLE podcasts');
    sqlite.close();
  });
  after(() => served.stop());

  it('names its request for the operator, as the log does', async () => {
    const response = await ask(served, '/podcasts', browser);
    const text = await response.text();
    assert.equal(response.status, 500, text);
    const id = response.headers.get('x-request-id') ?? '';
    assert.match(id, /^req_/);
    assert.ok(text.includes(id));
    assert.match(text, /<h1>Something went wrong<\/h1>/);
    assert.equal(response.headers.get('retry-after'), null);
    // The line may come through the pipe after the response.
    const isLogged = () => served.log().some((line) => line.request_id === id && line.level === 'error');
    const end = Date.now() + 5_000;
    while (!isLogged() && Date.now() < end) await setTimeout(10);
    assert.ok(isLogged(), id);
  });
});
