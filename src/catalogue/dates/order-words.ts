/** Finds words such as "last" and "next" in a free text, where they choose events by time rather than name them. */
import { normalizeForSearch } from '../../text/fold.ts';
import { lastWords, latestWords, nextOneWords, nextWords, units } from './period-words.ts';
import { splitHoliday, splitLikelyTime, splitTime } from './time-expressions.ts';

/** `last`: past events, the newest first. `next`: events that are not over, the soonest first. */
export type EventOrder = 'last' | 'next';
/** The order of a free text, its words as `normalizeForSearch` returns them, and the text without them. */
export type OrderedText = { order: EventOrder; words: string; rest: string };

const maxPhraseWords = 3;
const orders: ReadonlyMap<string, EventOrder> = new Map([
  ...[...lastWords, ...latestWords].map((words): [string, EventOrder] => [words, 'last']),
  ...[...nextWords, ...nextOneWords].map((words): [string, EventOrder] => [words, 'next']),
]);

/** Returns the first words of order in a text; null if there are none, or if they are part of a time ("last weekend"). */
export function splitOrder(text: string): OrderedText | null {
  const words = text.split(/\s+/u).filter(Boolean);
  for (let at = 0; at < words.length; at++) {
    for (let count = Math.min(maxPhraseWords, words.length - at); count > 0; count--) {
      const phrase = normalizeForSearch(words.slice(at, at + count).join(' '));
      const order = orders.get(phrase);
      if (order === undefined) continue;
      // "Last year" is a time, also where it is not read as one.
      const around = [words[at - 1], words[at + count]].map((word) => normalizeForSearch(word ?? ''));
      if (around.some((word) => units.has(word))) return null;
      const rest = [...words.slice(0, at), ...words.slice(at + count)].join(' ');
      return rest === '' || isPartOfTime(text, phrase) ? null : { order, words: phrase, rest };
    }
  }
  return null;
}

const isPartOfTime = (text: string, phrase: string): boolean =>
  [splitTime, splitLikelyTime, splitHoliday].some((split) => {
    const { times, rest } = split(text);
    return times !== null && !containsWords(normalizeForSearch(rest), phrase);
  });

/** Whether a normalized text contains normalized words as whole words. */
export const containsWords = (text: string, words: string): boolean => ` ${text} `.includes(` ${words} `);
