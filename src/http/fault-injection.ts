/** Injects failures (`serve --fail`), for tests of clients. */
import { type ErrorType, Problem } from '../contract/errors.ts';

/** `fraction` of the requests, between 0 and 1, get `status`. */
export type InjectedFault = { status: number; fraction: number };

const errorTypeByStatus: Record<number, ErrorType> = {
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
};

/** Throws the `Problem` of a fault with its probability. */
export function injectFault(faults: readonly InjectedFault[]): void {
  for (const { status, fraction } of faults) {
    if (Math.random() < fraction)
      throw new Problem(
        errorTypeByStatus[status] ?? 'internal_error',
        'This server was started with --fail.',
      );
  }
}
