/** Judging of two statements in the light of all that is stored: what page serves several dates is known there alone. */
import type { Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import { judgeEvents } from './events.ts';
import { pageRange, writtenDay } from './keys.ts';
import { pagesOf, sharedPages } from './links.ts';
import type { Judgement, Listing } from './listing.ts';
import { PairMemory } from './pair-memory.ts';

/** A statement of a show, as it says where it is to be found. */
type Said = { source: string; statement: Pick<Statement<'event'>, 'start_at' | 'url' | 'tickets'> };

/** The start of each seller's shows at a page, as long as each has one alone. */
type Starts = { isBusy: boolean; bySource: ReadonlyMap<string, string> };

/** So many judgements are kept at hand, about 25 MB. */
const mostKnown = 40_000;
/** Of so many pages in common it is looked up whether they serve several dates. */
const mostPages = 20;
const none: ReadonlySet<string> = new Set();

/** How two are judged, and which of their pages were known to serve several dates. */
type Known = { judgement: Judgement; busy: string };

export class EventJudge {
  readonly #store: MatchStore;
  /** The statements of a record. */
  readonly #said: (record: number) => readonly Said[];
  /** What is about to be stored. */
  #coming: Said | null = null;
  readonly #known = new PairMemory<Listing, Known>(mostKnown);
  /** The starts that each seller gives a page, by day and page, until something else is stored. */
  readonly #starts = new Map<number, Map<string, Starts>>();

  constructor(store: MatchStore, said: (record: number) => readonly Said[]) {
    this.#store = store;
    this.#said = said;
  }

  /** What comes next counts as stored. */
  expect(coming: Said | null): void {
    this.#coming = coming;
    this.#starts.clear();
  }

  /** How two are judged; each two once, as long as their pages serve as many dates as before. */
  judge(a: Listing, b: Listing): Judgement {
    const busy = this.#busyPages(a, b);
    const text = busy.size === 0 ? '' : [...busy].toSorted().join('\n');
    const known = this.#known.get(a, b);
    if (known?.busy === text) return known.judgement;
    const judgement = judgeEvents(a, b, busy);
    this.#known.set(a, b, { judgement, busy: text });
    return judgement;
  }

  /** A page in common that serves several dates says little (docs/spec/imports.md#evidence: "unless it serves several dates"). */
  #busyPages(a: Listing, b: Listing): ReadonlySet<string> {
    const shared = sharedPages(a, b);
    if (shared.length === 0) return none;
    const starts = this.#startsOn(writtenDay(a.startAt));
    const busy = new Map<string, boolean>();
    for (const { key } of shared) {
      // One page of its own is enough: where the first ones serve several dates, the others hardly tell more.
      if (!busy.has(key)) busy.set(key, busy.size >= mostPages || this.#isBusy(key, a, b, starts));
    }
    return new Set(shared.filter(({ key }) => busy.get(key)).map(({ written }) => written));
  }

  /** Whether one seller gives a page to two that begin apart. */
  #isBusy(page: string, a: Listing, b: Listing, known: Map<string, Starts>): boolean {
    if (a.source === b.source && a.startAt !== b.startAt) return true;
    let starts = known.get(page);
    if (starts === undefined) {
      starts = this.#readStarts(page, a.startAt);
      known.set(page, starts);
    }
    const { isBusy, bySource } = starts;
    return isBusy || isApart(a, bySource) || isApart(b, bySource);
  }

  #startsOn(day: number): Map<string, Starts> {
    let starts = this.#starts.get(day);
    if (starts === undefined) {
      starts = new Map();
      this.#starts.set(day, starts);
    }
    return starts;
  }

  #readStarts(page: string, startAt: string): Starts {
    const said = this.recordsAt(page, startAt).flatMap((record) => this.#said(record));
    if (this.#coming) said.push(this.#coming);
    const bySource = new Map<string, string>();
    for (const { source, statement } of said) {
      if (!pagesOf(statement).some(({ key }) => key === page)) continue;
      const known = bySource.get(source);
      if (known !== undefined && known !== statement.start_at) return { isBusy: true, bySource };
      bySource.set(source, statement.start_at);
    }
    return { isBusy: false, bySource };
  }

  /** The records that name a page, within a year of a date. */
  recordsAt(page: string, startAt: string): number[] {
    const found = this.#store.near(pageRange(page, startAt));
    return [...new Set(found.map(([, record]) => record))];
  }
}

/** Whether a seller gives a page to shows that begin at another time than this one of its own. */
function isApart({ source, startAt }: Listing, bySource: ReadonlyMap<string, string>): boolean {
  const known = bySource.get(source);
  return known !== undefined && known !== startAt;
}
