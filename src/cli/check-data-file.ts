/** Checks of `doctor`: the data file, its disk and the clock. */
import { existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { App, ExportReport, FileFacts, RunningService } from '../app.ts';
import { Failure } from '../failure.ts';
import { formatBytes } from '../format-bytes.ts';
import { plural } from '../plural.ts';
import { checkBackups } from './check-backups.ts';
import { checkExports } from './check-exports.ts';
import { type AddFinding, checkKey, maxClockSkewMs } from './check-service.ts';
import { shellQuote } from './command.ts';
import { isScheduled } from './schedule-findings.ts';

export type DataFileReport = {
  path: string;
  bytes: number;
  log_bytes: number;
  facts: FileFacts;
  counts: Record<string, unknown>;
} & ExportReport;
export type DataFileExamination = {
  /** null if the file cannot be read, or has an older schema. */
  report: DataFileReport | null;
  services: RunningService[];
  /** Time of the last request that came through a proxy without --trust-proxy, ms since 1970; 0: never. */
  forwardedAt: number;
  /** Values of the identity that the data file sets, by the name of their option. */
  identity: ReadonlyMap<string, string | null>;
};

/** A correct clock shows a time between these two. */
const minPlausibleTime = Date.UTC(2026, 10, 1);
const maxPlausibleTime = Date.UTC(2100, 0, 1);
const lowDiskBytes = 1e9;
const minDiskBytes = 1e8;

const unreadable: DataFileExamination = {
  report: null,
  services: [],
  forwardedAt: 0,
  identity: new Map(),
};

/** Checks the file at `path`, and `key` if there is one. Only reads the file. */
export async function examineFile(
  path: string,
  key: string | undefined,
  add: AddFinding,
): Promise<DataFileExamination> {
  if (!existsSync(path)) {
    add('data file', 'warning', `There is no file ${resolve(path)}.`, '`cratebase serve` creates it.');
    return unreadable;
  }
  const { openApp, OutdatedSchema, findServicesUsing, whyUnwritable, describeReadError } = await import(
    '../app.ts'
  );
  // Before the file is opened: an open file has a log and an index.
  const shared = sharedFiles(path);
  try {
    const app = openApp({ data: path, create: false, readOnly: true });
    try {
      if (key !== undefined) await checkKey(app, key, add);
      const report = await readReport(app, path);
      if (shared.length > 0) addShared(shared, add);
      const unwritable = whyUnwritable(path);
      if (unwritable !== null) add('data file', 'failed', unwritable.message);
      checkIntegrity(app, report, add);
      checkContent(app, report, add);
      await checkBackups(app, add);
      checkExports(report, isScheduled(app, 'export-dir'), add);
      const fileSettings = app.identity.settings().filter(({ from }) => from === 'file');
      const identity = new Map(fileSettings.map(({ name, value }) => [name, value]));
      return { report, services: app.services.running(), forwardedAt: app.services.proxySeenAt(), identity };
    } finally {
      app.close();
    }
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    if (failure instanceof OutdatedSchema) {
      add('data file', 'warning', failure.message);
      return { ...unreadable, services: findServicesUsing(path) };
    }
    const described = describeReadError(failure, path) as Error;
    const advice = described instanceof Failure ? null : '`cratebase verify` shows details.';
    add('data file', 'failed', described.message, advice);
    return unreadable;
  }
}

/** Returns those of data file, log and log index that every user may read or write. */
function sharedFiles(path: string): string[] {
  if (process.platform === 'win32') return [];
  const real = realpathSync(path);
  return ['', '-wal', '-shm']
    .map((end) => real + end)
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0);
}

/** Warns that other users reach the file, which has the hashes of keys and passwords. */
function addShared(open: readonly string[], add: AddFinding): void {
  add(
    'data file',
    'warning',
    `Every user of this machine may read or write ${open.join(', ')}.`,
    `\`chmod 600 ${open.map(shellQuote).join(' ')}\` keeps it to its owner.`,
  );
}

/** `doctor` checks the whole content of smaller files only. */
const maxQuickCheckBytes = 64e6;

/** Reports size and schema; checks the integrity of a small file. */
function checkIntegrity(app: App, { bytes: size, facts }: DataFileReport, add: AddFinding): void {
  const about = `${formatBytes(size)}, schema ${facts.schema}`;
  if (size > maxQuickCheckBytes) {
    add('data file', 'ok', `${about}; not checked in full (\`cratebase verify\` does that)`);
    return;
  }
  const [integrity] = app.file.check();
  const [problem] = integrity?.problems ?? [];
  if (problem === undefined) add('data file', 'ok', about);
  else
    add('data file', 'failed', `The file is damaged: ${problem.split('\n')[0]}`, integrity?.advice ?? null);
}

/** Without PostgreSQL, which `checkCluster` reports, accounts and keys are those of the file. */
async function readReport(app: App, path: string): Promise<DataFileReport> {
  const { last_synced_at: _, ...counts } = app.stats();
  return {
    path: resolve(path),
    bytes: fileSize(path),
    log_bytes: fileSize(`${path}-wal`),
    facts: await app.facts().catch(() => app.file.facts()),
    counts,
    ...app.exports.report(),
  };
}

const fileSize = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

function checkContent(
  app: App,
  { facts, counts, bytes: size, log_bytes: log }: DataFileReport,
  add: AddFinding,
): void {
  const sources = app.sourceRuns.states();
  if (counts.upcoming_events === 0) {
    const all = Number(counts.events) > 0 ? ' All events are over. Check the clock.' : '';
    const advice =
      sources.length > 0
        ? 'To read the sources now, run `cratebase sync`.'
        : 'Add a source, see `cratebase sources add --help`.';
    add('catalogue', 'warning', `There are no upcoming events.${all}`, advice);
  }
  if (facts.starter === 'wanted') {
    const message = 'The starter catalogue is incomplete.';
    add('data file', 'warning', message, '`cratebase serve` completes it.');
  }
  if (facts.removed > 0)
    add(
      'catalogue',
      'ok',
      `${plural(facts.removed, 'record')} hidden or deleted (\`cratebase removed\` lists them)`,
    );
  if (facts.has_forgotten_traces) {
    const message = 'Unused parts of the data file may hold what was forgotten.';
    add('data file', 'warning', message, 'Stop the service and run `cratebase forget --sweep`.');
  }
  if (log > Math.max(size, 256e6)) {
    const message = `The write-ahead log has ${formatBytes(log)}.`;
    add('data file', 'warning', message, 'End long-running readers, such as an export.');
  }
  for (const { name, failures, rejected, last_success_at } of sources) {
    if (rejected > 0) {
      const message = `${name}: ${plural(rejected, 'record')} rejected in the last run.`;
      add('sources', 'warning', message, '`cratebase sources list` shows them with the reason.');
    }
    if (failures === 0) continue;
    const last = last_success_at === null ? 'never read' : `last read ${last_success_at.slice(0, 16)}Z`;
    const advice = `\`cratebase sources list\` shows the reason, \`cratebase sync ${shellQuote(name)}\` tries again.`;
    add('sources', 'warning', `${name} failed ${plural(failures, 'time')}; ${last}.`, advice);
  }
  if (facts.keys === 0) {
    const advice =
      'Create an account with `cratebase accounts create`, and a key with `cratebase keys create`.';
    add('access', 'warning', 'There is no API key.', advice);
  }
}

/**
 * Reports the free space of the disk of the data file: `failed` below 100 MB, a warning if a backup would not fit
 * (1 GB, or the size of the file).
 * @param data the report of the file; null: it could not be read
 */
export function checkDisk(path: string, data: DataFileReport | null, add: AddFinding): void {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(path)));
    const free = bavail * bsize;
    const advice = 'Free some space, or move the data file and name it with --data.';
    if (free < minDiskBytes) add('disk', 'failed', `Only ${formatBytes(free)} free.`, advice);
    else if (free < Math.max(lowDiskBytes, data?.bytes ?? 0)) {
      add('disk', 'warning', `Only ${formatBytes(free)} free: not enough for a backup on this disk.`, advice);
    } else add('disk', 'ok', `${formatBytes(free)} free`);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    const message = `${dirname(resolve(path))} cannot be read (${code}).`;
    add('disk', 'failed', message, 'Name another data file with --data.');
  }
}

/**
 * Reports a clock outside 2026 to 2100 as `failed`, and one that is more than 10 seconds before the last import as
 * a warning.
 */
export function checkClock(data: DataFileReport | null, add: AddFinding): void {
  const now = Date.now();
  const time = new Date(now).toISOString();
  const synced = data?.facts.last_synced_ts ?? 0;
  if (now < minPlausibleTime || now > maxPlausibleTime)
    add('clock', 'failed', `The clock says ${time}.`, 'Correct the clock.');
  else if (synced > now + maxClockSkewMs) {
    add('clock', 'warning', `The clock says ${time}, which is before the last import.`, 'Check the clock.');
  } else add('clock', 'ok', time);
}
