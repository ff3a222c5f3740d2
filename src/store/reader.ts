/** Reads the catalogue: one connection, statements prepared once, and one state of the file per snapshot. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { formatUtc } from '../clock.ts';
import type { Kind } from '../contract/fields.ts';
import { type ClockPart, clockParts } from '../contract/operations.ts';
import type { ApiRecord } from '../contract/records.ts';
import { inSteps } from '../divided-work.ts';
import { ArtistExtras } from './answers/artist-extras.ts';
import { EditionSearch } from './answers/edition-search.ts';
import { EventExtras } from './answers/event-extras.ts';
import { SimilarNames } from './answers/similar-names.ts';
import { ClockEpochs } from './clock-epochs.ts';
import { readInstanceSecret } from './instance-secret.ts';
import { NameLists } from './lists/by-name.ts';
import { CursorCodec, type CursorPosition } from './lists/cursor.ts';
import { editionListSource } from './lists/editions.ts';
import { episodeListSource } from './lists/episodes.ts';
import { EventLists } from './lists/events.ts';
import { NestedLists } from './lists/list-history.ts';
import { type ListPage, type ListSource, type PageRequest, Paginator } from './lists/pagination.ts';
import { RecordDetails, type UpcomingRange } from './records/details.ts';
import { EventNameSearch } from './search/event-names.ts';
import { NamedRecords } from './search/named-records.ts';
import { prepare } from './statement.ts';

/** The state that responses depend on. Equal states give equal responses. */
export type CatalogueState = {
  revision: number;
  lastSyncedTs: number | null;
  maxEventMs: number;
};

/**
 * Reads the catalogue on one connection: records, lists, names and search. Reads that belong together run in `snapshot`.
 */
export class CatalogueReader {
  readonly details: RecordDetails;
  readonly events: EventLists;
  readonly byName: NameLists;
  /** Searches records by name. */
  readonly namedRecords: NamedRecords;
  /** Searches events by words of their names. */
  readonly eventNames: EventNameSearch;
  /** What the answers of the agent tools add to events, artists and genres. */
  readonly eventExtras: EventExtras;
  readonly artistExtras: ArtistExtras;
  readonly editionSearch: EditionSearch;
  readonly similarNames: SimilarNames;
  readonly editions: (festival: number) => ListSource;
  readonly episodes: (podcast: number) => ListSource;
  /** Nested lists: line-up, tickets, tracklist. */
  readonly nestedLists: NestedLists;
  /** The HMAC key of cursors and entity tags. */
  readonly secret: Buffer;
  readonly #sqlite: Database.Database;
  readonly #lists: Paginator;
  readonly #state;
  readonly #stats;
  readonly #epochs: ClockEpochs;
  readonly #nextStart: Database.Statement<[number], number | null>;
  readonly #begin;
  readonly #commit;
  #inSnapshot = false;
  #snapshotState: CatalogueState | undefined;

  constructor(sqlite: Database.Database, secret?: Buffer) {
    this.#sqlite = sqlite;
    // The operating system keeps the file in memory, too: at a million events, more than 8 MB saved no time.
    sqlite.pragma('cache_size = -8000');
    this.secret = secret ?? Buffer.from(readInstanceSecret(sqlite), 'hex');
    this.details = new RecordDetails(sqlite);
    this.events = inSteps(new EventLists(sqlite), ['newest', 'count']);
    this.byName = new NameLists(sqlite, (now) => {
      const { revision } = this.state();
      return `${revision} ${this.epoch(now, revision, ['events', 'endings'])}`;
    });
    this.namedRecords = inSteps(new NamedRecords(sqlite), ['byExactName', 'unlinkedVenueSpellings']);
    this.eventNames = inSteps(new EventNameSearch(sqlite, this.events), ['find', 'count', 'has']);
    this.eventExtras = new EventExtras(sqlite);
    this.artistExtras = new ArtistExtras(sqlite);
    this.editionSearch = inSteps(new EditionSearch(sqlite), [
      'ofArtist',
      'inPlace',
      'heldInPlace',
      'setsOf',
      'placeOf',
    ]);
    this.similarNames = new SimilarNames(sqlite);
    this.editions = editionListSource(sqlite);
    this.episodes = episodeListSource(sqlite);
    this.nestedLists = new NestedLists(sqlite);
    this.#lists = new Paginator(sqlite, new CursorCodec(this.secret));
    this.#begin = sqlite.prepare('BEGIN');
    this.#commit = sqlite.prepare('COMMIT');
    this.#state = sqlite.prepare(
      'SELECT revision, last_synced_ts AS lastSyncedTs, max_event_duration_ms AS maxEventMs FROM catalogue',
    );
    this.#epochs = new ClockEpochs(sqlite);
    this.#nextStart = sqlite
      .prepare<[number], number | null>('SELECT min(start_ts) FROM events WHERE start_ts > ?')
      .pluck();
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

  /** The current state of the catalogue, or that of the open snapshot. */
  state(): CatalogueState {
    if (!this.#inSnapshot) return this.#state.get() as CatalogueState;
    this.#snapshotState ??= this.#state.get() as CatalogueState;
    return this.#snapshotState;
  }

  /**
   * Runs `read` on one state of the file, regardless of concurrent writes. All reads in one turn of the event
   * loop share a transaction, and so a state.
   */
  snapshot<T>(read: () => T): T {
    if (!this.#sqlite.inTransaction) {
      this.#begin.run();
      this.#inSnapshot = true;
      setImmediate(this.endSnapshot);
    }
    return read();
  }

  /** Ends the snapshot of this turn of the event loop, if there is one. A later read begins another. */
  readonly endSnapshot = (): void => {
    if (!this.#inSnapshot) return;
    this.#inSnapshot = false;
    this.#snapshotState = undefined;
    if (this.#sqlite.open && this.#sqlite.inTransaction) this.#commit.run();
  };

  /** The position that a cursor encodes. Throws `invalid_cursor`. */
  decodeCursor(cursor: string, binding: string): CursorPosition {
    return this.#lists.decodeCursor(cursor, binding);
  }

  /** Reads one page of a list. */
  page(source: ListSource, request: PageRequest): ListPage {
    return this.#lists.page(source, request);
  }

  /** A list without entries. */
  readonly emptyList: ListSource = { kind: null, descending: false, fetch: () => [] };

  find(kind: Kind, slug: string): number | null {
    return this.details.find(kind, slug);
  }

  /** The range of start times to scan for events that are upcoming at `now` (ms). */
  upcoming(now: number): UpcomingRange {
    return { now, since: now - this.state().maxEventMs };
  }

  /** What answers depend on beside the catalogue: they stay the same while this text does. `now` is in ms. */
  epoch(now: number, revision: number, parts: readonly ClockPart[] = clockParts): string {
    return this.#epochs.name(parts, now, revision);
  }

  /** The span (ms) around `now` in which no answer changes by the clock: from its start until, and without, its end. */
  unchangedSpan(now: number, revision: number): { from: number; until: number } {
    return this.#epochs.span(clockParts, now, revision);
  }

  /** When (ms) the next event after `now` starts; null without one. */
  nextStart(now: number): number | null {
    return this.#nextStart.get(now) ?? null;
  }

  stats(now: number): ApiRecord<'Stats'> {
    const { lastSyncedTs } = this.state();
    const counts = this.#stats.get({ now }) as Omit<ApiRecord<'Stats'>, 'last_synced_at'>;
    return { ...counts, last_synced_at: lastSyncedTs === null ? null : formatUtc(lastSyncedTs) };
  }
}

/**
 * Opens a reader on a connection of its own.
 * @param secret what signs cursors and names cached answers; by default the secret of the file
 */
export const openCatalogueReader = (sqlite: Database.Database, secret?: Buffer): CatalogueReader =>
  new CatalogueReader(sqlite, secret);
