/** Which pairs in doubt are noted: of hundreds that are all alike, nobody decides each pair. */
import { type CandidatePair, recordKeyText, type SourceRecordKey } from './clustering.ts';

/** Of each statement so many pairs are noted. */
const maxPairsPerRecord = 12;

/**
 * The likeliest pairs of each statement.
 * @param possibleMatches likeliest first
 * @returns the pairs to note, and how many more there are of a statement
 */
export function limitPossibleMatches<N extends SourceRecordKey>(
  doubts: readonly CandidatePair<N>[],
): { noted: CandidatePair<N>[]; leftOut(node: SourceRecordKey): number } {
  const [counts, more] = [new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, pair: CandidatePair<N>): void => {
    for (const node of [pair.a, pair.b]) to.set(recordKeyText(node), (to.get(recordKeyText(node)) ?? 0) + 1);
  };
  const noted = doubts.filter((pair) => {
    const isMore = [pair.a, pair.b].some(
      (node) => (counts.get(recordKeyText(node)) ?? 0) >= maxPairsPerRecord,
    );
    add(isMore ? more : counts, pair);
    return !isMore;
  });
  return { noted, leftOut: (node) => more.get(recordKeyText(node)) ?? 0 };
}
