/** Event data that only the public pages need: past events, last changes, details. */
import { type SqlBool, sql } from 'kysely';
import { EventItems, type StoredEventItem } from '../records/event-items.ts';
import { prepare, prepareByShape, query, SqliteStore } from '../statement.ts';

/** The kinds of record whose past events are listed. */
export type PastEventScope = 'artist' | 'venue' | 'city' | 'genre';
/** The position in a list of events: the start (ms) and record id of the last one shown. */
export type PastEventKey = { start: number; id: number };
/** The city record of an event. */
export type EventCity = { slug: string; name: string; country: string | null };
export type PastEvent = PastEventKey & { item: string };
type PastEventRow = PastEvent & StoredEventItem;

type PastEventParams = { of: number; now: number; start: number; id: number; limit: number };

const pastEventTables: Record<PastEventScope, { from: string; column: string; id: string }> = {
  artist: { from: 'event_artists w', column: 'artist_id', id: 'w.event_id' },
  genre: { from: 'event_genres w', column: 'genre_id', id: 'w.event_id' },
  venue: { from: 'events w indexed by events_by_venue', column: 'venue_id', id: 'w.id' },
  city: { from: 'events w indexed by events_by_city', column: 'city_id', id: 'w.id' },
};

/** Reads events for public pages. List items are JSON texts with the placeholder of the base URL. */
export class SiteEvents extends SqliteStore {
  readonly #items = new EventItems(this.sqlite);
  readonly #pastEvents = prepareByShape<PastEventParams, PastEventRow>(this.sqlite, (shape, p) =>
    selectPast(shape as PastEventScope, p),
  );
  readonly #lastChanged = prepare<{ ids: string }, { id: number; updated_ts: number }>(
    this.sqlite,
    (p) => sql`select e.id, e.updated_ts from json_each(${p.ids}) j cross join events e on e.id = j.value`,
  );
  readonly #details = prepare<{ ids: string }, { id: number; detail: string }>(
    this.sqlite,
    (p) =>
      sql`select d.event_id as id, d.detail_json as detail from json_each(${p.ids}) j cross join event_details d on d.event_id = j.value`,
  );
  readonly #cities = prepare<{ ids: string }, EventCity & { id: number }>(
    this.sqlite,
    (p) =>
      sql`select e.id, c.slug, c.name, c.country from json_each(${p.ids}) j
        cross join events e on e.id = j.value cross join cities c on c.id = e.city_id`,
  );
  readonly #ofEdition = this.selectAll((edition: number, limit: number) =>
    query
      .selectFrom('events')
      .select(['id', 'item_json as item', 'updated_ts'])
      .where('edition_id', '=', edition)
      .orderBy('start_ts')
      .orderBy('id')
      .limit(limit),
  );
  readonly #endOf = this.selectValue<[id: number], number>('SELECT ends_ts FROM events WHERE id = ?');
  readonly #previousKey = this.selectValue<[id: number], string>(
    `SELECT previous_sort_key FROM sort_key_history WHERE record_id = ? AND kind = 'event'
     ORDER BY revision DESC LIMIT 1`,
  );
  readonly #upcoming = this.selectAll<[from: number, now: number, limit: number], StoredEventItem>(
    `select id, item_json as item, updated_ts from events indexed by events_by_start
      where start_ts >= ? and +ends_ts > ? order by start_ts, id limit ?`,
  );

  /** Whether an event has ended at `now` (ms). */
  isOver(id: number, now: number): boolean {
    return (this.#endOf(id) ?? Number.POSITIVE_INFINITY) <= now;
  }

  /** Events that have ended at `now` (ms), latest first, after the position `after`. */
  past(of: PastEventScope, id: number, now: number, after: PastEventKey | null, limit: number): PastEvent[] {
    const { start, id: last } = after ?? { start: now, id: Number.MAX_SAFE_INTEGER };
    return this.#pastEvents(of)
      .all({ of: id, now, start, id: last, limit })
      .map((row) => ({ start: row.start, id: row.id, item: this.#items.complete(row) }));
  }

  /** The times of the last change of events (ms), by record id. */
  lastChanged(ids: readonly number[]): Map<number, number> {
    const rows = this.#lastChanged.all({ ids: JSON.stringify(ids) });
    return new Map(rows.map(({ id, updated_ts }) => [id, updated_ts]));
  }

  /** The JSON members that details add to list items, without braces, by record id. */
  details(ids: readonly number[]): Map<number, string> {
    return new Map(this.#details.all({ ids: JSON.stringify(ids) }).map(({ id, detail }) => [id, detail]));
  }

  /** The city records of events, by the record id of the event; those without one are absent. */
  cities(ids: readonly number[]): Map<number, EventCity> {
    return new Map(this.#cities.all({ ids: JSON.stringify(ids) }).map(({ id, ...city }) => [id, city]));
  }

  /** The events of a festival edition, by start. */
  ofEdition(edition: number, limit: number): string[] {
    return this.#ofEdition(edition, limit).map((row) => this.#items.complete(row));
  }

  /** The start of an event before it last moved, in ms since 1970; null if it never moved. */
  previousStart(id: number): number | null {
    const key = this.#previousKey(id);
    if (key === null) return null;
    const [start] = JSON.parse(key) as [number, number];
    return start;
  }

  /** Events of the whole catalogue that start at `from` (ms) or later and have not ended at `now`. */
  upcomingFrom(from: number, now: number, limit: number): string[] {
    return this.#upcoming(from, now, limit).map((row) => this.#items.complete(row));
  }
}

function selectPast(of: PastEventScope, p: PastEventParams) {
  const { from, column, id } = pastEventTables[of];
  const test = (condition: ReturnType<typeof sql<SqlBool>>) => condition;
  const conditions = [
    test(sql`w.${sql.raw(column)} = ${p.of}`),
    test(sql`(w.start_ts, ${sql.raw(id)}) < (${p.start}, ${p.id})`),
    test(sql`+w.ends_ts <= ${p.now}`),
  ];
  return sql<PastEventRow>`select e.item_json as item, e.updated_ts, w.start_ts as start, ${sql.raw(id)} as id
    from ${sql.raw(from)} cross join events e on e.id = ${sql.raw(id)}
    where ${sql.join(conditions, sql` and `)} order by w.start_ts desc, ${sql.raw(id)} desc limit ${p.limit}`;
}
