/**
 * Usage of accounts for reports, and usage retained after an account is deleted. `meter.ts` does the counting.
 */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

/** Requests of one day ('yyyy-mm-dd') or month ('yyyy-mm') over one channel. */
export type ChannelUsage = { period: string; channel: string; used: number };
export type MonthUsage = { month: string; used: number };
type FormerUsage = { digest: string; month: string; used: number };

export class UsageStore {
  readonly #days: PreparedStatement<{ account: string; from: string }, ChannelUsage>;
  readonly #months: PreparedStatement<{ account: string; from: string }, MonthUsage>;
  readonly #monthsByDoor: Database.Statement;
  readonly #pruneDays: PreparedStatement<{ before: string }, never>;
  readonly #keepFormer: PreparedStatement<FormerUsage, never>;
  readonly #former: PreparedStatement<{ digest: string }, { used: number }>;
  readonly #deleteFormer: PreparedStatement<{ digest: string }, never>;
  readonly #pruneFormer: PreparedStatement<{ month: string }, never>;
  readonly #setMonth: PreparedStatement<{ account: string; month: string; used: number }, never>;

  constructor(sqlite: Database.Database) {
    this.#days = prepare(sqlite, (p) =>
      query
        .selectFrom('usage_days')
        .select(['day as period', 'channel', 'used'])
        .where('account_id', '=', p.account)
        .where('day', '>=', p.from),
    );
    this.#months = prepare(sqlite, (p) =>
      query
        .selectFrom('usage_months')
        .select(['month', 'used'])
        .where('account_id', '=', p.account)
        .where('month', '>=', p.from),
    );
    this.#monthsByDoor = sqlite.prepare(
      `SELECT substr(day, 1, 7) AS period, channel, sum(used) AS used FROM usage_days
       WHERE account_id = ? AND day >= ? GROUP BY substr(day, 1, 7), channel`,
    );
    this.#pruneDays = prepare(sqlite, (p) => query.deleteFrom('usage_days').where('day', '<', p.before));
    this.#keepFormer = prepare(sqlite, (p) =>
      query
        .insertInto('retained_usage')
        .values({ digest: p.digest, month: p.month, used: p.used })
        .onConflict((conflict) =>
          conflict.column('digest').doUpdateSet((eb) => ({ used: eb.ref('excluded.used') })),
        ),
    );
    this.#former = prepare(sqlite, (p) =>
      query.selectFrom('retained_usage').select('used').where('digest', '=', p.digest),
    );
    this.#deleteFormer = prepare(sqlite, (p) =>
      query.deleteFrom('retained_usage').where('digest', '=', p.digest),
    );
    this.#pruneFormer = prepare(sqlite, (p) =>
      query.deleteFrom('retained_usage').where('month', '<', p.month),
    );
    this.#setMonth = prepare(sqlite, (p) =>
      query.insertInto('usage_months').values({ account_id: p.account, month: p.month, used: p.used }),
    );
  }

  /** Usage by day from `from` (yyyy-mm-dd) on, unordered; days without requests have no row. */
  days(account: string, from: string): ChannelUsage[] {
    return this.#days.all({ account, from });
  }

  /** Usage that counts towards the quota, by month from `from` (yyyy-mm) on. */
  months(account: string, from: string): MonthUsage[] {
    return this.#months.all({ account, from });
  }

  /** Usage by month and channel, from the month `from` (yyyy-mm) on. */
  monthsByDoor(account: string, from: string): ChannelUsage[] {
    return this.#monthsByDoor.all(account, `${from}-01`) as ChannelUsage[];
  }

  /** Deletes the days before `before` (yyyy-mm-dd); months stay. */
  pruneDays(before: string): void {
    this.#pruneDays.run({ before });
  }

  /** Retains the month's usage of a deleted account. */
  saveFormer(former: FormerUsage): void {
    this.#keepFormer.run(former);
  }

  /** Moves the usage retained under `digest` to a new account. */
  restoreFormer(digest: string, account: string, month: string): void {
    const used = this.#former.get({ digest })?.used;
    if (used === undefined) return;
    this.#setMonth.run({ account, month, used });
    this.#deleteFormer.run({ digest });
  }

  /** Deletes retained usage of months before `month` (yyyy-mm). */
  pruneFormer(month: string): void {
    this.#pruneFormer.run({ month });
  }
}
