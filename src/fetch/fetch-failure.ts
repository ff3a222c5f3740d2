/** Why an address could not be fetched, in words that may be shown to whoever named it. */
import { Failure } from '../failure.ts';
import type { BlockedHost } from './blocked-host.ts';

/**
 * `refused`: may not be fetched from here; `unreachable`: no such name, no connection, no valid certificate; `timeout`;
 * `too_large`; `maxRedirects`: too many, or a redirect where none is followed; `unreadable`: the content is not what it
 * says it is.
 */
export type FetchFailureReason =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'unreadable';

/**
 * Its message tells neither the address a name stands for nor what a connection said: the one who asks may be a
 * stranger. What only the operator may know stands in `blockedHostOf`.
 */
export class FetchFailure extends Failure {
  readonly reason: FetchFailureReason;
  /** Which private host was in the way, where one was. */
  readonly blocked: BlockedHost | null;
  constructor(reason: FetchFailureReason, message: string, blocked: BlockedHost | null = null) {
    super(message);
    this.reason = reason;
    this.blocked = blocked;
  }
}
