/** Injects failures (`serve --fail`), for tests of clients. */
import { type ErrorType, Problem } from '../contract/errors.ts';

/** A fraction of the requests, between 0 and 1, or each request whose number `every` divides, gets `status`. */
export type InjectedFault = { status: number; fraction?: number | undefined; every?: number | undefined };

const errorTypeByStatus: Record<number, ErrorType> = {
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
};

/** Requests that each fault with `every` has counted in this process. */
const requestCounts = new WeakMap<InjectedFault, number>();

/** Counts a request, and throws the `Problem` of the first fault that it meets. */
export function injectFault(faults: readonly InjectedFault[]): void {
  // Each fault counts each request, also one that another fault answers.
  const [fault] = faults.filter(isMet);
  if (fault === undefined) return;
  throw new Problem(
    errorTypeByStatus[fault.status] ?? 'internal_error',
    'This server was started with --fail.',
  );
}

function isMet(fault: InjectedFault): boolean {
  if (fault.every === undefined) return Math.random() < (fault.fraction ?? 0);
  const count = (requestCounts.get(fault) ?? 0) + 1;
  requestCounts.set(fault, count);
  return count % fault.every === 0;
}
