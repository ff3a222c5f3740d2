#!/usr/bin/env node
/**
 * Makes everything that a release publishes, in dist/release: `npm run release` for all platforms, `-- --target
 * linux-x64` for some, `--no-build` with the executables that are in dist.
 *
 * Per platform an archive (tar.gz; zip for Windows), an MCP bundle and a bill of materials; Debian packages; a container image as an
 * OCI layout, if this machine has apt; SHA256SUMS of all of them. The same input gives the same bytes: every time
 * stamp is that of the last commit, or SOURCE_DATE_EPOCH.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { foldersOf, gzip, makeTar, makeZip } from './archives.mjs';
import { debianArchitectures, makeDeb } from './deb.mjs';
import { makeMcpb } from './mcpb.mjs';
import { canMakeImages, makeImage } from './oci.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = join(root, 'dist');
const output = join(dist, 'release');
const allTargets = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win-x64'];

class Failure extends Error {}

async function main() {
  const { targets, isBuilt } = parseOptions();
  if (!isBuilt)
    run(process.execPath, [join(root, 'build.mjs'), ...targets.flatMap((one) => ['--target', one])]);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const time = releaseTime();
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'));
  const manual = gzip(runSelf('man'));
  const names = [];
  const save = (name, content) => {
    writeFileSync(join(output, name), content);
    names.push(name);
  };
  const images = [];
  for (const target of targets) {
    const executable = readExecutable(target);
    save(...(await makeArchive({ target, version, executable, notices, time })));
    save(...makeMcpb({ target, version, executable, notices, license: readText('LICENSE'), time }));
    const bill = `cratebase-${target}.cdx.json`;
    copyFileSync(join(dist, bill), join(output, bill));
    names.push(bill);
    if (!(target in debianArchitectures)) continue;
    const { name, content } = await makeDeb({
      version,
      target,
      time,
      entries: packagedFiles(executable, notices, manual),
    });
    save(name, content);
    images.push({ target, executable, notices });
  }
  if (images.length > 0 && canMakeImages()) {
    save(`cratebase-${version}-oci.tar`, await makeImage({ version, images, time }));
  } else if (images.length > 0) {
    console.error('release: no container image, because this machine has neither apt-get nor dpkg-deb');
  }
  const sums = names.sort().map((name) => `${sha256(readFileSync(join(output, name)))}  ${name}\n`);
  writeFileSync(join(output, 'SHA256SUMS'), sums.join(''));
  for (const name of names)
    console.log(`${(statSync(join(output, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
}

function parseOptions() {
  let values;
  try {
    const options = { target: { type: 'string', multiple: true }, 'no-build': { type: 'boolean' } };
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new Failure(
      `${error.message.split('. ')[0]}; usage: npm run release [-- --target TARGET]… [--no-build]`,
    );
  }
  const targets = values.target ?? allTargets;
  const unknown = targets.find((one) => !allTargets.includes(one));
  if (unknown !== undefined) throw new Failure(`no target ${unknown}; there are ${allTargets.join(', ')}`);
  return { targets, isBuilt: values['no-build'] === true };
}

/** The time stamp of everything in the release. */
function releaseTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && /^\d{1,12}$/.test(given)) return new Date(Number(given) * 1000);
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? new Date(Number(stdout) * 1000) : new Date(0);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) throw new Failure(`cannot run ${command}: ${error.message}`);
  if (status !== 0) throw new Failure(`${command} ${args.join(' ')} ended with ${status}`);
}

/** Runs a command of the program from source and returns what it prints. */
function runSelf(...words) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'bin/cratebase.mjs'), ...words],
    {
      maxBuffer: 64e6,
    },
  );
  if (status !== 0) throw new Failure(`cratebase ${words.join(' ')}: ${String(stderr).trim()}`);
  return stdout;
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');
const readText = (path) => readFileSync(join(root, path));

function readExecutable(target) {
  const path = join(dist, `cratebase-${target}${target.startsWith('win') ? '.exe' : ''}`);
  if (!existsSync(path))
    throw new Failure(`dist has no ${path.slice(dirname(path).length + 1)}. Run without --no-build.`);
  return readFileSync(path);
}

/** Returns the name and content of the archive of a platform: one folder with the executable and what explains it. */
async function makeArchive({ target, version, executable, notices, time }) {
  const folder = `cratebase-${version}-${target}`;
  const isWindows = target.startsWith('win');
  const files = [
    { path: isWindows ? 'cratebase.exe' : 'cratebase', content: executable, mode: 0o755 },
    { path: 'README.md', content: readText('README.md') },
    { path: 'LICENSE', content: readText('LICENSE') },
    { path: 'CHANGELOG.md', content: readText('CHANGELOG.md') },
    { path: 'THIRD-PARTY-NOTICES.txt', content: notices },
    ...(target.startsWith('linux') ? serviceFiles() : []),
  ].map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
  if (isWindows) return [`${folder}.zip`, makeZip(files, time)];
  return [`${folder}.tar.gz`, gzip(await makeTar([...foldersOf(files), ...files], time))];
}

const serviceFiles = () =>
  ['service/cratebase.service', 'service/env', 'proxy/nginx.conf', 'proxy/Caddyfile'].map((path) => ({
    path: `examples/${path}`,
    content: readText(`examples/${path}`),
  }));

/** The files of the Debian package, by their paths on the system. */
function packagedFiles(executable, notices, manual) {
  const copyright = `cratebase\n\n${readText('LICENSE')}\n\nThe executable contains the following software.\n\n${notices}`;
  const completion = (shell) => runSelf('completion', shell);
  return [
    { path: 'etc/cratebase/env', content: readText('examples/service/env'), mode: 0o640 },
    { path: 'usr/bin/cratebase', content: executable, mode: 0o755 },
    { path: 'usr/sbin/cratebasectl', content: readText('examples/service/cratebasectl'), mode: 0o755 },
    {
      path: 'usr/lib/systemd/system/cratebase.service',
      content: readText('examples/service/cratebase.service'),
    },
    { path: 'usr/share/man/man1/cratebase.1.gz', content: manual },
    { path: 'usr/share/bash-completion/completions/cratebase', content: completion('bash') },
    { path: 'usr/share/zsh/vendor-completions/_cratebase', content: completion('zsh') },
    { path: 'usr/share/fish/vendor_completions.d/cratebase.fish', content: completion('fish') },
    { path: 'usr/share/doc/cratebase/copyright', content: Buffer.from(copyright) },
    { path: 'usr/share/doc/cratebase/examples/nginx.conf', content: readText('examples/proxy/nginx.conf') },
    { path: 'usr/share/doc/cratebase/examples/Caddyfile', content: readText('examples/proxy/Caddyfile') },
  ];
}

try {
  await main();
} catch (error) {
  console.error(`release: ${error instanceof Failure ? error.message : error.stack}`);
  process.exitCode = 1;
}
