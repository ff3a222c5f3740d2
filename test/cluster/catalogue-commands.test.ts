/** Commands of the catalogue with `--cluster`: none reads or changes a local file that the cluster does not serve. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import Database from 'better-sqlite3';
import { clusterModeOf } from '../../src/cli/cluster/modes.ts';
import { leavesOf, pathOf } from '../../src/cli/cluster/run.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { folder, run } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';

const place = folder();
let env: Record<string, string>;

const feed = [
  { kind: 'artist', external_id: 'a1', name: 'Ana Test' },
  { kind: 'artist', external_id: 'a2', name: 'Ana Tests' },
  { kind: 'artist', external_id: 'a3', name: 'Bela Example' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

before(async () => {
  writeFileSync(join(place, 'feed.ndjson'), `${feed}\n`);
  const made = await run(['import', 'feed.ndjson', '--source', 'club', '--data', 'one.db'], { cwd: place });
  assert.equal(made.status, 0, made.stderr);
});
const server = usePostgres(async () => {
  env = { CRATEBASE_CLUSTER: clusterUrl(await server.createDatabase()) };
  await json(['cluster', 'init', '--from', 'one.db']);
});

const attempt = (args: string[], input = '') => run(args, { cwd: place, env, input });
async function json<T>(args: string[], input = ''): Promise<T> {
  const { status, stdout, stderr } = await attempt([...args, '--json'], input);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as T;
}

test('the table says of each command what it does with a cluster', () => {
  const paths = leavesOf(buildProgram()).map(pathOf);
  assert.deepEqual(
    paths.filter((path) => clusterModeOf(path) === undefined),
    [],
  );
});

/** Words with which each command that reads or changes the catalogue would run on a data file. */
const words: Record<string, string> = {
  import: 'feed.ndjson --source other',
  'settings set': 'name=Radio',
  'settings unset': 'name',
  'settings list': '',
  'settings get': 'name',
  'sources add': 'one --type feed --url https://example.org/feed.ndjson',
  'sources set': 'club --trust 60',
  'sources pause': 'club',
  'sources resume': 'club',
  'sources approve': 'club',
  'sources reject': 'club',
  'sources remove': 'club --yes',
  'sources list': '',
  'sources show': 'club',
  'sources preview': 'club',
  'sources runs': 'club',
  'sources rejected': 'club',
  'sources held': 'club',
  sync: '',
  review: '',
  'review decide': 'art_1-art_2 same',
  'review undo': '1',
  merge: 'artists/ana-test artists/ana-tests',
  split: 'artists/ana-test',
  'never-merge': 'artists/ana-test artists/ana-tests',
  hide: 'artists/ana-test',
  unhide: 'artists/ana-test',
  delete: 'artists/ana-test --yes',
  undelete: 'artists/ana-test',
  forget: 'artists/ana-test --name keep --yes',
  'samples remove': '--yes',
  edit: 'artists/ana-test name=Anna',
  add: 'artist --name Cleo',
  undo: '1',
  duplicates: '',
  explain: 'artists/ana-test',
  removed: '',
  history: 'artists/ana-test',
  audit: '',
  search: 'ana',
  show: 'artist ana-test',
  stats: '',
  export: '',
  verify: '',
  restore: 'one.db',
  mcp: '',
};

test('while the cluster is away, no command uses a local file instead', async () => {
  const paths = leavesOf(buildProgram())
    .map(pathOf)
    .filter((path) => clusterModeOf(path) !== 'own');
  assert.deepEqual(Object.keys(words).sort(), paths.sort());
  const digest = () => hash('sha256', readFileSync(join(place, 'cratebase.db')));
  const local = await run(['import', 'feed.ndjson', '--source', 'club'], { cwd: place });
  assert.equal(local.status, 0);
  const before = digest();
  const temporary = folder();
  for (const path of paths) {
    const args = [...path.split(' '), ...(words[path] as string).split(' ').filter(Boolean)];
    const away = { CRATEBASE_CLUSTER: 'postgres://a@127.0.0.1:9/m', TMPDIR: temporary };
    const { status, stdout, stderr } = await run(args, { cwd: place, env: away });
    assert.notEqual(status, 0, path);
    assert.equal(stdout, '', path);
    assert.match(stderr, /The cluster cannot be used: .*ECONNREFUSED|does not work with a cluster/, path);
  }
  assert.equal(digest(), before);
  assert.deepEqual(
    readdirSync(temporary).filter((name) => name.startsWith('cratebase-cluster-')),
    [],
  );
  assert.deepEqual(
    readdirSync(place).filter((name) => /^\.cratebase|commands/.test(name)),
    [],
  );
});

const head = async (): Promise<number> =>
  (await json<{ catalogue: { head: number } }>(['cluster', 'status'])).catalogue.head;

test('changes are published, and reading commands show them', { skip }, async () => {
  const lines = `${JSON.stringify({ kind: 'artist', external_id: 'n1', name: 'New Person' })}\n`;
  const local = ['one.db', 'feed.ndjson', 'cratebase.db'].filter((name) => existsSync(join(place, name)));
  const imported = await attempt(['import', '-', '--source', 'radio', '--json'], lines);
  assert.equal(imported.status, 0, imported.stderr);
  assert.equal((JSON.parse(imported.stdout) as { source: string }).source, 'radio');
  assert.match(imported.stderr, /published as number 2/);
  assert.equal((await json<{ name: string }>(['show', 'artist', 'new-person'])).name, 'New Person');
  const dry = await attempt(['import', '-', '--source', 'dry', '--dry-run'], lines.replace('New', 'Other'));
  assert.match(dry.stdout, /other-person|Other Person/);
  assert.doesNotMatch(dry.stderr, /published/);

  await json(['merge', 'artists/ana-test', 'artists/ana-tests']);
  await json(['settings', 'set', 'name=Radio Test']);
  await json(['hide', 'artists/bela-example']);
  assert.equal(await head(), 5);
  const names = (await json<{ data: { slug: string }[] }>(['search', 'ana'])).data;
  assert.equal(names.length, 1);
  const { data } = await json<{ data: { action: string }[] }>(['audit']);
  assert.ok(
    ['cluster.init', 'record.merge', 'record.hide'].every((one) => data.some(({ action }) => action === one)),
  );
  const usage = await attempt(['hide']);
  assert.equal(usage.status, 2);
  const partly = await attempt(['import', '-', '--source', 'radio', '--json'], 'no line\n');
  assert.equal(partly.status, 1);
  const before = await head();

  // In a folder that stays, with another command at the same time.
  const [one, two] = await Promise.all([
    attempt(['hide', 'artists/new-person', '--data', 'n1']),
    attempt(['sources', 'set', 'club', '--trust', '61', '--data', 'n2']),
  ]);
  assert.deepEqual([one.status, two.status], [0, 0], one.stderr + two.stderr);
  assert.equal(await head(), before + 2);
  assert.ok(existsSync(join(place, 'n1', 'commands', 'slot.json')));
  const file = await attempt(['stats', '--data', 'one.db']);
  assert.match(file.stderr, /names the file one.db, which the cluster does not serve/);
  assert.deepEqual(
    ['one.db', 'feed.ndjson', 'cratebase.db'].filter((name) => existsSync(join(place, name))),
    local,
  );
});

test('the command that undoes a change names the cluster as it was named, and no file of this process', {
  skip,
}, async () => {
  const { stdout } = await attempt(['edit', 'artist/ana-test', 'country=DE']);
  const undo = /^undo +cratebase (undo \d+)$/m.exec(stdout)?.[1];
  assert.ok(undo, stdout);
  const undone = await attempt(undo.split(' '));
  assert.match(undone.stdout, /^redo +cratebase undo \d+$/m);
  const address = env.CRATEBASE_CLUSTER as string;
  const words = ['edit', 'artist/ana-test', 'country=FR', '--cluster', address, '--data', 'n1'];
  const named = await run(words, { cwd: place });
  const line = /^undo +(.*)$/m.exec(named.stdout)?.[1];
  assert.match(line ?? named.stderr, /^cratebase undo \d+ --cluster \S+ --data n1$/);
  assert.ok(line?.includes(address));
});

test('what is forgotten stays forgotten on the way back', { skip }, async () => {
  const lines = `${JSON.stringify({ kind: 'artist', external_id: 'f1', name: 'Forgotten Person' })}\n`;
  await json(['import', '-', '--source', 'radio'], lines);
  await json(['forget', 'artists/forgotten-person', '--name', 'remove', '--yes']);
  const again = await json<{ kinds: Record<string, { created: number }> }>(
    ['import', '-', '--source', 'other'],
    lines,
  );
  assert.equal(again.kinds.artist?.created ?? 0, 0);
  await json(['backup', 'back.db']);
  const alone = await run(['import', '-', '--source', 'third', '--data', 'back.db'], {
    cwd: place,
    input: lines,
  });
  assert.doesNotMatch(alone.stdout, /created/);
  const shown = await run(['show', 'artist', 'forgotten-person', '--data', 'back.db'], { cwd: place });
  assert.equal(shown.status, 1);
  const sqlite = new Database(join(place, 'back.db'), { readonly: true });
  assert.equal(sqlite.prepare("SELECT count(*) FROM settings WHERE key = 'cursor_key'").pluck().get(), 1);
  sqlite.close();
});
