/** Caches comparisons of events of different sources by what the events state. */

import { hash } from 'node:crypto';
import { sourceBitsOf } from '../../matching/events/compare-events.ts';
import type { EventFacts } from '../../matching/model.ts';
import { getOrCreate } from '../../memoize.ts';
import { createLruCache } from '../../store/lru-cache.ts';
import { contentTextOf } from './event-facts.ts';
import { RecentResults } from './recent-results.ts';

/** What events of several sources state alike. */
type EventContent = {
  number: number;
  /** `sourceBitsOf` for each source that was compared. */
  bitsBySource: Map<string, number>;
};

/** Numbers of contents below this bound: two of them and the bits of two sources fit into one safe integer. */
const maxContents = 2 ** 24;
const bitsPerSource = 4;
const maxCachedContents = 10_000;
/** Maximum number of sources whose bits a content keeps. */
const maxSources = 1_000;

/**
 * Caches results by the facts of both events without their source and id: many sources that copy one listing are compared
 * with others once. It is valid for events of different sources only.
 */
export class EventContentCache<Result extends object> {
  readonly #byDigest = createLruCache<string, EventContent>(maxCachedContents);
  #byFacts = new WeakMap<EventFacts, EventContent>();
  #count = 0;
  /** The key of the latest pair, which is looked up and then stored. */
  #latest: { a: EventFacts; b: EventFacts; key: number } | null = null;
  readonly #results: RecentResults<Result>;

  /** @param maxPairs maximum number of cached pairs */
  constructor(maxPairs: number) {
    this.#results = new RecentResults(maxPairs);
  }

  /** The cached result of two events, in either order; undefined if there is none. */
  get(a: EventFacts, b: EventFacts): Result | undefined {
    return this.#results.get(this.#keyOf(a, b));
  }

  /** Caches the result of two events of different sources. */
  set(a: EventFacts, b: EventFacts, result: Result): void {
    this.#results.set(this.#keyOf(a, b), result);
  }

  /** Both contents in the order of their sources, in which they are compared, and what the sources' names have in common. */
  #keyOf(a: EventFacts, b: EventFacts): number {
    if (this.#latest?.a === a && this.#latest.b === b) return this.#latest.key;
    const key = this.#readKey(a, b);
    this.#latest = { a, b, key };
    return key;
  }

  #readKey(a: EventFacts, b: EventFacts): number {
    const [one, two] = a.source < b.source ? [a, b] : [b, a];
    if (this.#count > maxContents - 2) this.#reset();
    const [first, second] = [this.#contentOf(one), this.#contentOf(two)];
    const bits = bitsBetween(first, one, two.source) * bitsPerSource + bitsBetween(second, two, one.source);
    // Below 2^52: two numbers of 24 bits and four bits.
    return (first.number * maxContents + second.number) * bitsPerSource ** 2 + bits;
  }

  #contentOf(facts: EventFacts): EventContent {
    return getOrCreate(this.#byFacts, facts, () => {
      const digest = hash('sha256', contentTextOf(facts), 'base64');
      return getOrCreate(this.#byDigest, digest, () => ({ number: this.#count++, bitsBySource: new Map() }));
    });
  }

  /** The numbers are used up: all contents get new ones. */
  #reset(): void {
    this.#byDigest.clear();
    this.#byFacts = new WeakMap();
    this.#results.clear();
    this.#count = 0;
  }
}

function bitsBetween(content: EventContent, facts: EventFacts, source: string): number {
  if (content.bitsBySource.size >= maxSources) content.bitsBySource.clear();
  return getOrCreate(content.bitsBySource, source, () => sourceBitsOf(facts, source));
}
