/** Stores accounts that wait for the operator's approval. Callers pass emails in folded form. */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { allRows, define, query, type Statement } from '../engine/statement.ts';

export type PendingAccountRow = {
  email: string;
  password_hash: string;
  address: string;
  region: string;
  created_ts: number;
};

export class PendingAccountStore {
  readonly #insert: Statement<PendingAccountRow, never>;
  readonly #all: Statement<Record<never, never>, PendingAccountRow>;
  readonly #byEmail: Statement<{ email: string }, PendingAccountRow>;
  readonly #delete: Statement<{ email: string }, never>;
  readonly #prune: Statement<{ before: number }, never>;
  readonly #trim: Statement<{ most: number }, never>;

  constructor() {
    const columns = ['email', 'password_hash', 'address', 'region', 'created_ts'] as const;
    this.#insert = define((p) =>
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
    this.#all = define(() =>
      query.selectFrom('pending_accounts').select(columns).orderBy('created_ts').orderBy('email'),
    );
    this.#byEmail = define((p) =>
      query.selectFrom('pending_accounts').select(columns).where('email', '=', p.email),
    );
    this.#delete = define((p) => query.deleteFrom('pending_accounts').where('email', '=', p.email));
    this.#prune = define((p) => query.deleteFrom('pending_accounts').where('created_ts', '<', p.before));
    this.#trim = define(
      (p) => sql`DELETE FROM pending_accounts WHERE email IN (
        SELECT email FROM (
          SELECT email, created_ts,
            row_number() OVER (PARTITION BY region ORDER BY created_ts, email) AS rank
          FROM pending_accounts) AS ranked
        ORDER BY rank, created_ts, email LIMIT ${allRows} OFFSET ${p.most})`,
    );
  }

  /** Inserts a pending account. An existing row stays, so a second request cannot replace the password. */
  async insert(tx: Tx, row: PendingAccountRow): Promise<void> {
    await this.#insert.run(tx, row);
  }

  /** All pending accounts, oldest first. */
  all(tx: Tx): Promise<PendingAccountRow[]> {
    return this.#all.all(tx, {});
  }

  byEmail(tx: Tx, email: string): Promise<PendingAccountRow | undefined> {
    return this.#byEmail.get(tx, { email });
  }

  /** Deletes the pending account of an email; false if there is none. */
  async delete(tx: Tx, email: string): Promise<boolean> {
    return (await this.#delete.run(tx, { email })).changes > 0;
  }

  /** Deletes pending accounts created before then (ms). */
  async prune(tx: Tx, before: number): Promise<void> {
    await this.#prune.run(tx, { before });
  }

  /** Limits the table to `maxRows` rows: the newest rows of the region that has the most go first. */
  async trim(tx: Tx, maxRows: number): Promise<void> {
    await this.#trim.run(tx, { most: maxRows });
  }
}
