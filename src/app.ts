/**
 * Builds everything behind the HTTP and stdio entry points. All objects are constructed here or in `doors.ts`, which
 * connects them to a server. Modules that only some commands need are loaded on first use, which keeps short commands
 * fast.
 */
import { statSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
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
import { defaultIdentity, type Identity } from './contract/identity.ts';
import { type OpenApiDocument, openApiDocument } from './contract/openapi.ts';
import type { OperationId } from './contract/operations.ts';
import type { Plan } from './contract/plans.ts';
import type { ApiRecord } from './contract/records.ts';
import type { Actor } from './contract/roles.ts';
import { Failure } from './failure.ts';
import type { GuardedFetch } from './fetch/guarded-fetch.ts';
import type { BackupMetrics, FileMetrics, SourceMetrics } from './http/metrics-text.ts';
import type { SourceState } from './http/service-endpoints.ts';
import {
  type IdentityChanges,
  type IdentityConfig,
  type IdentitySetting,
  readIdentityConfig,
  ServiceIdentity,
} from './identity/identity.ts';
import type { Corrections } from './ingest/corrections/corrections.ts';
import type { Edits } from './ingest/edits/edits.ts';
import type { UndoActions } from './ingest/edits/undo.ts';
import type { ImportFilesOptions, ImportFilesReport } from './ingest/import/import-files.ts';
import type { MatchPreview } from './ingest/match-preview.ts';
import type { Removals } from './ingest/removals/removals.ts';
import type { ReviewQueue } from './ingest/review/queue.ts';
import type { Review } from './ingest/review/review.ts';
import type { SourceRegistry } from './ingest/schedule/source-registry.ts';
import type { Log } from './log.ts';
import type { SuggestedPlace } from './places/suggest-places.ts';
import type { Settings } from './settings.ts';
import type { RecordKey } from './sources/common/input-items.ts';
import { AuditLog } from './store/audit-log.ts';
import { citiesWithVenues, citySlugsNamed } from './store/city-suggestions.ts';
import { openDatabase, readSetting } from './store/database.ts';
import { type ExportOptions, exportLines, type FeedExport, openExport } from './store/export/export.ts';
import { BackupFolder } from './store/file/backup-folder.ts';
import { type BackupReport, reportBackups } from './store/file/backup-report.ts';
import {
  type BackupRun,
  type BackupSchedule,
  type BackupState,
  readBackupStates,
  saveBackupRun,
} from './store/file/backup-runs.ts';
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
import { countUndecidedPairs } from './store/resolution/undecided-pairs.ts';
import { hasApprovedRecords } from './store/schedule/held-records.ts';
import { RunningSources } from './store/schedule/running-sources.ts';
import { countSampleEvents, hasEvents } from './store/schedule/sample-events.ts';
import { ScheduleStore } from './store/schedule/schedules.ts';
import type { SiteReader } from './store/site/site-reader.ts';
import { slugsWithPrefix } from './store/slug-prefixes.ts';
import { hasStaleRecords } from './store/stale.ts';
import { Transactions } from './store/transactions.ts';

export type { Access } from './access/access.ts';
export type { PendingAccountSummary } from './access/pending-accounts.ts';
export { findIdentityKey, identityKeys, identityName } from './identity/fields.ts';
export type { IdentitySetting } from './identity/identity.ts';
export { readIdentityConfig, readLogoFile } from './identity/identity.ts';
export type { CorrectionResult, MergeReport, NeverMergeReport } from './ingest/corrections/corrections.ts';
export type {
  ComparedPair,
  Duplicate,
  ExplainedEdit,
  Explanation,
  OmittedCandidates,
  RecordSummary,
  StatementSummary,
} from './ingest/corrections/explain.ts';
export type { AddedRecord } from './ingest/edits/add-record.ts';
export type { EditedField } from './ingest/edits/edit-writer.ts';
export type { AddReport, EditableRecord, EditReport } from './ingest/edits/edits.ts';
export type { FieldState } from './ingest/edits/field-states.ts';
export type { HistoryEntry } from './ingest/edits/history.ts';
export { type FieldChange, parseChange } from './ingest/edits/parse-change.ts';
export type { UndoReport } from './ingest/edits/undo.ts';
export type { ImportReport } from './ingest/import/import-feed.ts';
export type { ImportFilesReport } from './ingest/import/import-files.ts';
export type { MatchPreview } from './ingest/match-preview.ts';
export type {
  ForgetReport,
  PurgeReport,
  PurgeSummary,
  RemovalReport,
  RemovedSummary,
} from './ingest/removals/reports.ts';
export type {
  DecisionReport,
  ReviewCounts,
  ReviewFilter,
  ReviewItem,
  ReviewPage,
  Verdict,
} from './ingest/review/review.ts';
export type { ReviewSide } from './ingest/review/sides.ts';
export type { RulesPreview } from './ingest/rules/preview-stored.ts';
export type { RuleChanges, RulesSummary } from './ingest/rules/rule-changes.ts';
export type { HeldDecision, HeldList, HeldRecord, HeldSelection } from './ingest/schedule/held-sources.ts';
export type { Attempt, RecognizedSource } from './ingest/schedule/recognize-address.ts';
export type { SourceSummary } from './ingest/schedule/source-config.ts';
export type { ChangeEffect, SourceChanges } from './ingest/schedule/source-editor.ts';
export type { Contribution, SourceRunSummary } from './ingest/schedule/source-history.ts';
export type { SourcePreview } from './ingest/schedule/source-preview.ts';
export type { SourceDetails, SyncOptions, SyncReport } from './ingest/schedule/source-registry.ts';
export type { AuditEntry } from './store/audit-log.ts';
export { describeReadError, isDiskFull, OutdatedSchema } from './store/database.ts';
export type { BackupReport, BackupSummary } from './store/file/backup-report.ts';
export type { BackupRun, BackupSchedule, BackupState } from './store/file/backup-runs.ts';
export type { FileCheck, FileFacts } from './store/file/maintenance.ts';
export { sqliteVersion } from './store/file/maintenance.ts';
export type { FileMonitor, FileState } from './store/file/monitor.ts';
export { problemForState } from './store/file/monitor.ts';
export type { RunningService } from './store/file/service-registry.ts';
export { findServicesUsing } from './store/file/upgrade.ts';
export type { ChangeWithName } from './store/named-changes.ts';

type Sqlite = ReturnType<typeof openDatabase>;

/** Returns the program's version. */
export const programVersion = (): string =>
  (JSON.parse(readAsset('package.json')) as { version: string }).version;

/** Base URL of links in command output, unless one is configured. */
const defaultBaseUrl = 'http://127.0.0.1:4880';

export type AppOptions = {
  /** Path of the data file. */
  data: string;
  /** Creates the file if it does not exist. */
  create: boolean;
  /** Opens the file read-only; it may be on a read-only disk. */
  readOnly?: boolean;
  /** Opens a file of an older schema without migrating it. */
  anySchema?: boolean;
  clock?: Clock;
};

/** Opens the data file. Throws a `Failure` with advice if that is not possible. */
export const openApp = (options: AppOptions): App => new App(options);

/** Maximum age of a source's record count while the catalogue changes, in ms. */
const recordCountMaxAgeMs = 60_000;

/** The account that `serve --dev` creates. */
/** Cities that a form suggests. */
const maxSuggestedCities = 100;
const devEmail = 'dev@localhost';

/** The open data file, and the operations on it. */
export class App {
  readonly path: string;
  readonly clock: Clock;
  /** The latest state reported by the process that maintains the file. */
  fileState: FileState = healthyFile;
  readonly #sqlite: Sqlite;
  readonly #inode: bigint;
  readonly #logFiles: LogFiles;
  readonly #readOnly: boolean;
  #reader: CatalogueReader | undefined;
  #search: CatalogueSearch | undefined;
  #access: Access | undefined;
  #schedules: ScheduleStore | undefined;
  #runningSources: RunningSources | undefined;
  #reviewQueue: ReviewQueue | undefined;
  #identity: ServiceIdentity | undefined;
  #identityWriter: { sqlite: Sqlite; transactions: Transactions } | undefined;
  #backupWrites: { sqlite: Sqlite; transactions: Transactions } | undefined;
  #undecidedPairs: { pairs: number; countedAtMs: number } | null = null;
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

  /** Opens the reader of the public pages on the catalogue's connection. */
  readSite(open: (sqlite: Sqlite) => SiteReader): SiteReader {
    return open(this.#sqlite);
  }

  /** Opens accounts, keys and usage metering, on a separate connection. */
  async access(): Promise<Access> {
    if (this.#access === undefined) {
      const { openAccess } = await import('./access/access.ts');
      const sqlite = this.#connect();
      this.#connections.push(sqlite);
      this.#access = openAccess(sqlite, this.clock);
    }
    return this.#access;
  }

  /** Opens another connection to the file. */
  #connect(): Sqlite {
    const sqlite = openDatabase(this.path, { create: false, readOnly: this.#readOnly });
    if (this.#readOnly) makeReadOnly(sqlite);
    return sqlite;
  }

  /** Returns a record as the API shows it. Throws a `Failure` if the slug does not exist. */
  record(kind: Kind, slug: string, edition: string, baseUrl: string): Record<string, unknown> {
    return getRecord(this, kind, { slug, edition }, baseUrl);
  }

  /**
   * Returns the first entries of one of the API's lists, and whether there are more. Throws a `Problem` if the slug
   * does not exist.
   */
  list(operation: OperationId, baseUrl: string, query: RecordRequest): ListStart {
    return getList(this, operation, query, baseUrl);
  }

  /** Returns the results of a search as the API shows them, best first. */
  searchHits(query: string, limit: number, baseUrl: string): ApiRecord<'SearchHit'>[] {
    return searchRecords(this, query, limit, baseUrl);
  }

  stats(): ApiRecord<'Stats'> {
    return getStats(this);
  }

  /** Returns the slugs of a kind that start with a prefix, in order, at most `limit`. */
  slugsBeginning(kind: Kind, prefix: string, limit: number): string[] {
    return slugsWithPrefix(this.#sqlite, kind, prefix, limit);
  }

  revision(): number {
    return readRevision(this.#sqlite);
  }

  /** Returns the revision of the file at the path. Throws if the file is missing, replaced or unreadable. */
  revisionOnDisk(): number {
    const { ino } = statSync(this.path, { bigint: true });
    if (ino !== this.#inode) throw new Problem('unavailable', 'The data file was replaced. Restart.');
    return readRevision(this.#sqlite);
  }

  /** Throws the SQLite error if the file cannot be written. */
  tryWrite(): void {
    probeWrite(this.#sqlite);
  }

  /** Watches until the file is closed whether another process holds the write lock for more than five seconds. */
  watchLock(onChange: (isStuck: boolean) => void): LockMonitor {
    return new LockMonitor(this.#sqlite, onChange);
  }

  /**
   * Maintains the file until stopped (`store/file/watcher.ts`). One process of a service does this for all of them.
   * `fileState` holds the current state.
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

  /** Whether the file or its write-ahead log was replaced and must not be written to. */
  get isOverwritten(): boolean {
    const { fault: trouble } = this.fileState;
    return trouble === 'overwritten' || trouble === 'separated';
  }

  /** Moves the write-ahead log of a deleted file aside, so that it is never applied to another file at the same path. */
  moveWalAside(): void {
    moveLogAside(this.path);
  }

  /** Disables automatic checkpoints, so that no request waits for one. The process that runs `maintainFile` makes them. */
  async disableAutoCheckpoint(): Promise<void> {
    await this.access();
    for (const sqlite of this.#connections) disableAutoCheckpoint(sqlite);
  }

  /**
   * Imports feeds or files of other formats into the catalogue (`ingest/import/import-files.ts`). Waits for other
   * writers.
   */
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

  /**
   * Opens the decisions of matching and their corrections (`ingest/corrections/corrections.ts`).
   * @param actor the person who corrects, for the audit log
   */
  async corrections(onWait?: (what: string) => void, actor?: Actor): Promise<Corrections> {
    const { Corrections } = await import('./ingest/corrections/corrections.ts');
    return new Corrections(this.#sqlite, this.clock.now(), onWait, actor);
  }

  /** Opens the review of doubtful pairs (`ingest/review/review.ts`). */
  async review(actor: Actor, onWait?: (what: string) => void): Promise<Review> {
    const [{ Review }, { ReviewQueue }, { ReviewStore }] = await Promise.all([
      import('./ingest/review/review.ts'),
      import('./ingest/review/queue.ts'),
      import('./store/resolution/review-store.ts'),
    ]);
    const store = new ReviewStore(this.#sqlite);
    this.#reviewQueue ??= new ReviewQueue(
      store,
      () => this.revision(),
      () => this.clock.now(),
    );
    return new Review({
      sqlite: this.#sqlite,
      store,
      queue: this.#reviewQueue,
      now: this.clock.now(),
      actor,
      record: (kind, slug) => this.record(kind, slug, '', ''),
      corrections: () => this.corrections(onWait, actor),
    });
  }

  /** Opens the audit log for reading. Changes write it within their own transactions. */
  auditLog(): AuditLog {
    return new AuditLog(this.#sqlite);
  }

  /** Opens the removal of records and sources (`ingest/removals/removals.ts`). */
  async removals(actor: Actor, onWait?: (what: string) => void, signal?: AbortSignal): Promise<Removals> {
    const { Removals } = await import('./ingest/removals/removals.ts');
    return new Removals(this.#sqlite, { now: this.clock.now(), actor, onWait, signal });
  }

  /** Opens editors' corrections of fields, records by hand, the history of records and undo (`ingest/edits/edits.ts`). */
  async edits(actor: Actor, onWait?: (what: string) => void): Promise<Edits> {
    const { Edits } = await import('./ingest/edits/edits.ts');
    const undoActions = this.#undoActions(actor, onWait);
    return new Edits(this.#sqlite, {
      now: this.clock.now(),
      actor,
      undoActions,
      onWait,
      deleteAdded: async ({ kind, slug }, auditId) => {
        const removals = await this.removals(actor, onWait);
        const deleted = await removals.delete(`${kind}/${slug}`, { reason: `undo of entry ${auditId}` });
        if (deleted.audit_id !== null) this.auditLog().markUndone(auditId, deleted.audit_id);
        return { ...deleted, undone: auditId };
      },
    });
  }

  /** How the entries of the audit log are undone that other parts than the edits write, by their action. */
  #undoActions(actor: Actor, onWait?: (what: string) => void): UndoActions {
    const undoDecision: UndoActions[string] = async ({ id }) => ({
      ...(await (await this.corrections(onWait, actor)).undo(id)),
      undone: id,
    });
    const undoRemoval: UndoActions[string] = async ({ id }) => ({
      ...(await (await this.removals(actor, onWait)).undo(id)),
      undone: id,
    });
    return {
      'record.merge': undoDecision,
      'record.never-merge': undoDecision,
      'record.split': undoDecision,
      'review.later': async ({ id }) => {
        const { audit_id } = await (await this.review(actor, onWait)).undo(id);
        return { undone: id, audit_id, record: null, revision: this.revision() };
      },
      'record.hide': undoRemoval,
      'record.delete': undoRemoval,
      'record.restore': undoRemoval,
    };
  }

  /**
   * Returns the present identity of the service: name, logo, colours, links and texts. It is cheap enough to call for
   * each request, and follows changes of the data file by other processes.
   */
  identity(): Identity {
    return this.#openIdentity().current();
  }

  /** Returns the values of the identity with their origin, for the terminal and the console. */
  identitySettings(): IdentitySetting[] {
    return this.#openIdentity().list();
  }

  /** Lets options and variables of this process precede the data file. Throws a `Failure` for an invalid one. */
  configureIdentity(config: IdentityConfig): void {
    this.#identity = new ServiceIdentity(this.#sqlite, readIdentityConfig(config));
  }

  /**
   * Sets values of the identity in the data file; null removes one. All are valid, or none is stored: otherwise it
   * rejects with a `Failure`. Each change is in the audit log as `setting.set`.
   */
  setIdentity(changes: IdentityChanges, actor: Actor): Promise<Identity> {
    if (this.#identityWriter === undefined) {
      const sqlite = this.#connect();
      disableAutoCheckpoint(sqlite);
      this.#identityWriter = { sqlite, transactions: new Transactions(sqlite) };
    }
    return this.#openIdentity().set(this.#withCitySlug(changes), this.#identityWriter, {
      actor,
      now: this.clock.now(),
      hasCity: (slug) => this.reader.find('city', slug) !== null,
    });
  }

  /** Replaces the name of a home city by its slug. Throws a `Failure` that names the slugs if there are several. */
  #withCitySlug(changes: IdentityChanges): IdentityChanges {
    const { homeCity } = changes;
    if (typeof homeCity !== 'string' || homeCity.trim() === '') return changes;
    if (this.reader.find('city', homeCity.trim().toLowerCase()) !== null) return changes;
    const slugs = citySlugsNamed(this.#sqlite, homeCity);
    if (slugs.length > 1)
      throw new Failure(`Several cities have this name. Write one of these: ${slugs.join(', ')}.`, 1, {
        field: 'homeCity',
        code: 'city_ambiguous',
        value: slugs.join(', '),
      });
    return slugs[0] === undefined ? changes : { ...changes, homeCity: slugs[0] };
  }

  /** Throws the `Failure` that `setIdentity` would reject with, without a change. */
  checkIdentity(changes: IdentityChanges): void {
    this.#openIdentity().check(
      this.#withCitySlug(changes),
      (slug) => this.reader.find('city', slug) !== null,
    );
  }

  /** Returns the cities that forms suggest: those with the most venues. */
  suggestCities(): { slug: string; name: string; country: string }[] {
    return citiesWithVenues(this.#sqlite, maxSuggestedCities);
  }

  #openIdentity(): ServiceIdentity {
    this.#identity ??= new ServiceIdentity(this.#sqlite);
    return this.#identity;
  }

  /** Opens the registry of scheduled sources (`ingest/schedule/source-registry.ts`). */
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

  /** Returns the names of due sources. It is cheap to poll: the importer is not loaded. */
  dueSources(): string[] {
    return this.#plans.due(this.clock.now()).map(({ name }) => name);
  }

  /**
   * Whether an interrupted command or sync left unfinished work that no process continues, or an editor approved records.
   * `sync --due` finishes it.
   */
  async hasUnfinishedWork(): Promise<boolean> {
    if (!hasStaleRecords(this.#sqlite) && !hasApprovedRecords(this.#sqlite)) return false;
    const { isLeaseHeld: isTaken } = await import('./ingest/write-lock/write-lease.ts');
    return !isTaken(this.#sqlite);
  }

  /**
   * Records the runs of sources whose process died (`ingest/schedule/dead-runs.ts`).
   * @param exited the process that ended, and the reason
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

  /** Returns the public state of each source, without details for the operator. */
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

  /** Opens the state of runs: which sources are being read, and how far one is. */
  get runningSources(): RunningSources {
    this.#runningSources ??= new RunningSources(this.#sqlite);
    return this.#runningSources;
  }

  /** Returns the metrics of each scheduled source, by name. */
  sourceMetrics(): SourceMetrics[] {
    return this.#plans.all().map(({ source_id, name, last_success_ts: ok_ts, failures, rejected }) => ({
      name,
      lastSuccessMs: ok_ts,
      failures,
      rejected,
      records: this.#countRecords(source_id),
    }));
  }

  /** Returns the size of the data file, and the free space of its disk; null if they cannot be read. */
  async fileMetrics(): Promise<FileMetrics> {
    const [file, disk] = await Promise.all([
      stat(this.path).catch(() => null),
      statfs(dirname(resolve(this.path))).catch(() => null),
    ]);
    return {
      fileBytes: file?.size ?? null,
      diskFreeBytes: disk === null ? null : disk.bavail * disk.bsize,
    };
  }

  /** Returns the metrics of the scheduled backups in a folder. */
  backupMetrics(folder: string): BackupMetrics {
    const state = this.backupState(folder);
    return {
      lastSuccessMs: state?.lastSuccessTs ?? null,
      lastBytes: state?.lastBytes ?? null,
      failures: state?.failures ?? 0,
    };
  }

  /** Counts the doubtful pairs without a decision, at most 5,000. The count is cached for a minute. */
  countUndecidedPairs(): number {
    const cached = this.#undecidedPairs;
    if (cached !== null && performance.now() - cached.countedAtMs < recordCountMaxAgeMs) return cached.pairs;
    const pairs = countUndecidedPairs(this.#sqlite);
    this.#undecidedPairs = { pairs, countedAtMs: performance.now() };
    return pairs;
  }

  /** Counts the records of a source. The count is cached for a minute, because it scans all records. */
  #countRecords(source: number): number {
    const cached = this.#recordCounts.get(source);
    const isFresh = cached !== undefined && performance.now() - cached.countedAtMs < recordCountMaxAgeMs;
    const revision = isFresh ? cached.revision : this.revisionOnDisk();
    if (cached?.revision === revision) return cached.records;
    const records = this.#plans.countRecords(source);
    this.#recordCounts.set(source, { records, revision, countedAtMs: performance.now() });
    return records;
  }

  /** Loads the fetcher. Response bodies are stored next to the data file: that disk is writable and not in memory. */
  #loadFetch(from: FetchConfig): Promise<GuardedFetch> {
    return loadFetch(from, dirname(this.path));
  }

  get #plans(): ScheduleStore {
    this.#schedules ??= new ScheduleStore(this.#sqlite);
    return this.#schedules;
  }

  /** Collects the existing records that a dry run matches, and describes them after the run (`ingest/match-preview.ts`). */
  async dryRunMatches(): Promise<{
    add: (subject: RecordKey) => void;
    named: (source: string) => MatchPreview[];
  }> {
    const { MatchCollector: Matches } = await import('./ingest/match-preview.ts');
    const matches = new Matches();
    const named = (source: string) => matches.describeAll(this.#sqlite, source, this.clock.now());
    return { add: (subject) => matches.add(subject), named };
  }

  /** Yields the changes of records after a revision, oldest first. */
  changesSince(revision: number): Generator<ChangeWithName> {
    return changesWithNames(this.#sqlite, revision);
  }

  /** Marks a new file for the starter catalogue. If filling it is interrupted, the next start continues. */
  async requestStarter(options: { samples?: boolean } = {}): Promise<void> {
    const { requestStarter: wantStarter } = await import('./ingest/starter.ts');
    wantStarter(this.#sqlite, options);
  }

  get isStarterPending(): boolean {
    return readSetting(this.#sqlite, 'starter') === 'wanted';
  }

  /** Counts the sample events of the starter catalogue in the file. */
  /** Whether the catalogue has an event. */
  hasEvents(): boolean {
    return hasEvents(this.#sqlite);
  }

  countSampleEvents(): number {
    return countSampleEvents(this.#sqlite);
  }

  async importStarter(): Promise<void> {
    const { importStarter } = await import('./ingest/starter.ts');
    await importStarter(this.#sqlite, this.clock.now());
  }

  /** Exports the catalogue in the feed format, in batches of lines. The connection is busy until the last batch. */
  exportLines(options: ExportOptions): Generator<string[], number> {
    return exportLines(this.#sqlite, options);
  }

  /** Opens an export for a slow consumer; see `exportLines`. */
  openExport(options: ExportOptions): FeedExport {
    return openExport(this.#sqlite, options);
  }

  copyTo(target: string, onPages?: CopyProgressListener): Promise<void> {
    return backUpTo(this.#sqlite, target, onPages);
  }

  /** The folder of scheduled backups (`store/file/backup-folder.ts`). */
  backupFolder(folder: string): BackupFolder {
    return new BackupFolder(this.#sqlite, folder);
  }

  /** Reports on the scheduled backups: each copy and failed run, the newest first; null if there was no run. */
  backups(): Promise<BackupReport | null> {
    return reportBackups(this.#sqlite);
  }

  /** The state of the scheduled backups in a folder; undefined before the first run. It reads only the data file. */
  backupState(folder: string): BackupState | undefined {
    const path = resolve(folder);
    return readBackupStates(this.#sqlite).find((state) => state.folder === path);
  }

  /** Stores the result of a scheduled backup. Waits for the write lock without blocking the event loop. */
  async recordBackupRun(schedule: BackupSchedule, run: BackupRun): Promise<void> {
    if (this.#backupWrites === undefined) {
      const sqlite = this.#connect();
      disableAutoCheckpoint(sqlite);
      this.#backupWrites = { sqlite, transactions: new Transactions(sqlite) };
    }
    const { sqlite, transactions } = this.#backupWrites;
    await transactions.write(() => saveBackupRun(sqlite, schedule, run));
  }

  /** Checks integrity, foreign keys and the search index, one after the other. */
  check(): Generator<FileCheck> {
    return checkFile(this.#sqlite);
  }

  facts(): FileFacts {
    return readFacts(this.#sqlite);
  }

  /** Returns the running services of this machine that use the file, the latest first. */
  services(): RunningService[] {
    return findRunningServices(this.#sqlite, this.path);
  }
  /**
   * Registers a service (`cli/serve/service-registry.ts`), or removes it if `note` is null. Entries of dead processes
   * are removed.
   */
  registerService(name: string, note: RegisteredService | null): void {
    if (note !== null) removeDeadServices(this.#sqlite);
    registerService(this.#sqlite, name, note);
  }
  /** Returns when a service last saw an unconfigured proxy, in ms since 1970; 0 means never. */
  proxySeenAt(): number {
    return proxySeenAt(this.#sqlite);
  }
  recordProxySeen(): void {
    saveProxySeen(this.#sqlite, Date.now());
  }

  /** Returns the development account with its plan, limits and key; creates it if necessary. */
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
   * Checkpoints the file as far as other processes allow, and closes it. A file that was overwritten or has lost its
   * write-ahead log is left open: closing it would write the old log into it, and delete a new one. End the process
   * with `process.exit`.
   */
  close(): void {
    if (this.isOverwritten) return;
    this.#access?.close();
    this.#identityWriter?.sqlite.close();
    this.#backupWrites?.sqlite.close();
    if (!this.#sqlite.open) return;
    try {
      if (!this.#readOnly) checkpoint(this.#sqlite);
    } finally {
      this.#sqlite.close();
    }
  }
}

/** The service's own URL, and the private addresses that it may fetch from. */
export type FetchConfig = { baseUrl: string | null; fetchAllow: readonly string[] };

/**
 * Loads the guarded fetcher (`fetch/guarded-fetch.ts`).
 * @param spoolFolder the folder for large bodies; defaults to the system's temporary folder
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

/** Returns the server's clock: real time, or the fixed instant of `--now`. */
export const clockFor = (config: Settings): Clock =>
  config.now === null ? systemClock : frozenClock(config.now);

/** Returns the OpenAPI document of a service. */
export const describeApi = (config: Pick<Settings, 'baseUrl' | 'name'>): OpenApiDocument =>
  openApiDocument({
    baseUrl: config.baseUrl ?? defaultBaseUrl,
    name: config.name ?? defaultIdentity().name,
    version: programVersion(),
  });

/** Loads the parser of source configurations on demand. */
export const loadSourceConfig = () => import('./ingest/schedule/source-config.ts');

/** Replaces the data file with a backup (`store/file/restore.ts`). */
export const restore = (backup: string, data: string): RestoreResult => restoreFile(backup, data);

/** Creates a scratch folder next to the data file. */
export const makeScratchFolder = (data: string): ScratchDirectory =>
  createScratchDirectory(dirname(data), 'copy');

/**
 * Suggests places of the world whose names start with a text, the largest first, at most 50. Needs no data file.
 * @param prefix "mün", "paris, texas"
 */
export async function suggestPlaces(prefix: string, limit: number): Promise<SuggestedPlace[]> {
  const [{ loadPlaceIndex }, { suggestPlaces: suggest }] = await Promise.all([
    import('./places/places.ts'),
    import('./places/suggest-places.ts'),
  ]);
  return suggest(await loadPlaceIndex(), prefix, limit);
}
