/**
 * What the log has of people, for whoever watches it (fail2ban, an audit): one line each, with the address that it came
 * from and the account's id. No email, password or key ever stands in it.
 */
import type { AccountError } from '../access/access.ts';
import type { AccountRequest, SignedInRequest } from './account-request.ts';

type AccountChange =
  | 'signed up'
  | 'password changed'
  | 'account deleted'
  | 'key created'
  | 'key revoked'
  | 'app disconnected';

/** Something that changes who may do what. */
export function logAccountChange(
  visit: AccountRequest,
  what: AccountChange,
  account: string,
  more: Record<string, string> = {},
): void {
  visit.deps.log('info', what, { account, address: visit.requestSource.address, ...more });
}

/** Somebody asked for an account that the operator is to admit. */
export async function logAccountRequest(visit: AccountRequest, email: string): Promise<void> {
  const { access, log } = visit.deps;
  log('info', 'account requested', {
    account: await access.accountNameForLog(email),
    address: visit.requestSource.address,
  });
}

const loggedReasons = new Set<AccountError['reason']>(['credentials', 'slow', 'taken', 'pending']);

/** Somebody was not let in: a wrong email or password, too many tries, an email that has an account. */
export async function logRefusal(
  visit: AccountRequest,
  what: string,
  email: string,
  why: AccountError,
): Promise<void> {
  const { reason } = why;
  if (!loggedReasons.has(reason)) return;
  const { access, log } = visit.deps;
  log('warn', what, {
    account: await access.accountNameForLog(email),
    address: visit.requestSource.address,
    reason,
  });
}

/** Who is signed in did not know the account's password. */
export const logWrongPassword = (visit: SignedInRequest, why: AccountError): Promise<void> =>
  logRefusal(visit, 'sign-in failed', visit.session.account.email, why);
