/** Judging of two statements in the light of all that is stored: what page serves several dates is known there alone. */
import { LRUCache } from 'lru-cache';
import type { Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import { judgeEvents } from './events.ts';
import { pageRange } from './keys.ts';
import { pagesOf, sharedPages } from './links.ts';
import type { Judgement, Listing } from './listing.ts';

/** A statement of a show, as it says where it is to be found. */
type Said = { source: string; statement: Pick<Statement<'event'>, 'start_at' | 'url' | 'tickets'> };

/** So many judgements are kept at hand, about 25 MB. */
const mostKnown = 40_000;
/** A pair of numbers below this is one number still. */
const mostNumbers = 2 ** 26;

export class EventJudge {
  readonly #store: MatchStore;
  /** The statements of a record. */
  readonly #said: (record: number) => readonly Said[];
  /** What is about to be stored. */
  #coming: Said | null = null;
  #numbers = new WeakMap<Listing, number>();
  #count = 0;
  /** How two are judged of whom all is known that decides of it. */
  readonly #known = new LRUCache<number, Judgement>({ max: mostKnown });
  /** Of two that name one page, until something else is stored. */
  #linked = new Map<number, Judgement>();

  constructor(store: MatchStore, said: (record: number) => readonly Said[]) {
    this.#store = store;
    this.#said = said;
  }

  /** What comes next counts as stored. */
  expect(coming: Said | null): void {
    this.#coming = coming;
    this.#linked.clear();
  }

  /** How two are judged; each two once, however often they meet. */
  judge(a: Listing, b: Listing): Judgement {
    const [one, two] = [this.#numberOf(a), this.#numberOf(b)];
    const pair = one < two ? one * mostNumbers + two : two * mostNumbers + one;
    const known = this.#known.get(pair) ?? this.#linked.get(pair);
    if (known) return known;
    const shared = sharedPages(a, b);
    const judgement = shared.length === 0 ? judgeEvents(a, b) : this.#weigh(a, b, shared);
    if (shared.length === 0) this.#known.set(pair, judgement);
    else this.#linked.set(pair, judgement);
    return judgement;
  }

  #numberOf(listing: Listing): number {
    let number = this.#numbers.get(listing);
    if (number === undefined) {
      if (this.#count === mostNumbers) this.#beginAnew();
      number = this.#count++;
      this.#numbers.set(listing, number);
    }
    return number;
  }

  /** Out of numbers: what was known under them is another's from here on. */
  #beginAnew(): void {
    this.#numbers = new WeakMap();
    this.#known.clear();
    this.#linked.clear();
    this.#count = 0;
  }

  /** A page in common that serves several dates says little (feed.md: "unless it serves several dates"). */
  #weigh(a: Listing, b: Listing, shared: ReturnType<typeof sharedPages>): Judgement {
    const busy = shared.filter(({ key }) => this.#isBusy(key, a, b)).map(({ written }) => written);
    if (busy.length === 0) return judgeEvents(a, b);
    return judgeEvents(a, b, new Set(busy));
  }

  /** Whether one seller gives a page to two that begin apart. */
  #isBusy(page: string, a: Listing, b: Listing): boolean {
    const starts = new Map([[a.source, a.startAt]]);
    const differs = (source: string, start: string): boolean => {
      const known = starts.get(source);
      if (known === undefined) starts.set(source, start);
      return known !== undefined && known !== start;
    };
    if (differs(b.source, b.startAt)) return true;
    const said = this.recordsAt(page, a.startAt).flatMap((record) => this.#said(record));
    if (this.#coming) said.push(this.#coming);
    return said.some(
      ({ source, statement }) =>
        pagesOf(statement).some(({ key }) => key === page) && differs(source, statement.start_at),
    );
  }

  /** The records that name a page, within a year of a date. */
  recordsAt(page: string, startAt: string): number[] {
    const found = this.#store.near(pageRange(page, startAt));
    return [...new Set(found.map(([, record]) => record))];
  }
}
