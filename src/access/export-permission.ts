/** Which plans may read the change feed and the exports. */
import type { Clock } from '../clock.ts';
import { type Plan, planNames } from '../contract/plans.ts';
import type { Actor } from '../contract/roles.ts';
import type { AccountStore } from '../store/access/accounts.ts';
import type { ExportPlanStore } from '../store/access/export-plans.ts';
import type { AuditLog } from '../store/audit-log.ts';
import type { Transactions } from '../store/transactions.ts';
import { parsePlan } from './account-input.ts';
import type { Credential } from './credential.ts';

type Dependencies = {
  transactions: Transactions;
  accounts: AccountStore;
  store: ExportPlanStore;
  audit: AuditLog;
  clock: Clock;
};

export class ExportPermission {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** Whether the account of a credential may read the change feed and the exports. */
  allows(credential: Credential): Promise<boolean> {
    const { transactions, accounts, store } = this.#parts;
    return transactions.read(() => {
      const plan = accounts.byId(credential.account)?.plan;
      return plan !== undefined && store.plans().includes(plan);
    });
  }

  /** The plans that may. */
  plans(): Promise<Plan[]> {
    return this.#parts.transactions.read(() => this.#parts.store.plans());
  }

  /** Allows or denies a plan. Holds from the next request on in every process. */
  async set(plan: string, isAllowed: boolean, actor?: Actor): Promise<void> {
    const { transactions, store, audit, clock } = this.#parts;
    const name = parsePlan(plan);
    await transactions.writeDurably(() => {
      const before = store.plans();
      if (before.includes(name) === isAllowed) return;
      store.set(planNames.filter((one) => (one === name ? isAllowed : before.includes(one))));
      if (actor === undefined) return;
      audit.add({
        createdTs: clock.now(),
        actor,
        action: 'plan.exports',
        subjectKind: 'plan',
        subject: name,
        recordId: null,
        details: { before: { exports: !isAllowed }, after: { exports: isAllowed } },
      });
    });
  }
}
