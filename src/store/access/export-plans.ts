/** Stores which plans may read the change feed and the exports. */
import { type Plan, planNames } from '../../contract/plans.ts';
import type { Tx } from '../engine/engine.ts';
import { AccessSettingStore } from './settings.ts';

const key = 'export_plans';
/** The plans that may unless an operator sets others. */
const defaultPlans: readonly Plan[] = ['premium', 'pro'];

/** Stores the plans that may read the change feed and the exports; `premium` and `pro` until an operator sets others. */
export class ExportPlanStore {
  readonly #settings = new AccessSettingStore();

  /** The plans in the order of `planNames`. Stored names that are no plan now are left out. */
  async plans(tx: Tx): Promise<Plan[]> {
    const text = await this.#settings.read(tx, key);
    if (text === undefined) return [...defaultPlans];
    const names = JSON.parse(text) as string[];
    return planNames.filter((plan) => names.includes(plan));
  }

  /** Sets the plans, within a write transaction. */
  async set(tx: Tx, plans: readonly Plan[]): Promise<void> {
    await this.#settings.write(tx, key, JSON.stringify(plans));
  }
}
