/** Reads and writes what decides whether and how an account may sign in. */
import { changesRows, execute, query, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

const columns = ['id', 'email', 'password_hash', 'created_ts', 'suspended_ts', 'verified_ts'] as const;

export type AccountStateRow = Pick<Row<'accounts'>, (typeof columns)[number]>;

/**
 * Stores whether an account is suspended and its email verified, beside the password hash that sign-in compares.
 * Accounts are found by id or by email in folded form.
 */
export class AccountStateStore {
  readonly byEmail = selectFirst<[email: string], AccountStateRow>((email) =>
    query.selectFrom('accounts').select(columns).where('email', '=', email),
  );
  readonly byId = selectFirst<[id: string], AccountStateRow>((id) =>
    query.selectFrom('accounts').select(columns).where('id', '=', id),
  );
  /** Records that the owner of the account receives mail at its address; false if that was recorded before. */
  readonly setVerified = changesRows<[id: string, now: number]>((id, now) =>
    query
      .updateTable('accounts')
      .set({ verified_ts: now })
      .where('id', '=', id)
      .where('verified_ts', 'is', null),
  );
  /** Records that it is not known whether the owner of the account receives mail at its address. */
  readonly clearVerified = execute<[id: string]>((id) =>
    query.updateTable('accounts').set({ verified_ts: null }).where('id', '=', id),
  );
}
