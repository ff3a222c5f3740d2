/**
 * The queue of doubtful pairs in the order of review. It is read in short slices, so that a service can do it between
 * requests, and kept until the catalogue or a decision changes it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedKind } from '../../contract/feed.ts';
import type { ReviewStore } from '../../store/resolution/review-store.ts';
import { pairIdOf } from '../corrections/correction-log.ts';
import type { NearName, NearNames } from './near-names.ts';

/** A pair of records in the queue, with its best possible match. */
export type QueuedPair = {
  pair: string;
  kind: FeedKind;
  ids: [number, number];
  score: number;
  /** Events: whether one of the two is not over. */
  isUpcoming: boolean;
};

/** Possible matches read in one step, and the time in ms after which the event loop runs. */
const rowsPerStep = 50;
const sliceMs = 5;
/** How long a queue is used although an import changed the catalogue, in ms: an import changes it all the time. */
const maxAgeMs = 10_000;
/** The same for the pairs with near names, which take longer to find. */
const maxNearAgeMs = 60_000;

/** The queue of one connection. Callers that ask at once share one read. */
export class ReviewQueue {
  readonly #store: ReviewStore;
  readonly #nearNames: NearNames;
  readonly #revision: () => number;
  readonly #now: () => number;
  #pairs: readonly QueuedPair[] = [];
  #state: { revision: number; decision: number; readAt: number } | null = null;
  #reading: Promise<void> | null = null;
  #near: {
    pairs: readonly (readonly [FeedKind, number, number])[];
    revision: number;
    readAt: number;
  } | null = null;

  /**
   * @param revision the present revision of the catalogue
   * @param now ms since 1970, decides which events are over
   */
  constructor(store: ReviewStore, nearNames: NearNames, revision: () => number, now: () => number) {
    this.#store = store;
    this.#nearNames = nearNames;
    this.#revision = revision;
    this.#now = now;
  }

  /** All open pairs in the order of review: see `byUrgency`. */
  async pairs(): Promise<readonly QueuedPair[]> {
    if (this.#isStale()) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    return this.#pairs;
  }

  #isStale(): boolean {
    if (this.#state === null || this.#state.decision !== this.#store.lastDecision()) return true;
    return this.#state.revision !== this.#revision() && performance.now() - this.#state.readAt > maxAgeMs;
  }

  async #read(): Promise<void> {
    const state = {
      revision: this.#revision(),
      decision: this.#store.lastDecision(),
      readAt: performance.now(),
    };
    const pairs = new Map<string, QueuedPair>();
    const now = this.#now();
    let sliceStart = performance.now();
    for (let after: Parameters<ReviewStore['page']>[0] = null; ; ) {
      const { open, next } = this.#store.page(after, rowsPerStep);
      for (const { kind, ids, score } of open) {
        const pair = pairIdOf(kind, ...ids);
        const earlierPair = pairs.get(pair);
        if (earlierPair !== undefined && earlierPair.score >= score) continue;
        const ends = ids.map((id) => this.#store.endOf(kind, id) ?? 0);
        const isUpcoming = kind === 'event' && ends.some((end) => end > now);
        pairs.set(pair, { pair, kind, ids, score, isUpcoming });
      }
      if (next === null) break;
      after = next;
      if (performance.now() - sliceStart > sliceMs) {
        await nextTurn();
        sliceStart = performance.now();
      }
    }
    for (const { kind, ids, score } of this.#openNearNames()) {
      const pair = pairIdOf(kind, ...sortIds(ids));
      if (!pairs.has(pair)) pairs.set(pair, { pair, kind, ids: sortIds(ids), score, isUpcoming: false });
    }
    this.#pairs = [...pairs.values()].sort(byUrgency);
    this.#state = state;
  }

  /** Pairs with near names that are undecided and not put off. */
  #openNearNames(): NearName[] {
    const revision = this.#revision();
    const isOld = this.#near === null || performance.now() - this.#near.readAt > maxNearAgeMs;
    if (this.#near === null || (isOld && this.#near.revision !== revision)) {
      const kinds = ['artist', 'venue'] as const;
      const pairs = kinds.flatMap((kind) =>
        this.#nearNames.candidates(kind).map(([a, b]) => [kind, a, b] as const),
      );
      this.#near = { pairs, revision, readAt: performance.now() };
    }
    return this.#near.pairs.flatMap(([kind, a, b]) => {
      const near = this.#nearNames.between(kind, a, b);
      return near === null || this.#store.isNearPostponed(near) ? [] : [near];
    });
  }
}

const sortIds = ([one, other]: readonly [number, number]): [number, number] =>
  one < other ? [one, other] : [other, one];

/**
 * The order of review: pairs with an upcoming event, then other kinds, then events that are over; in each the most
 * certain first.
 */
const byUrgency = (one: QueuedPair, other: QueuedPair): number =>
  urgency(one) - urgency(other) || other.score - one.score || (one.pair < other.pair ? -1 : 1);

const urgency = ({ kind, isUpcoming }: QueuedPair): number => (kind !== 'event' ? 1 : isUpcoming ? 0 : 2);
