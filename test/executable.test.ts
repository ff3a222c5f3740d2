/** dist/cratebase as someone meets it who has nothing but that file. Needs `npm run build`; skipped without. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const program = join(root, 'dist', process.platform === 'win32' ? 'cratebase.exe' : 'cratebase');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const isRoot = process.geteuid?.() === 0;
const nobody = 65534;

describe('the executable', { skip: reasonToSkip() }, () => {
  let place: string;
  let copy: string;
  let empty: string;
  before(() => {
    place = mkdtempSync(join(tmpdir(), 'cratebase-executable-'));
    copy = join(place, basename(program));
    empty = join(place, 'empty');
    // The repository may lie where other users cannot look.
    copyFileSync(program, copy, constants.COPYFILE_FICLONE);
    mkdirSync(empty);
    for (const path of [place, copy, empty]) chmodSync(path, 0o755);
  });
  after(() => rmSync(place, { recursive: true, force: true }));

  type Situation = { env?: Record<string, string>; uid?: number };
  const run = (args: string[], { env = {}, uid }: Situation = {}): SpawnSyncReturns<string> =>
    spawnSync(copy, args, {
      cwd: empty,
      env,
      input: '',
      encoding: 'utf8',
      timeout: 20_000,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
  /** A feed without a line makes a data file, and so needs SQLite. */
  const makeFile = (path: string): string[] => ['import', '-', '--source', 'none', '--data', path, '--json'];

  it('prints its version from an empty folder, with an empty environment', () => {
    const { status, stdout, stderr } = run(['--version']);
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${version}\n`, stderr: '' });
    assert.deepEqual(readdirSync(empty), []);
  });

  it('runs for a user without a home', { skip: isRoot ? false : 'only root can become another user' }, () => {
    const data = join(place, 'nobody');
    mkdirSync(data);
    chmodSync(data, 0o777);
    for (const [name, env] of Object.entries({ nonexistent: { HOME: '/nonexistent' }, unset: {} })) {
      assert.equal(run(['--version'], { env, uid: nobody }).stdout, `${version}\n`);
      const { status, stderr } = run(makeFile(join(data, `${name}.db`)), { env, uid: nobody });
      assert.equal(status, 0, stderr);
    }
  });

  it('says in one line that it cannot unpack its natives', () => {
    const failed = run(makeFile(join(place, 'any.db')), { env: { CRATEBASE_NATIVES: join(copy, 'folder') } });
    assertOneLine(failed, 1);
    assert.match(failed.stderr, /CRATEBASE_NATIVES/);
  });

  it('ends with 2 and one line when it is used wrongly', () => {
    for (const args of [['no-such-command'], ['--no-such-option'], ['serve', '--port', 'many']])
      assertOneLine(run(args), 2);
  });
});

function assertOneLine({ status, stdout, stderr }: SpawnSyncReturns<string>, expected: number): void {
  assert.equal(status, expected, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^[^\n]+\n$/);
  assert.doesNotMatch(stderr, /^\s+at /m);
}

/** Building takes seconds, so it is left to `npm run build`; an old executable would tell nothing about the source. */
function reasonToSkip(): string | false {
  const built = statSync(program, { throwIfNoEntry: false });
  if (!built) return 'dist/cratebase is missing: npm run build';
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const newer = sources.find((name) => {
    const entry = statSync(join(root, 'src', name));
    return entry.isFile() && entry.mtimeMs > built.mtimeMs;
  });
  return newer === undefined ? false : `dist/cratebase is older than src/${newer}: npm run build`;
}
