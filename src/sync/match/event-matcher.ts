/**
 * Which listings are one show. What comes in is compared with what lies near it in place and time; where something may be
 * the same, everything connected with it is put together anew, so that the order of coming does not matter.
 */
import { LRUCache } from 'lru-cache';
import type { Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import { type Anchor, anchorText, byAnchor, cluster, firstOf, type Pair } from './cluster.ts';
import type { Decisions } from './decisions.ts';
import type { Desk } from './desk.ts';
import { firstDoubts } from './doubts.ts';
import { contradicts, explains, rivals } from './event-clusters.ts';
import { EventFinder } from './event-finder.ts';
import { EventJudge } from './event-judge.ts';
import { judgeEvents } from './events.ts';
import { Evidence, type SaidEvent } from './evidence.ts';
import { pagesOf } from './links.ts';
import type { Judgement, Listing } from './listing.ts';
import type { Merging } from './merging.ts';
import { type Placement, rehome, type Settled } from './rehome.ts';

/** A statement in the work of putting together: where it stands now, and how it reads. */
type Node = SaidEvent & { record: number | null; listing: Listing };

/** The records that lie about a statement. */
type Around = Map<Node, ReadonlySet<number>>;

export type Speaking = { id: number; name: string; clock: 'instant' | 'local' };

/**
 * So many statements are put together anew at once: those nearest to the one that came. What lies beyond stays in the
 * records it is in; as every statement is at the centre once, and what decides of it lies next to it, all come to be judged.
 */
const mostNodes = 40;
/** Of one record so many of its statements, those nearest to one that is the same. */
const mostOfRecord = 20;
/** A record of so many statements takes no more: each would be read and weighed for the next. */
const mostStatements = 200;
const mostFull = 10_000;
/** So often two listings are compared for one that came. */
const mostCompared = 3_000;
/** So many listings are kept as they were read: as long as one reads the same, how it is judged is known. */
const mostListings = 4_000;
/** And so many letters of them. */
const mostLetters = 16_000_000;

/** A listing with its text; and the statement it was read from, where that lay in the file. */
type KnownListing = {
  text: string;
  listing: Listing;
  said: { text: string; statement: Statement<'event'> } | null;
};

export class EventMatcher {
  readonly #bench: Desk;
  readonly #store: MatchStore;
  readonly #merging: Merging;
  readonly #decisions: Decisions;
  readonly #evidence: Evidence;
  readonly #finder: EventFinder;
  /** Statements of records, as they were when the work on one statement began. */
  readonly #read = new Map<number, Node[]>();
  readonly #judge: EventJudge;
  /** Records that were seen to have `mostStatements`. */
  readonly #full = new Set<number>();
  readonly #listings = new LRUCache<string, KnownListing>({
    max: mostListings,
    maxSize: mostLetters,
    sizeCalculation: ({ text, said }) => text.length + (said?.text.length ?? 0) + 1,
  });

  constructor(bench: Desk, store: MatchStore, decisions: Decisions, merging: Merging) {
    this.#bench = bench;
    this.#merging = merging;
    this.#store = store;
    this.#decisions = decisions;
    this.#evidence = new Evidence(bench.context, bench.sources);
    this.#finder = new EventFinder(store, this.#evidence);
    this.#judge = new EventJudge(store, (record) => this.#nodesOf(record));
  }

  forget(): void {
    this.#full.clear();
    this.#evidence.forget();
    this.#finder.forget();
  }

  /** Forgets what was read: the work on another statement begins. */
  #begin(): void {
    this.#read.clear();
    this.#evidence.begin();
  }

  /**
   * Finds the record of a statement that its source makes for the first time, and what has to be put in order with it.
   * Only reads; the placement that it returns writes. The caller binds the statement, files it, and works all records
   * out again.
   */
  place(source: Speaking, externalId: string, statement: Statement<'event'>): Placement {
    this.#begin();
    const said = saidBy(source, externalId, statement);
    this.#judge.expect(said);
    const hasDecided = this.#decisions.of('event', { source: source.name, externalId }).length > 0;
    const shaken = this.#shaken(said);
    if (!hasDecided && shaken.length === 0 && this.#finder.near(said).size === 0)
      return () => ({ record: null, changed: [] });
    return this.#settle([this.#node(said, null), ...shaken], said);
  }

  /**
   * Statements that were judged by a page which turns out to serve several dates: it did not when its source gave it to
   * one show alone, and the order in which a source lists its shows must not matter.
   */
  #shaken(said: SaidEvent): Node[] {
    const { source, statement } = said;
    if (!this.#finder.hasOthers(said.sourceId)) return [];
    return pagesOf(statement)
      .filter(({ specific }) => specific)
      .flatMap(({ key }) => {
        const nodes = this.#judge.recordsAt(key, statement.start_at).flatMap((one) => this.#nodesOf(one));
        const named = nodes.filter((one) => pagesOf(one.statement).some((page) => page.key === key));
        const starts = new Set(
          named.filter((one) => one.source === source).map((one) => one.statement.start_at),
        );
        return starts.size === 1 && !starts.has(statement.start_at) ? nodes : [];
      });
  }

  /** Files a record under the keys of a statement of it. */
  file(record: number, source: Speaking, externalId: string, statement: Statement<'event'>): void {
    this.#evidence.begin();
    this.#finder.file(record, saidBy(source, externalId, statement));
  }

  /** Takes a record from under the keys of a statement that is not its own any more. */
  unfile(record: number, source: Speaking, externalId: string, statement: Statement<'event'>): void {
    this.#begin();
    this.#full.delete(record);
    this.#finder.unfile(record, saidBy(source, externalId, statement));
    // What other statements of the record share with it stays.
    for (const other of this.#nodesOf(record)) {
      if (other.sourceId !== source.id || other.externalId !== externalId) this.#finder.file(record, other);
    }
  }

  /**
   * Puts a record's statements in order again, after one of them or what they name changed.
   * @param isFixed nothing moves: only what is in doubt is noted anew
   * @param changed the statement that changed, where it is known: of more than are put together at once it must be one
   */
  resettle(record: number, isFixed = false, changed: Anchor | null = null): Settled {
    this.#begin();
    this.#judge.expect(null);
    return this.#resettling(record, isFixed, changed)();
  }

  /** The same in two steps: reads now, and writes when the placement that it returns is called. */
  resettling(record: number): Placement {
    this.#begin();
    this.#judge.expect(null);
    return this.#resettling(record, false, null);
  }

  /**
   * The same for a record of which a statement is about to be stored in the place of what its source said before. The
   * caller files it under its new keys first.
   */
  restating(record: number, source: Speaking, externalId: string, statement: Statement<'event'>): Placement {
    this.#begin();
    const said = saidBy(source, externalId, statement);
    const isSame = (one: SaidEvent) => one.sourceId === source.id && one.externalId === externalId;
    const nodes = this.#nodesOf(record);
    const node = this.#node(said, record);
    const now = nodes.some(isSame) ? nodes.map((one) => (isSame(one) ? node : one)) : [...nodes, node];
    this.#read.set(record, now);
    this.#judge.expect(said);
    return this.#resettling(record, false, node);
  }

  #resettling(record: number, isFixed: boolean, changed: Anchor | null): Placement {
    const nodes = firstOf(this.#nodesOf(record), changed, mostNodes);
    const alone =
      nodes.length === 1 &&
      !this.#store.hasDecisions() &&
      this.#finder.near(nodes[0] as Node, record).size === 0;
    const stays = { record, changed: [] };
    if (nodes.length === 0) return () => stays;
    if (alone) {
      return () => {
        this.#dropDoubts(nodes);
        for (const { source, externalId } of nodes) this.#store.noteLeftOut('event', source, externalId, 0);
        return stays;
      };
    }
    return this.#settle(nodes, nodes[0] as Node, isFixed);
  }

  /** How two statements are judged. */
  judge(a: SaidEvent, b: SaidEvent): Judgement {
    this.#evidence.begin();
    return judgeEvents(this.#evidence.listingOf(a), this.#evidence.listingOf(b));
  }

  /** The statements of a record. */
  saidOf(record: number): SaidEvent[] {
    this.#begin();
    return this.#nodesOf(record);
  }

  /** Statements of other records that lie near one of this record, with how they are judged; likeliest first. */
  nearTo(record: number): Pair<SaidEvent & { record: number | null }>[] {
    this.#begin();
    const nodes = this.#nodesOf(record);
    const pairs: Pair<Node>[] = [];
    for (const a of nodes) {
      for (const other of this.#finder.near(a, record)) {
        for (const b of this.#nodesOf(other))
          pairs.push({ a, b, judgement: judgeEvents(a.listing, b.listing) });
      }
    }
    return pairs.toSorted((x, y) => y.judgement.score - x.judgement.score);
  }

  // ------------------------------------------------------------------------------------------------- statements

  #node(said: SaidEvent, record: number | null): Node {
    return { ...said, record, listing: this.#asKnown(this.#evidence.listingOf(said), null) };
  }

  /** The listing as it was read before, if it reads the same: what was found of that holds for it. */
  #asKnown(listing: Listing, said: KnownListing['said']): Listing {
    const text = JSON.stringify(listing);
    const anchor = anchorText(listing);
    const known = this.#listings.get(anchor);
    const isKnown = known?.text === text;
    if (isKnown && (said === null || said.text === known.said?.text)) return known.listing;
    const kept = isKnown ? known.listing : listing;
    this.#listings.set(anchor, { text, listing: kept, said });
    return kept;
  }

  #nodesOf(record: number): Node[] {
    let nodes = this.#read.get(record);
    if (nodes === undefined) {
      nodes = this.#readNodes(record);
      this.#read.set(record, nodes);
    }
    return nodes;
  }

  /** The statements of a record; null of one that has so many that it takes no more. */
  #roomyNodesOf(record: number): Node[] | null {
    if (this.#full.has(record)) return null;
    const nodes = this.#nodesOf(record);
    if (nodes.length < mostStatements) return nodes;
    if (this.#full.size >= mostFull) this.#full.clear();
    this.#full.add(record);
    return null;
  }

  #readNodes(record: number): Node[] {
    return this.#bench.sources.said(record).map((row) => {
      const anchor = { source: row.source_name, externalId: row.external_id };
      const text = row.statement;
      const known = this.#listings.get(anchorText(anchor))?.said;
      const statement = known?.text === text ? known.statement : (JSON.parse(text) as Statement<'event'>);
      const said = { ...anchor, sourceId: row.source_id, clock: row.clock as SaidEvent['clock'], statement };
      const listing = this.#asKnown(this.#evidence.listingOf(said), { text, statement });
      return { ...said, record, listing };
    });
  }

  // ------------------------------------------------------------------------------------------------- putting together

  /**
   * Everything that is the same as one of `first`, or is in one record with it, and so on from there: what decides of it.
   * @returns the statements, and the records that lie about each; one for which they are not known stays where it is; and
   *   how many records near the first one were not compared
   */
  #connected(first: Node[]): { nodes: Node[]; around: Around; left: number } {
    const nodes = new Map(first.map((node) => [anchorText(node), node]));
    const records = new Set(first.map(({ record }) => record));
    const around: Around = new Map();
    const most = Math.max(mostNodes, first.length);
    let [compared, left] = [0, 0];
    for (const node of nodes.values()) {
      this.#bench.ease();
      const isFirst = first.includes(node);
      if ((nodes.size >= mostNodes || compared >= mostCompared) && node.record !== null && !isFirst) continue;
      const near = this.#finder.nearest(node, node.record);
      around.set(node, near.records);
      if (isFirst) left += near.left;
      const same: { record: number; said: Node[]; score: number }[] = [];
      for (const record of near.records) {
        if (records.has(record)) continue;
        this.#bench.ease();
        const said = this.#roomyNodesOf(record);
        if (said === null) {
          if (isFirst) left++;
          continue;
        }
        compared += said.length;
        const score = this.#sameness(node, said);
        if (score !== null) same.push({ record, said, score });
      }
      for (const { record, said } of same.toSorted(byLikelihood)) {
        const room = Math.min(most - nodes.size, mostOfRecord);
        if (room > 0) this.#take(record, this.#nearestOf(node, said, room), nodes, records);
        else if (isFirst) left++;
      }
      for (const partner of this.#decisions.partners('event', node)) {
        const record = this.#recordOf(partner.source, partner.externalId);
        if (record !== null && !records.has(record))
          this.#take(record, this.#nodesOf(record), nodes, records);
      }
    }
    return { nodes: [...nodes.values()], around, left };
  }

  /** How likely the likeliest of a record's statements is the same; null where none is. */
  #sameness(node: Node, said: readonly Node[]): number | null {
    let likeliest: number | null = null;
    for (const one of said) {
      const { outcome, score } = this.#judge.judge(node.listing, one.listing);
      if (outcome === 'same' || this.#decisions.between('event', node, one) === 'same')
        likeliest = Math.max(likeliest ?? 0, score);
    }
    return likeliest;
  }

  /** Of a record of more statements than there is room for, those likeliest the same as one. */
  #nearestOf(node: Node, said: Node[], room: number): Node[] {
    if (said.length <= room) return said;
    return said
      .map((one) => ({ record: 0, said: [one], score: this.#judge.judge(node.listing, one.listing).score }))
      .toSorted(byLikelihood)
      .slice(0, room)
      .flatMap((one) => one.said);
  }

  #take(record: number, said: Node[], nodes: Map<string, Node>, records: Set<number | null>): void {
    records.add(record);
    for (const one of said) nodes.set(anchorText(one), one);
  }

  #recordOf(source: string, externalId: string): number | null {
    const id = this.#bench.sources.named(source)?.id;
    if (id === undefined) return null;
    return this.#bench.sources.find({ source: id, kind: 'event', externalId })?.record_id ?? null;
  }

  #settle(all: Node[], subject: SaidEvent, isFixed = false): Placement {
    const first = all.slice(0, mostNodes);
    const { nodes, around, left } = this.#connected(first);
    const { clusters, doubts } = cluster(nodes, {
      judge: (a, b) => {
        this.#bench.ease();
        return this.#judge.judge(a.listing, b.listing);
      },
      decided: (a, b) => this.#decisions.between('event', a, b),
      bound: (node) => (around.has(node) && !isFixed ? null : node.record),
      contradicts,
      explains,
      rivals,
    });
    const known = doubts.filter(({ a, b }) => around.has(a) || around.has(b));
    const { noted, leftOut } = firstDoubts([...known, ...this.#doubtsAround(clusters, around)]);
    return () => {
      this.#dropDoubts([...around.keys()]);
      this.#noteDoubts(noted);
      this.#store.noteLeftOut('event', subject.source, subject.externalId, left + leftOut(subject));
      return rehome('event', clusters, subject, {
        desk: this.#bench,
        merging: this.#merging,
        moved: (node, from, to) => {
          this.unfile(from, speakingOf(node), node.externalId, node.statement);
          this.file(to, speakingOf(node), node.externalId, node.statement);
        },
      });
    };
  }

  #dropDoubts(nodes: Node[]): void {
    for (const { source, externalId } of nodes) this.#store.dropDoubts('event', source, externalId);
  }

  /** What may be the same as one of a cluster, and is not at hand: of each record the likeliest pair. */
  #doubtsAround(clusters: Node[][], around: Around): Pair<Node>[] {
    const atHand = new Set(clusters.flat().map(({ record }) => record));
    return clusters.flatMap((members) => {
      const best = new Map<number, Pair<Node>>();
      for (const a of members) {
        for (const other of around.get(a) ?? []) {
          if (atHand.has(other)) continue;
          for (const b of this.#roomyNodesOf(other) ?? []) {
            const judgement = this.#judge.judge(a.listing, b.listing);
            if (judgement.outcome === 'different') continue;
            if ((best.get(other)?.judgement.score ?? 0) < judgement.score)
              best.set(other, { a, b, judgement });
          }
        }
      }
      const isParted = (record: number): boolean =>
        this.#nodesOf(record).some((b) =>
          members.some((a) => this.#decisions.between('event', a, b) === 'different'),
        );
      return [...best].filter(([record]) => !isParted(record)).map(([, pair]) => pair);
    });
  }

  #noteDoubts(doubts: Pair<Node>[]): void {
    for (const pair of doubts) {
      const { judgement } = pair;
      const [a, b] = [pair.a, pair.b].sort(byAnchor) as [Node, Node];
      this.#store.doubt({
        kind: 'event',
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
const byLikelihood = (
  a: { said: readonly Node[]; score: number },
  b: { said: readonly Node[]; score: number },
): number => b.score - a.score || byAnchor(a.said[0] as Node, b.said[0] as Node);

const saidBy = (
  { id, name, clock }: Speaking,
  externalId: string,
  statement: Statement<'event'>,
): SaidEvent => ({
  source: name,
  sourceId: id,
  clock,
  externalId,
  statement,
});
const speakingOf = ({ sourceId, source, clock }: SaidEvent): Speaking => ({
  id: sourceId,
  name: source,
  clock,
});
