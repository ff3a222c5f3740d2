/**
 * What visitors without a credential may use of the service, by network: processing time, in ms. A network has some to
 * begin with and gets so much more each second; who asks for little never notices, whatever the pages cost.
 */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { remembered } from '../remembered.ts';
import { network, region } from './network.ts';

/** What a network has saved up at most, in seconds of its rate. */
const savedSeconds = 30;
/** How many times the share of one network the wider one around it has. */
const regionShares = 4;
const maxNetworks = 20_000;
/** A network that is refused waits until it has this part of a second's rate again. */
const wantedSeconds = 0.5;

/** `credit` (ms of processing) as it was at the time `at` (ms). It may be negative. */
type Bucket = { credit: number; at: number };

/** The networks of an address: the customer's own, and the wider one around it. */
const networksOf = remembered(maxNetworks, (address: string) => ({
  network: network(address),
  region: region(address),
}));

export class VisitorLimit {
  readonly #networks = new LRUCache<string, Bucket>({ max: maxNetworks });
  readonly #regions = new LRUCache<string, Bucket>({ max: maxNetworks });
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
  wait(address: string): number {
    if (this.#msPerSecond === 0) return 0;
    const { network, region } = networksOf(address);
    return Math.max(
      this.#waitOf(this.#networks, network, this.#msPerSecond),
      this.#waitOf(this.#regions, region, this.#msPerSecond * regionShares),
    );
  }

  /** Books processing time (ms) that an address has cost. */
  charge(address: string, ms: number): void {
    if (this.#msPerSecond === 0) return;
    const { network, region } = networksOf(address);
    this.#book(this.#networks, network, this.#msPerSecond, ms);
    this.#book(this.#regions, region, this.#msPerSecond * regionShares, ms);
  }

  #waitOf(buckets: LRUCache<string, Bucket>, name: string, rate: number): number {
    const bucket = buckets.get(name);
    if (bucket === undefined) return 0;
    const credit = bucket.credit + ((this.#now() - bucket.at) * rate) / 1_000;
    return credit > 0 ? 0 : ((rate * wantedSeconds - credit) / rate) * 1_000;
  }

  #book(buckets: LRUCache<string, Bucket>, name: string, rate: number, ms: number): void {
    const now = this.#now();
    const most = rate * savedSeconds;
    const bucket = buckets.get(name);
    const before = bucket === undefined ? most : bucket.credit + ((now - bucket.at) * rate) / 1_000;
    // A debt is bounded as well: nobody waits for more than a second or so beyond what was just used.
    const credit = Math.max(-rate, Math.min(most, before) - ms);
    buckets.set(name, { credit, at: now });
  }
}
