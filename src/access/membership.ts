/**
 * Accounts coming and going. Deleting an account is no way around its quota: what it used of the month is kept under a
 * digest of its email, and an account made anew in that month goes on from there.
 */
import type { Clock } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { AccountRow, AccountStore } from '../store/accounts.ts';
import type { PendingStore } from '../store/pending-accounts.ts';
import type { UsageStore } from '../store/usage.ts';
import { randomId } from './key-format.ts';
import { periodOf } from './period.ts';
import type { FileSecret } from './secret.ts';

type MembershipParts = {
  accounts: AccountStore;
  pending: PendingStore;
  usage: UsageStore;
  clock: Clock;
  secret: FileSecret;
};

/** Everything here is to be called within a write transaction. */
export class Membership {
  readonly #accounts: AccountStore;
  readonly #pending: PendingStore;
  readonly #usage: UsageStore;
  readonly #clock: Clock;
  readonly #secret: FileSecret;

  constructor({ accounts, pending, usage, clock, secret }: MembershipParts) {
    this.#accounts = accounts;
    this.#pending = pending;
    this.#usage = usage;
    this.#clock = clock;
    this.#secret = secret;
  }

  /** The new account; null where the email has one. A request for one with this email is settled by it. */
  insert(email: string, plan: Plan, passwordHash: string | null): AccountRow | null {
    const now = this.#clock.now();
    const id = randomId('acc');
    const made = this.#accounts.insert({ id, email, plan, password_hash: passwordHash, created_ts: now });
    if (!made) return null;
    this.#pending.delete(email);
    const { month } = periodOf(now);
    this.#usage.restoreFormer(this.#digest(email, month), id, month);
    return this.#accounts.byId(id) as AccountRow;
  }

  /** Deletes all there is of the account. */
  delete({ id, email }: Pick<AccountRow, 'id' | 'email'>): void {
    const { month } = periodOf(this.#clock.now());
    this.#usage.pruneFormer(month);
    const used = this.#accounts.used(id, month);
    if (used > 0) this.#usage.keepFormer({ digest: this.#digest(email, month), month, used });
    this.#accounts.delete(email);
  }

  #digest(email: string, month: string): string {
    return this.#secret.digest('former usage', email, month);
  }
}
