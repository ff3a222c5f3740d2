/** Lists ordered by name: all records of a kind, a label's roster, an artist's genres. */
import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import {
  artistItems,
  cityItems,
  festivalItems,
  genreItems,
  labelItems,
  podcastItems,
  showArtistItem,
  showCityItem,
  showFestivalItem,
  showGenreItem,
  showLabelItem,
  showPodcastItem,
  showVenueItem,
  venueItems,
} from './items.ts';
import type { Key, ListSource, Moved, Row } from './list.ts';
import { type Prepared, preparedByShape, query } from './statement.ts';

// biome-ignore lint/suspicious/noExplicitAny: each pair of query and show is typed where it is defined
type Listed = { query: any; show: (row: any) => unknown; table: string };
const listed = {
  artist: { query: artistItems, show: showArtistItem, table: 'artists' },
  venue: { query: venueItems, show: showVenueItem, table: 'venues' },
  festival: { query: festivalItems, show: showFestivalItem, table: 'festivals' },
  city: { query: cityItems, show: showCityItem, table: 'cities' },
  label: { query: labelItems, show: showLabelItem, table: 'labels' },
  genre: { query: genreItems, show: showGenreItem, table: 'genres' },
  podcast: { query: podcastItems, show: showPodcastItem, table: 'podcasts' },
} as const satisfies Record<string, Listed>;
export type ListedKind = keyof typeof listed;

/** What a list by name is restricted to. */
export type NameFilter = {
  country?: string;
  /** Artists on the roster of this label. */
  roster?: number;
  /** Genres of this artist. */
  artist?: number;
};
type Values = NameFilter & { afterName: string; afterSlug: string; since: number; limit: number };
type Found = { id: number; list_folded: string; slug: string };

export class NameLists {
  readonly #statements: Record<ListedKind, (shape: string) => Prepared<Values, Found>>;

  constructor(sqlite: Database.Database) {
    this.#statements = Object.fromEntries(
      Object.entries(listed).map(([kind, { query: items, table }]) => [
        kind,
        preparedByShape<Values, Found>(sqlite, (shape, values) =>
          select(kind, items, table, new Set(shape.split(' ')), values),
        ),
      ]),
    ) as Record<ListedKind, (shape: string) => Prepared<Values, Found>>;
  }

  /** The records of a kind by folded name, then slug, each as its list item (or, with `refs`, as {slug, name}). */
  source(kind: ListedKind, filter: NameFilter = {}, refs = false): ListSource {
    const show = refs
      ? ({ slug, name }: { slug: string; name: string }) => ({ slug, name })
      : (listed[kind].show as (row: unknown) => unknown);
    const fetch = (after: Key | null, limit: number, moved: Moved): Row[] => {
      const shape: string[] = Object.keys(filter);
      const values = { ...filter, limit } as Values;
      if (after) {
        shape.push('after');
        [values.afterName, values.afterSlug] = after as [string, string];
      }
      if (moved) {
        shape.push(moved.only ? 'moved' : 'unmoved');
        values.since = moved.since;
      }
      return this.#statements[kind](shape.join(' '))
        .all(values)
        .map((row) => {
          const json = JSON.stringify(show(row as never));
          return moved?.only ? [json, row.id] : [json, row.list_folded, row.slug];
        });
    };
    return { kind, descending: false, fetch };
  }
}

function select(kind: string, items: Listed['query'], table: string, shape: Set<string>, p: Values) {
  const own = (column: string) => sql.ref(`${table}.${column}`);
  const conditions = [];
  if (shape.has('country')) conditions.push(sql<SqlBool>`${own('country')} = ${p.country}`);
  if (shape.has('roster')) {
    conditions.push(
      sql<SqlBool>`${own('id')} in ${query
        .selectFrom('label_artists')
        .select('artist_id')
        .where('label_id', '=', p.roster as number)}`,
    );
  }
  if (shape.has('artist')) {
    conditions.push(
      sql<SqlBool>`${own('id')} in ${query
        .selectFrom('artist_genres')
        .select('genre_id')
        .where('artist_id', '=', p.artist as number)
        .where('direct', '=', 1)}`,
    );
  }
  if (shape.has('after')) {
    conditions.push(sql<SqlBool>`(${own('folded')}, ${own('slug')}) > (${p.afterName}, ${p.afterSlug})`);
  }
  const moved = query
    .selectFrom('moves')
    .select('record_id')
    .where('kind', '=', kind)
    .where('revision', '>', p.since);
  if (shape.has('moved')) conditions.push(sql<SqlBool>`${own('id')} in ${moved}`);
  if (shape.has('unmoved')) conditions.push(sql<SqlBool>`${own('id')} not in ${moved}`);
  let built = items.select(sql`${own('folded')}`.as('list_folded'));
  for (const condition of conditions) built = built.where(condition);
  return built.orderBy(`${table}.folded`).orderBy(`${table}.slug`).limit(p.limit);
}
