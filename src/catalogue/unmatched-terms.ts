/**
 * Resolves the words of a free text that are not exact names. Precision takes priority: they are names with one typo,
 * or words of existing event names, or they are reported as not understood.
 */

import type { NameableKind } from '../store/search/named-records.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { areWordsOneEditApart } from '../text/one-edit.ts';
import { isFullName } from './linking/artists.ts';
import { type EntityLink, isExactLink, linkEntity } from './linking/entity-linking.ts';
import type { PlaceConstraint } from './places/place-suffix.ts';
import type { Catalogue } from './request.ts';
import { commonEventWords, stopWords } from './stop-words.ts';

/** The resolved terms: names, words of event names, and words that were not understood. */
export type UnmatchedTerms = { names: EntityLink[]; words: string[]; unread: string[] };

/** Spelling correction takes milliseconds, so longer runs are not corrected. */
const maxRunLength = 5;
const maxSpanLength = 4;
const minNameLength = 4;
const maxScannedEvents = 20;

/**
 * Resolves runs of words.
 * @param runs adjacent words
 * @param namedKinds kinds that are already named
 * @param upcomingAt ignores events that end before this time (ms); undefined includes all
 */
export function resolveUnmatchedTerms(
  catalogue: Catalogue,
  runs: readonly (readonly string[])[],
  namedKinds: ReadonlySet<NameableKind>,
  place: PlaceConstraint,
  upcomingAt: number | undefined,
): UnmatchedTerms {
  const terms: UnmatchedTerms = { names: [], words: [], unread: [] };
  for (const run of runs) {
    for (let at = 0; at < run.length; ) {
      const festival = festivalAt(catalogue, run, at);
      if (festival !== null) {
        terms.words.push(normalizeForSearch(festival.join(' ')));
        at += festival.length;
        continue;
      }
      const match = run.length <= maxRunLength ? nameAt(catalogue, run, at, namedKinds, place) : null;
      const word = run[at] as string;
      if (match) terms.names.push(match.choice);
      else if (isInNames(catalogue, word, upcomingAt)) terms.words.push(normalizeForSearch(word));
      else terms.unread.push(word);
      at += match?.count ?? 1;
    }
  }
  return terms;
}

/** Returns the words from a position that are a festival's full name; such a name is not split. */
function festivalAt({ reader }: Catalogue, run: readonly string[], at: number): readonly string[] | null {
  for (let count = Math.min(maxSpanLength, run.length - at); count > 1; count--) {
    const span = run.slice(at, at + count);
    if (reader.namedRecords.hasName('festival', span.join(' '))) return span;
  }
  return null;
}

const minGuessLength = 5;

/** Whether a word was linked to an artist or venue with a similar name. */
export const isGuess = (choice: EntityLink): boolean =>
  !isExactLink(choice) && !/\s/u.test(choice.text) && (choice.kind === 'artist' || choice.kind === 'venue');

/** Whether a word is too weak evidence for a name with a typo: short, or not written like a name. */
export const isWeakGuess = (choice: EntityLink): boolean =>
  !isExactLink(choice) &&
  !/\s/u.test(choice.text) &&
  ([...choice.text].length < minGuessLength || (isGuess(choice) && !/^\p{Lu}/u.test(choice.text)));

/** Returns the longest name that starts at a word. */
function nameAt(
  catalogue: Catalogue,
  run: readonly string[],
  at: number,
  namedKinds: ReadonlySet<NameableKind>,
  place: PlaceConstraint,
): { choice: EntityLink; count: number } | null {
  for (let count = Math.min(maxSpanLength, run.length - at); count > 0; count--) {
    const span = run.slice(at, at + count);
    if (count === run.length || count <= 2) {
      const choice = guessName(catalogue, span, namedKinds, place);
      if (choice) return { choice, count };
    }
  }
  return null;
}

const kindOrder: readonly NameableKind[] = ['genre', 'city', 'artist', 'venue'];

/** Links the words as a name with a typo or with different spaces; null if they are ordinary words. */
function guessName(
  catalogue: Catalogue,
  span: readonly string[],
  namedKinds: ReadonlySet<NameableKind>,
  place: PlaceConstraint,
): EntityLink | null {
  const text = span.join(' ');
  if ([...normalizeForSearch(text).replaceAll(' ', '')].length < minNameLength || span.every(isOrdinary))
    return null;
  for (const kind of kindOrder) {
    if (kind !== 'artist' && namedKinds.has(kind)) continue;
    const choice = linkEntity(catalogue, kind, text, kind === 'city' || kind === 'venue' ? place : {});
    if (choice.match !== null && (isExactLink(choice) || isMeant(choice, catalogue))) return choice;
  }
  return null;
}

const isOrdinary = (word: string): boolean => {
  const lower = word.toLowerCase();
  return commonEventWords.has(lower) || stopWords.has(lower);
};

/** Whether the text is the full name with at most one typo. */
function isMeant(choice: EntityLink, catalogue: Catalogue): boolean {
  const { kind, text, match } = choice;
  if (kind === 'artist') return isFullName(catalogue, choice);
  return areWordsOneEditApart(
    normalizeForSearch(text).split(' '),
    normalizeForSearch(match?.name ?? '').split(' '),
  );
}

/** Whether an event name contains the word: a short word entirely, a longer one as a prefix. */
function isInNames({ reader }: Catalogue, text: string, upcomingAt: number | undefined): boolean {
  const words = normalizeForSearch(text);
  if (words === '') return false;
  const filter = upcomingAt === undefined ? {} : { upcomingAt };
  if (words.length >= minNameLength) return reader.eventNames.has(words, filter);
  return reader.eventNames.find(words, filter, maxScannedEvents).some((json) => {
    const { name } = JSON.parse(json) as { name: string };
    return normalizeForSearch(name).split(' ').includes(words);
  });
}
