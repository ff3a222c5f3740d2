/** `cratebase install`: what it would write, from source; what it writes below a folder, with the executable. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { installFiles } from '../../src/cli/install-files.ts';
import { run } from '../support/cli-run.ts';
import { executable, reasonToSkip } from '../support/executable.ts';

const paths = [
  '/usr/local/bin/cratebase',
  '/etc/systemd/system/cratebase.service',
  '/etc/cratebase/env',
  '/usr/local/sbin/cratebasectl',
  '/etc/cratebase/proxy/nginx.conf',
  '/etc/cratebase/proxy/Caddyfile',
];

test('from source it says that only the executable can be installed', async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'cratebase-install-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  const { status, stderr } = await run(['install', '--root', 'image'], { cwd });
  assert.equal(status, 1);
  assert.match(stderr, /cratebase from source, which cannot install itself\. Run `npm run build`/);
  assert.deepEqual(readdirSync(cwd), []);
  const wrong = await run(['install', '--root', 'image', '--binary', 'bin/cratebase; reboot'], { cwd });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--binary must be an absolute path/);
});

test('an IPv6 address has brackets beside its port, and none in the settings', () => {
  const files = installFiles({ binary: '/usr/local/bin/cratebase', baseUrl: null, listen: '[::1]:5000' });
  const textOf = (end: string) => files.find(({ path }) => path.endsWith(end))?.text ?? '';
  assert.match(textOf('/env'), /^CRATEBASE_HOST=::1$/m);
  assert.match(textOf('/env'), /^CRATEBASE_PORT=5000$/m);
  assert.match(textOf('/Caddyfile'), /reverse_proxy \[::1\]:5000 /);
});

describe('the executable installs itself', { skip: reasonToSkip() }, () => {
  type Report = { files: { path: string; state: string }[]; user: string; next: string[] };
  const install = (...args: string[]) =>
    JSON.parse(
      execFileSync(executable, ['install', '--json', ...args], { encoding: 'utf8', env: {} }),
    ) as Report;
  const statesOf = ({ files }: Report) => Object.fromEntries(files.map(({ path, state }) => [path, state]));

  test('below a folder: every file, with the address filled in; a second run changes nothing', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'cratebase-install-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const args = ['--root', folder, '--base-url', 'https://tunes.example.net', '--port', '4990'];
    assert.deepEqual(
      install(...args, '--dry-run').files.map(({ path }) => path),
      paths,
    );
    assert.deepEqual(readdirSync(folder), []);

    const first = install(...args);
    assert.deepEqual([...new Set(Object.values(statesOf(first)))], ['written']);
    assert.equal(first.user, 'skipped');
    const read = (path: string) => readFileSync(join(folder, path), 'utf8');
    const settings = read('/etc/cratebase/env')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    assert.deepEqual(settings, [
      'CRATEBASE_BASE_URL=https://tunes.example.net',
      'CRATEBASE_TRUST_PROXY=true',
      'CRATEBASE_HOST=127.0.0.1',
      'CRATEBASE_PORT=4990',
    ]);
    assert.match(
      read('/etc/systemd/system/cratebase.service'),
      /^ExecStart=\/usr\/local\/bin\/cratebase serve$/m,
    );
    assert.match(read('/etc/cratebase/proxy/nginx.conf'), /server_name tunes\.example\.net;/);
    assert.match(read('/etc/cratebase/proxy/Caddyfile'), /reverse_proxy 127\.0\.0\.1:4990/);
    assert.equal(statSync(join(folder, '/usr/local/sbin/cratebasectl')).mode & 0o777, 0o755);
    assert.equal(statSync(join(folder, '/etc/cratebase/env')).mode & 0o777, 0o640);
    assert.deepEqual([...new Set(Object.values(statesOf(install(...args))))], ['unchanged']);
  });

  test('changes of an administrator stay, unless --force; the settings always stay', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'cratebase-install-'));
    t.after(() => rmSync(folder, { recursive: true }));
    install('--root', folder);
    const [unit, env] = [
      join(folder, '/etc/systemd/system/cratebase.service'),
      join(folder, '/etc/cratebase/env'),
    ];
    for (const path of [unit, env]) writeFileSync(path, '# mine\n');
    const states = statesOf(install('--root', folder));
    assert.equal(states['/etc/systemd/system/cratebase.service'], 'different');
    assert.equal(states['/etc/cratebase/env'], 'kept');
    assert.equal(readFileSync(unit, 'utf8'), '# mine\n');
    install('--root', folder, '--force');
    assert.notEqual(readFileSync(unit, 'utf8'), '# mine\n');
    assert.equal(readFileSync(env, 'utf8'), '# mine\n');
    assert.ok(!existsSync(`${unit}.new`));
  });
});
