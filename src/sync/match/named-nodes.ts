/** What is told apart: a record's statements, and the names it is known by where nothing else is. */
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

/** A statement as it comes: who says it, and what. */
export type Coming = {
  source: string;
  sourceId: number;
  externalId: string;
  read: () => Statement<NamedKind>;
};
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

  constructor(desk: Desk, decisions: Decisions) {
    this.#desk = desk;
    this.#decisions = decisions;
  }

  /**
   * The statements of a record; of one that is known by name alone the name.
   * @param coming what is about to be stored of it, in the place of what its source said before
   */
  of(kind: NamedKind, record: number, coming: Coming | null = null): NamedNode[] {
    const stored = this.#desk.sources.said(record).map((row) => ({
      source: row.source_name,
      sourceId: row.source_id,
      externalId: row.external_id,
      read: () => JSON.parse(row.statement) as Statement<NamedKind>,
    }));
    const said = withComing(stored, coming).map(({ source, sourceId, externalId, read }) => ({
      source,
      sourceId,
      externalId,
      record,
      facts: this.facts(kind, source, externalId, read()),
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

  /** What a statement says that tells whom it speaks of. */
  facts(kind: NamedKind, source: string, externalId: string, statement: Statement<NamedKind>): NamedFacts {
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
      aliases: this.#ownAliases(kind, said.name, said.aliases),
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
      ...this.#pointOf(said),
      city: said.city,
      ...(said.city ? this.#cityOf(said.city, said.country) : {}),
    };
  }

  /** Where a house lies. Some sources give all houses of a city its own point, which says nothing of any. */
  #pointOf({ latitude, longitude, city, country }: Statement<'venue'>): Partial<NamedFacts> {
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
    const { lookup } = this.#desk.context;
    return known.filter(
      (alias) =>
        isVariant(alias, name) || !lookup.byName('artist', fold(alias)).some((one) => one.is_alias === 0),
    );
  }

  #cityOf(city: string | null | undefined, country: string | null | undefined): { cityAliases?: string[] } {
    return city ? { cityAliases: namesOfCity(this.#cityRow(city, country)) } : {};
  }

  #cityRow(city: string, country: string | null | undefined): RowOf | undefined {
    const found = this.#desk.context.lookup
      .byName('city', fold(city))
      .filter((one) => !country || one.country === country);
    return found.length === 1 && found[0] ? this.#desk.writer.row('city', found[0].id) : undefined;
  }
}
