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

/** The pages that two name, each once, and as they are written; the first ones are looked up. */
type Shared = { keys: readonly string[]; written: readonly { key: string; written: string }[] };
/** How two are judged, and which of the pages that are looked up were known to serve several dates: a bit for each. */
type Known = { judgement: Judgement; looked: readonly string[]; busy: number };

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
    const known = this.#known.get(a, b);
    if (known !== undefined && this.#busyBits(known.looked, a, b) === known.busy) return known.judgement;
    const shared = sharedBy(a, b);
    // One page of its own is enough: where the first ones serve several dates, the others hardly tell more.
    const looked = shared.keys.slice(0, mostPages);
    const busy = this.#busyBits(looked, a, b);
    const judgement = judgeEvents(a, b, busyPages(shared, looked, busy));
    this.#known.set(a, b, { judgement, looked, busy });
    return judgement;
  }

  /** Which of these pages serve several dates, a bit for each. */
  #busyBits(pages: readonly string[], a: Listing, b: Listing): number {
    if (pages.length === 0) return 0;
    const starts = this.#startsOn(writtenDay(a.startAt));
    let bits = 0;
    for (const [at, page] of pages.entries()) if (this.#isBusy(page, a, b, starts)) bits |= 1 << at;
    return bits;
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

function sharedBy(a: Listing, b: Listing): Shared {
  const written = sharedPages(a, b);
  return { keys: [...new Set(written.map(({ key }) => key))], written };
}

/** Pages in common that serve several dates, as they are written: they say little (docs/spec/imports.md#evidence). */
function busyPages({ keys, written }: Shared, looked: readonly string[], bits: number): ReadonlySet<string> {
  if (keys.length === 0 || (bits === 0 && keys.length === looked.length)) return none;
  const idle = new Set(looked.filter((_, at) => (bits & (1 << at)) === 0));
  return new Set(written.filter(({ key }) => !idle.has(key)).map((page) => page.written));
}

/** Whether a seller gives a page to shows that begin at another time than this one of its own. */
function isApart({ source, startAt }: Listing, bySource: ReadonlyMap<string, string>): boolean {
  const known = bySource.get(source);
  return known !== undefined && known !== startAt;
}
