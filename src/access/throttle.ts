/**
 * Slows down callers who try too often, without ever locking anybody out. There are two kinds of limits. A `BackoffRule`
 * one lets a few tries pass; each later one waits twice as long as the one before, up to some minutes; after a quiet
 * hour it starts anew. A `TokenBucketRule` one is a bucket of tries that fills again at an even pace (the generic cell rate
 * algorithm): a pause never gives more than the bucket holds. The counts are in the data file, so they hold over worker
 * processes and restarts. A try is booked as failed before it is looked at: a hundred at once are a hundred.
 */
import type { Clock } from '../clock.ts';
import type { AttemptRow, AttemptStore } from '../store/access/attempts.ts';
import type { Transactions } from '../store/transactions.ts';
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

/** Forgotten altogether after a try that was right: they are one person's. */
const clearedOnSuccess = new Set<ThrottleRuleName>(['pair', 'browser']);

const resetAfterMs = 3_600_000;
/** Rows that the table holds at most (about 30 MB), and after how many booked tries of this process that is checked. */
const maxRows = 200_000;
const trimInterval = 1_000;

export class Throttle {
  readonly #transactions: Transactions;
  readonly #store: AttemptStore;
  readonly #clock: Clock;
  readonly #secret: InstanceSecret;
  #booked = 0;

  constructor(transactions: Transactions, store: AttemptStore, clock: Clock, secret: InstanceSecret) {
    this.#transactions = transactions;
    this.#store = store;
    this.#clock = clock;
    this.#secret = secret;
  }

  /**
   * Books a try. Rejects with a `AccountError` (`slow`) that says how long to wait where a subject is not free yet; then
   * nothing is booked.
   */
  async consume(every: readonly ThrottleKey[], oneOf: ThrottleKeys['anyOf'] = []): Promise<void> {
    const wait = await this.#transactions.write(() => this.tryConsume({ allOf: every, anyOf: oneOf }));
    if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000));
  }

  /** Books a try, within a write transaction. Gives 0; or, with nothing booked, how long to wait (ms). */
  tryConsume({ allOf: every, anyOf: oneOf }: ThrottleKeys): number {
    const wait = this.#waitFor(every);
    if (wait > 0) return wait;
    const waits = oneOf.map((subjects) => this.#waitFor(subjects));
    const least = oneOf.length === 0 ? 0 : Math.min(...waits);
    if (least > 0) return least;
    this.#add([...every, ...(oneOf[waits.indexOf(0)] ?? [])]);
    return 0;
  }

  /** Takes a booked try back: it did not fail. */
  async refund(subjects: readonly ThrottleKey[]): Promise<void> {
    await this.#transactions.write(() => {
      const now = this.#clock.now();
      for (const subject of subjects) {
        const rule = throttleRules[subject.rule];
        const row = this.#read(subject, now);
        const next_allowed_ts = isTokenBucket(rule) ? row.next_allowed_ts - rule.everyMs : 0;
        if (clearedOnSuccess.has(subject.rule) || row.failed <= 1) this.#store.delete(row.subject);
        else this.#store.set({ ...row, failed: row.failed - 1, next_allowed_ts });
      }
    });
  }

  /** Forgets what is long past; within a write transaction. */
  prune(): void {
    const now = this.#clock.now();
    this.#store.prune(now - resetAfterMs, now);
    this.#store.trim(maxRows);
  }

  /** The longest wait (ms) of the subjects; 0 where all are free. */
  #waitFor(subjects: readonly ThrottleKey[]): number {
    const now = this.#clock.now();
    return Math.max(
      0,
      ...subjects.map((subject) => nextAllowedMs(this.#read(subject, now), subject.rule) - now),
    );
  }

  #add(subjects: readonly ThrottleKey[]): void {
    const now = this.#clock.now();
    for (const subject of subjects) this.#store.set(withAttempt(this.#read(subject, now), subject.rule, now));
    this.#booked += 1;
    if (this.#booked % trimInterval === 0) this.#store.trim(maxRows);
  }

  #read({ rule: name, value: of }: ThrottleKey, now: number): AttemptRow {
    const subject = this.#secret.digest('attempts', name, of);
    const row = this.#store.get(subject);
    const rule = throttleRules[name];
    const isOver =
      row !== undefined &&
      (isTokenBucket(rule) ? row.next_allowed_ts <= now : now - row.last_ts > resetAfterMs);
    if (row === undefined || isOver) return { subject, failed: 0, last_ts: now, next_allowed_ts: 0 };
    // A clock that was set back must not lengthen the wait.
    const most = isTokenBucket(rule) ? rule.burst * rule.everyMs : rule.mostMs;
    return row.next_allowed_ts - now > most ? { ...row, next_allowed_ts: 0 } : row;
  }
}

const isTokenBucket = (rule: BackoffRule | TokenBucketRule): rule is TokenBucketRule => 'burst' in rule;

/** When the next try passes. Of a paced rule the row says when its bucket is full again. */
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
  const wait = failed < rule.free ? 0 : Math.min(rule.firstMs * 2 ** doublings, rule.mostMs);
  return { ...next, next_allowed_ts: now + wait };
}

function tooManyAttempts(seconds: number): AccountError {
  const time =
    seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;
  return new AccountError('slow', `Too many tries. Wait ${time}, then try again.`, seconds);
}
