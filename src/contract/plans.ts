/** Plans and limits (docs/spec/limits.md). A reduction is announced in the changelog before it takes effect. */

export const plans = {
  free: { title: 'Free', window: 60, quota: 10_000 },
  premium: { title: 'Premium', window: 300, quota: 100_000 },
  pro: { title: 'Pro', window: 1_200, quota: 1_000_000 },
} as const;
export type Plan = keyof typeof plans;
export const planNames = Object.keys(plans) as Plan[];

/** Length of a key's fixed window, in seconds. It opens with the first request that finds none open. */
export const windowSeconds = 60;

/**
 * How many times the window of one key all keys and apps of an account may use together in a window of the account. So
 * a few programs with a key each do not disturb each other, and a hundred keys are not a hundred times the rate.
 */
export const accountWindowFactor = 4;

/** `limit` of lists and of /search: what an absent or invalid one means, and the most. */
export const pageLimits = {
  list: { default: 50, maximum: 100 },
  search: { default: 10, maximum: 50 },
} as const;

/** The six headers of every authenticated response, in the order in which they are sent. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
] as const;
