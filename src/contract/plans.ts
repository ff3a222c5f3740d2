/** Plans and limits (docs/spec/limits.md). Reductions are announced in the changelog before they take effect. */

export const plans = {
  free: { title: 'Free', window: 60, quota: 10_000 },
  premium: { title: 'Premium', window: 300, quota: 100_000 },
  pro: { title: 'Pro', window: 1_200, quota: 1_000_000 },
} as const;
export type Plan = keyof typeof plans;
export const planNames = Object.keys(plans) as Plan[];

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

/** The six rate limit headers of every authenticated response, in output order. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
] as const;
