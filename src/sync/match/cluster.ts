/**
 * From judgements of pairs to what is one: the same for the same set of statements, in whatever order they came.
 */
import type { Judgement } from './listing.ts';

/** Who said it: names, not numbers, so that another file comes to the same. */
export type Anchor = { source: string; externalId: string };
export type Verdict = 'same' | 'different';

export const anchorText = ({ source, externalId }: Anchor): string => `${source}\0${externalId}`;
export const byAnchor = (a: Anchor, b: Anchor): number => {
  const [one, two] = [anchorText(a), anchorText(b)];
  return one < two ? -1 : one > two ? 1 : 0;
};

/** Of more statements than `most`, which are put together anew first, one of them comes first. */
export function firstOf<N extends Anchor>(nodes: readonly N[], first: Anchor | null, most: number): N[] {
  if (first === null || nodes.length <= most) return [...nodes];
  const isFirst = (node: N) => anchorText(node) === anchorText(first);
  return [...nodes.filter(isFirst), ...nodes.filter((node) => !isFirst(node))];
}

export type Pair<N> = { a: N; b: N; judgement: Judgement };
export type Clustered<N> = { clusters: N[][]; doubts: Pair<N>[] };

type Options<N> = {
  judge(a: N, b: N): Judgement;
  /** What it must stay with; null where it may go anywhere. */
  bound?(node: N): unknown;
  /** What an operator decided of the two. */
  decided(a: N, b: N): Verdict | undefined;
  /** Whether two cannot be of one cluster, whatever lies between them. */
  contradicts(judgement: Judgement): boolean;
  /** Whether what speaks against two is no contradiction, seeing how each is judged with a third that is the same as both. */
  explains?(between: Judgement, one: Judgement, other: Judgement): boolean;
  /** Whether two that are different may both be meant by a third, so that it is neither's. */
  rivals(judgement: Judgement): boolean;
  /** Even several together may be neither's; else what is more than one has shown where it belongs. */
  areSeveralTorn?: boolean;
};

/** So likely must all pairs of a cluster be on average. */
const meanFrom = 0.35;
/** Two matches as near as this (log-odds) are equally good. */
const asGood = 0.35;

/** How strong a match is, in log-odds. */
function strengthOf({ odds, score }: Judgement): number {
  if (odds !== undefined) return odds;
  const likely = Math.min(Math.max(score, 0.0005), 0.9995);
  return Math.log(likely / (1 - likely));
}

/** Puts together what is the same, best first; what contradicts it stays apart and in doubt. */
export function cluster<N extends Anchor>(nodes: readonly N[], options: Options<N>): Clustered<N> {
  return new Clustering(nodes.toSorted(byAnchor), options).run();
}

class Clustering<N extends Anchor> {
  readonly #nodes: N[];
  readonly #options: Options<N>;
  /** The cluster of each node, by the first of its members. */
  readonly #of: number[];
  readonly #in: number[][];
  /** What was found of two clusters, as long as neither grows. */
  readonly #joinable = new Map<number, boolean>();
  readonly #rivals = new Map<number, boolean>();
  readonly #parted = new Map<number, boolean>();
  readonly #pairs: Judgement[][];
  readonly #verdicts: (Verdict | undefined)[][];

  constructor(nodes: N[], options: Options<N>) {
    this.#nodes = nodes;
    this.#options = options;
    this.#of = nodes.map((_, at) => at);
    this.#in = nodes.map((_, at) => [at]);
    this.#pairs = nodes.map((a, i) => nodes.slice(0, i).map((b) => options.judge(b, a)));
    this.#verdicts = nodes.map((a, i) => nodes.slice(0, i).map((b) => options.decided(b, a)));
  }

  run(): Clustered<N> {
    const edges = this.#edges();
    this.#joinBound();
    for (const [i, j] of edges) if (this.#verdict(i, j) === 'same') this.#join(i, j, true);
    for (const [i, j] of edges) {
      if (this.#judged(i, j).outcome !== 'same' || this.#of[i] === this.#of[j]) continue;
      if (this.#canJoin(i, j) && !this.#isTorn(i, j) && !this.#isTorn(j, i)) this.#join(i, j, false);
    }
    return { clusters: this.#clusters(), doubts: this.#doubts(edges) };
  }

  #judged(i: number, j: number): Judgement {
    return (i > j ? this.#pairs[i]?.[j] : this.#pairs[j]?.[i]) as Judgement;
  }

  #verdict(i: number, j: number): Verdict | undefined {
    return i > j ? this.#verdicts[i]?.[j] : this.#verdicts[j]?.[i];
  }

  /** All pairs, best first; of equal ones the first by name. */
  #edges(): [number, number][] {
    const all = this.#nodes.flatMap((_, j) =>
      Array.from({ length: j }, (__, i) => ({ i, j, strength: strengthOf(this.#judged(i, j)) })),
    );
    return all
      .toSorted((one, two) => two.strength - one.strength || one.i - two.i || one.j - two.j)
      .map(({ i, j }) => [i, j]);
  }

  #members(cluster: number): readonly number[] {
    return this.#in[cluster] as number[];
  }

  /** What `find` says of two clusters, which does not depend on which of them is named first. */
  #once(known: Map<number, boolean>, one: number, two: number, find: () => boolean): boolean {
    const key = this.#key(one, two);
    let answer = known.get(key);
    if (answer === undefined) {
      answer = find();
      known.set(key, answer);
    }
    return answer;
  }

  /** What was found of two clusters that are one from now on: what is true of either is true of both. */
  #grown(low: number, high: number): void {
    for (const other of this.#nodes.keys()) {
      for (const known of [this.#rivals, this.#parted]) {
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
    const [one, two] = [this.#of[i] as number, this.#of[j] as number];
    if (one === two || (byDecision && this.#areParted(one, two))) return;
    const [low, high] = one < two ? [one, two] : [two, one];
    for (const at of this.#members(high)) this.#of[at] = low;
    this.#in[low] = [...this.#members(low), ...this.#members(high)].sort((a, b) => a - b);
    this.#in[high] = [];
    this.#grown(low, high);
  }

  #boundTo(at: number): unknown {
    return this.#options.bound?.(this.#nodes[at] as N) ?? null;
  }

  #joinBound(): void {
    const first = new Map<unknown, number>();
    for (const at of this.#nodes.keys()) {
      const bound = this.#boundTo(at);
      if (bound === null) continue;
      const other = first.get(bound);
      if (other === undefined) first.set(bound, at);
      else this.#join(other, at, false);
    }
  }

  /** Two things that stay where they are stay apart. */
  #areBoundApart(one: number, two: number): boolean {
    const boundTo = (cluster: number) =>
      this.#members(cluster)
        .map((at) => this.#boundTo(at))
        .find((bound) => bound !== null);
    const [first, second] = [boundTo(one), boundTo(two)];
    return first !== undefined && second !== undefined && first !== second;
  }

  #cross(one: number, two: number): [number, number][] {
    const others = this.#members(two);
    return this.#members(one).flatMap((a) => others.map((b): [number, number] => [a, b]));
  }

  #areParted(one: number, two: number): boolean {
    return this.#once(this.#parted, one, two, () =>
      this.#cross(one, two).some(([a, b]) => this.#verdict(a, b) === 'different'),
    );
  }

  #canJoin(i: number, j: number): boolean {
    const [one, two] = [this.#of[i] as number, this.#of[j] as number];
    return this.#once(this.#joinable, one, two, () => this.#mayBeOne(Math.min(one, two), Math.max(one, two)));
  }

  #mayBeOne(one: number, two: number): boolean {
    if (this.#areParted(one, two) || this.#areBoundApart(one, two)) return false;
    const together = [...this.#members(one), ...this.#members(two)];
    const pairs = this.#cross(one, two).filter(
      ([a, b]) => this.#verdict(a, b) !== 'same' && !this.#isExplained(a, b, together),
    );
    if (pairs.some(([a, b]) => this.#options.contradicts(this.#judged(a, b)))) return false;
    const scores = pairs.map(([a, b]) => this.#judged(a, b).score);
    return scores.reduce((sum, score) => sum + score, 0) >= meanFrom * scores.length;
  }

  /** Whether one of those that would be together shows why two of them have nothing in common. */
  #isExplained(a: number, b: number, together: readonly number[]): boolean {
    const between = this.#judged(a, b);
    if (between.outcome === 'same') return false;
    if (this.#isFaceOf(a, b, together) || this.#isFaceOf(b, a, together)) return true;
    if (!this.#options.explains) return false;
    return together.some((c) => {
      if (c === a || c === b) return false;
      const [one, other] = [this.#judged(a, c), this.#judged(c, b)];
      return (
        one.outcome === 'same' &&
        other.outcome === 'same' &&
        this.#options.explains?.(between, one, other) === true
      );
    });
  }

  /** Whether `a` is the same as one that an operator made one with `b`: what speaks against `b` was overruled. */
  #isFaceOf(a: number, b: number, together: readonly number[]): boolean {
    if (this.#nodes[a]?.source === this.#nodes[b]?.source) return false;
    return together.some(
      (c) => c !== a && c !== b && this.#verdict(c, b) === 'same' && this.#judged(a, c).outcome === 'same',
    );
  }

  /** Whether `i` is as good a match of another, which is not the same as `j`: nobody can tell which it is. */
  #isTorn(i: number, j: number): boolean {
    const own = this.#members(this.#of[i] as number);
    if (own.length > 1 && this.#options.areSeveralTorn !== true) return false;
    const strength = strengthOf(this.#judged(i, j));
    return this.#nodes.some((_, k) => {
      if (this.#of[k] === this.#of[i] || this.#of[k] === this.#of[j]) return false;
      const isAsGood = own.some((at) => {
        const other = this.#judged(at, k);
        return other.outcome === 'same' && strengthOf(other) >= strength - asGood;
      });
      if (!isAsGood) return false;
      if (!this.#areRivals(this.#of[k] as number, this.#of[j] as number)) return false;
      if (this.#judged(k, j).outcome === 'same' && this.#canJoin(k, j)) return false;
      // What that one is together with may rule it out: the night before has been found its own.
      return this.#canJoin(i, k);
    });
  }

  /** Whether two clusters hold two that are different and may both be meant by a third. */
  #areRivals(one: number, two: number): boolean {
    return this.#once(this.#rivals, one, two, () =>
      this.#cross(one, two).some(([a, b]) => {
        const judgement = this.#judged(a, b);
        return judgement.outcome === 'different' && this.#options.rivals(judgement);
      }),
    );
  }

  #clusters(): N[][] {
    const all = new Map<number, N[]>();
    for (const [at, cluster] of this.#of.entries()) {
      const members = all.get(cluster) ?? [];
      members.push(this.#nodes[at] as N);
      all.set(cluster, members);
    }
    return [...all.values()];
  }

  /** Pairs that may be one and are not: of two clusters the likeliest pair. */
  #doubts(edges: [number, number][]): Pair<N>[] {
    const doubts = new Map<string, Pair<N>>();
    for (const [i, j] of edges) {
      const judgement = this.#judged(i, j);
      const [one, two] = [this.#of[i] as number, this.#of[j] as number];
      if (one === two || judgement.outcome === 'different' || this.#areParted(one, two)) continue;
      const key = one < two ? `${one} ${two}` : `${two} ${one}`;
      const rule = judgement.outcome === 'same' ? 'contradicted by another' : judgement.rule;
      if (!doubts.has(key))
        doubts.set(key, {
          a: this.#nodes[i] as N,
          b: this.#nodes[j] as N,
          judgement: { ...judgement, rule },
        });
    }
    return [...doubts.values()];
  }
}
