/** The place of objects: clusters share one, and a command that names another place is refused. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, run } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { S3Server } from '../support/s3-server.ts';

const place = folder();
const shared = join(place, 'shared');
const storage = new S3Server();

const server = usePostgres(
  async () => {
    await storage.start();
  },
  async () => {
    await storage.stop();
  },
);

type Environment = Record<string, string>;
const attempt = (args: string[], env: Environment, input = '') => run(args, { cwd: place, env, input });
async function json<T>(args: string[], env: Environment, input = ''): Promise<T> {
  const { status, stdout, stderr } = await attempt([...args, '--json'], env, input);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as T;
}

async function createEmpty(objects?: string): Promise<Environment> {
  const env: Environment = { CRATEBASE_CLUSTER: clusterUrl(await server.createDatabase()) };
  if (objects !== undefined) env.CRATEBASE_OBJECTS = objects;
  await json(['cluster', 'init', '--empty'], { ...env, ...storage.env });
  return env;
}

const importArtist = (env: Environment, name: string) =>
  json(
    ['import', '-', '--source', 'club'],
    env,
    `${JSON.stringify({ kind: 'artist', external_id: name, name })}\n`,
  );
const artists = async (env: Environment): Promise<number> =>
  (await json<{ data: unknown[] }>(['search', 'person'], env)).data.length;

/** Makes all objects in the shared folder older than those that are deleted. */
function age(): void {
  const old = new Date(Date.now() - 3 * 86_400_000);
  for (const name of readdirSync(shared, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(shared, name), old, old);
}

test('two clusters share a folder: the retention of one keeps the objects of the other', {
  skip,
}, async () => {
  const [one, two] = [await createEmpty(shared), await createEmpty(shared)];
  assert.equal(readdirSync(shared).length, 2);
  await importArtist(one, 'Person One');
  age();
  await importArtist(two, 'Person Two');
  age();
  await importArtist(one, 'Person Three');
  assert.equal(await artists(one), 2);
  assert.equal(await artists(two), 1);
});

test('a command or node that names another place is refused, and says which one to name', {
  skip,
}, async () => {
  const env = await createEmpty(shared);
  const { CRATEBASE_OBJECTS: _, ...without } = env;
  const lines = `${JSON.stringify({ kind: 'artist', external_id: 'x', name: 'Person X' })}\n`;
  const elsewhere = { ...env, CRATEBASE_OBJECTS: join(place, 'elsewhere') };
  for (const wrong of [without, elsewhere]) {
    for (const args of [
      ['import', '-', '--source', 'club'],
      ['stats'],
      ['backup', 'copy.db'],
      ['cluster', 'init', '--empty'],
      ['serve', '--port', '0', '--data', 'node', '--no-sync'],
    ]) {
      const { status, stderr } = await attempt(args, wrong, lines);
      assert.equal(status, 2, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, /are in the folder .*shared, not in .*Write --objects .*shared/, args.join(' '));
    }
  }
  assert.equal(existsSync(join(place, 'elsewhere')), false);
  const status = await json<{ catalogue: { head: number } }>(['cluster', 'status'], env);
  assert.equal(status.catalogue.head, 1);
  const plain = await createEmpty();
  const { stderr } = await attempt(['stats', '--objects', 'shared'], plain);
  assert.match(stderr, /are in PostgreSQL, not in the folder .*Leave out --objects/);
});

test('a shared folder that is not mounted is not written', { skip }, async () => {
  const mounted = join(place, 'mounted');
  const env = await createEmpty(mounted);
  rmSync(mounted, { recursive: true });
  mkdirSync(mounted);
  const { status, stderr } = await attempt(['stats'], env);
  assert.equal(status, 1);
  assert.match(stderr, /Mount the shared folder/);
  assert.deepEqual(readdirSync(mounted), []);
});

test('objects are moved to a folder, to S3, and back into PostgreSQL', { skip }, async () => {
  const start = await createEmpty();
  await importArtist(start, 'Person One');
  const env: Environment = { ...start, ...storage.env };
  type Moved = { objects: number; copied: number; to: { kind: string; place?: string } };
  // PostgreSQL still has the first two publications when the objects come back.
  for (const [at, target] of [join(place, 'moved'), 's3://music/moved', 'postgresql'].entries()) {
    const moved = await json<Moved>(['cluster', 'objects', target], env);
    assert.ok(moved.objects > 0);
    assert.equal(moved.copied, at === 2 ? 2 : moved.objects, JSON.stringify(moved));
    const former = await attempt(['stats'], env);
    assert.equal(former.status, 2, former.stderr);
    if (moved.to.place === undefined) delete env.CRATEBASE_OBJECTS;
    else env.CRATEBASE_OBJECTS = moved.to.place;
    assert.equal(await artists(env), 1 + at);
    await importArtist(env, `Person ${['Two', 'Three', 'Four'][at]}`);
    assert.equal(await artists(env), 2 + at);
  }
  assert.ok(
    [...storage.objects.keys()].every((key) => /^moved\/cluster-[0-9a-f-]{36}\/[0-9a-f]{64}$/.test(key)),
  );
});

test('objects that are missing are not moved', { skip }, async () => {
  const lost = join(place, 'lost');
  const env = await createEmpty(lost);
  const [id] = readdirSync(lost);
  for (const name of readdirSync(join(lost, id as string))) rmSync(join(lost, id as string, name));
  const { status, stderr } = await attempt(['cluster', 'objects', 'postgresql'], env);
  assert.equal(status, 1);
  assert.match(stderr, /lacks the object [0-9a-f]{64}.*The place of the objects is unchanged/);
});
