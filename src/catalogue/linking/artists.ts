/** Finds the artists that a text names: one, however its words are joined, or several. */
import { normalizeForSearch } from '../../text/fold.ts';
import { areWordsOneEditApart } from '../../text/one-edit.ts';
import { splitPlace } from '../places/place-suffix.ts';
import type { Catalogue } from '../request.ts';
import { cachedLink, type EntityLink, isExactLink, linkEntity, truncateName } from './entity-linking.ts';
import { nameForms } from './name-forms.ts';

/** Words that always separate the artists of one set. */
const certainJoiners = /\s+(?:b\d?b|f2f|b2b2b|back[ -]to[ -]back|vs\.?|versus)\s+/iu;
const possibleJoiners =
  /\s+(?:and|&|with|feat\.?|ft\.?|featuring|x|\+|und|y|et|e|en|n|['’]n['’]?|aka|a\.k\.a\.?|alias)\s+|\s*[;+&/]\s*/iu;
const possibleJoinersOrComma = new RegExp(`${possibleJoiners.source}|\\s*,\\s*`, 'iu');
/** Joining words within one name; they are interchangeable. */
const nameJoiners = /\s*(?:[&+]|(?<=\s)(?:and|und|et|y|e|en|n|['’]n['’]?)(?=\s))\s*/giu;
const nameJoinerForms = ['and', '&', 'n', 'und', 'et', 'y', 'e', 'en'];
const maxArtists = 8;
const maxMentioned = 5;
/** Shorter parts occur in too many names. */
const minPartLetters = 5;
/** No event is upcoming at this time (ms), so no events are counted. */
const endOfTime = 8.64e15;

/** Returns the artists that a text names, without duplicates; one unmatched link if there is none. */
export function linkArtists(catalogue: Catalogue, text: string): readonly EntityLink[] {
  const nameText = truncateName(text);
  return cachedLink(catalogue, `artists ${nameText}`, () => {
    const all = linkArtistsUncached(catalogue, nameText);
    return all.filter(
      ({ match }, at) => match === null || all.findIndex((one) => one.match?.id === match.id) === at,
    );
  });
}

function linkArtistsUncached(catalogue: Catalogue, text: string): readonly EntityLink[] {
  const whole = linkEntity(catalogue, 'artist', text);
  if (isExactLink(whole)) return [whole];
  const apart = splitParts(text, certainJoiners);
  if (apart.length > 1 && apart.length <= maxArtists)
    return apart.flatMap((part) => linkArtistsUncached(catalogue, part)).slice(0, maxArtists);
  const rejoined = linkWithOtherJoiner(catalogue, text);
  if (rejoined) return [rejoined];
  // "Ed Rush & Ojtical" is the pair with a typo rather than two artists.
  if (isFullName(catalogue, whole)) return [whole];
  // A comma may separate artists, or occur in "Klock, Ben".
  for (const between of [possibleJoiners, possibleJoinersOrComma]) {
    const joined = splitParts(text, between);
    if (joined.length < 2 || joined.length > maxArtists) continue;
    const each = joined.map(
      (part) => linkWithOtherJoiner(catalogue, part) ?? linkEntity(catalogue, 'artist', part),
    );
    if (each.every((choice) => isFullName(catalogue, choice))) return each;
  }
  return [isMeant(catalogue, whole) ? whole : withoutMatch(whole)];
}

/** Whether the text is the whole name of the artist, allowing for a typo, words of a question, or a place. */
function isMeant(catalogue: Catalogue, choice: EntityLink): boolean {
  const { text, match } = choice;
  if (match === null) return true;
  const forms = [text, splitPlace(catalogue, 'artist', text).name, ...nameForms('artist', text)];
  return forms.some(
    (form) =>
      isFullName(catalogue, { ...choice, text: form }) ||
      isBegun(form, match.name) ||
      isKnownBy(form, match.name, choice.alternatives),
  );
}

/** Whether the text is a whole word that only this name among the alternatives contains: "Klock", "Aphex". */
function isKnownBy(text: string, name: string, others: EntityLink['alternatives']): boolean {
  const textWords = normalizeForSearch(text).split(' ');
  const has = (one: string) => {
    const own = normalizeForSearch(one).split(' ');
    return textWords.every((word) => own.includes(word));
  };
  return textWords.join('').length >= minPartLetters && has(name) && !others.some((other) => has(other.name));
}

/** Whether the text is the whole name with an unfinished last word: "Ben Klo". One word alone is too ambiguous. */
function isBegun(text: string, name: string): boolean {
  const [words, own] = [normalizeForSearch(text), normalizeForSearch(name)];
  const count = words.split(' ').length;
  return count > 1 && count === own.split(' ').length && own.startsWith(words);
}

/** Demotes the match to an alternative: a name that only shares a word is not chosen. */
const withoutMatch = (choice: EntityLink): EntityLink => ({
  ...choice,
  match: null,
  alternatives: [choice.match, ...choice.alternatives].flatMap((one) => one ?? []).slice(0, maxMentioned),
});

/** Returns the artist whose name differs only in the joining word: "Catz and Dogz", "Catz & Dogz". */
export function linkWithOtherJoiner(catalogue: Catalogue, text: string): EntityLink | null {
  if (text.search(nameJoiners) <= 0) return null;
  for (const other of nameJoinerForms) {
    const form = text.replace(nameJoiners, ` ${other} `);
    if (!catalogue.reader.namedRecords.hasName('artist', form)) continue;
    const choice = linkEntity(catalogue, 'artist', form);
    if (isExactLink(choice)) return { ...choice, text };
  }
  return null;
}

/** Whether the text is the artist's full name or alias, with at most one typo. */
export function isFullName(catalogue: Catalogue, choice: EntityLink): boolean {
  const { match, text } = choice;
  if (match === null || isExactLink(choice)) return match !== null;
  const textWords = normalizeForSearch(text).split(' ');
  const { aliases } = catalogue.reader.details.artist(match.id, catalogue.reader.upcoming(endOfTime));
  return [match.name, ...aliases].some((name) =>
    areWordsOneEditApart(textWords, normalizeForSearch(name).split(' ')),
  );
}

const splitParts = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean);
