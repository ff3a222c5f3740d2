/** Which source records of entities may share a cluster, beyond the comparison of two. */
import { opposingEntityLevels } from '../levels.ts';
import type { MatchResult } from '../model.ts';

/** Whether two source records must not share a cluster, even if both match a third. */
export const cannotLink = ({ outcome, score, rule, reasons }: MatchResult): boolean =>
  score < 0.1 ||
  rule === 'two-ids' ||
  (outcome === 'different' && reasons.some(({ code }) => code === 'country.different'));

/** Whether only the names speak against a match. */
export const differsOnlyByName = ({ rule, reasons }: MatchResult): boolean =>
  rule === 'weighed' &&
  reasons.every(({ evidence, code }) => evidence === 'name' || !opposingEntityLevels.has(code));

/**
 * Whether a third source record joins two that differ only by name: it matches one by name, and the other by alias, id,
 * or the same name in another script.
 */
export const isTransitiveEvidence = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  differsOnlyByName(between) && [one, other].every(({ outcome }) => outcome === 'same');
