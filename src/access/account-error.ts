/** Errors of account forms. */

/**
 * A field of the form, wrong credentials, a taken email, an account that waits for approval or is suspended, too many
 * attempts, too many keys, or the terms of a key.
 */
export type AccountErrorReason =
  | 'email'
  | 'password'
  | 'name'
  | 'credentials'
  | 'taken'
  | 'pending'
  | 'suspended'
  | 'slow'
  | 'full'
  | 'terms';

/** The input of an account form was refused; the page shows the message beside the field. */
export class AccountError extends Error {
  readonly reason: AccountErrorReason;
  /** Seconds to wait; null if waiting does not help. */
  readonly retryAfter: number | null;

  constructor(reason: AccountErrorReason, message: string, retryAfter: number | null = null) {
    super(message);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
