/** Keeps when records were created: ids rise in that order, so the first id of each time is enough. */
import { SqliteStore } from '../statement.ts';

/**
 * Stores the first record id of each batch with its time. A batch whose time is not later than the last one gets no
 * row: its records have the time of that one.
 */
export class CreationTimes extends SqliteStore {
  #createdTs = 0;
  readonly #insert = this.sqlite.prepare(
    `INSERT OR IGNORE INTO creation_times (first_id, created_ts)
     SELECT @first, @now WHERE @now > coalesce((SELECT max(created_ts) FROM creation_times), -1)`,
  );

  /** When a record was created, in ms; null for records that are older than this table. */
  readonly of = this.selectValue<[record: number], number>(
    'SELECT created_ts FROM creation_times WHERE first_id <= ? ORDER BY first_id DESC LIMIT 1',
  );

  /** Notes that the current batch created a record at `now` (ms). */
  note(now: number): void {
    this.#createdTs = now;
  }

  /** Writes the time for the records from `firstId` on; infinite if the batch created none. */
  flush(firstId: number): void {
    if (Number.isFinite(firstId)) this.#insert.run({ first: firstId, now: this.#createdTs });
  }
}
