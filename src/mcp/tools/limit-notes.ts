/** Writes notes for an answer: how the price and the age in a question were read, and which events they leave out. */

import { type LeftOut, type LimitReading, maxLimitedEvents } from '../../catalogue/limited-events.ts';

/** The conditions: "with free entry", "with tickets up to 20 EUR", "with minimum age 18". */
export function limitTexts(reading: LimitReading | null): string[] {
  if (reading === null) return [];
  const { price, age } = reading.limits;
  return [
    ...(price === null
      ? []
      : price.max === 0
        ? ['with free entry']
        : [`with tickets up to ${[price.max, price.currencies.join(' or ')].join(' ').trim()}`]),
    ...(age === null
      ? []
      : age.max === 0
        ? ['for all ages']
        : [age.min === age.max ? `with minimum age ${age.max}` : `open at age ${age.max}`]),
  ];
}

/** Whether events are left out by the price or the age. */
export const isLimiting = (reading: LimitReading | null): boolean =>
  reading !== null && [reading.price, reading.age].some(({ unknown, others }) => unknown + others > 0);

/** Returns notes about the limits: the events that they leave out, and those that were not read. */
export function limitNotes({ limits, price, age, isPartial }: LimitReading): string[] {
  return [
    ...noteOf('price', limits.price?.text, price),
    ...noteOf('age', limits.age?.text, age),
    ...(isPartial
      ? [`Only the first ${maxLimitedEvents} events were read for this: add a city, genre or shorter window.`]
      : []),
  ];
}

function noteOf(subject: 'price' | 'age', text: string | undefined, { unknown, others }: LeftOut): string[] {
  const name = subject === 'price' ? 'price' : 'minimum age';
  const parts = [
    ...(unknown === 0 ? [] : [`${count(unknown)} without a known ${name}`]),
    ...(others === 0 ? [] : [`${count(others)} ${subject === 'price' ? 'at' : 'with'} another ${name}`]),
  ];
  return parts.length === 0 ? [] : [`Left out by the ${subject} "${text}": ${parts.join(', ')}.`];
}

const count = (events: number): string => `${events} ${events === 1 ? 'event' : 'events'}`;
