/** What people are told when what they typed cannot be done; the page shows it beside the field it speaks of. */

/** What was refused: a field of the form, a wrong email or password (never which), too many tries, or an account that waits for the operator. */
export type AccountErrorReason =
  | 'email'
  | 'password'
  | 'name'
  | 'credentials'
  | 'taken'
  | 'pending'
  | 'slow'
  | 'full';

export class AccountError extends Error {
  readonly reason: AccountErrorReason;
  /** When to try again, in seconds; null where waiting changes nothing. */
  readonly retryAfter: number | null;

  constructor(reason: AccountErrorReason, message: string, retryAfter: number | null = null) {
    super(message);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
