/** What is told apart: a record's statements, and the names it is known by where nothing else is. */
import { LRUCache } from 'lru-cache';
import type { Statement } from '../../contract/feed.ts';
import { fold } from '../../store/fold.ts';
import type { RowOf } from '../../store/writer.ts';
import type { Decisions } from './decisions.ts';
import { isDerivedId } from './derived-id.ts';
import type { Desk } from './desk.ts';
import { namesOfCity } from './evidence.ts';
import { impliedIds } from './ids.ts';
import { longestName } from './listing.ts';
import { distanceBetween } from './location.ts';
import { isVariant } from './name-variants.ts';
import type { NamedFacts, NamedKind, NamedNode } from './named-judge.ts';

/** So many other names of one are compared. */
const mostAliases = 100;
/** A house this near to the point of its city, m, lies anywhere in it. */
const atCity = 150;

/** So many statements are kept as they were read, and of them all so many letters. */
const mostKnown = 2_000;
const mostLetters = 8_000_000;

/** What of a statement's facts depends on what else is on record. */
type Looked = {
  aliases: string[];
  cityAliases?: string[];
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
};
type Known = { text: string; statement: Statement<NamedKind>; looked: string; facts: NamedFacts };
/** A statement as it is stored or comes: who says it, and its JSON. */
export type Coming = { source: string; sourceId: number; externalId: string; text: string };
type Where = { city: string | null; country: string | null };

/** Statements of a record, with what is about to be stored in the place of what its source said before. */
function withComing(stored: Coming[], coming: Coming | null): Coming[] {
  if (coming === null) return stored;
  const isSame = (one: Coming) => one.sourceId === coming.sourceId && one.externalId === coming.externalId;
  return stored.some(isSame) ? stored.map((one) => (isSame(one) ? coming : one)) : [...stored, coming];
}

export class NamedNodes {
  readonly #desk: Desk;
  readonly #decisions: Decisions;
  /** What was looked up since the work on one statement began. */
  readonly #read = new Map<number, NamedNode[]>();
  readonly #cities = new Map<string, RowOf | undefined>();
  readonly #areListed = new Map<string, boolean>();
  /** Statements as they were read before: one that reads the same gives the same facts, and is judged once. */
  readonly #known = new LRUCache<string, Known>({
    max: mostKnown,
    maxSize: mostLetters,
    sizeCalculation: ({ text }) => text.length + 1,
  });

  constructor(desk: Desk, decisions: Decisions) {
    this.#desk = desk;
    this.#decisions = decisions;
  }

  /** Forget what was looked up: the work on another statement begins. */
  begin(): void {
    this.#read.clear();
    this.#cities.clear();
    this.#areListed.clear();
  }

  /**
   * The statements of a record; of one that is known by name alone the name.
   * @param coming what is about to be stored of it, in the place of what its source said before
   */
  of(kind: NamedKind, record: number, coming: Coming | null = null): readonly NamedNode[] {
    let nodes = this.#read.get(record);
    if (nodes === undefined || coming !== null) {
      nodes = this.#readNodes(kind, record, coming);
      this.#read.set(record, nodes);
    }
    return nodes;
  }

  #readNodes(kind: NamedKind, record: number, coming: Coming | null): NamedNode[] {
    const stored = this.#desk.sources.said(record).map((row) => ({
      source: row.source_name,
      sourceId: row.source_id,
      externalId: row.external_id,
      text: row.statement,
    }));
    const said = withComing(stored, coming).map(({ source, sourceId, externalId, text }) => ({
      source,
      sourceId,
      externalId,
      record,
      facts: this.#factsOf(kind, source, externalId, text),
    }));
    const nodes = said.length > 0 ? said : this.#stub(kind, record);
    return [...nodes, ...this.#decidedNames(kind, record, nodes)];
  }

  /** Names by which a record was known when an operator decided of it. */
  #decidedNames(kind: NamedKind, record: number, nodes: NamedNode[]): NamedNode[] {
    if (!this.#decisions.any()) return [];
    const row = this.#desk.writer.row(kind, record);
    if (row === undefined) return [];
    const { lookup } = this.#desk.context;
    const given = lookup.given(record).filter(({ slug }) => slug !== '');
    const names = given.map(({ name, place, slug }) =>
      this.#nameNode(record, slug, name, this.#placed(kind, place)),
    );
    const slug = row.slug as string;
    const isThere = [...nodes, ...names].some((node) => node.source === '' && node.externalId === slug);
    if (isThere || !this.#decisions.isOfName(kind, slug)) return names;
    const { city = null, country = null } = row as { city?: string | null; country?: string | null };
    return [...names, this.#nameNode(record, slug, row.name as string, { city, country })];
  }

  #nameNode(record: number, slug: string, name: string, { city, country }: Where): NamedNode {
    const facts = { name, city, country, ...this.#cityOf(city, country) };
    return { source: '', sourceId: 0, externalId: slug, record, isStub: true, isName: true, facts };
  }

  #placed(kind: NamedKind, place: string): Where {
    const city = kind === 'venue' ? this.#desk.context.lookup.cityOfSlug(place) : null;
    const row = city === null ? undefined : this.#desk.writer.row('city', city);
    return row ? { city: row.name as string, country: row.country as string } : { city: null, country: null };
  }

  #stub(kind: NamedKind, record: number): NamedNode[] {
    const row = this.#desk.writer.row(kind, record);
    if (row === undefined) return [];
    const facts: NamedFacts = {
      name: row.name as string,
      city: (row.city ?? null) as string | null,
      country: (row.country ?? null) as string | null,
      ...this.#cityOf(row.city as string | null, row.country as string | null),
    };
    // A name that one source has an id for is that source's.
    const [bound] = this.#desk.sources.anchors(record);
    const anchor = bound
      ? { source: bound.source_name, sourceId: bound.source_id, externalId: bound.external_id }
      : { source: '', sourceId: 0, externalId: row.slug as string };
    return [
      {
        ...anchor,
        record,
        isStub: true,
        facts:
          bound && !isDerivedId(anchor.externalId)
            ? { ...facts, source: anchor.source, externalId: anchor.externalId }
            : facts,
      },
    ];
  }

  /** Keeps what a statement that is about to be stored was read as. */
  keep(kind: NamedKind, { source, externalId, facts }: NamedNode, statement: Statement<NamedKind>): void {
    const looked = JSON.stringify(this.#look(kind, statement as Statement<'venue'>));
    const text = JSON.stringify(statement);
    this.#known.set(keyOf(kind, source, externalId), { text, statement, looked, facts });
  }

  /** What the text of a statement says; the same object as before, where it reads the same. */
  #factsOf(kind: NamedKind, source: string, externalId: string, text: string): NamedFacts {
    const key = keyOf(kind, source, externalId);
    const known = this.#known.get(key);
    const statement = (known?.text === text ? known.statement : JSON.parse(text)) as Statement<NamedKind>;
    const looked = this.#look(kind, statement as Statement<'venue'>);
    const lookedText = JSON.stringify(looked);
    if (known?.text === text && known.looked === lookedText) return known.facts;
    const facts = factsFrom(source, externalId, statement, looked);
    this.#known.set(key, { text, statement, looked: lookedText, facts });
    return facts;
  }

  /** What a statement says that tells whom it speaks of. */
  facts(kind: NamedKind, source: string, externalId: string, statement: Statement<NamedKind>): NamedFacts {
    return factsFrom(source, externalId, statement, this.#look(kind, statement as Statement<'venue'>));
  }

  /** What of a statement's facts depends on what else is on record. */
  #look(kind: NamedKind, said: Statement<'venue'>): Looked {
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
  }: Statement<'venue'>): Pick<Looked, 'latitude' | 'longitude'> {
    const row = latitude == null || !city ? undefined : this.#cityRow(city, country);
    const point = row && {
      latitude: row.latitude as number | null,
      longitude: row.longitude as number | null,
    };
    const away = point ? distanceBetween({ name: '', latitude, longitude }, { name: '', ...point }) : null;
    return away !== null && away < atCity ? {} : { latitude, longitude };
  }

  /** An alias that is an artist of its own is not another name: it stays a record of its own. Spellings are none. */
  #ownAliases(kind: NamedKind, name: string, aliases: readonly string[] | null | undefined): string[] {
    const known = (aliases ?? []).filter((alias) => alias.length <= longestName).slice(0, mostAliases);
    if (kind !== 'artist') return known;
    return known.filter((alias) => isVariant(alias, name) || !this.#isListed(fold(alias)));
  }

  /** Whether an artist has this folded name as its own. */
  #isListed(folded: string): boolean {
    let isListed = this.#areListed.get(folded);
    if (isListed === undefined) {
      isListed = this.#desk.context.lookup.byName('artist', folded).some((one) => one.is_alias === 0);
      this.#areListed.set(folded, isListed);
    }
    return isListed;
  }

  #cityOf(city: string | null | undefined, country: string | null | undefined): { cityAliases?: string[] } {
    return city ? { cityAliases: namesOfCity(this.#cityRow(city, country)) } : {};
  }

  #cityRow(city: string, country: string | null | undefined): RowOf | undefined {
    const key = `${country ?? ''}\0${city}`;
    if (!this.#cities.has(key)) this.#cities.set(key, this.#readCity(city, country));
    return this.#cities.get(key);
  }

  #readCity(city: string, country: string | null | undefined): RowOf | undefined {
    const found = this.#desk.context.lookup
      .byName('city', fold(city))
      .filter((one) => !country || one.country === country);
    return found.length === 1 && found[0] ? this.#desk.writer.row('city', found[0].id) : undefined;
  }
}

const keyOf = (kind: NamedKind, source: string, externalId: string): string =>
  `${kind}\0${source}\0${externalId}`;

/** What a statement says that tells whom it speaks of. */
function factsFrom(
  source: string,
  externalId: string,
  statement: Statement<NamedKind>,
  looked: Looked,
): NamedFacts {
  const said = statement as Statement<'venue'> &
    Statement<'artist'> &
    Statement<'label'> &
    Statement<'festival'>;
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
