/**
 * Writing the catalogue: rows saved only where they differ, slugs minted once, every change noted under the revision of
 * its batch. Whoever calls this has begun a batch.
 */
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { Kind } from '../contract/fields.ts';
import { checksumOf } from './integrity/checksums.ts';
import { ListHistory, type NestedList } from './lists/list-history.ts';
import { ChangeRecorder } from './records/change-log.ts';
import { ChildRows, type ChildTable, haveSameRows } from './records/child-rows.ts';
import { type KindStatements, prepareKindStatements } from './records/kind-statements.ts';
import { feedFieldsOf, feedFieldsOfChildren, kindTables } from './records/kind-tables.ts';
import { SlugStore } from './records/slugs.ts';
import { type TableBuffer, type WriteBuffer, writeBufferOf } from './records/write-buffer.ts';
import type { RecordRow, SqlValue } from './values.ts';

export type { RecordRow, SqlValue } from './values.ts';

type SlugRequest = { slug: string; isRestored: boolean };
/** What other records show of a record. */
export type DisplayName = { slug: string; name: string; folded: string };

/** Rows kept at hand: those that many others are shown with. */
const maxCachedRows = 10_000;
const maxCachedNames = 40_000;

export class CatalogueWriter {
  readonly sqlite: Database.Database;
  /** The revision that the batch under way will have if it changes anything. */
  revision = 0;
  /** Whether the batch under way changed anything. */
  changed = false;
  /** The revision that this writer's last batch left. */
  #left = -1;
  /** The first record that the batch under way made, and the first that its line under way made. */
  #firstOfBatch = Number.POSITIVE_INFINITY;
  #firstOfLine = Number.POSITIVE_INFINITY;
  /** The records that the line under way made whose rows it has saved. */
  readonly #saved = new Set<number>();
  /** Slugs that records of the line under way are to have, and the next one. */
  readonly #wishes = new Map<number, SlugRequest>();
  #wish: SlugRequest | null = null;
  /** Records from before the batch that changed in it, each with its kind and when. */
  readonly #touched = new Map<number, { kind: Kind; now: number }>();
  readonly #stale = new Set<number>();
  #longestMs = 0;
  readonly #changes: ChangeRecorder;
  readonly #former: ListHistory;
  readonly #children: ChildRows;
  readonly #held: WriteBuffer;
  readonly #slugs: SlugStore;
  readonly #kinds: Record<Kind, KindStatements>;
  readonly #rows = new LRUCache<number, RecordRow>({ max: maxCachedRows });
  readonly #names = new LRUCache<number, DisplayName>({ max: maxCachedNames });
  readonly #newRecord: Database.Statement;
  readonly #touchRecord: Database.Statement;
  readonly #move: Database.Statement;
  readonly #longest: Database.Statement;
  readonly #newDetails: TableBuffer;
  readonly #details: Database.Statement;
  readonly #setDetails: Database.Statement;
  readonly #markStale: Database.Statement;
  readonly #readState: Database.Statement;
  readonly #writeRevision: Database.Statement;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.sqlite = sqlite;
    this.#former = new ListHistory(sqlite);
    this.#children = new ChildRows(sqlite);
    this.#held = writeBufferOf(sqlite);
    this.#changes = new ChangeRecorder(sqlite);
    this.#kinds = Object.fromEntries(
      Object.entries(kindTables).map(([kind, { table }]) => [kind, prepareKindStatements(sqlite, table)]),
    ) as Record<Kind, KindStatements>;
    this.#newRecord = sqlite.prepare(
      'INSERT INTO records (kind, revision, created_revision) VALUES (?, ?, ?)',
    );
    this.#touchRecord = sqlite.prepare('UPDATE records SET revision = ? WHERE id = ?');
    this.#slugs = new SlugStore(sqlite);
    this.#move = sqlite.prepare(
      'INSERT OR IGNORE INTO sort_key_history (kind, revision, record_id, previous_sort_key, checksum) VALUES (?, ?, ?, ?, ?)',
    );
    this.#newDetails = this.#held.table('event_details', ['event_id', 'detail_json', 'checksum'], null);
    this.#details = sqlite.prepare('SELECT detail_json FROM event_details WHERE event_id = ?').pluck();
    this.#setDetails = sqlite.prepare(
      'INSERT OR REPLACE INTO event_details (event_id, detail_json, checksum) VALUES (?, ?, ?)',
    );
    this.#longest = sqlite.prepare('UPDATE catalogue SET max_event_duration_ms = ?');
    this.#markStale = sqlite.prepare('INSERT OR IGNORE INTO stale_records (record_id) VALUES (?)');
    this.#readState = sqlite.prepare('SELECT revision, max_event_duration_ms FROM catalogue').raw();
    this.#writeRevision = sqlite.prepare('UPDATE catalogue SET revision = ?');
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE');
    this.#commit = sqlite.prepare('COMMIT');
  }

  /**
   * Begins a batch: one transaction, one revision. Foreign keys are not enforced within it.
   * @returns whether somebody else wrote since this writer's last one: what was read before may be wrong now
   */
  begin(): boolean {
    // What is referred to was found or made just before; looking it up again for every row takes a third of the time.
    this.sqlite.pragma('foreign_keys = OFF');
    this.#begin.run();
    const [revision, longest] = this.#readState.get() as [number, number];
    this.#forgetBatch();
    this.revision = revision + 1;
    this.#longestMs = longest;
    if (revision === this.#left) return false;
    this.#forgetRows();
    this.#left = revision;
    return true;
  }

  /** Writes what waited for the end of the batch, or of a line that may yet be undone. */
  flush(): void {
    this.#held.flush();
    for (const [id, { kind, now }] of this.#touched) {
      this.#touchRecord.run(this.revision, id);
      this.#kinds[kind].touch.run({ now, id });
    }
    this.#touched.clear();
    for (const id of this.#stale) this.#markStale.run(id);
    this.#stale.clear();
    this.#changes.flush(this.revision);
  }

  /** Ends the batch; readers see all of it from now on. */
  commit(): void {
    this.flush();
    if (this.changed) {
      this.#writeRevision.run(this.revision);
      this.#left = this.revision;
    }
    this.#commit.run();
    this.sqlite.pragma('foreign_keys = ON');
  }

  /** Another number after every commit of another connection, and the same after this one's. */
  dataVersion(): number {
    return this.sqlite.pragma('data_version', { simple: true }) as number;
  }

  /** Undoes the batch. */
  rollback(): void {
    if (this.sqlite.inTransaction) this.sqlite.exec('ROLLBACK');
    this.sqlite.pragma('foreign_keys = ON');
    this.#forgetBatch();
    this.#forgetRows();
  }

  /** What the line under way noted and has not settled did not happen: its savepoint is undone. */
  rollbackToSavepoint(): void {
    this.#touched.clear();
    this.#stale.clear();
    this.#changes.discard();
    this.#held.discard();
    this.#forgetRows();
    this.beginSavepoint();
    this.#longestMs = (this.#readState.get() as [number, number])[1];
  }

  #forgetBatch(): void {
    this.changed = false;
    this.#firstOfBatch = Number.POSITIVE_INFINITY;
    this.#touched.clear();
    this.#stale.clear();
    this.#changes.discard();
    this.#held.discard();
    this.beginSavepoint();
  }

  #forgetRows(): void {
    this.#rows.clear();
    this.#names.clear();
  }

  /** A new record of the kind, still without its row. */
  newRecord(kind: Kind): number {
    this.changed = true;
    const id = Number(this.#newRecord.run(kind, this.revision, this.revision).lastInsertRowid);
    if (this.#wish !== null) this.#wishes.set(id, this.#wish);
    this.#wish = null;
    if (id < this.#firstOfLine) this.#firstOfLine = id;
    if (id < this.#firstOfBatch) this.#firstOfBatch = id;
    return id;
  }

  /**
   * The slug that the next new record is to have, if nobody has it yet: that of the catalogue it comes from. One that was
   * merged there and `isRestored` takes it back from the record that answered for it.
   */
  requestSlug(slug: string | null, isBack = false): void {
    this.#wish = slug === null ? null : { slug, isRestored: isBack };
  }

  /** Has a slug that names no record of the kind answer with this one. */
  addSlug(kind: Kind, slug: string, id: number): void {
    if (this.#slugs.claim(kind, slug, id)) this.changed = true;
  }

  /** Has a slug that answers with `from`, and is not its own, answer with `wordEnd`; says whether it did. */
  moveSlug(kind: Kind, slug: string, from: number, to: number): boolean {
    if (this.#slugs.ownerOf(kind, slug) !== from || this.row(kind, from)?.slug === slug) return false;
    this.#slugs.release(kind, slug);
    this.addSlug(kind, slug, to);
    return true;
  }

  /** Begins a line: what it makes is new, all else was there before. */
  beginSavepoint(): void {
    this.#firstOfLine = Number.POSITIVE_INFINITY;
    this.#saved.clear();
    this.#wishes.clear();
    this.#wish = null;
  }

  /** Whether this line made the record; ids rise, so that all from its first on are its own. */
  isNewInSavepoint(id: number): boolean {
    return id >= this.#firstOfLine;
  }

  /** Takes the first of the slugs that is free, else the last with -2, -3 …, for the record for ever. */
  mintSlug(kind: Kind, id: number, candidates: string[]): string {
    const wish = this.#wishes.get(id);
    if (wish === undefined) return this.#slugs.mint(kind, id, candidates);
    if (wish.isRestored) {
      const holder = this.#slugs.ownerOf(kind, wish.slug);
      // It only answers for a record that has another of its own.
      if (holder !== null && this.row(kind, holder)?.slug !== wish.slug) this.#slugs.release(kind, wish.slug);
    }
    return this.#slugs.mint(kind, id, [wish.slug, ...candidates]);
  }

  /** The row of a record as it stands, not to be changed by the caller; undefined while it has none. */
  row(kind: Kind, id: number): RecordRow | undefined {
    if (this.isNewInSavepoint(id) && !this.#saved.has(id)) return undefined;
    const kept = this.#rows.get(id);
    if (kept !== undefined) return kept;
    const row = this.#kinds[kind].find.get(id) as RecordRow | undefined;
    // Events and episodes are many, and no other record is shown with them.
    if (row !== undefined && kind !== 'event' && kind !== 'episode') this.#rows.set(id, row);
    return row;
  }

  /** What a record of a kind that has folded names is shown with. */
  displayNameOf(kind: Exclude<Kind, 'event' | 'edition'>, id: number): DisplayName {
    let name = this.#names.get(id);
    if (name === undefined) {
      const [slug, own, folded] = this.#kinds[kind].name.get(id) as [string, string, string];
      name = { slug, name: own, folded };
      this.#names.set(id, name);
    }
    return name;
  }

  /**
   * Saves a record's row where it differs from what is there, and says which columns did. `slugs` are the candidates for
   * a new record's slug, unless `values` has one that was minted for it. What a changed sort key leaves behind is kept
   * for walks under way.
   */
  save(kind: Kind, id: number, values: RecordRow, slugs: () => string[], now: number): Set<string> {
    const { insert, update, columns, settable, checksum } = this.#kinds[kind];
    const before = this.row(kind, id);
    if (before === undefined) {
      const slug = values.slug ?? this.mintSlug(kind, id, slugs());
      const row: RecordRow = { ...values, id, slug, updated_ts: now };
      row.checksum = checksum(row);
      insert.run(columns.map((name) => row[name]));
      this.#saved.add(id);
      this.changed = true;
      return this.#kinds[kind].columnSet;
    }
    const differing = new Set(settable.filter((name) => name in values && values[name] !== before[name]));
    if (differing.size === 0) return differing;
    const row: RecordRow = { ...before, ...values, updated_ts: now };
    row.checksum = checksum(row);
    update.run(...settable.map((name) => row[name]), id);
    this.#rows.delete(id);
    this.#names.delete(id);
    this.touch(kind, id, now, feedFieldsOf(differing));
    if (differing.has('status') && values.status === 'cancelled') this.#changes.recordStatus(id, 'cancelled');
    const { key } = kindTables[kind];
    if (id < this.#firstOfBatch && key.some((name) => differing.has(name))) {
      const old = JSON.stringify(key.map((name) => before[name]));
      this.#move.run(kind, this.revision, id, old, checksumOf(old));
    }
    return differing;
  }

  /**
   * Replaces a record's child rows where they differ, and says whether they did. Rows lack the owner; `beforeChange` is
   * called while the old ones are still there.
   */
  saveChildren(
    table: ChildTable,
    owner: number,
    rows: readonly SqlValue[][],
    beforeChange?: () => void,
  ): boolean {
    // A record that this line made has no child rows yet.
    const before = this.isNewInSavepoint(owner) ? [] : this.#children.rowsOf(table, owner);
    if (haveSameRows(before, rows)) return false;
    if (before.length > 0) beforeChange?.();
    if (before.length > 0) this.#children.replace(table, owner, rows);
    else this.#children.add(table, owner, rows);
    const fields = feedFieldsOfChildren[table];
    if (fields.length > 0) this.#noteFields(owner, fields);
    this.changed = true;
    return true;
  }

  /** Keeps a list inside a record as it is, for walks under way, before it is changed. */
  saveListHistory(list: NestedList, record: number): void {
    if (record < this.#firstOfBatch) this.#former.save(list, record, this.revision);
  }

  /** The child rows of a record, without the owner. */
  childrenOf(table: ChildTable, owner: number): SqlValue[][] {
    return this.isNewInSavepoint(owner) ? [] : this.#children.rowsOf(table, owner);
  }

  /** Replaces an episode's tracks and whom they credit, where they differ. */
  saveTracks(episode: number, tracks: SqlValue[][], artists: SqlValue[][]): boolean {
    const sameArtists = haveSameRows(this.childrenOf('track_artists', episode), artists);
    if (sameArtists && haveSameRows(this.childrenOf('tracks', episode), tracks)) return false;
    this.saveListHistory('tracks', episode);
    this.#children.replace('track_artists', episode, []);
    this.saveChildren('tracks', episode, tracks);
    this.#children.add('track_artists', episode, artists);
    this.#noteFields(episode, feedFieldsOfChildren.track_artists);
    return true;
  }

  /** How an event reads beyond its list item; null while nothing is stored. */
  detailsOf(event: number): string | null {
    if (this.isNewInSavepoint(event)) return null;
    if (event >= this.#firstOfBatch) this.#newDetails.flush();
    return (this.#details.get(event) as string | undefined) ?? null;
  }

  /** Stores how an event reads beyond its list item; `isNew` where nothing is stored yet. */
  saveDetails(event: number, detail: string, isNew: boolean): void {
    const checksum = checksumOf(event, detail);
    if (isNew) this.#newDetails.add(event, [detail, checksum]);
    else this.#setDetails.run(event, detail, checksum);
    this.changed = true;
  }

  /** Notes that a record changed in this batch, at `now` (ms), and in which fields. */
  touch(kind: Kind, id: number, now: number, fields: readonly string[] = []): void {
    this.changed = true;
    // Of this very batch and time from the beginning.
    if (id >= this.#firstOfBatch) return;
    this.#touched.set(id, { kind, now });
    this.#noteFields(id, fields);
  }

  #noteFields(id: number, fields: readonly string[]): void {
    this.changed = true;
    if (id < this.#firstOfBatch) this.#changes.recordUpdate(id, fields);
  }

  /**
   * Notes in the change log that record `from` went into `into`, both of the kind. To be called while the row and slug of
   * `from` are still there; one that never had a row here is told by its `slugColumn`. `countRecords` keeps its row for ever: ids are
   * never used again.
   */
  recordMerge(kind: Kind, from: number, into: number, slug?: string): void {
    this.#changes.recordMerge(from, into, slug ?? (this.row(kind, from)?.slug as string | undefined) ?? null);
    this.changed = true;
  }

  /**
   * Notes in the change log that no source lists the record any more, from `now` (ms) on. A change of the record, though
   * none of its fields need have another value: whoever follows the catalogue is to hear of it.
   */
  recordWithdrawal(kind: Kind, id: number, now: number): void {
    this.changed = true;
    this.#changes.recordStatus(id, 'withdrawn');
    if (id < this.#firstOfBatch) this.#touched.set(id, { kind, now });
  }

  /** Forgets what is kept at hand of a record: it was written, or taken away, by other means than this writer's. */
  evictRow(id: number): void {
    this.#rows.delete(id);
    this.#names.delete(id);
  }

  /** Has a record worked out again after this batch. */
  markStale(id: number): void {
    this.#stale.add(id);
  }

  /** Widens how long before now an upcoming event may have started. */
  extendMaxDuration(ms: number): void {
    if (ms <= this.#longestMs) return;
    this.#longestMs = ms;
    this.#longest.run(ms);
  }
}
