/**
 * One-time links to set a new password. An operator prints one in the terminal or the console, or the service mails one to
 * the address of the account. A link is valid for an hour and works once; a newer one makes it void.
 */
import type { Clock } from '../../clock.ts';
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import type { AccountStateRow, AccountStateStore } from '../../store/access/account-states.ts';
import type { AccountStore } from '../../store/access/accounts.ts';
import type { SessionStore } from '../../store/access/sessions.ts';
import type { AuditLog } from '../../store/audit-log.ts';
import { formatUtc } from '../../store/records/serialize.ts';
import type { Transactions } from '../../store/transactions.ts';
import { AccountError } from '../account-error.ts';
import { parseEmail, parseFormEmail, parseFormPassword, unknownAccountFailure } from '../account-input.ts';
import { regionPrefix } from '../address-prefixes.ts';
import type { Passwords } from '../passwords.ts';
import type { Throttle } from '../throttle.ts';
import { attemptThrottleKeys, mailThrottleKeys, resetThrottleKeys } from '../throttle-rules.ts';
import type { OneTimeLinks } from './one-time-links.ts';

/** A link as the terminal and the console show it. `path` is below the address of the account pages. */
export type ResetLink = { email: string; path: string; expires_at: string };
/** A link to be mailed. */
export type MailedLink = { account: string; email: string; path: string };

const resetLifetimeMs = 3_600_000;
const resetPath = (token: string): string => `/account/reset/${token}`;
/** The payload of a link that was mailed: using it proves that the owner receives mail there. */
const mailed = 'mailed';

export type PasswordResetDependencies = {
  transactions: Transactions;
  accounts: AccountStore;
  states: AccountStateStore;
  sessions: SessionStore;
  links: OneTimeLinks;
  passwords: Passwords;
  throttle: Throttle;
  audit: AuditLog;
  clock: Clock;
};

export class PasswordResets {
  readonly #parts: PasswordResetDependencies;

  constructor(parts: PasswordResetDependencies) {
    this.#parts = parts;
  }

  /** Creates a link for an operator to pass on. Fails without an account, and for a suspended one. */
  async create(input: string, actor: Actor): Promise<ResetLink> {
    const { transactions, states, links, audit, clock } = this.#parts;
    const email = parseEmail(input);
    const issued = await transactions.writeDurably(() => {
      const row = states.byEmail(email);
      if (row === undefined) throw unknownAccountFailure(email);
      if (row.suspended_ts !== null)
        throw new Failure(`${email} is suspended. End the suspension first, then create the link.`);
      audit.add({
        createdTs: clock.now(),
        actor,
        action: 'account.reset-link',
        subjectKind: 'account',
        subject: row.id,
        recordId: null,
        details: { email },
      });
      return links.issue('reset', row.id, null, resetLifetimeMs);
    });
    return { email, path: resetPath(issued.token), expires_at: formatUtc(issued.expiresTs) };
  }

  /**
   * Counts a request for a mailed link, and returns the folded email. Rejects with an `AccountError`: `email` (invalid),
   * `slow` (too many requests). It does not look for the account, so the response cannot depend on it.
   */
  async countRequest(email: string, address: string): Promise<string> {
    const folded = parseFormEmail(email);
    const { allOf, anyOf } = resetThrottleKeys(address);
    await this.#parts.throttle.consume(allOf, anyOf);
    return folded;
  }

  /**
   * Creates the link of a mail. Null if there is no account with this email, if it is suspended, or if the address got
   * too many mails. Call it after the response, which must not wait for it.
   */
  async issueMailed(email: string): Promise<MailedLink | null> {
    const { transactions, states, links, throttle } = this.#parts;
    return transactions.writeDurably(() => {
      if (throttle.tryConsume(mailThrottleKeys(email)) > 0) return null;
      const row = states.byEmail(email);
      if (row === undefined || row.suspended_ts !== null) return null;
      const { token } = links.issue('reset', row.id, mailed, resetLifetimeMs);
      return { account: row.id, email, path: resetPath(token) };
    });
  }

  /** Returns the email of the account that a link belongs to; null if the link is not valid any more. */
  async find(token: string): Promise<string | null> {
    const { transactions, states, links } = this.#parts;
    const link = await transactions.read(() => links.find('reset', token));
    if (link?.accountId == null) return null;
    const { accountId } = link;
    const row = await transactions.read(() => states.byId(accountId));
    return row === undefined || row.suspended_ts !== null ? null : row.email;
  }

  /**
   * Sets a new password and ends all sessions of the account. Rejects with an `AccountError`: `password` (refused; the
   * link stays valid), `link` (not valid any more), `slow`.
   * @returns the id of the account
   */
  async use(token: string, password: string, address: string): Promise<string> {
    const { transactions, passwords, throttle } = this.#parts;
    const toll = attemptThrottleKeys(address);
    await throttle.consume(toll);
    const email = await this.find(token);
    if (email === null) throw voidLink();
    await throttle.refund(toll);
    const chosen = parseFormPassword(password, email);
    const hash = await passwords.hash(chosen, regionPrefix(address));
    const row = await transactions.writeDurably(() => this.#apply(token, hash));
    if (row === null) throw voidLink();
    return row.id;
  }

  /** Takes the link and sets the password, within a write transaction; null if the link is void. */
  #apply(token: string, hash: string): AccountStateRow | null {
    const { accounts, states, sessions, links, clock } = this.#parts;
    const link = links.take('reset', token);
    const row = link?.accountId == null ? undefined : states.byId(link.accountId);
    if (row === undefined || row.suspended_ts !== null) return null;
    accounts.setPassword(row.email, hash);
    sessions.deleteOthers(row.id, '');
    if (link?.payload === mailed) states.setVerified(row.id, clock.now());
    return row;
  }
}

const voidLink = (): AccountError =>
  new AccountError('link', 'This link was used, replaced by a newer one, or is more than an hour old.');
