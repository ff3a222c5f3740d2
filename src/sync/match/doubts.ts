/** Which pairs in doubt are noted: of hundreds that are all alike, nobody decides each pair. */
import { type Anchor, anchorText, type Pair } from './cluster.ts';

/** Of each statement so many pairs are noted. */
const mostNoted = 12;

/**
 * The likeliest pairs of each statement.
 * @param doubts likeliest first
 * @returns the pairs to note, and how many more there are of a statement
 */
export function firstDoubts<N extends Anchor>(
  doubts: readonly Pair<N>[],
): { noted: Pair<N>[]; leftOut(node: Anchor): number } {
  const [counts, more] = [new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, pair: Pair<N>): void => {
    for (const node of [pair.a, pair.b]) to.set(anchorText(node), (to.get(anchorText(node)) ?? 0) + 1);
  };
  const noted = doubts.filter((pair) => {
    const isMore = [pair.a, pair.b].some((node) => (counts.get(anchorText(node)) ?? 0) >= mostNoted);
    add(isMore ? more : counts, pair);
    return !isMore;
  });
  return { noted, leftOut: (node) => more.get(anchorText(node)) ?? 0 };
}
