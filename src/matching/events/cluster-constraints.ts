/** What may be of one event: rules beyond the pair, where several listings are put together. */

import type { Evidence, MatchResult } from '../model.ts';
import { type Comparison, isAtLeast } from '../weights.ts';

/**
 * Whether two cannot be of one event, though both may be the same as a third. Something must speak against them: starts
 * hours apart, two ids at one source or a rule block even where the two are in doubt. Knowing too little of them does not:
 * that a series and its acts have no word in common is no contradiction, and a third listing may well know both.
 */
export const cannotLink = ({ outcome, score, rule, reasons }: MatchResult): boolean =>
  outcome !== 'same' &&
  (score < 0.02 ||
    rule === 'same-source-and-date' ||
    reasons.some((reason) => reason.evidence === 'start' && !isAtLeast(reason, 'start.night-into-date')) ||
    (score < 0.1 && (rule !== 'weighed' || reasons.some(({ weight }) => weight <= -2.2))));

/** A third says why what speaks against two does not. */
export const isTransitiveEvidence = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  coversBothLineups(between, one, other) ||
  explainsMove(between, one, other) ||
  confirmsVenue(between, one, other) ||
  explainsVenueName(between, one, other);

/** Each names another act, and a third names both: the support act of one seller is the headliner of another. */
const coversBothLineups = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  between.rule === 'weighed' &&
  contradictsOnlyBy(between, ({ evidence }) => evidence === 'line-up') &&
  [one, other].every(({ reasons }) =>
    reasons.some(({ evidence, weight }) => evidence === 'line-up' && weight > 0),
  );

/** Each names another house, and a third says that the show was moved from one to the other. */
const explainsMove = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  (between.rule === 'weighed' || between.rule === 'another-place') &&
  contradictsOnlyBy(between, ({ evidence }) => evidence === 'venue') &&
  [one, other].some(({ reasons }) => reasons.some(({ code }) => code === 'venue.moved'));

/** The house of each is the third's, so that the one's city is a district of the other's. */
const confirmsVenue = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  between.rule === 'weighed' &&
  contradictsOnlyBy(between, ({ code }) => code === 'venue.possible-district') &&
  [one, other].every(({ reasons }) =>
    reasons.some(({ evidence, weight }) => evidence === 'venue' && weight >= 1.4),
  );

/** The house is called otherwise by one of the two alone: that it is one show was seen from the third, at the other's house. */
const explainsVenueName = (between: MatchResult, one: MatchResult, other: MatchResult): boolean => {
  const houses = [one, other].map(({ reasons }) => weightOf('venue', reasons)).toSorted((x, y) => x - y);
  return (
    between.rule === 'weighed' &&
    contradictsOnlyBy(between, ({ evidence }) => evidence === 'venue') &&
    weightOf('line-up', between.reasons) > 0 &&
    (houses[0] as number) < 0 &&
    (houses[1] as number) >= 1.4
  );
};

/** Whether all that weighs against two is of one sort. */
const contradictsOnlyBy = ({ reasons }: MatchResult, isSort: (evidence: Evidence) => boolean): boolean =>
  reasons.every((reason) => reason.weight > -1.2 || isSort(reason));

const weightOf = (evidence: Comparison, reasons: MatchResult['reasons']): number =>
  reasons.find((reason) => reason.evidence === evidence)?.weight ?? 0;

/** Whether two that are different may both be meant by a third: they begin at other times. */
export const isAmbiguous = ({ reasons }: MatchResult): boolean =>
  reasons.some((reason) => reason.evidence === 'start' && !isAtLeast(reason, 'start.country-zone-1-hour'));
