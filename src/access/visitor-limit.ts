/**
 * Limits the processing time of visitors without a credential, by network: a token bucket in ms, in memory. The token
 * buckets of `throttle.ts` count attempts instead, and are stored with the accounts.
 */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { memoize } from '../memoize.ts';
import { networkPrefix, regionPrefix } from './address-prefixes.ts';

/** The size of the bucket, in seconds of the rate. */
const burstSeconds = 30;
/** The rate of a region, in rates of one network. */
const regionFactor = 4;
const maxNetworks = 20_000;
/** The largest debt of a network, in seconds of its rate: a costly response is waited for, but not for long. */
const maxDebtSeconds = 3;
/** A refused network waits until it has this many seconds of its rate. */
const recoverySeconds = 0.5;

/** `creditMs`: ms of processing at `updatedAtMs`. It may be negative. */
type CreditBucket = { creditMs: number; updatedAtMs: number };

/** The network of an address, and its region. */
const networksOf = memoize(maxNetworks, (address: string) => ({
  network: networkPrefix(address),
  region: regionPrefix(address),
}));

/** Counts the processing time of visitors by network and region, and says how long one has to wait. */
export class VisitorLimit {
  readonly #networks = new LRUCache<string, CreditBucket>({ max: maxNetworks });
  readonly #regions = new LRUCache<string, CreditBucket>({ max: maxNetworks });
  readonly #msPerSecond: number;
  readonly #now: () => number;

  /**
   * @param msPerSecond processing time of one network per second; 0 is no limit
   * @param now a monotonic clock, in ms
   */
  constructor(msPerSecond: number, now: () => number = () => performance.now()) {
    this.#msPerSecond = msPerSecond;
    this.#now = now;
  }

  /** The network of an address: a /64 of IPv6, an address of IPv4. */
  networkOf(address: string): string {
    return networksOf(address).network;
  }

  /** How long an address has to wait, in ms; 0 if it is below its limit. */
  waitMs(address: string): number {
    if (this.#msPerSecond === 0) return 0;
    const { network, region } = networksOf(address);
    return Math.max(
      this.#waitOf(this.#networks, network, this.#msPerSecond),
      this.#waitOf(this.#regions, region, this.#msPerSecond * regionFactor),
    );
  }

  /** Subtracts processing time (ms) of an address. */
  charge(address: string, ms: number): void {
    if (this.#msPerSecond === 0) return;
    const { network, region } = networksOf(address);
    this.#book(this.#networks, network, this.#msPerSecond, ms);
    this.#book(this.#regions, region, this.#msPerSecond * regionFactor, ms);
  }

  #waitOf(buckets: LRUCache<string, CreditBucket>, name: string, rate: number): number {
    const bucket = buckets.get(name);
    if (bucket === undefined) return 0;
    const credit = bucket.creditMs + ((this.#now() - bucket.updatedAtMs) * rate) / 1_000;
    return credit > 0 ? 0 : ((rate * recoverySeconds - credit) / rate) * 1_000;
  }

  #book(buckets: LRUCache<string, CreditBucket>, name: string, rate: number, ms: number): void {
    const now = this.#now();
    const maxCredit = rate * burstSeconds;
    const bucket = buckets.get(name);
    const before =
      bucket === undefined ? maxCredit : bucket.creditMs + ((now - bucket.updatedAtMs) * rate) / 1_000;
    const credit = Math.max(-rate * maxDebtSeconds, Math.min(maxCredit, before) - ms);
    buckets.set(name, { creditMs: credit, updatedAtMs: now });
  }
}
