/**
 * The meter (docs/spec/limits.md). Requests of one turn of the event loop are counted together, in one transaction
 * that holds the file's write lock from reading to commit, and answered after the commit. So the count is exact over
 * several processes, nothing admitted is forgotten, and what another process changed (a revocation, a plan) holds from
 * the next request on, at the price of one commit a turn.
 */
import type { Clock } from '../clock.ts';
import { type Plan, windowSeconds } from '../contract/plans.ts';
import type { MeterStore } from '../store/meter.ts';
import type { Transactions } from '../store/transactions.ts';
import type { Credential } from './credential.ts';
import { limitsOf } from './limits.ts';
import { type Period, periodOf } from './period.ts';

export type Door = 'rest' | 'mcp';
/** The values of `limitHeaders` (contract/plans.ts), in their order; both resets are Unix seconds. */
export type LimitValues = [
  windowLimit: number,
  windowRemaining: number,
  windowReset: number,
  quotaLimit: number,
  quotaRemaining: number,
  quotaReset: number,
];
/** May it be answered? `retryAfter` is in seconds, at least 1. */
export type Verdict =
  | { outcome: 'admitted'; plan: Plan; limits: LimitValues }
  | {
      outcome: 'rate_limited' | 'quota_exceeded';
      plan: Plan;
      limits: LimitValues;
      retryAfter: number;
      /** The window of the whole account, where that is what is used up, and what is left of it. */
      accountWindow?: { limit: number; remaining: number };
    }
  | { outcome: 'revoked'; limits: null };

type Request = { credential: Credential; cost: number; door: Door };
type Waiting = Request & { resolve: (verdict: Verdict) => void; reject: (failure: unknown) => void };

/** One account within one batch: what it used before and uses now. */
type Account = {
  id: string;
  window: Window;
  quota: number;
  used: number;
  added: number;
  doors: Record<Door, number>;
};
/** A fixed window, of a key or of an account, within one batch. */
type Window = {
  limit: number;
  /** When the open window opened; null where none is open. */
  opened: number | null;
  used: number;
  counted: boolean;
};
/** One key within one batch. */
type Standing = { account: Account; plan: Plan; lastUsed: number | null; window: Window };

const windowMs = windowSeconds * 1000;
/** `last_used_at` is for people: to the minute is enough, and spares most batches a write. */
const touchMs = 60_000;

export class Meter {
  readonly #transactions: Transactions;
  readonly #store: MeterStore;
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #period: Period;

  constructor(transactions: Transactions, store: MeterStore, clock: Clock) {
    this.#transactions = transactions;
    this.#store = store;
    this.#clock = clock;
    this.#period = periodOf(clock.now());
  }

  /**
   * Counts a request and says whether it is admitted. One of cost 0 counts in the window alone, and is refused like
   * any other when the month is used up. A higher cost is that of a batch of so many requests: all of them are admitted,
   * or none is and none counts. Rejects with `unavailable` where the file stays locked.
   */
  admit(credential: Credential, cost: number, door: Door): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      // While a batch waits for the file, whoever comes joins it.
      if (this.#waiting.length === 0) setImmediate(() => void this.#settle());
      this.#waiting.push({ credential, cost, door, resolve, reject });
    });
  }

  async #settle(): Promise<void> {
    let batch: Waiting[] | undefined;
    try {
      const verdicts = await this.#transactions.write(() => {
        batch ??= this.#take();
        return this.#count(batch);
      });
      batch?.forEach((request, index) => {
        request.resolve(verdicts[index] as Verdict);
      });
    } catch (failure) {
      batch ??= this.#take();
      for (const request of batch) request.reject(failure);
    }
  }

  #take(): Waiting[] {
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }

  #count(batch: readonly Request[]): Verdict[] {
    const now = this.#clock.now();
    const period = this.#periodOf(now);
    const accounts = new Map<string, Account>();
    const standings = new Map<string, Standing | null>();
    const verdicts = batch.map((request): Verdict => {
      const { id } = request.credential;
      let standing = standings.get(id);
      if (standing === undefined) {
        standing = this.#read(id, now, period, accounts);
        standings.set(id, standing);
      }
      return standing === null
        ? { outcome: 'revoked', limits: null }
        : decide(standing, request, now, period.monthEnd);
    });
    this.#write(standings, accounts, now, period);
    return verdicts;
  }

  /** Null where the key is revoked or gone. */
  #read(credential: string, now: number, period: Period, accounts: Map<string, Account>): Standing | null {
    const row = this.#store.standing(credential, period.month);
    if (row === undefined || row.revoked_ts !== null) return null;
    const limits = limitsOf(row);
    let account = accounts.get(row.account_id);
    if (account === undefined) {
      account = {
        id: row.account_id,
        window: windowOf(limits.accountWindow, row.account_opened_ts, row.account_window_used, now),
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
      window: windowOf(limits.window, row.opened_ts, row.window_used, now),
    };
  }

  #write(
    standings: Map<string, Standing | null>,
    accounts: Map<string, Account>,
    now: number,
    period: Period,
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

  #periodOf(now: number): Period {
    if (now < this.#period.dayStart || now >= this.#period.dayEnd) this.#period = periodOf(now);
    return this.#period;
  }
}

/** The key's window first, then the account's, then the quota; what is refused counts nowhere. */
function decide(standing: Standing, request: Request, now: number, monthEnd: number): Verdict {
  const { account, plan, window } = standing;
  const requests = Math.max(1, request.cost);
  const refuse = (outcome: 'rate_limited' | 'quota_exceeded', until: number, by: Window | null): Verdict => ({
    outcome,
    plan,
    limits: limitValues(standing, now, monthEnd),
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
  return { outcome: 'admitted', plan, limits: limitValues(standing, now, monthEnd) };
}

/** A window as the file has it; one whose time is over is not open. */
function windowOf(limit: number, openedTs: number | null, used: number | null, now: number): Window {
  // Clocks are set back now and then: a window that opened a little later than now is open all the same.
  const isOpen = openedTs !== null && Math.abs(now - openedTs) < windowMs;
  return { limit, opened: isOpen ? openedTs : null, used: isOpen ? (used ?? 0) : 0, counted: false };
}

/** Remaining is never negative: a plan may have been lowered below what is used. */
function limitValues(standing: Standing, now: number, monthEnd: number): LimitValues {
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

/** Of the open window, or of the one that would open now. */
function windowEnd(window: Window, now: number): number {
  return (window.opened ?? now) + windowMs;
}

function secondsUntil(then: number, now: number): number {
  return Math.max(1, Math.ceil((then - now) / 1000));
}
