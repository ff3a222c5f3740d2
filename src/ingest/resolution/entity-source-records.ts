/** Reads the source records of entities as facts for matching, and the names of records that are known by name only. */

import type { FeedRecordContent } from '../../contract/feed.ts';
import type {
  EntityFacts,
  EntitySourceRecord,
  NamedEntityKind,
} from '../../matching/entities/compare-entities.ts';
import { distanceMeters } from '../../matching/entities/compare-locations.ts';
import { isNameVariant } from '../../matching/entities/name-variants.ts';
import { impliedIds } from '../../matching/external-ids.ts';
import { maxComparedNameLength } from '../../matching/model.ts';
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import { parseContent } from '../../store/resolution/record-content.ts';
import type { RowOf } from '../../store/writer.ts';
import { isDerivedId } from '../../text/derived-id.ts';
import { fold } from '../../text/fold.ts';
import type { RecordEdits } from '../records/record-edits.ts';
import type { WriteContext } from '../write-context.ts';
import type { DecisionLookup } from './decision-lookup.ts';
import { type EntityComparisons, entityComparisonsOf } from './entity-comparisons.ts';
import { cityNamesOf, type SourceStatement } from './event-facts.ts';
import { withPending } from './regrouping.ts';

/** Maximum number of aliases compared. */
const maxAliases = 100;
/** A venue within this distance in m of its city's coordinates may be anywhere in the city. */
const cityCenterRadiusM = 150;

/** Fewer names are looked up one by one. */
const minReadAhead = 20;

/** Facts of a source record that depend on other records. */
type LookedUpFacts = {
  aliases: string[];
  cityAliases?: string[];
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
};
/** A stored or new source record with its JSON. */
export type PendingStatement = { source: string; sourceId: number; externalId: string; text: string };
/** The names of a city, and the same as one text. */
type CityNames = { names: string[]; text: string };
type NameLocation = { city: string | null; country: string | null };

/** The source records of entities with their facts, read once for each source record that is processed. Only reads. */
export class EntitySourceRecords {
  readonly #context: WriteContext;
  readonly #decisions: DecisionLookup;
  /** Look-ups for the current source record. */
  readonly #read = new Map<number, EntitySourceRecord[]>();
  readonly #cities = new Map<string, RowOf<'city'> | undefined>();
  readonly #cityNames = new Map<number, CityNames>();
  readonly #factsCache: EntityComparisons['facts'];
  /** What facts depended on when they were looked up. */
  readonly #basisByFacts = new WeakMap<EntityFacts, string>();

  constructor(context: WriteContext, decisions: DecisionLookup) {
    this.#context = context;
    this.#factsCache = entityComparisonsOf(context.writer.sqlite).facts;
    this.#decisions = decisions;
  }

  /** Clears look-ups before another source record is processed. */
  startRecord(): void {
    this.#read.clear();
    this.#cities.clear();
    this.#cityNames.clear();
    this.#context.sources.startReading();
  }

  /**
   * The source records of a record; for one known by name only, its name.
   * @param pending a source record that is about to be stored
   */
  of(
    kind: NamedEntityKind,
    record: number,
    pending: PendingStatement | null = null,
  ): readonly EntitySourceRecord[] {
    let sourceRecords = this.#read.get(record);
    if (sourceRecords === undefined || pending !== null) {
      sourceRecords = this.#readSourceRecords(kind, record, pending);
      this.#read.set(record, sourceRecords);
    }
    return sourceRecords;
  }

  #readSourceRecords(
    kind: NamedEntityKind,
    record: number,
    pending: PendingStatement | null,
  ): EntitySourceRecord[] {
    const storedRecords = this.#context.sources.cachedSourceRecordsOf(record).map((row) => ({
      source: row.source_name,
      sourceId: row.source_id,
      externalId: row.external_id,
      text: row.content,
    }));
    const edits = this.#context.editsOf(kind, record);
    const all = pending === null ? storedRecords : withPending(storedRecords, pending);
    const ownRecords = all.map(({ source, sourceId, externalId, text }) => ({
      source,
      sourceId,
      externalId,
      record,
      facts: withEditedAliases(this.#cachedFactsOf(kind, source, externalId, text), edits),
    }));
    const sourceRecords = ownRecords.length > 0 ? ownRecords : this.#placeholder(kind, record);
    return [...sourceRecords, ...this.#decidedNames(kind, record, sourceRecords)];
  }

  /** Names by which a record was known when an operator decided about it. */
  #decidedNames(
    kind: NamedEntityKind,
    record: number,
    sourceRecords: EntitySourceRecord[],
  ): EntitySourceRecord[] {
    if (!this.#decisions.hasAny()) return [];
    const row = this.#context.writer.row(kind, record);
    if (row === undefined) return [];
    const { lookup } = this.#context;
    const inheritedNames = lookup.inheritedNamesWithPlace(record).filter(({ slug }) => slug !== '');
    const names = inheritedNames.map((one) =>
      this.#nameNode(record, one.slug, one.name, this.#locationOf(kind, one.place)),
    );
    const { slug, name, city = null, country = null } = row;
    const isThere = [...sourceRecords, ...names].some(
      (sourceRecord) => sourceRecord.source === '' && sourceRecord.externalId === slug,
    );
    if (isThere || !this.#decisions.hasDecisionForName(kind, slug)) return names;
    return [...names, this.#nameNode(record, slug, name, { city, country })];
  }

  #nameNode(record: number, slug: string, name: string, { city, country }: NameLocation): EntitySourceRecord {
    const facts = { name, city, country, ...this.#cityOf(city, country) };
    return {
      source: '',
      sourceId: 0,
      externalId: slug,
      record,
      isPlaceholder: true,
      isDecidedName: true,
      facts,
    };
  }

  #locationOf(kind: NamedEntityKind, place: string): NameLocation {
    const city = kind === 'venue' ? this.#context.lookup.cityOfSlug(place) : null;
    const row = city === null ? undefined : this.#context.writer.row('city', city);
    return row ? { city: row.name, country: row.country } : { city: null, country: null };
  }

  #placeholder(kind: NamedEntityKind, record: number): EntitySourceRecord[] {
    const row = this.#context.writer.row(kind, record);
    if (row === undefined) return [];
    const { slug, name, city = null, country = null } = row;
    const facts: EntityFacts = { name, city, country, ...this.#cityOf(city, country) };
    // If a source has an id for the name, the name belongs to that source.
    const [externalId] = this.#context.sources.externalIdsOf(record);
    const key = externalId
      ? { source: externalId.source_name, sourceId: externalId.source_id, externalId: externalId.external_id }
      : { source: '', sourceId: 0, externalId: slug };
    const isBound = externalId !== undefined && !isDerivedId(key.externalId);
    const ownFacts = isBound ? { ...facts, source: key.source, externalId: key.externalId } : facts;
    return [{ ...key, record, isPlaceholder: true, facts: ownFacts }];
  }

  /** Caches the facts of a source record that is about to be stored. */
  cacheFacts(
    kind: NamedEntityKind,
    { source, externalId, facts }: EntitySourceRecord,
    statement: FeedRecordContent<NamedEntityKind>,
  ): void {
    const text = JSON.stringify(statement);
    const basis = this.#basisByFacts.get(facts);
    if (basis !== undefined)
      this.#factsCache.set(cacheKey(kind, source, externalId), { text, statement, basis, facts });
  }

  /** The facts of a source record; the same object as before if nothing changed. */
  #cachedFactsOf(kind: NamedEntityKind, source: string, externalId: string, text: string): EntityFacts {
    const key = cacheKey(kind, source, externalId);
    const cached = this.#factsCache.get(key);
    const statement = cached?.text === text ? cached.statement : parseContent<NamedEntityKind>(text);
    const basis = this.#basisOf(kind, statement);
    if (cached?.text === text && cached.basis === basis) return cached.facts;
    const facts = toFacts(source, externalId, statement, this.#lookUp(kind, statement));
    const isSame = cached?.text === text && kind === 'artist' && haveSameAliases(cached.facts, facts);
    const currentFacts = isSame ? cached.facts : facts;
    this.#factsCache.set(key, { text, statement, basis, facts: currentFacts });
    return currentFacts;
  }

  facts(
    kind: NamedEntityKind,
    { source, externalId, statement }: SourceStatement<NamedEntityKind>,
  ): EntityFacts {
    // Before the look-ups: what they find may change until the facts are cached.
    const basis = this.#basisOf(kind, statement);
    const facts = toFacts(source, externalId, statement, this.#lookUp(kind, statement));
    this.#basisByFacts.set(facts, basis);
    return facts;
  }

  /** A text that changes with what `#lookUp` finds for a source record. */
  #basisOf(kind: NamedEntityKind, statement: FeedRecordContent<NamedEntityKind>): string {
    if (kind === 'artist') return String(this.#context.lookup.primaryArtistsVersion);
    const members = statement as FeedRecordContent<'venue'>;
    const { latitude = null, longitude = null } = this.#pointOf(members);
    const { city, country } = members;
    const names = city ? this.#namesOfCity(this.#cityRow(city, country)).text : null;
    return `${latitude} ${longitude} ${names}`;
  }

  /** Facts that depend on other records. */
  #lookUp(kind: NamedEntityKind, statement: FeedRecordContent<NamedEntityKind>): LookedUpFacts {
    // Members of other kinds are missing.
    const members = statement as FeedRecordContent<'venue'>;
    return {
      aliases: this.#ownAliases(kind, members),
      ...this.#pointOf(members),
      ...this.#cityOf(members.city, members.country),
    };
  }

  /** The coordinates of a venue. Some sources give all venues the coordinates of the city, which are ignored. */
  #pointOf({
    latitude,
    longitude,
    city,
    country,
  }: FeedRecordContent<'venue'>): Pick<LookedUpFacts, 'latitude' | 'longitude'> {
    const row = latitude == null || !city ? undefined : this.#cityRow(city, country);
    const point = row && { name: '', latitude: row.latitude, longitude: row.longitude };
    const away = point ? distanceMeters({ name: '', latitude, longitude }, point) : null;
    return away !== null && away < cityCenterRadiusM ? {} : { latitude, longitude };
  }

  /** Aliases without those that are artists of their own; spellings of the name are kept. */
  #ownAliases(kind: NamedEntityKind, statement: FeedRecordContent<'venue'>): string[] {
    if (kind !== 'artist') return comparableAliases(statement);
    const { lookup } = this.#context;
    const aliases = artistAliases(statement);
    const names = aliases.flatMap(({ isVariant, folded }) => (isVariant ? [] : [folded]));
    if (names.length >= minReadAhead) lookup.prefetchByName('artist', names);
    return aliases
      .filter(({ isVariant, folded }) => isVariant || !lookup.isPrimaryArtist(folded))
      .map(({ alias }) => alias);
  }

  #cityOf(city: string | null | undefined, country: string | null | undefined): { cityAliases?: string[] } {
    return city ? { cityAliases: this.#namesOfCity(this.#cityRow(city, country)).names } : {};
  }

  #namesOfCity(row: RowOf<'city'> | undefined): CityNames {
    if (row === undefined) return { names: [], text: '[]' };
    return getOrCreate(this.#cityNames, row.id, () => {
      const names = cityNamesOf(this.#context, row);
      return { names, text: JSON.stringify(names) };
    });
  }

  #cityRow(city: string, country: string | null | undefined): RowOf<'city'> | undefined {
    const key = `${country ?? ''}\0${city}`;
    if (!this.#cities.has(key)) this.#cities.set(key, this.#readCity(city, country));
    return this.#cities.get(key);
  }

  #readCity(city: string, country: string | null | undefined): RowOf<'city'> | undefined {
    const matches = this.#context.lookup
      .byName('city', fold(city))
      .filter((one) => !country || one.country === country);
    return matches.length === 1 && matches[0] ? this.#context.writer.row('city', matches[0].id) : undefined;
  }
}

type StatedAliases = Pick<FeedRecordContent<'venue'>, 'name' | 'aliases'>;

const comparableAliases = ({ aliases }: StatedAliases): string[] =>
  (aliases ?? []).filter((alias) => alias.length <= maxComparedNameLength).slice(0, maxAliases);

/** The aliases of an artist with what only the source record decides, read once for each parsed one. */
export const artistAliases = memoizeByObject((statement: StatedAliases) =>
  comparableAliases(statement).map((alias) => ({
    alias,
    isVariant: isNameVariant(alias, statement.name),
    folded: fold(alias),
  })),
);

const haveSameAliases = ({ aliases: a }: EntityFacts, { aliases: b }: EntityFacts): boolean =>
  a?.length === b?.length && (a ?? []).every((alias, at) => alias === b?.[at]);

const cacheKey = (kind: NamedEntityKind, source: string, externalId: string): string =>
  `${kind}\0${source}\0${externalId}`;

/** The facts without the aliases that an editor took away from the record. */
const withEditedAliases = (facts: EntityFacts, edits: RecordEdits | null): EntityFacts =>
  edits === null ? facts : { ...facts, aliases: edits.comparedAliases(facts.aliases ?? [], facts.name) };

function toFacts(
  source: string,
  externalId: string,
  statement: FeedRecordContent<NamedEntityKind>,
  lookedUp: LookedUpFacts,
): EntityFacts {
  const members = statement as FeedRecordContent<'venue'> &
    FeedRecordContent<'artist'> &
    FeedRecordContent<'label'> &
    FeedRecordContent<'festival'>;
  return {
    source,
    // Ids derived from spellings do not prove that two venues differ.
    externalId: isDerivedId(externalId) ? null : externalId,
    name: members.name,
    country: members.country,
    externalIds: members.external_ids,
    impliedIds: impliedIds(source, externalId, members.links),
    biography: members.biography ?? members.description,
    links: members.links,
    genres: members.genres,
    realName: members.real_name,
    foundedYear: members.founded_year,
    website: members.website,
    parent: members.parent?.name,
    address: members.address,
    postalCode: members.postal_code,
    city: members.city,
    ...lookedUp,
  };
}
