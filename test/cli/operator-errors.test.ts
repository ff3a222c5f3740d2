/** Data files that cannot be written, full disks, proxies that lead nowhere: what the operator is told, and by whom. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeCertificate } from '../support/certificate.ts';
import { type Ended, environment, folder, program, run } from '../support/cli-run.ts';

const cwd = folder();
const command = (line: string, input = '') => run(line.split(' '), { cwd, input });
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** For the superuser nothing is closed: what is to be refused runs as somebody else. */
const nobody: { uid: number; gid: number } | null =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** Runs the command as who has no right to everything. */
async function runAsNobody(line: string): Promise<Ended> {
  const args = [program, ...line.split(' ')];
  const child = spawn(process.execPath, args, { cwd, env: environment(), stdio: 'pipe', ...nobody });
  running.add(child);
  const ended = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      ended[name] += text;
      // It was to be refused.
      if (/listening on/.test(text)) child.kill();
    });
  }
  child.stdin.end();
  const [status] = await once(child, 'close');
  running.delete(child);
  return { ...ended, status };
}

type Served = { child: ChildProcess; url: string; key: string; stderr: () => string; stop(): Promise<void> };

async function serve(line: string): Promise<Served> {
  const args = [program, 'serve', '--port', '0', ...line.split(' ')];
  const child = spawn(process.execPath, args, { cwd, env: environment(), stdio: 'pipe' });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  for await (const text of child.stdout) {
    stdout += text;
    if (/listening on http\S+\n/.test(stdout)) break;
  }
  const [, url = ''] = /listening on (\S+)/.exec(stdout) ?? [];
  const [key = ''] = /cb_live_\w+/.exec(stdout) ?? [];
  assert.notEqual(url, '', stderr);
  const stop = async () => {
    const exit = once(child, 'exit');
    child.kill();
    await exit;
    running.delete(child);
  };
  return { child, url, key, stderr: () => stderr, stop };
}

const logged = (served: Served): Record<string, unknown>[] =>
  served
    .stderr()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

type Finding = { check: string; status: string; message: string; advice: string | null };

async function findings(line: string): Promise<string[]> {
  const { stdout } = await command(`doctor --json ${line}`);
  const report = JSON.parse(stdout) as { findings: Finding[] };
  return report.findings.map(
    ({ check, status, message, advice }) => `${status} ${check}: ${message} > ${advice}`,
  );
}

async function says(line: string, expected: RegExp): Promise<void> {
  const found = await findings(line);
  assert.ok(
    found.some((finding) => expected.test(finding)),
    `${expected}\n${found.join('\n')}`,
  );
}

const artist = (id: number) =>
  `${JSON.stringify({ kind: 'artist', external_id: `${id}`, name: `Artist number ${id}` })}\n`;

describe('a file that may not be written', { skip: process.platform === 'win32' }, () => {
  const own = (...names: string[]) => {
    for (const name of names) if (nobody) chownSync(join(cwd, name), nobody.uid, nobody.gid);
  };

  before(async () => {
    chmodSync(dirname(program), 0o755);
    await command('import - --source a --data closed.db');
    copyFileSync(join(cwd, 'closed.db'), join(cwd, 'half.db'));
    own('.', 'closed.db', 'half.db');
  });

  test('is refused, says what to do, and leaves nothing behind', async () => {
    chmodSync(join(cwd, 'closed.db'), 0o444);
    const lines = [
      'serve --port 0 --data closed.db',
      'serve --port 0 --workers 2 --data closed.db',
      'accounts create a@example.com --data closed.db',
      'import - --source a --data closed.db',
    ];
    for (const line of lines) {
      const { status, stderr } = await runAsNobody(line);
      assert.equal(status, 1, line);
      assert.match(stderr, /^cratebase: closed\.db cannot be written by this user\. .*chown.*chmod.*\n$/);
    }
    // What only reads answers.
    for (const line of ['accounts list', 'search berlin', 'verify', 'export']) {
      const { status, stderr } = await runAsNobody(`${line} --data closed.db`);
      assert.equal(status, 0, `${line}: ${stderr}`);
    }
    const { stdout } = await runAsNobody('doctor --data closed.db --port 9');
    assert.match(stdout, /FAILED +data file: closed\.db cannot be written by this user/);
    for (const end of ['-wal', '-shm']) assert.ok(!existsSync(join(cwd, `closed.db${end}`)));
    chmodSync(join(cwd, 'closed.db'), 0o600);
    assert.equal((await runAsNobody('accounts list --data closed.db')).status, 0);
  });

  test('so is one whose log may not be, which is named', async () => {
    writeFileSync(join(cwd, 'half.db-shm'), '');
    own('half.db-shm');
    chmodSync(join(cwd, 'half.db-shm'), 0o444);
    for (const line of ['serve --port 0 --data half.db', 'sources list --data half.db']) {
      const { status, stderr } = await runAsNobody(line);
      assert.equal(status, 1, line);
      assert.match(stderr, /^cratebase: half\.db-shm cannot be written by this user\. .*\n$/);
    }
    const { stdout } = await runAsNobody('doctor --data half.db --port 9');
    assert.match(stdout, /FAILED +data file: half\.db-shm cannot be written by this user/);
  });

  test('a backup that may not be written becomes a data file that may', async () => {
    await command('backup kept.db --data closed.db');
    chmodSync(join(cwd, 'kept.db'), 0o444);
    own('kept.db');
    assert.equal((await runAsNobody('restore kept.db --data fresh.db')).status, 0);
    assert.equal((await runAsNobody('accounts create a@example.com --data fresh.db')).status, 0);
  });
});

/** A small disk of its own, where that can be had. */
const disk = join(cwd, 'disk');
function mountDisk(): boolean {
  try {
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', disk], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
const mounted = mountDisk();

describe('a full disk', { skip: mounted ? false : 'needs a disk of its own (root)' }, () => {
  after(() => execFileSync('umount', ['-l', disk]));
  const fill = () => {
    const file = openSync(join(disk, 'filler'), 'w');
    try {
      for (const size of [65_536, 4_096, 1]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(size));
        } catch (failure) {
          assert.equal((failure as NodeJS.ErrnoException).code, 'ENOSPC');
        }
      }
    } finally {
      closeSync(file);
    }
  };
  const empty = () => rmSync(join(disk, 'filler'), { force: true });

  test('too small for a new file: says how much is needed, and leaves nothing', async () => {
    const { status, stderr } = await run(['serve', '--port', '0', '--data', 'disk/new.db'], { cwd });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^cratebase: The disk of disk\/new\.db has [\d.]+ MB free, and a data file with the starter catalogue needs 24(\.0)? MB\. Make room, .*--data, .*--empty\)\.\n$/,
    );
    assert.deepEqual(readdirSync(disk), []);
  });

  test('makes the service not ready, with the reason, and the log short', async () => {
    const served = await serve('--dev --empty --data disk/full.db');
    const ready = () => fetch(`${served.url}/readyz`);
    assert.equal((await ready()).status, 200);
    fill();
    const ask = () =>
      fetch(`${served.url}/api/v1/genres`, { headers: { Authorization: `Bearer ${served.key}` } });
    // The log that is there has room for a while.
    let refused = 0;
    for (let tries = 0; tries < 3_000 && refused < 20; tries++) {
      const { status } = await ask();
      if (status === 503) refused++;
    }
    assert.equal(refused, 20);
    let answer = await ready();
    for (let tries = 0; tries < 60 && answer.status === 200; tries++) {
      await delay(100);
      answer = await ready();
    }
    assert.equal(answer.status, 503);
    const { error } = (await answer.json()) as { error: { message: string } };
    assert.match(error.message, /^The data file cannot be written: .*full/);
    const troubles = logged(served).filter(({ level }) => level !== 'info');
    assert.equal(troubles.length, 1, served.stderr());
    assert.match(String(troubles[0]?.error), /disk is full/);
    assert.equal(troubles[0]?.stack, undefined);
    empty();
    for (let tries = 0; tries < 60 && answer.status !== 200; tries++) {
      await delay(100);
      answer = await ready();
    }
    assert.equal(answer.status, 200);
    assert.equal((await ask()).status, 200);
    await served.stop();
  });

  test('is reported by every command, with the file', async () => {
    await command('import - --source a --data disk/told.db');
    await command('import - --source a --data small.db');
    fill();
    const expected = (path: string) =>
      new RegExp(`^cratebase: The disk of ${path} is full\\. Make room.*\n$`);
    const lines = Array.from({ length: 2_000 }, (_, id) => artist(id)).join('');
    const imported = await command('import - --source a --data disk/told.db', lines);
    assert.match(imported.stderr, expected('disk/told.db'));
    const made = await command('accounts create a@example.com --data disk/told.db');
    assert.match(made.stderr, expected('disk/told.db'));
    const copied = await command('backup disk/copy.db --data small.db');
    assert.match(copied.stderr, expected('disk/copy.db'));
    const restored = await command('restore small.db --data disk/again.db');
    assert.match(restored.stderr, expected('disk/again.db'));
    const served = await command('serve --port 0 --data disk/new.db');
    assert.match(
      served.stderr.split('\n').at(-2) ?? '',
      /^cratebase: The disk of disk\/new\.db has 0 B free/,
    );
    empty();
  });
});

describe('doctor', () => {
  test('tells a certificate that is not trusted, a name without address and a proxy without service apart', async () => {
    const secure = createTlsServer(makeCertificate(), (_, response) => response.end('ok')).listen(0);
    let status = 502;
    const proxy = createServer((_, response) => response.writeHead(status).end()).listen(0);
    await Promise.all([secure, proxy].map((server) => server.listening || once(server, 'listening')));
    const at = (server: typeof secure | typeof proxy) => (server.address() as AddressInfo).port;
    try {
      await says(
        `--data none.db --base-url https://localhost:${at(secure)}`,
        /^failed reachability: The certificate of .* is not trusted: .*NODE_EXTRA_CA_CERTS/,
      );
      await says(
        '--data none.db --base-url https://music.invalid',
        /^failed reachability: .* the name music\.invalid cannot be resolved .*> Correct the host name/,
      );
      await says(
        `--data none.db --base-url http://localhost:${at(proxy)}`,
        /^failed reachability: \S+ answers 502\. > The proxy cannot reach the service/,
      );
      status = 400;
      await says(
        `--data none.db --base-url http://localhost:${at(proxy)}`,
        /^failed reachability: \S+ answers 400\. > The server does not understand .*https/,
      );
    } finally {
      secure.close();
      proxy.close();
    }
  });

  test('finds a damaged file, and does not advise a port that another service has', async () => {
    const lines = Array.from({ length: 3_000 }, (_, id) => artist(id)).join('');
    await command('import - --source a --data whole.db', lines);
    await says('--data whole.db --port 9', /^ok data file: /);
    const content = readFileSync(join(cwd, 'whole.db'));
    // Pages of the middle, which nothing reads that doctor shows.
    content.fill(0xab, Math.floor(content.length / 2), Math.floor(content.length / 2) + 200_000);
    writeFileSync(join(cwd, 'spoilt.db'), content);
    const verified = await command('verify --data spoilt.db');
    assert.equal(verified.status, 1);
    await says('--data spoilt.db --port 9', /^failed data file: .*(damaged|malformed)/i);

    const served = await serve('--dev --empty --data whole.db --base-url http://music.example');
    const { port } = new URL(served.url);
    writeFileSync(join(cwd, 'ruin.db'), 'nothing of it is left, nothing at all');
    const env = { CRATEBASE_PORT: port };
    for (const name of ['missing.db', 'ruin.db']) {
      const { stdout } = await run(['doctor', '--data', name], { cwd, env });
      assert.match(stdout, /A cratebase service answers at \S+, but no service runs on this data file\./);
      assert.doesNotMatch(stdout, /Start the service with --base-url/);
    }
    await served.stop();
  });
});

describe('several of them', () => {
  test('a second service on the same file says that there is another', async () => {
    const first = await serve('--dev --empty --data shared.db');
    const second = await serve('--dev --empty --data shared.db');
    for (let tries = 0; tries < 100 && !second.stderr().includes('another'); tries++) await delay(20);
    const warning = logged(second).find(({ message }) => message === 'another service uses this data file');
    assert.deepEqual([warning?.level, warning?.pid, warning?.url], ['warn', first.child.pid, first.url]);
    assert.ok(!first.stderr().includes('another service'));
    if (process.platform === 'linux')
      assert.equal(readFileSync(`/proc/${first.child.pid}/comm`, 'utf8'), 'cratebase\n');
    await Promise.all([first.stop(), second.stop()]);
  });

  test('where the port is taken no file is made', async () => {
    const taken = createSocketServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { status, stderr } = await command(`serve --data unmade.db --port ${port}`);
    taken.close();
    assert.equal(status, 1);
    assert.match(stderr, /^cratebase: Port \d+ on 127\.0\.0\.1 is in use\. .*\n$/);
    assert.equal(existsSync(join(cwd, 'unmade.db')), false);
  });
});

test('restoring a damaged copy does not advise to restore a copy', async () => {
  await command('import - --source a --data good.db', artist(1));
  const content = readFileSync(join(cwd, 'good.db'));
  writeFileSync(join(cwd, 'bad.db'), content.subarray(0, content.length - 20_000));
  content.fill(0xab, 100, 4_096);
  writeFileSync(join(cwd, 'worse.db'), content);
  writeFileSync(join(cwd, 'none.txt'), 'this was never a data file of anything');
  for (const name of ['bad.db', 'worse.db', 'none.txt']) {
    const { status, stderr } = await command(`restore ${name} --data good.db`);
    assert.equal(status, 1, name);
    assert.match(
      stderr,
      new RegExp(`^cratebase: ${name.replace('.', '\\.')} is .*Take another backup\\.\n$`),
    );
  }
});
