/** Limits the work for recurrence rules: some match no day, and the library would search for ever. */
import ICAL from 'ical.js';
import { InvalidEventError } from '../common/values.ts';

/** Max work of one rule and of all rules of a source. One unit takes about a microsecond. */
const maxRuleUnits = 1_000_000;
const maxTotalUnits = 3_000_000;
/** Max steps in a row without an occurrence: 29 February on one day of the week is up to 40 years away. */
const maxEmptySteps = 16_000;
const maxEmptyHours = 100_000;

/** The work that the rules of a source may still cause. */
export class RecurrenceWork {
  #total = 0;
  #ofRule = 0;

  get isSpent(): boolean {
    return this.#total > maxTotalUnits;
  }

  /** @throws InvalidEventError if earlier rules used up the work of the source */
  beginRule(): void {
    this.#ofRule = 0;
    this.charge(1);
  }

  /** @throws InvalidEventError if the limit of the rule or of the source is exceeded */
  charge(units: number): void {
    this.#ofRule += units;
    this.#total += units;
    if (this.#ofRule > maxRuleUnits) throw new InvalidEventError('recurs too often, or never');
    if (this.isSpent)
      throw new InvalidEventError('is not read: the recurrence rules of this source take too much work');
  }
}

/** What the iterator charges. It iterates in its constructor already, before it can have fields. */
type Charged = {
  work: RecurrenceWork;
  values: number;
  days: number;
  maxEmptySteps: number;
  emptySteps: number;
};
let charged: Charged | null = null;

/** A recurrence iterator that charges its loops. */
class ChargedIterator extends ICAL.RecurIterator {
  override check_contracting_rules(): boolean {
    const at = charged as Charged;
    at.work.charge(10 + at.values);
    at.emptySteps += 1;
    if (at.emptySteps > at.maxEmptySteps) throw new InvalidEventError('recurs too often, or never');
    return super.check_contracting_rules();
  }

  override expand_year_days(year: number): number {
    const at = charged as Charged;
    at.work.charge(100 + 2 * at.values);
    return super.expand_year_days(year);
  }

  override is_day_in_byday(time: ICAL.Time): 0 | 1 {
    const at = charged as Charged;
    at.work.charge(1 + at.days);
    return super.is_day_in_byday(time) as 0 | 1;
  }
}

/** Yields the starts of a rule. Nothing else may be iterated meanwhile. */
export function* iterateRule(
  rule: ICAL.Recur,
  dtstart: ICAL.Time,
  work: RecurrenceWork,
): Generator<ICAL.Time> {
  const parts = Object.values(rule.parts as Record<string, unknown[]>);
  work.beginRule();
  charged = {
    work,
    values: parts.reduce((sum, values) => sum + values.length, 0),
    days: (rule.parts as { BYDAY?: unknown[] }).BYDAY?.length ?? 0,
    maxEmptySteps: rule.freq === 'HOURLY' ? maxEmptyHours : maxEmptySteps,
    emptySteps: 0,
  };
  try {
    const iterator = new ChargedIterator({ rule, dtstart });
    for (let at = iterator.next(); at; at = iterator.next()) {
      charged.emptySteps = 0;
      yield at;
    }
  } finally {
    charged = null;
  }
}
