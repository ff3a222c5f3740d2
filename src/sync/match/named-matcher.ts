/** Which statements speak of one venue, artist, label or festival. As with shows, a block is put together anew as a whole. */
import type { Statement } from '../../contract/feed.ts';
import { fold } from '../../store/fold.ts';
import type { MatchStore } from '../../store/matching.ts';
import { type Anchor, anchorText, byAnchor, cluster, firstOf, type Pair, type Verdict } from './cluster.ts';
import type { Decisions } from './decisions.ts';
import type { Desk } from './desk.ts';
import { firstDoubts } from './doubts.ts';
import type { Speaking } from './event-matcher.ts';
import { groupsOf, judging } from './faces.ts';
import type { HouseFinder } from './house-finder.ts';
import { idText, impliedIds } from './ids.ts';
import type { Judgement } from './listing.ts';
import type { Merging } from './merging.ts';
import { nameForms } from './name-forms.ts';
import { areNearlyOne, isVariant } from './name-variants.ts';
import { judgeNamed, type NamedFacts, type NamedKind, type NamedNode } from './named-judge.ts';
import { namedKeys } from './named-keys.ts';
import { NamedNodes } from './named-nodes.ts';
import { ownNames } from './own-names.ts';
import { PairMemory } from './pair-memory.ts';
import { type Placement, rehome, type Settled } from './rehome.ts';

/** So many of one name are told apart at once, those nearest to the one that came. */
const mostNodes = 32;
/** So many records are read for one statement, best evidence first, and so often two statements are compared. */
const mostRead = 80;
const mostCompared = 2_000;
/** Whoever has so many candidates is not looked for any further. */
const mostFound = 400;
/** So many names are looked up for one statement; then its own and those of its neighbours, without their aliases. */
const mostLooked = 1_000;
/** So many judgements are kept at hand, about 15 MB. */
const mostJudged = 20_000;

export class NamedMatcher {
  readonly #desk: Desk;
  readonly #store: MatchStore;
  readonly #decisions: Decisions;
  readonly #merging: Merging;
  readonly #houses: HouseFinder;
  readonly #nodes: NamedNodes;
  readonly #named = new Map<string, readonly number[]>();
  readonly #judged = new PairMemory<NamedFacts, Judgement>(mostJudged);

  constructor(desk: Desk, store: MatchStore, decisions: Decisions, merging: Merging, houses: HouseFinder) {
    this.#desk = desk;
    this.#store = store;
    this.#decisions = decisions;
    this.#merging = merging;
    this.#houses = houses;
    this.#nodes = new NamedNodes(desk, decisions);
  }

  /** Finds the record of a statement made for the first time; see `EventMatcher.place`. */
  place(kind: NamedKind, source: Speaking, externalId: string, statement: Statement<NamedKind>): Placement {
    this.#begin();
    const node: NamedNode = {
      source: source.name,
      sourceId: source.id,
      externalId,
      record: null,
      facts: this.#nodes.facts(kind, source.name, externalId, statement),
    };
    const placement = this.#settle(kind, [node], { coming: statement });
    return () => {
      const settled = placement();
      if (settled.record !== null) this.#keepName(kind, settled.record, statement.name);
      return settled;
    };
  }

  /** A record known by name alone that a source now calls otherwise is still meant by its name. */
  #keepName(kind: NamedKind, record: number, name: string): void {
    const row = this.#desk.writer.row(kind, record);
    if (row === undefined || row.folded === fold(name)) return;
    this.#merging.keepName(kind, record, this.#decisions.isOfName(kind, row.slug as string));
  }

  /** Puts a record's statements in order again, after one of them changed; see `EventMatcher.resettle`. */
  resettle(kind: NamedKind, record: number, isFixed = false): Settled {
    this.#begin();
    const nodes = firstOf(this.#nodes.of(kind, record), null, mostNodes);
    return nodes.length === 0 ? { record, changed: [] } : this.#settle(kind, nodes, { isFixed })();
  }

  /**
   * The same for a record of which a statement is about to be stored in the place of what its source said before; see
   * `EventMatcher.restating`.
   */
  restating(
    kind: NamedKind,
    record: number,
    source: Speaking,
    externalId: string,
    statement: Statement<NamedKind>,
  ): Placement {
    this.#begin();
    const coming = { source: source.name, sourceId: source.id, externalId, text: JSON.stringify(statement) };
    return this.#settle(kind, firstOf(this.#nodes.of(kind, record, coming), coming, mostNodes));
  }

  /** Files a record under what a statement of it calls it, and the ids that stand in it. */
  file(
    kind: NamedKind,
    record: number,
    { source, externalId }: Anchor,
    statement: Statement<NamedKind>,
  ): void {
    const { external_ids, links, name, aliases, country } = statement as Statement<'artist'>;
    for (const [service, id] of Object.entries(external_ids ?? {}))
      if (id != null) this.#store.addExternal(kind, service, idText(id), record);
    for (const [service, { ids }] of Object.entries(impliedIds(source, externalId, links)))
      for (const id of ids) this.#store.addExternal(kind, service, id, record);
    // An artist's alias is no other name where a source lists it by itself.
    const names = kind === 'artist' ? [name] : [name, ...(aliases ?? [])];
    if (kind === 'venue') {
      const { city, address } = statement as Statement<'venue'>;
      this.#houses.file(record, names, { city, country: country ?? null, address });
    } else this.#store.addKeys(namedKeys(kind, { names, country }), record, 0);
  }

  /** Files a record of which nobody says more than the name under what its row has of it. */
  fileRow(kind: NamedKind, record: number): void {
    const row = this.#desk.writer.row(kind, record);
    if (row === undefined) return;
    const { name, city = null, country = null } = row as Record<string, string | null>;
    if (kind === 'venue') this.#houses.file(record, [name as string], { city, country });
    else this.fileName(kind, record, name as string);
  }

  /** Files a record that is known by a name alone. */
  fileName(kind: NamedKind, record: number, name: string): void {
    this.#store.addKeys(namedKeys(kind, { names: [name], country: null }), record, 0);
  }

  /** Statements of other records that may be the same as one of this record, likeliest first. */
  nearTo(kind: NamedKind, record: number): Pair<NamedNode>[] {
    this.#begin();
    const pairs: Pair<NamedNode>[] = [];
    for (const a of this.#nodes.of(kind, record)) {
      for (const other of this.#candidates(kind, a.facts, record)) {
        for (const b of this.#nodes.of(kind, other)) pairs.push({ a, b, judgement: judgeNamed(kind, a, b) });
      }
    }
    return pairs.toSorted((x, y) => y.judgement.score - x.judgement.score);
  }

  /** The statements of a record; of one that is known by name alone the name. */
  nodesOf(kind: NamedKind, record: number): NamedNode[] {
    this.#begin();
    return [...this.#nodes.of(kind, record)];
  }

  /** How two of them are judged. */
  judge(kind: NamedKind, a: NamedNode, b: NamedNode): Judgement {
    return judgeNamed(kind, a, b);
  }

  // ------------------------------------------------------------------------------------------------- candidates

  #candidates(kind: NamedKind, facts: NamedFacts, except: number | null): Set<number> {
    const found = new Set<number>();
    const add = (records: readonly number[]): void => {
      for (const record of records) found.add(record);
    };
    for (const [service, id] of Object.entries(facts.externalIds ?? {}))
      if (id != null) add(this.#store.byExternal(kind, service, idText(id)));
    for (const [service, { ids }] of Object.entries(facts.impliedIds ?? {}))
      for (const id of ids) add(this.#store.byExternal(kind, service, id));
    // An artist's alias is no other name where a source lists it by itself; but it may be its name, written otherwise.
    const aliases = (facts.aliases ?? []).filter(
      (alias) => kind !== 'artist' || isVariant(alias, facts.name),
    );
    const { lookup } = this.#desk.context;
    add(lookup.byWords(kind, facts.name));
    const own = [facts.name, ...(kind === 'artist' ? ownNames(facts.name).names : [])];
    const names = [...own, ...aliases];
    for (const [at, name] of names.entries()) {
      if (at >= own.length && this.#named.size >= mostLooked) break;
      for (const form of nameForms(kind, name))
        if (found.size < mostFound) add(this.#recordsNamed(kind, form));
    }
    if (found.size < mostFound) add(this.#filed(kind, names, facts));
    if (except !== null) found.delete(except);
    return found;
  }

  /** Records that have a folded name; each name is looked up once for a statement. */
  #recordsNamed(kind: NamedKind, folded: string): readonly number[] {
    let records = this.#named.get(folded);
    if (records === undefined) {
      records = this.#desk.context.lookup.byName(kind, folded).map(({ id }) => id);
      this.#named.set(folded, records);
    }
    return records;
  }

  /** Forget what was looked up: the work on another statement begins. */
  #begin(): void {
    this.#named.clear();
    this.#nodes.begin();
  }

  /** Records that were filed under a word, a writing or the sound of one of these names. */
  #filed(kind: NamedKind, names: readonly string[], facts: NamedFacts): number[] {
    const { city = null, country = null, address } = facts;
    if (kind === 'venue') return this.#houses.like(names, { city, country, address });
    const keys = namedKeys(kind, { names, country });
    const records = this.#store.near(keys.flatMap((key) => [key, key])).map(([, record]) => record);
    if (kind !== 'artist') return [...new Set(records)];
    // Many sound alike: those are read whose names are nearly these.
    return [...new Set(records)].filter((record) => {
      const name = this.#desk.writer.row(kind, record)?.name;
      return typeof name === 'string' && names.some((one) => areNearlyOne(one, name));
    });
  }

  // ------------------------------------------------------------------------------------------------- putting together

  #settle(
    kind: NamedKind,
    first: readonly NamedNode[],
    { isFixed = false, coming = null }: { isFixed?: boolean; coming?: Statement<NamedKind> | null } = {},
  ): Placement {
    const subject = first[0] as NamedNode;
    const { nodes, left } = this.#connected(kind, first.slice(0, mostNodes));
    if (nodes.length === first.length && first.length === 1) {
      return () => {
        this.#store.noteLeftOut(kind, subject.source, subject.externalId, left);
        return { record: subject.record, changed: [] };
      };
    }
    if (coming !== null) this.#nodes.keep(kind, subject, coming);
    const decided = (a: NamedNode, b: NamedNode) => this.#decided(kind, a, b);
    const groups = this.#decisions.any() ? groupsOf(nodes, decided) : new Map();
    const done = cluster(nodes, {
      judge: judging((a, b) => this.#judge(kind, a, b), groups),
      decided,
      bound: (node) => (isFixed ? node.record : null),
      contradicts,
      explains,
      rivals: (judgement) => !isByNameAlone(judgement),
      areSeveralTorn: true,
    });
    const doubts = firstDoubts(done.doubts);
    return () => {
      this.#noteDoubts(kind, nodes, doubts.noted);
      this.#store.noteLeftOut(kind, subject.source, subject.externalId, left + doubts.leftOut(subject));
      return rehome(kind, done.clusters, subject, {
        desk: this.#desk,
        merging: this.#merging,
        moved: (node, _from, to) => this.#moved(kind, node, to),
      });
    };
  }

  /** Files what came into another record under that one. */
  #moved(kind: NamedKind, node: NamedNode, to: number): void {
    if (node.isStub && kind === 'venue')
      this.#houses.file(to, [node.facts.name], {
        city: node.facts.city ?? null,
        country: node.facts.country ?? null,
      });
    const said = this.#desk.sources.find({ source: node.sourceId, kind, externalId: node.externalId });
    if (said?.statement) this.file(kind, to, node, JSON.parse(said.statement) as Statement<NamedKind>);
  }

  /** What was decided of two; a name that went into a record stays with it until it is parted. */
  #decided(kind: NamedKind, a: NamedNode, b: NamedNode): Verdict | undefined {
    const isOwn = a.record !== null && a.record === b.record && (a.isName === true || b.isName === true);
    return this.#decisions.between(kind, a, b) ?? (isOwn ? 'same' : undefined);
  }

  /**
   * Everything that may be the same as one of `first`, and so on from there, best evidence first.
   * @returns the statements, and how many records may be the same and were not compared or taken
   */
  #connected(kind: NamedKind, first: readonly NamedNode[]): { nodes: NamedNode[]; left: number } {
    const nodes = new Map(first.map((node) => [anchorText(node), node]));
    const records = new Set(first.map(({ record }) => record));
    const read = new Set<number>();
    const left = new Set<number>();
    const work = { compared: 0 };
    for (const node of nodes.values()) {
      if (nodes.size >= mostNodes && nodes.size > first.length) break;
      const candidates = [
        ...this.#candidates(kind, node.facts, node.record),
        ...this.#partners(kind, node),
      ].filter((record) => !records.has(record));
      const near: { record: number; said: readonly NamedNode[]; score: number }[] = [];
      for (const record of candidates) {
        if (work.compared >= mostCompared || (read.size >= mostRead && !read.has(record))) {
          left.add(record);
          continue;
        }
        read.add(record);
        const said = this.#nodes.of(kind, record);
        work.compared += said.length;
        const score = this.#nearness(kind, node, said);
        if (score !== null) near.push({ record, said, score });
      }
      for (const { record, said } of near.toSorted(byNearness)) {
        if (records.has(record)) continue;
        const room = Math.max(mostNodes, first.length) - nodes.size;
        if (room <= 0) {
          left.add(record);
          continue;
        }
        records.add(record);
        for (const one of said.slice(0, room)) nodes.set(anchorText(one), one);
      }
    }
    for (const record of records) if (record !== null) left.delete(record);
    return { nodes: [...nodes.values()], left: left.size };
  }

  /** How near the nearest of a record's statements is; null where none is. */
  #nearness(kind: NamedKind, node: NamedNode, said: readonly NamedNode[]): number | null {
    let nearest: number | null = null;
    for (const one of said) {
      const { score, rule } = this.#judge(kind, node, one);
      // Two of one name that are different may both be meant by a third: they are told apart together.
      const isNear =
        score >= 0.1 ||
        rule === 'external id' ||
        rule === 'two ids at one source' ||
        this.#decisions.between(kind, node, one) === 'same';
      if (isNear) nearest = Math.max(nearest ?? 0, score);
    }
    return nearest;
  }

  /** How two are judged; each two once. */
  #judge(kind: NamedKind, a: NamedNode, b: NamedNode): Judgement {
    const known = this.#judged.get(a.facts, b.facts);
    if (known !== undefined) return known;
    this.#desk.ease();
    const judgement = judgeNamed(kind, a, b);
    this.#judged.set(a.facts, b.facts, judgement);
    return judgement;
  }

  #partners(kind: NamedKind, node: NamedNode): number[] {
    return this.#decisions.partners(kind, node).flatMap(({ source, externalId }) => {
      const id = this.#desk.sources.named(source)?.id;
      const record =
        id === undefined ? null : this.#desk.sources.find({ source: id, kind, externalId })?.record_id;
      return record == null ? [] : [record];
    });
  }

  #noteDoubts(kind: NamedKind, nodes: NamedNode[], doubts: Pair<NamedNode>[]): void {
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

/** The likeliest first; of equal ones the first by what sources call them. */
const byNearness = (
  a: { said: readonly NamedNode[]; score: number },
  b: { said: readonly NamedNode[]; score: number },
): number => b.score - a.score || byAnchor(a.said[0] as NamedNode, b.said[0] as NamedNode);

/** Whether two cannot be one, though both may be the same as a third. */
const contradicts = ({ outcome, score, rule, reasons }: Judgement): boolean =>
  score < 0.1 ||
  rule === 'two ids at one source' ||
  (outcome === 'different' && reasons.some(({ evidence, weight }) => evidence === 'country' && weight < -2));

/** Whether nothing but the names speaks against two. */
const isByNameAlone = ({ rule, reasons }: Judgement): boolean =>
  rule === 'weighed' && reasons.every(({ evidence, weight }) => weight > -1.2 || evidence === 'name');

/**
 * Nothing but their names speaks against two, and a third is the same as both: it knows the one by a name, and the other by
 * an alias, an id, or the same name in other letters.
 */
const explains = (between: Judgement, one: Judgement, other: Judgement): boolean =>
  isByNameAlone(between) && [one, other].every(({ outcome }) => outcome === 'same');
