/** The catalogue that a node serves changes as a whole, also for requests that continue from a later revision. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServedCatalogue } from '../../src/server/served-catalogue.ts';

let server: Server;
let url = '';
let served: ServedCatalogue;

before(async () => {
  server = createServer((request, response) => served.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

/** Handlers that answer with the revision. */
const catalogueAt = (revision: number) => {
  const answer = (_: unknown, response: { end: (text: string) => void }) => response.end(String(revision));
  return { handle: answer, handleRest: answer, revision };
};
const begin = (revision: number, limits?: { timeoutMs: number; maxWaiting: number }) => {
  served = new ServedCatalogue(limits);
  served.change(catalogueAt(revision));
};
const cursorAt = (revision: number) =>
  Buffer.concat([Buffer.alloc(16), Buffer.from(JSON.stringify([revision, 'key']))]).toString('base64url');
const text = async (path: string) => (await fetch(url + path)).text();

test('a request that continues from a later revision is answered from it', async () => {
  begin(7);
  assert.equal(await text(`/events?cursor=${cursorAt(7)}`), '7');
  assert.equal(await text('/changes?since=7'), '7');
  const waiting = [text(`/events?limit=1&cursor=${cursorAt(9)}`), text('/changes?since=9')];
  await sleep(30);
  served.change(catalogueAt(8));
  await sleep(30);
  assert.equal(await text('/events'), '8');
  served.change(catalogueAt(9));
  assert.deepEqual(await Promise.all(waiting), ['9', '9']);
});

test('texts that name no revision do not wait', async () => {
  begin(7);
  const null_ = Buffer.concat([Buffer.alloc(16), Buffer.from('null')]).toString('base64url');
  for (const path of [
    '/changes?since=x',
    '/changes?since=1e400',
    '/events?since=99',
    '/events?cursor=%00',
    '/events?cursor=',
    `/events?cursor=${null_}`,
  ])
    assert.equal(await text(path), '7', path);
});

const statusOf = async (path: string) => {
  const response = await fetch(url + path);
  await response.arrayBuffer();
  return [response.status, response.headers.get('retry-after')];
};

test('a revision that does not come in time is answered with 503', async () => {
  begin(7, { timeoutMs: 100, maxWaiting: 10 });
  assert.deepEqual(await statusOf('/changes?since=99'), [503, '1']);
});

test('if many requests wait, further ones are answered with 503 at once', async () => {
  begin(7, { timeoutMs: 600_000, maxWaiting: 2 });
  const waiting = [text('/changes?since=9'), text('/changes?since=9')];
  await sleep(200);
  assert.deepEqual(await statusOf('/changes?since=9'), [503, '1']);
  served.change(catalogueAt(9));
  assert.deepEqual(await Promise.all(waiting), ['9', '9']);
});

test('the former catalogue is released when its last response has been written', async () => {
  begin(1);
  let end = () => {};
  served.change({
    ...catalogueAt(2),
    handle: (_, response) => {
      response.write('a');
      end = () => response.end('b');
    },
  });
  const open = text('/export');
  await sleep(50);
  const isReleased = served.change(catalogueAt(3))();
  assert.equal(await Promise.race([isReleased.then(() => 'released'), sleep(100, 'open')]), 'open');
  assert.equal(await text('/'), '3');
  end();
  assert.equal(await open, 'ab');
  await isReleased;
});
