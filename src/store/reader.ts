/** The catalogue as readers see it: one connection, every statement prepared once, every answer from one state of the file. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Kind } from '../contract/fields.ts';
import type { ApiRecord } from '../contract/records.ts';
import { readSetting } from './database.ts';
import { NameLists } from './lists/by-name.ts';
import { CursorCodec, type CursorPosition } from './lists/cursor.ts';
import { editionListSource } from './lists/editions.ts';
import { episodeListSource } from './lists/episodes.ts';
import { EventLists } from './lists/events.ts';
import { NestedLists } from './lists/list-history.ts';
import { type ListPage, type ListSource, type PageRequest, Paginator } from './lists/pagination.ts';
import { RecordDetails, type UpcomingRange } from './records/details.ts';
import { formatUtc } from './records/serialize.ts';
import { EventNameSearch } from './search/event-names.ts';
import { NamedRecords } from './search/named-records.ts';
import { prepare } from './statement.ts';

/** What answers depend on: equal states give equal answers. */
export type CatalogueState = {
  revision: number;
  lastSyncedTs: number | null;
  longestMs: number;
};

export class CatalogueReader {
  readonly details: RecordDetails;
  readonly events: EventLists;
  readonly byName: NameLists;
  /** Records by what they are called. */
  readonly namedRecords: NamedRecords;
  /** Events by words of their names. */
  readonly eventNames: EventNameSearch;
  readonly editions: (festival: number) => ListSource;
  readonly episodes: (podcast: number) => ListSource;
  /** Lists inside a record: line-up, tickets, tracklist. */
  readonly nestedLists: NestedLists;
  /** The key that authenticates what this service gives out: cursors and entity tags. */
  readonly secret: Buffer;
  readonly #sqlite: Database.Database;
  readonly #lists: Paginator;
  readonly #state;
  readonly #stats;
  readonly #turn;
  readonly #begin;
  readonly #commit;
  #inTurn = false;
  #turnState: CatalogueState | undefined;
  #epoch = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY, revision: -1 };

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    // What is read at random is found here more often than not; a quarter of it would do for writing.
    sqlite.pragma('cache_size = -48000');
    this.secret = Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex');
    this.details = new RecordDetails(sqlite);
    this.events = new EventLists(sqlite);
    this.byName = new NameLists(sqlite);
    this.namedRecords = new NamedRecords(sqlite);
    this.eventNames = new EventNameSearch(sqlite);
    this.editions = editionListSource(sqlite);
    this.episodes = episodeListSource(sqlite);
    this.nestedLists = new NestedLists(sqlite);
    this.#lists = new Paginator(sqlite, new CursorCodec(this.secret));
    this.#begin = sqlite.prepare('BEGIN');
    this.#commit = sqlite.prepare('COMMIT');
    this.#state = sqlite.prepare(
      'SELECT revision, last_synced_ts AS lastSyncedTs, max_event_duration_ms AS longestMs FROM catalogue',
    );
    this.#turn = prepare<{ now: number }, { before: number | null; after: number | null }>(
      sqlite,
      (p) => sql`
        select
          max(
            coalesce((select max(ends_ts) from events where ends_ts <= ${p.now}), 0),
            coalesce((select max(ends_ts) from editions where ends_ts <= ${p.now}), 0),
            coalesce((select max(start_ts) from editions where start_ts <= ${p.now}), 0)
          ) as before,
          min(
            coalesce((select min(ends_ts) from events where ends_ts > ${p.now}), 9e15),
            coalesce((select min(ends_ts) from editions where ends_ts > ${p.now}), 9e15),
            coalesce((select min(start_ts) from editions where start_ts > ${p.now}), 9e15)
          ) as after`,
    );
    this.#stats = prepare<{ now: number }, Omit<ApiRecord<'Stats'>, 'last_synced_at'>>(
      sqlite,
      (p) => sql`
        select
          (select count(*) from artists) as artists, (select count(*) from events) as events,
          (select count(*) from events where ends_ts > ${p.now}) as upcoming_events, (select count(*) from festivals) as festivals,
          (select count(*) from editions) as editions, (select count(*) from venues) as venues, (select count(*) from cities) as cities,
          (select count(*) from labels) as labels, (select count(*) from genres) as genres, (select count(*) from podcasts) as podcasts,
          (select count(*) from episodes) as episodes, (select count(*) from tracks) as tracks`,
    );
  }

  /** The state of the catalogue at this moment; within a snapshot, that of the snapshot. */
  state(): CatalogueState {
    if (!this.#inTurn) return this.#state.get() as CatalogueState;
    this.#turnState ??= this.#state.get() as CatalogueState;
    return this.#turnState;
  }

  /**
   * Runs `read` on one state of the file, whatever is written meanwhile. All that is read in one turn of the event loop is
   * read from the same state: one transaction for the requests that arrived together.
   */
  snapshot<T>(read: () => T): T {
    if (!this.#sqlite.inTransaction) {
      this.#begin.run();
      this.#inTurn = true;
      setImmediate(this.#endTurn);
    }
    return read();
  }

  readonly #endTurn = (): void => {
    this.#inTurn = false;
    this.#turnState = undefined;
    if (this.#sqlite.open && this.#sqlite.inTransaction) this.#commit.run();
  };

  /** Where a walk stands by its cursor; throws `invalid_cursor`. */
  decodeCursor(cursor: string, binding: string): CursorPosition {
    return this.#lists.decodeCursor(cursor, binding);
  }

  /** One page of a list. */
  page(source: ListSource, request: PageRequest): ListPage {
    return this.#lists.page(source, request);
  }

  /** A list without entries. */
  readonly emptyList: ListSource = { kind: null, descending: false, fetch: () => [] };

  find(kind: Kind, slug: string): number | null {
    return this.details.find(kind, slug);
  }

  /** The range in which an index finds what is upcoming at `now` (ms). */
  upcoming(now: number): UpcomingRange {
    return { now, since: now - this.state().longestMs };
  }

  /**
   * The last time, up to `now` (ms), at which something stopped being upcoming or began: answers that depend on the clock
   * are the same as long as this is.
   */
  epoch(now: number, revision: number): number {
    const known = this.#epoch;
    if (known.revision === revision && known.from <= now && now < known.until) return known.from;
    const turn = this.#turn.get({ now });
    this.#epoch = { from: turn?.before ?? 0, until: turn?.after ?? Number.POSITIVE_INFINITY, revision };
    return this.#epoch.from;
  }

  stats(now: number): ApiRecord<'Stats'> {
    const { lastSyncedTs } = this.state();
    const counted = this.#stats.get({ now }) as Omit<ApiRecord<'Stats'>, 'last_synced_at'>;
    return { ...counted, last_synced_at: lastSyncedTs === null ? null : formatUtc(lastSyncedTs) };
  }
}

/** Opens the reading side over a connection of its own. */
export const openCatalogueReader = (sqlite: Database.Database): CatalogueReader =>
  new CatalogueReader(sqlite);
