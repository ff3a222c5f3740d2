/**
 * Counts requests against the limits (docs/spec/limits.md). All requests of one event loop turn are counted in one
 * transaction and answered after its commit. Counts are therefore exact across processes, and a change by another
 * process (a revocation, a plan) applies from the next request. The cost is one commit per turn.
 */
import type { Clock } from '../clock.ts';
import { type Plan, windowSeconds } from '../contract/plans.ts';
import type { MeterStore } from '../store/access/meter.ts';
import type { Transactions } from '../store/transactions.ts';
import { limitsOf } from './account-limits.ts';
import type { Credential } from './credential.ts';
import { hasExpired } from './key-terms.ts';
import type { PlanLimits } from './plan-limits.ts';
import { type UsagePeriod, usagePeriodAt } from './usage-period.ts';

export type ApiChannel = 'rest' | 'mcp';
/** The values of `limitHeaders` (contract/plans.ts), in the same order; both resets are Unix seconds. */
export type LimitHeaderValues = [
  windowLimit: number,
  windowRemaining: number,
  windowReset: number,
  quotaLimit: number,
  quotaRemaining: number,
  quotaReset: number,
];
/** Whether a request is admitted. `retryAfter` is in seconds, at least 1. */
export type AdmissionResult =
  | { outcome: 'admitted'; plan: Plan; limits: LimitHeaderValues }
  | {
      outcome: 'rate_limited' | 'quota_exceeded';
      plan: Plan;
      limits: LimitHeaderValues;
      retryAfter: number;
      /** The window of the whole account, if that is the exceeded limit. */
      accountWindow?: { limit: number; remaining: number };
    }
  | { outcome: 'revoked'; limits: null };

type MeteredRequest = { credential: Credential; cost: number; door: ApiChannel };
type PendingRequest = MeteredRequest & {
  resolve: (verdict: AdmissionResult) => void;
  reject: (failure: unknown) => void;
};

/** The usage of one account within one batch. */
type AccountBatchState = {
  id: string;
  window: WindowState;
  quota: number;
  used: number;
  added: number;
  doors: Record<ApiChannel, number>;
};
/** A fixed rate window of a key or an account, within one batch. */
type WindowState = {
  limit: number;
  /** When the window opened, in ms; null if none is open. */
  opened: number | null;
  used: number;
  counted: boolean;
};
/** One key within one batch. */
type RateState = { account: AccountBatchState; plan: Plan; lastUsed: number | null; window: WindowState };

const windowMs = windowSeconds * 1000;
/** `last_used_at` is exact to the minute, so most batches need no write for it. */
const touchMs = 60_000;

export class Meter {
  readonly #transactions: Transactions;
  readonly #store: MeterStore;
  readonly #plans: PlanLimits;
  readonly #clock: Clock;
  #waiting: PendingRequest[] = [];
  #period: UsagePeriod;

  constructor(transactions: Transactions, store: MeterStore, plans: PlanLimits, clock: Clock) {
    this.#transactions = transactions;
    this.#store = store;
    this.#plans = plans;
    this.#clock = clock;
    this.#period = usagePeriodAt(clock.now());
  }

  /**
   * Counts a request and returns whether it is admitted. Cost 0 counts in the rate window only, but is refused too
   * once the monthly quota is used up. A higher cost is a batch of that many requests, which is admitted or refused
   * as a whole; a refused batch does not count. Rejects with `unavailable` if the file stays locked.
   */
  admit(credential: Credential, cost: number, door: ApiChannel): Promise<AdmissionResult> {
    return new Promise((resolve, reject) => {
      // Requests that arrive while a batch waits for the file join that batch.
      if (this.#waiting.length === 0) setImmediate(() => void this.#settle());
      this.#waiting.push({ credential, cost, door, resolve, reject });
    });
  }

  async #settle(): Promise<void> {
    let batch: PendingRequest[] | undefined;
    try {
      const verdicts = await this.#transactions.write(() => {
        batch ??= this.#take();
        return this.#count(batch);
      });
      batch?.forEach((request, index) => {
        request.resolve(verdicts[index] as AdmissionResult);
      });
    } catch (failure) {
      batch ??= this.#take();
      for (const request of batch) request.reject(failure);
    }
  }

  #take(): PendingRequest[] {
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }

  #count(batch: readonly MeteredRequest[]): AdmissionResult[] {
    const now = this.#clock.now();
    const period = this.#periodOf(now);
    const accounts = new Map<string, AccountBatchState>();
    const standings = new Map<string, RateState | null>();
    const verdicts = batch.map((request): AdmissionResult => {
      const { id } = request.credential;
      let standing = standings.get(id);
      if (standing === undefined) {
        standing = this.#read(id, now, period, accounts);
        standings.set(id, standing);
      }
      return standing === null
        ? { outcome: 'revoked', limits: null }
        : checkLimits(standing, request, now, period.monthEnd);
    });
    this.#write(standings, accounts, now, period);
    return verdicts;
  }

  /** Returns null if the key is revoked, expired or deleted, or its account is suspended. */
  #read(
    credential: string,
    now: number,
    period: UsagePeriod,
    accounts: Map<string, AccountBatchState>,
  ): RateState | null {
    const row = this.#store.rateState(credential, period.month);
    if (row === undefined || row.revoked_ts !== null || row.suspended_ts !== null || hasExpired(row, now))
      return null;
    // Read in this transaction: a change by another process applies to this request.
    this.#plans.refresh(row.plan_limits_version ?? '');
    const limits = limitsOf(row, this.#plans.at(row.plan, now));
    let account = accounts.get(row.account_id);
    if (account === undefined) {
      account = {
        id: row.account_id,
        window: toWindowState(limits.accountWindow, row.account_started_ts, row.account_window_used, now),
        quota: limits.quota,
        used: row.month_used ?? 0,
        added: 0,
        doors: { rest: 0, mcp: 0 },
      };
      accounts.set(account.id, account);
    }
    return {
      account,
      plan: row.plan,
      lastUsed: row.last_used_ts,
      window: toWindowState(limits.window, row.started_ts, row.window_used, now),
    };
  }

  #write(
    standings: Map<string, RateState | null>,
    accounts: Map<string, AccountBatchState>,
    now: number,
    period: UsagePeriod,
  ): void {
    for (const [credential, standing] of standings) {
      if (standing === null || !standing.window.counted) continue;
      this.#store.setWindow(credential, standing.window.opened ?? now, standing.window.used);
      if (standing.lastUsed === null || Math.abs(now - standing.lastUsed) >= touchMs) {
        this.#store.touch(credential, now);
      }
    }
    for (const { id, added, doors, window } of accounts.values()) {
      if (window.counted) this.#store.setWindow(id, window.opened ?? now, window.used);
      if (added === 0) continue;
      this.#store.addToMonth(id, period.month, added);
      if (doors.rest > 0) this.#store.addToDay(id, period.day, 'rest', doors.rest);
      if (doors.mcp > 0) this.#store.addToDay(id, period.day, 'mcp', doors.mcp);
    }
  }

  #periodOf(now: number): UsagePeriod {
    if (now < this.#period.dayStart || now >= this.#period.dayEnd) this.#period = usagePeriodAt(now);
    return this.#period;
  }
}

/** Checks the key's window, the account's window, then the quota. A refused request is not counted. */
function checkLimits(
  standing: RateState,
  request: MeteredRequest,
  now: number,
  monthEnd: number,
): AdmissionResult {
  const { account, plan, window } = standing;
  const requests = Math.max(1, request.cost);
  const refuse = (
    outcome: 'rate_limited' | 'quota_exceeded',
    until: number,
    by: WindowState | null,
  ): AdmissionResult => ({
    outcome,
    plan,
    limits: toLimitHeaderValues(standing, now, monthEnd),
    retryAfter: secondsUntil(until, now),
    ...(by && { accountWindow: { limit: by.limit, remaining: Math.max(0, by.limit - by.used) } }),
  });
  if (window.used + requests > window.limit) return refuse('rate_limited', windowEnd(window, now), null);
  if (account.window.used + requests > account.window.limit) {
    return refuse('rate_limited', windowEnd(account.window, now), account.window);
  }
  if (account.used + requests > account.quota) return refuse('quota_exceeded', monthEnd, null);
  for (const counted of [window, account.window]) {
    counted.opened ??= now;
    counted.used += requests;
    counted.counted = true;
  }
  account.used += request.cost;
  account.added += request.cost;
  account.doors[request.door] += request.cost;
  return { outcome: 'admitted', plan, limits: toLimitHeaderValues(standing, now, monthEnd) };
}

/** Converts a stored window; an expired window is not open. */
function toWindowState(
  limit: number,
  openedTs: number | null,
  used: number | null,
  now: number,
): WindowState {
  // The clock may be set back: a window that opened slightly in the future is still open.
  const isOpen = openedTs !== null && Math.abs(now - openedTs) < windowMs;
  return { limit, opened: isOpen ? openedTs : null, used: isOpen ? (used ?? 0) : 0, counted: false };
}

/** `remaining` is never negative, although a plan may be reduced below its usage. */
function toLimitHeaderValues(standing: RateState, now: number, monthEnd: number): LimitHeaderValues {
  const { account, window } = standing;
  return [
    window.limit,
    Math.max(0, window.limit - window.used),
    Math.ceil(windowEnd(window, now) / 1000),
    account.quota,
    Math.max(0, account.quota - account.used),
    monthEnd / 1000,
  ];
}

/** The end of the open window, or of one that would open now, in ms. */
function windowEnd(window: WindowState, now: number): number {
  return (window.opened ?? now) + windowMs;
}

function secondsUntil(then: number, now: number): number {
  return Math.max(1, Math.ceil((then - now) / 1000));
}
