/** The feed adapter: files, folders, gzip, addresses; lines that are none are told with their place. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Failure } from '../../src/failure.ts';
import type { CacheValidator } from '../../src/sources/common/opener.ts';
import { fileWith, read, recorded, serve } from '../support/source-server.ts';

const line = (id: string) => `{"kind":"artist","external_id":"${id}","name":"Artist ${id}"}\n`;

test('lines are read one by one, and an invalid one is reported with its number', async (context) => {
  const file = fileWith(context, 'a.ndjson', `\ufeff${line('1')}\nnot json\n[1]\n${line('2')}{"kind":"art`);
  const { records, rejected, end } = await read('feed', file);
  assert.deepEqual(
    records.map(({ external_id }) => external_id),
    ['1', '2'],
  );
  assert.deepEqual(
    rejected.map(({ where, reason }) => [where.slice(dirname(file).length + 1), reason.split(':')[0]]),
    [
      ['a.ndjson:3', 'not JSON'],
      ['a.ndjson:4', 'not a JSON object'],
      ['a.ndjson:6', 'not JSON'],
    ],
  );
  assert.match(rejected[0]?.reason ?? '', /^not JSON: Unexpected token 'o'/);
  assert.deepEqual(end, { ended: 'whole' });
});

test('a folder is all feeds in it, gzipped or not', async (context) => {
  const folder = dirname(fileWith(context, 'b.ndjson', line('2')));
  writeFileSync(join(folder, 'a.ndjson.gz'), gzipSync(line('1')));
  writeFileSync(join(folder, 'readme.txt'), 'not a feed');
  const { records, rejected } = await read('feed', folder);
  assert.deepEqual([records.map(({ external_id }) => external_id), rejected], [['1', '2'], []]);
  const empty = dirname(fileWith(context, 'readme.txt', ''));
  assert.equal((await read('feed', empty)).end.ended, 'partial');
});

test('an address is asked again only for what changed, also where all has to be seen: it is one document', async (context) => {
  const url = await serve(context, (request, response) => {
    if (request.headers['if-none-match']) response.writeHead(304).end();
    else response.writeHead(200, { etag: 'W/"1"' }).end(line('1'));
  });
  const kept = new Map<string, CacheValidator>();
  const validators = {
    get: (key: string) => kept.get(key) ?? null,
    put: (key: string, value: CacheValidator) => void kept.set(key, value),
  };
  assert.equal((await read('feed', url, { validators })).records.length, 1);
  assert.deepEqual((await read('feed', url, { validators })).end, { ended: 'unchanged' });
  // What a document did not change, it did not take off its list either.
  assert.deepEqual((await read('feed', url, { validators, complete: true })).end, { ended: 'unchanged' });
});

test('a source that is not there is one clear line', async () => {
  await assert.rejects(
    read('feed', '/no/such/feed.ndjson'),
    (failure) => failure instanceof Failure && /There is no file/.test(failure.message),
  );
});

test('the recorded club programme is all there', async (context) => {
  const folder = recorded(context, 'berghain');
  if (folder === null) return;
  const { records, rejected } = await read('feed', `${folder}feed.ndjson`);
  assert.equal(records.filter(({ kind }) => kind === 'event').length, 2_497);
  assert.deepEqual(rejected, []);
});
