/** Files and folders that the user of the executable may not write. For the superuser, another user runs it. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { png } from '../media/images.ts';
import { executable, reasonToSkip } from '../support/executable.ts';
import { type Ended, folder, report, run, type Service, serve, start, stop } from './fault-table.ts';
import { feed } from './feeds.ts';

const file = 'test/faults/rights.test.ts';
const skip = reasonToSkip() || (process.platform === 'win32' ? 'Windows has other rights' : false);
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
const cwd = folder();
const at = (name: string): string => join(cwd, name);
/** A copy in a folder that everybody can open. */
const program = at('cratebase');
const env = { CRATEBASE_NATIVES: at('natives') };
const options = { cwd, program, user, env };
const command = (line: string, given = {}) => start(line.split(' '), { ...options, ...given }).ended;

/** Gives files and folders to the user that runs the executable. */
function give(...names: string[]): void {
  for (const name of names) if (user !== null) chownSync(at(name), user.uid, user.gid);
}

/** Makes a folder with a data file. */
function makePlace(name: string): void {
  mkdirSync(at(name));
  copyFileSync(at('whole.db'), at(`${name}/music.db`));
  give(name, `${name}/music.db`);
}

/** A message in one line that says what to do, and no stack. */
function assertAdvice({ status, stderr }: Ended, expected: RegExp, line: string): void {
  assert.equal(status, 1, `${line}: ${stderr}`);
  assert.match(stderr, expected, line);
  assert.match(stderr, /^cratebase: [^\n]*\n$/, line);
  assert.doesNotMatch(stderr, /unexpected|\n +at /, line);
}

const reading = [
  'search performer',
  'show artist performer-1',
  'stats',
  'verify',
  'export',
  'explain artist/performer-1',
  'history performer-1',
  'sources list',
  'accounts list',
];
const writing = [
  'import b.ndjson --source bravo',
  'sync',
  'edit performer-1 country=FR',
  'accounts create ada@music.example',
  'serve --port 0',
];

describe('rights', { skip }, () => {
  const answers: string[] = [];

  before(async () => {
    chmodSync(cwd, 0o755);
    try {
      linkSync(executable, program);
    } catch {
      copyFileSync(executable, program);
    }
    mkdirSync(at('natives'));
    give('.', 'natives');
    writeFileSync(at('a.ndjson'), feed('alpha', 50));
    writeFileSync(at('b.ndjson'), feed('bravo', 50));
    await run(['import', 'a.ndjson', '--source', 'alpha', '--data', 'whole.db'], options);
    for (const line of reading) {
      const { status, stdout, stderr } = await command(`${line} --json --data whole.db`);
      assert.equal(status, 0, `${line}: ${stderr}`);
      answers.push(stdout);
    }
  });

  const faults: Record<string, (name: string) => void> = {
    'a data file that may not be written': (name) => chmodSync(at(`${name}/music.db`), 0o444),
    'a data file in a folder that may not be written': (name) => {
      if (user !== null) chownSync(at(name), 0, 0);
      chmodSync(at(name), 0o555);
    },
  };
  for (const [index, [fault, close]] of Object.entries(faults).entries())
    test(`${fault} is read, and commands that write say what to do`, async (t) => {
      const name = `closed${index}`;
      makePlace(name);
      close(name);
      t.after(() => chmodSync(at(name), 0o755));
      const data = `--data ${name}/music.db`;
      const content = readFileSync(at(`${name}/music.db`));
      for (const [question, line] of reading.entries()) {
        const { status, stdout, stderr } = await command(`${line} --json ${data}`);
        assert.equal(status, 0, `${line}: ${stderr}`);
        assert.equal(stdout, answers[question], line);
      }
      for (const line of writing)
        assertAdvice(
          await command(`${line} ${data}`),
          /closed\d.* cannot be written by this user\..*chown.*chmod u\+w/,
          line,
        );
      assert.equal((await command(`backup copy${index}.db ${data}`)).status, 0);
      const doctor = await command(`doctor ${data} --port 9`);
      assert.match(doctor.stdout, /FAILED +data file: .*closed\d.* cannot be written by this user.*chown/);
      assert.deepEqual(readdirSync(at(name)), ['music.db']);
      assert.deepEqual(readFileSync(at(`${name}/music.db`)), content);
      report({
        fault,
        tried: reading.length + writing.length + 2,
        outcome: 'commands that read answer as before; others say who may write; not a byte changes',
        test: file,
      });
    });

  test('a data file that may not be read is named', async () => {
    makePlace('secret');
    chmodSync(at('secret/music.db'), 0o200);
    for (const line of ['search performer', 'stats', 'serve --port 0', 'import b.ndjson --source bravo'])
      assertAdvice(
        await command(`${line} --data secret/music.db`),
        /secret\/music\.db cannot be read by this user\..*chown/,
        line,
      );
    mkdirSync(at('locked'));
    give('locked');
    chmodSync(at('locked'), 0o000);
    for (const line of ['search performer', 'serve --port 0'])
      assertAdvice(
        await command(`${line} --data locked/music.db`),
        /The folder locked cannot be opened by this user\..*chown/,
        line,
      );
    chmodSync(at('locked'), 0o755);
  });

  test('a backup folder that may not be written is reported, and the service goes on', async (t) => {
    makePlace('kept');
    mkdirSync(at('kept/backups'));
    give('kept/backups');
    chmodSync(at('kept/backups'), 0o555);
    assertAdvice(
      await command('backup kept/backups/one.db --data kept/music.db'),
      /kept\/backups\/one\.db cannot be written by this user\. Let this user write in its folder/,
      'backup',
    );
    const served = await serve(['--data', 'kept/music.db', '--backup-dir', 'kept/backups'], options);
    t.after(() => stop(served));
    const line = await logged(served, 'the backup failed');
    assert.match(String(line.error), /kept\/backups cannot be written by this user\. Let this user write/);
    assert.equal(line.stack, undefined);
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    assert.deepEqual(readdirSync(at('kept/backups')), []);
    report({
      fault: 'a backup folder that may not be written',
      tried: 2,
      outcome: 'the command fails with advice, the service logs it and goes on',
      test: file,
    });
  });

  test('a media folder that may not be written is reported, and covers are drawn', async (t) => {
    makePlace('shown');
    mkdirSync(at('shown/media'));
    give('shown/media');
    chmodSync(at('shown/media'), 0o555);
    const picture = png(400, 300, [200, 20, 20]);
    const pictures = createServer((_request, response) => {
      response.setHeader('content-type', 'image/png').end(picture);
    });
    await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
    t.after(() => pictures.close());
    const { port } = pictures.address() as AddressInfo;
    const artist = {
      kind: 'artist',
      external_id: 'ann',
      name: 'Ann Example',
      image_url: `http://127.0.0.1:${port}/ann.png`,
    };
    writeFileSync(at('ann.ndjson'), JSON.stringify(artist));
    await run(['import', 'ann.ndjson', '--source', 'alpha', '--data', 'shown/music.db'], options);
    const served = await serve(
      ['--data', 'shown/music.db', '--media-dir', 'shown/media', '--fetch-allow', '127.0.0.0/8'],
      options,
    );
    t.after(() => stop(served));
    const page = await (await fetch(`${served.url}/artists/ann-example`)).text();
    const [path] = /\/media\/[^" ,]+/.exec(page) ?? [];
    const answer = await fetch(`${served.url}${path}`);
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type')],
      [200, 'image/svg+xml; charset=utf-8'],
    );
    const line = await logged(served, 'a picture could not be stored');
    assert.match(String(line.error), /EACCES/);
    assert.match(String(line.advice), /give the folder of --media-dir to the user that runs cratebase/);
    assert.equal(line.stack, undefined);
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    assert.deepEqual(readdirSync(at('shown/media')), []);
    report({
      fault: 'a media folder that may not be written',
      tried: 1,
      outcome: 'a drawn cover is shown, and the log says what to do',
      test: file,
    });
  });

  test('a home folder that may not be written is not needed', async () => {
    makePlace('away');
    mkdirSync(at('away/home'));
    chmodSync(at('away/home'), 0o555);
    const home = { HOME: at('away/home'), XDG_CACHE_HOME: at('away/home/cache') };
    // The executable looks for a folder itself.
    const given = { env: { ...home, CRATEBASE_NATIVES: '' } };
    const lines = ['search performer', 'show artist performer-1', 'stats', 'export', 'verify'];
    lines.push('import b.ndjson --source bravo', 'backup away.db');
    for (const line of lines) {
      const { status, stderr } = await command(`${line} --data away/music.db`, given);
      assert.equal(status, 0, `${line}: ${stderr}`);
    }
    const served = await serve(['--data', 'away/music.db'], { ...options, ...given });
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    await stop(served);
    assert.deepEqual(readdirSync(at('away/home')), []);
    report({
      fault: 'a home folder that may not be written',
      tried: lines.length + 1,
      outcome: 'nothing is missing',
      test: file,
    });
  });

  after(() => {
    for (const name of ['kept/backups', 'shown/media', 'away/home']) chmodSync(at(name), 0o755);
  });
});

/** Waits for a line of the log. */
async function logged(served: Service, message: string): Promise<Record<string, unknown>> {
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(50)) {
    const line = served
      .stderr()
      .split('\n')
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find((one) => one.message === message);
    if (line !== undefined) return line;
  }
  throw new Error(`no line "${message}": ${served.stderr()}`);
}
