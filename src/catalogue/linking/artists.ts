/** The artists that a text names: one, whatever joins the words of the name, or several who play together. */
import { normalizeForSearch } from '../../text/fold.ts';
import type { Catalogue } from '../handlers.ts';
import { splitPlace } from '../places/place-suffix.ts';
import { cachedLink, type EntityLink, isExactLink, linkEntity, truncateName } from './entity-linking.ts';
import { nameForms } from './name-forms.ts';
import { areWordsOneEditApart } from './typos.ts';

/** How people join the artists of one night. */
const certainJoiners = /\s+(?:b\d?b|f2f|b2b2b|back[ -]to[ -]back|vs\.?|versus)\s+/iu;
const possibleJoiners =
  /\s+(?:and|&|with|feat\.?|ft\.?|featuring|x|\+|und|y|et|e|en|n|['’]n['’]?|aka|a\.k\.a\.?|alias)\s+|\s*[;+&/]\s*/iu;
const possibleJoinersOrComma = new RegExp(`${possibleJoiners.source}|\\s*,\\s*`, 'iu');
/** What may join the words of one name, each standing for all. */
const nameJoiners = /\s*(?:[&+]|(?<=\s)(?:and|und|et|y|e|en|n|['’]n['’]?)(?=\s))\s*/giu;
const nameJoinerForms = ['and', '&', 'n', 'und', 'et', 'y', 'e', 'en'];
const maxArtists = 8;
const maxMentioned = 5;
/** A part of a name with fewer letters is a part of too many. */
const minPartLetters = 5;
/** Nothing is upcoming then (ms), so that nothing has to be counted. */
const endOfTime = 8.64e15;

/** The artists that a text names; where it names nobody, one choice that says so. None is named twice. */
export function linkArtists(catalogue: Catalogue, text: string): readonly EntityLink[] {
  const asked = truncateName(text);
  return cachedLink(catalogue, `artists ${asked}`, () => {
    const all = linkArtistsUncached(catalogue, asked);
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
  // "Ed Rush & Ojtical" is that pair with a typo before it is two.
  if (isFullName(catalogue, whole)) return [whole];
  // A comma may stand between artists, or in "Klock, Ben".
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

/** Whether the text is the whole name of the artist, as far as it goes: with a typo, a question around it, a place. */
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

/** "Klock", "Aphex": whole words of a name that none of the others found has. */
function isKnownBy(text: string, name: string, others: EntityLink['alternatives']): boolean {
  const asked = normalizeForSearch(text).split(' ');
  const has = (one: string) => {
    const own = normalizeForSearch(one).split(' ');
    return asked.every((word) => own.includes(word));
  };
  return asked.join('').length >= minPartLetters && has(name) && !others.some((other) => has(other.name));
}

/** "Ben Klo": all words of the name, the last one not yet written out. One such word is a part of many names. */
function isBegun(text: string, name: string): boolean {
  const [asked, own] = [normalizeForSearch(text), normalizeForSearch(name)];
  const count = asked.split(' ').length;
  return count > 1 && count === own.split(' ').length && own.startsWith(asked);
}

/** A name that only shares a word with the text is somebody else's: it is mentioned, and not chosen. */
const withoutMatch = (choice: EntityLink): EntityLink => ({
  ...choice,
  match: null,
  alternatives: [choice.match, ...choice.alternatives].flatMap((one) => one ?? []).slice(0, maxMentioned),
});

/** The artist called so but for what joins the words of the name: "Catz and Dogz", "Catz & Dogz". */
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

/** Whether an artist is called so, one typo aside: no beginning of a name, no word of it. */
export function isFullName(catalogue: Catalogue, choice: EntityLink): boolean {
  const { match, text } = choice;
  if (match === null || isExactLink(choice)) return match !== null;
  const asked = normalizeForSearch(text).split(' ');
  const { aliases } = catalogue.reader.details.artist(match.id, catalogue.reader.upcoming(endOfTime));
  return [match.name, ...aliases].some((name) =>
    areWordsOneEditApart(asked, normalizeForSearch(name).split(' ')),
  );
}

const splitParts = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean);
