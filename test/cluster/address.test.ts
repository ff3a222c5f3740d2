/** Addresses of a cluster: which are accepted, and that TLS is demanded. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseClusterAddress } from '../../src/cluster/address.ts';
import { readSettings, reportSettings } from '../../src/config.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

test('the parts of an address', () => {
  assert.deepEqual(parseClusterAddress('postgres://ada:p%40ss:word@db.example.org:6432/music'), {
    host: 'db.example.org',
    port: 6432,
    user: 'ada',
    password: 'p@ss:word',
    database: 'music',
    tls: {},
  });
  assert.deepEqual(parseClusterAddress('postgresql://ada@one,[2001:db8::1]:5433/music?sslmode=verify-full'), {
    host: 'one',
    port: 5432,
    others: [{ host: '2001:db8::1', port: 5433 }],
    user: 'ada',
    database: 'music',
    tls: {},
  });
  assert.deepEqual(parseClusterAddress('postgres://ada@/music?host=/run/postgresql&port=5433'), {
    host: '/run/postgresql',
    port: 5433,
    user: 'ada',
    database: 'music',
  });
  for (const port of ['', '0', '65536', 'x', '1e3'])
    assert.throws(() => parseClusterAddress(`postgres://a@/m?host=/run&port=${port}`), /no port/);
  assert.deepEqual(parseClusterAddress('postgres://ada@/music?host=%2Frun%2Fpostgresql'), {
    host: '/run/postgresql',
    user: 'ada',
    database: 'music',
  });
});

test('only servers of this machine may do without TLS', () => {
  for (const host of ['localhost', '127.0.0.1:5432', '127.1.2.3', '[::1]'])
    assert.equal(parseClusterAddress(`postgres://a@${host}/m`).tls, undefined, host);
  assert.deepEqual(parseClusterAddress('postgres://a@localhost/m?sslmode=verify-full').tls, {});
  for (const host of ['10.0.0.1', 'db', 'localhost,db', '127.0.0.1.example.org', 'localhost.example.org'])
    assert.deepEqual(parseClusterAddress(`postgres://a@${host}/m`).tls, {}, host);
  for (const mode of ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'VERIFY-FULL', ''])
    for (const host of ['db', 'localhost,db', 'db,localhost'])
      assert.throws(
        () => parseClusterAddress(`postgres://a@${host}/m?sslmode=${mode}`),
        /must not weaken TLS/,
        mode,
      );
  assert.throws(() => parseClusterAddress('postgres://a@localhost/m?host=db&sslmode=disable'), /weaken/);
});

test('mistakes are named without the address, which may hold a password', () => {
  for (const address of [
    'postgres://a:secret@db/m?ssl=true',
    'postgres://a:secret@db:99999/m',
    'postgres://a:secret@db,/m',
    'postgres://a:secret@/m',
    'postgres://a:secret@db',
    'postgres://:secret@db/m',
    'postgres://a:secret%zz@db/m',
    'postgres://a:secret@db/m/n',
  ])
    assert.throws(
      () => parseClusterAddress(address),
      (failure: Error & { exitStatus?: number }) => {
        assert.match(failure.message, /^The address of the cluster /);
        assert.doesNotMatch(failure.message, /secret/);
        return failure.exitStatus === 2;
      },
      address,
    );
  assert.throws(() => parseClusterAddress('postgres://a@db/m', join(here, 'none.pem')), /--cluster-ca names/);
  assert.throws(
    () => parseClusterAddress('postgres://a@db/m', fileURLToPath(import.meta.url)),
    /no certificate/,
  );
});

test('a password is refused on the command line, and hidden everywhere', () => {
  const url = 'postgres://ada:secret@db/music';
  assert.throws(
    () => readSettings(['cluster'], { cluster: url }, {}),
    /must not contain a password.*CRATEBASE_CLUSTER_FILE/,
  );
  assert.equal(
    readSettings(['cluster'], { cluster: 'postgres://ada@db/music' }, {}).cluster,
    'postgres://ada@db/music',
  );
  assert.throws(
    () => readSettings(['cluster'], { cluster: 'postgres://ada:se/cr@et@db/music' }, {}),
    /password/,
  );
  assert.equal(readSettings(['cluster'], {}, { CRATEBASE_CLUSTER: url }).cluster, url);
  for (const [flags, env] of [
    [{ cluster: url }, {}],
    [{}, { CRATEBASE_CLUSTER: url }],
    [{}, { CRATEBASE_CLUSTER: url.replace('postgres', 'mysql') }],
  ])
    assert.doesNotMatch(
      JSON.stringify(reportSettings(flags as Record<string, string>, env as Record<string, string>)),
      /:secret/,
    );
});
