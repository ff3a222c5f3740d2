/**
 * Which listings are one show. What comes in is compared with what lies near it in place and time; where something may be
 * the same, everything connected with it is put together anew, so that the order of coming does not matter.
 */
import { LRUCache } from 'lru-cache';
import type { Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import { anchorText, byAnchor, cluster, type Pair } from './cluster.ts';
import type { Decisions } from './decisions.ts';
import type { Desk } from './desk.ts';
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
const mostNodes = 60;
/** So many listings are kept as they were read: as long as one reads the same, how it is judged is known. */
const mostListings = 4_000;

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
  readonly #listings = new LRUCache<string, { text: string; listing: Listing }>({ max: mostListings });

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
    this.#evidence.forget();
    this.#finder.forget();
  }

  /**
   * Finds the record of a statement that its source makes for the first time, and what has to be put in order with it.
   * Only reads; the placement that it returns writes. The caller binds the statement, files it, and works all records
   * out again.
   */
  place(source: Speaking, externalId: string, statement: Statement<'event'>): Placement {
    this.#read.clear();
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
    this.#finder.file(record, saidBy(source, externalId, statement));
  }

  /** Takes a record from under the keys of a statement that is not its own any more. */
  unfile(record: number, source: Speaking, externalId: string, statement: Statement<'event'>): void {
    this.#read.clear();
    this.#finder.unfile(record, saidBy(source, externalId, statement));
    // What other statements of the record share with it stays.
    for (const other of this.#nodesOf(record)) {
      if (other.sourceId !== source.id || other.externalId !== externalId) this.#finder.file(record, other);
    }
  }

  /**
   * Puts a record's statements in order again, after one of them or what they name changed.
   * @param isFixed nothing moves: only what is in doubt is noted anew
   */
  resettle(record: number, isFixed = false): Settled {
    this.#read.clear();
    this.#judge.expect(null);
    return this.#resettling(record, isFixed)();
  }

  /** The same in two steps: reads now, and writes when the placement that it returns is called. */
  resettling(record: number): Placement {
    this.#read.clear();
    this.#judge.expect(null);
    return this.#resettling(record, false);
  }

  /**
   * The same for a record of which a statement is about to be stored in the place of what its source said before. The
   * caller files it under its new keys first.
   */
  restating(record: number, source: Speaking, externalId: string, statement: Statement<'event'>): Placement {
    this.#read.clear();
    const said = saidBy(source, externalId, statement);
    const isSame = (one: SaidEvent) => one.sourceId === source.id && one.externalId === externalId;
    const nodes = this.#nodesOf(record);
    const node = this.#node(said, record);
    const now = nodes.some(isSame) ? nodes.map((one) => (isSame(one) ? node : one)) : [...nodes, node];
    this.#read.set(record, now);
    this.#judge.expect(said);
    return this.#resettling(record, false);
  }

  #resettling(record: number, isFixed: boolean): Placement {
    const nodes = this.#nodesOf(record);
    const alone =
      nodes.length === 1 &&
      !this.#store.hasDecisions() &&
      this.#finder.near(nodes[0] as Node, record).size === 0;
    const stays = { record, changed: [] };
    if (nodes.length === 0) return () => stays;
    if (alone) {
      return () => {
        this.#dropDoubts(nodes);
        return stays;
      };
    }
    return this.#settle(nodes, nodes[0] as Node, isFixed);
  }

  /** How two statements are judged. */
  judge(a: SaidEvent, b: SaidEvent): Judgement {
    return judgeEvents(this.#evidence.listingOf(a), this.#evidence.listingOf(b));
  }

  /** The statements of a record. */
  saidOf(record: number): SaidEvent[] {
    this.#read.clear();
    return this.#nodesOf(record);
  }

  /** Statements of other records that lie near one of this record, with how they are judged; likeliest first. */
  nearTo(record: number): Pair<SaidEvent & { record: number | null }>[] {
    this.#read.clear();
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
    return { ...said, record, listing: this.#asKnown(this.#evidence.listingOf(said)) };
  }

  /** The listing as it was read before, if it reads the same: what was found of that holds for it. */
  #asKnown(listing: Listing): Listing {
    const text = JSON.stringify(listing);
    const anchor = anchorText(listing);
    const known = this.#listings.get(anchor);
    if (known?.text === text) return known.listing;
    this.#listings.set(anchor, { text, listing });
    return listing;
  }

  #nodesOf(record: number): Node[] {
    let nodes = this.#read.get(record);
    if (nodes === undefined) {
      nodes = this.#readNodes(record);
      this.#read.set(record, nodes);
    }
    return nodes;
  }

  #readNodes(record: number): Node[] {
    return this.#bench.sources.said(record).map((row) =>
      this.#node(
        {
          source: row.source_name,
          sourceId: row.source_id,
          clock: row.clock as 'instant' | 'local',
          externalId: row.external_id,
          statement: JSON.parse(row.statement) as Statement<'event'>,
        },
        record,
      ),
    );
  }

  // ------------------------------------------------------------------------------------------------- putting together

  /**
   * Everything that is the same as one of `first`, or is in one record with it, and so on from there: what decides of it.
   * @returns the statements, and the records that lie about each; one for which they are not known stays where it is
   */
  #connected(first: Node[]): { nodes: Node[]; around: Around } {
    const nodes = new Map(first.map((node) => [anchorText(node), node]));
    const records = new Set(first.map(({ record }) => record));
    const around: Around = new Map();
    for (const node of nodes.values()) {
      this.#bench.ease();
      if (nodes.size >= mostNodes && node.record !== null && !first.includes(node)) continue;
      const near = this.#finder.near(node, node.record);
      around.set(node, near);
      for (const other of near) {
        if (records.has(other)) continue;
        this.#bench.ease();
        const said = this.#nodesOf(other);
        const isNear = said.some(
          (one) =>
            this.#judge.judge(node.listing, one.listing).outcome === 'same' ||
            this.#decisions.between('event', node, one) === 'same',
        );
        if (isNear) this.#take(other, said, nodes, records);
      }
      for (const partner of this.#decisions.partners('event', node)) {
        const record = this.#recordOf(partner.source, partner.externalId);
        if (record !== null && !records.has(record))
          this.#take(record, this.#nodesOf(record), nodes, records);
      }
    }
    return { nodes: [...nodes.values()], around };
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

  #settle(first: Node[], subject: SaidEvent, isFixed = false): Placement {
    const { nodes, around } = this.#connected(first);
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
    const open = [...known, ...this.#doubtsAround(clusters, around)];
    return () => {
      this.#dropDoubts([...around.keys()]);
      this.#noteDoubts(open);
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
          for (const b of this.#nodesOf(other)) {
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
