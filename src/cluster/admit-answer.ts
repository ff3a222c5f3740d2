/** Converts the answer of the PostgreSQL function `admit` (`admit.sql`) to a result for each request. */
import {
  type AdmissionResult,
  type MeteredRequest,
  secondsUntil,
  toLimitHeaderValues,
  usagePeriodAt,
  windowEnd,
} from '../access/access.ts';
import { accountWindowFactor, type Plan } from '../contract/plans.ts';

type Outcome = 'admitted' | 'revoked' | 'window' | 'account_window' | 'quota';

export type AdmitAnswer = {
  /** The clock of PostgreSQL, in ms. */
  now: number;
  /** By request, after it: what its key and its account have used. */
  outcome: Outcome[];
  used: number[];
  opened: (number | null)[];
  month: number[];
  accountUsed: number[];
  accountOpened: (number | null)[];
  /** By account, in the order of the first request of each. */
  plan: (Plan | null)[];
  window: (number | null)[];
  quota: (number | null)[];
  /** The number of the publication that nodes serve (publication/schema.sql). */
  head: number;
};

/** The day of the last batch. */
let period = usagePeriodAt(0);

/** Returns the result of each request of a batch. */
export function toAdmissionResults(batch: readonly MeteredRequest[], answer: AdmitAnswer): AdmissionResult[] {
  const { now } = answer;
  if (now < period.dayStart || now >= period.dayEnd) period = usagePeriodAt(now);
  const { monthEnd } = period;
  const accounts = new Map<string, number>();
  return batch.map(({ credential }, index) => {
    let account = accounts.get(credential.account);
    if (account === undefined) {
      account = accounts.size;
      accounts.set(credential.account, account);
    }
    return toAdmissionResult(answer, index, account, monthEnd);
  });
}

function toAdmissionResult(
  answer: AdmitAnswer,
  index: number,
  account: number,
  monthEnd: number,
): AdmissionResult {
  const outcome = answer.outcome[index] as Outcome;
  if (outcome === 'revoked') return { outcome, limits: null };
  const { now } = answer;
  const limit = answer.window[account] as number;
  const window = { limit, used: answer.used[index] as number, opened: answer.opened[index] ?? null };
  const month = { quota: answer.quota[account] as number, used: answer.month[index] as number };
  const plan = answer.plan[account] as Plan;
  const limits = toLimitHeaderValues({ account: month, window }, now, monthEnd);
  if (outcome === 'admitted') return { outcome, plan, limits };
  if (outcome === 'quota')
    return { outcome: 'quota_exceeded', plan, limits, retryAfter: secondsUntil(monthEnd, now) };
  if (outcome === 'window')
    return { outcome: 'rate_limited', plan, limits, retryAfter: secondsUntil(windowEnd(window, now), now) };
  const opened = answer.accountOpened[index] ?? null;
  const whole = limit * accountWindowFactor;
  const remaining = Math.max(0, whole - (answer.accountUsed[index] as number));
  return {
    outcome: 'rate_limited',
    plan,
    limits,
    retryAfter: secondsUntil(windowEnd({ opened }, now), now),
    accountWindow: { limit: whole, remaining },
  };
}
