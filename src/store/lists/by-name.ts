/** Lists ordered by name: all records of a kind, the artists of a label, the genres of an artist. */
import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { ArtistSummaries, type ArtistSummary } from '../records/artist-summaries.ts';
import {
  artistItemQuery,
  cityItemQuery,
  festivalItemQuery,
  genreItemQuery,
  labelItemQuery,
  podcastItemQuery,
  toArtistItem,
  toCityItem,
  toFestivalItem,
  toGenreItem,
  toLabelItem,
  toPodcastItem,
  toVenueItem,
  venueItemQuery,
} from '../records/list-items.ts';
import { type PreparedStatement, prepareByShape, query } from '../statement.ts';
import {
  PartialCandidates,
  type PartialFilter,
  type PartialParams,
  partialConditions,
  partialShape,
} from './name-filters.ts';
import {
  compareSortKeys,
  type ListEntry,
  type ListSource,
  type MovedFilter,
  type SortKey,
} from './pagination.ts';

// biome-ignore lint/suspicious/noExplicitAny: each pair of query and show is typed where it is defined
type NameListSpec = { query: any; show: (row: any, now: number, more: any) => unknown; table: string };
const nameListSpecs = {
  artist: { query: artistItemQuery, show: toArtistItem, table: 'artists' },
  venue: { query: venueItemQuery, show: toVenueItem, table: 'venues' },
  festival: { query: festivalItemQuery, show: toFestivalItem, table: 'festivals' },
  city: { query: cityItemQuery, show: toCityItem, table: 'cities' },
  label: { query: labelItemQuery, show: toLabelItem, table: 'labels' },
  genre: { query: genreItemQuery, show: toGenreItem, table: 'genres' },
  podcast: { query: podcastItemQuery, show: toPodcastItem, table: 'podcasts' },
} as const satisfies Record<string, NameListSpec>;
export type ListByNameKind = keyof typeof nameListSpecs;

/** The filter of a list by name. */
export type NameFilter = PartialFilter & {
  country?: string;
  /** One of these countries, each once. */
  countries?: readonly string[];
  /** Only these records: a JSON array of ids. */
  ids?: string;
  /** Artists on the roster of this label. */
  roster?: number;
  /** Genres of this artist. */
  artist?: number;
};
type NameListParams = PartialParams & {
  country: string;
  countries: string;
  ids: string;
  roster: number;
  artist: number;
  afterName: string;
  afterSlug: string;
  since: number;
  movedIds: string;
  limit: number;
};
type NameListRow = { id: number; list_folded: string; slug: string };
type ArtistRow = NameListRow & Parameters<typeof toArtistItem>[0];
type Query = { shape: string[]; values: Partial<NameListParams> };

/** Memory for rendered artists, in characters. */
const maxArtistChars = 8_000_000;

/** Lists the records of a kind by name, with filters. It caches rendered artists, up to 8 million characters. */
export class NameLists {
  readonly #artists: ArtistSummaries;
  readonly #stateOf: (now: number) => string;
  /**
   * Artists as JSON, valid in one state. Reading what they show of other tables takes two thirds of the time of a page, as
   * measured.
   */
  readonly #rendered = new LRUCache<number, string>({
    maxSize: maxArtistChars,
    sizeCalculation: (text) => text.length + 100,
  });
  #renderedState = '';
  readonly #statements: Record<
    ListByNameKind,
    (shape: string) => PreparedStatement<NameListParams, NameListRow>
  >;
  readonly #candidates: Record<ListByNameKind, PartialCandidates>;

  /** @param stateOf what items depend on at a time (ms): equal states give equal items */
  constructor(sqlite: Database.Database, stateOf: (now: number) => string) {
    this.#stateOf = stateOf;
    const specs = Object.entries(nameListSpecs);
    this.#artists = new ArtistSummaries(sqlite);
    this.#statements = Object.fromEntries(
      specs.map(([kind, { query: items, table }]) => [
        kind,
        prepareByShape<NameListParams, NameListRow>(sqlite, (shape, values) =>
          select(kind, items, table, new Set(shape.split(' ')), values),
        ),
      ]),
    ) as Record<ListByNameKind, (shape: string) => PreparedStatement<NameListParams, NameListRow>>;
    this.#candidates = Object.fromEntries(
      specs.map(([kind, { table }]) => [kind, new PartialCandidates(sqlite, table)]),
    ) as Record<ListByNameKind, PartialCandidates>;
  }

  /**
   * The records of a kind by folded name, then slug, as list items or, with `refs`, as {slug, name}.
   * @param now ms since 1970: venues may be closed by then
   */
  source(
    kind: ListByNameKind,
    filter: NameFilter,
    { now, refs = false }: { now: number; refs?: boolean },
  ): ListSource {
    const show: NameListSpec['show'] = refs
      ? ({ slug, name }: { slug: string; name: string }) => ({ slug, name })
      : nameListSpecs[kind].show;
    const fetch = (after: SortKey | null, limit: number, moved: MovedFilter): ListEntry[] =>
      this.#queriesOf(kind, filter).flatMap(({ shape, values }) => {
        const own = [...shape];
        const bound = { ...values, limit } as NameListParams;
        if (after) {
          own.push('after');
          [bound.afterName, bound.afterSlug] = after as [string, string];
        }
        if (moved) {
          own.push(moved.ids ? 'moved' : 'unmoved');
          bound.since = moved.unmovedSince ?? 0;
          bound.movedIds = JSON.stringify(moved.ids ?? []);
        }
        // Before the rows: an item of a later state is then discarded with the earlier one.
        if (kind === 'artist' && !refs) this.#discardRendered(now);
        const rows = this.#statements[kind](own.join(' ')).all(bound);
        const items =
          kind === 'artist' && !refs
            ? this.#artistItems(rows, now)
            : rows.map((row) => JSON.stringify(show(row, now, undefined)));
        return rows.map(({ id, list_folded, slug }, index): ListEntry => {
          const json = items[index] as string;
          return moved?.ids ? [json, id] : [json, list_folded, slug];
        });
      });
    if (filter.countries === undefined) return { kind, descending: false, fetch };
    return {
      kind,
      descending: false,
      fetch: (after, limit, moved) => {
        const entries = fetch(after, limit, moved);
        return moved?.ids ? entries : firstInOrder(entries, limit);
      },
    };
  }

  #discardRendered(now: number): void {
    const state = this.#stateOf(now);
    if (state === this.#renderedState) return;
    this.#rendered.clear();
    this.#renderedState = state;
  }

  /** Renders artists, or takes them from memory. */
  #artistItems(rows: readonly NameListRow[], now: number): string[] {
    const items = rows.map(({ id }) => this.#rendered.get(id));
    const newRows = rows.filter((_, index) => items[index] === undefined);
    const summaries = this.#artists.of(
      newRows.map(({ id }) => id),
      now,
    );
    const rendered = new Map(
      newRows.map((row, index) => {
        const item = toArtistItem(row as ArtistRow, now, summaries[index] as ArtistSummary);
        return [row.id, JSON.stringify(item)];
      }),
    );
    for (const [id, item] of rendered) this.#rendered.set(id, item);
    return items.map((item, index) => item ?? (rendered.get(rows[index]?.id as number) as string));
  }

  /** The queries whose rows together are the list: with several countries, one per country unless few records fit. */
  #queriesOf(kind: ListByNameKind, filter: NameFilter): Query[] {
    const { country, countries, ids, roster, artist } = filter;
    const partial = partialShape(filter);
    const few = ids === undefined && partial.shape.length > 0 ? this.#candidates[kind].few(partial) : null;
    const values: Partial<NameListParams> = { ...partial.values };
    const shape = [...partial.shape];
    const bind = (name: 'country' | 'ids' | 'roster' | 'artist', value: string | number | undefined) => {
      if (value === undefined) return;
      shape.push(name);
      (values as Record<string, unknown>)[name] = value;
    };
    bind('country', country);
    bind('ids', few === null ? ids : JSON.stringify(few));
    bind('roster', roster);
    bind('artist', artist);
    if (countries === undefined) return [{ shape, values }];
    if (shape.includes('ids'))
      return [
        { shape: [...shape, 'countries'], values: { ...values, countries: JSON.stringify(countries) } },
      ];
    return countries.map((one) => ({ shape: [...shape, 'country'], values: { ...values, country: one } }));
  }
}

const firstInOrder = (entries: ListEntry[], limit: number): ListEntry[] =>
  entries
    .sort((a, b) => compareSortKeys(a.slice(1) as SortKey, b.slice(1) as SortKey))
    .slice(0, limit < 0 ? undefined : limit);

function select(
  kind: string,
  items: NameListSpec['query'],
  table: string,
  shape: Set<string>,
  p: NameListParams,
) {
  const own = (column: string) => sql.ref(`${table}.${column}`);
  const conditions = [];
  if (shape.has('country')) conditions.push(sql<SqlBool>`${own('country')} = ${p.country}`);
  if (shape.has('countries')) {
    conditions.push(sql<SqlBool>`+${own('country')} in (select value from json_each(${p.countries}))`);
  }
  conditions.push(...partialConditions(table, shape, p));
  if (shape.has('ids')) {
    conditions.push(sql<SqlBool>`${own('id')} in (select value from json_each(${p.ids}))`);
  }
  if (shape.has('roster')) {
    conditions.push(
      sql<SqlBool>`${own('id')} in ${query
        .selectFrom('label_artists')
        .select('artist_id')
        .where('label_id', '=', p.roster)}`,
    );
  }
  if (shape.has('artist')) {
    conditions.push(
      sql<SqlBool>`${own('id')} in ${query
        .selectFrom('artist_genres')
        .select('genre_id')
        .where('artist_id', '=', p.artist)
        .where('is_direct', '=', 1)}`,
    );
  }
  if (shape.has('after')) {
    conditions.push(sql<SqlBool>`(${own('folded')}, ${own('slug')}) > (${p.afterName}, ${p.afterSlug})`);
  }
  if (shape.has('moved'))
    conditions.push(sql<SqlBool>`${own('id')} in (select value from json_each(${p.movedIds}))`);
  if (shape.has('unmoved')) {
    const moved = query
      .selectFrom('sort_key_history')
      .select('record_id')
      .where('kind', '=', kind)
      .where('revision', '>', p.since);
    conditions.push(sql<SqlBool>`${own('id')} not in ${moved}`);
  }
  let listQuery = items.select(sql`${own('folded')}`.as('list_folded'));
  for (const condition of conditions) listQuery = listQuery.where(condition);
  // Few ids are sorted, rather than found along the index of names.
  if (shape.has('ids'))
    return listQuery
      .orderBy(sql`+${own('folded')}`)
      .orderBy(`${table}.slug`)
      .limit(p.limit);
  return listQuery.orderBy(`${table}.folded`).orderBy(`${table}.slug`).limit(p.limit);
}
