/** dist/cratebase as someone meets it who has nothing but that file. Needs `npm run build`; skipped without. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jpeg } from '../media/images.ts';
import { executable as program, reasonToSkip } from '../support/executable.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
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

  it('finds a file that its user cannot write', {
    skip: isRoot ? false : 'only root can become another user',
  }, () => {
    const folder = join(place, 'unwritable');
    const data = join(folder, 'theirs.db');
    mkdirSync(folder);
    assert.equal(run(makeFile(data)).status, 0);
    const doctor = (): string => {
      chmodSync(folder, 0o755);
      chmodSync(data, 0o644);
      const { status, stdout } = run(['doctor', '--data', data, '--port', '9'], { uid: nobody });
      assert.equal(status, 1);
      return stdout;
    };
    assert.match(
      doctor(),
      /^FAILED +data file: \S+theirs\.db and \S+unwritable cannot be written by this user\./m,
    );
    chownSync(data, nobody, nobody);
    assert.match(doctor(), /^FAILED +data file: \S+unwritable cannot be written by this user\./m);
  });

  it('says where it failed without the paths of the machine that built it', () => {
    const failed = run(['import', 'missing.ndjson', '--source', 'a', '--data', join(place, 'any.db')], {
      env: { CRATEBASE_DEBUG: '1' },
    });
    assert.equal(failed.status, 1);
    const frames = failed.stderr.split('\n').filter((line) => /^\s+at /.test(line));
    assert.ok(frames.length > 1, failed.stderr);
    for (const frame of frames)
      assert.match(frame, /[( ](?:(?:[\w-]+\.js|node:[\w/]+):\d+:\d+|<anonymous>)\)?$/);
    // Nor do they stand anywhere else in it.
    assert.ok(!readFileSync(program).includes(join(root, 'node_modules')));
  });

  it('looks after the data file in a thread of its own', async () => {
    const data = join(place, 'served.db');
    const args = ['serve', '--empty', '--port', '0', '--data', data, '--workers', '2'];
    const child = spawn(copy, args, { cwd: empty, env: {}, stdio: 'pipe' });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const until = async (isDone: () => boolean) => {
      for (let tries = 0; tries < 200 && !isDone(); tries++) await delay(50);
      assert.ok(isDone(), stderr);
    };
    try {
      await until(() => /listening on \S+\n/.test(stdout));
      renameSync(data, `${data}.away`);
      await until(() => stderr.includes('The data file is gone.'));
      renameSync(`${data}.away`, data);
      await until(() => stderr.includes('the data file is there again'));
      assert.doesNotMatch(stderr, /without a thread/);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null], stderr);
    }
  });

  it('knows the places of the world', () => {
    const found = run(['places', 'münch', '--json']);
    assert.equal(found.status, 0, found.stderr);
    const [munich] = (JSON.parse(found.stdout) as { data: { name: string; timezone: string }[] }).data;
    assert.deepEqual([munich?.name, munich?.timezone], ['Munich', 'Europe/Berlin']);
    const data = join(place, 'towns.db');
    const venue = { name: 'Club', city: 'Manching', country: 'DE' };
    const event = { kind: 'event', external_id: '1', name: 'Night', start_at: '2030-06-01T23:00', venue };
    const feed = join(place, 'towns.ndjson');
    writeFileSync(feed, JSON.stringify(event));
    const imported = run(['import', feed, '--source', 'club', '--data', data]);
    assert.equal(imported.status, 0, imported.stderr);
    const city = run(['show', 'city', 'manching', '--data', data, '--json']);
    assert.equal((JSON.parse(city.stdout) as { timezone: string }).timezone, 'Europe/Berlin');
  });

  it('converts pictures and draws maps', async () => {
    const photo = await jpeg(400, 300);
    const pictures = createServer((_, response) => response.end(photo));
    await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
    const { port } = pictures.address() as AddressInfo;
    const data = join(place, 'pictures.db');
    const feed = join(place, 'pictures.ndjson');
    writeFileSync(
      feed,
      JSON.stringify({
        ...{ kind: 'artist', external_id: 'a', name: 'Ana' },
        image_url: `http://127.0.0.1:${port}/a.jpg`,
      }),
    );
    assert.equal(run(['import', feed, '--source', 'club', '--data', data]).status, 0);
    const more = ['--dev', '--json', '--no-sync', '--port', '0', '--fetch-allow', '127.0.0.1'];
    const service = spawn(copy, ['serve', '--data', data, ...more], { cwd: empty, env: {} });
    try {
      const [first] = (await once(service.stdout, 'data')) as [Buffer];
      const { url } = JSON.parse(first.toString()) as { url: string };
      const page = await (await fetch(`${url}/artists/ana`)).text();
      const path = /src="(\/media\/art_[^"]+)"/.exec(page)?.[1];
      let type: string | null = '';
      for (let left = 40; type !== 'image/webp' && left > 0; left -= 1) {
        const response = await fetch(url + path);
        type = response.headers.get('content-type');
        await response.arrayBuffer();
        if (type !== 'image/webp') await delay(250);
      }
      assert.equal(type, 'image/webp');
      const map = await (await fetch(`${url}/media/map/1-52.51,13.44-city.svg`)).text();
      assert.match(map, />Potsdam<\/text>/);
    } finally {
      const ended = once(service, 'exit');
      service.kill('SIGTERM');
      await ended;
      pictures.closeAllConnections();
      pictures.close();
    }
  });

  it('says in one line that it cannot unpack its natives', () => {
    const failed = run(makeFile(join(place, 'any.db')), { env: { CRATEBASE_NATIVES: join(copy, 'folder') } });
    assertOneLine(failed, 1);
    assert.match(failed.stderr, /CRATEBASE_NATIVES/);
  });

  it('has the licences of all that is in it', () => {
    const { status, stdout, stderr } = run(['licenses']);
    assert.equal(status, 0, stderr);
    assert.equal(stdout, readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8'));
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(dependencies))
      assert.ok(stdout.includes(`\n${name} ${version} (`), name);
    assert.match(stdout, /^Node\.js \d+\.\d+\.\d+ \(MIT/m);
    assert.match(stdout, /Copyright Node\.js contributors/);
    assert.doesNotMatch(stdout, /registry\.|\(undefined\)/);
  });

  it('has a bill of materials that names what is in it', () => {
    const bill = JSON.parse(readFileSync(`${program.replace(/\.exe$/, '')}.cdx.json`, 'utf8')) as {
      specVersion: string;
      metadata: { component: { name: string; version: string; hashes: { alg: string; content: string }[] } };
      components: { purl?: string; name: string; licenses: object[]; hashes?: object[] }[];
    };
    assert.equal(bill.specVersion, '1.6');
    const { component } = bill.metadata;
    assert.deepEqual([component.name, component.version], ['cratebase', version]);
    const sha256 = createHash('sha256').update(readFileSync(program)).digest('hex');
    assert.deepEqual(component.hashes, [{ alg: 'SHA-256', content: sha256 }]);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(dependencies)) {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      const part = bill.components.find((one) => one.purl === purl);
      assert.ok(part, purl);
      assert.equal(part.licenses.length, 1);
      assert.equal(part.hashes?.length, 1, `${purl} has no digest`);
    }
    for (const name of ['Node.js', 'SQLite', 'GeoNames', 'Natural Earth'])
      assert.ok(bill.components.some((part) => part.name === name));
  });

  it('ends with 2 and one line when it is used wrongly', () => {
    for (const args of [['no-such-command'], ['--no-such-option'], ['serve', '--port', 'many']])
      assertOneLine(run(args), 2);
  });
});

describe('the notices of an executable', () => {
  type Notices = {
    packageFolders(root: string, paths: string[]): string[];
    readPackage(folder: string): object;
    writeNotices(parts: object[]): string;
  };
  const place = mkdtempSync(join(tmpdir(), 'cratebase-notices-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const lay = (name: string, manifest: object, files: Record<string, string> = {}): string => {
    const folder = join(place, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return folder;
  };

  it('name each package once, with its texts', async () => {
    const { packageFolders, readPackage, writeNotices } = (await import(
      `${root}bin/build-notices.mjs`
    )) as Notices;
    lay('one', { license: 'X' }, { LICENSE: 'Do as you like.', NOTICE: 'Made by us.' });
    lay('@scope/two', { license: 'MIT', author: 'Ada <ada@example.com>' });
    mkdirSync(join(place, 'node_modules/one/dist/esm'), { recursive: true });
    writeFileSync(join(place, 'node_modules/one/dist/esm/package.json'), '{"type":"module"}');
    const folders = packageFolders(place, [
      'src/main.ts',
      'node_modules/one/dist/esm/a.js',
      'node_modules/one/b.js',
      'node_modules/@scope/two/index.js',
    ]);
    assert.equal(folders.length, 2);
    const text = writeNotices(folders.map(readPackage));
    assert.match(text, /\none 1\.0\.0 \(X\)\n=+\n\nDo as you like\.\n\nMade by us\.\n/);
    assert.match(text, /\n@scope\/two 1\.0\.0 \(MIT\)\n=+\n\nThe MIT License\n\nCopyright \(c\) Ada\n/);
  });

  it('cannot be written where a package has no licence', async () => {
    const { readPackage } = (await import(`${root}bin/build-notices.mjs`)) as Notices;
    assert.throws(() => readPackage(lay('none', {})), /none@1\.0\.0 has no licence/);
    const own = lay('own', { license: 'SEE LICENSE IN terms' });
    assert.throws(() => readPackage(own), /own@1\.0\.0 has no licence that could be passed on \(SEE/);
    const unnamed = lay('unnamed', {}, { LICENSE: 'Some text.' });
    assert.throws(() => readPackage(unnamed), /unnamed@1\.0\.0 does not name its licence/);
  });
});

function assertOneLine({ status, stdout, stderr }: SpawnSyncReturns<string>, expected: number): void {
  assert.equal(status, expected, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^[^\n]+\n$/);
  assert.doesNotMatch(stderr, /^\s+at /m);
}
