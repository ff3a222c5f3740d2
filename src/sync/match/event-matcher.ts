/**
 * Which listings are one show. What comes in is compared with what lies near it in place and time; where something may be
 * the same, everything connected with it is put together anew, so that the order of coming does not matter.
 */
import type { Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import { anchorText, type Clustered, cluster, type Pair } from './cluster.ts';
import type { Decisions } from './decisions.ts';
import type { Desk } from './desk.ts';
import { judgeEvents } from './events.ts';
import { Evidence, type SaidEvent } from './evidence.ts';
import { eventKeys, type Key, mayBeOneCity, sourceOfTag, tagOf } from './keys.ts';
import { busyPages } from './links.ts';
import type { Judgement, Listing } from './listing.ts';
import type { Merging } from './merging.ts';
import { isNoPlace } from './no-place.ts';
import { rehome, type Settled } from './rehome.ts';

/** A statement in the work of putting together: where it stands now, and how it reads. */
type Node = SaidEvent & { record: number | null; listing: Listing };

export type Speaking = { id: number; name: string; clock: 'instant' | 'local' };

/** So many statements are put together anew at once; what is connected with more is judged by the nearest. */
const mostNodes = 60;

export class EventMatcher {
  readonly #bench: Desk;
  readonly #store: MatchStore;
  readonly #merging: Merging;
  readonly #decisions: Decisions;
  readonly #evidence: Evidence;
  /** The one source that lists shows; 0 where there are more, null where that is not known. */
  #alone: number | null = null;
  /** Statements of records, as they were when the work on one statement began. */
  readonly #read = new Map<number, Node[]>();
  readonly #judged = new WeakMap<Listing, WeakMap<Listing, Judgement>>();

  constructor(bench: Desk, store: MatchStore, decisions: Decisions, merging: Merging) {
    this.#bench = bench;
    this.#merging = merging;
    this.#store = store;
    this.#decisions = decisions;
    this.#evidence = new Evidence(bench.context, bench.sources);
  }

  forget(): void {
    this.#evidence.forget();
    if (this.#alone !== 0) this.#alone = null;
  }

  /**
   * Finds the record of a statement that its source makes for the first time, and puts in order what it connects. The
   * caller binds it, files it, and works all records out again.
   */
  place(source: Speaking, externalId: string, statement: Statement<'event'>): Settled {
    this.#read.clear();
    const said = saidBy(source, externalId, statement);
    const hasDecided = this.#decisions.of('event', { source: source.name, externalId }).length > 0;
    if (!hasDecided && this.#candidates(said).size === 0) return { record: null, changed: [] };
    return this.#settle([this.#node(said, null)], said);
  }

  /** Files a record under the keys of a statement of it. */
  file(record: number, source: Speaking, externalId: string, statement: Statement<'event'>): void {
    const said = saidBy(source, externalId, statement);
    const tag = this.#tag(said);
    this.#store.addKeys(
      eventKeys(said.source, statement).map(({ at }) => at),
      record,
      tag,
    );
  }

  /** Takes a record from under the keys of a statement that is not its own any more. */
  unfile(record: number, source: Speaking, externalId: string, statement: Statement<'event'>): void {
    this.#read.clear();
    const said = saidBy(source, externalId, statement);
    const tag = this.#tag(said);
    for (const { at } of eventKeys(said.source, statement)) {
      this.#store.dropKey(at, record, tag);
      // Filed before its city was known, or after.
      for (const city of [null, cityOf(statement).city])
        this.#store.dropKey(at, record, tagOf(source.id, city));
    }
    // What other statements of the record share with it stays.
    for (const other of this.#nodesOf(record)) {
      if (other.sourceId !== source.id || other.externalId !== externalId)
        this.file(record, speakingOf(other), other.externalId, other.statement);
    }
  }

  /** Puts a record's statements in order again, after one of them or what they name changed. */
  resettle(record: number): Settled {
    this.#read.clear();
    const nodes = this.#nodesOf(record);
    const alone =
      nodes.length === 1 &&
      !this.#store.hasDecisions() &&
      this.#candidates(nodes[0] as Node, record).size === 0;
    if (nodes.length === 0) return { record, changed: [] };
    if (alone) {
      this.#dropDoubts(nodes);
      return { record, changed: [] };
    }
    return this.#settle(nodes, nodes[0] as Node);
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
      for (const other of this.#candidates(a, record)) {
        for (const b of this.#nodesOf(other))
          pairs.push({ a, b, judgement: judgeEvents(a.listing, b.listing) });
      }
    }
    return pairs.toSorted((x, y) => y.judgement.score - x.judgement.score);
  }

  // ------------------------------------------------------------------------------------------------- candidates

  #tag({ sourceId, statement }: SaidEvent): number {
    const { city, country } = cityOf(statement);
    return tagOf(sourceId, this.#evidence.cityName(city, country));
  }

  /** Records that may be the same show: those of the days around that share a word in one city, or a house, or a page. */
  #candidates(said: SaidEvent, except: number | null = null): Set<number> {
    const tag = this.#tag(said);
    const keys = eventKeys(said.source, said.statement).filter(
      ({ own }) => own || this.#hasOthers(said.sourceId),
    );
    const ranges: number[] = [];
    for (const { at, dated } of keys) ranges.push(at - (dated ? 1 : 0), at + (dated ? 1 : 0));
    const found = new Set<number>();
    for (const [range, record, theirs] of this.#store.near(ranges)) {
      if (record !== except && this.#isWorth(keys[range] as Key, theirs, tag)) found.add(record);
    }
    return found;
  }

  /** As long as one source alone lists shows, none of them can be another's. */
  #hasOthers(sourceId: number): boolean {
    if (this.#alone === sourceId) return false;
    if (this.#alone === 0) return true;
    this.#alone = this.#store.hasOthers('event', sourceId) ? 0 : sourceId;
    return this.#alone === 0;
  }

  #isWorth(key: Key, theirs: number, ours: number): boolean {
    if (sourceOfTag(theirs) === sourceOfTag(ours)) return key.own;
    return !key.own && (key.strong || mayBeOneCity(theirs, ours));
  }

  #node(said: SaidEvent, record: number | null): Node {
    return { ...said, record, listing: this.#evidence.listingOf(said) };
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

  /** Everything that may be the same as one of `first`, or is in one record with it, and so on from there. */
  #connected(first: Node[]): Node[] {
    const nodes = new Map(first.map((node) => [anchorText(node), node]));
    const records = new Set(first.map(({ record }) => record));
    for (const node of nodes.values()) {
      if (nodes.size >= mostNodes) break;
      for (const other of this.#candidates(node, node.record)) {
        if (records.has(other)) continue;
        const said = this.#nodesOf(other);
        const isNear = said.some(
          (one) =>
            this.#judge(node.listing, one.listing).outcome !== 'different' ||
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
    return [...nodes.values()];
  }

  /** Each two are judged once, however often they meet. */
  #judge(a: Listing, b: Listing): Judgement {
    const known = this.#judged.get(a)?.get(b) ?? this.#judged.get(b)?.get(a);
    if (known) return known;
    const judgement = judgeEvents(a, b);
    const others = this.#judged.get(a) ?? new WeakMap<Listing, Judgement>();
    this.#judged.set(a, others.set(b, judgement));
    return judgement;
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

  #settle(first: Node[], subject: SaidEvent): Settled {
    const nodes = this.#connected(first);
    const busy = busyPages(nodes.map(({ listing }) => listing));
    for (const node of busy.size === 0 ? [] : nodes) {
      const busyLinks = busy.get(node.listing);
      if (busyLinks) node.listing = { ...node.listing, busyLinks };
    }
    const done = cluster(nodes, {
      judge: (a, b) => this.#judge(a.listing, b.listing),
      decided: (a, b) => this.#decisions.between('event', a, b),
      contradicts,
      rivals: (judgement) =>
        judgement.reasons.some(({ evidence, weight }) => evidence === 'start' && weight < 0.6),
    });
    this.#noteDoubts(nodes, done);
    return rehome('event', done.clusters, subject, {
      desk: this.#bench,
      merging: this.#merging,
      moved: (node, from, to) => {
        this.unfile(from, speakingOf(node), node.externalId, node.statement);
        this.file(to, speakingOf(node), node.externalId, node.statement);
      },
    });
  }

  #dropDoubts(nodes: Node[]): void {
    for (const { source, externalId } of nodes) this.#store.dropDoubts('event', source, externalId);
  }

  #noteDoubts(nodes: Node[], { doubts }: Clustered<Node>): void {
    this.#dropDoubts(nodes);
    for (const { a, b, judgement } of doubts) {
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

/** Something speaks against the two; that a series and its acts have no word in common does not. */
const contradicts = ({ score, rule, reasons }: Judgement): boolean =>
  score < 0.02 || (score < 0.1 && (rule !== 'weighed' || reasons.some(({ weight }) => weight <= -2.2)));

/** Where a show is looked for: what stands beside a house that is none says nothing of it. */
function cityOf({ venue, city, country }: Statement<'event'>) {
  const house = venue && !isNoPlace(venue.name) ? venue : null;
  return { city: house?.city ?? city ?? null, country: house?.country ?? country ?? null };
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
