/**
 * Creates and deletes accounts. Deleting an account does not reset its quota: the usage of the month is stored under a
 * digest of the email, and a new account with that email in the same month continues from there.
 */

import type { Plan } from '../contract/plans.ts';
import type { AccountRow } from '../store/access/accounts.ts';
import type { Tx } from '../store/engine/engine.ts';
import { generateId } from './api-key-format.ts';
import type { Base } from './parts.ts';
import { usagePeriodAt } from './usage-period.ts';

/** Call all methods within a write transaction. */
export class AccountLifecycle {
  readonly #parts: Base;

  constructor(parts: Base) {
    this.#parts = parts;
  }

  /** Creates an account, and deletes the pending one of this email; null if the email has an account. */
  async insert(tx: Tx, email: string, plan: Plan, passwordHash: string | null): Promise<AccountRow | null> {
    const now = this.#parts.clock.now();
    const id = generateId('acc');
    const inserted = await this.#parts.accounts.insert(tx, {
      id,
      email,
      plan,
      password_hash: passwordHash,
      created_ts: now,
    });
    if (!inserted) return null;
    await this.#parts.pending.delete(tx, email);
    const { month } = usagePeriodAt(now);
    await this.#parts.usage.restoreFormer(tx, this.#digest(email, month), id, month);
    return (await this.#parts.accounts.byId(tx, id)) as AccountRow;
  }

  /** Deletes an account with all its data. The audit log keeps its id in place of its email. */
  async delete(tx: Tx, { id, email }: Pick<AccountRow, 'id' | 'email'>): Promise<void> {
    const { month } = usagePeriodAt(this.#parts.clock.now());
    await this.#parts.usage.pruneFormer(tx, month);
    const used = await this.#parts.accounts.usedInMonth(tx, id, month);
    if (used > 0) await this.#parts.usage.saveFormer(tx, { digest: this.#digest(email, month), month, used });
    await this.#parts.audit.renameActor(tx, `account:${email}`, `account:${id}`);
    await this.#parts.accounts.delete(tx, email);
  }

  #digest(email: string, month: string): string {
    return this.#parts.secret.digest('former usage', email, month);
  }
}
