/** Titles of shows, compared: what remains of them without venue, city, date and noise. */
import { areOfTwoScripts } from './letters.ts';
import type { Listing, Reason } from './listing.ts';
import { feastNames, type Title } from './occasion-parts.ts';
import {
  alikeTexts,
  alikeWords,
  containsRun,
  houseWords,
  initialsOf,
  joiners,
  months,
  sharedWords,
  styles,
  titleNoise,
  weekdays,
  wordsOf,
} from './words.ts';

type Prepared = Listing & { title: readonly string[]; read: Title };

/**
 * What two titles say about each other, besides naming acts.
 * @param acts the words of each one's acts
 * @param met whether the two have acts in common
 */
export function compareTitles(
  a: Prepared,
  b: Prepared,
  placeWords: ReadonlySet<string>,
  acts: { a: readonly string[]; b: readonly string[] },
  met: boolean,
): Reason | null {
  const [titleA, titleB] = [joinedAs(a.title, b.title), joinedAs(b.title, a.title)];
  const whole = titleA.join(' ') === titleB.join(' ');
  const [coreA, coreB] = [coreOf(titleA, placeWords), coreOf(titleB, placeWords)];
  if (coreA.length === 0 && coreB.length === 0) return ofGeneralWords(a, b, placeWords);
  if (whole && coreA.every((word) => feastNames.has(word))) return reason(2, 'the same feast');
  if (whole) return reason(coreA.length > 1 ? 2.8 : 2.4, 'the same title');
  // Both are called after whom they share, and nothing else.
  if (met && sameWords(coreA, coreB)) return reason(1.8, 'the same title but for general words');
  const both = [...acts.a, ...acts.b];
  const named = met ? calledAfter(coreA, coreB, both) : null;
  // Who plays is weighed as the line-up; a series and its acts need have no word in common.
  const isIn = (word: string, words: readonly string[]) => words.some((other) => alikeWords(word, other));
  const free = (words: readonly string[], own: readonly string[], others: readonly string[]) =>
    words.filter((word) => (met ? !isIn(word, both) : !isIn(word, own) || isIn(word, others)));
  const [freeA, freeB] = [free(coreA, acts.a, coreB), free(coreB, acts.b, coreA)];
  if (freeA.length === 0 && freeB.length === 0 && !met) return ofGeneralWords(a, b, placeWords);
  if (freeA.length === 0 || freeB.length === 0) return named ?? ofGeneralLead(a, b);
  const shared = sharedWords(freeA, freeB);
  if (shared === 0 && named) return reason(0.3, named.text);
  if (shared === 0 && (isShort(a.title, b.title) || isShort(b.title, a.title)))
    return reason(1.6, 'one title has the initials of the other');
  if (shared === 0 && areOfTwoScripts(a.name, b.name)) return null;
  if (shared === 0 && (leadStandsIn(a, b, placeWords) || leadStandsIn(b, a, placeWords)))
    return reason(1.8, 'one title has what the other begins with');
  if (shared === 0) return reason(met ? -0.2 : -1.1, 'titles without a word in common');
  const piece = sharedPiece(a, b, placeWords);
  const least = Math.min(freeA.length, freeB.length);
  const dice = (2 * shared) / (freeA.length + freeB.length);
  const [ownA, ownB] = [freeA, freeB].map((words) => words.filter((word) => !styles.has(word))) as [
    string[],
    string[],
  ];
  if (dice === 1 || sameWords(ownA, ownB))
    return reason(shared > 1 ? 2.6 : 2.2, 'the same title but for general words');
  if (shared === 1 && (isLead(a.read.lead, b, placeWords) || isLead(b.read.lead, a, placeWords)))
    return reason(2.2, 'one title is what the other begins with');
  if (shared === least) {
    const more = dice > 0.8 || isWithin(a.title, b.title) ? 0.4 : 0;
    const held = Math.min(2.8, 1.4 + 0.8 * (shared - 1) + more);
    if (held >= (piece?.weight ?? 0)) return reason(held, 'one title holds the words of the other');
  }
  if ((piece?.weight ?? 0) < 1.8 && (piecesStandIn(a, b, placeWords) || piecesStandIn(b, a, placeWords)))
    return reason(2, 'one title has several of the names that stand in the other');
  if ((piece?.weight ?? 0) < 1.8 && (isNightOf(a, b, placeWords) || isNightOf(b, a, placeWords)))
    return reason(1.8, 'a name of the one is what the other begins with');
  if (piece !== null) return piece;
  // Each has a word of its own: "Ostgut Night", "Kompakt Night".
  if (dice >= 0.5 && shared > 1)
    return reason(Math.min(2.2, 0.6 + 0.55 * shared), 'titles with most words in common');
  return reason(0.2, 'titles with a word in common');
}

/** "Klang.Fabrik" beside "Klangfabrik": two words of one title that are one in the other, as that one. */
function joinedAs(words: readonly string[], other: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => isJoin(word + (words[index + 1] ?? ''), word, other));
  if (at < 0) return words;
  return [...words.slice(0, at), words.slice(at, at + 2).join(''), ...joinedAs(words.slice(at + 2), other)];
}
const isJoin = (joined: string, word: string, other: readonly string[]): boolean =>
  joined.length >= 6 && joined !== word && other.includes(joined);

/**
 * "J1 | Helena Hauff, VTSS" and "HELENA HAUF (DE)": both name one thing by itself. Who presents is named in front of many
 * a show, so that what is set off behind tells more.
 */
function sharedPiece(a: Prepared, b: Prepared, place: ReadonlySet<string>): Reason | null {
  const [own, others] = [tellingPieces(a, place), tellingPieces(b, place)];
  const isIn = (piece: Piece, pieces: readonly Piece[]) =>
    pieces.some(({ text }) => alikeTexts(piece.text, text));
  const shared = own.filter((piece) => isIn(piece, others));
  if (shared.length === 0) return null;
  const all = shared.length === own.length || others.every((piece) => isIn(piece, own));
  const found = shared.map(({ words }) => words.join(' ')).join(', ');
  // "Hyperdub Live" is not yet "Hyperdub / Autumn": one word beside general ones is hardly a name.
  const isBare = shared.every(
    ({ text, words, isBare }) =>
      words.length > 1 || (isBare && others.some((one) => one.isBare && alikeTexts(one.text, text))),
  );
  if (all) return reason(shared.length > 1 ? 2.8 : isBare ? 2.2 : 1.4, `both name ${found}`);
  const isFirst = shared.length === 1 && alikeTexts(own[0]?.text ?? '', others[0]?.text ?? '');
  return reason(isFirst ? 0.2 : shared.length > 1 ? 2.2 : 1.5, `both name ${found}`);
}

type Piece = { words: readonly string[]; text: string /** Nothing else stands in it. */; isBare: boolean };

/** What a title names, without places, dates and what says nothing. */
function tellingPieces({ title, read, startAt }: Prepared, place: ReadonlySet<string>): Piece[] {
  const pieces = read.pieces.length === 0 ? [title] : read.pieces;
  return pieces
    .map((words): Piece => {
      const core = coreOf(words, place);
      return { words: core, text: core.join(''), isBare: core.length === words.length };
    })
    .filter(({ text }) => text.length >= 4 && !startAt.includes(text));
}
const reason = (weight: number, text: string): Reason => ({ evidence: 'title', weight, text });

/** Whether a title is what the other sets off in front: "Automatik: Oscar Mulero", "AUTOMATIK". */
function isLead(lead: readonly string[], other: Prepared, place: ReadonlySet<string>): boolean {
  const bare = (words: readonly string[]) => words.filter((word) => !place.has(word) && !joiners.has(word));
  const [own, all] = [bare(lead), bare(undated(other))];
  // "The Late Show - Revolver Saturdays", at Revolver.
  const nightless = all.filter((word) => !weekdays.has(word.replace(/s$/, '')));
  return own.join('').length >= 4 && (sameWords(own, all) || sameWords(own, nightless));
}

/** "House Of Hamburg mit Jane Doe", "HOUSE OF PAIN? NO! HOUSE OF HAMBURG": several words, if most of them are general. */
function leadStandsIn({ read: { lead } }: Prepared, other: Prepared, place: ReadonlySet<string>): boolean {
  const isTold = (word: string, at: number): boolean =>
    !joiners.has(word) &&
    !(place.has(word) ? locative.test(lead[at - 1] ?? '') : titleNoise.has(word) || styles.has(word));
  return lead.length >= 3 && !lead.includes('live') && lead.some(isTold) && containsRun(other.title, lead);
}
/** What stands in front of a place where it is one, and no name. */
const locative = /^(?:in|im|at|en|em|a|au|w|v|na|u|i|pa|op|te|to|from|aus)$/;

/** "Twitch: Boxing Night with Jane Doe", "BOXING NIGHT Twitch": two names or more, though not set off in the other. */
function piecesStandIn(one: Prepared, other: Prepared, place: ReadonlySet<string>): boolean {
  const held = one.read.pieces.filter(
    (words) => coreOf(words, place).join('').length >= 4 && containsRun(other.title, words),
  );
  return new Set(held.map((words) => words.join(' '))).size > 1;
}

/**
 * "Smallville Nacht: Jane Doe", "Turmzimmer: Smallville Records Nacht": whose night it is, and that it is one. A promoter is
 * named in front of many a show; here nothing else is named.
 */
function isNightOf({ read: { lead } }: Prepared, other: Prepared, place: ReadonlySet<string>): boolean {
  const told = coreOf(lead, place);
  const isOf = (words: readonly string[]): boolean => {
    const core = coreOf(words, place).filter((word) => !/^rec(?:ord(?:s|ing)|ordings)$/.test(word));
    return sameWords(told, core) && words.some((word) => titleNoise.has(word) && lead.includes(word));
  };
  return (
    told.join('').length >= 5 && tellingPieces(other, place).length === 1 && other.read.pieces.some(isOf)
  );
}

/** One title stands in the other as a whole, all its general words with it. */
const isWithin = (a: readonly string[], b: readonly string[]): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length >= 2 && containsRun(long, short);
};

/** Whether a word of a title is made of the first letters of words that follow each other in the other: "NWB", "No Way Back". */
const isShort = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((word) => /^[a-z]{3,6}$/.test(word) && initialsOf(b).includes(word)) || isPairOf(a, b);

/** "R&V", "Rhythm & Vines". */
function isPairOf(a: readonly string[], b: readonly string[]): boolean {
  const ofPair = (words: readonly string[], isHalf: (word: string) => boolean): string[] =>
    words.flatMap((word, at) => {
      const [one = '', two = ''] = [words[at - 1], words[at + 1]];
      return word === 'and' && isHalf(one) && isHalf(two) ? [`${one[0]}${two[0]}`] : [];
    });
  const whole = ofPair(b, (word) => word.length > 2 && !titleNoise.has(word));
  return ofPair(a, (word) => word.length === 1).some((letters) => whole.includes(letters));
}

const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && sharedWords(a, b) === a.length;

/** "Mogwai" and "Mogwai u Zagrebu", whoever else plays: both put the same act into the title. */
function calledAfter(a: readonly string[], b: readonly string[], acts: readonly string[]): Reason | null {
  const named = a.filter(
    (word) =>
      word.length >= 3 &&
      acts.some((act) => alikeWords(word, act)) &&
      b.some((other) => alikeWords(word, other)),
  );
  return named.length === 0 ? null : reason(0.8, `both are called after ${named.join(' ')}`);
}

/** A title without its year, and without the day of the month where it names a month. */
function undated({ title, startAt }: Prepared): readonly string[] {
  const [year = '', , date = ''] = startAt.slice(0, 10).split('-');
  const hasMonth = title.some((word) => months.has(word));
  const days = hasMonth ? [date, String(Number(date)), `${Number(date)}th`] : [];
  return title.filter((word) => word !== year && !days.includes(word));
}

type Words = readonly string[];
const outside = (words: Words, ...sets: { has(word: string): boolean }[]): string[] =>
  words.filter((word) => !sets.some((set) => set.has(word)));

/** "Club 69 - Viernes" and "Club 69": of words that many shows have, but the same ones. */
function ofGeneralWords(one: Prepared, two: Prepared, place: ReadonlySet<string>): Reason | null {
  const [a, b] = [undated(one), undated(two)];
  if (a.length === 0 || b.length === 0) return null;
  const [toldA, toldB] = [outside(a, joiners, months, place), outside(b, joiners, months, place)];
  const isOne = toldA.length > 1 && toldA.join(' ') === toldB.join(' ');
  if (isOne || one.title.join(' ') === two.title.join(' '))
    return reason(2, 'the same title, of general words');
  if (isNumbered(a, two, place) || isNumbered(b, one, place))
    return reason(2.2, 'one title is what the other begins with');
  const { lead } = one.read;
  const isTelling = lead.length > 1 && outside(lead, joiners, weekdays, months, place).length > 0;
  if (isTelling && lead.join(' ') === two.read.lead.join(' '))
    return reason(1.8, `both begin with ${lead.join(' ')}`);
  const isSame = (x: Words, y: Words): boolean => {
    const [bareX, bareY] = [outside(x, joiners, weekdays, months), outside(y, joiners, weekdays, months)];
    return sameWords(bareX, bareY) || isWithin(bareX, bareY);
  };
  return isSame(a, b) || isSame(toldA, toldB)
    ? reason(1.5, 'the same general words')
    : ofGeneralLead(one, two);
}

/** "Indie Night" and "Indie Night mit Jane Doe". */
function ofGeneralLead(a: Prepared, b: Prepared): Reason | null {
  const isFirst = (one: Prepared, { read: { lead } }: Prepared): boolean =>
    lead.length > 1 && undated(one).join(' ') === lead.join(' ');
  return isFirst(a, b) || isFirst(b, a) ? reason(1.5, 'general words that the other begins with') : null;
}

/** "Club 69 en Niceto", "Club 69 - Viernes": a number of its own makes a name of general words. */
function isNumbered(words: Words, { read }: Prepared, place: ReadonlySet<string>): boolean {
  const lead = read.lead.join(' ');
  const named = outside(words, joiners).filter((word) => !place.has(word) || houseWords.has(word));
  return [words, named].some(
    (all) =>
      all.length > 1 &&
      all.some((word) => /^\d{2,3}$/.test(word) && !titleNoise.has(word)) &&
      all.join(' ') === lead,
  );
}

/** The words of a title that tell it from others of its place and date. */
function coreOf(words: readonly string[], place: ReadonlySet<string>): string[] {
  return words.filter(
    (word) =>
      !joiners.has(word) &&
      !titleNoise.has(word) &&
      !place.has(word) &&
      !weekdays.has(word) &&
      !months.has(word) &&
      !/^(?:i{2,3}|iv|vi{1,3}|ix|xi{1,3}|xiv|xv)$|^\d{1,4}(?:st|nd|rd|th)?$|^20\d\d$|^\d{1,2}(?:am|pm|h|uhr)$/.test(
        word,
      ),
  );
}

/** Words that at least two listings of one house or city would share anyway. */
export const placeWordsOf = (...texts: (string | null | undefined)[]): Set<string> =>
  new Set(texts.flatMap((text) => (text ? wordsOf(text) : [])));
