/** Statements that an operator made one are one thing of several faces: what is like one of them is like all. */
import { type Anchor, anchorText, type Verdict } from './cluster.ts';
import type { Judgement } from './listing.ts';

type Judge<N> = (a: N, b: N) => Judgement;
type Groups<N> = ReadonlyMap<string, readonly N[]>;

/** With whom each was decided to be the same, itself included; those alone are left out. */
export function groupsOf<N extends Anchor>(
  nodes: readonly N[],
  decided: (a: N, b: N) => Verdict | undefined,
): Groups<N> {
  const groups = new Map<string, N[]>();
  const groupOf = (node: N) => groups.get(anchorText(node)) ?? [node];
  for (const [at, a] of nodes.entries()) {
    for (const b of nodes.slice(at + 1)) {
      if (decided(a, b) !== 'same' || groupOf(a) === groups.get(anchorText(b))) continue;
      const joined = [...groupOf(a), ...groupOf(b)];
      for (const one of joined) groups.set(anchorText(one), joined);
    }
  }
  return groups;
}

/** Judges two by the faces of either that are most alike. What ids say of the two themselves stands. */
export function judging<N extends Anchor>(judge: Judge<N>, groups: Groups<N>): Judge<N> {
  if (groups.size === 0) return judge;
  return (a, b) => {
    const own = judge(a, b);
    const [ones, others] = [groups.get(anchorText(a)), groups.get(anchorText(b))];
    if (own.rule === 'two ids at one source' || ones === others) return own;
    const all = (ones ?? [a]).flatMap((one) => (others ?? [b]).map((other) => judge(one, other)));
    const best = all.reduce((x, y) => (y.score > x.score ? y : x));
    return own.rule === 'weighed' || best.rule === 'external id' ? best : own;
  };
}
