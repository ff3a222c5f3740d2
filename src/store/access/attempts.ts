/** Stores the counters of `access/throttle.ts` by subject: recent attempts, and when the next one is allowed. */
import { sql } from 'kysely';
import { excluded, execute, pick, query, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** `next_allowed_ts`: when the next attempt is allowed; for a paced limit, when the count expires. */
export type AttemptRow = Row<'attempts'>;

/**
 * Stores the attempts of each subject that is throttled (`access/throttle.ts`). A subject without a row made none, or
 * its row was pruned.
 */
export class AttemptStore {
  readonly get = selectFirst<[subject: string], AttemptRow>((subject) =>
    query.selectFrom('attempts').selectAll().where('subject', '=', subject),
  );
  readonly set = execute<[row: AttemptRow]>((row) =>
    query
      .insertInto('attempts')
      .values(pick(row, ['subject', 'failed', 'last_ts', 'next_allowed_ts']))
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet(excluded('failed', 'last_ts', 'next_allowed_ts')),
      ),
  );
  readonly delete = execute<[subject: string]>((subject) =>
    query.deleteFrom('attempts').where('subject', '=', subject),
  );
  /** Deletes rows last tried before then (ms) and allowed again at `now`. */
  readonly prune = execute<[before: number, now: number]>((before, now) =>
    query.deleteFrom('attempts').where('last_ts', '<', before).where('next_allowed_ts', '<', now),
  );
  /** Limits the table to `maxRows` rows; the oldest go first. */
  readonly trim = execute<[maxRows: number]>(
    (maxRows) => sql`DELETE FROM attempts WHERE last_ts <=
      (SELECT last_ts FROM attempts ORDER BY last_ts DESC LIMIT 1 OFFSET ${maxRows})`,
  );
}
