/** Stores accounts that wait for the operator's approval. Callers pass emails in folded form. */
import { sql } from 'kysely';
import { allRows, changesRows, execute, pick, query, selectAll, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

export type PendingAccountRow = Row<'pending_accounts'>;

const columns = ['email', 'password_hash', 'address', 'region', 'created_ts'] as const;

/**
 * Stores the sign-ups that wait for approval, one per email. `region` is the wider network that a sign-up came from
 * (`access/address-prefixes.ts`).
 */
export class PendingAccountStore {
  /** Inserts a pending account. An existing row stays, so a second request cannot replace the password. */
  readonly insert = execute<[account: PendingAccountRow]>((account) =>
    query
      .insertInto('pending_accounts')
      .values(pick(account, columns))
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
  /** All pending accounts, oldest first. */
  readonly all = selectAll<[], PendingAccountRow>(() =>
    query.selectFrom('pending_accounts').select(columns).orderBy('created_ts').orderBy('email'),
  );
  readonly byEmail = selectFirst<[email: string], PendingAccountRow>((email) =>
    query.selectFrom('pending_accounts').select(columns).where('email', '=', email),
  );
  /** Deletes the pending account of an email; false if there is none. */
  readonly delete = changesRows<[email: string]>((email) =>
    query.deleteFrom('pending_accounts').where('email', '=', email),
  );
  /** Deletes pending accounts created before then (ms). */
  readonly prune = execute<[before: number]>((before) =>
    query.deleteFrom('pending_accounts').where('created_ts', '<', before),
  );
  /** Limits the table to `maxRows` rows: the newest rows of the region that has the most go first. */
  readonly trim = execute<[maxRows: number]>(
    (maxRows) => sql`DELETE FROM pending_accounts WHERE email IN (
      SELECT email FROM (
        SELECT email, created_ts,
          row_number() OVER (PARTITION BY region ORDER BY created_ts, email) AS rank
        FROM pending_accounts) AS ranked
      ORDER BY rank, created_ts, email LIMIT ${allRows} OFFSET ${maxRows})`,
  );
}
