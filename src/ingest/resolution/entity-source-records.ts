/** What is told apart: a record's statements, and the names it is known by where nothing else is. */
import { LRUCache } from 'lru-cache';
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
import type { RecordRow } from '../../store/writer.ts';
import { isDerivedId } from '../../text/derived-id.ts';
import { fold } from '../../text/fold.ts';
import type { DecisionLookup } from './decision-lookup.ts';
import { cityNamesOf } from './event-facts.ts';
import type { ResolutionContext } from './resolution-context.ts';

/** So many other names of one are compared. */
const maxAliases = 100;
/** A house this near to the point of its city, m, lies anywhere in it. */
const cityCenterRadiusM = 150;

/** So many statements are kept as they were read, and of them all so many letters. */
const maxCachedStatements = 2_000;
const maxCachedChars = 8_000_000;

/** What of a statement's facts depends on what else is on record. */
type LookedUpFacts = {
  aliases: string[];
  cityAliases?: string[];
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
};
type CachedEntityFacts = {
  text: string;
  statement: FeedRecordContent<NamedEntityKind>;
  lookedUpText: string;
  facts: EntityFacts;
};
/** A statement as it is stored or comes: who says it, and its JSON. */
export type PendingStatement = { source: string; sourceId: number; externalId: string; text: string };
type NameLocation = { city: string | null; country: string | null };

/** Statements of a record, with what is about to be stored in the place of what its source said before. */
function withPending(stored: PendingStatement[], coming: PendingStatement | null): PendingStatement[] {
  if (coming === null) return stored;
  const isSame = (one: PendingStatement) =>
    one.sourceId === coming.sourceId && one.externalId === coming.externalId;
  return stored.some(isSame) ? stored.map((one) => (isSame(one) ? coming : one)) : [...stored, coming];
}

export class EntitySourceRecords {
  readonly #context: ResolutionContext;
  readonly #decisions: DecisionLookup;
  /** What was looked up since the work on one statement began. */
  readonly #read = new Map<number, EntitySourceRecord[]>();
  readonly #cities = new Map<string, RecordRow | undefined>();
  readonly #artistNameCache = new Map<string, boolean>();
  /** Statements as they were read before: one that reads the same gives the same facts, and is judged once. */
  readonly #known = new LRUCache<string, CachedEntityFacts>({
    max: maxCachedStatements,
    maxSize: maxCachedChars,
    sizeCalculation: ({ text }) => text.length + 1,
  });

  constructor(desk: ResolutionContext, decisions: DecisionLookup) {
    this.#context = desk;
    this.#decisions = decisions;
  }

  /** Forget what was looked up: the work on another statement begins. */
  startRecord(): void {
    this.#read.clear();
    this.#cities.clear();
    this.#artistNameCache.clear();
  }

  /**
   * The statements of a record; of one that is known by name alone the name.
   * @param coming what is about to be stored of it, in the place of what its source said before
   */
  of(
    kind: NamedEntityKind,
    record: number,
    coming: PendingStatement | null = null,
  ): readonly EntitySourceRecord[] {
    let nodes = this.#read.get(record);
    if (nodes === undefined || coming !== null) {
      nodes = this.#readNodes(kind, record, coming);
      this.#read.set(record, nodes);
    }
    return nodes;
  }

  #readNodes(kind: NamedEntityKind, record: number, coming: PendingStatement | null): EntitySourceRecord[] {
    const stored = this.#context.sources.statementsOf(record).map((row) => ({
      source: row.source_name,
      sourceId: row.source_id,
      externalId: row.external_id,
      text: row.content,
    }));
    const said = withPending(stored, coming).map(({ source, sourceId, externalId, text }) => ({
      source,
      sourceId,
      externalId,
      record,
      facts: this.#cachedFactsOf(kind, source, externalId, text),
    }));
    const nodes = said.length > 0 ? said : this.#placeholder(kind, record);
    return [...nodes, ...this.#decidedNames(kind, record, nodes)];
  }

  /** Names by which a record was known when an operator decided of it. */
  #decidedNames(kind: NamedEntityKind, record: number, nodes: EntitySourceRecord[]): EntitySourceRecord[] {
    if (!this.#decisions.hasAny()) return [];
    const row = this.#context.writer.row(kind, record);
    if (row === undefined) return [];
    const { lookup } = this.#context.context;
    const given = lookup.inheritedNamesWithPlace(record).filter(({ slug }) => slug !== '');
    const names = given.map(({ name, place, slug }) =>
      this.#nameNode(record, slug, name, this.#placed(kind, place)),
    );
    const slug = row.slug as string;
    const isThere = [...nodes, ...names].some((node) => node.source === '' && node.externalId === slug);
    if (isThere || !this.#decisions.hasDecisionForName(kind, slug)) return names;
    const { city = null, country = null } = row as { city?: string | null; country?: string | null };
    return [...names, this.#nameNode(record, slug, row.name as string, { city, country })];
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

  #placed(kind: NamedEntityKind, place: string): NameLocation {
    const city = kind === 'venue' ? this.#context.context.lookup.cityOfSlug(place) : null;
    const row = city === null ? undefined : this.#context.writer.row('city', city);
    return row ? { city: row.name as string, country: row.country as string } : { city: null, country: null };
  }

  #placeholder(kind: NamedEntityKind, record: number): EntitySourceRecord[] {
    const row = this.#context.writer.row(kind, record);
    if (row === undefined) return [];
    const facts: EntityFacts = {
      name: row.name as string,
      city: (row.city ?? null) as string | null,
      country: (row.country ?? null) as string | null,
      ...this.#cityOf(row.city as string | null, row.country as string | null),
    };
    // A name that one source has an id for is that source's.
    const [bound] = this.#context.sources.externalIdsOf(record);
    const anchor = bound
      ? { source: bound.source_name, sourceId: bound.source_id, externalId: bound.external_id }
      : { source: '', sourceId: 0, externalId: row.slug as string };
    return [
      {
        ...anchor,
        record,
        isPlaceholder: true,
        facts:
          bound && !isDerivedId(anchor.externalId)
            ? { ...facts, source: anchor.source, externalId: anchor.externalId }
            : facts,
      },
    ];
  }

  /** Keeps what a statement that is about to be stored was read as. */
  cacheFacts(
    kind: NamedEntityKind,
    { source, externalId, facts }: EntitySourceRecord,
    statement: FeedRecordContent<NamedEntityKind>,
  ): void {
    const looked = JSON.stringify(this.#lookUp(kind, statement as FeedRecordContent<'venue'>));
    const text = JSON.stringify(statement);
    this.#known.set(cacheKey(kind, source, externalId), { text, statement, lookedUpText: looked, facts });
  }

  /** What the text of a statement says; the same object as before, where it reads the same. */
  #cachedFactsOf(kind: NamedEntityKind, source: string, externalId: string, text: string): EntityFacts {
    const key = cacheKey(kind, source, externalId);
    const known = this.#known.get(key);
    const statement = (
      known?.text === text ? known.statement : JSON.parse(text)
    ) as FeedRecordContent<NamedEntityKind>;
    const looked = this.#lookUp(kind, statement as FeedRecordContent<'venue'>);
    const lookedText = JSON.stringify(looked);
    if (known?.text === text && known.lookedUpText === lookedText) return known.facts;
    const facts = toFacts(source, externalId, statement, looked);
    this.#known.set(key, { text, statement, lookedUpText: lookedText, facts });
    return facts;
  }

  /** What a statement says that tells whom it speaks of. */
  facts(
    kind: NamedEntityKind,
    source: string,
    externalId: string,
    statement: FeedRecordContent<NamedEntityKind>,
  ): EntityFacts {
    return toFacts(
      source,
      externalId,
      statement,
      this.#lookUp(kind, statement as FeedRecordContent<'venue'>),
    );
  }

  /** What of a statement's facts depends on what else is on record. */
  #lookUp(kind: NamedEntityKind, said: FeedRecordContent<'venue'>): LookedUpFacts {
    return {
      aliases: this.#ownAliases(kind, said.name, said.aliases),
      ...this.#pointOf(said),
      ...(said.city ? this.#cityOf(said.city, said.country) : {}),
    };
  }

  /** Where a house lies. Some sources give all houses of a city its own point, which says nothing of any. */
  #pointOf({
    latitude,
    longitude,
    city,
    country,
  }: FeedRecordContent<'venue'>): Pick<LookedUpFacts, 'latitude' | 'longitude'> {
    const row = latitude == null || !city ? undefined : this.#cityRow(city, country);
    const point = row && {
      latitude: row.latitude as number | null,
      longitude: row.longitude as number | null,
    };
    const away = point ? distanceMeters({ name: '', latitude, longitude }, { name: '', ...point }) : null;
    return away !== null && away < cityCenterRadiusM ? {} : { latitude, longitude };
  }

  /** An alias that is an artist of its own is not another name: it stays a record of its own. Spellings are none. */
  #ownAliases(kind: NamedEntityKind, name: string, aliases: readonly string[] | null | undefined): string[] {
    const known = (aliases ?? [])
      .filter((alias) => alias.length <= maxComparedNameLength)
      .slice(0, maxAliases);
    if (kind !== 'artist') return known;
    return known.filter((alias) => isNameVariant(alias, name) || !this.#isArtistName(fold(alias)));
  }

  /** Whether an artist has this folded name as its own. */
  #isArtistName(folded: string): boolean {
    let isListed = this.#artistNameCache.get(folded);
    if (isListed === undefined) {
      isListed = this.#context.context.lookup.byName('artist', folded).some((one) => one.is_alias === 0);
      this.#artistNameCache.set(folded, isListed);
    }
    return isListed;
  }

  #cityOf(city: string | null | undefined, country: string | null | undefined): { cityAliases?: string[] } {
    return city ? { cityAliases: cityNamesOf(this.#cityRow(city, country)) } : {};
  }

  #cityRow(city: string, country: string | null | undefined): RecordRow | undefined {
    const key = `${country ?? ''}\0${city}`;
    if (!this.#cities.has(key)) this.#cities.set(key, this.#readCity(city, country));
    return this.#cities.get(key);
  }

  #readCity(city: string, country: string | null | undefined): RecordRow | undefined {
    const found = this.#context.context.lookup
      .byName('city', fold(city))
      .filter((one) => !country || one.country === country);
    return found.length === 1 && found[0] ? this.#context.writer.row('city', found[0].id) : undefined;
  }
}

const cacheKey = (kind: NamedEntityKind, source: string, externalId: string): string =>
  `${kind}\0${source}\0${externalId}`;

/** What a statement says that tells whom it speaks of. */
function toFacts(
  source: string,
  externalId: string,
  statement: FeedRecordContent<NamedEntityKind>,
  looked: LookedUpFacts,
): EntityFacts {
  const said = statement as FeedRecordContent<'venue'> &
    FeedRecordContent<'artist'> &
    FeedRecordContent<'label'> &
    FeedRecordContent<'festival'>;
  return {
    source,
    // Two ids made of two spellings are no word of the source that there are two houses.
    externalId: isDerivedId(externalId) ? null : externalId,
    name: said.name,
    country: said.country,
    externalIds: said.external_ids,
    impliedIds: impliedIds(source, externalId, said.links),
    biography: said.biography ?? said.description,
    links: said.links,
    genres: said.genres,
    realName: said.real_name,
    foundedYear: said.founded_year,
    website: said.website,
    parent: said.parent?.name,
    address: said.address,
    postalCode: said.postal_code,
    city: said.city,
    ...looked,
  };
}
