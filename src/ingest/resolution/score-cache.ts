/** Judging of two statements in the light of all that is stored: what page serves several dates is known there alone. */
import type { FeedRecordContent } from '../../contract/feed.ts';
import { pageRange, writtenDay } from '../../matching/events/blocking-keys.ts';
import { compareEvents } from '../../matching/events/compare-events.ts';
import type { EventFacts, MatchResult } from '../../matching/model.ts';
import { pagesOf, sharedPages } from '../../matching/page-links.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { PairCache } from './pair-cache.ts';

/** A statement of a show, as it says where it is to be found. */
type PageStatement = {
  source: string;
  statement: Pick<FeedRecordContent<'event'>, 'start_at' | 'url' | 'tickets'>;
};

/** The start of each seller's shows at a page, as long as each has one alone. */
type PageStarts = { servesSeveralDates: boolean; bySource: ReadonlyMap<string, string> };

/** So many judgements are kept at hand, about 25 MB. */
const maxCachedPairs = 40_000;
/** Of so many pages in common it is looked up whether they serve several dates. */
const maxCheckedPages = 20;
const noPages: ReadonlySet<string> = new Set();

/** The pages that two name, each once, and as they are written; the first ones are looked up. */
type Shared = { keys: readonly string[]; written: readonly { key: string; written: string }[] };
/** How two are judged, and which of the pages that are looked up were known to serve several dates: a bit for each. */
type CachedResult = { result: MatchResult; looked: readonly string[]; busyPagesKey: number };

export class EventScoreCache {
  readonly #store: MatchStore;
  /** The statements of a record. */
  readonly #sourceRecordsOf: (record: number) => readonly PageStatement[];
  /** What is about to be stored. */
  #pending: PageStatement | null = null;
  readonly #results = new PairCache<EventFacts, CachedResult>(maxCachedPairs);
  /** The starts that each seller gives a page, by day and page, until something else is stored. */
  readonly #starts = new Map<number, Map<string, PageStarts>>();

  constructor(store: MatchStore, said: (record: number) => readonly PageStatement[]) {
    this.#store = store;
    this.#sourceRecordsOf = said;
  }

  /** What comes next counts as stored. */
  setPending(coming: PageStatement | null): void {
    this.#pending = coming;
    this.#starts.clear();
  }

  /** How two are judged; each two once, as long as their pages serve as many dates as before. */
  compare(a: EventFacts, b: EventFacts): MatchResult {
    const known = this.#results.get(a, b);
    if (known !== undefined && this.#busyBits(known.looked, a, b) === known.busyPagesKey) return known.result;
    const shared = sharedBy(a, b);
    // One page of its own is enough: where the first ones serve several dates, the others hardly tell more.
    const looked = shared.keys.slice(0, maxCheckedPages);
    const busy = this.#busyBits(looked, a, b);
    const judgement = compareEvents(a, b, busyPages(shared, looked, busy));
    this.#results.set(a, b, { result: judgement, looked, busyPagesKey: busy });
    return judgement;
  }

  /** Which of these pages serve several dates, a bit for each. */
  #busyBits(pages: readonly string[], a: EventFacts, b: EventFacts): number {
    if (pages.length === 0) return 0;
    const starts = this.#startsOn(writtenDay(a.startAt));
    let bits = 0;
    for (const [at, page] of pages.entries())
      if (this.#servesSeveralDates(page, a, b, starts)) bits |= 1 << at;
    return bits;
  }

  /** Whether one seller gives a page to two that begin apart. */
  #servesSeveralDates(page: string, a: EventFacts, b: EventFacts, known: Map<string, PageStarts>): boolean {
    if (a.source === b.source && a.startAt !== b.startAt) return true;
    let starts = known.get(page);
    if (starts === undefined) {
      starts = this.#readStarts(page, a.startAt);
      known.set(page, starts);
    }
    const { servesSeveralDates: isBusy, bySource } = starts;
    return isBusy || hasOtherStart(a, bySource) || hasOtherStart(b, bySource);
  }

  #startsOn(day: number): Map<string, PageStarts> {
    let starts = this.#starts.get(day);
    if (starts === undefined) {
      starts = new Map();
      this.#starts.set(day, starts);
    }
    return starts;
  }

  #readStarts(page: string, startAt: string): PageStarts {
    const said = this.recordsWithPage(page, startAt).flatMap((record) => this.#sourceRecordsOf(record));
    if (this.#pending) said.push(this.#pending);
    const bySource = new Map<string, string>();
    for (const { source, statement } of said) {
      if (!pagesOf(statement).some(({ key }) => key === page)) continue;
      const known = bySource.get(source);
      if (known !== undefined && known !== statement.start_at) return { servesSeveralDates: true, bySource };
      bySource.set(source, statement.start_at);
    }
    return { servesSeveralDates: false, bySource };
  }

  /** The records that name a page, within a year of a date. */
  recordsWithPage(page: string, startAt: string): number[] {
    const found = this.#store.findByBlockingKeys(pageRange(page, startAt));
    return [...new Set(found.map(([, record]) => record))];
  }
}

function sharedBy(a: EventFacts, b: EventFacts): Shared {
  const written = sharedPages(a, b);
  return { keys: [...new Set(written.map(({ key }) => key))], written };
}

/** Pages in common that serve several dates, as they are written: they say little (docs/spec/imports.md#evidence). */
function busyPages({ keys, written }: Shared, looked: readonly string[], bits: number): ReadonlySet<string> {
  if (keys.length === 0 || (bits === 0 && keys.length === looked.length)) return noPages;
  const idle = new Set(looked.filter((_, at) => (bits & (1 << at)) === 0));
  return new Set(written.filter(({ key }) => !idle.has(key)).map((page) => page.written));
}

/** Whether a seller gives a page to shows that begin at another time than this one of its own. */
function hasOtherStart({ source, startAt }: EventFacts, bySource: ReadonlyMap<string, string>): boolean {
  const known = bySource.get(source);
  return known !== undefined && known !== startAt;
}
