/** Stores recent failed attempts by subject. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

/** `next_allowed_ts`: when the next attempt is allowed; for a paced limit, when the count expires. */
export type AttemptRow = { subject: string; failed: number; last_ts: number; next_allowed_ts: number };

export class AttemptStore {
  readonly #bySubject: PreparedStatement<{ subject: string }, AttemptRow>;
  readonly #set: PreparedStatement<AttemptRow, never>;
  readonly #delete: PreparedStatement<{ subject: string }, never>;
  readonly #prune: PreparedStatement<{ before: number; now: number }, never>;
  readonly #trim: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#bySubject = prepare(sqlite, (p) =>
      query
        .selectFrom('attempts')
        .select(['subject', 'failed', 'last_ts', 'next_allowed_ts'])
        .where('subject', '=', p.subject),
    );
    this.#set = prepare(sqlite, (p) =>
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
    this.#delete = prepare(sqlite, (p) => query.deleteFrom('attempts').where('subject', '=', p.subject));
    this.#prune = prepare(sqlite, (p) =>
      query.deleteFrom('attempts').where('last_ts', '<', p.before).where('next_allowed_ts', '<', p.now),
    );
    this.#trim = sqlite.prepare(
      `DELETE FROM attempts WHERE last_ts <=
         (SELECT last_ts FROM attempts ORDER BY last_ts DESC LIMIT 1 OFFSET @most)`,
    );
  }

  get(subject: string): AttemptRow | undefined {
    return this.#bySubject.get({ subject });
  }

  set(row: AttemptRow): void {
    this.#set.run(row);
  }

  delete(subject: string): void {
    this.#delete.run({ subject });
  }

  /** Deletes rows last tried before then (ms) and allowed again at `now`. */
  prune(before: number, now: number): void {
    this.#prune.run({ before, now });
  }

  /** Limits the table to `maxRows` rows; the oldest go first. */
  trim(maxRows: number): void {
    this.#trim.run({ most: maxRows });
  }
}
