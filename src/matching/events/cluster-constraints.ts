/** Decides which listings may be in one cluster if a third listing matches both, beyond the comparison of a pair. */

import { eventLevels } from '../levels.ts';
import { type Evidence, type MatchResult, weighedLevel } from '../model.ts';
import { type Comparison, isAtLeast } from '../weights.ts';

const { confirming, supporting, weakening, opposing, contradicting } = eventLevels;

/**
 * Whether two listings cannot be one event, although both may be the same as a third. This takes evidence against them: starts
 * hours apart, two ids at one source, or a rule. Missing evidence is no contradiction: a series and its acts need not have a
 * word in common, and a third listing may name both.
 */
export const cannotLink = ({ outcome, score, rule, reasons }: MatchResult): boolean =>
  outcome !== 'same' &&
  (score < 0.02 ||
    rule === 'same-source-and-date' ||
    reasons.some((reason) => reason.evidence === 'start' && !isAtLeast(reason, 'start.night-into-date')) ||
    (score < 0.1 &&
      (rule !== 'weighed' || reasons.some((reason) => contradicting.has(weighedLevel(reason))))));

/** Whether a third listing explains the evidence against two. */
export const isTransitiveEvidence = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  coversBothLineups(between, one, other) ||
  explainsMove(between, one, other) ||
  confirmsVenue(between, one, other) ||
  explainsVenueName(between, one, other);

/** Each names another act, and the third names both: the support act of one seller is the headliner of another. */
const coversBothLineups = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  between.rule === 'weighed' &&
  contradictsOnlyBy(between, ({ evidence }) => evidence === 'line-up') &&
  [one, other].every(({ reasons }) =>
    reasons.some((reason) => reason.evidence === 'line-up' && supporting.has(weighedLevel(reason))),
  );

/** Each names another venue, and the third says that the event was moved from one to the other. */
const explainsMove = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  (between.rule === 'weighed' || between.rule === 'another-place') &&
  contradictsOnlyBy(between, ({ evidence }) => evidence === 'venue') &&
  [one, other].some(({ reasons }) => reasons.some(({ code }) => code === 'venue.moved'));

/** Both venues match the third's, so that one city is a district of the other. */
const confirmsVenue = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  between.rule === 'weighed' &&
  contradictsOnlyBy(between, ({ code }) => code === 'venue.possible-district') &&
  [one, other].every(({ reasons }) =>
    reasons.some((reason) => reason.evidence === 'venue' && confirming.has(weighedLevel(reason))),
  );

/** Only one of the two names another venue: the third, at the other's venue, matches it all the same. */
const explainsVenueName = (between: MatchResult, one: MatchResult, other: MatchResult): boolean => {
  const venues = [one, other].flatMap((result) => findEvidence('venue', result) ?? []);
  const lineup = findEvidence('line-up', between);
  return (
    between.rule === 'weighed' &&
    contradictsOnlyBy(between, ({ evidence }) => evidence === 'venue') &&
    lineup !== undefined &&
    supporting.has(weighedLevel(lineup)) &&
    venues.some((venue) => weakening.has(weighedLevel(venue))) &&
    venues.some((venue) => confirming.has(weighedLevel(venue)))
  );
};

/** Whether all that weighs against two is of one sort. */
const contradictsOnlyBy = ({ reasons }: MatchResult, isSort: (evidence: Evidence) => boolean): boolean =>
  reasons.every((reason) => !opposing.has(weighedLevel(reason)) || isSort(reason));

const findEvidence = (comparison: Comparison, { reasons }: MatchResult): Evidence | undefined =>
  reasons.find(({ evidence }) => evidence === comparison);

/** Whether a third listing may mean either of two different ones: their starts differ. */
export const isAmbiguous = ({ reasons }: MatchResult): boolean =>
  reasons.some((reason) => reason.evidence === 'start' && !isAtLeast(reason, 'start.country-zone-1-hour'));
