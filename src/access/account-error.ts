/** Errors of account forms. */

/**
 * A field of the form, wrong credentials, a taken email, an account that waits for approval or is suspended, a link that
 * is not valid any more, a code that is missing (`second_factor`) or wrong, a passkey that cannot be checked, a session
 * that is too old for the action, the only operator, too many attempts, too many keys, or the terms of a key.
 */
export type AccountErrorReason =
  | 'email'
  | 'password'
  | 'name'
  | 'credentials'
  | 'taken'
  | 'pending'
  | 'suspended'
  | 'link'
  | 'second_factor'
  | 'code'
  | 'passkey'
  | 'stale'
  | 'only_operator'
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
