/** Stores the counters of `access/throttle.ts` by subject: recent attempts, and when the next one is allowed. */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { define, excluded, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** `next_allowed_ts`: when the next attempt is allowed; for a paced limit, when the count expires. */
export type AttemptRow = Row<'attempts'>;

export class AttemptStore {
  readonly #bySubject = define<{ subject: string }, AttemptRow>((p) =>
    query
      .selectFrom('attempts')
      .select(['subject', 'failed', 'last_ts', 'next_allowed_ts'])
      .where('subject', '=', p.subject),
  );
  readonly #set = define<AttemptRow, never>((p) =>
    query
      .insertInto('attempts')
      .values(pick(p, ['subject', 'failed', 'last_ts', 'next_allowed_ts']))
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet(excluded('failed', 'last_ts', 'next_allowed_ts')),
      ),
  );
  readonly #delete = define<{ subject: string }, never>((p) =>
    query.deleteFrom('attempts').where('subject', '=', p.subject),
  );
  readonly #prune = define<{ before: number; now: number }, never>((p) =>
    query.deleteFrom('attempts').where('last_ts', '<', p.before).where('next_allowed_ts', '<', p.now),
  );
  readonly #trim = define<{ most: number }, never>(
    (p) => sql`DELETE FROM attempts WHERE last_ts <=
      (SELECT last_ts FROM attempts ORDER BY last_ts DESC LIMIT 1 OFFSET ${p.most})`,
  );

  get(tx: Tx, subject: string): Promise<AttemptRow | undefined> {
    return this.#bySubject.get(tx, { subject });
  }

  async set(tx: Tx, row: AttemptRow): Promise<void> {
    await this.#set.run(tx, row);
  }

  async delete(tx: Tx, subject: string): Promise<void> {
    await this.#delete.run(tx, { subject });
  }

  /** Deletes rows last tried before then (ms) and allowed again at `now`. */
  async prune(tx: Tx, before: number, now: number): Promise<void> {
    await this.#prune.run(tx, { before, now });
  }

  /** Limits the table to `maxRows` rows; the oldest go first. */
  async trim(tx: Tx, maxRows: number): Promise<void> {
    await this.#trim.run(tx, { most: maxRows });
  }
}
