/** Errors of account forms. */

/**
 * A field of the form, wrong credentials, a taken email, an account that waits for approval or is suspended, a link that
 * is not valid any more, a code that is missing (`second_factor`) or wrong, a passkey that cannot be checked, a session
 * that is too old for the action, the only operator, the only way to sign in, too many attempts, too many keys, or the terms of a key.
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
  | 'only_way'
  | 'slow'
  | 'full'
  | 'terms';

/** A sentence for people: the reason, or one of its cases. Pages tell it in their language. */
export type AccountErrorCode =
  | AccountErrorReason
  | 'email_differs'
  | 'password_length'
  | 'password_is_email'
  | 'credentials_of_sign_up'
  | 'taken_meanwhile'
  | 'code_enabled'
  | 'passkey_unknown'
  | 'passkey_used_up'
  | 'slow_waiting_list'
  | 'full_of_passkeys'
  | 'terms_expiry'
  | 'terms_overlap'
  | 'key_replaced';

/** What the sentence of an error contains. */
type AccountErrorDetails = {
  /** The reason itself if absent. */
  code?: AccountErrorCode;
  /** A number or an email in the sentence. */
  value?: number | string;
  /** Seconds to wait; null if waiting does not help. */
  retryAfter?: number | null;
};

/** The input of an account form was refused. The message is English; pages take their text from `code` and `value`. */
export class AccountError extends Error {
  readonly reason: AccountErrorReason;
  readonly code: AccountErrorCode;
  readonly value: number | string;
  /** Seconds to wait; null if waiting does not help. */
  readonly retryAfter: number | null;

  constructor(reason: AccountErrorReason, message: string, details: AccountErrorDetails = {}) {
    super(message);
    const { code = reason, retryAfter = null, value = retryAfter ?? '' } = details;
    this.reason = reason;
    this.code = code;
    this.value = value;
    this.retryAfter = retryAfter;
  }
}
