/** Which plans may read the change feed and the exports. */
import type { Clock } from '../clock.ts';
import { type Plan, planNames } from '../contract/plans.ts';
import type { Actor } from '../contract/roles.ts';
import type { AccountAuditLog } from '../store/access/account-audit-log.ts';
import type { AccountStore } from '../store/access/accounts.ts';
import type { ExportPlanStore } from '../store/access/export-plans.ts';
import type { Engine } from '../store/engine/engine.ts';
import { parsePlan } from './account-input.ts';
import type { Credential } from './credential.ts';

type Dependencies = {
  engine: Engine;
  accounts: AccountStore;
  store: ExportPlanStore;
  audit: AccountAuditLog;
  clock: Clock;
};

export class ExportPermission {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** Whether the account of a credential may read the change feed and the exports. */
  allows(credential: Credential): Promise<boolean> {
    const { engine, accounts, store } = this.#parts;
    return engine.read(async (tx) => {
      const plan = (await accounts.byId(tx, credential.account))?.plan;
      return plan !== undefined && (await store.plans(tx)).includes(plan);
    });
  }

  /** The plans that may. */
  plans(): Promise<Plan[]> {
    return this.#parts.engine.read((tx) => this.#parts.store.plans(tx));
  }

  /** Allows or denies a plan. Holds from the next request on in every process. */
  async set(plan: string, isAllowed: boolean, actor?: Actor): Promise<void> {
    const { engine, store, audit, clock } = this.#parts;
    const name = parsePlan(plan);
    await engine.writeDurably(async (tx) => {
      const before = await store.plans(tx);
      if (before.includes(name) === isAllowed) return;
      await store.set(
        tx,
        planNames.filter((one) => (one === name ? isAllowed : before.includes(one))),
      );
      if (actor === undefined) return;
      await audit.add(tx, {
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
