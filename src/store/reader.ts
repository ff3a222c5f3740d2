/** The catalogue as readers see it: one connection, every statement prepared once, every answer from one state of the file. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Kind } from '../contract/fields.ts';
import type { Shown } from '../contract/records.ts';
import { Cursors, type Position } from './cursor.ts';
import { readSetting } from './database.ts';
import { Details, type UpcomingRange } from './details.ts';
import { editionLists } from './editions.ts';
import { episodeLists } from './episodes.ts';
import { EventLists } from './event-lists.ts';
import { EventNames } from './event-names.ts';
import { InnerLists } from './former-lists.ts';
import { type ListSource, Lists, type Page, type PageRequest } from './list.ts';
import { NameLists } from './name-lists.ts';
import { NamedRecords } from './named-records.ts';
import { utc } from './show.ts';
import { prepare } from './statement.ts';

/** What answers depend on: equal states give equal answers. */
export type State = {
  revision: number;
  lastSyncedTs: number | null;
  longestMs: number;
};

export class Reader {
  readonly details: Details;
  readonly events: EventLists;
  readonly byName: NameLists;
  /** Records by what they are called. */
  readonly named: NamedRecords;
  /** Events by words of their names. */
  readonly eventNames: EventNames;
  readonly editions: (festival: number) => ListSource;
  readonly episodes: (podcast: number) => ListSource;
  /** Lists inside a record: line-up, tickets, tracklist. */
  readonly inner: InnerLists;
  /** The key that authenticates what this service gives out: cursors and entity tags. */
  readonly secret: Buffer;
  readonly #sqlite: Database.Database;
  readonly #lists: Lists;
  readonly #state;
  readonly #stats;
  readonly #turn;
  readonly #begin;
  readonly #commit;
  #inTurn = false;
  #turnState: State | undefined;
  #epoch = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY, revision: -1 };

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    // What is read at random is found here more often than not; a quarter of it would do for writing.
    sqlite.pragma('cache_size = -48000');
    this.secret = Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex');
    this.details = new Details(sqlite);
    this.events = new EventLists(sqlite);
    this.byName = new NameLists(sqlite);
    this.named = new NamedRecords(sqlite);
    this.eventNames = new EventNames(sqlite);
    this.editions = editionLists(sqlite);
    this.episodes = episodeLists(sqlite);
    this.inner = new InnerLists(sqlite);
    this.#lists = new Lists(sqlite, new Cursors(this.secret));
    this.#begin = sqlite.prepare('BEGIN');
    this.#commit = sqlite.prepare('COMMIT');
    this.#state = sqlite.prepare(
      'SELECT revision, last_synced_ts AS lastSyncedTs, longest_ms AS longestMs FROM catalogue',
    );
    this.#turn = prepare<{ now: number }, { before: number | null; after: number | null }>(
      sqlite,
      (p) => sql`
        select
          max(
            coalesce((select max(over_ts) from events where over_ts <= ${p.now}), 0),
            coalesce((select max(over_ts) from editions where over_ts <= ${p.now}), 0),
            coalesce((select max(start_ts) from editions where start_ts <= ${p.now}), 0)
          ) as before,
          min(
            coalesce((select min(over_ts) from events where over_ts > ${p.now}), 9e15),
            coalesce((select min(over_ts) from editions where over_ts > ${p.now}), 9e15),
            coalesce((select min(start_ts) from editions where start_ts > ${p.now}), 9e15)
          ) as after`,
    );
    this.#stats = prepare<{ now: number }, Omit<Shown<'Stats'>, 'last_synced_at'>>(
      sqlite,
      (p) => sql`
        select
          (select count(*) from artists) as artists, (select count(*) from events) as events,
          (select count(*) from events where over_ts > ${p.now}) as upcoming_events, (select count(*) from festivals) as festivals,
          (select count(*) from editions) as editions, (select count(*) from venues) as venues, (select count(*) from cities) as cities,
          (select count(*) from labels) as labels, (select count(*) from genres) as genres, (select count(*) from podcasts) as podcasts,
          (select count(*) from episodes) as episodes, (select count(*) from tracks) as tracks`,
    );
  }

  /** The state of the catalogue at this moment; within a snapshot, that of the snapshot. */
  state(): State {
    if (!this.#inTurn) return this.#state.get() as State;
    this.#turnState ??= this.#state.get() as State;
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
  position(cursor: string, binding: string): Position {
    return this.#lists.position(cursor, binding);
  }

  /** One page of a list. */
  page(source: ListSource, request: PageRequest): Page {
    return this.#lists.page(source, request);
  }

  /** A list without entries. */
  readonly nothing: ListSource = { kind: null, descending: false, fetch: () => [] };

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

  stats(now: number): Shown<'Stats'> {
    const { lastSyncedTs } = this.state();
    const counted = this.#stats.get({ now }) as Omit<Shown<'Stats'>, 'last_synced_at'>;
    return { ...counted, last_synced_at: lastSyncedTs === null ? null : utc(lastSyncedTs) };
  }
}

/** Opens the reading side over a connection of its own. */
export const openReader = (sqlite: Database.Database): Reader => new Reader(sqlite);
