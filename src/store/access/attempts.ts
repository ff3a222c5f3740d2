/** Stores recent failed attempts by subject. */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

/** `next_allowed_ts`: when the next attempt is allowed; for a paced limit, when the count expires. */
export type AttemptRow = { subject: string; failed: number; last_ts: number; next_allowed_ts: number };

export class AttemptStore {
  readonly #bySubject: Statement<{ subject: string }, AttemptRow>;
  readonly #set: Statement<AttemptRow, never>;
  readonly #delete: Statement<{ subject: string }, never>;
  readonly #prune: Statement<{ before: number; now: number }, never>;
  readonly #trim: Statement<{ most: number }, never>;

  constructor() {
    this.#bySubject = define((p) =>
      query
        .selectFrom('attempts')
        .select(['subject', 'failed', 'last_ts', 'next_allowed_ts'])
        .where('subject', '=', p.subject),
    );
    this.#set = define((p) =>
      query
        .insertInto('attempts')
        .values({
          subject: p.subject,
          failed: p.failed,
          last_ts: p.last_ts,
          next_allowed_ts: p.next_allowed_ts,
        })
        .onConflict((conflict) =>
          conflict.column('subject').doUpdateSet((eb) => ({
            failed: eb.ref('excluded.failed'),
            last_ts: eb.ref('excluded.last_ts'),
            next_allowed_ts: eb.ref('excluded.next_allowed_ts'),
          })),
        ),
    );
    this.#delete = define((p) => query.deleteFrom('attempts').where('subject', '=', p.subject));
    this.#prune = define((p) =>
      query.deleteFrom('attempts').where('last_ts', '<', p.before).where('next_allowed_ts', '<', p.now),
    );
    this.#trim = define(
      (p) => sql`DELETE FROM attempts WHERE last_ts <=
        (SELECT last_ts FROM attempts ORDER BY last_ts DESC LIMIT 1 OFFSET ${p.most})`,
    );
  }

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
