/** Failures made on purpose (serve --fail), for clients that want to be tested with them. */
import { type ErrorType, Problem } from '../contract/errors.ts';

/** So many requests (a fraction between 0 and 1) get that status. */
export type Purpose = { status: number; fraction: number };

const types: Record<number, ErrorType> = { 429: 'rate_limited', 500: 'internal_error', 503: 'unavailable' };

/** Throws the `Problem` of one of the failures wanted, as often as it is wanted. */
export function failOnPurpose(purposes: readonly Purpose[]): void {
  for (const { status, fraction } of purposes) {
    if (Math.random() < fraction)
      throw new Problem(types[status] ?? 'internal_error', 'This server was started with --fail.');
  }
}
