/** A data file goes into a cluster and comes back: equal accounts and an equal catalogue. Secrets stay in PostgreSQL. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { initCluster } from '../../src/app/cluster-init.ts';
import type { ClusterAddressParts } from '../../src/cluster/address.ts';
import { PublicationDatabase } from '../../src/cluster/publication/database.ts';
import { fetchCatalogue } from '../../src/cluster/publication/fetch-catalogue.ts';
import { PostgresObjects } from '../../src/cluster/publication/objects.ts';
import { folder, run } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile } from '../support/publication.ts';
import { S3Server } from '../support/s3-server.ts';

const place = folder();
const storage = new S3Server();
let key: string;
const email = 'ada.lovelace@example.com';

const server = usePostgres(
  async () => {
    await storage.start();
    copyFileSync(await catalogueFile(), join(place, 'one.db'));
    await json(['accounts', 'create', email, '--data', 'one.db']);
    await json(['accounts', 'create', 'gone@example.com', '--data', 'one.db']);
    ({ key } = await json<{ key: string }>([
      'keys',
      'create',
      email,
      '--name',
      'laptop',
      '--data',
      'one.db',
    ]));
    await json(['accounts', 'set-plan', email, 'premium', '--data', 'one.db']);
    await json(['accounts', 'delete', 'gone@example.com', '--yes', '--data', 'one.db']);
  },
  async () => {
    await storage.stop();
  },
);

async function json<T>(args: string[], env: Record<string, string> = {}): Promise<T> {
  const { status, stdout, stderr } = await run([...args, '--json'], { cwd: place, env });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as T;
}

/** All rows of a data file but those of the settings that a copy may change. */
function contentOf(name: string): Record<string, string> {
  const sqlite = new Database(join(place, name), { readonly: true });
  try {
    const tables = sqlite
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'name_search_%' AND name <> 'settings'",
      )
      .pluck()
      .all() as string[];
    const rowsOf = (table: string) => {
      // Entries of the audit log get other numbers on their way.
      const what =
        table === 'audit_log'
          ? "created_ts, actor, action, subject, details FROM audit_log WHERE subject_kind <> 'cluster'"
          : `* FROM ${table}`;
      const rows = sqlite.prepare(`SELECT ${what}`).raw().all() as unknown[][];
      return rows.map((row) => JSON.stringify(row)).sort();
    };
    return Object.fromEntries(tables.map((table) => [table, hash('sha256', rowsOf(table).join('\n'))]));
  } finally {
    sqlite.close();
  }
}

const secretsOf = (name: string): string[] => {
  const sqlite = new Database(join(place, name), { readonly: true });
  try {
    const columns = [
      'SELECT secret_hash FROM api_keys',
      'SELECT email FROM accounts',
      'SELECT id FROM accounts',
      "SELECT value FROM settings WHERE key = 'cursor_key'",
      "SELECT subject FROM audit_log WHERE subject_kind = 'account'",
    ];
    return columns.flatMap((sql) => sqlite.prepare(sql).pluck().all() as string[]);
  } finally {
    sqlite.close();
  }
};

test('a file goes into a cluster, through S3, and comes back with both halves', { skip }, async () => {
  const env = {
    ...storage.env,
    CRATEBASE_CLUSTER: clusterUrl(await server.createDatabase()),
    CRATEBASE_OBJECTS: 's3://music/radio',
  };
  const made = await json<{ published: { number: number; bytes: number } }>(
    ['cluster', 'init', '--from', 'one.db'],
    env,
  );
  assert.equal(made.published.number, 1);
  assert.ok(
    storage.objects.size > 0 && [...storage.objects.keys()].every((name) => name.startsWith('radio/')),
  );
  const backup = await json<{ accounts: number; revision: number }>(['backup', 'both.db'], env);
  assert.equal(backup.accounts, 1);
  assert.deepEqual(contentOf('both.db'), contentOf('one.db'));
  // The check of a file does not need the cluster, which may be named for all commands.
  for (const named of [{}, env]) {
    const verified = await run(['verify', '--data', 'both.db'], { cwd: place, env: named });
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  }

  mkdirSync(join(place, 'copies'));
  const scheduled = ['backup', '--dir', 'copies', '--keep', '1', '--every', '1h'];
  const { file } = await json<{ file: string }>(scheduled, env);
  assert.deepEqual(contentOf(file.replace(`${place}/`, '')), contentOf('one.db'));
  assert.deepEqual((await json<{ skipped: boolean }>(scheduled, env)).skipped, true);
  const replaced = await json<{ file: string; removed: string[] }>(scheduled.slice(0, 5), env);
  assert.equal(replaced.removed.length, 1);
  assert.equal(readdirSync(join(place, 'copies')).filter((name) => name.endsWith('.db')).length, 1);

  const { data } = await json<{ data: { action: string; subject: string }[] }>(['audit'], env);
  assert.equal(data.find(({ action }) => action === 'cluster.init')?.subject, 'one.db');
  // The copy of a cluster is the beginning of another one.
  const second = { CRATEBASE_CLUSTER: clusterUrl(await server.createDatabase()) };
  await json(['cluster', 'init', '--from', 'both.db'], second);
  const account = await json<{ plan: string }>(['accounts', 'show', email], second);
  assert.equal(account.plan, 'premium');
});

test('the published file has no secret, address or digest of the accounts', { skip }, async () => {
  const address = (await server.createDatabase()) as ClusterAddressParts;
  const secrets = secretsOf('one.db');
  assert.ok(secrets.length >= 5);
  const before = readFileSync(join(place, 'one.db')).toString('latin1');
  assert.ok(secrets.every((secret) => before.includes(secret)));
  await init(address);
  const database = new PublicationDatabase(address);
  const path = join(place, 'published.db');
  const fetched = await fetchCatalogue(database, new PostgresObjects(database), path);
  await database.close();
  assert.equal(fetched.number, 1);
  const published = readFileSync(path).toString('latin1');
  for (const secret of [...secrets, key, 'gone@example.com', '@example.com'])
    assert.ok(!published.includes(secret), secret);
  const sqlite = new Database(path, { readonly: true });
  const tables = [
    'accounts',
    'api_keys',
    'sessions',
    'usage_months',
    'attempts',
    'oauth_items',
    'plan_limits',
  ];
  for (const table of tables) assert.equal(sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0);
  assert.equal(sqlite.pragma('freelist_count', { simple: true }), 0);
  assert.equal(sqlite.prepare('SELECT count(*) FROM events').pluck().get(), 5_000);
  sqlite.close();
});

const init = (address: ClusterAddressParts, onStep?: (step: string) => void) =>
  initCluster({
    address,
    objects: null,
    from: join(place, 'one.db'),
    isEmpty: false,
    actor: 'terminal:test',
    ...(onStep && { onStep }),
  });

test('an init that ends in the middle is repeated; a cluster with other content is refused', {
  skip,
}, async () => {
  const address = (await server.createDatabase()) as ClusterAddressParts;
  const failAt = (expected: string) => (step: string) => {
    if (step === expected) throw new Error(`ended at ${expected}`);
  };
  await assert.rejects(init(address, failAt('stored')), /ended at stored/);
  const again = await init(address);
  assert.equal(again.copied, null);
  assert.equal(again.published?.number, 1);
  const database = new PublicationDatabase(address);
  assert.deepEqual(await database.readHead().then(({ head, next }) => [head, next]), [1, null]);
  await database.close();
  assert.deepEqual(await init(address), { created: false, copied: null, published: null });
  await json(['import', '-', '--source', 'none', '--data', 'blank.db']);
  const other = await run(['cluster', 'init', '--from', 'blank.db'], {
    cwd: place,
    env: { CRATEBASE_CLUSTER: clusterUrl(address) },
  });
  assert.match(other.stderr, /has other accounts already. Name an empty database/);
});

test('a cluster without a data file begins with the starter catalogue, or with none', { skip }, async () => {
  const address = await server.createDatabase();
  const env = { CRATEBASE_CLUSTER: clusterUrl(address), CRATEBASE_OBJECTS: join(place, 'objects') };
  const made = await json<{ copied: object; published: { number: number } }>(
    ['cluster', 'init', '--empty'],
    env,
  );
  assert.deepEqual([made.copied, made.published.number], [{}, 1]);
  assert.ok(readdirSync(join(place, 'objects')).length > 0);
  await json(['backup', 'empty.db'], env);
  const stored = join(place, 'objects', readdirSync(join(place, 'objects'))[0] as string);
  writeFileSync(join(stored, readdirSync(stored)[0] as string), 'damaged');
  const damaged = await run(['backup', 'damaged.db'], { cwd: place, env });
  assert.equal(damaged.status, 1);
  assert.match(damaged.stderr, /cannot be fetched whole/);
  assert.ok(!readdirSync(place).includes('damaged.db'));
});
