/**
 * Usage of accounts for reports, and usage retained after an account is deleted. `meter.ts` does the counting.
 */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { define, excluded, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** Requests of one day ('yyyy-mm-dd') or month ('yyyy-mm') over one channel. */
export type ChannelUsage = { period: string; channel: string; used: number };
type MonthUsage = Omit<FormerUsage, 'digest'>;
type FormerUsage = Row<'retained_usage'>;

export class UsageStore {
  readonly #days = define<{ account: string; from: string }, ChannelUsage>((p) =>
    query
      .selectFrom('usage_days')
      .select(['day as period', 'channel', 'used'])
      .where('account_id', '=', p.account)
      .where('day', '>=', p.from),
  );
  readonly #months = define<{ account: string; from: string }, MonthUsage>((p) =>
    query
      .selectFrom('usage_months')
      .select(['month', 'used'])
      .where('account_id', '=', p.account)
      .where('month', '>=', p.from),
  );
  readonly #monthsByChannel = define<{ account: string; from: string }, ChannelUsage>(
    (p) => sql`SELECT substr(day, 1, 7) AS period, channel, sum(used) AS used FROM usage_days
      WHERE account_id = ${p.account} AND day >= ${p.from} GROUP BY substr(day, 1, 7), channel`,
  );
  readonly #pruneDays = define<{ before: string }, never>((p) =>
    query.deleteFrom('usage_days').where('day', '<', p.before),
  );
  readonly #keepFormer = define<FormerUsage, never>((p) =>
    query
      .insertInto('retained_usage')
      .values({ digest: p.digest, month: p.month, used: p.used })
      .onConflict((conflict) => conflict.column('digest').doUpdateSet(excluded('used'))),
  );
  readonly #former = define<{ digest: string }, { used: number }>((p) =>
    query.selectFrom('retained_usage').select('used').where('digest', '=', p.digest),
  );
  readonly #deleteFormer = define<{ digest: string }, never>((p) =>
    query.deleteFrom('retained_usage').where('digest', '=', p.digest),
  );
  readonly #pruneFormer = define<{ month: string }, never>((p) =>
    query.deleteFrom('retained_usage').where('month', '<', p.month),
  );
  readonly #setMonth = define<{ account: string; month: string; used: number }, never>((p) =>
    query.insertInto('usage_months').values({ account_id: p.account, month: p.month, used: p.used }),
  );

  /** Usage by day from `from` (yyyy-mm-dd) on, unordered; days without requests have no row. */
  days(tx: Tx, account: string, from: string): Promise<ChannelUsage[]> {
    return this.#days.all(tx, { account, from });
  }

  /** Usage that counts towards the quota, by month from `from` (yyyy-mm) on. */
  months(tx: Tx, account: string, from: string): Promise<MonthUsage[]> {
    return this.#months.all(tx, { account, from });
  }

  /** Usage by month and channel, from the month `from` (yyyy-mm) on. */
  monthsByChannel(tx: Tx, account: string, from: string): Promise<ChannelUsage[]> {
    return this.#monthsByChannel.all(tx, { account, from: `${from}-01` });
  }

  /** Deletes the days before `before` (yyyy-mm-dd); months stay. */
  async pruneDays(tx: Tx, before: string): Promise<void> {
    await this.#pruneDays.run(tx, { before });
  }

  /** Retains the month's usage of a deleted account. */
  async saveFormer(tx: Tx, former: FormerUsage): Promise<void> {
    await this.#keepFormer.run(tx, former);
  }

  /** Moves the usage retained under `digest` to a new account. */
  async restoreFormer(tx: Tx, digest: string, account: string, month: string): Promise<void> {
    const used = (await this.#former.get(tx, { digest }))?.used;
    if (used === undefined) return;
    await this.#setMonth.run(tx, { account, month, used });
    await this.#deleteFormer.run(tx, { digest });
  }

  /** Deletes retained usage of months before `month` (yyyy-mm). */
  async pruneFormer(tx: Tx, month: string): Promise<void> {
    await this.#pruneFormer.run(tx, { month });
  }
}
