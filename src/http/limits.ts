/** How every door tells where a caller stands, and refuses one who is over (decisions.md, Limits). */
import { Problem } from '../contract/errors.ts';
import { limitHeaders } from '../contract/plans.ts';

/** The six headers of an authenticated answer, as names and values in turn. */
export function limitFields(limits: readonly number[]): string[] {
  const fields: string[] = [];
  for (let index = 0; index < limitHeaders.length; index++) {
    fields.push(limitHeaders[index] as string, String(limits[index]));
  }
  return fields;
}

/** What one is told whose window or month is used up; `retryAfter` is in seconds. */
export function overLimit(outcome: 'rate_limited' | 'quota_exceeded', retryAfter: number): Problem {
  return new Problem(
    outcome,
    outcome === 'rate_limited'
      ? `This key's requests of the current window are used up. Wait ${retryAfter} s (Retry-After).`
      : "This account's requests of the month are used up. They are back at X-Quota-Reset; a larger plan has more.",
  );
}
