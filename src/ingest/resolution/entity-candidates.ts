/** Finds the records that may match an entity, and indexes records for this search. */

import type { FeedRecordContent } from '../../contract/feed.ts';
import type { SourceRecordKey } from '../../matching/clustering.ts';
import { entityBlockingKeys } from '../../matching/entities/blocking-keys.ts';
import type { EntityFacts, NamedEntityKind } from '../../matching/entities/compare-entities.ts';
import { areSimilarNames, isNameVariant } from '../../matching/entities/name-variants.ts';
import { idsOf, type ServiceId } from '../../matching/external-ids.ts';
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { parseArtistName } from '../../text/artist-name.ts';
import { normalizeId } from '../../text/external-id.ts';
import { lookupForms } from '../../text/lookup-forms.ts';
import type { RecordEdits } from '../records/record-edits.ts';
import type { SourceRecord } from '../records/survivorship.ts';
import type { WriteContext } from '../write-context.ts';
import type { VenueCandidates } from './venue-candidates.ts';

/** Number of candidates at which the search for more ends. */
const maxCandidates = 400;
/** Maximum name look-ups per source record; after that only primary names are looked up, without aliases. */
const maxNameLookups = 1_000;
/** Fewer names are looked up one by one. */
const minReadAhead = 20;

/** Indexes a record under a name. */
export const indexEntityName = (
  store: MatchStore,
  kind: NamedEntityKind,
  record: number,
  name: string,
): void => store.addBlockingKeys(entityBlockingKeys(kind, { names: [name], country: null }), record, 0);

/** The aliases that are spellings of the name. */
const spellingsOf = ({ name, aliases }: EntityFacts): readonly string[] =>
  (aliases ?? []).filter((alias) => isNameVariant(alias, name));

/** The names under which records are searched, the spellings of each, and how many of them are no aliases. */
type SearchedNames = { names: readonly string[]; forms: readonly (readonly string[])[]; ownCount: number };

/**
 * Reads the searched names of facts. An alias of an artist does not count if a source lists it as an artist, unless it is
 * a spelling of the name.
 */
function readSearchedNames(kind: NamedEntityKind, facts: EntityFacts): SearchedNames {
  const own = [facts.name, ...(kind === 'artist' ? parseArtistName(facts.name).names : [])];
  const names = [...own, ...(kind === 'artist' ? spellingsOf(facts) : (facts.aliases ?? []))];
  return { names, forms: names.map((name) => lookupForms(kind, name)), ownCount: own.length };
}
/** Each object of facts is read once: it is searched again for each record that may match it. */
const searchedNames: Record<NamedEntityKind, (facts: EntityFacts) => SearchedNames> = {
  venue: memoizeByObject((facts) => readSearchedNames('venue', facts)),
  artist: memoizeByObject((facts) => readSearchedNames('artist', facts)),
  label: memoizeByObject((facts) => readSearchedNames('label', facts)),
  festival: memoizeByObject((facts) => readSearchedNames('festival', facts)),
};

/** A source record as it is indexed. */
type Listing = SourceRecordKey & { statement: FeedRecordContent<NamedEntityKind> };

/** The source records with the edits of their record. */
function withEdits(listings: readonly Listing[], edits: RecordEdits): Listing[] {
  const records = listings.map(
    ({ source, externalId, statement }): SourceRecord<NamedEntityKind> => ({
      ...{ sourceId: 0, sourceName: source, externalId, statement },
      // Ids have no times and no precedence.
      ...{ trust: 0, clock: 'instant', statedTs: 0, withdrawnTs: null },
    }),
  );
  return edits
    .apply(records)
    .map(({ sourceName, externalId, statement }) => ({ source: sourceName, externalId, statement }));
}

/** The look-ups of venues, artists, labels and festivals by id, name, spelling and sound. */
export class EntityCandidates {
  readonly #context: WriteContext;
  readonly #store: MatchStore;
  readonly #venues: VenueCandidates;
  /** Look-ups for the current source record. */
  readonly #recordsByName = new Map<string, readonly number[]>();
  readonly #recordsById = new Map<string, readonly number[]>();

  constructor(context: WriteContext, store: MatchStore, venues: VenueCandidates) {
    this.#context = context;
    this.#store = store;
    this.#venues = venues;
  }

  /** Clears look-ups before another source record is processed. */
  startRecord(): void {
    this.#recordsByName.clear();
    this.#recordsById.clear();
  }

  /** Indexes a record under the names and external ids of a source record. */
  index(
    kind: NamedEntityKind,
    record: number,
    key: SourceRecordKey,
    statement: FeedRecordContent<NamedEntityKind>,
  ): void {
    const { name, aliases, country } = statement as FeedRecordContent<'artist'>;
    this.#addIds(kind, record, this.#idsOf(kind, record, [{ ...key, statement }]));
    // An alias of an artist does not count if a source lists it as an artist.
    const names = kind === 'artist' ? [name] : [name, ...(aliases ?? [])];
    if (kind === 'venue') {
      const { city, address } = statement as FeedRecordContent<'venue'>;
      this.#venues.index(record, names, { city, country: country ?? null, address });
    } else this.#store.addBlockingKeys(entityBlockingKeys(kind, { names, country }), record, 0);
  }

  /**
   * Removes a record from the look-ups by the ids of a source record that changes or leaves it. Ids that its other source
   * records state stay, and so do names: they only make a record a candidate.
   */
  unindex(
    kind: NamedEntityKind,
    record: number,
    key: SourceRecordKey,
    before: FeedRecordContent<NamedEntityKind>,
  ): void {
    this.#unindex(kind, record, key, before, record);
  }

  /** Indexes the record to which a source record moved instead of the one that it left. Edits of the source record moved, too. */
  move(
    kind: NamedEntityKind,
    { from, to }: { from: number; to: number },
    key: SourceRecordKey,
    statement: FeedRecordContent<NamedEntityKind>,
  ): void {
    this.#unindex(kind, from, key, statement, to);
    this.index(kind, to, key, statement);
  }

  /** @param editedAs the record whose edits apply to the source record */
  #unindex(
    kind: NamedEntityKind,
    record: number,
    key: SourceRecordKey,
    before: FeedRecordContent<NamedEntityKind>,
    editedAs: number,
  ): void {
    const ids = [...idsOf(key, before), ...this.#idsOf(kind, editedAs, [{ ...key, statement: before }])];
    if (ids.length === 0) return;
    const others = this.#listingsOf(record).filter(
      ({ source, externalId }) => source !== key.source || externalId !== key.externalId,
    );
    this.#removeIds(kind, record, ids, this.#idsOf(kind, record, others));
  }

  /** The ids by which a record is found: those of its source records, with its edits. */
  idsOf(kind: NamedEntityKind, record: number): ServiceId[] {
    return this.#idsOf(kind, record, this.#listingsOf(record));
  }

  /** Runs a change of the edits of a record, and brings the look-ups by its ids up to date. */
  followIds(kind: NamedEntityKind, record: number, change: () => void): void {
    const before = this.idsOf(kind, record);
    change();
    const after = this.idsOf(kind, record);
    this.#removeIds(kind, record, before, after);
    this.#addIds(kind, record, after);
  }

  #listingsOf(record: number): Listing[] {
    return this.#context.sources
      .parsedStatementsOf<NamedEntityKind>(record)
      .map((row) => ({ source: row.source_name, externalId: row.external_id, statement: row.statement }));
  }

  /** The ids by which source records of a record make it found, with its edits. */
  #idsOf(kind: NamedEntityKind, record: number, listings: readonly Listing[]): ServiceId[] {
    const edits = this.#context.editsOf(kind, record);
    const edited = edits === null ? listings : withEdits(listings, edits);
    return edited.flatMap((one) => idsOf(one, one.statement));
  }

  #addIds(kind: NamedEntityKind, record: number, ids: readonly ServiceId[]): void {
    for (const [service, id] of ids) this.#store.addExternalId(kind, service, id, record);
  }

  #removeIds(
    kind: NamedEntityKind,
    record: number,
    ids: readonly ServiceId[],
    keptIds: readonly ServiceId[],
  ): void {
    const texts = new Set(keptIds.map((id) => id.join(':')));
    for (const id of ids) if (!texts.has(id.join(':'))) this.#store.removeExternalId(kind, ...id, record);
  }

  /** Indexes a record without source records under the name in its row. */
  indexRow(kind: NamedEntityKind, record: number): void {
    const row = this.#context.writer.row(kind, record);
    if (row === undefined) return;
    const { name, city = null, country = null } = row;
    if (kind === 'venue') this.#venues.index(record, [name], { city, country });
    else indexEntityName(this.#store, kind, record, name);
  }

  /**
   * The records that may match an entity: by id, name, alias, or a word, spelling or sound of its names.
   * @param except a record that is left out
   */
  find(kind: NamedEntityKind, facts: EntityFacts, except: number | null): Set<number> {
    const candidates = new Set<number>();
    const add = (records: readonly number[]): void => {
      for (const record of records) candidates.add(record);
    };
    for (const [service, id] of Object.entries(facts.externalIds ?? {}))
      if (id != null) add(this.#recordsWithId(kind, service, normalizeId(id)));
    for (const [service, { ids }] of Object.entries(facts.impliedIds ?? {}))
      for (const id of ids) add(this.#recordsWithId(kind, service, id));
    const { lookup } = this.#context;
    add(lookup.byNormalizedName(kind, facts.name));
    const { names, forms, ownCount } = searchedNames[kind](facts);
    if (names.length >= minReadAhead) lookup.prefetchByName(kind, forms.flat());
    for (const [at, spellings] of forms.entries()) {
      if (at >= ownCount && this.#recordsByName.size >= maxNameLookups) break;
      for (const form of spellings) if (candidates.size < maxCandidates) add(this.#recordsNamed(kind, form));
    }
    if (candidates.size < maxCandidates) add(this.#indexedRecords(kind, names, facts));
    if (except !== null) candidates.delete(except);
    return candidates;
  }

  /** The records with an id at a service, looked up once per source record. */
  #recordsWithId(kind: NamedEntityKind, service: string, id: string): readonly number[] {
    return getOrCreate(this.#recordsById, `${service}\0${id}`, () =>
      this.#store.findByExternalId(kind, service, id),
    );
  }

  /** The records with a folded name, looked up once per source record. */
  #recordsNamed(kind: NamedEntityKind, folded: string): readonly number[] {
    return getOrCreate(this.#recordsByName, folded, () =>
      this.#context.lookup.recordsNamed(kind, folded).map(({ id }) => id),
    );
  }

  /** The records indexed under a word, spelling or sound of these names. */
  #indexedRecords(kind: NamedEntityKind, names: readonly string[], facts: EntityFacts): number[] {
    const { city = null, country = null, address } = facts;
    if (kind === 'venue') return this.#venues.candidates(names, { city, country, address });
    const keys = entityBlockingKeys(kind, { names, country });
    const records = this.#store
      .findByBlockingKeys(keys.flatMap((key) => [key, key]))
      .map(([, record]) => record);
    if (kind !== 'artist') return [...new Set(records)];
    // Many names sound alike; only similar ones are kept.
    return [...new Set(records)].filter((record) => {
      const name = this.#context.writer.row(kind, record)?.name;
      return typeof name === 'string' && names.some((one) => areSimilarNames(one, name));
    });
  }
}
