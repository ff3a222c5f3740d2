/** Stores the limits of plans that an operator set. */
import type { PlanChange } from '../../contract/plans.ts';
import type { Tx } from '../engine/engine.ts';
import { excluded, execute, query, selectAll } from '../engine/statement.ts';
import { AccessSettingStore } from './settings.ts';

/** Rises with each change, so that processes notice one by reading a single row. */
export const planLimitsVersionKey = 'plan_limits_version';

type Subject = Pick<PlanChange, 'plan' | 'effectiveTs'>;

/** Selects all changes, the earliest first. */
export const planChanges = query
  .selectFrom('plan_limits')
  .select(['plan', 'note', 'window_limit as window', 'quota_limit as quota'])
  .select(['effective_ts as effectiveTs', 'created_ts as createdTs'])
  .orderBy('effective_ts')
  .orderBy('plan');

/**
 * Stores the changes of the limits of plans, each of which takes effect at its own time. A second change of a plan for
 * the same time replaces the first.
 */
export class PlanLimitStore {
  readonly #settings = new AccessSettingStore();
  /** All changes, the earliest first. */
  readonly all = selectAll<[], PlanChange>(() => planChanges);
  readonly #set = execute<[limits: PlanChange]>((limits) =>
    query
      .insertInto('plan_limits')
      .values({
        plan: limits.plan,
        effective_ts: limits.effectiveTs,
        window_limit: limits.window,
        quota_limit: limits.quota,
        note: limits.note,
        created_ts: limits.createdTs,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['plan', 'effective_ts'])
          .doUpdateSet(excluded('window_limit', 'quota_limit', 'note', 'created_ts')),
      ),
  );
  readonly #delete = execute<[subject: Subject]>((subject) =>
    query
      .deleteFrom('plan_limits')
      .where('plan', '=', subject.plan)
      .where('effective_ts', '=', subject.effectiveTs),
  );

  /** The version of the limits; it differs after every change. */
  async version(tx: Tx): Promise<string> {
    return (await this.#settings.read(tx, planLimitsVersionKey)) ?? '';
  }

  /** Sets the limits of a plan from a time on, within a write transaction. */
  async set(tx: Tx, limits: PlanChange): Promise<void> {
    await this.#set(tx, limits);
    await this.#raiseVersion(tx);
  }

  /** Removes the change of a plan at a time, within a write transaction. */
  async delete(tx: Tx, subject: Subject): Promise<void> {
    await this.#delete(tx, subject);
    await this.#raiseVersion(tx);
  }

  async #raiseVersion(tx: Tx): Promise<void> {
    const version = Number((await this.#settings.read(tx, planLimitsVersionKey)) ?? 0) + 1;
    await this.#settings.write(tx, planLimitsVersionKey, String(version));
  }
}
