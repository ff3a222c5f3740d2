/** Objects in S3-compatible storage: signed requests, failures of the storage, and nodes that read from it. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { StoredObject } from '../../src/cluster/publication/objects.ts';
import { publishFirst } from '../../src/cluster/publication/publish.ts';
import { readS3Place } from '../../src/cluster/publication/s3/address.ts';
import { S3Objects } from '../../src/cluster/publication/s3/objects.ts';
import { nameOf } from '../../src/cluster/publication/seal.ts';
import { createCluster } from '../support/cluster.ts';
import { PostgresServer, skipWithoutPostgres as skip } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';
import { catalogueFile, seizeLease, TestNode } from '../support/publication.ts';
import { S3Server } from '../support/s3-server.ts';

const storage = new S3Server();
const place = temporaryFolder();
const limits = { timeoutMs: 1_000, attempts: 3, retryMs: 5 };
const address = 's3://music/a/b';
before(() => storage.start());
beforeEach(() => {
  storage.fault = () => null;
  storage.requests = 0;
  storage.objects.clear();
});
after(async () => {
  await storage.stop();
  place.remove();
});

const open = (env: Record<string, string> = {}, given = limits) =>
  new S3Objects(readS3Place(address, { ...storage.env, ...env }), given);
const content = (at: number) => Buffer.alloc(100_000 + at, at);

test('objects are put, listed over several pages, read and deleted', async () => {
  const objects = open();
  const names = [0, 1, 2, 3, 4, 5, 6].map((at) => nameOf(content(at)));
  for (const [at, name] of names.entries()) await objects.put(name, content(at));
  assert.deepEqual([...storage.objects.keys()].sort(), names.map((name) => `a/b/${name}`).sort());
  storage.objects.set('a/b/notes.txt', { content: Buffer.from('other'), storedMs: 0 });
  storage.objects.set(`a/bb/${names[0]}`, { content: Buffer.from('other'), storedMs: 0 });
  const listed: StoredObject[] = [];
  for await (const one of objects.list()) listed.push(one);
  assert.deepEqual(listed.map(({ name }) => name).sort(), names.toSorted());
  assert.equal(listed.find(({ name }) => name === names[3])?.bytes, 100_003);
  assert.ok(listed.every(({ storedMs }) => Math.abs(storedMs - Date.now()) < 60_000));
  assert.deepEqual(await objects.get(names[2] as string), content(2));
  assert.equal(await objects.get(nameOf(Buffer.from('missing'))), null);
  await objects.delete(names[0] as string, 3_600_000);
  assert.equal(storage.objects.has(`a/b/${names[0]}`), true);
  (storage.objects.get(`a/b/${names[0]}`) as { storedMs: number }).storedMs -= 3_700_000;
  await objects.delete(names[0] as string, 3_600_000);
  await objects.delete(names[0] as string, 3_600_000);
  assert.equal(storage.objects.has(`a/b/${names[0]}`), false);
  await assert.rejects(objects.put('../x', content(0)), /not a SHA-256/);
  await objects.close();
});

test('refused requests say what to correct, and are not repeated', async () => {
  const refused = async (env: Record<string, string>, expected: RegExp) => {
    storage.requests = 0;
    const objects = open(env);
    await assert.rejects(objects.put(nameOf(content(1)), content(1)), expected);
    assert.equal(storage.requests, 1);
    await objects.close();
  };
  await refused({ AWS_SECRET_ACCESS_KEY: 'wrong' }, /SignatureDoesNotMatch.*AWS_SECRET_ACCESS_KEY/);
  await refused({ AWS_ACCESS_KEY_ID: 'wrong' }, /InvalidAccessKeyId.*AWS_ACCESS_KEY_ID/);
  await refused({ AWS_REGION: 'us-east-1' }, /AuthorizationHeaderMalformed.*AWS_REGION/);
  assert.equal(storage.objects.size, 0);
  const other = new S3Objects(readS3Place('s3://other', storage.env), limits);
  await assert.rejects(other.get(nameOf(content(1))), /NoSuchBucket.*Create the bucket/);
  await other.close();
});

test('an answer 500 or none at all is tried again, a bounded number of times', async () => {
  const objects = open();
  let failures = 2;
  storage.fault = () => (failures-- > 0 ? 500 : null);
  await objects.put(nameOf(content(1)), content(1));
  assert.equal(storage.requests, 3);
  storage.fault = () => 503;
  storage.requests = 0;
  await assert.rejects(
    objects.get(nameOf(content(1))),
    /it answers 503 \(InternalError\). Check that it runs/,
  );
  assert.equal(storage.requests, 3);
  await objects.close();
  const hasty = open({}, { ...limits, timeoutMs: 100 });
  failures = 1;
  storage.fault = () => (failures-- > 0 ? 'hang' : null);
  assert.deepEqual(await hasty.get(nameOf(content(1))), content(1));
  storage.fault = () => 'hang';
  await assert.rejects(hasty.get(nameOf(content(1))), /does not answer in time/);
  const away = open({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
  await assert.rejects(away.get(nameOf(content(1))), /ECONNREFUSED/);
});

test('an answer without an end is not kept', async () => {
  const objects = open();
  const name = nameOf(content(1));
  storage.objects.set(`a/b/${name}`, { content: Buffer.alloc(17 << 20), storedMs: Date.now() });
  await assert.rejects(objects.get(name), /more than 16 MB/);
});

test('place and credentials come from the variables of AWS', () => {
  const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const file = join(place.path, 'secret');
  writeFileSync(file, 'from a file\n'.replaceAll(' ', '_'));
  const { AWS_SECRET_ACCESS_KEY: _, ...half } = key;
  assert.deepEqual(
    readS3Place('s3://music', { ...half, AWS_SECRET_ACCESS_KEY_FILE: file, AWS_SESSION_TOKEN: 'token' }),
    {
      bucket: 'music',
      prefix: '',
      region: 'us-east-1',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      accessKeyId: 'id',
      secretAccessKey: 'from_a_file',
      sessionToken: 'token',
    },
  );
  const endpoint = (text: string) => readS3Place(address, { ...key, AWS_ENDPOINT_URL_S3: text }).endpoint;
  assert.equal(endpoint('https://10.0.0.7:9000/'), 'https://10.0.0.7:9000');
  assert.equal(endpoint('http://[::1]:9000'), 'http://[::1]:9000');
  assert.throws(() => endpoint('http://10.0.0.7:9000'), /must begin with https/);
  assert.throws(() => endpoint('https://s3.example.org/path'), /without a path/);
  assert.throws(() => endpoint('ftp://s3.example.org'), /AWS_ENDPOINT_URL_S3/);
  assert.throws(() => readS3Place(address, half), /AWS_SECRET_ACCESS_KEY/);
  assert.throws(() => readS3Place(address, { ...key, AWS_REGION: 'a/b' }), /AWS_REGION/);
  for (const wrong of [
    's3://A',
    's3://music/../x',
    's3://music//x',
    's3://music/a b',
    's3:music',
    's3://music?x',
  ])
    assert.throws(() => readS3Place(wrong, key), /not a valid address/, wrong);
});

test('nodes read a publication from the storage; a damaged object is not served', { skip }, async (t) => {
  const server = new PostgresServer();
  await server.start();
  t.after(() => server.remove());
  const cluster = await createCluster(server);
  const node = async (name: string) => {
    const opened = await TestNode.open(cluster.address, join(place.path, name), open());
    t.after(() => opened.close());
    return opened;
  };
  const [leader, follower, late] = [await node('one'), await node('two'), await node('three')];
  const source = join(place.path, 'source.db');
  copyFileSync(await catalogueFile(), source);
  await publishFirst(leader.publisher(await seizeLease(cluster, 'one')), source);
  assert.deepEqual(await cluster.query('SELECT name FROM publication_objects'), []);
  await leader.follower.step();
  await follower.follower.step();
  assert.equal(follower.digest(), leader.digest());
  const [key, { content: whole }] = [...storage.objects][0] as [string, { content: Buffer }];
  const damaged = Buffer.from(whole);
  damaged[1_000] = (damaged[1_000] as number) ^ 1;
  storage.objects.set(key, { content: damaged, storedMs: Date.now() });
  await assert.rejects(late.follower.step(), /cannot be fetched whole/);
  assert.match(String(late.problems[0]), /missing or damaged/);
  assert.equal(late.slots.serving, null);
  storage.objects.set(key, { content: whole, storedMs: Date.now() });
  await late.follower.step();
  assert.equal(late.digest(), leader.digest());
});
