/** Finds the name of an event inside a free text, before its words are read as artists, countries, venues or genres. */
import { normalizeForSearch } from '../text/fold.ts';
import { splitHoliday, splitLikelyTime, splitTime } from './dates/time-expressions.ts';
import { countryCodeInSentence } from './places/countries.ts';
import type { Catalogue } from './request.ts';
import { stopWords } from './stop-words.ts';

/** The name of an event in a free text. */
export type EventPhrase = {
  /** As `normalizeForSearch` returns it. */
  words: string;
  /** As written. */
  text: string;
  /** The text around the name. */
  rest: string;
  /** Whether another record or a time has the same name, so that the text may mean that. */
  isAmbiguous: boolean;
};

const maxTextWords = 16;
const maxNameWords = 10;
const minOneWordLength = 4;
/** From this number of words on, one word among stop words is enough. */
const minStopWordPhrase = 3;
const areCapital = (part: readonly string[]): boolean => part.every((word) => /^\p{Lu}/u.test(word));
const isStopWord = (word: string): boolean => stopWords.has(word.toLowerCase());

/** Returns the longest part of the text that is the whole name of an event; null if there is none. */
export function findEventPhrase(catalogue: Catalogue, text: string): EventPhrase | null {
  const words = text.split(/\s+/u).filter(Boolean);
  if (words.length > maxTextWords) return null;
  const meaningful = words.filter((word) => !isStopWord(word)).length;
  for (let count = Math.min(maxNameWords, words.length); count > 0; count--) {
    for (let at = 0; at + count <= words.length; at++) {
      const part = words.slice(at, at + count);
      const own = part.filter((word) => !isStopWord(word)).length;
      // One word of several is too often a part of a name, as is "in Berlin"; "This Is London" is a name.
      const isOnly = own === meaningful && normalizeForSearch(part.join('')).length >= minOneWordLength;
      const isPhrase = own > 1 || isOnly || count >= minStopWordPhrase || (count > 1 && areCapital(part));
      if (count < words.length && (own === 0 || !isPhrase)) continue;
      const phrase = part.join(' ').replace(/^["“”„«]+|(?<!["“”»?!.,])["“”»?!.,]+$/gu, '');
      const phraseWords = normalizeForSearch(phrase);
      if (phraseWords === '' || !catalogue.reader.namedRecords.hasName('event', phrase)) continue;
      const rest = [...words.slice(0, at), ...words.slice(at + count)].join(' ');
      return { words: phraseWords, text: phrase, rest, isAmbiguous: isOtherName(catalogue, phrase) };
    }
  }
  return null;
}

function isOtherName({ reader }: Catalogue, phrase: string): boolean {
  const isRecord = (['artist', 'venue', 'city', 'genre'] as const).some((kind) =>
    reader.namedRecords.hasName(kind, phrase),
  );
  const isTime = [splitTime, splitLikelyTime, splitHoliday].some((split) => {
    const { times, rest } = split(phrase);
    return times !== null && rest === '';
  });
  return isRecord || isTime || countryCodeInSentence(phrase) !== null;
}
