/** Where shows are filed, and which of those on record lie near one: in place, in time, by a word or a page. */
import type { FeedRecordContent } from '../../contract/feed.ts';
import {
  type BlockingKey,
  eventBlockingKeys,
  mayBeSameCity,
  scopeOf,
  sourceOfScope,
} from '../../matching/events/blocking-keys.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import type { EventFactsBuilder, SourceEvent } from './event-facts.ts';

/** With so many records one listing is compared. */
const maxCandidates = 120;

/** Records near a listing, and how many more there are. */
export type CandidateSet = { records: ReadonlySet<number>; omitted: number };

export class EventCandidates {
  readonly #store: MatchStore;
  readonly #factsBuilder: EventFactsBuilder;
  /** The one source that lists shows; 0 where there are more, null where that is not known. */
  #onlySource: number | null = null;

  constructor(store: MatchStore, evidence: EventFactsBuilder) {
    this.#store = store;
    this.#factsBuilder = evidence;
  }

  clearCache(): void {
    if (this.#onlySource !== 0) this.#onlySource = null;
  }

  /** Files a record under the keys of a statement of it. */
  index(record: number, said: SourceEvent): void {
    const keys = eventBlockingKeys(said.source, said.statement).map(({ value: at }) => at);
    this.#store.addBlockingKeys(keys, record, this.#tag(said));
  }

  /** Takes a record from under the keys of a statement that is not its own any more. */
  unindex(record: number, said: SourceEvent): void {
    const tag = this.#tag(said);
    for (const { value: at } of eventBlockingKeys(said.source, said.statement)) {
      this.#store.removeBlockingKey(at, record, tag);
      // Filed before its city was known, or after.
      for (const city of [null, searchCity(said.statement).city])
        this.#store.removeBlockingKey(at, record, scopeOf(said.sourceId, city));
    }
  }

  /**
   * Records that may be the same show: those of the days around that share a word in one city, or a house, or a page. Of
   * more than `mostNear` those that share most.
   */
  candidates(said: SourceEvent, except: number | null = null): ReadonlySet<number> {
    return this.rankedCandidates(said, except).records;
  }

  /** The same, and how many more there are. */
  rankedCandidates(said: SourceEvent, except: number | null = null): CandidateSet {
    const tag = this.#tag(said);
    const keys = eventBlockingKeys(said.source, said.statement).filter(
      ({ sameSourceOnly: own }) => own || this.hasOtherSources(said.sourceId),
    );
    const ranges: number[] = [];
    for (const { value: at, perDay: dated } of keys) ranges.push(at - (dated ? 1 : 0), at + (dated ? 1 : 0));
    const shares = new Map<number, number>();
    for (const [range, record, theirs] of this.#store.findByBlockingKeys(ranges)) {
      const key = keys[range] as BlockingKey;
      if (record === except || !this.#isUsable(key, theirs, tag)) continue;
      shares.set(record, (shares.get(record) ?? 0) + (key.crossCity ? 1.5 : 1));
    }
    if (shares.size <= maxCandidates) return { records: new Set(shares.keys()), omitted: 0 };
    const nearest = [...shares].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, maxCandidates);
    return { records: new Set(nearest.map(([record]) => record)), omitted: shares.size - maxCandidates };
  }

  #tag({ sourceId, statement }: SourceEvent): number {
    const { city, country } = searchCity(statement);
    return scopeOf(sourceId, this.#factsBuilder.cityName(city, country));
  }

  /** As long as one source alone lists shows, none of them can be another's. */
  hasOtherSources(sourceId: number): boolean {
    if (this.#onlySource === sourceId) return false;
    if (this.#onlySource === 0) return true;
    this.#onlySource = this.#store.hasOtherSources('event', sourceId) ? 0 : sourceId;
    return this.#onlySource === 0;
  }

  #isUsable(key: BlockingKey, theirs: number, ours: number): boolean {
    if (sourceOfScope(theirs) === sourceOfScope(ours)) return key.sameSourceOnly;
    return !key.sameSourceOnly && (key.crossCity || mayBeSameCity(theirs, ours));
  }
}

/** Where a show is looked for: what stands beside a house that is none says nothing of it. */
function searchCity({ venue, city, country }: FeedRecordContent<'event'>) {
  const house = venue && !isPlaceholderVenue(venue.name) ? venue : null;
  return { city: house?.city ?? city ?? null, country: house?.country ?? country ?? null };
}
