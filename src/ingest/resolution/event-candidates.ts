/** The blocking index of events: finds records near an event in place and time that share a word or a page. */
import type { FeedRecordContent } from '../../contract/feed.ts';
import {
  type BlockingKey,
  eventBlockingKeys,
  mayBeSameCity,
  scopeOf,
  sourceOfScope,
} from '../../matching/events/blocking-keys.ts';
import { type BlockingKeyRow, FoundRanges } from '../../store/resolution/blocking-keys.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import type { EventFactsBuilder, SourceEvent } from './event-facts.ts';

/** Maximum number of records compared with one event. */
const maxCandidates = 120;

/** Candidate records, and the number of omitted ones. */
export type CandidateSet = { records: ReadonlySet<number>; omitted: number };

/** The blocking index of events, and the candidates of one event. */
export class EventCandidates {
  readonly #store: MatchStore;
  readonly #factsBuilder: EventFactsBuilder;
  /** The only source that lists events; 0 if there are several, null if unknown. */
  #onlySource: number | null = null;
  /** Ranges of keys read for the current source record: others near it have many of the same keys. */
  readonly found = new FoundRanges();
  /** The latest result: the current source record is looked up twice. */
  #latest: { event: SourceEvent; except: number | null; candidates: CandidateSet } | null = null;

  constructor(store: MatchStore, evidence: EventFactsBuilder) {
    this.#store = store;
    this.#factsBuilder = evidence;
  }

  /** Clears what depends on stored records. That several sources list events is kept: it stays true for an import. */
  clearCache(): void {
    this.#latest = null;
    if (this.#onlySource !== 0) this.#onlySource = null;
  }

  /** Clears look-ups before another source record is processed. */
  startRecord(): void {
    this.found.clear();
    this.#latest = null;
  }

  /** Indexes a record under the blocking keys of a source record. */
  index(record: number, event: SourceEvent): void {
    this.startRecord();
    const keys = eventBlockingKeys(event.source, event.statement).map(({ value }) => value);
    this.#store.addBlockingKeys(keys, record, this.#scope(event));
  }

  /** Removes a record from the blocking keys of a source record. */
  unindex(record: number, event: SourceEvent): void {
    this.startRecord();
    const scope = this.#scope(event);
    for (const { value } of eventBlockingKeys(event.source, event.statement)) {
      this.#store.removeBlockingKey(value, record, scope);
      // It may have been indexed before or after its city was known.
      for (const city of [null, searchCity(event.statement).city])
        this.#store.removeBlockingKey(value, record, scopeOf(event.sourceId, city));
    }
  }

  /**
   * Records that may be the same event: on adjacent days with a common word in one city, a common venue, or a common
   * page. If there are more than `maxCandidates`, those with the most keys in common.
   */
  candidates(event: SourceEvent, except: number | null = null): ReadonlySet<number> {
    return this.rankedCandidates(event, except).records;
  }

  /** Like `candidates`, with the number of omitted records. */
  rankedCandidates(event: SourceEvent, except: number | null = null): CandidateSet {
    const latest = this.#latest;
    const isLatest =
      latest?.event.statement === event.statement &&
      latest.event.sourceId === event.sourceId &&
      latest.except === except;
    const candidates = isLatest ? latest.candidates : this.#readCandidates(event, except);
    this.#latest = { event, except, candidates };
    return candidates;
  }

  #readCandidates(event: SourceEvent, except: number | null): CandidateSet {
    const scope = this.#scope(event);
    const allKeys = eventBlockingKeys(event.source, event.statement);
    const keys = this.hasOtherSources(event.sourceId)
      ? allKeys
      : allKeys.filter(({ sameSourceOnly }) => sameSourceOnly);
    const ranges: number[] = [];
    for (const { value: at, perDay: dated } of keys) ranges.push(at - (dated ? 1 : 0), at + (dated ? 1 : 0));
    const rows = this.#store.findByBlockingKeys(ranges, this.found);
    const records = new Set<number>();
    for (const row of rows) if (this.#isCandidate(row, keys, scope, except)) records.add(row[1]);
    // Nearly all events have few candidates: what they share is counted only if some must be omitted.
    if (records.size <= maxCandidates) return { records, omitted: 0 };
    const shares = new Map<number, number>();
    for (const row of rows) {
      if (!this.#isCandidate(row, keys, scope, except)) continue;
      const [range, record] = row;
      shares.set(record, (shares.get(record) ?? 0) + (keys[range]?.crossCity ? 1.5 : 1));
    }
    const nearest = [...shares].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, maxCandidates);
    return { records: new Set(nearest.map(([record]) => record)), omitted: shares.size - maxCandidates };
  }

  #isCandidate(
    [range, record, scopeOfRecord]: BlockingKeyRow,
    keys: readonly BlockingKey[],
    scope: number,
    except: number | null,
  ): boolean {
    return record !== except && this.#isUsable(keys[range] as BlockingKey, scopeOfRecord, scope);
  }

  #scope({ sourceId, statement }: SourceEvent): number {
    const { city, country } = searchCity(statement);
    return scopeOf(sourceId, this.#factsBuilder.cityName(city, country));
  }

  /** Whether another source lists events; events of a single source are not matched with each other. */
  hasOtherSources(sourceId: number): boolean {
    if (this.#onlySource === sourceId) return false;
    if (this.#onlySource === 0) return true;
    this.#onlySource = this.#store.hasOtherSources('event', sourceId) ? 0 : sourceId;
    return this.#onlySource === 0;
  }

  #isUsable(key: BlockingKey, scopeOfRecord: number, scope: number): boolean {
    if (sourceOfScope(scopeOfRecord) === sourceOfScope(scope)) return key.sameSourceOnly;
    return !key.sameSourceOnly && (key.crossCity || mayBeSameCity(scopeOfRecord, scope));
  }
}

/** The city of an event; text beside a placeholder venue says nothing about that venue. */
function searchCity({ venue, city, country }: FeedRecordContent<'event'>) {
  const knownVenue = venue && !isPlaceholderVenue(venue.name) ? venue : null;
  return { city: knownVenue?.city ?? city ?? null, country: knownVenue?.country ?? country ?? null };
}
