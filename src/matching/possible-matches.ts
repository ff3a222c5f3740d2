/** Limits the possible matches that are stored: an operator cannot decide hundreds of similar pairs. */
import { type CandidatePair, recordKeyText, type SourceRecordKey } from './clustering.ts';

/** The maximum number of stored pairs for each source record. */
const maxPairsPerRecord = 12;

/**
 * Selects the most likely pairs of each source record.
 * @param possibleMatches most likely first
 * @returns the pairs to store, and the number of further pairs of a source record
 */
export function limitPossibleMatches<N extends SourceRecordKey>(
  possibleMatches: readonly CandidatePair<N>[],
): { noted: CandidatePair<N>[]; leftOut(node: SourceRecordKey): number } {
  const [counts, more] = [new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, pair: CandidatePair<N>): void => {
    for (const node of [pair.a, pair.b]) to.set(recordKeyText(node), (to.get(recordKeyText(node)) ?? 0) + 1);
  };
  const noted = possibleMatches.filter((pair) => {
    const isMore = [pair.a, pair.b].some(
      (node) => (counts.get(recordKeyText(node)) ?? 0) >= maxPairsPerRecord,
    );
    add(isMore ? more : counts, pair);
    return !isMore;
  });
  return { noted, leftOut: (node) => more.get(recordKeyText(node)) ?? 0 };
}
