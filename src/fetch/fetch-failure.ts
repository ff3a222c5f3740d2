/** The error of a failed fetch. Its message may be shown to the client that named the address. */
import { Failure } from '../failure.ts';
import type { BlockedHost } from './blocked-host.ts';

/**
 * Why a fetch failed. `refused`: the address is not allowed; `unreachable`: no such name, no connection or no valid
 * certificate; `timeout`; `too_large`; `redirects`: too many, or a redirect where none is followed; `unreadable`: the
 * content is not what its headers say.
 */
export type FetchFailureReason =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'unreadable';

/**
 * An error whose message contains neither resolved addresses nor connection details, because the client may be
 * anonymous. `blocked` holds the details for the operator.
 */
export class FetchFailure extends Failure {
  readonly reason: FetchFailureReason;
  /** The private host that was blocked, if that was the reason. */
  readonly blocked: BlockedHost | null;
  constructor(reason: FetchFailureReason, message: string, blocked: BlockedHost | null = null) {
    super(message);
    this.reason = reason;
    this.blocked = blocked;
  }
}
