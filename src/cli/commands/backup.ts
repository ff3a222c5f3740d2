/** `backup`: copies the data file, also while a service uses it. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { BackUpOptions, FolderBackup, SkippedBackup } from '../../app.ts';
import { Failure } from '../../failure.ts';
import { formatBytes } from '../../format-bytes.ts';
import { plural } from '../../plural.ts';
import { addExamples, exitOnSignals, printResult, withApp } from '../command.ts';
import { Progress } from '../output/terminal.ts';
import { parseRetention } from '../retention.ts';
import { addClusterOptions, addObjectsOption, clusterOf, objectsOf } from '../with-access.ts';

type BackupOptions = { force?: true; dir?: string; keep?: string; every?: string };

const defaultKeep = 7;
const usageErrorStatus = 2;

/** Adds `backup` to the program. */
export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .argument('[file]', 'path of the copy')
    .description(
      'Copy the data file, including accounts, to a file or into a folder (--dir). Works while the service runs. With --cluster, the copy has the accounts and the published catalogue of the cluster.',
    )
    .option('--force', 'replace an existing file')
    .option(
      '--dir <folder>',
      'write the copy into this folder, named by its time, and remove the oldest copies',
    )
    .option('--keep <number>', `with --dir: how many copies stay (default: ${defaultKeep})`)
    .option('--every <span>', 'with --dir: make no copy if the newest one is younger, such as 24h');
  addClusterOptions(command);
  addObjectsOption(command);
  addExamples(command, [
    ['cratebase backup cratebase-2026-11-20.db', ''],
    ['cratebase backup --dir /mnt/backups --keep 14', 'keeps the 14 newest copies'],
    [
      'cratebase backup both.db --cluster postgres://cratebase@db.example.org/cratebase',
      'accounts and catalogue of a cluster',
    ],
  ]);
  command.action(async (file: string | undefined) => {
    const options = command.opts<BackupOptions>();
    if ((file === undefined) === (options.dir === undefined))
      throw new Failure('Name the file of the copy, or a folder with --dir.', usageErrorStatus);
    if (options.dir === undefined && (options.keep !== undefined || options.every !== undefined))
      throw new Failure('--keep and --every work only together with --dir.', usageErrorStatus);
    if (options.dir !== undefined && options.force === true)
      throw new Failure('--force works only with a file, not together with --dir.', usageErrorStatus);
    if (options.dir === undefined) await backUpToFile(command, file as string, options.force === true);
    else await backUpToFolder(command, options.dir, options);
  });
}

async function backUpToFile(command: Command, file: string, isForced: boolean): Promise<void> {
  const { replaceablePath } = await import('../../app.ts');
  const target = replaceablePath(file);
  if (existsSync(target) && !isForced) {
    throw new Failure(`${file} already exists. Name another file, or replace it with --force.`);
  }
  if (!existsSync(dirname(target))) {
    throw new Failure(`The folder ${dirname(target)} does not exist. Create it first.`);
  }
  const { revision, accounts } = await writeCopy(command, file);
  const size = statSync(file).size;
  const sha256 = await sha256Of(file);
  const report = { file, bytes: size, sha256, revision, ...(accounts === undefined ? {} : { accounts }) };
  printResult(command, report, () =>
    [
      describeCopy(file, size, sha256),
      ...(accounts === undefined ? [] : [`with ${plural(accounts, 'account')} of the cluster`]),
    ].join('\n'),
  );
}

/** Copies the data file, or both halves of a cluster into one. */
async function writeCopy(command: Command, file: string): Promise<{ revision: number; accounts?: number }> {
  const cluster = await clusterOf(command);
  if (cluster !== null) {
    const { backUpCluster } = await import('../../app.ts');
    exitOnSignals();
    return backUpCluster(cluster, objectsOf(command), file);
  }
  return withApp(command, { readOnly: true, anySchema: true }, async (app) => {
    if (existsSync(file) && isSameFile(file, app.path)) {
      throw new Failure(`${file} is the data file itself. Name another file.`, usageErrorStatus);
    }
    const progress = new Progress('pages');
    await app.file.copyTo(file, ({ done, total }) => progress.update({ done, total, count: done }));
    progress.end();
    return { revision: app.revision() };
  });
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [statSync(a), statSync(b)];
  return one.dev === other.dev && one.ino === other.ino;
}

/** Adds a copy to a folder, and removes the oldest ones. */
async function backUpToFolder(
  command: Command,
  folder: string,
  options: Pick<BackupOptions, 'keep' | 'every'>,
): Promise<void> {
  const limits = parseRetention(options, defaultKeep);
  const result = await addToFolder(command, folder, limits);
  if ('skipped' in result) {
    const newest = result.newestTs === null ? null : new Date(result.newestTs).toISOString();
    printResult(command, { skipped: true, newest_at: newest }, () =>
      newest === null ? 'Another process makes a copy now.' : `The newest copy is of ${newest}.`,
    );
    return;
  }
  const { path, bytes, revision, removed } = result;
  const sha256 = await sha256Of(path);
  printResult(command, { file: path, bytes, sha256, revision, removed }, () =>
    [
      describeCopy(path, bytes, sha256),
      ...(removed.length === 0 ? [] : [`removed ${plural(removed.length, 'older copy', 'older copies')}`]),
    ].join('\n'),
  );
}

type FolderResult = SkippedBackup | (FolderBackup & { revision: number });

async function addToFolder(command: Command, folder: string, limits: BackUpOptions): Promise<FolderResult> {
  const cluster = await clusterOf(command);
  if (cluster !== null) {
    const { clusterBackupFolder } = await import('../../app.ts');
    exitOnSignals();
    let revision = 0;
    const backups = await clusterBackupFolder(cluster, objectsOf(command), folder, (backup) => {
      revision = backup.revision;
    });
    const copy = await backups.backUp(Date.now(), limits);
    return 'skipped' in copy ? copy : { ...copy, revision };
  }
  return withApp(command, { readOnly: true, anySchema: true }, async (app) => {
    const progress = new Progress('pages');
    const onPages = ({ done, total }: { done: number; total: number }) =>
      progress.update({ done, total, count: done });
    const copy = await app.backups.folder(folder).backUp(Date.now(), { ...limits, onPages });
    progress.end();
    return 'skipped' in copy ? copy : { ...copy, revision: app.revision() };
  });
}

const describeCopy = (file: string, bytes: number, sha256: string): string =>
  `wrote ${file} (${formatBytes(bytes)}, ${bytes.toLocaleString('en')} bytes)\nSHA-256 ${sha256}`;

/** Returns the SHA-256 of a file in hexadecimal, as `sha256sum` prints it. */
async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
