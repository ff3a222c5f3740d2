/** Reads one record as the members of its feed line. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { writeBufferOf } from '../records/write-buffer.ts';
import { genreLink } from '../resolution/artist-genres.ts';
import { prepareValue } from '../statement.ts';
import { readersByKind } from './export.ts';
import type { FeedMembers } from './feed-lines.ts';

/**
 * The members of a record as an export writes them, without empty ones, and the derived genres of an event, which an
 * export leaves out; null if the record has no row.
 */
export function readFeedMembers(sqlite: Database.Database, kind: Kind, id: number): FeedMembers | null {
  writeBufferOf(sqlite).flush();
  const [line] = readersByKind[kind](sqlite)({ after: id - 1, since: -1, limit: 1 });
  if (line?.id !== id) return null;
  const derived = kind === 'event' ? readDerivedGenres(sqlite, id) : [];
  if (derived.length === 0) return line.members;
  return { ...line.members, genres: [...derived, ...((line.members.genres as string[] | undefined) ?? [])] };
}

/** Names of the genres that an event derives from its line-up, by name. */
export function readDerivedGenres(sqlite: Database.Database, event: number): string[] {
  writeBufferOf(sqlite).flush();
  return prepareValue<string>(
    sqlite,
    `SELECT g.name FROM event_genres x JOIN genres g ON g.id = x.genre_id
       WHERE x.event_id = ? AND x.is_direct = ${genreLink.derived} ORDER BY g.folded, g.slug`,
  ).all(event);
}
