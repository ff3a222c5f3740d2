/** What is said about errors of a cluster: each names the part that failed, and what to do. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readClusterState } from '../../src/app/cluster.ts';
import { withAdvice } from '../../src/app/cluster-advice.ts';
import { isClusterAway } from '../../src/app/cluster-away.ts';
import { openNodeFolder } from '../../src/cluster/publication/catalogue-node.ts';
import { type ChangeRefusal, ChangeRefused } from '../../src/cluster/publication/refusals.ts';
import { OlderNodes } from '../../src/cluster/publication/upgraded-copies.ts';
import { Failure } from '../../src/failure.ts';
import { messagesOf } from '../../src/pages/messages/messages.ts';
import { JobFailure } from '../../src/thread-jobs.ts';

async function failureOf(work: () => Promise<unknown>): Promise<Failure> {
  try {
    await withAdvice(work);
  } catch (failure) {
    assert.ok(failure instanceof Failure, String(failure));
    return failure;
  }
  throw new Error('it did not fail');
}
const fail = (message: string, fields: object = {}) =>
  failureOf(() => Promise.reject(Object.assign(new Error(message), fields)));

test('a PostgreSQL without TLS is named, with what to do', async (t) => {
  // PostgreSQL with ssl = off answers the request for TLS with N.
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write('N'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, user: 'ada', database: 'music', tls: {} };
  const failure = await failureOf(() => readClusterState(address));
  assert.match(
    failure.message,
    /does not support SSL connections\. Set ssl = on in postgresql\.conf.*socket/,
  );
  assert.equal(isClusterAway(failure), false);
});

test('a PostgreSQL that does not answer is away; one that refuses is not', async () => {
  const absent = { host: '/nonexistent', user: 'ada', database: 'music' };
  const away = await failureOf(() => readClusterState(absent));
  assert.match(away.message, /^The cluster cannot be used: .*ENOENT.*Check that PostgreSQL runs/);
  assert.equal(isClusterAway(away), true);
  assert.equal(isClusterAway(await fail('Connection terminated unexpectedly')), true);
  assert.equal(
    isClusterAway(await fail('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })),
    false,
  );
});

test('errors of the folder of a node do not blame PostgreSQL', async () => {
  const path = '/var/lib/cratebase/a.db';
  const cases: [failure: Failure, says: RegExp][] = [
    [
      await fail('EACCES: permission denied, open', { code: 'EACCES', syscall: 'open', path }),
      /right to read and write/,
    ],
    [
      await fail('ENOSPC: no space left on device, write', { code: 'ENOSPC', syscall: 'write' }),
      /Make room on the disk/,
    ],
    [
      await fail('EROFS: read-only file system, mkdir', { code: 'EROFS', syscall: 'mkdir', path }),
      /Name a folder/,
    ],
    [
      await failureOf(() => Promise.reject(new JobFailure('ENOSPC: no space left on device, write'))),
      /Make room/,
    ],
  ];
  for (const [failure, says] of cases) {
    assert.match(failure.message, /^The folder of the node cannot be used: /);
    assert.match(failure.message, says);
    assert.doesNotMatch(failure.message, /PostgreSQL/);
  }
});

test('a folder below a file says so', async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'cratebase-errors-'));
  t.after(() => rmSync(place, { recursive: true }));
  mkdirSync(join(place, 'sub'));
  writeFileSync(join(place, 'sub', 'file'), '');
  const failure = await failureOf(() => openNodeFolder({ folder: join(place, 'sub', 'file', 'node') }));
  assert.match(failure.message, /^The folder of the node cannot be used: ENOTDIR.*Name a folder with --data/);
});

test('a mistake of the program is not described as one of the operator', async () => {
  await assert.rejects(
    withAdvice(() => Promise.reject(new TypeError('x is not a function'))),
    TypeError,
  );
});

test('the console says in each language why a change of the catalogue is refused', () => {
  const codes: ChangeRefusal[] = ['lease_taken', 'lease_lost', 'older_nodes'];
  assert.ok(new OlderNodes(1) instanceof ChangeRefused);
  assert.equal(new OlderNodes(1).details.code, 'older_nodes');
  for (const code of codes) {
    const [english, german] = (['en', 'de'] as const).map(
      (one) => messagesOf(one).consoleRefusals.texts[code],
    );
    assert.match(String(english), /catalogue|changes are made/);
    assert.match(String(german), /Katalog|Änderung/);
  }
});
