/**
 * One-time links to set a new password. An operator prints one in the terminal or the console, or the service mails one to
 * the address of the account. A link is valid for an hour and works once; a newer one makes it void.
 */

import { formatUtc } from '../../clock.ts';
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import type { AccountStateRow } from '../../store/access/account-states.ts';
import type { Tx } from '../../store/engine/engine.ts';
import { AccountError } from '../account-error.ts';
import { parseEmail, parseFormEmail, parseFormPassword, unknownAccountFailure } from '../account-input.ts';
import { regionPrefix } from '../address-prefixes.ts';
import { record } from '../parts.ts';
import type { Services } from '../services.ts';
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

type Dependencies = Services & { links: OneTimeLinks };

/** Creates links to set a new password, and sets it with one. */
export class PasswordResets {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** Creates a link for an operator to pass on. Fails without an account, and for a suspended one. */
  async create(input: string, actor: Actor): Promise<ResetLink> {
    const { engine, states, links } = this.#parts;
    const email = parseEmail(input);
    const link = await engine.writeDurably(async (tx) => {
      const row = await states.byEmail(tx, email);
      if (row === undefined) throw unknownAccountFailure(email);
      if (row.suspended_ts !== null)
        throw new Failure(`${email} is suspended. End the suspension first, then create the link.`);
      const entry = { action: 'account.reset-link', subject: row.id, details: { email } };
      await record(this.#parts, tx, actor, entry);
      return await links.issue(tx, 'reset', row.id, null, resetLifetimeMs);
    });
    return { email, path: resetPath(link.token), expires_at: formatUtc(link.expiresTs) };
  }

  /**
   * Counts a request for a mailed link, and returns the folded email. Rejects with an `AccountError`: `email` (invalid),
   * `slow` (too many requests). It does not look for the account, so the response cannot depend on it.
   */
  async countRequest(email: string, address: string): Promise<string> {
    const foldedEmail = parseFormEmail(email);
    const { allOf, anyOf } = resetThrottleKeys(address);
    await this.#parts.throttle.consume(allOf, anyOf);
    return foldedEmail;
  }

  /**
   * Creates the link of a mail. Null if there is no account with this email, if it is suspended, or if the address got
   * too many mails. Call it after the response, which must not wait for it.
   */
  async createLink(email: string): Promise<MailedLink | null> {
    const { engine, states, links, throttle } = this.#parts;
    return engine.writeDurably(async (tx) => {
      if ((await throttle.tryConsume(tx, mailThrottleKeys(email))) > 0) return null;
      const row = await states.byEmail(tx, email);
      if (row === undefined || row.suspended_ts !== null) return null;
      const { token } = await links.issue(tx, 'reset', row.id, mailed, resetLifetimeMs);
      return { account: row.id, email, path: resetPath(token) };
    });
  }

  /** Returns the email of the account that a link belongs to; null if the link is not valid any more. */
  async find(token: string): Promise<string | null> {
    const { engine, states, links } = this.#parts;
    const link = await engine.read((tx) => links.find(tx, 'reset', token));
    if (link?.accountId == null) return null;
    const { accountId } = link;
    const row = await engine.read((tx) => states.byId(tx, accountId));
    return row === undefined || row.suspended_ts !== null ? null : row.email;
  }

  /**
   * Sets a new password and ends all sessions of the account. Rejects with an `AccountError`: `password` (refused; the
   * link stays valid), `link` (not valid any more), `slow`.
   * @returns the id of the account
   */
  async use(token: string, password: string, address: string): Promise<string> {
    const { engine, passwords, throttle } = this.#parts;
    const throttleKeys = attemptThrottleKeys(address);
    await throttle.consume(throttleKeys);
    const email = await this.find(token);
    if (email === null) throw voidLink();
    await throttle.refund(throttleKeys);
    const newPassword = parseFormPassword(password, email);
    const hash = await passwords.hash(newPassword, regionPrefix(address));
    const row = await engine.writeDurably((tx) => this.#apply(tx, token, hash));
    if (row === null) throw voidLink();
    return row.id;
  }

  /** Takes the link and sets the password, within a write transaction; null if the link is void. */
  async #apply(tx: Tx, token: string, hash: string): Promise<AccountStateRow | null> {
    const { accounts, states, sessionStore, links, clock } = this.#parts;
    const link = await links.take(tx, 'reset', token);
    const row = link?.accountId == null ? undefined : await states.byId(tx, link.accountId);
    if (row === undefined || row.suspended_ts !== null) return null;
    await accounts.setPassword(tx, row.email, hash);
    await sessionStore.deleteOthers(tx, row.id, '');
    if (link?.payload === mailed) await states.setVerified(tx, row.id, clock.now());
    return row;
  }
}

const voidLink = (): AccountError =>
  new AccountError('link', 'This link was used, replaced by a newer one, or is more than an hour old.');
