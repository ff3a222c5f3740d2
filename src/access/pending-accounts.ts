/**
 * Sign-ups that wait for the operator's approval (serve --registration approval). They are not accounts yet: no
 * sign-in, no keys, no quota. The response to a sign-up never reveals whether the email already has an account or a
 * request.
 */
import { dayMs, formatUtc } from '../clock.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import type { AccountRow } from '../store/access/accounts.ts';
import type { PendingAccountRow } from '../store/access/pending-accounts.ts';
import type { Tx } from '../store/engine/engine.ts';
import { AccountError } from './account-error.ts';
import { parseEmail, parseFormEmail, parseFormPassword } from './account-input.ts';
import { type Account, toAccount } from './account-summaries.ts';
import { regionPrefix } from './address-prefixes.ts';
import { record } from './parts.ts';
import type { Services } from './services.ts';
import { signUpThrottleKeys } from './throttle-rules.ts';

/** A pending request, as the terminal shows it. */
export type PendingAccountSummary = {
  email: string;
  address: string;
  requested_at: string;
  expires_at: string;
};

/** How long a request is kept (ms), and the maximum number of requests. */
const maxWaitMs = 30 * dayMs;
const maxPending = 1_000;
/** The hash of a request without a password, of a person who signs in by an OpenID provider. */
const noPassword = '';

/**
 * Adds, lists, approves and rejects requests for accounts. Approving and rejecting throw a `Failure` if there is no
 * request of this email.
 */
export class PendingAccounts {
  readonly #parts: Services;

  constructor(parts: Services) {
    this.#parts = parts;
  }

  /**
   * Requests an account. If the email already has an account or a request, nothing changes, but the response and the
   * work are the same. Rejects with an `AccountError`: `email`, `password` (invalid), `slow` (too many attempts or
   * pending requests).
   */
  async request(email: string, password: string, address: string): Promise<void> {
    const { engine, pending, accounts, passwords, throttle, clock } = this.#parts;
    const foldedEmail = parseFormEmail(email);
    const newPassword = parseFormPassword(password, foldedEmail);
    const throttleKeys = signUpThrottleKeys(address);
    await throttle.consume(throttleKeys.allOf, throttleKeys.anyOf);
    const password_hash = await passwords.hash(newPassword, regionPrefix(address));
    await engine.writeDurably(async (tx) => {
      // An expired request of this email must not hide the new one.
      await this.prune(tx);
      if (
        (await accounts.byEmail(tx, foldedEmail)) !== undefined ||
        (await pending.byEmail(tx, foldedEmail)) !== undefined
      )
        return;
      await this.#insert(tx, {
        email: foldedEmail,
        password_hash,
        address,
        region: regionPrefix(address),
        created_ts: clock.now(),
      });
    });
  }

  /**
   * Adds the request of a person who proved to receive mail at the address, within a write transaction. An earlier
   * request, which may be a stranger's, is replaced. Rejects with an `AccountError`: `slow` (too many pending requests).
   * @param passwordHash null: the account will have no password
   */
  async replace(tx: Tx, email: string, passwordHash: string | null, address: string): Promise<void> {
    const { pending, clock } = this.#parts;
    await this.prune(tx);
    await pending.delete(tx, email);
    await this.#insert(tx, {
      email,
      password_hash: passwordHash ?? noPassword,
      address,
      region: regionPrefix(address),
      created_ts: clock.now(),
    });
  }

  /** Returns all pending requests, oldest first. */
  async list(): Promise<PendingAccountSummary[]> {
    const { engine, pending, clock } = this.#parts;
    const rows = await engine.read((tx) => pending.all(tx));
    const now = clock.now();
    return rows.filter((row) => now - row.created_ts <= maxWaitMs).map(toPendingAccountSummary);
  }

  /** Returns the request of this email, or null. */
  async find(input: string): Promise<PendingAccountSummary | null> {
    const email = parseEmail(input);
    return (await this.list()).find((request) => request.email === email) ?? null;
  }

  /** Approves a request: creates an account on the Free plan with the chosen password. */
  async approve(input: string, actor?: Actor): Promise<Account> {
    const { engine, accounts, lifecycle } = this.#parts;
    const email = parseEmail(input);
    const row = await engine.writeDurably(async (tx) => {
      const { password_hash } = await this.#take(tx, email);
      const account =
        (await lifecycle.insert(tx, email, 'free', password_hash || null)) ??
        ((await accounts.byEmail(tx, email)) as AccountRow);
      await record(this.#parts, tx, actor, { action: 'account.approve', subject: account.id });
      return account;
    });
    return toAccount(row);
  }

  /** Rejects and deletes a request, and returns it. */
  async reject(input: string, actor?: Actor): Promise<PendingAccountSummary> {
    const email = parseEmail(input);
    return this.#parts.engine.writeDurably(async (tx) => {
      const request = await this.#take(tx, email);
      await record(this.#parts, tx, actor, { action: 'account.reject', subject: 'request' });
      return toPendingAccountSummary(request);
    });
  }

  /** Deletes expired requests, within a write transaction. */
  async prune(tx: Tx): Promise<void> {
    const { pending, clock } = this.#parts;
    await pending.prune(tx, clock.now() - maxWaitMs);
  }

  /** Inserts a request. Throws an `AccountError` (`slow`), which rolls it back, if too many wait and it is the one to go. */
  async #insert(tx: Tx, row: PendingAccountRow): Promise<void> {
    const { pending } = this.#parts;
    await pending.insert(tx, row);
    await pending.trim(tx, maxPending);
    if ((await pending.byEmail(tx, row.email)) !== undefined) return;
    throw new AccountError('slow', 'Too many people wait for an account here. Try again tomorrow.', {
      code: 'slow_waiting_list',
      retryAfter: dayMs / 1000,
    });
  }

  /** Removes and returns a request, within a write transaction. Throws if there is none for this email. */
  async #take(tx: Tx, email: string): Promise<PendingAccountRow> {
    const { pending, accounts, clock } = this.#parts;
    const row = await pending.byEmail(tx, email);
    if (row !== undefined && clock.now() - row.created_ts <= maxWaitMs) {
      await pending.delete(tx, email);
      return row;
    }
    const hasAccount = (await accounts.byEmail(tx, email)) !== undefined;
    throw new Failure(
      hasAccount
        ? `${email} has an account already. \`cratebase accounts show ${email}\` shows it.`
        : `No request for an account by ${email}. \`cratebase accounts list --pending\` shows all.`,
    );
  }
}

const toPendingAccountSummary = ({
  email,
  address,
  created_ts,
}: PendingAccountRow): PendingAccountSummary => ({
  email,
  address,
  requested_at: formatUtc(created_ts),
  expires_at: formatUtc(created_ts + maxWaitMs),
});
