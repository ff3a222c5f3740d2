/**
 * Slows down repeated attempts without locking out an account. A `BackoffRule` allows a few attempts; each later one
 * waits twice as long as the one before, up to some minutes, and an hour without attempts resets it. A `TokenBucketRule`
 * is the generic cell rate algorithm. The counters are stored with the accounts (in the data file, or in the PostgreSQL of a cluster),
 * so they apply to all processes and survive restarts. An attempt counts as failed before it is checked, so that parallel attempts count too.
 */
import type { Clock } from '../clock.ts';
import type { AttemptRow, AttemptStore } from '../store/access/attempts.ts';
import type { Engine, Tx } from '../store/engine/engine.ts';
import { AccountError } from './account-error.ts';
import type { InstanceSecret } from './instance-secret.ts';
import {
  type BackoffRule,
  type ThrottleKey,
  type ThrottleKeys,
  type ThrottleRuleName,
  type TokenBucketRule,
  throttleRules,
} from './throttle-rules.ts';

/** Rules whose counter a successful attempt deletes: only one person has it. */
const clearedOnSuccess = new Set<ThrottleRuleName>(['pair', 'browser', 'code', 'codeBrowser']);

const resetAfterMs = 3_600_000;
/** The maximum of rows (about 30 MB), and after how many attempts of this process it is checked. */
const maxRows = 200_000;
const trimInterval = 1_000;

/** Counts attempts by the rules of `throttle-rules.ts`. The values of counters are stored as digests. */
export class Throttle {
  readonly #engine: Engine;
  readonly #store: AttemptStore;
  readonly #clock: Clock;
  readonly #secret: InstanceSecret;
  #attempts = 0;

  constructor(engine: Engine, store: AttemptStore, clock: Clock, secret: InstanceSecret) {
    this.#engine = engine;
    this.#store = store;
    this.#clock = clock;
    this.#secret = secret;
  }

  /**
   * Counts an attempt. If a counter does not allow it, nothing is counted, and the promise rejects with an `AccountError`
   * (`slow`) with the time to wait.
   */
  async consume(allOf: readonly ThrottleKey[], anyOf: ThrottleKeys['anyOf'] = []): Promise<void> {
    const wait = await this.#engine.write((tx) => this.tryConsume(tx, { allOf, anyOf }));
    if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000));
  }

  /** Counts an attempt within a write transaction, and returns 0; if it is not allowed, returns how long to wait (ms). */
  async tryConsume(tx: Tx, { allOf, anyOf }: ThrottleKeys): Promise<number> {
    const wait = await this.#waitFor(tx, allOf);
    if (wait > 0) return wait;
    const waits: number[] = [];
    for (const subjects of anyOf) waits.push(await this.#waitFor(tx, subjects));
    const minWait = anyOf.length === 0 ? 0 : Math.min(...waits);
    if (minWait > 0) return minWait;
    await this.#add(tx, [...allOf, ...(anyOf[waits.indexOf(0)] ?? [])]);
    return 0;
  }

  /** Removes an attempt that did not fail. */
  async refund(subjects: readonly ThrottleKey[]): Promise<void> {
    await this.#engine.write(async (tx) => {
      const now = this.#clock.now();
      for (const subject of subjects) {
        const rule = throttleRules[subject.rule];
        const row = await this.#read(tx, subject, now);
        const next_allowed_ts = isTokenBucket(rule) ? row.next_allowed_ts - rule.everyMs : 0;
        if (clearedOnSuccess.has(subject.rule) || row.failed <= 1) await this.#store.delete(tx, row.subject);
        else await this.#store.set(tx, { ...row, failed: row.failed - 1, next_allowed_ts });
      }
    });
  }

  /** Deletes expired counters, within a write transaction. */
  async prune(tx: Tx): Promise<void> {
    const now = this.#clock.now();
    await this.#store.prune(tx, now - resetAfterMs, now);
    await this.#store.trim(tx, maxRows);
  }

  /** The longest wait (ms) of the counters; 0 if all allow an attempt. */
  async #waitFor(tx: Tx, subjects: readonly ThrottleKey[]): Promise<number> {
    const now = this.#clock.now();
    let wait = 0;
    for (const subject of subjects) {
      const row = await this.#read(tx, subject, now);
      wait = Math.max(wait, nextAllowedMs(row, subject.rule) - now);
    }
    return wait;
  }

  async #add(tx: Tx, subjects: readonly ThrottleKey[]): Promise<void> {
    const now = this.#clock.now();
    for (const subject of subjects)
      await this.#store.set(tx, withAttempt(await this.#read(tx, subject, now), subject.rule, now));
    this.#attempts += 1;
    if (this.#attempts % trimInterval === 0) await this.#store.trim(tx, maxRows);
  }

  async #read(tx: Tx, { rule: name, value: of }: ThrottleKey, now: number): Promise<AttemptRow> {
    const subject = this.#secret.digest('attempts', name, of);
    const row = await this.#store.get(tx, subject);
    const rule = throttleRules[name];
    const isOver =
      row !== undefined &&
      (isTokenBucket(rule) ? row.next_allowed_ts <= now : now - row.last_ts > resetAfterMs);
    if (row === undefined || isOver) return { subject, failed: 0, last_ts: now, next_allowed_ts: 0 };
    // A clock that was set back must not lengthen the wait.
    const maxWait = isTokenBucket(rule) ? rule.burst * rule.everyMs : rule.maxMs;
    return row.next_allowed_ts - now > maxWait ? { ...row, next_allowed_ts: 0 } : row;
  }
}

const isTokenBucket = (rule: BackoffRule | TokenBucketRule): rule is TokenBucketRule => 'burst' in rule;

/** When the next attempt is allowed, in ms. `next_allowed_ts` of a token bucket is when it is full again. */
function nextAllowedMs(row: AttemptRow, name: ThrottleRuleName): number {
  const rule = throttleRules[name];
  return isTokenBucket(rule) ? row.next_allowed_ts - (rule.burst - 1) * rule.everyMs : row.next_allowed_ts;
}

function withAttempt(row: AttemptRow, name: ThrottleRuleName, now: number): AttemptRow {
  const rule = throttleRules[name];
  const failed = row.failed + 1;
  const next = { subject: row.subject, failed, last_ts: now };
  if (isTokenBucket(rule))
    return { ...next, next_allowed_ts: Math.max(row.next_allowed_ts, now) + rule.everyMs };
  const doublings = Math.min(failed - rule.free, 30);
  const wait = failed < rule.free ? 0 : Math.min(rule.firstMs * 2 ** doublings, rule.maxMs);
  return { ...next, next_allowed_ts: now + wait };
}

/** The error of an attempt that is not allowed yet. */
export function tooManyAttempts(seconds: number): AccountError {
  const time =
    seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;
  return new AccountError('slow', `Too many tries. Wait ${time}, then try again.`, { retryAfter: seconds });
}
