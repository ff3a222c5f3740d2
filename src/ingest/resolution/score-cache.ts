/** Compares events with knowledge of all stored ones: only there it is known whether a page serves several dates. */

import type { FeedRecordContent } from '../../contract/feed.ts';
import { pageRange, writtenDay } from '../../matching/events/blocking-keys.ts';
import { compareDates, compareEvents } from '../../matching/events/compare-events.ts';
import type { EventFacts, MatchResult } from '../../matching/model.ts';
import { pageKeysOf, type SharedPages, sharedPages } from '../../matching/page-links.ts';
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import type { FoundRanges } from '../../store/resolution/blocking-keys.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { EventContentCache } from './event-contents.ts';
import { PairCache } from './pair-cache.ts';

/** The pages and start of an event's source record. */
type PageStatement = {
  source: string;
  statement: Pick<FeedRecordContent<'event'>, 'start_at' | 'url' | 'tickets'>;
};

/** The start of each source's event at a page, as long as each source has only one. */
type PageStarts = { servesSeveralDates: boolean; bySource: ReadonlyMap<string, string> };

/** Maximum cached comparisons, about 25 MB. */
const maxCachedPairs = 40_000;
/** Maximum number of common pages that are checked for several dates. */
const maxCheckedPages = 20;
/** Maximum number of pages that are looked up in one statement. */
const maxPagesPerRead = 50;
const noPages: ReadonlySet<string> = new Set();

/** A comparison, and a bit for each checked page that served several dates. */
type CachedResult = { result: MatchResult; keys: readonly string[]; busyPagesKey: number };

/** Compares events and caches the results, by identity of facts within a source and by content between sources. */
export class EventScoreCache {
  readonly #store: MatchStore;
  readonly #sourceRecordsOf: (record: number) => readonly PageStatement[];
  /** The source record that is about to be stored. */
  #pending: PageStatement | null = null;
  /** Results for two events of one source, and for those of different sources. */
  readonly #ofOneSource = new PairCache<EventFacts, CachedResult>(maxCachedPairs / 2);
  readonly #ofTwoSources = new EventContentCache<CachedResult>(maxCachedPairs / 2);
  /** The starts per source of a page, by day and page; cleared when something is stored. */
  readonly #starts = new Map<number, Map<string, PageStarts>>();

  constructor(store: MatchStore, sourceRecordsOf: (record: number) => readonly PageStatement[]) {
    this.#store = store;
    this.#sourceRecordsOf = sourceRecordsOf;
  }

  /** Treats this source record as stored. */
  setPending(pending: PageStatement | null): void {
    this.#pending = pending;
    this.#starts.clear();
  }

  /** Compares two events. Results are cached while the common pages serve the same number of dates. */
  compare(a: EventFacts, b: EventFacts): MatchResult {
    const isOneSource = a.source === b.source;
    // Comparing dates takes less time than finding a cached result.
    const ofOtherDates = isOneSource ? null : compareDates(a, b);
    if (ofOtherDates !== null) return ofOtherDates;
    const results = isOneSource ? this.#ofOneSource : this.#ofTwoSources;
    const cached = results.get(a, b);
    if (cached !== undefined && this.#busyBits(cached.keys, a, b) === cached.busyPagesKey)
      return cached.result;
    const shared = sharedPages(a, b);
    // If the first pages serve several dates, further ones rarely add evidence.
    const checkedKeys = shared.keys.slice(0, maxCheckedPages);
    const busy = this.#busyBits(checkedKeys, a, b);
    const result = compareEvents(a, b, busyPages(shared, busy));
    results.set(a, b, { result, keys: checkedKeys, busyPagesKey: busy });
    return result;
  }

  /** The pages that serve several dates, one bit each. */
  #busyBits(pages: readonly string[], a: EventFacts, b: EventFacts): number {
    if (pages.length === 0) return 0;
    const starts = this.#startsOn(writtenDay(a.startAt));
    let bits = 0;
    for (const [at, page] of pages.entries())
      if (this.#servesSeveralDates(page, a, b, starts)) bits |= 1 << at;
    return bits;
  }

  /** Whether a source uses a page for two events that start at different times. */
  #servesSeveralDates(
    page: string,
    a: EventFacts,
    b: EventFacts,
    startsByPage: Map<string, PageStarts>,
  ): boolean {
    if (a.source === b.source && a.startAt !== b.startAt) return true;
    const starts = getOrCreate(startsByPage, page, () => this.#readStarts(page, a.startAt));
    const { servesSeveralDates: isBusy, bySource } = starts;
    return isBusy || hasOtherStart(a, bySource) || hasOtherStart(b, bySource);
  }

  #startsOn(day: number): Map<string, PageStarts> {
    return getOrCreate(this.#starts, day, () => new Map());
  }

  #readStarts(page: string, startAt: string): PageStarts {
    const statements = this.recordsWithPage(page, startAt).flatMap((record) => this.#sourceRecordsOf(record));
    if (this.#pending) statements.push(this.#pending);
    const bySource = new Map<string, string>();
    for (const { source, statement } of statements) {
      if (!pageKeysOf(statement).has(page)) continue;
      const starts = bySource.get(source);
      if (starts !== undefined && starts !== statement.start_at)
        return { servesSeveralDates: true, bySource };
      bySource.set(source, statement.start_at);
    }
    return { servesSeveralDates: false, bySource };
  }

  /** The records that name a page, within a year of a date. */
  recordsWithPage(page: string, startAt: string): number[] {
    const matches = this.#store.findByBlockingKeys(pageRange(page, startAt));
    return [...new Set(matches.map(([, record]) => record))];
  }

  /**
   * The records of each of many pages.
   * @param knownRanges ranges of blocking keys that are not read again; those read are added
   */
  recordsWithPages(pages: readonly string[], startAt: string, knownRanges: FoundRanges): number[][] {
    const records = pages.map(() => new Set<number>());
    for (let from = 0; from < pages.length; from += maxPagesPerRead) {
      const part = pages.slice(from, from + maxPagesPerRead);
      const ranges = part.flatMap((page) => pageRange(page, startAt));
      for (const [at, record] of this.#store.findByBlockingKeys(ranges, knownRanges))
        records[from + at]?.add(record);
    }
    return records.map((one) => [...one]);
  }
}

/** The common pages that serve several dates, as written; they are weak evidence (docs/spec/imports.md#evidence). */
function busyPages(shared: SharedPages, bits: number): ReadonlySet<string> {
  const { keys, pages } = shared;
  if (keys.length === 0 || (bits === 0 && keys.length <= maxCheckedPages)) return noPages;
  const idle = new Set(keys.slice(0, maxCheckedPages).filter((_, at) => (bits & (1 << at)) === 0));
  return getOrCreate(busyByBits(shared), bits, () => {
    return new Set(pages.filter(({ key }) => !idle.has(key)).map((page) => page.written));
  });
}
/** Listings of the same addresses share the same pages. */
const busyByBits = memoizeByObject((_: SharedPages) => new Map<number, ReadonlySet<string>>());

/** Whether a source uses the page for an event with another start than its own one here. */
function hasOtherStart({ source, startAt }: EventFacts, bySource: ReadonlyMap<string, string>): boolean {
  const starts = bySource.get(source);
  return starts !== undefined && starts !== startAt;
}
