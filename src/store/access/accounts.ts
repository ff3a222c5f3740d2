/** Stores accounts. Callers pass emails in folded form. */
import { sql } from 'kysely';
import type { Plan } from '../../contract/plans.ts';
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../engine/engine.ts';
import {
  changesRows,
  execute,
  pick,
  query,
  selectAll,
  selectCount,
  selectFirst,
} from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** `suspended_ts`: when the account was suspended; null: it is not. */
export type AccountRow = Pick<Row<'accounts'>, (typeof columns)[number]> & { plan: Plan; role: Role };
type NewAccount = Pick<Row<'accounts'>, 'id' | 'email' | 'password_hash' | 'created_ts'> & { plan: Plan };
/** Selects accounts: those whose email contains `text`, with this role or state. `page` counts from 1. */
export type AccountFilter = {
  text: string;
  role: Role | null;
  suspended: boolean;
  page: number;
  pageSize: number;
};

const columns = [
  'id',
  'email',
  'plan',
  'window_limit',
  'quota_limit',
  'created_ts',
  'role',
  'suspended_ts',
] as const;

/**
 * Stores accounts with their plan, role and own limits. An update for an email or id without an account changes
 * nothing.
 */
export class AccountStore {
  /** Inserts an account; false if the email already has one. */
  readonly insert = changesRows<[account: NewAccount]>((account) =>
    query
      .insertInto('accounts')
      .values({
        ...pick(account, ['id', 'email', 'plan', 'password_hash', 'created_ts']),
        window_limit: null,
        quota_limit: null,
      })
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
  /** All accounts in the order of creation. */
  readonly all = selectAll<[], AccountRow>(() =>
    query.selectFrom('accounts').select(columns).orderBy('created_ts').orderBy('email'),
  );
  readonly byEmail = selectFirst<[email: string], AccountRow>((email) =>
    query.selectFrom('accounts').select(columns).where('email', '=', email),
  );
  readonly byId = selectFirst<[id: string], AccountRow>((id) =>
    query.selectFrom('accounts').select(columns).where('id', '=', id),
  );
  /** The account id and password hash of an email; a null hash disables sign-in. */
  readonly passwordHashOf = selectFirst<[email: string], Pick<Row<'accounts'>, 'id' | 'password_hash'>>(
    (email) => query.selectFrom('accounts').select(['id', 'password_hash']).where('email', '=', email),
  );
  readonly setPlan = execute<[email: string, plan: Plan]>((email, plan) =>
    query.updateTable('accounts').set({ plan }).where('email', '=', email),
  );
  /** Stores the hash of a new password. */
  readonly setPassword = execute<[email: string, hash: string]>((email, hash) =>
    query.updateTable('accounts').set({ password_hash: hash }).where('email', '=', email),
  );
  /** Sets limits that override the plan's; null for the plan's. */
  readonly setLimits = execute<[email: string, window: number | null, quota: number | null]>(
    (email, window, quota) =>
      query
        .updateTable('accounts')
        .set({ window_limit: window, quota_limit: quota })
        .where('email', '=', email),
  );
  readonly setRole = execute<[id: string, role: Role]>((id, role) =>
    query.updateTable('accounts').set({ role }).where('id', '=', id),
  );
  /** Suspends an account at `ts` (ms); null ends the suspension. */
  readonly setSuspended = execute<[id: string, ts: number | null]>((id, ts) =>
    query.updateTable('accounts').set({ suspended_ts: ts }).where('id', '=', id),
  );
  /** The number of accounts. */
  readonly count = selectCount<[]>(() =>
    query.selectFrom('accounts').select((eb) => eb.fn.countAll<number>().as('count')),
  );
  /** The number of operators that are not suspended. */
  readonly countOperators = selectCount<[]>(() =>
    query
      .selectFrom('accounts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('role', '=', 'operator')
      .where('suspended_ts', 'is', null),
  );
  /** The account's requests in `month` (yyyy-mm) that count towards its quota. */
  readonly usedInMonth = selectCount<[account: string, month: string]>((account, month) =>
    query
      .selectFrom('usage_months')
      .select('used as count')
      .where('account_id', '=', account)
      .where('month', '=', month),
  );
  readonly #deleteWindows = execute<[email: string]>((email) =>
    query.deleteFrom('rate_windows').where('credential_id', 'in', (eb) =>
      eb
        .selectFrom('api_keys as k')
        .innerJoin('accounts as a', 'a.id', 'k.account_id')
        .select('k.id')
        .where('a.email', '=', email)
        .union(eb.selectFrom('accounts').select('id').where('email', '=', email)),
    ),
  );
  readonly #delete = execute<[email: string]>((email) =>
    query.deleteFrom('accounts').where('email', '=', email),
  );

  /** Whether this is the only operator that is not suspended. */
  async isOnlyOperator(
    tx: Tx,
    { role, suspended_ts }: Pick<AccountRow, 'role' | 'suspended_ts'>,
  ): Promise<boolean> {
    return role === 'operator' && suspended_ts === null && (await this.countOperators(tx)) === 1;
  }

  /** A page of the accounts that match a filter, newest first, and the number of all that match. */
  async search(
    tx: Tx,
    { text, role, suspended, page, pageSize }: AccountFilter,
  ): Promise<{ rows: AccountRow[]; total: number }> {
    let matching = query.selectFrom('accounts');
    const part = text
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&');
    if (part !== '') matching = matching.where(sql<boolean>`email LIKE ${`%${part}%`} ESCAPE '\\'`);
    if (role !== null) matching = matching.where('role', '=', role);
    if (suspended) matching = matching.where('suspended_ts', 'is not', null);
    const count = selectCount<[]>(() => matching.select((eb) => eb.fn.countAll<number>().as('count')));
    const rows = selectAll<[], AccountRow>(() =>
      matching
        .select(columns)
        .orderBy('created_ts', 'desc')
        .orderBy('email')
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    );
    return { rows: await rows(tx), total: await count(tx) };
  }

  /** Deletes an account with its keys, windows, usage and sessions. */
  async delete(tx: Tx, email: string): Promise<void> {
    await this.#deleteWindows(tx, email);
    await this.#delete(tx, email);
  }
}
