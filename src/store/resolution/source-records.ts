/** Stores the source records of sources. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { FeedKind } from '../../contract/feed.ts';
import { EditStore } from '../edits.ts';
import { rowChecksum } from '../integrity/checksums.ts';
import { prepare, prepareValue, query } from '../statement.ts';
import { SeenRecords } from './seen-records.ts';
import { type SourceRecordCache, sourceRecordCacheOf } from './source-record-cache.ts';
import {
  type ListedRow,
  type ParsedSourceRow,
  type SourceRecordRow,
  type SourceStatementRow,
  StatementParser,
  type UnseenRow,
} from './source-record-rows.ts';
import { type SourceRow, SourceStore } from './source-store.ts';

export * from './source-record-rows.ts';
export type { SourceRow } from './source-store.ts';

type SourceRecordId = { source: number; kind: FeedKind; externalId: string };

const sourceRecordChecksum = rowChecksum('source_records');

/** Reads and writes what each source says of its records, with a cache of the rows. */
export class SourceRecords {
  /** The sources themselves: their settings and runs. */
  readonly store: SourceStore;
  /** The edits of records; each moves with the source record that it is anchored at. */
  readonly edits: EditStore;
  readonly #sqlite: Database.Database;
  readonly #find;
  readonly #insert;
  readonly #updateContent;
  readonly #contentsOf;
  readonly #ofSource;
  readonly #withdraw;
  readonly #listing: Database.Statement;
  readonly #content: Database.Statement;
  readonly #countContents;
  readonly #clearContent: Database.Statement;
  readonly #move: Database.Statement;
  readonly #isDescribed;
  readonly #externalIds: Database.Statement;
  readonly #listedPage: Database.Statement;
  readonly #seen: SeenRecords;
  readonly #parser = new StatementParser();
  readonly #cache: SourceRecordCache;
  readonly #pastEvents: Database.Statement;
  readonly #listed: Database.Statement;
  readonly #countListed;

  /** @param seen the source records that the present run contained, which sessions of one import share */
  constructor(sqlite: Database.Database, seen: SeenRecords = new SeenRecords()) {
    this.#sqlite = sqlite;
    this.#seen = seen;
    this.#cache = sourceRecordCacheOf(sqlite);
    this.store = new SourceStore(sqlite);
    this.edits = new EditStore(sqlite);
    this.#move = sqlite.prepare(
      'UPDATE source_records SET record_id = ? WHERE source_id = ? AND kind = ? AND external_id = ?',
    );
    this.#externalIds = sqlite.prepare(
      `SELECT r.source_id, s.name AS source_name, r.external_id FROM source_records r
       JOIN sources s ON s.id = r.source_id WHERE r.record_id = ? ORDER BY s.name, r.external_id`,
    );
    this.#isDescribed = sqlite.prepare('SELECT 1 FROM source_records WHERE record_id = ? LIMIT 1').pluck();
    this.#listedPage = sqlite.prepare(
      `SELECT kind, external_id, record_id, content FROM source_records
       WHERE source_id = @source AND (kind, external_id) > (@kind, @externalId)
         AND content IS NOT NULL AND withdrawn_ts IS NULL
       ORDER BY kind, external_id LIMIT @limit`,
    );
    const isListed = 'content IS NOT NULL AND withdrawn_ts IS NULL';
    this.#pastEvents = sqlite
      .prepare(
        `SELECT r.rowid FROM source_records r JOIN events e ON e.id = r.record_id
         WHERE r.source_id = @source AND r.kind = 'event' AND r.last_seen_run < @run
           AND r.content IS NOT NULL AND r.withdrawn_ts IS NULL AND e.ends_ts < @now`,
      )
      .pluck();
    this.#listed = sqlite.prepare(
      `SELECT rowid, kind, external_id, record_id FROM source_records
       WHERE source_id = @source AND (kind, external_id) > (@kind, @externalId) AND last_seen_run < @run AND ${isListed}
       ORDER BY kind, external_id`,
    );
    this.#countListed = prepareValue<number>(
      sqlite,
      `SELECT count(*) FROM source_records WHERE source_id = ? AND ${isListed}`,
    );
    this.#find = prepare<SourceRecordId, SourceRecordRow & { rowid: number }>(sqlite, (p) =>
      query
        .selectFrom('source_records')
        .select([sql<number>`rowid`.as('rowid'), 'record_id', 'content', 'withdrawn_ts', 'last_seen_run'])
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    );
    this.#insert = prepare<
      SourceRecordId & {
        record: number;
        statement: string | null;
        now: number;
        run: number;
        checksum: number | null;
      },
      never
    >(sqlite, (p) =>
      query.insertInto('source_records').values({
        source_id: p.source,
        kind: p.kind,
        external_id: p.externalId,
        record_id: p.record,
        content: p.statement,
        content_updated_ts: p.now,
        last_seen_run: p.run,
        withdrawn_ts: null,
        checksum: p.checksum,
      }),
    );
    this.#updateContent = prepare<
      SourceRecordId & { statement: string; now: number; run: number; checksum: number | null },
      never
    >(sqlite, (p) =>
      query
        .updateTable('source_records')
        .set({
          content: p.statement,
          content_updated_ts: p.now,
          last_seen_run: p.run,
          withdrawn_ts: null,
          checksum: p.checksum,
        })
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    );
    this.#contentsOf = prepare<{ record: number }, SourceStatementRow>(sqlite, (p) =>
      query
        .selectFrom('source_records as r')
        .innerJoin('sources as s', 's.id', 'r.source_id')
        .select([
          'r.source_id',
          's.name as source_name',
          's.trust',
          's.clock',
          'r.external_id',
          'r.content_updated_ts',
          'r.withdrawn_ts',
          'r.content',
        ])
        .where('r.record_id', '=', p.record)
        .where('r.content', 'is not', null),
    );
    this.#listing = sqlite.prepare(
      'SELECT 1 FROM source_records WHERE record_id = ? AND content IS NOT NULL AND withdrawn_ts IS NULL LIMIT 1',
    );
    this.#content = sqlite.prepare(
      'SELECT 1 FROM source_records WHERE source_id = ? AND record_id = ? AND content IS NOT NULL LIMIT 1',
    );
    this.#countContents = prepareValue<number>(
      sqlite,
      'SELECT count(*) FROM source_records WHERE source_id = ? AND record_id = ? AND content IS NOT NULL',
    );
    this.#clearContent = sqlite.prepare(
      'UPDATE source_records SET content = NULL, checksum = content_updated_ts + ?, withdrawn_ts = NULL, last_seen_run = ? WHERE source_id = ? AND kind = ? AND external_id = ?',
    );
    this.#ofSource = prepare<{ record: number; source: number; kind: FeedKind }, { external_id: string }>(
      sqlite,
      (p) =>
        query
          .selectFrom('source_records')
          .select('external_id')
          .where('record_id', '=', p.record)
          .where('source_id', '=', p.source)
          .where('kind', '=', p.kind)
          .limit(1),
    );
    this.#withdraw = prepare<SourceRecordId & { now: number; run: number }, never>(sqlite, (p) =>
      query
        .updateTable('source_records')
        .set({
          withdrawn_ts: p.now,
          last_seen_run: p.run,
          checksum: sql<number>`checksum + ${p.now} - coalesce(withdrawn_ts, 0) + ${p.run} - last_seen_run`,
        })
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    );
  }

  find(key: SourceRecordId): SourceRecordRow | undefined {
    if (this.#seen.added?.mayHaveSourceRecord(key) === false) return undefined;
    const row = this.#find.get(key);
    if (row !== undefined && this.#seen.has(row.rowid)) row.last_seen_run = this.#seen.run;
    return row;
  }

  /** Binds an external id to a record. `statement` is null if the source only refers to the record. */
  bind(key: SourceRecordId, record: number, statement: string | null, now: number, run: number): void {
    const checksum = sourceRecordChecksum({
      content: statement,
      content_updated_ts: now,
      last_seen_run: run,
    });
    this.#seen.added?.addSourceRecord(key);
    this.#insert.run({ ...key, record, statement, now, run, checksum });
    this.#cache.forget(record);
    this.edits.moveAnchored(key.source, key, record);
  }

  /** Replaces the content of a source record, and reverts a withdrawal. */
  update(key: SourceRecordId, statement: string, now: number, run: number): void {
    const checksum = sourceRecordChecksum({
      content: statement,
      content_updated_ts: now,
      last_seen_run: run,
    });
    this.#updateContent.run({ ...key, statement, now, run, checksum });
    this.#forget(key);
  }

  /** Notes that the run contains the source record, which is not written. */
  markSeen(key: SourceRecordId, run: number): void {
    const row = this.#find.get(key);
    // One that this run wrote is not added: after a rollback, it was not seen.
    if (row !== undefined && row.last_seen_run !== run) this.#seen.add(row.rowid, run);
  }

  /** All source records of a record that have content. */
  statementsOf(record: number): SourceStatementRow[] {
    return this.#contentsOf.all({ record });
  }

  /** The same from the cache, for comparisons; `startReading` must be called before each source record. */
  cachedSourceRecordsOf(record: number): readonly SourceStatementRow[] {
    return this.#cache.of(record, () => this.statementsOf(record));
  }

  /** Clears the cache if another connection committed. */
  startReading(): void {
    this.#cache.refresh();
  }

  /** Takes the record of a source record out of the cache. */
  #forget(key: SourceRecordId): void {
    const row = this.#find.get(key);
    if (row !== undefined) this.#cache.forget(row.record_id);
  }

  /** All source records of a record that have content, parsed. `K` is the kind of the record. */
  parsedStatementsOf<K extends FeedKind = FeedKind>(record: number): ParsedSourceRow<K>[] {
    return this.#parser.parse<K>(this.statementsOf(record));
  }

  /** Whether this source has an external id for the record. */
  hasRecord(source: number, kind: FeedKind, record: number): boolean {
    return this.#ofSource.get({ source, kind, record }) !== undefined;
  }

  /** Whether any source still lists the record. */
  isListed(record: number): boolean {
    return this.#listing.get(record) !== undefined;
  }

  /** Whether the source has content for the record. */
  hasStatement(source: number, record: number): boolean {
    return this.#content.get(source, record) !== undefined;
  }

  /** The number of the source's records with content for the record. */
  countStatements(source: number, record: number): number {
    return this.#countContents.one(source, record);
  }

  /** Removes the content of a source record: the source only refers to the record. */
  clearStatement(key: SourceRecordId, run: number): void {
    this.#clearContent.run(run, run, key.source, key.kind, key.externalId);
    this.#forget(key);
  }

  /** Counts the records that the source listed before the run, and those that the run did not contain. */
  countListed(source: number, run: number): { listed: number; gone: number } {
    let gone = 0;
    for (const _ of this.#unseenAfter(source, run, { kind: '', external_id: '' })) gone += 1;
    return { listed: this.#countListed.one(source), gone };
  }

  /** Up to `limit` source records that the run did not contain, in the order of kind and external id, after a given one. */
  findUnseen(
    source: number,
    run: number,
    { after, limit }: { after: { kind: string; external_id: string }; limit: number },
  ): UnseenRow[] {
    const rows: UnseenRow[] = [];
    for (const row of this.#unseenAfter(source, run, after)) {
      rows.push(row);
      if (rows.length === limit) break;
    }
    return rows;
  }

  *#unseenAfter(
    source: number,
    run: number,
    { kind, external_id: externalId }: { kind: string; external_id: string },
  ): Generator<UnseenRow> {
    const rows = this.#listed.iterate({ source, run, kind, externalId });
    for (const { rowid, ...row } of rows as Iterable<UnseenRow & { rowid: number }>)
      if (run !== this.#seen.run || !this.#seen.has(rowid)) yield row;
  }

  /** Marks the events that are over at `now` (ms) as contained in the run. */
  markPastSeen(source: number, { run, now }: { run: number; now: number }): void {
    for (const rowid of this.#pastEvents.iterate({ source, run, now })) this.#seen.add(rowid as number, run);
  }

  /** Up to `limit` records that the source lists, in the order of kind and external id, after the given ones. */
  pageOfListed(source: number, after: { kind: string; external_id: string }, limit: number): ListedRow[] {
    return this.#listedPage.all({
      source,
      kind: after.kind,
      externalId: after.external_id,
      limit,
    }) as ListedRow[];
  }

  /**
   * Events and editions that the source withdrew up to `untilTs` (ms) before they ended, that are still shown, and that
   * have not ended at `now` (ms).
   */
  findOverdue(
    source: number,
    untilTs: number,
    now: number,
  ): { kind: 'event' | 'edition'; record_id: number }[] {
    const select = (kind: 'event' | 'edition', table: string) =>
      `SELECT r.kind, r.record_id FROM source_records r JOIN ${table} t ON t.id = r.record_id
       WHERE r.source_id = @source AND r.kind = '${kind}' AND r.withdrawn_ts <= @untilTs AND t.ends_ts > @now`;
    return this.#sqlite
      .prepare<unknown[], { kind: 'event' | 'edition'; record_id: number }>(
        `${select('event', 'events')} UNION ALL ${select('edition', 'editions')}`,
      )
      .all({ source, untilTs, now });
  }

  withdraw(key: SourceRecordId, now: number, run: number): void {
    this.#withdraw.run({ ...key, now, run });
    this.#forget(key);
  }

  /** Binds an external id of a source to another record. */
  move(key: SourceRecordId, record: number): void {
    this.#forget(key);
    this.#move.run(record, key.source, key.kind, key.externalId);
    this.#cache.forget(record);
    this.edits.moveAnchored(key.source, key, record);
  }

  /** Deletes a source record. The caller rebuilds its record. */
  remove(key: SourceRecordId): void {
    this.#forget(key);
    this.#sqlite
      .prepare('DELETE FROM source_records WHERE source_id = ? AND kind = ? AND external_id = ?')
      .run(key.source, key.kind, key.externalId);
  }

  /** All external ids of a record, including those of sources that only refer to it. */
  externalIdsOf(record: number): { source_id: number; source_name: string; external_id: string }[] {
    return this.#externalIds.all(record) as { source_id: number; source_name: string; external_id: string }[];
  }

  /** Whether a source has a record for this one, rather than only naming it. */
  isDescribed(record: number): boolean {
    return this.#isDescribed.get(record) !== undefined;
  }

  /** The names and aliases of a record, as they are searched. */
  namesOf(kind: FeedKind, record: number): string[] {
    return prepareValue<string>(this.#sqlite, 'SELECT name FROM names WHERE record_id = ? AND kind = ?').all(
      record,
      kind,
    );
  }

  /** The name of a source; null if there is none with this id. */
  nameOf(source: number): string | null {
    return this.store.nameOf(source);
  }

  /** The source with this name; undefined if there is none. */
  findSource(name: string): SourceRow | undefined {
    return this.store.find(name);
  }
}
