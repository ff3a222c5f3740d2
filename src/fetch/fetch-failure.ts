/** The error of a failed fetch. Its message may be shown to the client that asked to fetch the address. */
import { Failure } from '../failure.ts';
import type { BlockedHost } from './blocked-host.ts';

/** Why a fetch failed. */
export type FetchFailureReason =
  /** The address is not valid, or not allowed. */
  | 'refused'
  /** The host name has no address, the connection failed, or the certificate is not valid. */
  | 'unreachable'
  /** The response took too long, or came too slowly. */
  | 'timeout'
  /** The response is larger than the limit. */
  | 'too_large'
  /** Too many redirects, a redirect to an invalid address, or a redirect where none is followed. */
  | 'redirects'
  /** The content is not what its headers say, or not JSON where JSON is needed. */
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
