/** Which statements speak of one venue, artist, label or festival. As with shows, a block is put together anew as a whole. */
import type { Statement } from '../../contract/feed.ts';
import { fold } from '../../store/fold.ts';
import type { MatchStore } from '../../store/matching.ts';
import type { RowOf } from '../../store/writer.ts';
import { judgeArtists, judgeFestivals, judgeLabels } from './artists.ts';
import { anchorText, cluster, type Pair, type Verdict } from './cluster.ts';
import type { Decisions } from './decisions.ts';
import { isDerivedId } from './derived-id.ts';
import type { Desk } from './desk.ts';
import type { Speaking } from './event-matcher.ts';
import { namesOfCity } from './evidence.ts';
import { groupsOf, judging } from './faces.ts';
import { hash, houseKeys, mayBeOneCity, tagOf } from './keys.ts';
import { type FestivalFacts, type Judgement, type LabelFacts, ruled, type VenueFacts } from './listing.ts';
import type { Merging } from './merging.ts';
import { nameForms } from './name-forms.ts';
import { isVariant } from './name-variants.ts';
import { type Placed, rehome, type Settled } from './rehome.ts';
import { judgeVenues } from './venues.ts';

export type NamedKind = 'venue' | 'artist' | 'label' | 'festival';
export const namedKinds: readonly NamedKind[] = ['venue', 'artist', 'label', 'festival'];
type Facts = VenueFacts & LabelFacts & FestivalFacts;
/** `isName`: by this name a record was known when an operator decided of it. */
type Node = Placed & { facts: Facts; isName?: boolean };
type Where = { city: string | null; country: string | null };

const judges: Record<NamedKind, (a: Facts, b: Facts) => Judgement> = {
  venue: judgeVenues,
  artist: judgeArtists,
  label: judgeLabels,
  festival: judgeFestivals,
};

/** What only its name is known of is what the name would have meant, had it been said later. */
function judge(kind: NamedKind, a: Node, b: Node): Judgement {
  const isMention = (node: Node) => node.isStub === true && node.source === '';
  if (kind !== 'venue' && isMention(a) !== isMention(b) && fold(a.facts.name) === fold(b.facts.name)) {
    const reason = { evidence: 'name', weight: 3, text: 'the same name, and nothing else is known of one' };
    return ruled('known by name alone', 'same', 0.9, [reason]);
  }
  return judges[kind](a.facts, b.facts);
}

/** So many of one name are told apart at once. */
const mostNodes = 60;
const days = 2 ** 17;

export class NamedMatcher {
  readonly #desk: Desk;
  readonly #store: MatchStore;
  readonly #decisions: Decisions;
  readonly #merging: Merging;

  constructor(desk: Desk, store: MatchStore, decisions: Decisions, merging: Merging) {
    this.#desk = desk;
    this.#store = store;
    this.#decisions = decisions;
    this.#merging = merging;
  }

  /** Finds the record of a statement made for the first time; see `EventMatcher.place`. */
  place(kind: NamedKind, source: Speaking, externalId: string, statement: Statement<NamedKind>): Settled {
    const node: Node = {
      source: source.name,
      sourceId: source.id,
      externalId,
      record: null,
      facts: this.#facts(kind, source.name, externalId, statement),
    };
    const settled = this.#settle(kind, [node]);
    if (settled.record !== null) this.#keepName(kind, settled.record, statement.name);
    return settled;
  }

  /** A record known by name alone that a source now calls otherwise is still meant by its name. */
  #keepName(kind: NamedKind, record: number, name: string): void {
    const row = this.#desk.writer.row(kind, record);
    if (row === undefined || row.folded === fold(name)) return;
    this.#merging.keepName(kind, record, this.#isDecided(kind, row.slug as string));
  }

  /** Whether an operator decided anything of a record when it was known by name alone. */
  #isDecided(kind: NamedKind, slug: string): boolean {
    return this.#decisions.of(kind, { source: '', externalId: slug }).length > 0;
  }

  /** Puts a record's statements in order again, after one of them changed. */
  resettle(kind: NamedKind, record: number): Settled {
    const nodes = this.#nodesOf(kind, record);
    return nodes.length === 0 ? { record, changed: [] } : this.#settle(kind, nodes);
  }

  /** Files a record under what a statement of it calls it. */
  file(kind: NamedKind, record: number, statement: Statement<NamedKind>): void {
    const { external_ids, name, aliases } = statement as Statement<'venue'>;
    for (const [service, id] of Object.entries(external_ids ?? {})) {
      if (id != null) this.#store.addExternal(kind, service, String(id).trim().toLowerCase(), record);
    }
    if (kind === 'venue')
      this.fileHouse(record, [name, ...(aliases ?? [])], (statement as Statement<'venue'>).city);
  }

  /** Files a house under the words of its names. */
  fileHouse(record: number, names: readonly string[], city: string | null): void {
    const keys = new Set(names.flatMap((name) => houseKeys(name)).map(houseKey));
    this.#store.addKeys([...keys].slice(0, 12), record, tagOf(0, city));
  }

  /** The house that a name in a city stands for: the likeliest of those that are the same. */
  findHouse(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null {
    const facts = { name, city, country };
    const found = this.housesLike(name, city)
      .filter(isFree)
      .flatMap((id) => {
        const row = this.#desk.writer.row('venue', id);
        return row
          ? this.#facesIn(city, id, row).map((face) => ({ id, row, judgement: judgeVenues(facts, face) }))
          : [];
      })
      .filter(({ judgement }) => judgement.outcome === 'same');
    const byLikelihood = found.toSorted(
      (a, b) =>
        b.judgement.score - a.judgement.score || (String(a.row.folded) < String(b.row.folded) ? -1 : 1),
    );
    return byLikelihood[0]?.id ?? null;
  }

  /** What a house is called in a city: where its record stands in another one, what is said of it in this one. */
  #facesIn(city: string, id: number, row: RowOf): VenueFacts[] {
    const own = houseOf(row);
    if (own.city == null || fold(own.city) === fold(city)) return [own];
    const { context, sources, writer } = this.#desk;
    const said = sources.said(id).map(({ statement }) => JSON.parse(statement) as Statement<'venue'>);
    const given = context.lookup.given(id).flatMap(({ name, place }) => {
      const at = context.lookup.cityOfSlug(place);
      const there = at === null ? undefined : writer.row('city', at);
      return there ? [{ name, city: there.name as string, country: there.country as string }] : [];
    });
    const others = [...said.map(({ name, city, country }) => ({ name, city, country })), ...given];
    return [own, ...others.filter((one) => fold(one.city) === fold(city))];
  }

  /** Houses whose names share a word with this one, in the same city. */
  housesLike(name: string, city: string | null): number[] {
    const ranges = houseKeys(name)
      .map(houseKey)
      .flatMap((key) => [key, key]);
    const tag = tagOf(0, city);
    const found = this.#store.near(ranges).filter(([, , theirs]) => mayBeOneCity(theirs, tag));
    return [...new Set(found.map(([, record]) => record))];
  }

  /** Statements of other records that may be the same as one of this record, likeliest first. */
  nearTo(kind: NamedKind, record: number): Pair<Node>[] {
    const pairs: Pair<Node>[] = [];
    for (const a of this.#nodesOf(kind, record)) {
      for (const other of this.#candidates(kind, a.facts, record)) {
        for (const b of this.#nodesOf(kind, other)) pairs.push({ a, b, judgement: judge(kind, a, b) });
      }
    }
    return pairs.toSorted((x, y) => y.judgement.score - x.judgement.score);
  }

  /** The statements of a record with how each is judged against the others. */
  nodesOf(kind: NamedKind, record: number): Node[] {
    return this.#nodesOf(kind, record);
  }

  judge(kind: NamedKind, a: Node, b: Node): Judgement {
    return judge(kind, a, b);
  }

  // ------------------------------------------------------------------------------------------------- candidates

  #candidates(kind: NamedKind, facts: Facts, except: number | null): Set<number> {
    const found = new Set<number>();
    for (const [service, id] of Object.entries(facts.externalIds ?? {})) {
      if (id == null) continue;
      for (const record of this.#store.byExternal(kind, service, String(id).trim().toLowerCase()))
        found.add(record);
    }
    // An artist's alias is no other name where a source lists it by itself; but it may be its name, written otherwise.
    const aliases = (facts.aliases ?? []).filter(
      (alias) => kind !== 'artist' || isVariant(alias, facts.name),
    );
    for (const id of this.#desk.context.lookup.byWords(kind, facts.name)) found.add(id);
    for (const name of [facts.name, ...aliases]) {
      for (const form of nameForms(kind, name)) {
        for (const { id } of this.#desk.context.lookup.byName(kind, form)) found.add(id);
      }
      if (kind === 'venue') for (const record of this.housesLike(name, facts.city ?? null)) found.add(record);
    }
    if (except !== null) found.delete(except);
    return found;
  }

  /** The statements of a record; of one that is known by name alone the name. */
  #nodesOf(kind: NamedKind, record: number): Node[] {
    const said = this.#desk.sources.said(record).map((row) => ({
      source: row.source_name,
      sourceId: row.source_id,
      externalId: row.external_id,
      record,
      facts: this.#facts(kind, row.source_name, row.external_id, JSON.parse(row.statement)),
    }));
    const nodes = said.length > 0 ? said : this.#stub(kind, record);
    return [...nodes, ...this.#decidedNames(kind, record, nodes)];
  }

  /** Names by which a record was known when an operator decided of it. */
  #decidedNames(kind: NamedKind, record: number, nodes: Node[]): Node[] {
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
    if (isThere || !this.#isDecided(kind, slug)) return names;
    const { city = null, country = null } = row as { city?: string | null; country?: string | null };
    return [...names, this.#nameNode(record, slug, row.name as string, { city, country })];
  }

  #nameNode(record: number, slug: string, name: string, { city, country }: Where): Node {
    const facts = { name, city, country, ...this.#cityOf(city, country) };
    return { source: '', sourceId: 0, externalId: slug, record, isStub: true, isName: true, facts };
  }

  #placed(kind: NamedKind, place: string): Where {
    const city = kind === 'venue' ? this.#desk.context.lookup.cityOfSlug(place) : null;
    const row = city === null ? undefined : this.#desk.writer.row('city', city);
    return row ? { city: row.name as string, country: row.country as string } : { city: null, country: null };
  }

  #stub(kind: NamedKind, record: number): Node[] {
    const row = this.#desk.writer.row(kind, record);
    if (row === undefined) return [];
    const facts: Facts = {
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

  #facts(kind: NamedKind, source: string, externalId: string, statement: Statement<NamedKind>): Facts {
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
      links: said.links,
      genres: said.genres,
      realName: said.real_name,
      foundedYear: said.founded_year,
      website: said.website,
      parent: said.parent?.name,
      address: said.address,
      postalCode: said.postal_code,
      latitude: said.latitude,
      longitude: said.longitude,
      city: said.city,
      ...(said.city ? this.#cityOf(said.city, said.country) : {}),
    };
  }

  /** An alias that is an artist of its own is not another name: it stays a record of its own. Spellings are none. */
  #ownAliases(kind: NamedKind, name: string, aliases: readonly string[] | null | undefined): string[] {
    if (kind !== 'artist') return [...(aliases ?? [])];
    const { lookup } = this.#desk.context;
    return (aliases ?? []).filter(
      (alias) =>
        isVariant(alias, name) || !lookup.byName('artist', fold(alias)).some((one) => one.is_alias === 0),
    );
  }

  #cityOf(city: string | null | undefined, country: string | null | undefined): { cityAliases?: string[] } {
    if (!city) return {};
    const found = this.#desk.context.lookup
      .byName('city', fold(city))
      .filter((one) => !country || one.country === country);
    const row = found.length === 1 && found[0] ? this.#desk.writer.row('city', found[0].id) : undefined;
    return { cityAliases: namesOfCity(row) };
  }

  // ------------------------------------------------------------------------------------------------- putting together

  #settle(kind: NamedKind, first: Node[]): Settled {
    const subject = first[0] as Node;
    const nodes = this.#connected(kind, first);
    if (nodes.length === first.length && first.length === 1) return { record: subject.record, changed: [] };
    const decided = (a: Node, b: Node) => this.#decided(kind, a, b);
    const done = cluster(nodes, {
      judge: judging((a, b) => judge(kind, a, b), groupsOf(nodes, decided)),
      decided,
      contradicts: ({ score }) => score < 0.1,
      rivals: () => true,
    });
    this.#noteDoubts(kind, nodes, done.doubts);
    return rehome(kind, done.clusters, subject, {
      desk: this.#desk,
      merging: this.#merging,
      moved: (node, _from, to) => {
        if (node.isStub && kind === 'venue') this.fileHouse(to, [node.facts.name], node.facts.city ?? null);
        const said = this.#desk.sources.find({ source: node.sourceId, kind, externalId: node.externalId });
        if (said?.statement) this.file(kind, to, JSON.parse(said.statement) as Statement<NamedKind>);
      },
    });
  }

  /** What was decided of two; a name that went into a record stays with it until it is parted. */
  #decided(kind: NamedKind, a: Node, b: Node): Verdict | undefined {
    const isOwn = a.record !== null && a.record === b.record && (a.isName === true || b.isName === true);
    return this.#decisions.between(kind, a, b) ?? (isOwn ? 'same' : undefined);
  }

  #connected(kind: NamedKind, first: Node[]): Node[] {
    const nodes = new Map(first.map((node) => [anchorText(node), node]));
    const records = new Set(first.map(({ record }) => record));
    for (const node of nodes.values()) {
      if (nodes.size >= mostNodes) break;
      const near = [...this.#candidates(kind, node.facts, node.record), ...this.#partners(kind, node)];
      for (const other of near) {
        if (records.has(other)) continue;
        const said = this.#nodesOf(kind, other);
        if (!said.some((one) => this.#isNear(kind, node, one))) continue;
        records.add(other);
        for (const one of said) nodes.set(anchorText(one), one);
      }
    }
    return [...nodes.values()];
  }

  #isNear(kind: NamedKind, a: Node, b: Node): boolean {
    const { score, rule } = judge(kind, a, b);
    // Two of one name that are different may both be meant by a third: they are told apart together.
    return (
      score >= 0.1 ||
      rule === 'external id' ||
      rule === 'two ids at one source' ||
      this.#decisions.between(kind, a, b) === 'same'
    );
  }

  #partners(kind: NamedKind, node: Node): number[] {
    return this.#decisions.partners(kind, node).flatMap(({ source, externalId }) => {
      const id = this.#desk.sources.named(source)?.id;
      const record =
        id === undefined ? null : this.#desk.sources.find({ source: id, kind, externalId })?.record_id;
      return record == null ? [] : [record];
    });
  }

  #noteDoubts(kind: NamedKind, nodes: Node[], doubts: Pair<Node>[]): void {
    for (const { source, externalId } of nodes) this.#store.dropDoubts(kind, source, externalId);
    for (const { a, b, judgement } of doubts) {
      this.#store.doubt({
        kind,
        a_source: a.source,
        a_external: a.externalId,
        b_source: b.source,
        b_external: b.externalId,
        score: judgement.score,
        rule: judgement.rule,
        reasons: JSON.stringify(judgement.reasons),
      });
    }
  }
}

const houseKey = (word: string): number => hash(`n ${word}`) * days;

/** What the record of a house says. */
const houseOf = (row: Record<string, string | number | null>): VenueFacts => ({
  name: row.name as string,
  aliases: JSON.parse(row.aliases as string) as string[],
  city: row.city as string | null,
  country: row.country as string | null,
});
