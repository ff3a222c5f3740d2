/** What may be of one event: rules beyond the pair, where several listings are put together. */
import { oneDate } from './events.ts';
import type { Judgement } from './listing.ts';
import { districtPlace, movedPlace } from './where.ts';

/**
 * Whether two cannot be of one event, though both may be the same as a third. Something must speak against them: starts
 * hours apart, two ids at one source or a rule block even where the two are in doubt. Knowing too little of them does not:
 * that a series and its acts have no word in common is no contradiction, and a third listing may well know both.
 */
export const contradicts = ({ outcome, score, rule, reasons }: Judgement): boolean =>
  outcome !== 'same' &&
  (score < 0.02 ||
    rule === oneDate ||
    reasons.some(({ evidence, weight }) => evidence === 'start' && weight <= -2.2) ||
    (score < 0.1 && (rule !== 'weighed' || reasons.some(({ weight }) => weight <= -2.2))));

/** A third says why what speaks against two does not. */
export const explains = (between: Judgement, one: Judgement, other: Judgement): boolean =>
  namesBoth(between, one, other) ||
  tellsOfMove(between, one, other) ||
  knowsHouse(between, one, other) ||
  callsHouse(between, one, other);

/** Each names another act, and a third names both: the support act of one seller is the headliner of another. */
const namesBoth = (between: Judgement, one: Judgement, other: Judgement): boolean =>
  between.rule === 'weighed' &&
  between.reasons.every(({ evidence, weight }) => weight > -1.2 || evidence === 'line-up') &&
  [one, other].every(({ reasons }) =>
    reasons.some(({ evidence, weight }) => evidence === 'line-up' && weight > 0),
  );

/** Each names another house, and a third says that the show was moved from one to the other. */
const tellsOfMove = (between: Judgement, one: Judgement, other: Judgement): boolean =>
  (between.rule === 'weighed' || between.rule === 'another place') &&
  between.reasons.every(({ evidence, weight }) => weight > -1.2 || evidence === 'venue') &&
  [one, other].some(({ reasons }) => reasons.some(({ text }) => text === movedPlace));

/** The house of each is the third's, so that the one's city is a district of the other's. */
const knowsHouse = (between: Judgement, one: Judgement, other: Judgement): boolean =>
  between.rule === 'weighed' &&
  between.reasons.every(({ weight, text }) => weight > -1.2 || text.startsWith(districtPlace)) &&
  [one, other].every(({ reasons }) =>
    reasons.some(({ evidence, weight }) => evidence === 'venue' && weight >= 1.4),
  );

/** The house is called otherwise by one of the two alone: that it is one show was seen from the third, at the other's house. */
const callsHouse = (between: Judgement, one: Judgement, other: Judgement): boolean => {
  const houses = [one, other].map(({ reasons }) => weightIn('venue', reasons)).toSorted((x, y) => x - y);
  return (
    between.rule === 'weighed' &&
    between.reasons.every(({ evidence, weight }) => weight > -1.2 || evidence === 'venue') &&
    weightIn('line-up', between.reasons) > 0 &&
    (houses[0] as number) < 0 &&
    (houses[1] as number) >= 1.4
  );
};

const weightIn = (evidence: string, reasons: Judgement['reasons']): number =>
  reasons.find((reason) => reason.evidence === evidence)?.weight ?? 0;

/** Whether two that are different may both be meant by a third: they begin at other times. */
export const rivals = ({ reasons }: Judgement): boolean =>
  reasons.some(({ evidence, weight }) => evidence === 'start' && weight < 0.6);
