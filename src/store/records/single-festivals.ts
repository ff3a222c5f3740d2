/** Reads single festivals and editions for detail responses. */

import { formatUtc } from '../../clock.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { editionItemQuery, toEditionItem } from '../lists/editions.ts';
import { query, SqliteStore } from '../statement.ts';
import { countRows, festivalItemQuery, toFestivalItem } from './list-items.ts';
import { parseLinks, toExternalIds } from './serialize.ts';

/** Reads details of festivals and editions. The ids must be those of rows: `RecordFinder` finds them. */
export class SingleFestivals extends SqliteStore {
  readonly #festival = this.selectOne((id: number, now: number) =>
    festivalItemQuery
      .select(['description', 'website', 'links', 'external_ids', 'updated_ts'])
      .select(countRows('editions', 'festival_id', 'festivals.id').as('edition_count'))
      .select((eb) => [
        eb
          .selectFrom('editions')
          .select('edition')
          .whereRef('festival_id', '=', 'festivals.id')
          .where('start_ts', '<=', now)
          .orderBy('sort_ts', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
          .as('latest_edition'),
        eb
          .selectFrom('editions')
          .select('edition')
          .whereRef('festival_id', '=', 'festivals.id')
          .where('ends_ts', '>', now)
          .orderBy('sort_ts')
          .orderBy('id')
          .limit(1)
          .as('next_edition'),
      ])
      .where('festivals.id', '=', id),
  );
  readonly #festivalGenres = this.selectAll((festival: number) =>
    query
      .selectFrom('festival_genres as x')
      .innerJoin('genres as g', 'g.id', 'x.genre_id')
      .select(['g.slug', 'g.name'])
      .where('x.festival_id', '=', festival)
      .orderBy('g.folded')
      .orderBy('g.slug'),
  );
  /** The edition of a festival by its edition key; null if there is none. */
  readonly findEdition = this.selectValue<[festival: number, edition: string], number>(
    'SELECT id FROM editions WHERE festival_id = ? AND edition = ?',
  );
  readonly #edition = this.selectOne((id: number) =>
    editionItemQuery
      .select(['d.description', 'd.image_url', 'd.updated_ts'])
      .select(countRows('lineups', 'record_id', 'd.id').as('lineup_count'))
      .where('d.id', '=', id),
  );

  /** A festival at `now` (ms). */
  festival(id: number, now: number): ApiRecord<'Festival'> {
    const row = this.#festival(id, now);
    return {
      ...toFestivalItem(row, now),
      description: row.description,
      website: row.website,
      links: parseLinks(row.links),
      external_ids: toExternalIds(row.external_ids),
      genres: this.#festivalGenres(id),
      edition_count: row.edition_count,
      latest_edition: row.latest_edition,
      next_edition: row.next_edition,
      updated_at: formatUtc(row.updated_ts),
    };
  }

  /** An edition of a festival. */
  edition(id: number): ApiRecord<'Edition'> {
    const row = this.#edition(id);
    return {
      ...toEditionItem(row),
      description: row.description,
      image_url: row.image_url,
      lineup_count: row.lineup_count,
      updated_at: formatUtc(row.updated_ts),
    };
  }
}
