/** Artists and labels as lines of a feed. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { prepare, query } from '../statement.ts';
import {
  changedRows,
  genreNames,
  grouped,
  type Ids,
  identity,
  known,
  type Named,
  namesOf,
  pick,
  type Reader,
  reference,
  references,
  tell,
  told,
} from './rows.ts';

export const artist = (sqlite: Database.Database): Reader => {
  const rows = changedRows(sqlite, 'artists', [
    't.name',
    't.aliases',
    't.country',
    't.real_name',
    't.biography',
    't.image_url',
    't.links',
    't.external_ids',
  ]);
  const genres = genreNames(sqlite, 'artist_genres', 'artist_id');
  return (range) => {
    const found = rows.all(range);
    const played = grouped(genres, found);
    return found.map((row) =>
      tell(row, {
        ...identity(row),
        ...pick(row, ['country', 'real_name', 'biography', 'image_url']),
        genres: namesOf(played.get(row.id)),
        ...known(row),
      }),
    );
  };
};

export const label = (sqlite: Database.Database): Reader => {
  const rows = changedRows(
    sqlite,
    'labels',
    [...told, 't.country', 't.founded_year', 't.external_ids', 'p.slug as parent_slug', 'p.name as parent'],
    sql`left join labels p on p.id = t.parent_id`,
  );
  const rosters = prepare<Ids, Named>(sqlite, (p) =>
    query
      .selectFrom('label_artists as x')
      .innerJoin('artists as a', 'a.id', 'x.artist_id')
      .select(['x.label_id as owner', 'a.slug', 'a.name'])
      .where('x.label_id', '>=', p.first)
      .where('x.label_id', '<=', p.last)
      .orderBy('x.label_id')
      .orderBy('x.artist_id'),
  );
  return (range) => {
    const found = rows.all(range);
    const signed = grouped(rosters, found);
    return found.map((row) =>
      tell(row, {
        ...identity(row),
        ...pick(row, ['country', 'founded_year', 'description', 'website', 'image_url']),
        parent: reference(row.parent_slug, row.parent),
        artists: references(signed.get(row.id)),
        ...known(row),
      }),
    );
  };
};
