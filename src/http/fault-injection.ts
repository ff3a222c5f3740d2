/** Failures made on purpose (serve --fail), for clients that want to be tested with them. */
import { type ErrorType, Problem } from '../contract/errors.ts';

/** So many requests (a fraction between 0 and 1) get that status. */
export type InjectedFault = { status: number; fraction: number };

const errorTypeByStatus: Record<number, ErrorType> = {
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
};

/** Throws the `Problem` of one of the failures wanted, as often as it is wanted. */
export function injectFault(purposes: readonly InjectedFault[]): void {
  for (const { status, fraction } of purposes) {
    if (Math.random() < fraction)
      throw new Problem(
        errorTypeByStatus[status] ?? 'internal_error',
        'This server was started with --fail.',
      );
  }
}
