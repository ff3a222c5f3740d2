/** How every door tells where a caller stands, and refuses one who is over (docs/spec/limits.md). */
import { Problem } from '../contract/errors.ts';
import { limitHeaders, windowSeconds } from '../contract/plans.ts';

/** The six headers of an authenticated answer, as names and values in turn. */
export function limitHeaderPairs(limits: readonly number[]): string[] {
  const fields: string[] = [];
  for (let index = 0; index < limitHeaders.length; index++) {
    fields.push(limitHeaders[index] as string, String(limits[index]));
  }
  return fields;
}

/**
 * What a caller is told whose window or month is used up.
 * @param retryAfter in seconds
 * @param accountWindow the window of the whole account, where that is what is used up
 */
export function overLimitProblem(
  outcome: 'rate_limited' | 'quota_exceeded',
  retryAfter: number,
  accountWindow?: { limit: number },
): Problem {
  if (outcome === 'quota_exceeded') {
    return new Problem(
      outcome,
      "This account's requests of the month are used up. They are back at X-Quota-Reset; a larger plan has more.",
    );
  }
  return new Problem(
    outcome,
    accountWindow === undefined
      ? `This key's requests of the current window are used up. Wait ${retryAfter} s (Retry-After).`
      : `This account's window is used up: its keys and apps have ${accountWindow.limit} requests together in ${windowSeconds} s. Wait ${retryAfter} s (Retry-After).`,
  );
}
