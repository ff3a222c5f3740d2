/** What `doctor` finds about the data file, its disk, and the clock. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { App, FileFacts, Service } from '../app.ts';
import { Failure } from '../failure.ts';
import { type Add, checkKey } from './doctor-service.ts';
import { bytes, plural } from './terminal.ts';

export type DataReport = {
  path: string;
  bytes: number;
  log_bytes: number;
  facts: FileFacts;
  counts: Record<string, unknown>;
};
export type Examined = {
  /** null where the file cannot be read, or not before it is brought up to date. */
  report: DataReport | null;
  services: Service[];
  /** When a service on it saw a proxy that it was not told of, in ms since 1970. */
  forwardedAt: number;
};

/** No clock that is right says less than this. */
const earliest = Date.UTC(2026, 10, 1);
const latest = Date.UTC(2100, 0, 1);
const skewMs = 10_000;
const scarce = 1e9;
const none = 1e8;

const unread: Examined = { report: null, services: [], forwardedAt: 0 };

/** Looks at the file at `path`, and at a key where one is given. Nothing of the file is changed. */
export async function examineFile(path: string, key: string | undefined, add: Add): Promise<Examined> {
  if (!existsSync(path)) {
    add('data file', 'warning', `There is no file ${resolve(path)}.`, '`cratebase serve` creates it.');
    return unread;
  }
  const { openApp, OlderSchema, servicesOn } = await import('../app.ts');
  try {
    const app = openApp({ data: path, create: false, readOnly: true });
    try {
      if (key !== undefined) await checkKey(app, key, add);
      const report = readReport(app, path);
      checkWhole(app, report, add);
      checkContent(app, report, add);
      return { report, services: app.services(), forwardedAt: app.forwardedAt() };
    } finally {
      app.close();
    }
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    if (failure instanceof OlderSchema) {
      add('data file', 'warning', failure.message);
      return { ...unread, services: servicesOn(path) };
    }
    const advice = failure instanceof Failure ? null : '`cratebase verify` shows details.';
    add('data file', 'failed', failure.message, advice);
    return unread;
  }
}

/** Small enough that nobody waits for the check of all of it. */
const quick = 64e6;

/** What the file is; where it is small, also whether it is whole. */
function checkWhole(app: App, { bytes: size, facts }: DataReport, add: Add): void {
  const about = `${bytes(size)}, schema ${facts.schema}`;
  if (size > quick) {
    add('data file', 'ok', `${about}; not checked in full (\`cratebase verify\` does that)`);
    return;
  }
  const [integrity] = app.check();
  const [problem] = integrity?.problems ?? [];
  if (problem === undefined) add('data file', 'ok', about);
  else
    add('data file', 'failed', `The file is damaged: ${problem.split('\n')[0]}`, integrity?.advice ?? null);
}

function readReport(app: App, path: string): DataReport {
  const { last_synced_at: _, ...counts } = app.stats();
  return {
    path: resolve(path),
    bytes: sizeOf(path),
    log_bytes: sizeOf(`${path}-wal`),
    facts: app.facts(),
    counts,
  };
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

function checkContent(app: App, { facts, counts, bytes: size, log_bytes: log }: DataReport, add: Add): void {
  const sources = app.sourceStates();
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
  if (log > Math.max(size, 256e6)) {
    const message = `The write-ahead log has ${bytes(log)}.`;
    add('data file', 'warning', message, 'End long-running readers, such as an export.');
  }
  for (const { name, failures, rejected, last_success_at } of sources) {
    if (rejected > 0) {
      const message = `${name}: ${plural(rejected, 'record')} rejected in the last run.`;
      add('sources', 'warning', message, '`cratebase sources list` shows them with the reason.');
    }
    if (failures === 0) continue;
    const last = last_success_at === null ? 'never read' : `last read ${last_success_at.slice(0, 16)}Z`;
    const advice = `\`cratebase sources list\` shows the reason, \`cratebase sync ${name}\` tries again.`;
    add('sources', 'warning', `${name} failed ${plural(failures, 'time')}; ${last}.`, advice);
  }
  if (facts.keys === 0) {
    const advice =
      'Create an account with `cratebase accounts create`, and a key with `cratebase keys create`.';
    add('access', 'warning', 'There is no API key.', advice);
  }
}

export function checkDisk(path: string, data: DataReport | null, add: Add): void {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(path)));
    const free = bavail * bsize;
    const advice = 'Free some space, or move the data file and name it with --data.';
    if (free < none) add('disk', 'failed', `Only ${bytes(free)} free.`, advice);
    else if (free < Math.max(scarce, data?.bytes ?? 0)) {
      add('disk', 'warning', `Only ${bytes(free)} free: not enough for a backup on this disk.`, advice);
    } else add('disk', 'ok', `${bytes(free)} free`);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    const message = `${dirname(resolve(path))} cannot be read (${code}).`;
    add('disk', 'failed', message, 'Name another data file with --data.');
  }
}

export function checkClock(data: DataReport | null, add: Add): void {
  const now = Date.now();
  const said = new Date(now).toISOString();
  const synced = data?.facts.last_synced_ts ?? 0;
  if (now < earliest || now > latest) add('clock', 'failed', `The clock says ${said}.`, 'Correct the clock.');
  else if (synced > now + skewMs) {
    add('clock', 'warning', `The clock says ${said}, which is before the last import.`, 'Check the clock.');
  } else add('clock', 'ok', said);
}
