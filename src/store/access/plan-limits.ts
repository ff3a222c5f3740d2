/** Stores the limits of plans that an operator set. */
import type Database from 'better-sqlite3';
import type { PlanChange } from '../../contract/plans.ts';
import { readSetting, writeSetting } from '../database.ts';
import { type PreparedStatement, prepare, query } from '../statement.ts';

/** Rises with each change, so that processes notice one by reading a single row. */
export const planLimitsVersionKey = 'plan_limits_version';

type Subject = Pick<PlanChange, 'plan' | 'effectiveTs'>;

export class PlanLimitStore {
  readonly #sqlite: Database.Database;
  readonly #version: PreparedStatement<Record<never, never>, { value: string }>;
  readonly #all: PreparedStatement<Record<never, never>, PlanChange>;
  readonly #set: PreparedStatement<PlanChange, never>;
  readonly #delete: PreparedStatement<Subject, never>;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#version = prepare(sqlite, () =>
      query.selectFrom('settings').select('value').where('key', '=', planLimitsVersionKey),
    );
    this.#all = prepare(sqlite, () =>
      query
        .selectFrom('plan_limits')
        .select(['plan', 'note', 'window_limit as window', 'quota_limit as quota'])
        .select(['effective_ts as effectiveTs', 'created_ts as createdTs'])
        .orderBy('effective_ts')
        .orderBy('plan'),
    );
    this.#set = prepare(sqlite, (p) =>
      query.replaceInto('plan_limits').values({
        plan: p.plan,
        effective_ts: p.effectiveTs,
        window_limit: p.window,
        quota_limit: p.quota,
        note: p.note,
        created_ts: p.createdTs,
      }),
    );
    this.#delete = prepare(sqlite, (p) =>
      query.deleteFrom('plan_limits').where('plan', '=', p.plan).where('effective_ts', '=', p.effectiveTs),
    );
  }

  /** The version of the limits; it differs after every change. */
  version(): string {
    return this.#version.get({})?.value ?? '';
  }

  /** All changes, the earliest first. */
  all(): PlanChange[] {
    return this.#all.all({});
  }

  /** Sets the limits of a plan from a time on, within a write transaction. */
  set(change: PlanChange): void {
    this.#set.run(change);
    this.#raiseVersion();
  }

  /** Removes the change of a plan at a time, within a write transaction. */
  delete(subject: Subject): void {
    this.#delete.run(subject);
    this.#raiseVersion();
  }

  #raiseVersion(): void {
    const version = Number(readSetting(this.#sqlite, planLimitsVersionKey) ?? 0) + 1;
    writeSetting(this.#sqlite, planLimitsVersionKey, String(version));
  }
}
