/** Plans and limits (docs/spec/limits.md). Reductions are announced in the changelog before they take effect. */

/** The plans with their default limits. An operator can set others (`cratebase plans set`). */
export const plans = {
  free: { title: 'Free', window: 60, quota: 10_000 },
  premium: { title: 'Premium', window: 300, quota: 100_000 },
  pro: { title: 'Pro', window: 1_200, quota: 1_000_000 },
} as const;
export type Plan = keyof typeof plans;
export const planNames = Object.keys(plans) as Plan[];

/** Requests of each key per window, and of an account per month. */
export type Limits = { window: number; quota: number };
export type PlanTable = Readonly<Record<Plan, Readonly<Limits & { title: string }>>>;
/** A change of the limits of a plan that an operator set. */
export type PlanChange = Limits & {
  plan: Plan;
  /** The limits hold from then on, ms since 1970. */
  effectiveTs: number;
  /** When the change was set, ms since 1970. */
  createdTs: number;
  /** The entry of the changelog; empty for an increase without one. */
  note: string;
};
/** The limits in force, and the changes that callers may know. */
export type PlansInForce = {
  plans: PlanTable;
  /** Changes that have not taken effect yet, the next one first. */
  upcoming: readonly PlanChange[];
  /** Changes with a note, the latest set first. */
  announced: readonly PlanChange[];
};
export const defaultPlansInForce: PlansInForce = { plans, upcoming: [], announced: [] };

/** Length of a key's fixed rate window in seconds. It starts with the first request while no window is open. */
export const windowSeconds = 60;

/**
 * The rate limit of an account, shared by all its keys and apps, as a multiple of the limit of one key. Several
 * programs can use a key each, but additional keys do not multiply the rate.
 */
export const accountWindowFactor = 4;

/** Default and maximum of `limit` for lists and /search. */
export const pageLimits = {
  list: { default: 50, maximum: 100 },
  search: { default: 10, maximum: 50 },
} as const;

const number = (value: number): string => value.toLocaleString('en');

/** The plans as a table in Markdown. */
export const planTable = (table: PlanTable): string => `\
| Plan | Requests per key and ${windowSeconds} s | Requests per account and month (UTC) |
|---|---|---|
${Object.values(table)
  .map(({ title, window, quota }) => `| ${title} | ${number(window)} | ${number(quota)} |`)
  .join('\n')}`;

/** A change of limits as a sentence: "From 2027-01-01 on, …". */
export const describePlanChange = ({ plan, effectiveTs, window, quota }: PlanChange): string =>
  `From ${formatStart(effectiveTs)} on, the ${plans[plan].title} plan has ${number(quota)} requests per account and month, and ${number(window)} per key and ${windowSeconds} s.`;

/** The date, with the time unless it is midnight (UTC). */
function formatStart(ts: number): string {
  const [day, time = ''] = new Date(ts).toISOString().split('T');
  return time.startsWith('00:00:00') ? `${day}` : `${day} ${time.slice(0, 5)} UTC`;
}

/** The six rate limit headers of every authenticated response, in output order. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
] as const;

/** The header of a response when much of the month is used: `80` or `100`, the percentage that was reached. */
export const quotaNoticeHeader = 'X-Quota-Notice';

/** The highest mark of the month that `used` requests reached, in percent; null below the first one. */
export function quotaNotice(used: number, quota: number): 80 | 100 | null {
  if (used >= quota) return 100;
  return used >= quota * 0.8 ? 80 : null;
}
