/**
 * Constrained agglomerative clustering of source records by the results of their pairs. The order of the records makes no
 * difference.
 */
import { getOrCreate } from '../memoize.ts';
import type { MatchResult } from './model.ts';

/** A source and its id of a record: names, not row numbers, so that another file comes to the same clusters. */
export type SourceRecordKey = { source: string; externalId: string };

/** A source record that is being resolved, and the record it belongs to now. */
export type AssignedSourceRecord = SourceRecordKey & {
  /** Null while the source record is being created. */
  record: number | null;
  sourceId: number;
  isPlaceholder?: boolean;
};

export type MatchDecision = 'same' | 'different';

/** The key of a source record as one text, for maps and sorting. */
export const recordKeyText = ({ source, externalId }: SourceRecordKey): string => `${source}\0${externalId}`;
/** Orders source records by source, then by id there. */
export const compareRecordKeys = (a: SourceRecordKey, b: SourceRecordKey): number => {
  const [one, two] = [recordKeyText(a), recordKeyText(b)];
  return one < two ? -1 : one > two ? 1 : 0;
};

/** Puts one source record in front of the others where there are more than can be clustered at once. */
export function moveToFront<N extends SourceRecordKey>(
  nodes: readonly N[],
  first: SourceRecordKey | null,
  most: number,
): N[] {
  if (first === null || nodes.length <= most) return [...nodes];
  const isFirst = (node: N) => recordKeyText(node) === recordKeyText(first);
  return [...nodes.filter(isFirst), ...nodes.filter((node) => !isFirst(node))];
}

export type CandidatePair<N> = { a: N; b: N; result: MatchResult };
export type ClusterResult<N> = { clusters: N[][]; possibleMatches: CandidatePair<N>[] };

type ClusterOptions<N> = {
  compare(a: N, b: N): MatchResult;
  /** A value that all records of its cluster share; null where the record may join any cluster. */
  mustLink?(node: N): unknown;
  /** The decision of an operator about the two. */
  decision(a: N, b: N): MatchDecision | undefined;
  /** Whether two cannot be in one cluster, even through others. */
  cannotLink(result: MatchResult): boolean;
  /** Whether a third record, which is the same as both, explains the evidence against two. */
  isTransitiveEvidence?(between: MatchResult, one: MatchResult, other: MatchResult): boolean;
  /** Whether a third record may mean either of two different ones, so that it joins neither. */
  isAmbiguous(result: MatchResult): boolean;
  /** Clusters of several records may be ambiguous too; by default only single records are. */
  allowAmbiguousGroups?: boolean;
};

/** The minimum mean score of the pairs of a cluster. */
const minMeanScore = 0.35;
/** Two matches are equally good when their log-odds differ by at most this. */
const tieMargin = 0.35;

/** The weight of a match, in log-odds. */
function matchWeight({ odds, score }: MatchResult): number {
  if (odds !== undefined) return odds;
  const likely = Math.min(Math.max(score, 0.0005), 0.9995);
  return Math.log(likely / (1 - likely));
}

/** Joins matches, best first; matches that contradict a cluster become possible matches. */
export function clusterRecords<N extends SourceRecordKey>(
  nodes: readonly N[],
  options: ClusterOptions<N>,
): ClusterResult<N> {
  return new Clustering(nodes.toSorted(compareRecordKeys), options).run();
}

class Clustering<N extends SourceRecordKey> {
  readonly #nodes: N[];
  readonly #options: ClusterOptions<N>;
  /** The cluster of each node, by the first of its members. */
  readonly #clusterOf: number[];
  readonly #memberLists: number[][];
  /** Results for pairs of clusters, valid while neither grows. */
  readonly #joinable = new Map<number, boolean>();
  readonly #ambiguous = new Map<number, boolean>();
  readonly #separated = new Map<number, boolean>();
  readonly #results: MatchResult[][];
  readonly #decisions: (MatchDecision | undefined)[][];

  constructor(nodes: N[], options: ClusterOptions<N>) {
    this.#nodes = nodes;
    this.#options = options;
    this.#clusterOf = nodes.map((_, at) => at);
    this.#memberLists = nodes.map((_, at) => [at]);
    this.#results = nodes.map((a, i) => nodes.slice(0, i).map((b) => options.compare(b, a)));
    this.#decisions = nodes.map((a, i) => nodes.slice(0, i).map((b) => options.decision(b, a)));
  }

  /** Clusters all nodes once: must-links, then decisions, then matches in order of their weight. */
  run(): ClusterResult<N> {
    const edges = this.#edges();
    this.#joinMustLink();
    for (const [i, j] of edges) if (this.#decision(i, j) === 'same') this.#join(i, j, true);
    for (const [i, j] of edges) {
      if (this.#result(i, j).outcome !== 'same' || this.#clusterOf[i] === this.#clusterOf[j]) continue;
      if (this.#canJoin(i, j) && !this.#isAmbiguousMatch(i, j) && !this.#isAmbiguousMatch(j, i))
        this.#join(i, j, false);
    }
    return { clusters: this.#clusters(), possibleMatches: this.#possibleMatches(edges) };
  }

  #result(i: number, j: number): MatchResult {
    return (i > j ? this.#results[i]?.[j] : this.#results[j]?.[i]) as MatchResult;
  }

  #decision(i: number, j: number): MatchDecision | undefined {
    return i > j ? this.#decisions[i]?.[j] : this.#decisions[j]?.[i];
  }

  /** All pairs, best first; of equal ones the first by name. */
  #edges(): [number, number][] {
    const all = this.#nodes.flatMap((_, j) =>
      Array.from({ length: j }, (__, i) => ({ i, j, strength: matchWeight(this.#result(i, j)) })),
    );
    return all
      .toSorted((one, two) => two.strength - one.strength || one.i - two.i || one.j - two.j)
      .map(({ i, j }) => [i, j]);
  }

  #members(cluster: number): readonly number[] {
    return this.#memberLists[cluster] as number[];
  }

  /** Memoizes a symmetric property of two clusters. */
  #memoize(cache: Map<number, boolean>, one: number, two: number, find: () => boolean): boolean {
    return getOrCreate(cache, this.#key(one, two), find);
  }

  /** Merges the results of two joined clusters: what is true of one is true of both. */
  #mergeMemo(low: number, high: number): void {
    for (const other of this.#nodes.keys()) {
      for (const cache of [this.#ambiguous, this.#separated]) {
        const [one, two] = [cache.get(this.#key(low, other)), cache.get(this.#key(high, other))];
        if (one === undefined || two === undefined) cache.delete(this.#key(low, other));
        else cache.set(this.#key(low, other), one || two);
      }
      this.#joinable.delete(this.#key(low, other));
    }
  }

  #key(one: number, two: number): number {
    return Math.min(one, two) * this.#nodes.length + Math.max(one, two);
  }

  #join(i: number, j: number, byDecision: boolean): void {
    const [one, two] = [this.#clusterOf[i] as number, this.#clusterOf[j] as number];
    if (one === two || (byDecision && this.#areSeparated(one, two))) return;
    const [low, high] = one < two ? [one, two] : [two, one];
    for (const at of this.#members(high)) this.#clusterOf[at] = low;
    this.#memberLists[low] = [...this.#members(low), ...this.#members(high)].sort((a, b) => a - b);
    this.#memberLists[high] = [];
    this.#mergeMemo(low, high);
  }

  #mustLinkOf(at: number): unknown {
    return this.#options.mustLink?.(this.#nodes[at] as N) ?? null;
  }

  #joinMustLink(): void {
    const first = new Map<unknown, number>();
    for (const at of this.#nodes.keys()) {
      const bound = this.#mustLinkOf(at);
      if (bound === null) continue;
      const other = first.get(bound);
      if (other === undefined) first.set(bound, at);
      else this.#join(other, at, false);
    }
  }

  /** Whether two clusters must stay with different records. */
  #haveDifferentMustLinks(one: number, two: number): boolean {
    const boundTo = (cluster: number) =>
      this.#members(cluster)
        .map((at) => this.#mustLinkOf(at))
        .find((bound) => bound !== null);
    const [first, second] = [boundTo(one), boundTo(two)];
    return first !== undefined && second !== undefined && first !== second;
  }

  #crossPairs(one: number, two: number): [number, number][] {
    const others = this.#members(two);
    return this.#members(one).flatMap((a) => others.map((b): [number, number] => [a, b]));
  }

  #areSeparated(one: number, two: number): boolean {
    return this.#memoize(this.#separated, one, two, () =>
      this.#crossPairs(one, two).some(([a, b]) => this.#decision(a, b) === 'different'),
    );
  }

  #canJoin(i: number, j: number): boolean {
    const [one, two] = [this.#clusterOf[i] as number, this.#clusterOf[j] as number];
    return this.#memoize(this.#joinable, one, two, () =>
      this.#isJoinAllowed(Math.min(one, two), Math.max(one, two)),
    );
  }

  #isJoinAllowed(one: number, two: number): boolean {
    if (this.#areSeparated(one, two) || this.#haveDifferentMustLinks(one, two)) return false;
    const together = [...this.#members(one), ...this.#members(two)];
    const pairs = this.#crossPairs(one, two).filter(
      ([a, b]) => this.#decision(a, b) !== 'same' && !this.#isTransitive(a, b, together),
    );
    if (pairs.some(([a, b]) => this.#options.cannotLink(this.#result(a, b)))) return false;
    const scores = pairs.map(([a, b]) => this.#result(a, b).score);
    return scores.reduce((sum, score) => sum + score, 0) >= minMeanScore * scores.length;
  }

  /** Whether a member of the joined cluster explains the evidence against two of its members. */
  #isTransitive(a: number, b: number, together: readonly number[]): boolean {
    const between = this.#result(a, b);
    if (between.outcome === 'same') return false;
    if (this.#isMergedAlias(a, b, together) || this.#isMergedAlias(b, a, together)) return true;
    if (!this.#options.isTransitiveEvidence) return false;
    return together.some((c) => {
      if (c === a || c === b) return false;
      const [one, other] = [this.#result(a, c), this.#result(c, b)];
      return (
        one.outcome === 'same' &&
        other.outcome === 'same' &&
        this.#options.isTransitiveEvidence?.(between, one, other) === true
      );
    });
  }

  /** Whether `a` matches a record that an operator merged with `b`: the decision overrules the evidence. */
  #isMergedAlias(a: number, b: number, together: readonly number[]): boolean {
    if (this.#nodes[a]?.source === this.#nodes[b]?.source) return false;
    return together.some(
      (c) => c !== a && c !== b && this.#decision(c, b) === 'same' && this.#result(a, c).outcome === 'same',
    );
  }

  /** Whether `i` matches another cluster equally well, and that cluster is not the same as `j`. */
  #isAmbiguousMatch(i: number, j: number): boolean {
    const own = this.#members(this.#clusterOf[i] as number);
    if (own.length > 1 && this.#options.allowAmbiguousGroups !== true) return false;
    const strength = matchWeight(this.#result(i, j));
    return this.#nodes.some((_, k) => {
      if (this.#clusterOf[k] === this.#clusterOf[i] || this.#clusterOf[k] === this.#clusterOf[j])
        return false;
      const isAsGood = own.some((at) => {
        const other = this.#result(at, k);
        return other.outcome === 'same' && matchWeight(other) >= strength - tieMargin;
      });
      if (!isAsGood) return false;
      if (!this.#areAmbiguous(this.#clusterOf[k] as number, this.#clusterOf[j] as number)) return false;
      if (this.#result(k, j).outcome === 'same' && this.#canJoin(k, j)) return false;
      // The other cluster may rule `i` out by its other members.
      return this.#canJoin(i, k);
    });
  }

  /** Whether two clusters have different records that a third may mean. */
  #areAmbiguous(one: number, two: number): boolean {
    return this.#memoize(this.#ambiguous, one, two, () =>
      this.#crossPairs(one, two).some(([a, b]) => {
        const result = this.#result(a, b);
        return result.outcome === 'different' && this.#options.isAmbiguous(result);
      }),
    );
  }

  #clusters(): N[][] {
    const all = new Map<number, N[]>();
    for (const [at, cluster] of this.#clusterOf.entries()) {
      const members = all.get(cluster) ?? [];
      members.push(this.#nodes[at] as N);
      all.set(cluster, members);
    }
    return [...all.values()];
  }

  /** The most likely possible match of every two clusters. */
  #possibleMatches(edges: [number, number][]): CandidatePair<N>[] {
    const pairs = new Map<string, CandidatePair<N>>();
    for (const [i, j] of edges) {
      const result = this.#result(i, j);
      const [one, two] = [this.#clusterOf[i] as number, this.#clusterOf[j] as number];
      if (one === two || result.outcome === 'different' || this.#areSeparated(one, two)) continue;
      const key = one < two ? `${one} ${two}` : `${two} ${one}`;
      const rule = result.outcome === 'same' ? 'contradicted' : result.rule;
      if (!pairs.has(key))
        pairs.set(key, {
          a: this.#nodes[i] as N,
          b: this.#nodes[j] as N,
          result: { ...result, rule },
        });
    }
    return [...pairs.values()];
  }
}
