/** Reads one record as the members of its feed line. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { writeBufferOf } from '../records/write-buffer.ts';
import { readersByKind } from './export.ts';
import type { FeedMembers } from './feed-lines.ts';

/** The members of a record as an export writes them, without empty ones; null if the record has no row. */
export function readFeedMembers(sqlite: Database.Database, kind: Kind, id: number): FeedMembers | null {
  writeBufferOf(sqlite).flush();
  const [line] = readersByKind[kind](sqlite)({ after: id - 1, since: -1, limit: 1 });
  return line?.id === id ? line.members : null;
}
