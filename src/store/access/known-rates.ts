/**
 * Rate states that the meter has read or written. They hold while no other connection changes the data file, which SQLite
 * tells in the transaction that counts (docs/decisions/03-counting.md).
 */
import type { MeterStore, RateStateRow } from './meter.ts';

/** The counts of an account, which its keys and grants share. */
export type AccountRates = { startedTs: number | null; windowUsed: number | null; monthUsed: number | null };
/** The row of a key or grant; the counts of its account are in `account` alone. */
export type KnownRate = { row: RateStateRow; account: AccountRates };

const maxCredentials = 10_000;

/**
 * Caches the rate states of keys and grants between the batches of requests of one process. Keys and grants of an
 * account share its counts as one object.
 */
export class KnownRates {
  readonly #credentials = new Map<string, KnownRate>();
  readonly #accounts = new Map<string, AccountRates>();
  #version: number | null = null;
  #month = '';

  /**
   * Begins a batch of requests: forgets everything if the file or the month is another one. Call it in the transaction that
   * counts.
   *
   * @param version a number that every commit of another connection changes (`PRAGMA data_version`)
   * @param month yyyy-mm
   */
  begin(version: number, month: string): void {
    const isSame = version === this.#version && month === this.#month;
    if (!isSame || this.#credentials.size > maxCredentials) this.clear();
    this.#version = version;
    this.#month = month;
  }

  /** Forgets everything: a transaction was rolled back, or may have been. */
  clear(): void {
    this.#credentials.clear();
    this.#accounts.clear();
    this.#version = null;
  }

  /** The rate state of a key or grant, for the caller to change as it changes the file; undefined if it does not exist. */
  of(store: MeterStore, credential: string): KnownRate | undefined {
    const cached = this.#credentials.get(credential);
    if (cached !== undefined) return cached;
    const row = store.rateState(credential, this.#month);
    if (row === undefined) return undefined;
    const account = this.#accounts.get(row.account_id) ?? {
      startedTs: row.account_started_ts,
      windowUsed: row.account_window_used,
      monthUsed: row.month_used,
    };
    const rate = { row, account };
    this.#accounts.set(row.account_id, account);
    this.#credentials.set(credential, rate);
    return rate;
  }
}
