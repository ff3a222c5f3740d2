/**
 * What visitors without a credential may use of the service, by network: processing time, in ms. A network has some to
 * begin with and gets so much more each second; who asks for little never notices, whatever the pages cost.
 */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { memoize } from '../memoize.ts';
import { networkPrefix, regionPrefix } from './address-prefixes.ts';

/** What a network has saved up at most, in seconds of its rate. */
const burstSeconds = 30;
/** How many times the share of one network the wider one around it has. */
const regionFactor = 4;
const maxNetworks = 20_000;
/** A network that is refused waits until it has this part of a second's rate again. */
const recoverySeconds = 0.5;

/** `creditMs` (ms of processing) as it was at the time `at` (ms). It may be negative. */
type CreditBucket = { creditMs: number; updatedAtMs: number };

/** The networks of an address: the customer's own, and the wider one around it. */
const networksOf = memoize(maxNetworks, (address: string) => ({
  network: networkPrefix(address),
  region: regionPrefix(address),
}));

export class VisitorLimit {
  readonly #networks = new LRUCache<string, CreditBucket>({ max: maxNetworks });
  readonly #regions = new LRUCache<string, CreditBucket>({ max: maxNetworks });
  readonly #msPerSecond: number;
  readonly #now: () => number;

  /**
   * @param msPerSecond processing time that one network may use in a second; 0: no limit
   * @param now a clock that only goes forward, in ms
   */
  constructor(msPerSecond: number, now: () => number = () => performance.now()) {
    this.#msPerSecond = msPerSecond;
    this.#now = now;
  }

  /** The network that an address belongs to: a /64 of IPv6, an address of IPv4. */
  networkOf(address: string): string {
    return networksOf(address).network;
  }

  /** How long an address has to wait before it is answered, in ms; 0 where it need not. */
  waitMs(address: string): number {
    if (this.#msPerSecond === 0) return 0;
    const { network, region } = networksOf(address);
    return Math.max(
      this.#waitOf(this.#networks, network, this.#msPerSecond),
      this.#waitOf(this.#regions, region, this.#msPerSecond * regionFactor),
    );
  }

  /** Books processing time (ms) that an address has cost. */
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
    const most = rate * burstSeconds;
    const bucket = buckets.get(name);
    const before =
      bucket === undefined ? most : bucket.creditMs + ((now - bucket.updatedAtMs) * rate) / 1_000;
    // A debt is bounded as well: nobody waits for more than a second or so beyond what was just used.
    const credit = Math.max(-rate, Math.min(most, before) - ms);
    buckets.set(name, { creditMs: credit, updatedAtMs: now });
  }
}
