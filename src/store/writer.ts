/** Writes the records of the catalogue. */
import type Database from 'better-sqlite3';
import type { Kind } from '../contract/fields.ts';
import { ForeignKeyChecks } from './file/foreign-key-checks.ts';
import { checksumOf } from './integrity/checksums.ts';
import { ListHistory, type NestedList } from './lists/list-history.ts';
import { ChangeRecorder } from './records/change-log.ts';
import { type ChildRow, ChildRows, type ChildTable, haveSameRows } from './records/child-rows.ts';
import { CreationTimes } from './records/creation-times.ts';
import { EventItems } from './records/event-items.ts';
import { isFormerItem } from './records/event-rendering.ts';
import { type KindStatements, prepareKindStatements } from './records/kind-statements.ts';
import { feedFieldsOf, feedFieldsOfChildren, kindTables } from './records/kind-tables.ts';
import { RecordMarks } from './records/record-marks.ts';
import { type DisplayName, RecordRows } from './records/record-rows.ts';
import { SlugStore } from './records/slugs.ts';
import { StaleDocuments } from './records/stale-documents.ts';
import { type TableBuffer, type WriteBuffer, writeBufferOf } from './records/write-buffer.ts';
import { prepareWriterStatements, type WriterStatements } from './records/writer-statements.ts';
import type { RecordRow, RowOf, SavedRow } from './values.ts';

export type { ChildRow } from './records/child-rows.ts';
export type { DisplayName } from './records/record-rows.ts';
export type { RecordRow, RowOf, SavedRow, SqlValue } from './values.ts';

/**
 * Writes records in batches (`begin`, `commit`). A row is saved only if it differs, a slug is minted once, and every
 * change is logged under the revision of its batch.
 */
export class CatalogueWriter {
  readonly sqlite: Database.Database;
  /** The revision that the current batch will have if it changes anything. */
  revision = 0;
  /** Whether the current batch changed anything. */
  changed = false;
  /** The revision after this writer's last batch. */
  #lastRevision = -1;
  /** The lowest id that the current batch created, and the lowest that the current savepoint created. */
  #firstOfBatch = Number.POSITIVE_INFINITY;
  #firstOfLine = Number.POSITIVE_INFINITY;
  /** Records created in the current savepoint whose rows are saved. */
  readonly #saved = new Set<number>();
  readonly foreignKeys: ForeignKeyChecks;
  /** Returns the kept row of a removed record, which has none in its table. */
  rowOfRemoved: (id: number) => SavedRow | undefined = () => undefined;
  readonly #marks: RecordMarks;
  /** The records whose documents show a changed record. */
  readonly staleDocuments: StaleDocuments;
  #maxDurationMs = 0;
  readonly #changes: ChangeRecorder;
  readonly #listHistory: ListHistory;
  readonly #children: ChildRows;
  readonly #buffer: WriteBuffer;
  readonly #slugs: SlugStore;
  readonly #kinds: Record<Kind, KindStatements>;
  readonly #recordRows: RecordRows;
  readonly #statements: WriterStatements;
  readonly #newDetails: TableBuffer;
  readonly #eventItems: EventItems;
  readonly #creationTimes: CreationTimes;

  constructor(sqlite: Database.Database) {
    this.sqlite = sqlite;
    this.foreignKeys = new ForeignKeyChecks(sqlite);
    this.#statements = prepareWriterStatements(sqlite);
    this.#listHistory = new ListHistory(sqlite);
    this.#children = new ChildRows(sqlite);
    this.#buffer = writeBufferOf(sqlite);
    this.#changes = new ChangeRecorder(sqlite);
    this.#kinds = Object.fromEntries(
      Object.entries(kindTables).map(([kind, { table }]) => [kind, prepareKindStatements(sqlite, table)]),
    ) as Record<Kind, KindStatements>;
    this.#recordRows = new RecordRows(this.#kinds);
    this.#slugs = new SlugStore(sqlite);
    this.#marks = new RecordMarks(sqlite, this.#kinds);
    this.staleDocuments = new StaleDocuments(sqlite);
    this.#newDetails = this.#buffer.table('event_details', ['event_id', 'detail_json', 'checksum'], null);
    this.#eventItems = new EventItems(sqlite);
    this.#creationTimes = new CreationTimes(sqlite);
  }

  /**
   * Begins a batch: one transaction, one revision. Foreign keys are not enforced within it.
   * @returns whether another writer committed since this writer's last batch, which makes rows read before stale
   */
  begin(): boolean {
    // Referenced rows were read or created just before. Checking them again for every row takes a third of the time.
    this.foreignKeys.switch(false);
    this.#statements.begin.run();
    const [revision, maxDurationMs] = this.#statements.readState.get() as [number, number];
    this.#forgetBatch();
    this.revision = revision + 1;
    this.#maxDurationMs = maxDurationMs;
    if (revision === this.#lastRevision) return false;
    this.#forgetRows();
    this.#lastRevision = revision;
    return true;
  }

  /** Writes the changes that are deferred to the end of the batch or of a savepoint. */
  flush(): void {
    this.#buffer.flush();
    this.#marks.flush(this.revision);
    this.#changes.flush(this.revision);
  }

  /** Commits the batch and makes it visible to readers. */
  commit(): void {
    this.flush();
    this.#creationTimes.flush(this.#firstOfBatch);
    if (this.changed) {
      this.#statements.writeRevision.run(this.revision);
      this.#lastRevision = this.revision;
    }
    this.#statements.commit.run();
    if (!this.foreignKeys.staysOff) this.foreignKeys.switch(true);
  }

  /** Rolls back the batch. */
  rollback(): void {
    if (this.sqlite.inTransaction) this.sqlite.exec('ROLLBACK');
    this.foreignKeys.switch(true);
    this.#forgetBatch();
    this.#forgetRows();
  }

  /** Discards the unflushed changes of the current savepoint. The caller has rolled it back. */
  rollbackToSavepoint(): void {
    this.#marks.discard();
    this.#changes.discard();
    this.#buffer.discard();
    this.#forgetRows();
    this.beginSavepoint();
    this.#maxDurationMs = (this.#statements.readState.get() as [number, number])[1];
  }

  #forgetBatch(): void {
    this.changed = false;
    this.#firstOfBatch = Number.POSITIVE_INFINITY;
    this.#marks.discard();
    this.#changes.discard();
    this.#buffer.discard();
    this.beginSavepoint();
  }

  #forgetRows(): void {
    this.#recordRows.clear();
  }

  /** Creates a record of the kind without its row, and returns its id. */
  newRecord(kind: Kind): number {
    this.changed = true;
    const id = Number(this.#statements.newRecord.run(kind, this.revision, this.revision).lastInsertRowid);
    this.#slugs.onCreated(id);
    if (id < this.#firstOfLine) this.#firstOfLine = id;
    if (id < this.#firstOfBatch) this.#firstOfBatch = id;
    return id;
  }

  /**
   * Requests a slug for the next new record, if it is free: the slug it had in the catalogue it is copied from.
   * With `isBack`, the record also takes the slug from a record that has it only as a former slug.
   */
  requestSlug(slug: string | null, isBack = false): void {
    this.#slugs.requestNext(slug, isBack);
  }

  /** Makes a slug resolve to the record, unless the slug already belongs to a record of the kind. */
  addSlug(kind: Kind, slug: string, id: number): void {
    if (this.#slugs.claim(kind, slug, id)) this.changed = true;
  }

  /** Moves a former slug of `from` to `to`. Returns false if it is no former slug of `from`. */
  moveSlug(kind: Kind, slug: string, from: number, to: number): boolean {
    if (!this.#slugs.releaseFormer(kind, slug, from, (id) => this.row(kind, id)?.slug)) return false;
    this.addSlug(kind, slug, to);
    return true;
  }

  /** Starts tracking a new savepoint. Records created from now on are new in it. */
  beginSavepoint(): void {
    this.#firstOfLine = Number.POSITIVE_INFINITY;
    this.#saved.clear();
    this.#slugs.clearRequests();
  }

  /** Whether the current savepoint created the record. Ids rise, so every id from the first one on is new. */
  isNewInSavepoint(id: number): boolean {
    return id >= this.#firstOfLine;
  }

  /**
   * Assigns the first free slug to the record for good, else the last candidate with -2, -3 … appended. A
   * requested slug comes first.
   */
  mintSlug(kind: Kind, id: number, candidates: string[]): string {
    return this.#slugs.mint(kind, id, candidates, (holder) => this.row(kind, holder)?.slug);
  }

  /**
   * The current row of a record, read-only for the caller, or the row that a removed record had; undefined if the
   * record has no row yet.
   */
  row<K extends Kind>(kind: K, id: number): RowOf<K> | undefined;
  row(kind: Kind, id: number): RecordRow | SavedRow | undefined {
    return this.#currentRow(kind, id) ?? this.rowOfRemoved(id);
  }

  #currentRow(kind: Kind, id: number): RecordRow | undefined {
    if (this.isNewInSavepoint(id) && !this.#saved.has(id)) return undefined;
    return this.#recordRows.row(kind, id);
  }

  /** The display name of a record whose kind has folded names. */
  displayNameOf(kind: Exclude<Kind, 'event' | 'edition'>, id: number): DisplayName {
    // A removed record: its name is compared, but not shown.
    return this.#recordRows.displayName(kind, id) ?? (this.rowOfRemoved(id) as DisplayName);
  }

  /**
   * Saves a record's row if it differs. `slugs` returns the slug candidates of a new record, unless `values` has
   * a minted slug. A former sort key is kept for pagination in progress.
   * @returns the columns that changed
   */
  save(kind: Kind, id: number, values: RecordRow, slugs: () => string[], now: number): Set<string> {
    const { insert, update, columns, settable, checksum } = this.#kinds[kind];
    const before = this.#currentRow(kind, id);
    if (before === undefined) {
      const slug = values.slug ?? this.mintSlug(kind, id, slugs());
      const row: RecordRow = { ...values, id, slug, updated_ts: now };
      row.checksum = checksum(row);
      insert.run(columns.map((name) => row[name]));
      this.#saved.add(id);
      this.#creationTimes.note(now);
      // A former record that comes back.
      if (id < this.#firstOfBatch) this.#marks.revise(id);
      this.changed = true;
      return this.#kinds[kind].columnSet;
    }
    const differing = new Set(settable.filter((name) => name in values && values[name] !== before[name]));
    if (differing.size === 0) return differing;
    const row: RecordRow = { ...before, ...values, updated_ts: now };
    row.checksum = checksum(row);
    update.run(...settable.map((name) => row[name]), id);
    this.#recordRows.evict(id);
    this.touch(kind, id, now, feedFieldsOf(differing));
    this.staleDocuments.markIfShown(kind, id, differing);
    if (differing.has('status') && values.status === 'cancelled') this.#changes.recordStatus(id, 'cancelled');
    const { key } = kindTables[kind];
    if (id < this.#firstOfBatch && key.some((name) => differing.has(name))) {
      const old = JSON.stringify(key.map((name) => before[name]));
      this.#statements.move.run(kind, this.revision, id, old, checksumOf(old));
    }
    return differing;
  }

  /**
   * Replaces a record's child rows if they differ. `rows` lack the owner column; `beforeChange` runs while the
   * old rows still exist.
   * @returns whether they differed
   */
  saveChildren<T extends ChildTable>(
    table: T,
    owner: number,
    rows: readonly ChildRow<T>[],
    beforeChange?: () => void,
  ): boolean {
    // A record created in this savepoint has no child rows yet.
    const present = this.childrenOf(table, owner);
    if (!this.#children.save(table, owner, { present, rows, beforeChange })) return false;
    const fields = feedFieldsOfChildren[table];
    if (fields.length > 0) this.#noteFields(owner, fields);
    if (owner < this.#firstOfBatch) this.#marks.revise(owner);
    this.changed = true;
    return true;
  }

  /** Saves the present version of a nested list, for pagination in progress, before it changes. */
  saveListHistory(list: NestedList, record: number): void {
    if (record < this.#firstOfBatch) this.#listHistory.save(list, record, this.revision);
  }

  /** The child rows of a record, without the owner column. */
  childrenOf<T extends ChildTable>(table: T, owner: number): ChildRow<T>[] {
    return this.isNewInSavepoint(owner) ? [] : this.#children.rowsOf(table, owner);
  }

  /** Replaces an episode's tracks and their credited artists if they differ. Returns whether they did. */
  saveTracks(episode: number, tracks: ChildRow<'tracks'>[], artists: ChildRow<'track_artists'>[]): boolean {
    const sameArtists = haveSameRows(this.childrenOf('track_artists', episode), artists);
    if (sameArtists && haveSameRows(this.childrenOf('tracks', episode), tracks)) return false;
    this.saveListHistory('tracks', episode);
    this.#children.replace('track_artists', episode, []);
    this.saveChildren('tracks', episode, tracks);
    this.#children.add('track_artists', episode, artists);
    this.#noteFields(episode, feedFieldsOfChildren.track_artists);
    return true;
  }

  /** The rendered detail members of an event; null if none are stored. */
  detailsOf(event: number): string | null {
    if (this.isNewInSavepoint(event)) return null;
    if (event >= this.#firstOfBatch) this.#newDetails.flush();
    return (this.#statements.details.get(event) as string | undefined) ?? null;
  }

  /**
   * Stores the rendering of an event again that a program of schema 8 made. Responses stay the same, so this is no
   * change of the event. Returns its row, like `row`.
   */
  upgradeRendering(event: number): RowOf<'event'> | undefined {
    const row = this.row('event', event);
    if (row === undefined || !isFormerItem(row.item_json)) return row;
    const { item, detail } = this.#eventItems.upgrade(event, row.item_json);
    const { update, settable, checksum } = this.#kinds.event;
    const upgraded: RecordRow = { ...row, item_json: item };
    upgraded.checksum = checksum(upgraded);
    update.run(...settable.map((name) => upgraded[name]), event);
    this.#statements.setDetails.run(event, detail, checksumOf(event, detail));
    return upgraded as RowOf<'event'>;
  }

  /** Stores the rendered detail members of an event; `isNew` if none are stored yet. */
  saveDetails(event: number, detail: string, isNew: boolean): void {
    const checksum = checksumOf(event, detail);
    if (isNew) this.#newDetails.add(event, [detail, checksum]);
    else this.#statements.setDetails.run(event, detail, checksum);
    this.changed = true;
  }

  /** Logs that a record changed in this batch, at `now` (ms), and in which fields. */
  touch(kind: Kind, id: number, now: number, fields: readonly string[] = []): void {
    this.changed = true;
    // A record of this batch already has its revision and time.
    if (id >= this.#firstOfBatch) return;
    this.#marks.touch(kind, id, now);
    this.#noteFields(id, fields);
  }

  #noteFields(id: number, fields: readonly string[]): void {
    this.changed = true;
    if (id < this.#firstOfBatch) this.#changes.recordUpdate(id, fields);
  }

  /**
   * Logs that record `from` was merged into `into`, both of the kind. Call it while the row and slug of `from`
   * exist; pass `slug` if it never had a row in this file. The row in `records` stays: ids are never reused.
   */
  recordMerge(kind: Kind, from: number, into: number, slug?: string): void {
    this.#changes.recordMerge(from, into, slug ?? this.row(kind, from)?.slug ?? null);
    this.#marks.revise(from);
    this.changed = true;
  }

  /**
   * Logs that no source lists the record any more, at `now` (ms). This is a change of the record even if its
   * fields stay the same, because clients that follow the change feed must see it.
   */
  recordWithdrawal(kind: Kind, id: number, now: number): void {
    this.changed = true;
    this.#changes.recordStatus(id, 'withdrawn');
    if (id < this.#firstOfBatch) this.#marks.touch(kind, id, now);
  }

  /**
   * Logs that a record left the catalogue at `now` (ms). Its row in `records` stays: ids are never reused.
   * @param slug null: the change log must not contain it
   */
  recordRemoval(kind: Kind, id: number, what: 'hidden' | 'deleted', slug: string | null, now: number): void {
    this.changed = true;
    this.#changes.recordRemoval(id, what, slug);
    if (id < this.#firstOfBatch) this.#marks.touch(kind, id, now);
  }

  /** Logs that a removed record comes back with its slug. Save its row afterwards. */
  recordRestore(kind: Kind, id: number, slug: string, now: number): void {
    this.changed = true;
    this.#changes.recordRemoval(id, 'restored', null);
    this.#marks.touch(kind, id, now);
    this.#slugs.request(id, slug);
    this.evictRow(id);
  }

  /** Removes a record from the caches, after other code wrote or deleted its row. */
  evictRow(id: number): void {
    this.#recordRows.evict(id);
  }

  /** Marks a record to be recomputed after this batch. */
  markStale(id: number): void {
    this.#marks.markStale(id);
  }

  /** Raises the maximum event duration (ms), which bounds how long ago an upcoming event may have started. */
  extendMaxDuration(ms: number): void {
    if (ms <= this.#maxDurationMs) return;
    this.#maxDurationMs = ms;
    this.#statements.setMaxDuration.run(ms);
  }
}
