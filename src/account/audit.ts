/**
 * Audit log of accounts, for fail2ban and reviews: one line per event, with the address of the request and the id of the
 * account. It never has an email, a password or a key. The messages are a contract.
 */
import type { AccountError } from '../access/access.ts';
import { countAccountEvent } from '../http/metrics.ts';
import type { AccountRequest, SignedInRequest } from './account-request.ts';

type AccountChange =
  | 'signed up'
  | 'password changed'
  | 'password reset'
  | 'openid login linked'
  | 'openid login unlinked'
  | 'passkey added'
  | 'passkey removed'
  | 'second factor turned on'
  | 'second factor turned off'
  | 'recovery codes renewed'
  | 'recovery code used'
  | 'account deleted'
  | 'key created'
  | 'key rotated'
  | 'key revoked'
  | 'app disconnected';

/** Logs a change of an account, a key or an app. */
export function logAccountChange(
  visit: AccountRequest,
  what: AccountChange,
  account: string,
  more: Record<string, string> = {},
): void {
  if (what === 'signed up') countAccountEvent('sign_up_created');
  visit.deps.log('info', what, { account, address: visit.requestSource.address, ...more });
}

/** Logs a request for an account. */
export async function logAccountRequest(visit: AccountRequest, email: string): Promise<void> {
  const { access, log } = visit.deps;
  countAccountEvent('sign_up_requested');
  log('info', 'account requested', {
    account: await access.accountNameForLog(email),
    address: visit.requestSource.address,
  });
}

const loggedReasons = new Set<AccountError['reason']>([
  'credentials',
  'slow',
  'taken',
  'pending',
  'suspended',
  'link',
  'code',
  'passkey',
]);

/**
 * Logs a refused sign-in or sign-up, or a refused link for a new password: wrong credentials, too many attempts, a void
 * link, or an email that has an account.
 */
export async function logRefusal(
  visit: AccountRequest,
  what: 'sign-up refused' | 'sign-in failed' | 'reset link refused',
  email: string,
  why: AccountError,
): Promise<void> {
  const { reason } = why;
  if (!loggedReasons.has(reason)) return;
  const account = await visit.deps.access.accountNameForLog(email);
  if (what === 'sign-in failed') return logFailedSignIn(visit, { account, reason });
  if (what === 'sign-up refused') countAccountEvent('sign_up_refused');
  visit.deps.log('warn', what, { account, address: visit.requestSource.address, reason });
}

/** Logs and counts a failed sign-in. */
function logFailedSignIn(visit: AccountRequest, fields: Record<string, string>): void {
  countAccountEvent('sign_in_failed');
  visit.deps.log('warn', 'sign-in failed', { address: visit.requestSource.address, ...fields });
}

/** Logs a wrong password of a signed-in person. */
export const logWrongPassword = (visit: SignedInRequest, why: AccountError): Promise<void> =>
  logRefusal(visit, 'sign-in failed', visit.session.account.email, why);

/** Logs a refused code of the second factor. */
export function logCodeRefusal(visit: AccountRequest, account: string, { reason }: AccountError): void {
  if (loggedReasons.has(reason)) logFailedSignIn(visit, { account, reason });
}

/** Logs a refused sign-in by another way than the password, whose account is not known. */
export function logWayInRefusal(visit: AccountRequest, by: string, reason: string, error?: string): void {
  logFailedSignIn(visit, { by, reason, ...(error === undefined ? {} : { error }) });
}
