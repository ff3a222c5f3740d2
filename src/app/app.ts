/**
 * Builds everything behind the HTTP and stdio entry points. All objects are constructed here or in `server.ts`, which
 * connects them to a server. Modules that only some commands need are loaded on first use, which keeps short commands
 * fast.
 */
import type { Access } from '../access/access.ts';
import {
  getList,
  getRecord,
  getStats,
  type ListStart,
  type RecordRequest,
  searchRecords,
} from '../catalogue/local-client.ts';
import { type CatalogueSearch, openSearch } from '../catalogue/search.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Kind } from '../contract/fields.ts';
import type { OperationId } from '../contract/operations.ts';
import type { ApiRecord } from '../contract/records.ts';
import type { Actor } from '../contract/roles.ts';
import type { Corrections } from '../ingest/corrections/corrections.ts';
import type { Edits } from '../ingest/edits/edits.ts';
import type { ImportFilesOptions, ImportFilesReport } from '../ingest/import/import-files.ts';
import type { Removals } from '../ingest/removals/removals.ts';
import type { Review } from '../ingest/review/review.ts';
import type { SourceRegistry } from '../ingest/schedule/source-registry.ts';
import { AuditLog } from '../store/audit-log.ts';
import { readSetting } from '../store/database.ts';
import { type ExportOptions, exportLines, type FeedExport, openExport } from '../store/export/export.ts';
import { checkpointAtEnd, type FileFacts, readRevision } from '../store/file/maintenance.ts';
import { disableAutoCheckpoint } from '../store/file/writer-log.ts';
import { type ChangeWithName, changesWithNames } from '../store/named-changes.ts';
import { artistsNamed, type Namesake } from '../store/namesakes.ts';
import { type CatalogueReader, openCatalogueReader } from '../store/reader.ts';
import { hasEvents } from '../store/schedule/sample-events.ts';
import type { SiteReader } from '../store/site/site-reader.ts';
import { slugsWithPrefix } from '../store/slug-prefixes.ts';
import { type AuditReader, ClusterAudit, readFileAudit } from './audit.ts';
import { Backups } from './backups.ts';
import { ManualChanges } from './changes.ts';
import type { ClusterAccess, ClusterAddressParts } from './cluster.ts';
import { Connections, type Sqlite } from './connections.ts';
import { DataFile } from './data-file.ts';
import { DevelopmentAccount } from './dev-account.ts';
import { Exports } from './exports.ts';
import { FileIdentity } from './identity.ts';
import { collectMatches, type DryRunMatches, importFiles, openSources } from './imports.ts';
import { CatalogueMetrics } from './metrics.ts';
import type { FetchConfig } from './program.ts';
import { Services } from './services.ts';
import { SourceRuns } from './source-runs.ts';
import { Starter } from './starter.ts';

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
  /** The PostgreSQL that has the accounts; by default the data file has them. */
  cluster?: ClusterAddressParts | null;
  /** The opened accounts of `cluster`, which the caller closes; by default they are opened on first use. */
  clusterAccess?: ClusterAccess;
};

type OpenedAccess = { access: Access; sqlite: Sqlite };

/** Opens the data file. Throws a `Failure` with advice if that is not possible. */
export const openApp = (options: AppOptions): App => new App(options);

/** The open data file: its catalogue, and a part for each other subject. */
export class App {
  readonly path: string;
  readonly clock: Clock;
  /** The PostgreSQL that has the accounts; null: the data file has them. */
  readonly cluster: ClusterAddressParts | null;
  /** The data file on its disk: state, checks, copies. */
  readonly file: DataFile;
  /** Name, logo, colours, links and texts of the service. */
  readonly identity: FileIdentity;
  /** The runs of scheduled sources. */
  readonly sourceRuns: SourceRuns;
  /** The scheduled backups. */
  readonly backups: Backups;
  /** The change feed and the exports. */
  readonly exports: Exports;
  /** The running services that use the file. */
  readonly services: Services;
  /** The starter catalogue of a new file. */
  readonly starter: Starter;
  /** The account that `serve --dev` creates. */
  readonly devAccount: DevelopmentAccount;
  /** The metrics that a service reports about the file. */
  readonly metrics: CatalogueMetrics;
  readonly #connections: Connections;
  readonly #sqlite: Sqlite;
  readonly #changes: ManualChanges;
  #reader: CatalogueReader | undefined;
  #search: CatalogueSearch | undefined;
  #access: OpenedAccess | undefined;
  #cluster: ClusterAccess | undefined;
  #openingCluster: Promise<ClusterAccess> | undefined;
  readonly #hasOwnCluster: boolean;

  constructor({
    data,
    create,
    readOnly = false,
    anySchema = false,
    clock = systemClock,
    cluster = null,
    clusterAccess,
  }: AppOptions) {
    this.path = data;
    this.clock = clock;
    this.cluster = cluster;
    this.#cluster = clusterAccess;
    this.#hasOwnCluster = clusterAccess === undefined;
    this.#connections = new Connections(data, { create, readOnly, anySchema });
    const sqlite = this.#connections.catalogue;
    this.#sqlite = sqlite;
    this.file = new DataFile(data, this.#connections);
    this.identity = new FileIdentity(this.#connections, this);
    this.sourceRuns = new SourceRuns(this.#connections, clock);
    this.backups = new Backups(this.#connections);
    this.exports = new Exports(this.#connections);
    this.services = new Services(data, this.#connections);
    this.starter = new Starter(sqlite, clock);
    this.devAccount = new DevelopmentAccount(
      () => this.#cluster?.secret ?? Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex'),
      () => this.access(),
    );
    const { file, sourceRuns, backups, exports } = this;
    this.metrics = new CatalogueMetrics({ sqlite, file, sourceRuns, backups, exports });
    const record = (kind: Kind, slug: string) => this.record(kind, slug, '', '');
    this.#changes = new ManualChanges({ sqlite, clock, record });
  }

  /** Opens the reader of records and lists. In a cluster, open the accounts first: its nodes share a secret. */
  get reader(): CatalogueReader {
    this.#reader ??= openCatalogueReader(this.#sqlite, this.#cluster?.secret);
    return this.#reader;
  }

  /** Opens the search of the catalogue. */
  get search(): CatalogueSearch {
    this.#search ??= openSearch(this.#sqlite);
    return this.#search;
  }

  /** Opens the reader of the public pages on the catalogue's connection. */
  readSite(open: (sqlite: Sqlite) => SiteReader): SiteReader {
    return open(this.#sqlite);
  }

  /**
   * Opens accounts, keys and usage metering: in the cluster, or on a separate connection to the data file. Requests are
   * counted on the connection of the catalogue (`store/engine/counting-writer.ts`).
   */
  async access(): Promise<Access> {
    if (this.cluster !== null) return this.#openCluster(this.cluster);
    if (this.#access === undefined) {
      const { openAccess } = await import('../access/access.ts');
      // Two callers may have waited for the module.
      this.#access ??= this.#openAccess(openAccess);
    }
    return this.#access.access;
  }

  #openAccess(openAccess: typeof import('../access/access.ts')['openAccess']): OpenedAccess {
    const sqlite = this.#connections.open();
    const reading = () => ({ sqlite: this.#sqlite, endSnapshot: this.reader.endSnapshot });
    return { sqlite, access: openAccess(sqlite, this.clock, systemClock, reading) };
  }

  async #openCluster(address: ClusterAddressParts): Promise<ClusterAccess> {
    if (this.#cluster !== undefined) return this.#cluster;
    const open = async (): Promise<ClusterAccess> => {
      const { openCluster } = await import('./cluster.ts');
      this.#cluster = await openCluster(address, this.clock);
      return this.#cluster;
    };
    this.#openingCluster ??= open().finally(() => {
      this.#openingCluster = undefined;
    });
    return this.#openingCluster;
  }

  /** Whether the accounts can be reached now; null: they are in the data file. */
  async areAccountsReachable(): Promise<boolean | null> {
    return this.cluster === null ? null : (await this.#openCluster(this.cluster)).isReachable();
  }

  /** The rights in PostgreSQL that the role of a cluster lacks; none without a cluster. */
  async missingRights(): Promise<readonly string[]> {
    return this.cluster === null ? [] : (await this.#openCluster(this.cluster)).missingRights();
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
    const { reader, search, clock } = this;
    const { homeCity } = this.identity.current();
    return searchRecords({ reader, search, clock, homeCity }, query, limit, baseUrl);
  }

  /** Returns the counts of the catalogue as the API shows them. */
  stats(): ApiRecord<'Stats'> {
    return getStats(this);
  }

  /** Returns each of the names that several artists share, with these artists (`store/namesakes.ts`). */
  namesakes(names: readonly string[]): { name: string; artists: Namesake[] }[] {
    return [...new Set(names)]
      .map((name) => ({ name, artists: artistsNamed(this.#connections.catalogue, name) }))
      .filter(({ artists }) => artists.length > 1);
  }

  /** Returns the slugs of a kind that start with a prefix, in order, at most `limit`. */
  slugsBeginning(kind: Kind, prefix: string, limit: number): string[] {
    return slugsWithPrefix(this.#sqlite, kind, prefix, limit);
  }

  /** Whether the catalogue has an event. */
  hasEvents(): boolean {
    return hasEvents(this.#sqlite);
  }

  /** Returns the revision of the catalogue: each change increases it. */
  revision(): number {
    return readRevision(this.#sqlite);
  }

  /** Yields the changes of records after a revision, oldest first. */
  changesSince(revision: number): Generator<ChangeWithName> {
    return changesWithNames(this.#sqlite, revision);
  }

  /** Exports the catalogue in the feed format, in batches of lines. The connection is busy until the last batch. */
  exportLines(options: ExportOptions): Generator<string[], number> {
    return exportLines(this.#sqlite, options);
  }

  /** Opens an export for a slow consumer; see `exportLines`. */
  openExport(options: ExportOptions): FeedExport {
    return openExport(this.#sqlite, options);
  }

  /**
   * Imports feeds or files of other formats into the catalogue (`ingest/import/import-files.ts`). Waits for other
   * writers.
   */
  importFiles(
    options: Omit<ImportFilesOptions, 'now' | 'fetch'>,
    from: FetchConfig,
  ): Promise<ImportFilesReport> {
    return importFiles(this.#connections, this.clock, options, from);
  }

  /** Opens the registry of scheduled sources (`ingest/schedule/source-registry.ts`). */
  sources(from: FetchConfig): Promise<SourceRegistry> {
    return openSources(this.#connections, this.clock, from);
  }

  /** Collects the existing records that a dry run matches, and describes them after the run. */
  dryRunMatches(): Promise<DryRunMatches> {
    return collectMatches(this.#connections, this.clock);
  }

  /**
   * Opens the decisions of matching and their corrections (`ingest/corrections/corrections.ts`).
   * @param actor the person who corrects, for the audit log
   */
  corrections(onWait?: (what: string) => void, actor?: Actor): Promise<Corrections> {
    return this.#changes.corrections(onWait, actor);
  }

  /** Opens the review of doubtful pairs (`ingest/review/review.ts`). */
  review(actor: Actor, onWait?: (what: string) => void): Promise<Review> {
    return this.#changes.review(actor, onWait);
  }

  /** Opens the removal of records and sources (`ingest/removals/removals.ts`). */
  removals(actor: Actor, onWait?: (what: string) => void, signal?: AbortSignal): Promise<Removals> {
    return this.#changes.removals(actor, onWait, signal);
  }

  /** Opens editors' corrections of fields, records by hand, the history of records and undo (`ingest/edits/edits.ts`). */
  edits(actor: Actor, onWait?: (what: string) => void): Promise<Edits> {
    return this.#changes.edits(actor, onWait);
  }

  /** Opens the audit log of the data file for reading. Changes write it within their own transactions. */
  auditLog(): AuditLog {
    return new AuditLog(this.#sqlite);
  }

  /** Opens the whole audit log for reading: in a cluster, that of the data file and that of the accounts. */
  audit(): AuditReader {
    const log = this.auditLog();
    return this.cluster === null ? readFileAudit(log) : new ClusterAudit(log, () => this.access());
  }

  /** The schema, revision and counts of the data file, with the accounts and keys of the cluster if there is one. */
  async facts(): Promise<FileFacts> {
    const facts = this.file.facts();
    return this.cluster === null ? facts : { ...facts, ...(await (await this.access()).counts()) };
  }

  /**
   * Disables automatic checkpoints, so that no request waits for one. The process that runs `file.maintain` makes them.
   */
  async disableAutoCheckpoint(): Promise<void> {
    await this.access();
    disableAutoCheckpoint(this.#sqlite);
    if (this.#access !== undefined) disableAutoCheckpoint(this.#access.sqlite);
  }

  /**
   * Checkpoints the file as far as other processes allow, and closes it. A file that was overwritten or has lost its
   * write-ahead log, or a part of it, is left open: closing it would write the log into it, and delete a new one. End the
   * process with `process.exit`.
   */
  close(): void {
    if (this.#hasOwnCluster) this.#cluster?.close();
    if (this.#sqlite.open && !this.#connections.readOnly) this.file.look();
    if (this.file.isOverwritten) return;
    this.#access?.access.close();
    this.#connections.closeWriters();
    if (!this.#sqlite.open) return;
    this.file.close();
    try {
      if (!this.#connections.readOnly) checkpointAtEnd(this.#sqlite);
    } finally {
      this.#sqlite.close();
    }
  }
}
