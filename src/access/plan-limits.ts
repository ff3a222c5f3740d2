/**
 * The limits of plans: the defaults, and what an operator set in their place. A process keeps them in memory and reads
 * one row to notice that another process changed them.
 */
import { formatUtc, parseInstant } from '../clock.ts';
import {
  defaultPlansInForce,
  type Limits,
  type Plan,
  type PlanChange,
  type PlansInForce,
  type PlanTable,
  planNames,
  plans,
} from '../contract/plans.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import type { Tx } from '../store/engine/engine.ts';
import { parsePlan } from './account-input.ts';
import { type Base, record } from './parts.ts';
import { checkChange, checkFollowing, limitsAt } from './plan-schedule.ts';

/** A change as the terminal and the console show it. */
export type PlanChangeSummary = Limits & { plan: Plan; from: string; announced_at: string; note: string };
export type PlanSummary = Limits & {
  plan: Plan;
  title: string;
  /** Since when the limits hold; null: they are the default. */
  since: string | null;
  default: Limits;
  upcoming: PlanChangeSummary[];
};
/** Members that are left out stay as they are at that time. */
export type PlanChangeInput = {
  window?: number | undefined;
  quota?: number | undefined;
  /** A date (00:00 UTC) or a timestamp; without it, the change holds at once. */
  from?: string | undefined;
  note?: string | undefined;
};

const usageExitStatus = 2;
const maxLimit = 1e12;
const maxNoteLength = 500;
/** How long pages and documents wait for the limits, in ms. */
const maxPageWaitMs = 250;

/**
 * Reads and changes the limits of the plans. Changes throw a `Failure` for invalid input and for limits that the
 * rules forbid.
 */
export class PlanLimits {
  readonly #parts: Base;
  #version: string | null = null;
  #changes: readonly PlanChange[] = [];
  #inForce: PlansInForce = defaultPlansInForce;
  /** Until when `#inForce` is right, unless other limits are set. */
  #inForceUntil = 0;

  constructor(parts: Base) {
    this.#parts = parts;
  }

  /** Whether the limits in memory are those of a version; then `at` can be called. */
  isCurrent(version: string): boolean {
    return version === this.#version;
  }

  /** Replaces the limits in memory by those of another version, read in the same transaction as the version. */
  adopt(version: string, changes: readonly PlanChange[]): void {
    this.#changes = changes;
    this.#version = version;
    this.#inForceUntil = 0;
  }

  /** Reads the limits again if they were changed; call it before `at`, within the transaction that depends on it. */
  async #refresh(tx: Tx): Promise<void> {
    const version = await this.#parts.limitStore.version(tx);
    if (!this.isCurrent(version)) this.adopt(version, await this.#parts.limitStore.all(tx));
  }

  /** The limits of a plan at a time (ms). */
  at(plan: Plan, now: number): Limits {
    return this.#changes.length === 0 ? plans[plan] : limitsAt(this.#changes, plan, now);
  }

  /** The limits in force, for pages and documents: they do not wait for a PostgreSQL that is away. */
  forPages(): Promise<PlansInForce> {
    return this.inForce(maxPageWaitMs);
  }

  /** The limits in force. The object is the same until they change. If they cannot be read in time, it is the last one known. */
  async inForce(maxWaitMs?: number): Promise<PlansInForce> {
    const { engine, clock } = this.#parts;
    try {
      const refresh = engine.read((tx) => this.#refresh(tx));
      await (maxWaitMs === undefined ? refresh : withTimeout(refresh, maxWaitMs));
    } catch {
      return this.#inForce;
    }
    const now = clock.now();
    if (now < this.#inForceUntil) return this.#inForce;
    const upcoming = this.#changes.filter(({ effectiveTs }) => effectiveTs > now);
    this.#inForce = {
      plans: this.#table(now),
      upcoming,
      announced: this.#changes
        .filter(({ note }) => note !== '')
        .toSorted((one, other) => other.createdTs - one.createdTs),
    };
    this.#inForceUntil = upcoming[0]?.effectiveTs ?? Number.POSITIVE_INFINITY;
    return this.#inForce;
  }

  /** All plans with their limits, the defaults and the changes to come. */
  async list(): Promise<PlanSummary[]> {
    const { plans: table, upcoming } = await this.inForce();
    const now = this.#parts.clock.now();
    return planNames.map((plan) => {
      const since = this.#changes.findLast((one) => one.plan === plan && one.effectiveTs <= now);
      const { title, window, quota } = table[plan];
      return {
        plan,
        title,
        window,
        quota,
        since: since === undefined ? null : formatUtc(since.effectiveTs),
        default: { window: plans[plan].window, quota: plans[plan].quota },
        upcoming: upcoming.filter((one) => one.plan === plan).map(toSummary),
      };
    });
  }

  /**
   * Sets limits of a plan. An increase holds from the next request on in every process, or from a later time. A
   * reduction needs a note and a time at least 14 days ahead (docs/spec/limits.md#changes-of-the-limits).
   */
  async set(plan: string, input: PlanChangeInput, actor?: Actor): Promise<PlanChangeSummary> {
    const { engine, limitStore, clock } = this.#parts;
    const name = parsePlan(plan);
    const note = parseNote(input.note ?? '');
    if (input.window === undefined && input.quota === undefined)
      throw new Failure('Name the new limit: --month, --window, or both.', usageExitStatus, {
        field: 'month',
        code: 'plan_limit',
      });
    const change = await engine.writeDurably(async (tx) => {
      const now = clock.now();
      const effectiveTs = input.from === undefined ? now : parseFrom(input.from, now);
      await this.#refresh(tx);
      const before = this.at(name, effectiveTs);
      const window = parseLimit('window', input.window ?? before.window);
      const quota = parseLimit('month', input.quota ?? before.quota);
      const next = { plan: name, effectiveTs, createdTs: now, window, quota, note };
      const checkedChange = checkChange(this.#changes, next, now);
      await limitStore.set(tx, checkedChange);
      checkFollowing(await limitStore.all(tx), now);
      await this.#record(tx, 'plan.set', checkedChange, before, actor);
      return checkedChange;
    });
    return toSummary(change);
  }

  /** Cancels a change that has not taken effect yet. */
  async cancel(plan: string, from: string, actor?: Actor): Promise<PlanChangeSummary> {
    const { engine, limitStore, clock } = this.#parts;
    const name = parsePlan(plan);
    const effectiveTs = parseInstant(from);
    const change = await engine.writeDurably(async (tx) => {
      const now = clock.now();
      await this.#refresh(tx);
      const target = this.#changes.find(
        (one) => one.plan === name && one.effectiveTs === effectiveTs && one.effectiveTs > now,
      );
      if (target === undefined) {
        throw new Failure(
          `There is no change of the plan ${name} from ${JSON.stringify(from)} on. \`cratebase plans list\` shows the changes to come.`,
        );
      }
      await limitStore.delete(tx, target);
      checkFollowing(await limitStore.all(tx), now);
      await this.#record(tx, 'plan.cancel', target, this.at(name, now), actor);
      return target;
    });
    return toSummary(change);
  }

  #table(now: number): PlanTable {
    const entries = planNames.map((plan) => {
      const { window, quota } = this.at(plan, now);
      return [plan, { title: plans[plan].title, window, quota }];
    });
    return Object.fromEntries(entries) as PlanTable;
  }

  /** Writes an entry of the audit log within the transaction. */
  async #record(
    tx: Tx,
    action: string,
    change: PlanChange,
    before: Limits,
    actor: Actor | undefined,
  ): Promise<void> {
    const { window, quota, effectiveTs, note } = change;
    await record(this.#parts, tx, actor, {
      action,
      subject: change.plan,
      details: {
        before: { window: before.window, quota: before.quota },
        after: { window, quota },
        from: formatUtc(effectiveTs),
        note,
      },
    });
  }
}

function parseLimit(option: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1 || value > maxLimit)
    throw new Failure(`--${option} is a whole number from 1 to ${maxLimit}.`, usageExitStatus, {
      field: option,
      code: 'plan_limit',
    });
  return value;
}

function parseNote(text: string): string {
  const note = text.trim();
  if (note.length > maxNoteLength || /\p{Cc}/u.test(note))
    throw new Failure(`A note is one line of at most ${maxNoteLength} characters.`, usageExitStatus, {
      field: 'note',
      code: 'note',
      value: maxNoteLength,
    });
  return note;
}

function parseFrom(text: string, now: number): number {
  const from = parseInstant(text);
  if (from === undefined || from <= now) {
    throw new Failure(
      `--from is a date in the future such as 2027-01-01, not ${JSON.stringify(text)}.`,
      usageExitStatus,
      { field: 'from', code: 'from' },
    );
  }
  return from;
}

function toSummary({ plan, window, quota, effectiveTs, createdTs, note }: PlanChange): PlanChangeSummary {
  return { plan, window, quota, from: formatUtc(effectiveTs), announced_at: formatUtc(createdTs), note };
}

/** Rejects if a promise is not settled in time. */
async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
