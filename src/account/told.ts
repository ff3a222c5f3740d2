/**
 * What the log has of people, for whoever watches it (fail2ban, an audit): one line each, with the address that it came
 * from and the account's id. No email, password or key ever stands in it.
 */
import type { Refusal } from '../access/access.ts';
import type { Member, Visit } from './visit.ts';

type Done =
  | 'signed up'
  | 'password changed'
  | 'account deleted'
  | 'key created'
  | 'key revoked'
  | 'app disconnected';

/** Something that changes who may do what. */
export function tellDone(visit: Visit, what: Done, account: string, more: Record<string, string> = {}): void {
  visit.deps.log('info', what, { account, address: visit.from.address, ...more });
}

/** Somebody asked for an account that the operator is to admit. */
export async function tellRequested(visit: Visit, email: string): Promise<void> {
  const { access, log } = visit.deps;
  log('info', 'account requested', {
    account: await access.nameInLog(email),
    address: visit.from.address,
  });
}

const told = new Set<Refusal['reason']>(['credentials', 'slow', 'taken', 'pending']);

/** Somebody was not let in: a wrong email or password, too many tries, an email that has an account. */
export async function tellRefused(visit: Visit, what: string, email: string, why: Refusal): Promise<void> {
  const { reason } = why;
  if (!told.has(reason)) return;
  const { access, log } = visit.deps;
  log('warn', what, { account: await access.nameInLog(email), address: visit.from.address, reason });
}

/** Who is signed in did not know the account's password. */
export const tellWrongPassword = (visit: Member, why: Refusal): Promise<void> =>
  tellRefused(visit, 'sign-in failed', visit.session.account.email, why);
