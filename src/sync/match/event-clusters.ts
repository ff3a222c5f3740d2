/** What may be of one event: rules beyond the pair, where several listings are put together. */
import { oneDate } from './events.ts';
import type { Judgement } from './listing.ts';

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

/** Each names another act, and a third names both: the support act of one seller is the headliner of another. */
export const explains = (between: Judgement, one: Judgement, other: Judgement): boolean =>
  between.rule === 'weighed' &&
  between.reasons.every(({ evidence, weight }) => weight > -1.2 || evidence === 'line-up') &&
  [one, other].every(({ reasons }) =>
    reasons.some(({ evidence, weight }) => evidence === 'line-up' && weight > 0),
  );

/** Whether two that are different may both be meant by a third: they begin at other times. */
export const rivals = ({ reasons }: Judgement): boolean =>
  reasons.some(({ evidence, weight }) => evidence === 'start' && weight < 0.6);
