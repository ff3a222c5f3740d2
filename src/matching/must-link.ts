/** Must-link groups: source records that an operator merged are compared by the best of their group. */
import { type MatchDecision, recordKeyText, type SourceRecordKey } from './clustering.ts';
import type { MatchResult } from './model.ts';

type Comparator<N> = (a: N, b: N) => MatchResult;
type MustLinkGroups<N> = ReadonlyMap<string, readonly N[]>;

/** The group of every merged source record, itself included; records that were never merged are left out. */
export function mustLinkGroups<N extends SourceRecordKey>(
  nodes: readonly N[],
  decided: (a: N, b: N) => MatchDecision | undefined,
): MustLinkGroups<N> {
  const groups = new Map<string, N[]>();
  const groupOf = (node: N) => groups.get(recordKeyText(node)) ?? [node];
  for (const [at, a] of nodes.entries()) {
    for (const b of nodes.slice(at + 1)) {
      if (decided(a, b) !== 'same' || groupOf(a) === groups.get(recordKeyText(b))) continue;
      const group = [...groupOf(a), ...groupOf(b)];
      for (const one of group) groups.set(recordKeyText(one), group);
    }
  }
  return groups;
}

/** Compares two records by the best pair of their groups. Two ids at one source still decide for the two themselves. */
export function compareByBestMember<N extends SourceRecordKey>(
  judge: Comparator<N>,
  groups: MustLinkGroups<N>,
): Comparator<N> {
  if (groups.size === 0) return judge;
  return (a, b) => {
    const own = judge(a, b);
    const [ones, others] = [groups.get(recordKeyText(a)), groups.get(recordKeyText(b))];
    if (own.rule === 'two-ids' || ones === others) return own;
    const all = (ones ?? [a]).flatMap((one) => (others ?? [b]).map((other) => judge(one, other)));
    const best = all.reduce((x, y) => (y.score > x.score ? y : x));
    return own.rule === 'weighed' || best.rule === 'external-id' ? best : own;
  };
}
