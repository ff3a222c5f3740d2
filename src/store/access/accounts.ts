/** Stores accounts. Callers pass emails in folded form. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Plan } from '../../contract/plans.ts';
import type { Role } from '../../contract/roles.ts';
import { type PreparedStatement, prepare, query } from '../statement.ts';

export type AccountRow = {
  id: string;
  email: string;
  plan: Plan;
  window_limit: number | null;
  quota_limit: number | null;
  created_ts: number;
  role: Role;
  /** When the account was suspended; null: it is not. */
  suspended_ts: number | null;
};
export type NewAccount = {
  id: string;
  email: string;
  plan: Plan;
  password_hash: string | null;
  created_ts: number;
};
type ByEmail = { email: string };
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
  readonly #sqlite: Database.Database;
  readonly #insert: PreparedStatement<NewAccount, never>;
  readonly #all: PreparedStatement<Record<never, never>, AccountRow>;
  readonly #byEmail: PreparedStatement<ByEmail, AccountRow>;
  readonly #byId: PreparedStatement<{ id: string }, AccountRow>;
  readonly #passwordOf: PreparedStatement<ByEmail, { id: string; password_hash: string | null }>;
  readonly #setPlan: PreparedStatement<ByEmail & { plan: Plan }, never>;
  readonly #setPassword: PreparedStatement<ByEmail & { hash: string }, never>;
  readonly #setLimits: PreparedStatement<ByEmail & { window: number | null; quota: number | null }, never>;
  readonly #setRole: PreparedStatement<{ id: string; role: Role }, never>;
  readonly #setSuspended: PreparedStatement<{ id: string; ts: number | null }, never>;
  readonly #operators: PreparedStatement<Record<never, never>, { count: number }>;
  readonly #deleteWindows: PreparedStatement<ByEmail, never>;
  readonly #delete: PreparedStatement<ByEmail, never>;
  readonly #used: PreparedStatement<{ account: string; month: string }, { used: number }>;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#insert = prepare(sqlite, (p) =>
      query
        .insertInto('accounts')
        .values({
          id: p.id,
          email: p.email,
          plan: p.plan,
          password_hash: p.password_hash,
          window_limit: null,
          quota_limit: null,
          created_ts: p.created_ts,
        })
        .onConflict((conflict) => conflict.column('email').doNothing()),
    );
    this.#all = prepare(sqlite, () =>
      query.selectFrom('accounts').select(columns).orderBy('created_ts').orderBy('email'),
    );
    this.#byEmail = prepare(sqlite, (p) =>
      query.selectFrom('accounts').select(columns).where('email', '=', p.email),
    );
    this.#byId = prepare(sqlite, (p) => query.selectFrom('accounts').select(columns).where('id', '=', p.id));
    this.#passwordOf = prepare(sqlite, (p) =>
      query.selectFrom('accounts').select(['id', 'password_hash']).where('email', '=', p.email),
    );
    this.#setPlan = prepare(sqlite, (p) =>
      query.updateTable('accounts').set({ plan: p.plan }).where('email', '=', p.email),
    );
    this.#setPassword = prepare(sqlite, (p) =>
      query.updateTable('accounts').set({ password_hash: p.hash }).where('email', '=', p.email),
    );
    this.#setLimits = prepare(sqlite, (p) =>
      query
        .updateTable('accounts')
        .set({ window_limit: p.window, quota_limit: p.quota })
        .where('email', '=', p.email),
    );
    this.#setRole = prepare(sqlite, (p) =>
      query.updateTable('accounts').set({ role: p.role }).where('id', '=', p.id),
    );
    this.#setSuspended = prepare(sqlite, (p) =>
      query.updateTable('accounts').set({ suspended_ts: p.ts }).where('id', '=', p.id),
    );
    this.#operators = prepare(sqlite, () =>
      query
        .selectFrom('accounts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('role', '=', 'operator')
        .where('suspended_ts', 'is', null),
    );
    this.#deleteWindows = prepare(sqlite, (p) =>
      query.deleteFrom('rate_windows').where('credential_id', 'in', (eb) =>
        eb
          .selectFrom('api_keys as k')
          .innerJoin('accounts as a', 'a.id', 'k.account_id')
          .select('k.id')
          .where('a.email', '=', p.email)
          .union(eb.selectFrom('accounts').select('id').where('email', '=', p.email)),
      ),
    );
    this.#delete = prepare(sqlite, (p) => query.deleteFrom('accounts').where('email', '=', p.email));
    this.#used = prepare(sqlite, (p) =>
      query
        .selectFrom('usage_months')
        .select('used')
        .where('account_id', '=', p.account)
        .where('month', '=', p.month),
    );
  }

  /** Inserts an account; false if the email already has one. */
  insert(account: NewAccount): boolean {
    return this.#insert.run(account).changes > 0;
  }

  /** All accounts in the order of creation. */
  all(): AccountRow[] {
    return this.#all.all({});
  }

  byEmail(email: string): AccountRow | undefined {
    return this.#byEmail.get({ email });
  }

  byId(id: string): AccountRow | undefined {
    return this.#byId.get({ id });
  }

  /** The account id and password hash of an email; a null hash disables sign-in. */
  passwordHashOf(email: string): { id: string; password_hash: string | null } | undefined {
    return this.#passwordOf.get({ email });
  }

  setPlan(email: string, plan: Plan): void {
    this.#setPlan.run({ email, plan });
  }

  setPassword(email: string, hash: string): void {
    this.#setPassword.run({ email, hash });
  }

  /** Sets limits that override the plan's; null for the plan's. */
  setLimits(email: string, window: number | null, quota: number | null): void {
    this.#setLimits.run({ email, window, quota });
  }

  setRole(id: string, role: Role): void {
    this.#setRole.run({ id, role });
  }

  /** Suspends an account at `ts` (ms); null ends the suspension. */
  setSuspended(id: string, ts: number | null): void {
    this.#setSuspended.run({ id, ts });
  }

  /** The number of operators that are not suspended. */
  countOperators(): number {
    return this.#operators.get({})?.count ?? 0;
  }

  /** Whether this is the only operator that is not suspended. */
  isOnlyOperator({ role, suspended_ts }: Pick<AccountRow, 'role' | 'suspended_ts'>): boolean {
    return role === 'operator' && suspended_ts === null && this.countOperators() === 1;
  }

  /** A page of the accounts that match a filter, newest first, and the number of all that match. */
  search({ text, role, suspended, page, pageSize }: AccountFilter): { rows: AccountRow[]; total: number } {
    let matching = query.selectFrom('accounts');
    const escaped = text
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&');
    if (escaped !== '') matching = matching.where(sql<boolean>`email LIKE ${`%${escaped}%`} ESCAPE '\\'`);
    if (role !== null) matching = matching.where('role', '=', role);
    if (suspended) matching = matching.where('suspended_ts', 'is not', null);
    const count = matching.select((eb) => eb.fn.countAll<number>().as('total')).compile();
    const select = matching
      .select(columns)
      .orderBy('created_ts', 'desc')
      .orderBy('email')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .compile();
    const rows = this.#sqlite.prepare(select.sql).all(...select.parameters) as AccountRow[];
    const { total } = this.#sqlite.prepare(count.sql).get(...count.parameters) as { total: number };
    return { rows, total };
  }

  /** Deletes an account with its keys, windows, usage and sessions. */
  delete(email: string): void {
    this.#deleteWindows.run({ email });
    this.#delete.run({ email });
  }

  /** The account's requests in `month` (yyyy-mm) that count towards its quota. */
  usedInMonth(account: string, month: string): number {
    return this.#used.get({ account, month })?.used ?? 0;
  }
}
