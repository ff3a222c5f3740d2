/**
 * From judgements of pairs to what is one: the same for the same set of statements, in whatever order they came.
 */
import type { MatchResult } from './model.ts';

/** Who said it: names, not numbers, so that another file comes to the same. */
export type SourceRecordKey = { source: string; externalId: string };

/** A source record that is being resolved, and the record it belongs to now. */
export type AssignedSourceRecord = SourceRecordKey & {
  /** Null while the source record is being created. */
  record: number | null;
  sourceId: number;
  isPlaceholder?: boolean;
};

export type MatchDecision = 'same' | 'different';

export const recordKeyText = ({ source, externalId }: SourceRecordKey): string => `${source}\0${externalId}`;
export const compareRecordKeys = (a: SourceRecordKey, b: SourceRecordKey): number => {
  const [one, two] = [recordKeyText(a), recordKeyText(b)];
  return one < two ? -1 : one > two ? 1 : 0;
};

/** Of more statements than `most`, which are put together anew first, one of them comes first. */
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
  /** What it must stay with; null where it may go anywhere. */
  mustLink?(node: N): unknown;
  /** What an operator decided of the two. */
  decision(a: N, b: N): MatchDecision | undefined;
  /** Whether two cannot be of one cluster, whatever lies between them. */
  cannotLink(judgement: MatchResult): boolean;
  /** Whether what speaks against two is no contradiction, seeing how each is judged with a third that is the same as both. */
  isTransitiveEvidence?(between: MatchResult, one: MatchResult, other: MatchResult): boolean;
  /** Whether two that are different may both be meant by a third, so that it is neither's. */
  isAmbiguous(judgement: MatchResult): boolean;
  /** Even several together may be neither's; else what is more than one has shown where it belongs. */
  allowAmbiguousGroups?: boolean;
};

/** So likely must all pairs of a cluster be on average. */
const minMeanScore = 0.35;
/** Two matches as near as this (log-odds) are equally good. */
const tieMargin = 0.35;

/** How strong a match is, in log-odds. */
function matchWeight({ odds, score }: MatchResult): number {
  if (odds !== undefined) return odds;
  const likely = Math.min(Math.max(score, 0.0005), 0.9995);
  return Math.log(likely / (1 - likely));
}

/** Puts together what is the same, best first; what contradicts it stays apart and in doubt. */
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
  /** What was found of two clusters, as long as neither grows. */
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

  run(): ClusterResult<N> {
    const edges = this.#edges();
    this.#joinMustLink();
    for (const [i, j] of edges) if (this.#decision(i, j) === 'same') this.#join(i, j, true);
    for (const [i, j] of edges) {
      if (this.#result(i, j).outcome !== 'same' || this.#clusterOf[i] === this.#clusterOf[j]) continue;
      if (this.#canJoin(i, j) && !this.#isAmbiguousMatch(i, j) && !this.#isAmbiguousMatch(j, i))
        this.#join(i, j, false);
    }
    return { clusters: this.#clusters(), possibleMatches: this.#doubts(edges) };
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

  /** What `find` says of two clusters, which does not depend on which of them is named first. */
  #memoize(known: Map<number, boolean>, one: number, two: number, find: () => boolean): boolean {
    const key = this.#key(one, two);
    let answer = known.get(key);
    if (answer === undefined) {
      answer = find();
      known.set(key, answer);
    }
    return answer;
  }

  /** What was found of two clusters that are one from now on: what is true of either is true of both. */
  #mergeMemo(low: number, high: number): void {
    for (const other of this.#nodes.keys()) {
      for (const known of [this.#ambiguous, this.#separated]) {
        const [one, two] = [known.get(this.#key(low, other)), known.get(this.#key(high, other))];
        if (one === undefined || two === undefined) known.delete(this.#key(low, other));
        else known.set(this.#key(low, other), one || two);
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

  /** Two things that stay where they are stay apart. */
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

  /** Whether one of those that would be together shows why two of them have nothing in common. */
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

  /** Whether `a` is the same as one that an operator made one with `b`: what speaks against `b` was overruled. */
  #isMergedAlias(a: number, b: number, together: readonly number[]): boolean {
    if (this.#nodes[a]?.source === this.#nodes[b]?.source) return false;
    return together.some(
      (c) => c !== a && c !== b && this.#decision(c, b) === 'same' && this.#result(a, c).outcome === 'same',
    );
  }

  /** Whether `i` is as good a match of another, which is not the same as `j`: nobody can tell which it is. */
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
      // What that one is together with may rule it out: the night before has been found its own.
      return this.#canJoin(i, k);
    });
  }

  /** Whether two clusters hold two that are different and may both be meant by a third. */
  #areAmbiguous(one: number, two: number): boolean {
    return this.#memoize(this.#ambiguous, one, two, () =>
      this.#crossPairs(one, two).some(([a, b]) => {
        const judgement = this.#result(a, b);
        return judgement.outcome === 'different' && this.#options.isAmbiguous(judgement);
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

  /** Pairs that may be one and are not: of two clusters the likeliest pair. */
  #doubts(edges: [number, number][]): CandidatePair<N>[] {
    const doubts = new Map<string, CandidatePair<N>>();
    for (const [i, j] of edges) {
      const judgement = this.#result(i, j);
      const [one, two] = [this.#clusterOf[i] as number, this.#clusterOf[j] as number];
      if (one === two || judgement.outcome === 'different' || this.#areSeparated(one, two)) continue;
      const key = one < two ? `${one} ${two}` : `${two} ${one}`;
      const rule = judgement.outcome === 'same' ? 'contradicted' : judgement.rule;
      if (!doubts.has(key))
        doubts.set(key, {
          a: this.#nodes[i] as N,
          b: this.#nodes[j] as N,
          result: { ...judgement, rule },
        });
    }
    return [...doubts.values()];
  }
}
