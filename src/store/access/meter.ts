/**
 * Reads and writes the counters of requests. Call all of it within one write transaction, so that the values read
 * still hold when the sums are written.
 */
import type { ExpressionWrapper } from 'kysely';
import type { Plan, PlanChange } from '../../contract/plans.ts';
import { query, SqliteStore, type StatementSource } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { planChanges, planLimitsVersionKey } from './plan-limits.ts';

/** The state that decides whether a request with a key or grant is allowed. */
export type RateStateRow = {
  account_id: string;
  revoked_ts: number | null;
  /** The key is refused from then on; null: never. */
  expires_ts: number | null;
  last_used_ts: number | null;
  plan: Plan;
  /** Not null: the account is suspended. */
  suspended_ts: number | null;
  window_limit: number | null;
  quota_limit: number | null;
  started_ts: number | null;
  window_used: number | null;
  /** The window of the whole account. */
  account_started_ts: number | null;
  account_window_used: number | null;
  month_used: number | null;
  /** The version of the limits of the plans (`PlanLimitStore`); null: they were never changed. */
  plan_limits_version: string | null;
};

/** Ids of grants have this prefix (`access/oauth-repository.ts`). */
const isGrant = (credential: string): boolean => credential.startsWith('app_');

/** Subqueries instead of joins: each is one look-up by key, and together they take a third of the time. */
function rateStateColumns(
  account: ExpressionWrapper<Tables, never, string>,
  credential: ExpressionWrapper<Tables, never, string>,
  month: string,
) {
  const accounts = query.selectFrom('accounts').where('accounts.id', '=', account);
  const window = query.selectFrom('rate_windows').where('credential_id', '=', credential);
  const accountWindow = query.selectFrom('rate_windows').where('credential_id', '=', account);
  return [
    accounts.select('plan').as('plan'),
    accounts.select('suspended_ts').as('suspended_ts'),
    accounts.select('window_limit').as('window_limit'),
    accounts.select('quota_limit').as('quota_limit'),
    window.select('started_ts').as('started_ts'),
    window.select('used').as('window_used'),
    accountWindow.select('started_ts').as('account_started_ts'),
    accountWindow.select('used').as('account_window_used'),
    query
      .selectFrom('usage_months')
      .select('used')
      .where('usage_months.account_id', '=', account)
      .where('month', '=', month)
      .as('month_used'),
    query
      .selectFrom('settings')
      .select('value')
      .where('key', '=', planLimitsVersionKey)
      .as('plan_limits_version'),
  ] as const;
}

type CredentialMonth = [credential: string, month: string];

/**
 * Reads rate states and adds to counts with prepared statements of one connection. The caller opens the transaction,
 * and compares the counts with the limits.
 */
export class MeterStore extends SqliteStore {
  /** How many rows were changed, also in transactions that were rolled back. */
  changedRows = 0;
  /** The changes of the plans' limits, the earliest first. */
  readonly planChanges = this.selectAll<[], PlanChange>(() => planChanges);
  /** Saves a rate window. `credential` is the id of a key, grant or account; ids are unique across them. */
  readonly setWindow = this.execute<[credential: string, startedTs: number, used: number]>(
    (credential, startedTs, used) =>
      query
        .insertInto('rate_windows')
        .values({ credential_id: credential, started_ts: startedTs, used })
        .onConflict((conflict) =>
          conflict.column('credential_id').doUpdateSet((eb) => ({
            started_ts: eb.ref('excluded.started_ts'),
            used: eb.ref('excluded.used'),
          })),
        ),
  );
  /** Adds requests to the month (yyyy-mm) that counts towards the quota. */
  readonly addToMonth = this.execute<[account: string, month: string, requests: number]>(
    (account, month, requests) =>
      query
        .insertInto('usage_months')
        .values({ account_id: account, month, used: requests })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'month'])
            .doUpdateSet((eb) => ({ used: eb('usage_months.used', '+', eb.ref('excluded.used')) })),
        ),
  );
  /** `day` is yyyy-mm-dd. */
  readonly addToDay = this.execute<[account: string, day: string, channel: string, requests: number]>(
    (account, day, channel, requests) =>
      query
        .insertInto('usage_days')
        .values({ account_id: account, day, channel, used: requests })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'day', 'channel'])
            .doUpdateSet((eb) => ({ used: eb('usage_days.used', '+', eb.ref('excluded.used')) })),
        ),
  );
  readonly #keyState = this.selectFirst<CredentialMonth, RateStateRow>((credential, month) =>
    query
      .selectFrom('api_keys as k')
      .select(['k.account_id', 'k.revoked_ts', 'k.expires_ts', 'k.last_used_ts'])
      .select((eb) => rateStateColumns(eb.ref('k.account_id'), eb.ref('k.id'), month))
      .where('k.id', '=', credential),
  );
  readonly #grantState = this.selectFirst<CredentialMonth, RateStateRow>((credential, month) =>
    query
      .selectFrom('oauth_grants as g')
      .select(['g.account_id', 'g.last_used_ts'])
      .select((eb) => [eb.lit(null).as('revoked_ts'), eb.lit(null).as('expires_ts')])
      .select((eb) => rateStateColumns(eb.ref('g.account_id'), eb.ref('g.id'), month))
      .where('g.id', '=', credential),
  );
  readonly #touchKey = this.execute<[now: number, key: string]>(
    'UPDATE api_keys SET last_used_ts = ? WHERE id = ?',
  );
  readonly #touchGrant = this.execute<[now: number, grant: string]>(
    'UPDATE oauth_grants SET last_used_ts = ? WHERE id = ?',
  );

  protected override execute<P extends unknown[]>(source: StatementSource<P>): (...values: P) => number {
    const run = super.execute(source);
    return (...values) => {
      const rows = run(...values);
      this.changedRows += rows;
      return rows;
    };
  }

  /** The rate state of a key or grant; undefined if it does not exist. `month` is yyyy-mm. */
  rateState(credential: string, month: string): RateStateRow | undefined {
    return isGrant(credential) ? this.#grantState(credential, month) : this.#keyState(credential, month);
  }

  /** Saves when the key or grant was last used. */
  touch(credential: string, now: number): void {
    if (isGrant(credential)) this.#touchGrant(now, credential);
    else this.#touchKey(now, credential);
  }
}
