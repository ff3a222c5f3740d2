/** Reads the source records of events with their facts for matching. */

import { LRUCache } from 'lru-cache';
import type { FeedRecordContent } from '../../contract/feed.ts';
import { recordKeyText } from '../../matching/clustering.ts';
import type { EventFacts } from '../../matching/model.ts';
import { getOrCreate } from '../../memoize.ts';
import { parseContent } from '../../store/resolution/record-content.ts';
import { keepParsed, type SourceStatementRow } from '../../store/resolution/source-records.ts';
import type { WriteContext } from '../write-context.ts';
import {
  type EventFactsBuilder,
  type EventPlace,
  factsTextOf,
  isSamePlace,
  type SourceEvent,
} from './event-facts.ts';

/** A source record of an event with its current record and its facts. */
export type AssignedEvent = SourceEvent & { record: number | null; facts: EventFacts };

/** A record with this many source records accepts no more, because all of them would be compared with each new one. */
const maxSourceRecords = 200;
const maxFullRecords = 10_000;
/** Maximum number of cached facts; cached comparisons stay valid as long as the facts are unchanged. */
const maxCachedFacts = 4_000;
/** Maximum total length of the cached facts in characters. */
const maxCachedChars = 16_000_000;

/** Facts with their text, and the parsed source record if it is stored. */
type CachedEventFacts = {
  text: string;
  facts: EventFacts;
  source: { text: string; statement: FeedRecordContent<'event'> } | null;
  /** What the facts were built from, besides the stored source record. */
  basis: { place: EventPlace; generation: number; clock: SourceEvent['clock'] } | null;
};
type Stored = Pick<CachedEventFacts, 'source' | 'basis'>;
/** The source records of a record with the places that they were read with. */
type ReadEvents = { generation: number; events: AssignedEvent[]; places: readonly EventPlace[] };

/** The source records of events with their facts. Unchanged ones are the same objects as before. Only reads. */
export class EventSourceRecords {
  readonly #context: WriteContext;
  readonly #factsBuilder: EventFactsBuilder;
  /** Source records read for the current one, and their places. */
  readonly #read = new Map<number, AssignedEvent[]>();
  readonly #places = new Map<FeedRecordContent<'event'>, EventPlace>();
  #placesGeneration = 0;
  /** Source records read before, by their rows. */
  readonly #readBefore = new WeakMap<readonly SourceStatementRow[], ReadEvents>();
  /** Records that have reached `maxSourceRecords`. */
  readonly #full = new Set<number>();
  readonly #factsCache = new LRUCache<string, CachedEventFacts>({
    max: maxCachedFacts,
    maxSize: maxCachedChars,
    sizeCalculation: ({ text, source: parsed }) => text.length + (parsed?.text.length ?? 0) + 1,
  });

  constructor(context: WriteContext, factsBuilder: EventFactsBuilder) {
    this.#context = context;
    this.#factsBuilder = factsBuilder;
  }

  /** Forgets which records accept no more source records. */
  clearCache(): void {
    this.#full.clear();
  }

  /** Clears look-ups before another source record is processed. */
  startRecord(): void {
    this.#read.clear();
    this.#places.clear();
    this.#context.sources.startReading();
  }

  /** Lets a record accept source records again: it lost one. */
  reopen(record: number): void {
    this.#full.delete(record);
  }

  /** Treats these as the source records of a record until the next source record is processed. */
  replace(record: number, events: AssignedEvent[]): void {
    this.#read.set(record, events);
  }

  /** Returns an event with its facts and its record; null: it has none yet. */
  assign(event: SourceEvent, record: number | null): AssignedEvent {
    return { ...event, record, facts: this.#cachedFacts(this.#factsBuilder.factsOf(event), null) };
  }

  /** Returns the cached facts object if the facts are unchanged, so that cached comparisons apply. */
  #cachedFacts(facts: EventFacts, stored: Stored | null): EventFacts {
    const text = factsTextOf(facts);
    const key = recordKeyText(facts);
    const cached = this.#factsCache.get(key);
    const isKnown = cached?.text === text;
    if (isKnown && stored === null) return cached.facts;
    const currentFacts = isKnown ? cached.facts : facts;
    this.#factsCache.set(key, { text, facts: currentFacts, source: null, basis: null, ...stored });
    return currentFacts;
  }

  /** The source records of a record, read once per source record. */
  of(record: number): AssignedEvent[] {
    return getOrCreate(this.#read, record, () => this.#readEvents(record));
  }

  /** The source records of a record; null if it has so many that it accepts no more. */
  ifRoom(record: number): AssignedEvent[] | null {
    if (this.#full.has(record)) return null;
    const events = this.of(record);
    if (events.length < maxSourceRecords) return events;
    if (this.#full.size >= maxFullRecords) this.#full.clear();
    this.#full.add(record);
    return null;
  }

  /** The facts of a stored source record. They are built again only if something that they depend on changed. */
  #factsOf(event: SourceEvent, text: string): EventFacts {
    const place = this.#placeOf(event);
    const { generation } = this.#factsBuilder;
    const cached = this.#factsCache.get(recordKeyText(event));
    const basis = cached?.basis;
    if (
      cached?.source?.text === text &&
      basis?.generation === generation &&
      basis.clock === event.clock &&
      isSamePlace(basis.place, place)
    )
      return cached.facts;
    return this.#cachedFacts(this.#factsBuilder.factsOf(event, place), {
      source: { text, statement: event.statement },
      basis: { place, generation, clock: event.clock },
    });
  }

  /** Where an event is. Without an id, the same statement means the same place for all sources. */
  #placeOf(event: SourceEvent): EventPlace {
    const { statement } = event;
    if (statement.venue?.external_id != null) return this.#factsBuilder.placeOf(event);
    const { generation } = this.#factsBuilder;
    if (this.#placesGeneration !== generation) this.#places.clear();
    this.#placesGeneration = generation;
    return getOrCreate(this.#places, statement, () => this.#factsBuilder.placeOf(event));
  }

  /** The source records of a record; the same objects as before if nothing that they depend on changed. */
  #readEvents(record: number): AssignedEvent[] {
    const rows = this.#context.sources.cachedSourceRecordsOf(record);
    const { generation } = this.#factsBuilder;
    const before = this.#readBefore.get(rows);
    if (before?.generation === generation) {
      const { events, places } = before;
      if (events.every((event, at) => isSamePlace(places[at] as EventPlace, this.#placeOf(event))))
        return events;
    }
    const events = this.#assignRows(record, rows);
    const places = events.map((event) => this.#placeOf(event));
    this.#readBefore.set(rows, { generation, events, places });
    return events;
  }

  #assignRows(record: number, rows: readonly SourceStatementRow[]): AssignedEvent[] {
    // Sources that copy a listing write it alike: it is parsed once. Long texts are compared faster than hashed.
    const parsedTexts: { text: string; statement: FeedRecordContent<'event'> }[] = [];
    return rows.map((row) => {
      const key = { source: row.source_name, externalId: row.external_id };
      const text = row.content;
      const cached = this.#factsCache.get(recordKeyText(key))?.source;
      const statement =
        cached?.text === text
          ? cached.statement
          : (parsedTexts.find((one) => one.text === text)?.statement ?? parseContent<'event'>(text));
      parsedTexts.push({ text, statement });
      keepParsed(row, statement);
      const event = {
        ...key,
        sourceId: row.source_id,
        clock: row.clock as SourceEvent['clock'],
        statement,
      };
      return { ...event, record, facts: this.#factsOf(event, text) };
    });
  }
}
