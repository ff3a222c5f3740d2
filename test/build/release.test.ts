/**
 * What `npm run release` makes, opened with the tools of those who get it: tar, dpkg-deb, sha256sum, and the image by
 * its own layout. Needs `npm run build`; skipped without.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { executable, reasonToSkip } from '../support/executable.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const target = `${process.platform}-${process.arch}`;
const output = join(root, 'dist/release');
const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64e6 });
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const skip = reasonToSkip() || (process.platform === 'linux' ? false : 'packages are made for Linux');

describe('a release', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-release-'));
  before(() => {
    // The executable of this machine and that of its platform are the same program.
    copyFileSync(executable, join(root, `dist/cratebase-${target}`));
    copyFileSync(`${executable}.cdx.json`, join(root, `dist/cratebase-${target}.cdx.json`));
    run(process.execPath, join(root, 'bin/release/main.mjs'), '--target', target, '--no-build');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('SHA256SUMS has every file, and is right', () => {
    const names = readdirSync(output).filter((name) => name !== 'SHA256SUMS');
    const sums = readFileSync(join(output, 'SHA256SUMS'), 'utf8').trim().split('\n');
    assert.deepEqual(
      sums,
      names.toSorted().map((name) => `${sha256(readFileSync(join(output, name)))}  ${name}`),
    );
    assert.ok(names.includes(`cratebase-${target}.cdx.json`));
  });

  test('the archive unpacks to one folder with a program that runs', () => {
    const name = `cratebase-${version}-${target}`;
    run('tar', '-xzf', join(output, `${name}.tar.gz`), '-C', folder);
    assert.deepEqual(readdirSync(join(folder, name)).sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.txt',
      'cratebase',
      'examples',
    ]);
    assert.equal(run(join(folder, name, 'cratebase'), '--version').trim(), version);
    assert.equal(statSync(join(folder, name, 'cratebase')).mode & 0o777, 0o755);
  });

  test('the Debian package has the program, the unit, the settings and the manual', {
    skip: !hasDpkg && 'no dpkg-deb',
  }, () => {
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    const file = join(output, `cratebase_${version}_${architecture}.deb`);
    const fields = run('dpkg-deb', '--field', file, 'Package', 'Version', 'Architecture');
    assert.equal(fields, `Package: cratebase\nVersion: ${version}\nArchitecture: ${architecture}\n`);
    const [control, content] = [join(folder, 'control'), join(folder, 'content')];
    run('dpkg-deb', '-e', file, control);
    run('dpkg-deb', '-x', file, content);
    assert.equal(readFileSync(join(control, 'conffiles'), 'utf8'), '/etc/cratebase/env\n');
    for (const script of ['postinst', 'prerm', 'postrm']) {
      assert.equal(statSync(join(control, script)).mode & 0o111, 0o111, script);
      run('sh', '-n', join(control, script));
    }
    for (const line of readFileSync(join(control, 'md5sums'), 'utf8').trim().split('\n')) {
      const [sum, path = ''] = line.split('  ');
      assert.equal(
        createHash('md5')
          .update(readFileSync(join(content, path)))
          .digest('hex'),
        sum,
        path,
      );
    }
    assert.equal(run(join(content, 'usr/bin/cratebase'), '--version').trim(), version);
    assert.equal(statSync(join(content, 'etc/cratebase/env')).mode & 0o777, 0o640);
    assert.match(
      readFileSync(join(content, 'usr/lib/systemd/system/cratebase.service'), 'utf8'),
      /^ExecStart=\/usr\/bin\/cratebase serve$/m,
    );
    assert.match(
      gunzipSync(readFileSync(join(content, 'usr/share/man/man1/cratebase.1.gz'))).toString(),
      /^\.TH cratebase 1/im,
    );
    run('sh', '-n', join(content, 'usr/sbin/cratebasectl'));
  });

  test('the image is an OCI layout whose digests hold, and whose files run by themselves', {
    skip: !hasDpkg && 'no dpkg-deb',
  }, () => {
    const layout = join(folder, 'layout');
    mkdirSync(layout);
    run('tar', '-xf', join(output, `cratebase-${version}-oci.tar`), '-C', layout);
    const blob = (digest: string) => readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
    const read = <T>(digest: string) => JSON.parse(blob(digest).toString()) as T;
    assert.deepEqual(JSON.parse(readFileSync(join(layout, 'oci-layout'), 'utf8')), {
      imageLayoutVersion: '1.0.0',
    });
    for (const name of readdirSync(join(layout, 'blobs/sha256')))
      assert.equal(sha256(readFileSync(join(layout, 'blobs/sha256', name))), name);
    type Descriptor = { digest: string; size: number };
    type Index = { manifests: Descriptor[] };
    const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as Index;
    const images = read<Index>((index.manifests[0] as Descriptor).digest).manifests;
    const manifest = read<{ config: Descriptor; layers: Descriptor[] }>((images[0] as Descriptor).digest);
    const config = read<{ config: { User: string; Entrypoint: string[] }; rootfs: { diff_ids: string[] } }>(
      manifest.config.digest,
    );
    assert.equal(config.config.User, '10001:10001');
    const files = join(folder, 'files');
    mkdirSync(files);
    for (const [at, { digest, size }] of manifest.layers.entries()) {
      assert.equal(blob(digest).length, size);
      assert.equal(`sha256:${sha256(gunzipSync(blob(digest)))}`, config.rootfs.diff_ids[at]);
      run('tar', '-xzf', join(layout, 'blobs', digest.replace(':', '/')), '-C', files, '--no-same-owner');
    }
    const [program = ''] = config.config.Entrypoint;
    assert.ok(existsSync(join(files, program)));
    if (process.getuid?.() === 0) assert.equal(run('chroot', files, program, '--version').trim(), version);
  });

  test('the same input gives the same bytes', () => {
    const before = readFileSync(join(output, 'SHA256SUMS'), 'utf8');
    run(process.execPath, join(root, 'bin/release/main.mjs'), '--target', target, '--no-build');
    assert.equal(readFileSync(join(output, 'SHA256SUMS'), 'utf8'), before);
  });

  test('wrong options and missing executables are one line', () => {
    const fails = (...args: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/release/main.mjs'), ...args], {
        encoding: 'utf8',
      });
      assert.equal(status, 1);
      return stderr;
    };
    assert.match(fails('--target', 'amiga'), /^release: no target amiga; there are linux-x64, .*\n$/);
    assert.match(fails('--targets'), /^release: .*usage: npm run release/);
  });
});
