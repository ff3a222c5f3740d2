/**
 * Usage of accounts for reports, and usage retained after an account is deleted. `meter.ts` does the counting.
 */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { excluded, execute, pick, query, selectAll, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** Requests of one day ('yyyy-mm-dd') or month ('yyyy-mm') over one channel. */
export type ChannelUsage = { period: string; channel: string; used: number };
type MonthUsage = Omit<FormerUsage, 'digest'>;
type FormerUsage = Row<'retained_usage'>;

/**
 * Reads usage by period, and retains the usage of deleted accounts by digest, so that a new sign-up does not get a new
 * quota.
 */
export class UsageStore {
  /** Usage by day from `from` (yyyy-mm-dd) on, unordered; days without requests have no row. */
  readonly days = selectAll<[account: string, from: string], ChannelUsage>((account, from) =>
    query
      .selectFrom('usage_days')
      .select(['day as period', 'channel', 'used'])
      .where('account_id', '=', account)
      .where('day', '>=', from),
  );
  /** Usage that counts towards the quota, by month from `from` (yyyy-mm) on. */
  readonly months = selectAll<[account: string, from: string], MonthUsage>((account, from) =>
    query
      .selectFrom('usage_months')
      .select(['month', 'used'])
      .where('account_id', '=', account)
      .where('month', '>=', from),
  );
  /** Usage by month and channel, from the month `from` (yyyy-mm) on. */
  readonly monthsByChannel = selectAll<[account: string, from: string], ChannelUsage>(
    (account, from) => sql`SELECT substr(day, 1, 7) AS period, channel, sum(used) AS used FROM usage_days
      WHERE account_id = ${account} AND day >= ${from} || '-01' GROUP BY substr(day, 1, 7), channel`,
  );
  /** Deletes the days before `before` (yyyy-mm-dd); months stay. */
  readonly pruneDays = execute<[before: string]>((before) =>
    query.deleteFrom('usage_days').where('day', '<', before),
  );
  /** Retains the month's usage of a deleted account. */
  readonly saveFormer = execute<[former: FormerUsage]>((former) =>
    query
      .insertInto('retained_usage')
      .values(pick(former, ['digest', 'month', 'used']))
      .onConflict((conflict) => conflict.column('digest').doUpdateSet(excluded('used'))),
  );
  /** Deletes retained usage of months before `month` (yyyy-mm). */
  readonly pruneFormer = execute<[month: string]>((month) =>
    query.deleteFrom('retained_usage').where('month', '<', month),
  );
  readonly #former = selectFirst<[digest: string], { used: number }>((digest) =>
    query.selectFrom('retained_usage').select('used').where('digest', '=', digest),
  );
  readonly #deleteFormer = execute<[digest: string]>((digest) =>
    query.deleteFrom('retained_usage').where('digest', '=', digest),
  );
  readonly #setMonth = execute<[account: string, month: string, used: number]>((account, month, used) =>
    query.insertInto('usage_months').values({ account_id: account, month, used }),
  );

  /** Moves the usage retained under `digest` to a new account. */
  async restoreFormer(tx: Tx, digest: string, account: string, month: string): Promise<void> {
    const former = await this.#former(tx, digest);
    if (former === undefined) return;
    await this.#setMonth(tx, account, month, former.used);
    await this.#deleteFormer(tx, digest);
  }
}
