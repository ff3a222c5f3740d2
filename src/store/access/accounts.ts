/** Stores accounts. Callers pass emails in folded form. */
import { sql } from 'kysely';
import type { Plan } from '../../contract/plans.ts';
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../engine/engine.ts';
import { define, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** `suspended_ts`: when the account was suspended; null: it is not. */
export type AccountRow = Pick<Row<'accounts'>, (typeof columns)[number]> & { plan: Plan; role: Role };
type NewAccount = Pick<Row<'accounts'>, 'id' | 'email' | 'password_hash' | 'created_ts'> & { plan: Plan };
type ByEmail = { email: string };
type NoValues = Record<never, never>;
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

export class AccountStore {
  readonly #insert = define<NewAccount, never>((p) =>
    query
      .insertInto('accounts')
      .values({
        ...pick(p, ['id', 'email', 'plan', 'password_hash', 'created_ts']),
        window_limit: null,
        quota_limit: null,
      })
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
  readonly #all = define<NoValues, AccountRow>(() =>
    query.selectFrom('accounts').select(columns).orderBy('created_ts').orderBy('email'),
  );
  readonly #byEmail = define<ByEmail, AccountRow>((p) =>
    query.selectFrom('accounts').select(columns).where('email', '=', p.email),
  );
  readonly #byId = define<{ id: string }, AccountRow>((p) =>
    query.selectFrom('accounts').select(columns).where('id', '=', p.id),
  );
  readonly #passwordOf = define<ByEmail, { id: string; password_hash: string | null }>((p) =>
    query.selectFrom('accounts').select(['id', 'password_hash']).where('email', '=', p.email),
  );
  readonly #setPlan = define<ByEmail & { plan: Plan }, never>((p) =>
    query.updateTable('accounts').set({ plan: p.plan }).where('email', '=', p.email),
  );
  readonly #setPassword = define<ByEmail & { hash: string }, never>((p) =>
    query.updateTable('accounts').set({ password_hash: p.hash }).where('email', '=', p.email),
  );
  readonly #setLimits = define<ByEmail & { window: number | null; quota: number | null }, never>((p) =>
    query
      .updateTable('accounts')
      .set({ window_limit: p.window, quota_limit: p.quota })
      .where('email', '=', p.email),
  );
  readonly #setRole = define<{ id: string; role: Role }, never>((p) =>
    query.updateTable('accounts').set({ role: p.role }).where('id', '=', p.id),
  );
  readonly #setSuspended = define<{ id: string; ts: number | null }, never>((p) =>
    query.updateTable('accounts').set({ suspended_ts: p.ts }).where('id', '=', p.id),
  );
  readonly #count = define<NoValues, { count: number }>(() =>
    query.selectFrom('accounts').select((e) => e.fn.countAll<number>().as('count')),
  );
  readonly #operators = define<NoValues, { count: number }>(() =>
    query
      .selectFrom('accounts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('role', '=', 'operator')
      .where('suspended_ts', 'is', null),
  );
  readonly #deleteWindows = define<ByEmail, never>((p) =>
    query.deleteFrom('rate_windows').where('credential_id', 'in', (eb) =>
      eb
        .selectFrom('api_keys as k')
        .innerJoin('accounts as a', 'a.id', 'k.account_id')
        .select('k.id')
        .where('a.email', '=', p.email)
        .union(eb.selectFrom('accounts').select('id').where('email', '=', p.email)),
    ),
  );
  readonly #delete = define<ByEmail, never>((p) => query.deleteFrom('accounts').where('email', '=', p.email));
  readonly #used = define<{ account: string; month: string }, { used: number }>((p) =>
    query
      .selectFrom('usage_months')
      .select('used')
      .where('account_id', '=', p.account)
      .where('month', '=', p.month),
  );

  /** Inserts an account; false if the email already has one. */
  async insert(tx: Tx, account: NewAccount): Promise<boolean> {
    return (await this.#insert.run(tx, account)).changes > 0;
  }

  /** All accounts in the order of creation. */
  all(tx: Tx): Promise<AccountRow[]> {
    return this.#all.all(tx, {});
  }

  byEmail(tx: Tx, email: string): Promise<AccountRow | undefined> {
    return this.#byEmail.get(tx, { email });
  }

  byId(tx: Tx, id: string): Promise<AccountRow | undefined> {
    return this.#byId.get(tx, { id });
  }

  /** The account id and password hash of an email; a null hash disables sign-in. */
  passwordHashOf(tx: Tx, email: string): Promise<{ id: string; password_hash: string | null } | undefined> {
    return this.#passwordOf.get(tx, { email });
  }

  async setPlan(tx: Tx, email: string, plan: Plan): Promise<void> {
    await this.#setPlan.run(tx, { email, plan });
  }

  async setPassword(tx: Tx, email: string, hash: string): Promise<void> {
    await this.#setPassword.run(tx, { email, hash });
  }

  /** Sets limits that override the plan's; null for the plan's. */
  async setLimits(tx: Tx, email: string, window: number | null, quota: number | null): Promise<void> {
    await this.#setLimits.run(tx, { email, window, quota });
  }

  async setRole(tx: Tx, id: string, role: Role): Promise<void> {
    await this.#setRole.run(tx, { id, role });
  }

  /** Suspends an account at `ts` (ms); null ends the suspension. */
  async setSuspended(tx: Tx, id: string, ts: number | null): Promise<void> {
    await this.#setSuspended.run(tx, { id, ts });
  }

  /** The number of accounts. */
  async count(tx: Tx): Promise<number> {
    return (await this.#count.get(tx, {}))?.count ?? 0;
  }

  /** The number of operators that are not suspended. */
  async countOperators(tx: Tx): Promise<number> {
    return (await this.#operators.get(tx, {}))?.count ?? 0;
  }

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
    const escaped = text
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&');
    if (escaped !== '') matching = matching.where(sql<boolean>`email LIKE ${`%${escaped}%`} ESCAPE '\\'`);
    if (role !== null) matching = matching.where('role', '=', role);
    if (suspended) matching = matching.where('suspended_ts', 'is not', null);
    const count = define<NoValues, { total: number }>(() =>
      matching.select((eb) => eb.fn.countAll<number>().as('total')),
    );
    const select = matching
      .select(columns)
      .orderBy('created_ts', 'desc')
      .orderBy('email')
      .limit(pageSize)
      .offset((page - 1) * pageSize);
    const rows = await define<NoValues, AccountRow>(() => select).all(tx, {});
    return { rows, total: (await count.get(tx, {}))?.total ?? 0 };
  }

  /** Deletes an account with its keys, windows, usage and sessions. */
  async delete(tx: Tx, email: string): Promise<void> {
    await this.#deleteWindows.run(tx, { email });
    await this.#delete.run(tx, { email });
  }

  /** The account's requests in `month` (yyyy-mm) that count towards its quota. */
  async usedInMonth(tx: Tx, account: string, month: string): Promise<number> {
    return (await this.#used.get(tx, { account, month }))?.used ?? 0;
  }
}
