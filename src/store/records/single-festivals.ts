/** Reads single festivals and editions for detail responses. */
import type { ApiRecord } from '../../contract/records.ts';
import { editionItemQuery, toEditionItem } from '../lists/editions.ts';
import { prepare, query, SqliteStore } from '../statement.ts';
import { festivalItemQuery, toFestivalItem } from './list-items.ts';
import { formatUtc, parseLinks, toExternalIds } from './serialize.ts';
import type { DescribedRow } from './single-record-rows.ts';

type IdParam = { id: number };
type FestivalRow = Parameters<typeof toFestivalItem>[0] & {
  description: string | null;
  website: string | null;
  links: string;
  external_ids: string;
  edition_count: number;
  latest_edition: string | null;
  next_edition: string | null;
  updated_ts: number;
};
type EditionRow = Parameters<typeof toEditionItem>[0] & DescribedRow & { lineup_count: number };

export class SingleFestivals extends SqliteStore {
  readonly #festival = prepare<{ id: number; now: number }, FestivalRow>(this.sqlite, (p) =>
    festivalItemQuery
      .select(['description', 'website', 'links', 'external_ids', 'updated_ts'])
      .select((eb) => [
        eb
          .selectFrom('editions')
          .select(eb.fn.countAll().as('n'))
          .whereRef('festival_id', '=', 'festivals.id')
          .as('edition_count'),
        eb
          .selectFrom('editions')
          .select('edition')
          .whereRef('festival_id', '=', 'festivals.id')
          .where('start_ts', '<=', p.now)
          .orderBy('sort_ts', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
          .as('latest_edition'),
        eb
          .selectFrom('editions')
          .select('edition')
          .whereRef('festival_id', '=', 'festivals.id')
          .where('ends_ts', '>', p.now)
          .orderBy('sort_ts')
          .orderBy('id')
          .limit(1)
          .as('next_edition'),
      ])
      .where('festivals.id', '=', p.id),
  );
  readonly #festivalGenres = prepare<IdParam, { slug: string; name: string }>(this.sqlite, (p) =>
    query
      .selectFrom('festival_genres as x')
      .innerJoin('genres as g', 'g.id', 'x.genre_id')
      .select(['g.slug', 'g.name'])
      .where('x.festival_id', '=', p.id)
      .orderBy('g.folded')
      .orderBy('g.slug'),
  );
  readonly #editionId = prepare<{ festival: number; edition: string }, IdParam>(this.sqlite, (p) =>
    query
      .selectFrom('editions')
      .select('id')
      .where('festival_id', '=', p.festival)
      .where('edition', '=', p.edition),
  );
  readonly #edition = prepare<IdParam, EditionRow>(this.sqlite, (p) =>
    editionItemQuery
      .select(['d.description', 'd.image_url', 'd.updated_ts'])
      .select((eb) =>
        eb
          .selectFrom('lineups')
          .select(eb.fn.countAll().as('n'))
          .whereRef('record_id', '=', 'd.id')
          .as('lineup_count'),
      )
      .where('d.id', '=', p.id),
  );

  /** The edition of a festival by its edition key; null if there is none. */
  findEdition(festival: number, edition: string): number | null {
    return this.#editionId.get({ festival, edition })?.id ?? null;
  }

  /** A festival at `now` (ms). */
  festival(id: number, now: number): ApiRecord<'Festival'> {
    const row = this.#festival.get({ id, now }) as FestivalRow;
    return {
      ...toFestivalItem(row, now),
      description: row.description,
      website: row.website,
      links: parseLinks(row.links),
      external_ids: toExternalIds(row.external_ids),
      genres: this.#festivalGenres.all({ id }),
      edition_count: row.edition_count,
      latest_edition: row.latest_edition,
      next_edition: row.next_edition,
      updated_at: formatUtc(row.updated_ts),
    };
  }

  /** An edition of a festival. */
  edition(id: number): ApiRecord<'Edition'> {
    const row = this.#edition.get({ id }) as EditionRow;
    return {
      ...toEditionItem(row),
      description: row.description,
      image_url: row.image_url,
      lineup_count: row.lineup_count,
      updated_at: formatUtc(row.updated_ts),
    };
  }
}
