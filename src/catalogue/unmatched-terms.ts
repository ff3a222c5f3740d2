/**
 * The words of a free text that name nothing just so. Precision goes first: they are a name with one typo, or words of
 * names of events that there are, or they are not understood, and the answer says so.
 */

import type { NameableKind } from '../store/search/named-records.ts';
import { normalizeForSearch } from '../text/fold.ts';
import type { Catalogue } from './handlers.ts';
import { isFullName } from './linking/artists.ts';
import { type EntityLink, isExactLink, linkEntity } from './linking/entity-linking.ts';
import { areWordsOneEditApart } from './linking/typos.ts';
import type { PlaceConstraint } from './places/place-suffix.ts';
import { commonEventWords, stopWords } from './stop-words.ts';

/** What became of the words: names, words that names of events have, and what was not understood. */
export type UnmatchedTerms = { names: EntityLink[]; words: string[]; unread: string[] };

/** Looking for what may have been meant takes milliseconds: longer runs and spans are taken as they stand. */
const maxRunLength = 5;
const maxSpanLength = 4;
const minNameLength = 4;
const maxScannedEvents = 20;

/**
 * @param tokenRuns words that stand together
 * @param reservedSchemes kinds that are named already
 * @param upcomingAt events over at this time (ms) do not count; undefined where all do
 */
export function resolveUnmatchedTerms(
  catalogue: Catalogue,
  runs: readonly (readonly string[])[],
  taken: ReadonlySet<NameableKind>,
  place: PlaceConstraint,
  upcomingAt: number | undefined,
): UnmatchedTerms {
  const left: UnmatchedTerms = { names: [], words: [], unread: [] };
  for (const run of runs) {
    for (let at = 0; at < run.length; ) {
      const festival = festivalAt(catalogue, run, at);
      if (festival !== null) {
        left.words.push(normalizeForSearch(festival.join(' ')));
        at += festival.length;
        continue;
      }
      const found = run.length <= maxRunLength ? nameAt(catalogue, run, at, taken, place) : null;
      const word = run[at] as string;
      if (found) left.names.push(found.choice);
      else if (isInNames(catalogue, word, upcomingAt)) left.words.push(normalizeForSearch(word));
      else left.unread.push(word);
      at += found?.count ?? 1;
    }
  }
  return left;
}

/** The words from one on that are a festival's whole name: asked for as they stand, and never by the half. */
function festivalAt({ reader }: Catalogue, run: readonly string[], at: number): readonly string[] | null {
  for (let count = Math.min(maxSpanLength, run.length - at); count > 1; count--) {
    const span = run.slice(at, at + count);
    if (reader.namedRecords.hasName('festival', span.join(' '))) return span;
  }
  return null;
}

const minGuessLength = 5;

/** Whether one word is taken for an artist or venue that is called almost so. */
export const isGuess = (choice: EntityLink): boolean =>
  !isExactLink(choice) && !/\s/u.test(choice.text) && (choice.kind === 'artist' || choice.kind === 'venue');

/** Whether a word of a sentence is too weak a sign for a name with a typo: short, or written as no name is. */
export const isWeakGuess = (choice: EntityLink): boolean =>
  !isExactLink(choice) &&
  !/\s/u.test(choice.text) &&
  ([...choice.text].length < minGuessLength || (isGuess(choice) && !/^\p{Lu}/u.test(choice.text)));

/** The longest name from a word on. */
function nameAt(
  catalogue: Catalogue,
  run: readonly string[],
  at: number,
  taken: ReadonlySet<NameableKind>,
  place: PlaceConstraint,
): { choice: EntityLink; count: number } | null {
  for (let count = Math.min(maxSpanLength, run.length - at); count > 0; count--) {
    const span = run.slice(at, at + count);
    if (count === run.length || count <= 2) {
      const choice = guessName(catalogue, span, taken, place);
      if (choice) return { choice, count };
    }
  }
  return null;
}

const kindOrder: readonly NameableKind[] = ['genre', 'city', 'artist', 'venue'];

/** What the words name with a typo or with spaces elsewhere; null where they are words like others. */
function guessName(
  catalogue: Catalogue,
  span: readonly string[],
  taken: ReadonlySet<NameableKind>,
  place: PlaceConstraint,
): EntityLink | null {
  const text = span.join(' ');
  if ([...normalizeForSearch(text).replaceAll(' ', '')].length < minNameLength || span.every(isOrdinary))
    return null;
  for (const kind of kindOrder) {
    if (kind !== 'artist' && taken.has(kind)) continue;
    const choice = linkEntity(catalogue, kind, text, kind === 'city' || kind === 'venue' ? place : {});
    if (choice.match !== null && (isExactLink(choice) || isMeant(choice, catalogue))) return choice;
  }
  return null;
}

const isOrdinary = (word: string): boolean => {
  const lower = word.toLowerCase();
  return commonEventWords.has(lower) || stopWords.has(lower);
};

/** Whether the text is the whole of the name but for one typo. */
function isMeant(choice: EntityLink, catalogue: Catalogue): boolean {
  const { kind, text, match } = choice;
  if (kind === 'artist') return isFullName(catalogue, choice);
  return areWordsOneEditApart(
    normalizeForSearch(text).split(' '),
    normalizeForSearch(match?.name ?? '').split(' '),
  );
}

/** Whether an event has the word in its name: a short one wholly, a longer one as a beginning. */
function isInNames({ reader }: Catalogue, text: string, upcomingAt: number | undefined): boolean {
  const words = normalizeForSearch(text);
  if (words === '') return false;
  const found = reader.eventNames.find(
    words,
    upcomingAt === undefined ? {} : { upcomingAt },
    maxScannedEvents,
  );
  if (words.length >= minNameLength) return found.length > 0;
  return found.some((json) => {
    const { name } = JSON.parse(json) as { name: string };
    return normalizeForSearch(name).split(' ').includes(words);
  });
}
