/** Stores source records that wait for an editor, because their source is held for review. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { HeldState } from '../../contract/source-summaries.ts';
import { SqliteStore } from '../statement.ts';

export type HeldRow = {
  kind: FeedKind;
  external_id: string;
  /** JSON, as in source_records. */
  content: string;
  state: HeldState;
  held_ts: number;
};
/** The content of a record that waits: it also has the slug from an export. */
export type HeldContent = FeedRecordContent<FeedKind> & { slug?: string | null };
/** Parses the content of a record that waits. */
export const parseHeldContent = (content: string): HeldContent => JSON.parse(content);

type HeldKey = { source: number; kind: FeedKind; externalId: string };

const isKey = ({ source, kind, externalId }: HeldKey) =>
  sql`source_id = ${source} AND kind = ${kind} AND external_id = ${externalId}`;
const heldRows = 'SELECT kind, external_id, content, state, held_ts FROM held_source_records';

/** Stores held records and the decision about each. Publishing an approved one is left to the caller. */
export class HeldRecordStore extends SqliteStore {
  /** The state of a record; null if it was never held. */
  readonly state = this.selectValue<[key: HeldKey], HeldState>(
    (key) => sql`SELECT state FROM held_source_records WHERE ${isKey(key)}`,
  );
  /** Saves a record that waits, or its latest content. A decision stays as it is. */
  readonly put = this.execute<[key: HeldKey, content: string, now: number]>(
    (key, content, now) => sql`
      INSERT INTO held_source_records (source_id, kind, external_id, content, state, held_ts)
      VALUES (${key.source}, ${key.kind}, ${key.externalId}, ${content}, 'waiting', ${now})
      ON CONFLICT (source_id, kind, external_id) DO UPDATE SET content = excluded.content
      WHERE content <> excluded.content`,
  );
  // Waiting records come in the order in which they arrived: those that others refer to come first in a feed.
  readonly #page = this.selectAll<[source: number, state: HeldState, limit: number, offset: number], HeldRow>(
    `${heldRows} WHERE source_id = ? AND state = ? ORDER BY rowid LIMIT ? OFFSET ?`,
  );
  /** The records with this external id, of any kind and state. */
  readonly find = this.selectAll<[source: number, externalId: string], HeldRow>(
    `${heldRows} WHERE source_id = ? AND external_id = ? ORDER BY rowid`,
  );
  /** Sets the state of one record; without effect if it was never held. */
  readonly setState = this.execute<[key: HeldKey, state: HeldState]>(
    (key, state) => sql`UPDATE held_source_records SET state = ${state} WHERE ${isKey(key)}`,
  );
  readonly #setAll = this.sqlite.prepare(
    "UPDATE held_source_records SET state = ? WHERE source_id = ? AND state = 'waiting'",
  );
  /** Deletes a record, for example after it was published. */
  readonly remove = this.execute<[key: HeldKey]>(
    (key) => sql`DELETE FROM held_source_records WHERE ${isKey(key)}`,
  );
  readonly #deletePublished = this.sqlite.prepare(
    `DELETE FROM held_source_records WHERE rowid IN (
       SELECT h.rowid FROM held_source_records h
       JOIN source_records r ON r.source_id = h.source_id AND r.kind = h.kind AND r.external_id = h.external_id
       WHERE h.source_id = ? AND h.state = 'waiting' AND r.content IS NOT NULL LIMIT ?)`,
  );
  readonly #waitingKeys = this.sqlite.prepare<[source: number], Pick<HeldRow, 'kind' | 'external_id'>>(
    "SELECT kind, external_id FROM held_source_records WHERE source_id = ? AND state = 'waiting'",
  );
  /** The names of the sources with approved records that are not published yet. */
  readonly approvedSources = this.selectValues<[], string>(
    `SELECT DISTINCT s.name FROM held_source_records h JOIN sources s ON s.id = h.source_id
       WHERE h.state = 'approved' ORDER BY s.name`,
  );
  readonly #counts = this.selectAll<[source: number], { state: HeldState; count: number }>(
    'SELECT state, count(*) AS count FROM held_source_records WHERE source_id = ? GROUP BY state',
  );

  /** Records in a state, in the order in which they arrived. */
  list(
    source: number,
    state: HeldState,
    { limit, offset = 0 }: { limit: number; offset?: number },
  ): HeldRow[] {
    return this.#page(source, state, limit, offset);
  }

  /** Decides about all records that wait. Returns their number. */
  setStateOfWaiting(source: number, state: HeldState): number {
    return this.#setAll.run(state, source).changes;
  }

  /** Deletes up to `limit` waiting records of a source that were published meanwhile. Returns their number. */
  deletePublished(source: number, limit: number): number {
    return this.#deletePublished.run(source, limit).changes;
  }

  /** The keys of the waiting records of a source for which a test holds. */
  waitingKeys(
    source: number,
    test: (key: Pick<HeldRow, 'kind' | 'external_id'>) => boolean,
  ): Pick<HeldRow, 'kind' | 'external_id'>[] {
    const keys: Pick<HeldRow, 'kind' | 'external_id'>[] = [];
    for (const key of this.#waitingKeys.iterate(source)) if (test(key)) keys.push(key);
    return keys;
  }

  /** The number of records in each state. */
  counts(source: number): Record<HeldState, number> {
    const counts = { waiting: 0, approved: 0, rejected: 0 };
    for (const { state, count } of this.#counts(source)) counts[state] = count;
    return counts;
  }
}

/** Whether approved records wait to be published. Cheap, because approved records are few. */
export const hasApprovedRecords = (sqlite: Database.Database): boolean =>
  sqlite.prepare("SELECT 1 FROM held_source_records WHERE state = 'approved' LIMIT 1").get() !== undefined;
