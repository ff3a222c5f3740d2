/** Exports artists and labels as lines of a feed. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { prepare, query } from '../statement.ts';
import {
  commonColumns,
  directGenres,
  groupByOwner,
  type IdRange,
  type KindReader,
  linkMembers,
  nameMembers,
  namesOf,
  type OwnedName,
  pickColumns,
  selectChanged,
  toFeedLine,
  toReference,
  toReferences,
} from './feed-lines.ts';

export const artistReader = (sqlite: Database.Database): KindReader => {
  const rows = selectChanged(sqlite, 'artists', [
    't.name',
    't.aliases',
    't.country',
    't.real_name',
    't.biography',
    't.image_url',
    't.ended_at',
    't.links',
    't.external_ids',
  ]);
  const genres = directGenres(sqlite, 'artist_genres', 'artist_id');
  return (range) => {
    const batch = rows.all(range);
    const genresByArtist = groupByOwner(genres, batch);
    return batch.map((row) =>
      toFeedLine(row, {
        ...nameMembers(row),
        ...pickColumns(row, ['country', 'real_name', 'biography', 'image_url', 'ended_at']),
        genres: namesOf(genresByArtist.get(row.id)),
        ...linkMembers(row),
      }),
    );
  };
};

export const labelReader = (sqlite: Database.Database): KindReader => {
  const rows = selectChanged(
    sqlite,
    'labels',
    [
      ...commonColumns,
      't.country',
      't.founded_year',
      't.closed_at',
      't.external_ids',
      'p.slug as parent_slug',
      'p.name as parent',
    ],
    sql`left join labels p on p.id = t.parent_id`,
  );
  const rosters = prepare<IdRange, OwnedName>(sqlite, (p) =>
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
    const batch = rows.all(range);
    const artistsByLabel = groupByOwner(rosters, batch);
    return batch.map((row) =>
      toFeedLine(row, {
        ...nameMembers(row),
        ...pickColumns(row, ['country', 'founded_year', 'description', 'website', 'image_url', 'closed_at']),
        parent: toReference(row.parent_slug, row.parent),
        artists: toReferences(artistsByLabel.get(row.id)),
        ...linkMembers(row),
      }),
    );
  };
};
