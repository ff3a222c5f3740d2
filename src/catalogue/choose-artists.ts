/** The artists that a text names: one, whatever joins the words of the name, or several who play together. */
import { searchWords } from '../store/fold.ts';
import type { Catalogue } from './answers.ts';
import { type Choice, choose, isSure, nameText, remembered } from './choose.ts';
import { formsOf } from './name-forms.ts';
import { splitPlace } from './name-places.ts';
import { areTyposApart } from './typos.ts';

/** How people join the artists of one night. */
const surely = /\s+(?:b\d?b|f2f|b2b2b|back[ -]to[ -]back|vs\.?|versus)\s+/iu;
const maybe =
  /\s+(?:and|&|with|feat\.?|ft\.?|featuring|x|\+|und|y|et|e|en|n|['’]n['’]?|aka|a\.k\.a\.?|alias)\s+|\s*[;+&/]\s*/iu;
const maybeComma = new RegExp(`${maybe.source}|\\s*,\\s*`, 'iu');
/** What may join the words of one name, each standing for all. */
const joint = /\s*(?:[&+]|(?<=\s)(?:and|und|et|y|e|en|n|['’]n['’]?)(?=\s))\s*/giu;
const joints = ['and', '&', 'n', 'und', 'et', 'y', 'e', 'en'];
const mostArtists = 8;
const mostNearest = 5;
/** A part of a name with fewer letters is a part of too many. */
const fewestLetters = 5;
/** Nothing is upcoming then (ms), so that nothing has to be counted. */
const endOfTime = 8.64e15;

/** The artists that a text names; where it names nobody, one choice that says so. None is named twice. */
export function chooseArtists(catalogue: Catalogue, text: string): readonly Choice[] {
  const asked = nameText(text);
  return remembered(catalogue, `artists ${asked}`, () => {
    const all = artistsOf(catalogue, asked);
    return all.filter(
      ({ match }, at) => match === null || all.findIndex((one) => one.match?.id === match.id) === at,
    );
  });
}

function artistsOf(catalogue: Catalogue, text: string): readonly Choice[] {
  const whole = choose(catalogue, 'artist', text);
  if (isSure(whole)) return [whole];
  const apart = parts(text, surely);
  if (apart.length > 1 && apart.length <= mostArtists)
    return apart.flatMap((part) => artistsOf(catalogue, part)).slice(0, mostArtists);
  const rejoined = otherForm(catalogue, text);
  if (rejoined) return [rejoined];
  // "Ed Rush & Ojtical" is that pair with a typo before it is two.
  if (isNamed(catalogue, whole)) return [whole];
  // A comma may stand between artists, or in "Klock, Ben".
  for (const between of [maybe, maybeComma]) {
    const joined = parts(text, between);
    if (joined.length < 2 || joined.length > mostArtists) continue;
    const each = joined.map((part) => otherForm(catalogue, part) ?? choose(catalogue, 'artist', part));
    if (each.every((choice) => isNamed(catalogue, choice))) return each;
  }
  return [isMeant(catalogue, whole) ? whole : nearest(whole)];
}

/** Whether the text is the whole name of the artist, as far as it goes: with a typo, a question around it, a place. */
function isMeant(catalogue: Catalogue, choice: Choice): boolean {
  const { text, match } = choice;
  if (match === null) return true;
  const forms = [text, splitPlace(catalogue, 'artist', text).name, ...formsOf('artist', text)];
  return forms.some(
    (form) =>
      isNamed(catalogue, { ...choice, text: form }) ||
      isBegun(form, match.name) ||
      isKnownBy(form, match.name, choice.others),
  );
}

/** "Klock", "Aphex": whole words of a name that none of the others found has. */
function isKnownBy(text: string, name: string, others: Choice['others']): boolean {
  const asked = searchWords(text).split(' ');
  const has = (one: string) => {
    const own = searchWords(one).split(' ');
    return asked.every((word) => own.includes(word));
  };
  return asked.join('').length >= fewestLetters && has(name) && !others.some((other) => has(other.name));
}

/** "Ben Klo": all words of the name, the last one not yet written out. One such word is a part of many names. */
function isBegun(text: string, name: string): boolean {
  const [asked, own] = [searchWords(text), searchWords(name)];
  const count = asked.split(' ').length;
  return count > 1 && count === own.split(' ').length && own.startsWith(asked);
}

/** A name that only shares a word with the text is somebody else's: it is mentioned, and not chosen. */
const nearest = (choice: Choice): Choice => ({
  ...choice,
  match: null,
  others: [choice.match, ...choice.others].flatMap((one) => one ?? []).slice(0, mostNearest),
});

/** The artist called so but for what joins the words of the name: "Catz and Dogz", "Catz & Dogz". */
export function otherForm(catalogue: Catalogue, text: string): Choice | null {
  if (text.search(joint) <= 0) return null;
  for (const other of joints) {
    const form = text.replace(joint, ` ${other} `);
    if (!catalogue.reader.named.isCalled('artist', form)) continue;
    const choice = choose(catalogue, 'artist', form);
    if (isSure(choice)) return { ...choice, text };
  }
  return null;
}

/** Whether an artist is called so, one typo aside: no beginning of a name, no word of it. */
export function isNamed(catalogue: Catalogue, choice: Choice): boolean {
  const { match, text } = choice;
  if (match === null || isSure(choice)) return match !== null;
  const asked = searchWords(text).split(' ');
  const { aliases } = catalogue.reader.details.artist(match.id, catalogue.reader.upcoming(endOfTime));
  return [match.name, ...aliases].some((name) => areTyposApart(asked, searchWords(name).split(' ')));
}

const parts = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean);
