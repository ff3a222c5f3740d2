/** Which plans may read the change feed and the exports. */
import { type Plan, planNames } from '../contract/plans.ts';
import type { Actor } from '../contract/roles.ts';
import { parsePlan } from './account-input.ts';
import type { Credential } from './credential.ts';
import { type Base, record } from './parts.ts';

/** The plans whose accounts may read the change feed and the exports. Each call reads the stored list. */
export class ExportPermission {
  readonly #parts: Base;

  constructor(parts: Base) {
    this.#parts = parts;
  }

  /** Whether the account of a credential may read the change feed and the exports. */
  allows(credential: Credential): Promise<boolean> {
    const { engine, accounts, exportPlans } = this.#parts;
    return engine.read(async (tx) => {
      const plan = (await accounts.byId(tx, credential.account))?.plan;
      return plan !== undefined && (await exportPlans.plans(tx)).includes(plan);
    });
  }

  /** The plans that may. */
  plans(): Promise<Plan[]> {
    return this.#parts.engine.read((tx) => this.#parts.exportPlans.plans(tx));
  }

  /** Allows or denies a plan. Holds from the next request on in every process. */
  async set(plan: string, isAllowed: boolean, actor?: Actor): Promise<void> {
    const { engine, exportPlans } = this.#parts;
    const name = parsePlan(plan);
    await engine.writeDurably(async (tx) => {
      const before = await exportPlans.plans(tx);
      if (before.includes(name) === isAllowed) return;
      await exportPlans.set(
        tx,
        planNames.filter((one) => (one === name ? isAllowed : before.includes(one))),
      );
      await record(this.#parts, tx, actor, {
        action: 'plan.exports',
        subject: name,
        details: { before: { exports: !isAllowed }, after: { exports: isAllowed } },
      });
    });
  }
}
