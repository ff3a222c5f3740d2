/**
 * Slows down whoever guesses, without ever locking anybody out: a few tries are free, then each waits twice as long as
 * the one before, up to some minutes; after a quiet hour all is forgotten. The counts lie in the data file, so they hold
 * over worker processes and restarts. A try is booked as failed before it is looked at: a hundred at once are a hundred.
 */
import type { Clock } from '../clock.ts';
import type { AttemptRow, AttemptStore } from '../store/attempts.ts';
import type { Transactions } from '../store/transactions.ts';
import { Refusal } from './refusal.ts';
import type { FileSecret } from './secret.ts';

/** How many tries are free within the hour, and how long the later ones wait at least and at most, in ms. */
type Rule = { free: number; firstMs: number; mostMs: number };

const minute = 60_000;
const rules = {
  /** Passwords of one account from one address. */
  pair: { free: 5, firstMs: 1_000, mostMs: 5 * minute },
  /** Passwords of any accounts from one address. */
  address: { free: 30, firstMs: 1_000, mostMs: 5 * minute },
  /** Passwords of one account from one wider network: whoever has many addresses there is one all the same. */
  region: { free: 10, firstMs: 1_000, mostMs: 5 * minute },
  /**
   * Passwords of one account from anywhere within an hour. So many that only whoever has hundreds of networks comes
   * here: or a stranger could keep the owner out by using up what the owner needs.
   */
  account: { free: 2_000, firstMs: 1_000, mostMs: 30_000 },
  /** Passwords of one account from a browser in which it was signed in before: none of the others hold there. */
  browser: { free: 5, firstMs: 1_000, mostMs: 5 * minute },
  /** New accounts from one address. */
  signUp: { free: 30, firstMs: 2_000, mostMs: 5 * minute },
  /** Sign-ups from one address with an email that has an account: what tells that it has. */
  taken: { free: 10, firstMs: 2_000, mostMs: 5 * minute },
} as const satisfies Record<string, Rule>;
export type Subject = { rule: keyof typeof rules; of: string };

/** Forgotten altogether after a try that was right: they are one person's. */
const resets = new Set<Subject['rule']>(['pair', 'browser']);

const quietMs = 60 * minute;

export class Throttle {
  readonly #transactions: Transactions;
  readonly #store: AttemptStore;
  readonly #clock: Clock;
  readonly #secret: FileSecret;

  constructor(transactions: Transactions, store: AttemptStore, clock: Clock, secret: FileSecret) {
    this.#transactions = transactions;
    this.#store = store;
    this.#clock = clock;
    this.#secret = secret;
  }

  /** Books a try; rejects with a `Refusal` that says how long to wait where one of the subjects is not free yet. */
  async book(subjects: readonly Subject[]): Promise<void> {
    const wait = await this.#transactions.write(() => {
      const now = this.#clock.now();
      const rows = subjects.map((subject) => this.#read(subject, now));
      const free = Math.max(...rows.map((row) => row.free_ts));
      if (free > now) return free - now;
      subjects.forEach((subject, index) => {
        this.#store.set(booked(rows[index] as AttemptRow, rules[subject.rule], now));
      });
      return 0;
    });
    if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
  }

  /** Takes a booked try back: it did not fail. */
  async release(subjects: readonly Subject[]): Promise<void> {
    await this.#transactions.write(() => {
      for (const subject of subjects) {
        const row = this.#read(subject, this.#clock.now());
        if (resets.has(subject.rule) || row.failed <= 1) this.#store.delete(row.subject);
        else this.#store.set({ ...row, failed: row.failed - 1, free_ts: 0 });
      }
    });
  }

  /** Forgets what is long past; within a write transaction. */
  prune(): void {
    this.#store.prune(this.#clock.now() - quietMs);
  }

  #read({ rule, of }: Subject, now: number): AttemptRow {
    const subject = this.#secret.digest('attempts', rule, of);
    const row = this.#store.get(subject);
    if (row === undefined || now - row.last_ts > quietMs) {
      return { subject, failed: 0, last_ts: now, free_ts: 0 };
    }
    // A clock that was set back must not lengthen the wait.
    return row.free_ts - now > rules[rule].mostMs ? { ...row, free_ts: 0 } : row;
  }
}

function booked(row: AttemptRow, rule: Rule, now: number): AttemptRow {
  const failed = row.failed + 1;
  const doublings = Math.min(failed - rule.free, 30);
  const wait = failed < rule.free ? 0 : Math.min(rule.firstMs * 2 ** doublings, rule.mostMs);
  return { subject: row.subject, failed, last_ts: now, free_ts: now + wait };
}

function tooMany(seconds: number): Refusal {
  const time =
    seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;
  return new Refusal('slow', `Too many tries. Wait ${time}, then try again.`, seconds);
}
