/** `install`: sets up the executable as a systemd service of this machine. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import type { Command } from 'commander';
import { readSettings } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { addExamples, flagsOf, printResult, settingOption } from '../command.ts';
import { type InstallFile, installFiles } from '../install-files.ts';
import { formatFields } from '../output/terminal.ts';

const defaultBinary = '/usr/local/bin/cratebase';

/** What happened to a file: `different` was left as it is. */
type FileState = 'written' | 'unchanged' | 'kept' | 'different';
type InstalledFile = { path: string; state: FileState };
type InstallReport = { files: InstalledFile[]; user: 'created' | 'exists' | 'skipped'; next: string[] };
type InstallFlags = { root?: string; binary?: string; force?: true; dryRun?: true };

/** Adds `install` to the program. */
export function addInstall(program: Command): void {
  const command = program
    .command('install')
    .description(
      'Set up a systemd service: the executable, a unit, a settings file, the command cratebasectl, and examples for nginx and Caddy. Run it as root. It starts nothing.',
    )
    .option('--root <folder>', 'write below this folder instead of /, and create no user')
    .option('--binary <path>', 'where the executable is installed', defaultBinary)
    .option('--force', 'replace files that differ; /etc/cratebase/env is always kept')
    .option('--dry-run', 'print what would be written, and write nothing');
  for (const name of ['baseUrl', 'host', 'port'] as const) command.addOption(settingOption(name));
  addExamples(command, [
    ['sudo ./cratebase install --base-url https://music.example.org', ''],
    ['cratebase install --root ./image --binary /usr/bin/cratebase', 'for a system image'],
    ['cratebase install --dry-run --json', ''],
  ]);
  command.action(() => {
    const report = install(command);
    const isDryRun = command.opts<InstallFlags>().dryRun === true;
    printResult(command, report, () => formatReport(report, isDryRun));
  });
}

function install(command: Command): InstallReport {
  const flags = command.opts<InstallFlags>();
  const { baseUrl, host, port } = readSettings(['baseUrl', 'host', 'port'], flagsOf(command), process.env);
  const binary = flags.binary ?? defaultBinary;
  if (!/^\/[\w./+-]+$/.test(binary)) {
    throw new Failure('--binary must be an absolute path of letters, digits, ".", "_", "+" and "-".', 2);
  }
  const root = flags.root ?? '/';
  const isDryRun = flags.dryRun === true;
  if (flags.root === undefined && !isDryRun) checkSystem();
  const listen = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const files = installFiles({ binary, baseUrl: baseUrl === null ? null : new URL(baseUrl), listen });
  const options = { root, isDryRun, isForced: flags.force === true };
  const states = [installBinary(binary, options), ...files.map((one) => writeInstallFile(one, options))];
  const user = flags.root !== undefined || isDryRun ? 'skipped' : createUser();
  return { files: states, user, next: nextSteps(baseUrl) };
}

/** Throws a `Failure` if this machine has no systemd, or the command may not write to it. */
function checkSystem(): void {
  if (process.platform !== 'linux' || !existsSync('/etc/systemd/system')) {
    throw new Failure(
      'This machine has no systemd. docs/guides/running.md shows how to run cratebase in a container or with another supervisor; --root writes the files to a folder.',
    );
  }
  if (process.getuid?.() !== 0)
    throw new Failure('Run `install` as root: sudo cratebase install. --dry-run shows what it writes.');
}

type WriteOptions = { root: string; isDryRun: boolean; isForced: boolean };

/** Copies the running executable to its place. A running service keeps the old file until it restarts. */
function installBinary(binary: string, { root, isDryRun }: WriteOptions): InstalledFile {
  const target = join(root, binary);
  const source = realpathSync(process.execPath);
  if (!isSea()) {
    if (existsSync(target)) return { path: binary, state: 'kept' };
    throw new Failure(
      `This is cratebase from source, which cannot install itself. Run \`npm run build\`, then \`sudo dist/cratebase install\`.`,
    );
  }
  if (
    existsSync(target) &&
    (realpathSync(target) === source || readFileSync(target).equals(readFileSync(source)))
  ) {
    return { path: binary, state: 'unchanged' };
  }
  if (!isDryRun) {
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, `${target}.new`);
    chmodSync(`${target}.new`, 0o755);
    renameSync(`${target}.new`, target);
  }
  return { path: binary, state: 'written' };
}

/** Writes a file, unless another one is there that an administrator may have changed. */
function writeInstallFile(
  { path, text, mode, isSetting }: InstallFile,
  options: WriteOptions,
): InstalledFile {
  const target = join(options.root, path);
  if (existsSync(target)) {
    if (readFileSync(target, 'utf8') === text) return { path, state: 'unchanged' };
    if (isSetting) return { path, state: 'kept' };
    if (!options.isForced) return { path, state: 'different' };
  }
  if (!options.isDryRun) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.new`, text, { mode });
    chmodSync(`${target}.new`, mode);
    renameSync(`${target}.new`, target);
  }
  return { path, state: 'written' };
}

/** Creates the user of the service, and lets it read the settings. */
function createUser(): 'created' | 'exists' {
  const run = (name: string, ...args: string[]) => spawnSync(name, args, { encoding: 'utf8' });
  let state: 'created' | 'exists' = 'exists';
  if (run('getent', 'passwd', 'cratebase').status !== 0) {
    const { status, stderr, error } = run(
      'useradd',
      ...['--system', '--user-group', '--home-dir', '/var/lib/cratebase', '--no-create-home'],
      ...['--shell', '/usr/sbin/nologin', 'cratebase'],
    );
    if (status !== 0)
      throw new Failure(`The user cratebase cannot be created: ${error?.message ?? stderr.trim()}`);
    state = 'created';
  }
  run('install', '-d', '-o', 'cratebase', '-g', 'cratebase', '-m', '0700', '/var/lib/cratebase');
  run('chown', 'root:cratebase', '/etc/cratebase/env');
  return state;
}

const nextSteps = (baseUrl: string | null): string[] => [
  ...(baseUrl === null ? ['set CRATEBASE_BASE_URL in /etc/cratebase/env'] : []),
  'sudo systemctl daemon-reload',
  'sudo systemctl enable --now cratebase',
  'sudo cratebasectl doctor',
];

const stateTexts: Record<FileState, string> = {
  written: 'written',
  unchanged: 'unchanged',
  kept: 'kept as it is',
  different: 'differs from the one of this version and was left: --force replaces it',
};

function formatReport({ files, user, next }: InstallReport, isDryRun: boolean): string {
  const textOf = (state: FileState) =>
    isDryRun && state === 'written' ? 'would be written' : stateTexts[state];
  const lines = files.map(({ path, state }): [string, string] => [path, textOf(state)]);
  if (isDryRun) return `${formatFields(lines)}\n\nNothing was written: this is a dry run.`;
  return [
    formatFields([...lines, ['user cratebase', user]]),
    '',
    'Next:',
    ...next.map((line) => `  ${line}`),
  ].join('\n');
}
