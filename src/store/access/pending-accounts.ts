/** Stores accounts that wait for the operator's approval. Callers pass emails in folded form. */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { allRows, define, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

export type PendingAccountRow = Row<'pending_accounts'>;

const columns = ['email', 'password_hash', 'address', 'region', 'created_ts'] as const;

export class PendingAccountStore {
  readonly #insert = define<PendingAccountRow, never>((p) =>
    query
      .insertInto('pending_accounts')
      .values(pick(p, columns))
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
  readonly #all = define<Record<never, never>, PendingAccountRow>(() =>
    query.selectFrom('pending_accounts').select(columns).orderBy('created_ts').orderBy('email'),
  );
  readonly #byEmail = define<{ email: string }, PendingAccountRow>((p) =>
    query.selectFrom('pending_accounts').select(columns).where('email', '=', p.email),
  );
  readonly #delete = define<{ email: string }, never>((p) =>
    query.deleteFrom('pending_accounts').where('email', '=', p.email),
  );
  readonly #prune = define<{ before: number }, never>((p) =>
    query.deleteFrom('pending_accounts').where('created_ts', '<', p.before),
  );
  readonly #trim = define<{ most: number }, never>(
    (p) => sql`DELETE FROM pending_accounts WHERE email IN (
      SELECT email FROM (
        SELECT email, created_ts,
          row_number() OVER (PARTITION BY region ORDER BY created_ts, email) AS rank
        FROM pending_accounts) AS ranked
      ORDER BY rank, created_ts, email LIMIT ${allRows} OFFSET ${p.most})`,
  );

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
