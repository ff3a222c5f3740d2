/**
 * Builds everything that lies behind the doors: with `doors.ts`, which wires those to one server, the only place where
 * things are constructed. Commands get what is built here. What only some of them need is loaded when it is first asked
 * for: most are done before the rest would be.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Access } from './access/access.ts';
import { readAsset } from './assets.ts';
import { openSearch, type Search } from './catalogue/search.ts';
import {
  type About,
  type Beginning,
  shownHits,
  shownList,
  shownRecord,
  shownStats,
} from './catalogue/shown.ts';
import { type Clock, frozenClock, systemClock } from './clock.ts';
import { Problem } from './contract/errors.ts';
import type { Kind } from './contract/fields.ts';
import { type OpenApiDocument, openApiDocument } from './contract/openapi.ts';
import type { OperationId } from './contract/operations.ts';
import type { Plan } from './contract/plans.ts';
import type { Shown } from './contract/records.ts';
import type { GuardedFetch } from './fetch/fetch.ts';
import type { SourceState } from './http/around.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { openDatabase, readSetting } from './store/database.ts';
import { type Export, type ExportOptions, exportLines, openExport } from './store/export.ts';
import { FileKeeper, type FileState, soundFile } from './store/file-keeper.ts';
import { forwardedAt, noteForwarded } from './store/forwarded.ts';
import { LockWatch } from './store/lock-watch.ts';
import { type LogFiles, logFilesOf } from './store/log-files.ts';
import {
  type Check,
  checkFile,
  checkpoint,
  copyTo,
  type FileFacts,
  forbidWrites,
  leaveCheckpoints,
  readFacts,
  readRevision,
  setLogAside,
  tryWrite,
} from './store/maintenance.ts';
import { type NamedChange, namedChanges } from './store/named-changes.ts';
import { openReader, type Reader } from './store/reader.ts';
import { type Restored, restoreFile } from './store/restoring.ts';
import { countSamples } from './store/samples.ts';
import { Schedules } from './store/schedules.ts';
import { makeScratch, type Scratch } from './store/scratch.ts';
import { forgetPast, livingServices, noteServing, type Service, type ServiceNote } from './store/serving.ts';
import type { SiteReader } from './store/site.ts';
import { slugsBeginning } from './store/slug-prefixes.ts';
import type { OnPages } from './store/snapshot.ts';
import { isAnythingStale } from './store/stale.ts';
import type { Feeds } from './sync/feeds.ts';
import type { ImportFilesOptions, ImportFilesReport } from './sync/import-files.ts';
import type { Subject } from './sync/lines.ts';
import type { Corrections } from './sync/match/corrections.ts';
import type { NamedMatch } from './sync/preview.ts';

export type { Access } from './access/access.ts';
export type { PendingSummary } from './access/pending.ts';
export { isDiskFull, OlderSchema, readable } from './store/database.ts';
export type { FileKeeper, FileState } from './store/file-keeper.ts';
export { problemOfState } from './store/file-keeper.ts';
export type { Check, FileFacts } from './store/maintenance.ts';
export { sqliteVersion } from './store/maintenance.ts';
export type { NamedChange } from './store/named-changes.ts';
export type { Service } from './store/serving.ts';
export { servicesOn } from './store/upgrading.ts';
export type { SyncOptions, SyncReport } from './sync/feeds.ts';
export type { ImportReport } from './sync/import.ts';
export type { ImportFilesReport } from './sync/import-files.ts';
export type { Corrected, KeptApart, Merged } from './sync/match/corrections.ts';
export type {
  Duplicate,
  Explanation,
  LeftOut,
  ShownPair,
  ShownRecord,
  ShownStatement,
} from './sync/match/explaining.ts';
export type { ShownSource } from './sync/plans.ts';
export type { NamedMatch } from './sync/preview.ts';

type Sqlite = ReturnType<typeof openDatabase>;

/** The program's version. */
export const programVersion = (): string =>
  (JSON.parse(readAsset('package.json')) as { version: string }).version;

/** Where answers of a command say that records are, when nobody says where they are served. */
const defaultBaseUrl = 'http://127.0.0.1:4880';

export type AppOptions = {
  /** Path of the data file. */
  data: string;
  /** Makes the file where there is none. */
  create: boolean;
  /** Nothing of the file is changed; it may lie on a read-only disk. */
  readOnly?: boolean;
  /** A file of an older schema is opened as it is. */
  anySchema?: boolean;
  clock?: Clock;
};

/** Opens the data file; throws a `Failure` that says what to do. */
export const openApp = (options: AppOptions): App => new App(options);

/** The account that `serve --dev` makes. */
const devEmail = 'dev@localhost';

/** The data file, and what can be asked of it and done to it. */
export class App {
  readonly path: string;
  readonly clock: Clock;
  /** What whoever keeps the file last said of it. */
  fileState: FileState = soundFile;
  readonly #sqlite: Sqlite;
  readonly #inode: bigint;
  readonly #logFiles: LogFiles;
  readonly #readOnly: boolean;
  #reader: Reader | undefined;
  #search: Search | undefined;
  #access: Access | undefined;
  #schedules: Schedules | undefined;
  readonly #connections: Sqlite[];

  constructor({ data, create, readOnly = false, anySchema = false, clock = systemClock }: AppOptions) {
    this.path = data;
    this.clock = clock;
    this.#readOnly = readOnly;
    this.#sqlite = openDatabase(data, { create, readOnly, anySchema });
    this.#connections = [this.#sqlite];
    this.#inode = statSync(data, { bigint: true }).ino;
    this.#logFiles = logFilesOf(data);
    if (readOnly) forbidWrites(this.#sqlite);
  }

  get reader(): Reader {
    this.#reader ??= openReader(this.#sqlite);
    return this.#reader;
  }

  get search(): Search {
    this.#search ??= openSearch(this.#sqlite);
    return this.#search;
  }

  /** What the public pages read beside that, over the same connection. */
  readSite(open: (sqlite: Sqlite) => SiteReader): SiteReader {
    return open(this.#sqlite);
  }

  /** Accounts, keys, the meter: over a connection of their own. */
  async access(): Promise<Access> {
    if (this.#access === undefined) {
      const { openAccess } = await import('./access/access.ts');
      const sqlite = this.#connect();
      this.#connections.push(sqlite);
      this.#access = openAccess(sqlite, this.clock);
    }
    return this.#access;
  }

  /** Another connection to the file. */
  #connect(): Sqlite {
    const sqlite = openDatabase(this.path, { create: false, readOnly: this.#readOnly });
    if (this.#readOnly) forbidWrites(sqlite);
    return sqlite;
  }

  /** A record as the API shows it; throws a `Failure` where nobody has the slug. */
  record(kind: Kind, slug: string, edition: string, baseUrl: string): Record<string, unknown> {
    return shownRecord(this, kind, { slug, edition }, baseUrl);
  }

  /** The beginning of one of the API's lists, and whether there is more; throws a `Problem` where nobody has the slug. */
  list(operation: OperationId, baseUrl: string, about: About): Beginning {
    return shownList(this, operation, about, baseUrl);
  }

  /** What a search finds, best first, as the API shows it. */
  find(query: string, limit: number, baseUrl: string): Shown<'SearchHit'>[] {
    return shownHits(this, query, limit, baseUrl);
  }

  stats(): Shown<'Stats'> {
    return shownStats(this);
  }

  /** Slugs of a kind that begin so, in their order, at most `limit`. */
  slugsBeginning(kind: Kind, prefix: string, limit: number): string[] {
    return slugsBeginning(this.#sqlite, kind, prefix, limit);
  }

  revision(): number {
    return readRevision(this.#sqlite);
  }

  /** The revision as the path has it now: throws where the file is gone, replaced or not readable. */
  revisionOnDisk(): number {
    const { ino } = statSync(this.path, { bigint: true });
    if (ino !== this.#inode) throw new Problem('unavailable', 'The data file was replaced. Restart.');
    return readRevision(this.#sqlite);
  }

  /** Throws what SQLite says where the file cannot be written. */
  tryWrite(): void {
    tryWrite(this.#sqlite);
  }

  /** Watches, until the file is closed, whether another process holds the write lock for more than five seconds. */
  watchLock(onChange: (isStuck: boolean) => void): LockWatch {
    return new LockWatch(this.#sqlite, onChange);
  }

  /**
   * Looks after the file until that is stopped (`store/file-watch.ts`): one process of a service does, for all of them.
   * `fileState` says how it stands.
   */
  keepFile(log: Log, tell?: (state: FileState) => void): FileKeeper {
    const key = readSetting(this.#sqlite, 'cursor_key') ?? '';
    return new FileKeeper(
      { path: this.path, inode: this.#inode, key, logFiles: this.#logFiles },
      log,
      (state) => {
        this.fileState = state;
        tell?.(state);
      },
    );
  }

  /** Whether the file, or the log beside it, is no longer ours and must not be written to. */
  get isForeign(): boolean {
    const { trouble } = this.fileState;
    return trouble === 'overwritten' || trouble === 'separated';
  }

  /** Puts away the log of a file that is gone, so that nobody writes it into what lies there now or will. */
  setLogAside(): void {
    setLogAside(this.path);
  }

  /** No request is to wait for a checkpoint: whoever keeps the file (`keepFile`) makes them. */
  async leaveCheckpoints(): Promise<void> {
    await this.access();
    for (const sqlite of this.#connections) leaveCheckpoints(sqlite);
  }

  /** Reads feeds or files of other formats into the catalogue (`sync/import-files.ts`), when it is its turn. */
  async importFiles(
    options: Omit<ImportFilesOptions, 'now' | 'fetch'>,
    from: FetchFrom,
  ): Promise<ImportFilesReport> {
    const [{ importFiles }, fetch] = await Promise.all([
      import('./sync/import-files.ts'),
      this.#loadFetch(from),
    ]);
    return importFiles(this.#sqlite, { ...options, fetch, now: this.clock.now() });
  }

  /** What matching decided, and putting it right (`sync/match/corrections.ts`). */
  async corrections(onWait?: (what: string) => void): Promise<Corrections> {
    const { Corrections } = await import('./sync/match/corrections.ts');
    return new Corrections(this.#sqlite, this.clock.now(), onWait);
  }

  /** The sources that fill the catalogue by themselves (`sync/feeds.ts`). */
  async feeds(from: FetchFrom): Promise<Feeds> {
    const [{ Feeds }, fetch, { blockedHost }, { keysFrom }] = await Promise.all([
      import('./sync/feeds.ts'),
      this.#loadFetch(from),
      import('./fetch/private.ts'),
      import('./sync/sources/keys.ts'),
    ]);
    return new Feeds(this.#sqlite, this.clock, {
      fetch,
      keys: (type) => keysFrom(type, process.env),
      blocked: (address) => blockedHost(address, from.fetchAllow),
    });
  }

  /** The names of the sources that are due. To be asked often: nothing of what reads them is loaded. */
  dueSources(): string[] {
    return this.#plans.due(this.clock.now()).map(({ name }) => name);
  }

  /** Whether a command or a sync that died left work half done, and nobody is at it: `sync --due` finishes it. */
  async isLeftHalfDone(): Promise<boolean> {
    if (!isAnythingStale(this.#sqlite)) return false;
    const { isTaken } = await import('./sync/turn.ts');
    return !isTaken(this.#sqlite);
  }

  /**
   * Notes the runs of sources whose process died (`sync/deaths.ts`).
   * @param seen the process whose end was seen, and why it ended
   * @returns the names of the sources that were being read
   */
  async recordDeaths(seen?: { pid: number; reason: string }): Promise<string[]> {
    const { isGone, recordDeaths, unseen } = await import('./sync/deaths.ts');
    return recordDeaths(this.#sqlite, this.clock.now(), (runner) => {
      if (seen !== undefined && runner.pid === seen.pid && isGone(runner)) return seen.reason;
      return isGone(runner) ? unseen : null;
    });
  }

  /** How the reading of each source goes, without what only the operator is to know. */
  sourceStates(): SourceState[] {
    return this.#plans.all().map(({ name, failures, rejected, ok_ts, next_ts }) => ({
      name,
      state: failures > 0 ? 'failing' : ok_ts === null ? 'new' : 'ok',
      failures,
      rejected,
      last_success_at: ok_ts === null ? null : new Date(ok_ts).toISOString(),
      next_run_at: new Date(next_ts).toISOString(),
    }));
  }

  /** Bodies of sources wait beside the data file: its disk is known to be written to, and is no memory. */
  #loadFetch(from: FetchFrom): Promise<GuardedFetch> {
    return loadFetch(from, dirname(this.path));
  }

  get #plans(): Schedules {
    this.#schedules ??= new Schedules(this.#sqlite);
    return this.#schedules;
  }

  /** What a dry run of a source found to be there already: to be filled by the run, and told after it (`sync/preview.ts`). */
  async matches(): Promise<{ add: (subject: Subject) => void; named: (source: string) => NamedMatch[] }> {
    const { Matches } = await import('./sync/preview.ts');
    const found = new Matches();
    const named = (source: string) => found.named(this.#sqlite, source, this.clock.now());
    return { add: (subject) => found.add(subject), named };
  }

  /** What happened to which record after a revision, oldest first. */
  changesSince(revision: number): Generator<NamedChange> {
    return namedChanges(this.#sqlite, revision);
  }

  /** Notes that a file just made is to have the starter catalogue: a fill that dies is taken up by the next start. */
  async wantStarter(options: { samples?: boolean } = {}): Promise<void> {
    const { wantStarter } = await import('./sync/starter.ts');
    wantStarter(this.#sqlite, options);
  }

  get lacksStarter(): boolean {
    return readSetting(this.#sqlite, 'starter') === 'wanted';
  }

  /** How many of its sample events the file has. */
  samples(): number {
    return countSamples(this.#sqlite);
  }

  async fillStarter(): Promise<void> {
    const { importStarter } = await import('./sync/starter.ts');
    await importStarter(this.#sqlite, this.clock.now());
  }

  /** The catalogue in the feed format, in batches of lines. Nothing else may be asked until the last. */
  exportLines(options: ExportOptions): Generator<string[], number> {
    return exportLines(this.#sqlite, options);
  }

  /** The same for who writes them to somebody who may be slow. */
  openExport(options: ExportOptions): Export {
    return openExport(this.#sqlite, options);
  }

  copyTo(target: string, onPages?: OnPages): Promise<void> {
    return copyTo(this.#sqlite, target, onPages);
  }

  /** Integrity, foreign keys, the search index: one after the other. */
  check(): Generator<Check> {
    return checkFile(this.#sqlite);
  }

  facts(): FileFacts {
    return readFacts(this.#sqlite);
  }

  /** The services of this machine that answer from the file, the one started last first. */
  services(): Service[] {
    return livingServices(this.#sqlite, this.path);
  }
  /** Notes what a service says of itself (`cli/serving.ts`), or takes that back; notes of dead ones go. */
  noteServing(name: string, note: ServiceNote | null): void {
    if (note !== null) forgetPast(this.#sqlite);
    noteServing(this.#sqlite, name, note);
  }
  /** When a service saw a proxy that it was not told of, in ms since 1970; 0 for never. */
  forwardedAt(): number {
    return forwardedAt(this.#sqlite);
  }
  noteForwarded(): void {
    noteForwarded(this.#sqlite, Date.now());
  }

  /** The account for offline work, on its plan and with its own limits, and its key. */
  async ensureDev(limits: DevLimits): Promise<{ account: string; key: string; plan: Plan }> {
    const { accounts, keys } = await this.access();
    const { email, plan } = await accounts.ensure(devEmail, limits.plan ?? 'free');
    await accounts.setLimits(email, { window: limits.window, quota: limits.quota });
    const secret = Buffer.from(readSetting(this.#sqlite, 'cursor_key') ?? '', 'hex');
    const { key } = await keys.ensureDevKey(email, secret);
    return { account: email, key, plan };
  }

  /** Whether `serve --dev` was ever run on this file. */
  async hasDevAccount(): Promise<boolean> {
    const { accounts } = await this.access();
    return (await accounts.list()).some(({ email }) => email === devEmail);
  }

  /**
   * Leaves the file complete in itself, as far as others that use it let that happen, and closes it. One that was
   * overwritten, or has lost its log, is not even closed: that would write the old log into it, and delete a new one.
   * End the process with `process.exit`.
   */
  close(): void {
    if (this.isForeign) return;
    this.#access?.close();
    if (!this.#sqlite.open) return;
    try {
      if (!this.#readOnly) checkpoint(this.#sqlite);
    } finally {
      this.#sqlite.close();
    }
  }
}

/** Who the service is to others, and which private addresses it may fetch from. */
export type FetchFrom = { baseUrl: string | null; fetchAllow: readonly string[] };

/**
 * The guarded way out (`fetch/fetch.ts`).
 * @param spoolFolder where large bodies wait; the system's folder for temporary files unless it is named
 */
export async function loadFetch(
  { baseUrl, fetchAllow }: FetchFrom,
  spoolFolder?: string,
): Promise<GuardedFetch> {
  const { openFetch } = await import('./fetch/fetch.ts');
  const whose = baseUrl === null ? '' : ` (+${baseUrl})`;
  const userAgent = `cratebase/${programVersion()}${whose}`;
  return openFetch({ allow: fetchAllow, userAgent, ...(spoolFolder === undefined ? {} : { spoolFolder }) });
}

export type DevLimits = { plan: Plan | null; window: number | null; quota: number | null };

/** The clock that a server goes by: real time, or the instant at which `--now` stops it. */
export const clockOf = (config: Settings): Clock =>
  config.now === null ? systemClock : frozenClock(config.now);

/** The OpenAPI document of a service. */
export const describeApi = (config: Pick<Settings, 'baseUrl' | 'name'>): OpenApiDocument =>
  openApiDocument({
    baseUrl: config.baseUrl ?? defaultBaseUrl,
    name: config.name,
    version: programVersion(),
  });

/** Reads what the operator says of a source; loaded when it is needed. */
export const loadPlans = () => import('./sync/plans.ts');

/** Puts a backup in the place of the data file (`store/restoring.ts`). */
export const restore = (backup: string, data: string): Restored => restoreFile(backup, data);

/** A folder beside the data file for a copy of it. */
export const scratchBeside = (data: string): Scratch => makeScratch(dirname(data), 'copy');
