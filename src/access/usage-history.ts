/** The usage of an account by day and month, with REST and MCP apart. */
import { dayMs } from '../clock.ts';
import type { Limits, PlanChange } from '../contract/plans.ts';
import type { ChannelUsage } from '../store/access/usage.ts';
import type { Tx } from '../store/engine/engine.ts';
import type { Base } from './parts.ts';
import type { PlanLimits } from './plan-limits.ts';
import { limitsOf } from './plan-schedule.ts';
import { usagePeriodAt } from './usage-period.ts';

/** Counted requests. `total` may exceed `rest` + `mcp`: a month may start with the usage of a deleted account. */
export type UsagePoint = { period: string; rest: number; mcp: number; total: number };
export type UsageReport = {
  /** This month ('yyyy-mm'). `resetsTs` is in ms. */
  month: string;
  used: number;
  quota: number;
  /** Requests of each key in 60 seconds. */
  window: number;
  /** The limits of the plan; those of the account differ if it has its own. */
  planLimits: Limits;
  /** Changes of the plan's limits to come. */
  upcoming: PlanChange[];
  resetsTs: number;
  /** The last 30 days ('yyyy-mm-dd'), the oldest first, today the last. */
  days: UsagePoint[];
  /** The last 12 months ('yyyy-mm'), the oldest first, this one the last. */
  months: UsagePoint[];
};

const reportedDays = 30;
const reportedMonths = 12;

type Dependencies = Base & { plans: PlanLimits };

/** Reads the usage of an account, and deletes old days. */
export class UsageHistory {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** The usage of an account by its id; null if there is no such account. */
  async forAccount(account: string): Promise<UsageReport | null> {
    const { engine, accounts, usage, clock } = this.#parts;
    const now = clock.now();
    const { month, monthEnd } = usagePeriodAt(now);
    const days = lastDays(now);
    const months = lastMonths(now);
    const row = await engine.read((tx) => accounts.byId(tx, account));
    if (row === undefined) return null;
    const byDay = await engine.read((tx) => usage.days(tx, account, days[0] as string));
    const byMonth = await engine.read((tx) => usage.monthsByChannel(tx, account, months[0] as string));
    const sums = await engine.read((tx) => usage.months(tx, account, months[0] as string));
    const { plans, upcoming } = await this.#parts.plans.inForce();
    const { window: planWindow, quota: planQuota } = plans[row.plan];
    const planLimits = { window: planWindow, quota: planQuota };
    const { window, quota } = limitsOf(row, planLimits);
    const total = new Map(sums.map(({ month, used }) => [month, used]));
    return {
      month,
      used: total.get(month) ?? 0,
      window,
      quota,
      planLimits,
      upcoming: upcoming.filter(({ plan }) => plan === row.plan),
      resetsTs: monthEnd,
      days: toUsagePoints(days, byDay),
      months: toUsagePoints(months, byMonth, total),
    };
  }

  /** Deletes days before the months that are shown, within a write transaction. */
  async prune(tx: Tx): Promise<void> {
    await this.#parts.usage.pruneDays(tx, `${lastMonths(this.#parts.clock.now(), reportedMonths + 1)[0]}-01`);
  }
}

const lastDays = (now: number): string[] =>
  Array.from(
    { length: reportedDays },
    (_, index) => usagePeriodAt(now - (reportedDays - 1 - index) * dayMs).day,
  );

function lastMonths(now: number, count = reportedMonths): string[] {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return Array.from(
    { length: count },
    (_, index) => usagePeriodAt(Date.UTC(year, month - (count - 1 - index), 1)).month,
  );
}

function toUsagePoints(periods: string[], rows: ChannelUsage[], totals?: Map<string, number>): UsagePoint[] {
  const counts = new Map(rows.map(({ period, channel, used }) => [`${period} ${channel}`, used]));
  return periods.map((period) => {
    const [rest, mcp] = [counts.get(`${period} rest`) ?? 0, counts.get(`${period} mcp`) ?? 0];
    return { period, rest, mcp, total: Math.max(rest + mcp, totals?.get(period) ?? 0) };
  });
}
