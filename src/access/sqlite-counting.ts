/**
 * Counts requests in the data file. Counting runs for every request, so it is synchronous within: a transaction of
 * prepared statements, without promises.
 */
import type { Clock } from '../clock.ts';
import { windowSeconds } from '../contract/plans.ts';
import type { AccountRates } from '../store/access/known-rates.ts';
import type { RateStateRow } from '../store/access/meter.ts';
import type { CountingState, CountingWriter } from '../store/engine/counting-writer.ts';
import type { AdmissionResult, ApiChannel, Counting, MeteredRequest } from './counting.ts';
import { hasExpired } from './key-terms.ts';
import { secondsUntil, toLimitHeaderValues, windowEnd } from './limit-values.ts';
import type { PlanLimits } from './plan-limits.ts';
import { limitsOf } from './plan-schedule.ts';
import { type UsagePeriod, usagePeriodAt } from './usage-period.ts';

/** The usage of one account within one batch. */
type AccountBatchState = {
  id: string;
  rates: AccountRates;
  window: WindowState;
  quota: number;
  used: number;
  added: number;
  usedByChannel: Record<ApiChannel, number>;
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
type RateState = { account: AccountBatchState; row: RateStateRow; window: WindowState };

const windowMs = windowSeconds * 1000;
/** `last_used_at` is exact to the minute, so most batches need no write for it. */
const touchMs = 60_000;

/** Counts batches of requests in SQLite (docs/decisions/03-counting.md). */
export class SqliteCounting implements Counting {
  readonly #writer: CountingWriter;
  readonly #plans: PlanLimits;
  readonly #clock: Clock;
  #period: UsagePeriod;

  constructor(writer: CountingWriter, plans: PlanLimits, clock: Clock) {
    this.#writer = writer;
    this.#plans = plans;
    this.#clock = clock;
    this.#period = usagePeriodAt(clock.now());
  }

  /** Counts a batch in one transaction (`Counting.count`). */
  count(take: () => readonly MeteredRequest[]): Promise<AdmissionResult[]> {
    return this.#writer.write((state) => this.#count(state, take()));
  }

  #count(state: CountingState, batch: readonly MeteredRequest[]): AdmissionResult[] {
    const now = this.#clock.now();
    const period = this.#periodOf(now);
    state.known.begin(state.version, period.month);
    const accounts = new Map<string, AccountBatchState>();
    const rateStates = new Map<string, RateState | null>();
    const verdicts = batch.map((request): AdmissionResult => {
      const { id } = request.credential;
      let rateState = rateStates.get(id);
      if (rateState === undefined) {
        rateState = this.#read(state, id, now, accounts);
        rateStates.set(id, rateState);
      }
      return rateState === null
        ? { outcome: 'revoked', limits: null }
        : checkLimits(rateState, request, now, period.monthEnd);
    });
    this.#write(state, rateStates, accounts, now, period);
    return verdicts;
  }

  /** Returns null if the key is revoked, expired or deleted, or its account is suspended. */
  #read(
    { store, known }: CountingState,
    credential: string,
    now: number,
    accounts: Map<string, AccountBatchState>,
  ): RateState | null {
    const rate = known.of(store, credential);
    if (rate === undefined) return null;
    const { row, account: rates } = rate;
    if (row.revoked_ts !== null || row.suspended_ts !== null || hasExpired(row, now)) return null;
    // As it is in this transaction: a change by another process applies to this request.
    const version = row.plan_limits_version ?? '';
    if (!this.#plans.isCurrent(version)) this.#plans.adopt(version, store.planChanges());
    const limits = limitsOf(row, this.#plans.at(row.plan, now));
    let account = accounts.get(row.account_id);
    if (account === undefined) {
      account = {
        id: row.account_id,
        rates,
        window: toWindowState(limits.accountWindow, rates.startedTs, rates.windowUsed, now),
        quota: limits.quota,
        used: rates.monthUsed ?? 0,
        added: 0,
        usedByChannel: { rest: 0, mcp: 0 },
      };
      accounts.set(account.id, account);
    }
    return {
      account,
      row,
      window: toWindowState(limits.window, row.started_ts, row.window_used, now),
    };
  }

  /** Writes the counts to the file, and to what is known of it. */
  #write(
    { store }: CountingState,
    rateStates: Map<string, RateState | null>,
    accounts: Map<string, AccountBatchState>,
    now: number,
    period: UsagePeriod,
  ): void {
    for (const [credential, rateState] of rateStates) {
      if (rateState === null || !rateState.window.counted) continue;
      const { row, window } = rateState;
      row.started_ts = window.opened ?? now;
      row.window_used = window.used;
      store.setWindow(credential, row.started_ts, row.window_used);
      if (row.last_used_ts === null || Math.abs(now - row.last_used_ts) >= touchMs) {
        row.last_used_ts = now;
        store.touch(credential, now);
      }
    }
    for (const { id, added, used, usedByChannel, window, rates } of accounts.values()) {
      if (window.counted) {
        rates.startedTs = window.opened ?? now;
        rates.windowUsed = window.used;
        store.setWindow(id, rates.startedTs, rates.windowUsed);
      }
      if (added === 0) continue;
      rates.monthUsed = used;
      store.addToMonth(id, period.month, added);
      if (usedByChannel.rest > 0) store.addToDay(id, period.day, 'rest', usedByChannel.rest);
      if (usedByChannel.mcp > 0) store.addToDay(id, period.day, 'mcp', usedByChannel.mcp);
    }
  }

  #periodOf(now: number): UsagePeriod {
    if (now < this.#period.dayStart || now >= this.#period.dayEnd) this.#period = usagePeriodAt(now);
    return this.#period;
  }
}

/** Checks the key's window, the account's window, then the quota. A refused request is not counted. */
function checkLimits(
  rateState: RateState,
  request: MeteredRequest,
  now: number,
  monthEnd: number,
): AdmissionResult {
  const { account, window } = rateState;
  const { plan } = rateState.row;
  const requests = Math.max(1, request.cost);
  const limit = exceededLimit(rateState, requests);
  if (limit !== null) {
    const until = limit === 'quota' ? monthEnd : windowEnd(limit, now);
    return {
      outcome: limit === 'quota' ? 'quota_exceeded' : 'rate_limited',
      plan,
      limits: toLimitHeaderValues(rateState, now, monthEnd),
      retryAfter: secondsUntil(until, now),
      ...(limit === account.window && {
        accountWindow: { limit: limit.limit, remaining: Math.max(0, limit.limit - limit.used) },
      }),
    };
  }
  countIn(window, requests, now);
  countIn(account.window, requests, now);
  account.used += request.cost;
  account.added += request.cost;
  account.usedByChannel[request.channel] += request.cost;
  return { outcome: 'admitted', plan, limits: toLimitHeaderValues(rateState, now, monthEnd) };
}

/** The limit that further requests would exceed; null if there is none. */
function exceededLimit({ window, account }: RateState, requests: number): WindowState | 'quota' | null {
  if (window.used + requests > window.limit) return window;
  if (account.window.used + requests > account.window.limit) return account.window;
  return account.used + requests > account.quota ? 'quota' : null;
}

function countIn(window: WindowState, requests: number, now: number): void {
  window.opened ??= now;
  window.used += requests;
  window.counted = true;
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
