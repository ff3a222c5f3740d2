/** The headers of limits, and the error of a request over a limit (docs/spec/limits.md). */
import type { ProblemReport } from '../contract/errors.ts';
import { limitHeaders, quotaNotice, quotaNoticeHeader, windowSeconds } from '../contract/plans.ts';
import type { RateLimitReason } from './metrics.ts';

/**
 * The six headers of an authenticated response, and the notice when 80 or 100 percent of the month are used, as names and
 * values in turn.
 */
export function limitHeaderPairs(limits: readonly number[]): string[] {
  const fields: string[] = [];
  for (let index = 0; index < limitHeaders.length; index++) {
    fields.push(limitHeaders[index] as string, String(limits[index]));
  }
  const [, , , quota = 0, remaining = 0] = limits;
  const notice = quotaNotice(quota - remaining, quota);
  if (notice !== null) fields.push(quotaNoticeHeader, String(notice));
  return fields;
}

/** The limit that a refused request exceeded. */
export function exceededLimit({
  outcome,
  accountWindow,
}: {
  outcome: 'rate_limited' | 'quota_exceeded';
  accountWindow?: object;
}): RateLimitReason {
  if (outcome === 'quota_exceeded') return 'quota';
  return accountWindow === undefined ? 'key_window' : 'account_window';
}

/**
 * The error of a request over the window or the monthly quota.
 * @param retryAfter in seconds
 * @param accountWindow the window that all keys and apps of the account share, if that is the exceeded limit
 */
export function overLimitProblem(
  outcome: 'rate_limited' | 'quota_exceeded',
  retryAfter: number,
  accountWindow?: { limit: number },
): ProblemReport {
  return { type: outcome, message: overLimitMessage(outcome, retryAfter, accountWindow), param: null };
}

function overLimitMessage(
  outcome: 'rate_limited' | 'quota_exceeded',
  retryAfter: number,
  accountWindow?: { limit: number },
): string {
  if (outcome === 'quota_exceeded') {
    return "This account's requests of the month are used up. They are back at X-Quota-Reset; a larger plan has more.";
  }
  return accountWindow === undefined
    ? `This key's requests of the current window are used up. Wait ${retryAfter} s (Retry-After).`
    : `This account's window is used up: its keys and apps have ${accountWindow.limit} requests together in ${windowSeconds} s. Wait ${retryAfter} s (Retry-After).`;
}
