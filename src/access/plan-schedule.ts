/**
 * The limits of an account, and the rules for changes of plan limits (docs/spec/limits.md#changes-of-the-limits). All
 * times in ms since 1970.
 */
import { dayMs } from '../clock.ts';
import { accountWindowFactor, type Limits, type Plan, type PlanChange, plans } from '../contract/plans.ts';
import { Failure } from '../failure.ts';

/** How long before it takes effect a reduction must be announced. */
export const minNoticeDays = 14;
const usageExitStatus = 2;

/** The limits of a plan at a time: those of the last change that has taken effect, otherwise the default. */
export function limitsAt(changes: readonly PlanChange[], plan: Plan, ts: number): Limits {
  const last = changes.findLast((change) => change.plan === plan && change.effectiveTs <= ts);
  return last ?? plans[plan];
}

/**
 * Requests per window of each key, per window of all keys and apps together, and per month of the account.
 * @param plan the limits of its plan that are in force
 */
export function limitsOf(
  account: { window_limit: number | null; quota_limit: number | null },
  plan: Limits,
): { window: number; accountWindow: number; quota: number } {
  const window = account.window_limit ?? plan.window;
  return { window, accountWindow: window * accountWindowFactor, quota: account.quota_limit ?? plan.quota };
}

const isLower = (one: Limits, other: Limits): boolean => one.window < other.window || one.quota < other.quota;

const dateOf = (ts: number): string =>
  new Date(ts)
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace('.000Z', 'Z');

/**
 * Checks a new change against those before it, and returns it with its note. A reduction needs a note, and a time that
 * is at least 14 days ahead. A change that is milder than the one already announced for the same time keeps its note.
 */
export function checkChange(changes: readonly PlanChange[], next: PlanChange, now: number): PlanChange {
  const { plan, effectiveTs } = next;
  const replaced = changes.find((one) => one.plan === plan && one.effectiveTs === effectiveTs);
  const before = limitsAt(
    changes.filter((one) => one !== replaced),
    plan,
    effectiveTs,
  );
  const same = replaced ?? before;
  if (same.window === next.window && same.quota === next.quota && next.note === (replaced?.note ?? '')) {
    const since = effectiveTs > now ? ` from ${dateOf(effectiveTs)} on` : '';
    throw new Failure(`The plan ${plan} has these limits already${since}.`, usageExitStatus, {
      code: 'same_limits',
    });
  }
  if (!isLower(next, before)) return next;
  const note = next.note === '' ? (replaced?.note ?? '') : next.note;
  if (note === '') {
    throw new Failure(
      `This reduces the limits of the plan ${plan}. Give the reason with --note "…": it is shown in the changelog.`,
      usageExitStatus,
      { field: 'note', code: 'note_missing' },
    );
  }
  const isAnnounced = replaced !== undefined && !isLower(next, replaced);
  const earliest = now + minNoticeDays * dayMs;
  if (!isAnnounced && effectiveTs < earliest) {
    const day = new Date(Math.ceil(earliest / dayMs) * dayMs).toISOString().slice(0, 10);
    throw new Failure(
      `A reduction is announced at least ${minNoticeDays} days ahead. Name a date with --from, ${day} or later.`,
      usageExitStatus,
      { field: 'from', code: 'notice', value: day },
    );
  }
  return { ...next, note };
}

/** Throws a `Failure` if a change in the future would be a reduction that was not announced. */
export function checkFollowing(changes: readonly PlanChange[], now: number): void {
  for (const change of changes) {
    if (change.effectiveTs <= now || change.note !== '') continue;
    const others = changes.filter((one) => one !== change);
    if (!isLower(change, limitsAt(others, change.plan, change.effectiveTs))) continue;
    const date = dateOf(change.effectiveTs);
    throw new Failure(
      `The change of ${date} would then reduce the limits without an announcement. Cancel it first: \`cratebase plans cancel ${change.plan} ${date}\``,
      1,
      { code: 'following', value: date },
    );
  }
}
