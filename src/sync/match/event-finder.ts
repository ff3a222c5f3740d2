/** Where shows are filed, and which of those on record lie near one: in place, in time, by a word or a page. */
import type { Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import type { Evidence, SaidEvent } from './evidence.ts';
import { eventKeys, type Key, mayBeOneCity, sourceOfTag, tagOf } from './keys.ts';
import { isNoPlace } from './no-place.ts';

/** With so many records one listing is compared. */
const mostNear = 120;

/** Records near a listing, and how many more there are. */
export type Near = { records: ReadonlySet<number>; left: number };

export class EventFinder {
  readonly #store: MatchStore;
  readonly #evidence: Evidence;
  /** The one source that lists shows; 0 where there are more, null where that is not known. */
  #alone: number | null = null;

  constructor(store: MatchStore, evidence: Evidence) {
    this.#store = store;
    this.#evidence = evidence;
  }

  forget(): void {
    if (this.#alone !== 0) this.#alone = null;
  }

  /** Files a record under the keys of a statement of it. */
  file(record: number, said: SaidEvent): void {
    const keys = eventKeys(said.source, said.statement).map(({ at }) => at);
    this.#store.addKeys(keys, record, this.#tag(said));
  }

  /** Takes a record from under the keys of a statement that is not its own any more. */
  unfile(record: number, said: SaidEvent): void {
    const tag = this.#tag(said);
    for (const { at } of eventKeys(said.source, said.statement)) {
      this.#store.dropKey(at, record, tag);
      // Filed before its city was known, or after.
      for (const city of [null, cityOf(said.statement).city])
        this.#store.dropKey(at, record, tagOf(said.sourceId, city));
    }
  }

  /**
   * Records that may be the same show: those of the days around that share a word in one city, or a house, or a page. Of
   * more than `mostNear` those that share most.
   */
  near(said: SaidEvent, except: number | null = null): ReadonlySet<number> {
    return this.nearest(said, except).records;
  }

  /** The same, and how many more there are. */
  nearest(said: SaidEvent, except: number | null = null): Near {
    const tag = this.#tag(said);
    const keys = eventKeys(said.source, said.statement).filter(
      ({ own }) => own || this.hasOthers(said.sourceId),
    );
    const ranges: number[] = [];
    for (const { at, dated } of keys) ranges.push(at - (dated ? 1 : 0), at + (dated ? 1 : 0));
    const shares = new Map<number, number>();
    for (const [range, record, theirs] of this.#store.near(ranges)) {
      const key = keys[range] as Key;
      if (record === except || !this.#isWorth(key, theirs, tag)) continue;
      shares.set(record, (shares.get(record) ?? 0) + (key.strong ? 1.5 : 1));
    }
    if (shares.size <= mostNear) return { records: new Set(shares.keys()), left: 0 };
    const nearest = [...shares].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, mostNear);
    return { records: new Set(nearest.map(([record]) => record)), left: shares.size - mostNear };
  }

  #tag({ sourceId, statement }: SaidEvent): number {
    const { city, country } = cityOf(statement);
    return tagOf(sourceId, this.#evidence.cityName(city, country));
  }

  /** As long as one source alone lists shows, none of them can be another's. */
  hasOthers(sourceId: number): boolean {
    if (this.#alone === sourceId) return false;
    if (this.#alone === 0) return true;
    this.#alone = this.#store.hasOthers('event', sourceId) ? 0 : sourceId;
    return this.#alone === 0;
  }

  #isWorth(key: Key, theirs: number, ours: number): boolean {
    if (sourceOfTag(theirs) === sourceOfTag(ours)) return key.own;
    return !key.own && (key.strong || mayBeOneCity(theirs, ours));
  }
}

/** Where a show is looked for: what stands beside a house that is none says nothing of it. */
function cityOf({ venue, city, country }: Statement<'event'>) {
  const house = venue && !isNoPlace(venue.name) ? venue : null;
  return { city: house?.city ?? city ?? null, country: house?.country ?? country ?? null };
}
