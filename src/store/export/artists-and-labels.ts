/** Exports artists and labels as lines of a feed. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { prepare, query } from '../statement.ts';
import {
  type ExportRow,
  genreNames,
  groupByOwner,
  type IdRange,
  namedReader,
  type OwnedName,
  toReference,
  toReferences,
} from './feed-lines.ts';

export const artistReader = namedReader({
  table: 'artists',
  columns: ['country', 'real_name', 'biography', 'image_url', 'ended_at'],
  own: genreNames('artist_genres', 'artist_id'),
  json: ['links', 'external_ids'],
});

export const labelReader = namedReader({
  table: 'labels',
  columns: ['country', 'founded_year', 'description', 'website', 'image_url', 'closed_at'],
  joined: { parent_slug: 'p.slug', parent_name: 'p.name' },
  joins: sql`left join labels p on p.id = t.parent_id`,
  own: parentAndRoster,
  json: ['links', 'external_ids'],
});

function parentAndRoster(sqlite: Database.Database) {
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
  return (batch: readonly ExportRow[]) => {
    const artistsByLabel = groupByOwner(rosters, batch);
    return ({ id, parent_slug, parent_name }: ExportRow) => ({
      parent: toReference(parent_slug, parent_name),
      artists: toReferences(artistsByLabel.get(id)),
    });
  };
}
