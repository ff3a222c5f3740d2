/** Stores accounts that wait for the operator's approval. Callers pass emails in folded form. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

export type PendingAccountRow = {
  email: string;
  password_hash: string;
  address: string;
  region: string;
  created_ts: number;
};

export class PendingAccountStore {
  readonly #insert: PreparedStatement<PendingAccountRow, never>;
  readonly #all: PreparedStatement<Record<never, never>, PendingAccountRow>;
  readonly #byEmail: PreparedStatement<{ email: string }, PendingAccountRow>;
  readonly #delete: PreparedStatement<{ email: string }, never>;
  readonly #prune: PreparedStatement<{ before: number }, never>;
  readonly #trim: Database.Statement;

  constructor(sqlite: Database.Database) {
    const columns = ['email', 'password_hash', 'address', 'region', 'created_ts'] as const;
    this.#insert = prepare(sqlite, (p) =>
      query
        .insertInto('pending_accounts')
        .values({
          email: p.email,
          password_hash: p.password_hash,
          address: p.address,
          region: p.region,
          created_ts: p.created_ts,
        })
        .onConflict((conflict) => conflict.column('email').doNothing()),
    );
    this.#all = prepare(sqlite, () =>
      query.selectFrom('pending_accounts').select(columns).orderBy('created_ts').orderBy('email'),
    );
    this.#byEmail = prepare(sqlite, (p) =>
      query.selectFrom('pending_accounts').select(columns).where('email', '=', p.email),
    );
    this.#delete = prepare(sqlite, (p) => query.deleteFrom('pending_accounts').where('email', '=', p.email));
    this.#prune = prepare(sqlite, (p) =>
      query.deleteFrom('pending_accounts').where('created_ts', '<', p.before),
    );
    this.#trim = sqlite.prepare(
      `DELETE FROM pending_accounts WHERE email IN (
         SELECT email FROM (
           SELECT email, created_ts,
             row_number() OVER (PARTITION BY region ORDER BY created_ts, email) AS rank
           FROM pending_accounts)
         ORDER BY rank, created_ts, email LIMIT -1 OFFSET @most)`,
    );
  }

  /** Inserts a pending account. An existing row stays, so a second request cannot replace the password. */
  insert(row: PendingAccountRow): void {
    this.#insert.run(row);
  }

  /** All pending accounts, oldest first. */
  all(): PendingAccountRow[] {
    return this.#all.all({});
  }

  byEmail(email: string): PendingAccountRow | undefined {
    return this.#byEmail.get({ email });
  }

  /** Deletes the pending account of an email; false if there is none. */
  delete(email: string): boolean {
    return this.#delete.run({ email }).changes > 0;
  }

  /** Deletes pending accounts created before then (ms). */
  prune(before: number): void {
    this.#prune.run({ before });
  }

  /** Limits the table to `maxRows` rows: the newest rows of the region that has the most go first. */
  trim(maxRows: number): void {
    this.#trim.run({ most: maxRows });
  }
}
