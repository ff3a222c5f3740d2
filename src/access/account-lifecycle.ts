/**
 * Creates and deletes accounts. Deleting an account does not reset its quota: the usage of the month is stored under a
 * digest of the email, and a new account with that email in the same month continues from there.
 */
import type { Clock } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { AccountRow, AccountStore } from '../store/access/accounts.ts';
import type { PendingAccountStore } from '../store/access/pending-accounts.ts';
import type { UsageStore } from '../store/access/usage.ts';
import type { AuditLog } from '../store/audit-log.ts';
import { generateId } from './api-key-format.ts';
import type { InstanceSecret } from './instance-secret.ts';
import { usagePeriodAt } from './usage-period.ts';

type AccountLifecycleDependencies = {
  accounts: AccountStore;
  pending: PendingAccountStore;
  usage: UsageStore;
  audit: AuditLog;
  clock: Clock;
  secret: InstanceSecret;
};

/** Call all methods within a write transaction. */
export class AccountLifecycle {
  readonly #accounts: AccountStore;
  readonly #pending: PendingAccountStore;
  readonly #usage: UsageStore;
  readonly #audit: AuditLog;
  readonly #clock: Clock;
  readonly #secret: InstanceSecret;

  constructor({ accounts, pending, usage, audit, clock, secret }: AccountLifecycleDependencies) {
    this.#accounts = accounts;
    this.#pending = pending;
    this.#usage = usage;
    this.#audit = audit;
    this.#clock = clock;
    this.#secret = secret;
  }

  /** Creates an account, and deletes the pending one of this email; null if the email has an account. */
  insert(email: string, plan: Plan, passwordHash: string | null): AccountRow | null {
    const now = this.#clock.now();
    const id = generateId('acc');
    const inserted = this.#accounts.insert({ id, email, plan, password_hash: passwordHash, created_ts: now });
    if (!inserted) return null;
    this.#pending.delete(email);
    const { month } = usagePeriodAt(now);
    this.#usage.restoreFormer(this.#digest(email, month), id, month);
    return this.#accounts.byId(id) as AccountRow;
  }

  /** Deletes an account with all its data. The audit log keeps its id in place of its email. */
  delete({ id, email }: Pick<AccountRow, 'id' | 'email'>): void {
    const { month } = usagePeriodAt(this.#clock.now());
    this.#usage.pruneFormer(month);
    const used = this.#accounts.usedInMonth(id, month);
    if (used > 0) this.#usage.saveFormer({ digest: this.#digest(email, month), month, used });
    this.#audit.renameActor(`account:${email}`, `account:${id}`);
    this.#accounts.delete(email);
  }

  #digest(email: string, month: string): string {
    return this.#secret.digest('former usage', email, month);
  }
}
