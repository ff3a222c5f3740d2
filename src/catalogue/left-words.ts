/**
 * The words of a free text that name nothing just so. Precision goes first: they are a name with one typo, or words of
 * names of events that there are, or they are not understood, and the answer says so.
 */
import { searchWords } from '../store/fold.ts';
import type { NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { type Choice, choose, isSure } from './choose.ts';
import { isNamed } from './choose-artists.ts';
import type { Place } from './name-places.ts';
import { idleWords, ordinaryWords } from './question-words.ts';
import { areTyposApart } from './typos.ts';

/** What became of the words: names, words that names of events have, and what was not understood. */
export type LeftWords = { names: Choice[]; words: string[]; unread: string[] };

/** Looking for what may have been meant takes milliseconds: longer runs and spans are taken as they stand. */
const longestRun = 5;
const longestSpan = 4;
const shortestName = 4;
const mostLookedAt = 20;

/**
 * @param runs words that stand together
 * @param taken kinds that are named already
 * @param upcomingAt events over at this time (ms) do not count; undefined where all do
 */
export function readLeft(
  catalogue: Catalogue,
  runs: readonly (readonly string[])[],
  taken: ReadonlySet<NameableKind>,
  place: Place,
  upcomingAt: number | undefined,
): LeftWords {
  const left: LeftWords = { names: [], words: [], unread: [] };
  for (const run of runs) {
    for (let at = 0; at < run.length; ) {
      const festival = festivalAt(catalogue, run, at);
      if (festival !== null) {
        left.words.push(searchWords(festival.join(' ')));
        at += festival.length;
        continue;
      }
      const found = run.length <= longestRun ? nameAt(catalogue, run, at, taken, place) : null;
      const word = run[at] as string;
      if (found) left.names.push(found.choice);
      else if (isInNames(catalogue, word, upcomingAt)) left.words.push(searchWords(word));
      else left.unread.push(word);
      at += found?.count ?? 1;
    }
  }
  return left;
}

/** The words from one on that are a festival's whole name: asked for as they stand, and never by the half. */
function festivalAt({ reader }: Catalogue, run: readonly string[], at: number): readonly string[] | null {
  for (let count = Math.min(longestSpan, run.length - at); count > 1; count--) {
    const span = run.slice(at, at + count);
    if (reader.named.isCalled('festival', span.join(' '))) return span;
  }
  return null;
}

const shortestGuess = 5;

/** Whether one word is taken for an artist or venue that is called almost so. */
export const isGuess = (choice: Choice): boolean =>
  !isSure(choice) && !/\s/u.test(choice.text) && (choice.kind === 'artist' || choice.kind === 'venue');

/** Whether a word of a sentence is too weak a sign for a name with a typo: short, or written as no name is. */
export const isWeakGuess = (choice: Choice): boolean =>
  !isSure(choice) &&
  !/\s/u.test(choice.text) &&
  ([...choice.text].length < shortestGuess || (isGuess(choice) && !/^\p{Lu}/u.test(choice.text)));

/** The longest name from a word on. */
function nameAt(
  catalogue: Catalogue,
  run: readonly string[],
  at: number,
  taken: ReadonlySet<NameableKind>,
  place: Place,
): { choice: Choice; count: number } | null {
  for (let count = Math.min(longestSpan, run.length - at); count > 0; count--) {
    const span = run.slice(at, at + count);
    if (count === run.length || count <= 2) {
      const choice = likelyName(catalogue, span, taken, place);
      if (choice) return { choice, count };
    }
  }
  return null;
}

const order: readonly NameableKind[] = ['genre', 'city', 'artist', 'venue'];

/** What the words name with a typo or with spaces elsewhere; null where they are words like others. */
function likelyName(
  catalogue: Catalogue,
  span: readonly string[],
  taken: ReadonlySet<NameableKind>,
  place: Place,
): Choice | null {
  const text = span.join(' ');
  if ([...searchWords(text).replaceAll(' ', '')].length < shortestName || span.every(isOrdinary)) return null;
  for (const kind of order) {
    if (kind !== 'artist' && taken.has(kind)) continue;
    const choice = choose(catalogue, kind, text, kind === 'city' || kind === 'venue' ? place : {});
    if (choice.match !== null && (isSure(choice) || isMeant(choice, catalogue))) return choice;
  }
  return null;
}

const isOrdinary = (word: string): boolean => {
  const lower = word.toLowerCase();
  return ordinaryWords.has(lower) || idleWords.has(lower);
};

/** Whether the text is the whole of the name but for one typo. */
function isMeant(choice: Choice, catalogue: Catalogue): boolean {
  const { kind, text, match } = choice;
  if (kind === 'artist') return isNamed(catalogue, choice);
  return areTyposApart(searchWords(text).split(' '), searchWords(match?.name ?? '').split(' '));
}

/** Whether an event has the word in its name: a short one wholly, a longer one as a beginning. */
function isInNames({ reader }: Catalogue, text: string, upcomingAt: number | undefined): boolean {
  const words = searchWords(text);
  if (words === '') return false;
  const found = reader.eventNames.find(words, upcomingAt === undefined ? {} : { upcomingAt }, mostLookedAt);
  if (words.length >= shortestName) return found.length > 0;
  return found.some((json) => {
    const { name } = JSON.parse(json) as { name: string };
    return searchWords(name).split(' ').includes(words);
  });
}
