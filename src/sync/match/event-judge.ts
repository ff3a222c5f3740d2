/** Judging of two statements in the light of all that is stored: what page serves several dates is known there alone. */
import type { Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import { judgeEvents } from './events.ts';
import { pageRange } from './keys.ts';
import { pagesOf, sharedPages } from './links.ts';
import type { Judgement, Listing } from './listing.ts';

/** A statement of a show, as it says where it is to be found. */
type Said = { source: string; statement: Pick<Statement<'event'>, 'start_at' | 'url' | 'tickets'> };

export class EventJudge {
  readonly #store: MatchStore;
  /** The statements of a record. */
  readonly #said: (record: number) => readonly Said[];
  /** What is about to be stored. */
  #coming: Said | null = null;
  readonly #known = new WeakMap<Listing, WeakMap<Listing, Judgement>>();

  constructor(store: MatchStore, said: (record: number) => readonly Said[]) {
    this.#store = store;
    this.#said = said;
  }

  /** What comes next counts as stored. */
  expect(coming: Said | null): void {
    this.#coming = coming;
  }

  /** How two are judged; each two once, however often they meet. */
  judge(a: Listing, b: Listing): Judgement {
    const known = this.#known.get(a)?.get(b) ?? this.#known.get(b)?.get(a);
    if (known) return known;
    const judgement = this.#weigh(a, b);
    const others = this.#known.get(a) ?? new WeakMap<Listing, Judgement>();
    this.#known.set(a, others.set(b, judgement));
    return judgement;
  }

  /** A page in common that serves several dates says little (feed.md: "unless it serves several dates"). */
  #weigh(a: Listing, b: Listing): Judgement {
    const shared = sharedPages(a, b);
    const busy = shared.filter(({ key }) => this.#isBusy(key, a, b)).map(({ written }) => written);
    if (busy.length === 0) return judgeEvents(a, b);
    const busyLinks = new Set(busy);
    return judgeEvents({ ...a, busyLinks }, { ...b, busyLinks });
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
