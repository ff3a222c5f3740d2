/**
 * Accounts coming and going. Deleting an account is no way around its quota: what it used of the month is kept under a
 * digest of its email, and an account made anew in that month goes on from there.
 */
import type { Clock } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { AccountRow, AccountStore } from '../store/access/accounts.ts';
import type { PendingAccountStore } from '../store/access/pending-accounts.ts';
import type { UsageStore } from '../store/access/usage.ts';
import { generateId } from './api-key-format.ts';
import type { InstanceSecret } from './instance-secret.ts';
import { usagePeriodAt } from './usage-period.ts';

type AccountLifecycleDependencies = {
  accounts: AccountStore;
  pending: PendingAccountStore;
  usage: UsageStore;
  clock: Clock;
  secret: InstanceSecret;
};

/** Everything here is to be called within a write transaction. */
export class AccountLifecycle {
  readonly #accounts: AccountStore;
  readonly #pending: PendingAccountStore;
  readonly #usage: UsageStore;
  readonly #clock: Clock;
  readonly #secret: InstanceSecret;

  constructor({ accounts, pending, usage, clock, secret }: AccountLifecycleDependencies) {
    this.#accounts = accounts;
    this.#pending = pending;
    this.#usage = usage;
    this.#clock = clock;
    this.#secret = secret;
  }

  /** The new account; null where the email has one. A request for one with this email is settled by it. */
  insert(email: string, plan: Plan, passwordHash: string | null): AccountRow | null {
    const now = this.#clock.now();
    const id = generateId('acc');
    const made = this.#accounts.insert({ id, email, plan, password_hash: passwordHash, created_ts: now });
    if (!made) return null;
    this.#pending.delete(email);
    const { month } = usagePeriodAt(now);
    this.#usage.restoreFormer(this.#digest(email, month), id, month);
    return this.#accounts.byId(id) as AccountRow;
  }

  /** Deletes all there is of the account. */
  delete({ id, email }: Pick<AccountRow, 'id' | 'email'>): void {
    const { month } = usagePeriodAt(this.#clock.now());
    this.#usage.pruneFormer(month);
    const used = this.#accounts.usedInMonth(id, month);
    if (used > 0) this.#usage.saveFormer({ digest: this.#digest(email, month), month, used });
    this.#accounts.delete(email);
  }

  #digest(email: string, month: string): string {
    return this.#secret.digest('former usage', email, month);
  }
}
