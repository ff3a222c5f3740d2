/** Says how the price of a question was read, and what it leaves out. */

import { maxPricedEvents, type PriceReading } from '../../catalogue/priced-events.ts';

/** The condition on the price: "with free entry", "with tickets up to 20 EUR". */
export function priceText(price: PriceReading | null): string[] {
  if (price === null) return [];
  const { max, currencies } = price.limit;
  if (max === 0) return ['with free entry'];
  return [`with tickets up to ${[max, currencies.join(' or ')].join(' ').trim()}`];
}

/** Whether there are events at other prices, or without a known one. */
export const hasOtherPrices = (price: PriceReading | null): boolean =>
  price !== null && price.unknown + price.others > 0;

/** Returns notes about a price: the events that it leaves out, and those that were not read. */
export function priceNotes({ limit, unknown, others, isPartial }: PriceReading): string[] {
  const left = [
    ...(unknown === 0 ? [] : [`${count(unknown)} without a known price`]),
    ...(others === 0 ? [] : [`${count(others)} at another price`]),
  ];
  return [
    ...(left.length === 0 ? [] : [`Left out by the price "${limit.text}": ${left.join(', ')}.`]),
    ...(isPartial
      ? [
          `Only the prices of the first ${maxPricedEvents} events were read: add a city, genre or shorter window.`,
        ]
      : []),
  ];
}

const count = (events: number): string => `${events} ${events === 1 ? 'event' : 'events'}`;
