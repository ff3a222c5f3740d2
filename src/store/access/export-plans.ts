/** Stores which plans may read the change feed and the exports. */
import type Database from 'better-sqlite3';
import { type Plan, planNames } from '../../contract/plans.ts';
import { readSetting, writeSetting } from '../database.ts';

const key = 'export_plans';
/** The plans that may unless an operator sets others. */
const defaultPlans: readonly Plan[] = ['premium', 'pro'];

export class ExportPlanStore {
  readonly #sqlite: Database.Database;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  plans(): Plan[] {
    const text = readSetting(this.#sqlite, key);
    if (text === null) return [...defaultPlans];
    const names = JSON.parse(text) as string[];
    return planNames.filter((plan) => names.includes(plan));
  }

  /** Sets the plans, within a write transaction. */
  set(plans: readonly Plan[]): void {
    writeSetting(this.#sqlite, key, JSON.stringify(plans));
  }
}
