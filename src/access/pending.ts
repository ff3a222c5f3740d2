/**
 * Accounts that wait for the operator (serve --registration approval). They are no accounts yet: whoever asked cannot
 * sign in, has no key and no quota. An answer to a sign-up never says whether the email has an account or waits already;
 * a service that sends mail can answer every sign-up like this.
 */
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import type { AccountRow, AccountStore } from '../store/accounts.ts';
import type { PendingRow, PendingStore } from '../store/pending-accounts.ts';
import { utc } from '../store/show.ts';
import type { Transactions } from '../store/transactions.ts';
import { type Account, showAccount } from './accounts.ts';
import { emailOf, passwordOf, readEmail } from './input.ts';
import type { Membership } from './membership.ts';
import { region } from './network.ts';
import type { Passwords } from './passwords.ts';
import { Refusal } from './refusal.ts';
import { signUpToll } from './rules.ts';
import type { Throttle } from './throttle.ts';

/** A request as the terminal shows it. */
export type PendingSummary = { email: string; address: string; requested_at: string; expires_at: string };

const dayMs = 86_400_000;
/** How long a request waits before it is forgotten (ms), and how many wait at most. */
const waitMs = 30 * dayMs;
const maxPending = 1_000;

type Parts = {
  transactions: Transactions;
  pending: PendingStore;
  accounts: AccountStore;
  membership: Membership;
  passwords: Passwords;
  throttle: Throttle;
  clock: Clock;
};

export class PendingAccounts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Asks for an account. Ends the same way, after the same work, where the email has an account or waits already: then
   * nothing is changed. Rejects with a `Refusal`: `email`, `password` (cannot be used), `slow` (too many tries, or
   * too many wait already).
   */
  async request(email: string, password: string, address: string): Promise<void> {
    const { transactions, pending, accounts, passwords, throttle, clock } = this.#parts;
    const folded = emailOf(email);
    const chosen = passwordOf(password, folded);
    const toll = signUpToll(address);
    await throttle.book(toll.every, toll.oneOf);
    const password_hash = await passwords.hash(chosen, region(address));
    const isFull = await transactions.write(() => {
      if (accounts.byEmail(folded) !== undefined || pending.byEmail(folded) !== undefined) return false;
      const now = clock.now();
      pending.prune(now - waitMs);
      pending.insert({ email: folded, password_hash, address, region: region(address), created_ts: now });
      pending.trim(maxPending);
      return pending.byEmail(folded) === undefined;
    });
    if (isFull) {
      throw new Refusal(
        'slow',
        'Too many people wait for an account here. Try again tomorrow.',
        dayMs / 1000,
      );
    }
  }

  /** All that wait, the one that waits longest first. */
  async list(): Promise<PendingSummary[]> {
    const { transactions, pending, clock } = this.#parts;
    const rows = await transactions.read(() => pending.all());
    const now = clock.now();
    return rows.filter((row) => now - row.created_ts <= waitMs).map(summarize);
  }

  /** The request of this email; null where nobody with it waits. */
  async find(given: string): Promise<PendingSummary | null> {
    const email = readEmail(given);
    return (await this.list()).find((request) => request.email === email) ?? null;
  }

  /** Admits one: from now on it is an account on the Free plan, with the password that was chosen. */
  async approve(given: string): Promise<Account> {
    const { transactions, accounts, membership } = this.#parts;
    const email = readEmail(given);
    const row = await transactions.write(() => {
      const { password_hash } = this.#take(email);
      return membership.insert(email, 'free', password_hash) ?? (accounts.byEmail(email) as AccountRow);
    });
    return showAccount(row);
  }

  /** Turns one down; nothing of it is kept. Gives what it was. */
  async reject(given: string): Promise<PendingSummary> {
    const email = readEmail(given);
    return this.#parts.transactions.write(() => summarize(this.#take(email)));
  }

  /** Forgets those that waited too long; within a write transaction. */
  prune(): void {
    const { pending, clock } = this.#parts;
    pending.prune(clock.now() - waitMs);
  }

  /** Removes a request and gives it, within a write transaction; throws where nobody with this email waits. */
  #take(email: string): PendingRow {
    const { pending, accounts, clock } = this.#parts;
    const row = pending.byEmail(email);
    if (row !== undefined && clock.now() - row.created_ts <= waitMs) {
      pending.delete(email);
      return row;
    }
    const hasAccount = accounts.byEmail(email) !== undefined;
    throw new Failure(
      hasAccount
        ? `${email} has an account already. \`cratebase accounts show ${email}\` shows it.`
        : `No request for an account by ${email}. \`cratebase accounts list --pending\` shows all.`,
    );
  }
}

const summarize = ({ email, address, created_ts }: PendingRow): PendingSummary => ({
  email,
  address,
  requested_at: utc(created_ts),
  expires_at: utc(created_ts + waitMs),
});
