/**
 * Builds everything that lies behind the doors: with `doors.ts`, which wires those to one server, the only place where
 * things are constructed. Commands get what is built here. What only some of them need is loaded when it is first asked
 * for: most are done before the rest would be.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Access } from './access/access.ts';
import { readAsset } from './assets.ts';
import {
  getList,
  getRecord,
  getStats,
  type ListStart,
  type RecordRequest,
  searchRecords,
} from './catalogue/local-client.ts';
import { type CatalogueSearch, openSearch } from './catalogue/search.ts';
import { type Clock, frozenClock, systemClock } from './clock.ts';
import { Problem } from './contract/errors.ts';
import type { Kind } from './contract/fields.ts';
import { type OpenApiDocument, openApiDocument } from './contract/openapi.ts';
import type { OperationId } from './contract/operations.ts';
import type { Plan } from './contract/plans.ts';
import type { ApiRecord } from './contract/records.ts';
import type { GuardedFetch } from './fetch/guarded-fetch.ts';
import type { SourceMetrics } from './http/metrics.ts';
import type { SourceState } from './http/service-endpoints.ts';
import type { Corrections } from './ingest/corrections/corrections.ts';
import type { ImportFilesOptions, ImportFilesReport } from './ingest/import/import-files.ts';
import type { MatchPreview } from './ingest/match-preview.ts';
import type { SourceRegistry } from './ingest/schedule/source-registry.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import type { RecordKey } from './sources/common/input-items.ts';
import { openDatabase, readSetting } from './store/database.ts';
import { type ExportOptions, exportLines, type FeedExport, openExport } from './store/export/export.ts';
import { LockMonitor } from './store/file/lock-monitor.ts';
import { type LogFiles, logFilesOf } from './store/file/log-files.ts';
import {
  backUpTo,
  checkFile,
  checkpoint,
  disableAutoCheckpoint,
  type FileCheck,
  type FileFacts,
  makeReadOnly,
  moveLogAside,
  probeWrite,
  readFacts,
  readRevision,
} from './store/file/maintenance.ts';
import { FileMonitor, type FileState, healthyFile } from './store/file/monitor.ts';
import { proxySeenAt, saveProxySeen } from './store/file/proxy-notice.ts';
import { type RestoreResult, restoreFile } from './store/file/restore.ts';
import { createScratchDirectory, type ScratchDirectory } from './store/file/scratch-directory.ts';
import {
  findRunningServices,
  type RegisteredService,
  type RunningService,
  registerService,
  removeDeadServices,
} from './store/file/service-registry.ts';
import type { CopyProgressListener } from './store/file/snapshot.ts';
import { type ChangeWithName, changesWithNames } from './store/named-changes.ts';
import { type CatalogueReader, openCatalogueReader } from './store/reader.ts';
import { countSampleEvents } from './store/schedule/sample-events.ts';
import { ScheduleStore } from './store/schedule/schedules.ts';
import type { SiteReader } from './store/site/site-reader.ts';
import { slugsWithPrefix } from './store/slug-prefixes.ts';
import { hasStaleRecords } from './store/stale.ts';

export type { Access } from './access/access.ts';
export type { PendingAccountSummary } from './access/pending-accounts.ts';
export type { CorrectionResult, MergeReport, NeverMergeReport } from './ingest/corrections/corrections.ts';
export type {
  ComparedPair,
  Duplicate,
  Explanation,
  OmittedCandidates,
  RecordSummary,
  StatementSummary,
} from './ingest/corrections/explain.ts';
export type { ImportReport } from './ingest/import/import-feed.ts';
export type { ImportFilesReport } from './ingest/import/import-files.ts';
export type { MatchPreview } from './ingest/match-preview.ts';
export type { SourceSummary } from './ingest/schedule/source-config.ts';
export type { SyncOptions, SyncReport } from './ingest/schedule/source-registry.ts';
export { describeReadError, isDiskFull, OutdatedSchema } from './store/database.ts';
export type { FileCheck, FileFacts } from './store/file/maintenance.ts';
export { sqliteVersion } from './store/file/maintenance.ts';
export type { FileMonitor, FileState } from './store/file/monitor.ts';
export { problemForState } from './store/file/monitor.ts';
export type { RunningService } from './store/file/service-registry.ts';
export { findServicesUsing } from './store/file/upgrade.ts';
export type { ChangeWithName } from './store/named-changes.ts';

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

/** How long the number of records of a source is kept while the catalogue changes, in ms. */
const recordCountMaxAgeMs = 60_000;

/** The account that `serve --dev` makes. */
const devEmail = 'dev@localhost';

/** The data file, and what can be asked of it and done to it. */
export class App {
  readonly path: string;
  readonly clock: Clock;
  /** What whoever keeps the file last said of it. */
  fileState: FileState = healthyFile;
  readonly #sqlite: Sqlite;
  readonly #inode: bigint;
  readonly #logFiles: LogFiles;
  readonly #readOnly: boolean;
  #reader: CatalogueReader | undefined;
  #search: CatalogueSearch | undefined;
  #access: Access | undefined;
  #schedules: ScheduleStore | undefined;
  readonly #recordCounts = new Map<number, { records: number; revision: number; countedAtMs: number }>();
  readonly #connections: Sqlite[];

  constructor({ data, create, readOnly = false, anySchema = false, clock = systemClock }: AppOptions) {
    this.path = data;
    this.clock = clock;
    this.#readOnly = readOnly;
    this.#sqlite = openDatabase(data, { create, readOnly, allowOtherSchema: anySchema });
    this.#connections = [this.#sqlite];
    this.#inode = statSync(data, { bigint: true }).ino;
    this.#logFiles = logFilesOf(data);
    if (readOnly) makeReadOnly(this.#sqlite);
  }

  get reader(): CatalogueReader {
    this.#reader ??= openCatalogueReader(this.#sqlite);
    return this.#reader;
  }

  get search(): CatalogueSearch {
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
    if (this.#readOnly) makeReadOnly(sqlite);
    return sqlite;
  }

  /** A record as the API shows it; throws a `Failure` where nobody has the slug. */
  record(kind: Kind, slug: string, edition: string, baseUrl: string): Record<string, unknown> {
    return getRecord(this, kind, { slug, edition }, baseUrl);
  }

  /** The beginning of one of the API's lists, and whether there is more; throws a `Problem` where nobody has the slug. */
  list(operation: OperationId, baseUrl: string, query: RecordRequest): ListStart {
    return getList(this, operation, query, baseUrl);
  }

  /** What a search finds, best first, as the API shows it. */
  searchHits(query: string, limit: number, baseUrl: string): ApiRecord<'SearchHit'>[] {
    return searchRecords(this, query, limit, baseUrl);
  }

  stats(): ApiRecord<'Stats'> {
    return getStats(this);
  }

  /** Slugs of a kind that begin so, in their order, at most `limit`. */
  slugsBeginning(kind: Kind, prefix: string, limit: number): string[] {
    return slugsWithPrefix(this.#sqlite, kind, prefix, limit);
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
    probeWrite(this.#sqlite);
  }

  /** Watches, until the file is closed, whether another process holds the write lock for more than five seconds. */
  watchLock(onChange: (isStuck: boolean) => void): LockMonitor {
    return new LockMonitor(this.#sqlite, onChange);
  }

  /**
   * Looks after the file until that is stopped (`store/file/watcher.ts`): one process of a service does, for all of them.
   * `fileState` says how it stands.
   */
  maintainFile(log: Log, onState?: (state: FileState) => void): FileMonitor {
    const key = readSetting(this.#sqlite, 'cursor_key') ?? '';
    return new FileMonitor(
      { path: this.path, inode: this.#inode, key, logFiles: this.#logFiles },
      log,
      (state) => {
        this.fileState = state;
        onState?.(state);
      },
    );
  }

  /** Whether the file, or the log beside it, is no longer ours and must not be written to. */
  get isOverwritten(): boolean {
    const { fault: trouble } = this.fileState;
    return trouble === 'overwritten' || trouble === 'separated';
  }

  /** Puts away the log of a file that is gone, so that nobody writes it into what lies there now or will. */
  moveWalAside(): void {
    moveLogAside(this.path);
  }

  /** No request is to wait for a checkpoint: whoever keeps the file (`maintainFile`) makes them. */
  async disableAutoCheckpoint(): Promise<void> {
    await this.access();
    for (const sqlite of this.#connections) disableAutoCheckpoint(sqlite);
  }

  /** Reads feeds or files of other formats into the catalogue (`ingest/import/import-files.ts`), when it is its turn. */
  async importFiles(
    options: Omit<ImportFilesOptions, 'now' | 'fetch'>,
    from: FetchConfig,
  ): Promise<ImportFilesReport> {
    const [{ importFiles }, fetch] = await Promise.all([
      import('./ingest/import/import-files.ts'),
      this.#loadFetch(from),
    ]);
    return importFiles(this.#sqlite, { ...options, fetch, now: this.clock.now() });
  }

  /** What matching decided, and putting it right (`ingest/corrections/corrections.ts`). */
  async corrections(onWait?: (what: string) => void): Promise<Corrections> {
    const { Corrections } = await import('./ingest/corrections/corrections.ts');
    return new Corrections(this.#sqlite, this.clock.now(), onWait);
  }

  /** The sources that fill the catalogue by themselves (`ingest/schedule/source-registry.ts`). */
  async sources(from: FetchConfig): Promise<SourceRegistry> {
    const [
      { SourceRegistry: Feeds },
      fetch,
      { findBlockedHost: blockedHost },
      { credentialsFromEnv: keysFrom },
    ] = await Promise.all([
      import('./ingest/schedule/source-registry.ts'),
      this.#loadFetch(from),
      import('./fetch/blocked-host.ts'),
      import('./sources/credentials.ts'),
    ]);
    return new Feeds(this.#sqlite, this.clock, {
      fetch,
      secretSettings: (type) => keysFrom(type, process.env),
      blockedHostOf: (address) => blockedHost(address, from.fetchAllow),
    });
  }

  /** The names of the sources that are due. To be asked often: nothing of what reads them is loaded. */
  dueSources(): string[] {
    return this.#plans.due(this.clock.now()).map(({ name }) => name);
  }

  /** Whether a command or a sync that died left work half done, and nobody is at it: `sync --due` finishes it. */
  async hasUnfinishedWork(): Promise<boolean> {
    if (!hasStaleRecords(this.#sqlite)) return false;
    const { isLeaseHeld: isTaken } = await import('./ingest/write-lock/write-lease.ts');
    return !isTaken(this.#sqlite);
  }

  /**
   * Notes the runs of sources whose process died (`ingest/schedule/dead-runs.ts`).
   * @param exited the process whose end was seen, and why it ended
   * @returns the names of the sources that were being read
   */
  async recordCrashedRuns(exited?: { pid: number; reason: string }): Promise<string[]> {
    const {
      isProcessGone: isGone,
      recordDeadRuns: recordDeaths,
      unexpectedExitReason: unseen,
    } = await import('./ingest/schedule/dead-runs.ts');
    return recordDeaths(this.#sqlite, this.clock.now(), (runner) => {
      if (exited !== undefined && runner.pid === exited.pid && isGone(runner)) return exited.reason;
      return isGone(runner) ? unseen : null;
    });
  }

  /** How the reading of each source goes, without what only the operator is to know. */
  sourceStates(): SourceState[] {
    return this.#plans.all().map(({ name, failures, rejected, last_success_ts, next_ts }) => ({
      name,
      state: failures > 0 ? 'failing' : last_success_ts === null ? 'new' : 'ok',
      failures,
      rejected,
      last_success_at: last_success_ts === null ? null : new Date(last_success_ts).toISOString(),
      next_run_at: new Date(next_ts).toISOString(),
    }));
  }

  /** The figures of each scheduled source, by name. */
  sourceMetrics(): SourceMetrics[] {
    return this.#plans.all().map(({ source_id, name, last_success_ts: ok_ts, failures, rejected }) => ({
      name,
      lastSuccessMs: ok_ts,
      failures,
      rejected,
      records: this.#countRecords(source_id),
    }));
  }

  /** Counts the records of a source: again after a change of the catalogue, but at most once a minute, since it reads them all. */
  #countRecords(source: number): number {
    const cached = this.#recordCounts.get(source);
    const isFresh = cached !== undefined && performance.now() - cached.countedAtMs < recordCountMaxAgeMs;
    const revision = isFresh ? cached.revision : this.revisionOnDisk();
    if (cached?.revision === revision) return cached.records;
    const records = this.#plans.countRecords(source);
    this.#recordCounts.set(source, { records, revision, countedAtMs: performance.now() });
    return records;
  }

  /** Bodies of sources wait beside the data file: its disk is known to be written to, and is no memory. */
  #loadFetch(from: FetchConfig): Promise<GuardedFetch> {
    return loadFetch(from, dirname(this.path));
  }

  get #plans(): ScheduleStore {
    this.#schedules ??= new ScheduleStore(this.#sqlite);
    return this.#schedules;
  }

  /** What a dry run of a source found to be there already: to be filled by the run, and told after it (`ingest/match-preview.ts`). */
  async dryRunMatches(): Promise<{
    add: (subject: RecordKey) => void;
    named: (source: string) => MatchPreview[];
  }> {
    const { MatchCollector: Matches } = await import('./ingest/match-preview.ts');
    const found = new Matches();
    const named = (source: string) => found.describeAll(this.#sqlite, source, this.clock.now());
    return { add: (subject) => found.add(subject), named };
  }

  /** What happened to which record after a revision, oldest first. */
  changesSince(revision: number): Generator<ChangeWithName> {
    return changesWithNames(this.#sqlite, revision);
  }

  /** Notes that a file just made is to have the starter catalogue: a fill that dies is taken up by the next start. */
  async requestStarter(options: { samples?: boolean } = {}): Promise<void> {
    const { requestStarter: wantStarter } = await import('./ingest/starter.ts');
    wantStarter(this.#sqlite, options);
  }

  get isStarterPending(): boolean {
    return readSetting(this.#sqlite, 'starter') === 'wanted';
  }

  /** How many of its sample events the file has. */
  countSampleEvents(): number {
    return countSampleEvents(this.#sqlite);
  }

  async importStarter(): Promise<void> {
    const { importStarter } = await import('./ingest/starter.ts');
    await importStarter(this.#sqlite, this.clock.now());
  }

  /** The catalogue in the feed format, in batches of lines. Nothing else may be asked until the last. */
  exportLines(options: ExportOptions): Generator<string[], number> {
    return exportLines(this.#sqlite, options);
  }

  /** The same for who writes them to somebody who may be slow. */
  openExport(options: ExportOptions): FeedExport {
    return openExport(this.#sqlite, options);
  }

  copyTo(target: string, onPages?: CopyProgressListener): Promise<void> {
    return backUpTo(this.#sqlite, target, onPages);
  }

  /** Integrity, foreign keys, the search index: one after the other. */
  check(): Generator<FileCheck> {
    return checkFile(this.#sqlite);
  }

  facts(): FileFacts {
    return readFacts(this.#sqlite);
  }

  /** The services of this machine that answer from the file, the one started last first. */
  services(): RunningService[] {
    return findRunningServices(this.#sqlite, this.path);
  }
  /** Notes what a service says of itself (`cli/serve/service-registry.ts`), or takes that back; notes of dead ones go. */
  registerService(name: string, note: RegisteredService | null): void {
    if (note !== null) removeDeadServices(this.#sqlite);
    registerService(this.#sqlite, name, note);
  }
  /** When a service saw a proxy that it was not told of, in ms since 1970; 0 for never. */
  proxySeenAt(): number {
    return proxySeenAt(this.#sqlite);
  }
  recordProxySeen(): void {
    saveProxySeen(this.#sqlite, Date.now());
  }

  /** The account for offline work, on its plan and with its own limits, and its key. */
  async ensureDevAccount(limits: DevLimits): Promise<{ account: string; key: string; plan: Plan }> {
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
    if (this.isOverwritten) return;
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
export type FetchConfig = { baseUrl: string | null; fetchAllow: readonly string[] };

/**
 * The guarded way out (`fetch/guarded-fetch.ts`).
 * @param spoolFolder where large bodies wait; the system's folder for temporary files unless it is named
 */
export async function loadFetch(
  { baseUrl, fetchAllow }: FetchConfig,
  spoolFolder?: string,
): Promise<GuardedFetch> {
  const { createGuardedFetch: openFetch } = await import('./fetch/guarded-fetch.ts');
  const whose = baseUrl === null ? '' : ` (+${baseUrl})`;
  const userAgent = `cratebase/${programVersion()}${whose}`;
  return openFetch({ allow: fetchAllow, userAgent, ...(spoolFolder === undefined ? {} : { spoolFolder }) });
}

export type DevLimits = { plan: Plan | null; window: number | null; quota: number | null };

/** The clock that a server goes by: real time, or the instant at which `--now` stops it. */
export const clockFor = (config: Settings): Clock =>
  config.now === null ? systemClock : frozenClock(config.now);

/** The OpenAPI document of a service. */
export const describeApi = (config: Pick<Settings, 'baseUrl' | 'name'>): OpenApiDocument =>
  openApiDocument({
    baseUrl: config.baseUrl ?? defaultBaseUrl,
    name: config.name,
    version: programVersion(),
  });

/** Reads what the operator says of a source; loaded when it is needed. */
export const loadSourceConfig = () => import('./ingest/schedule/source-config.ts');

/** Puts a backup in the place of the data file (`store/file/restore.ts`). */
export const restore = (backup: string, data: string): RestoreResult => restoreFile(backup, data);

/** A folder beside the data file for a copy of it. */
export const makeScratchFolder = (data: string): ScratchDirectory =>
  createScratchDirectory(dirname(data), 'copy');
