/** Compares the titles of two listings, without venue, city, date and general words. */
import { memoizeByObject } from '../../memoize.ts';
import { areInDifferentScripts } from '../../text/scripts.ts';
import {
  areSimilarTexts,
  areSimilarWords,
  containsSequence,
  countSharedWords,
  genreWords,
  initialsOf,
  months,
  stopWords,
  titleStopWords,
  tokenize,
  venueStopWords,
  weekdays,
} from '../../text/tokens.ts';
import { type EventFacts, type Evidence, evidenceOf } from '../model.ts';
import { eventWeights, isAtLeast, type TitleCode } from '../weights.ts';
import type { TitleStructure } from './title-attributes.ts';
import { holidayNames } from './title-patterns.ts';

const eventEvidence = evidenceOf(eventWeights);

export type TitleEvidence = Evidence<TitleCode>;

type ComparableTitle = EventFacts & { title: readonly string[]; parsedTitle: TitleStructure };

/**
 * Compares two titles, apart from the acts that they name.
 * @param acts the words of the acts of each listing
 * @param met whether the two have acts in common
 */
export function compareTitles(
  a: ComparableTitle,
  b: ComparableTitle,
  placeWords: ReadonlySet<string>,
  acts: { a: readonly string[]; b: readonly string[] },
  met: boolean,
): TitleEvidence | null {
  const [titleA, titleB] = [joinLike(a.title, b.title), joinLike(b.title, a.title)];
  const whole = titleA.join(' ') === titleB.join(' ');
  const [coreA, coreB] = [distinctiveTokens(titleA, placeWords), distinctiveTokens(titleB, placeWords)];
  if (coreA.length === 0 && coreB.length === 0) return compareGenericTitles(a, b, placeWords);
  if (whole && coreA.every((word) => holidayNames.has(word))) return eventEvidence('title.same-holiday');
  if (whole) return eventEvidence(coreA.length > 1 ? 'title.same' : 'title.same-word');
  // Both titles are the names of the shared acts, and nothing else.
  if (met && haveSameTokens(coreA, coreB)) return eventEvidence('title.same-core-and-acts');
  const both = [...acts.a, ...acts.b];
  const actName = met ? sharedActName(coreA, coreB, both) : null;
  // Acts are weighed as the line-up; a series and its acts need not have a word in common.
  const isIn = (word: string, words: readonly string[]) =>
    words.some((other) => areSimilarWords(word, other));
  const free = (words: readonly string[], own: readonly string[], others: readonly string[]) =>
    words.filter((word) => (met ? !isIn(word, both) : !isIn(word, own) || isIn(word, others)));
  const [freeA, freeB] = [free(coreA, acts.a, coreB), free(coreB, acts.b, coreA)];
  if (freeA.length === 0 && freeB.length === 0 && !met) return compareGenericTitles(a, b, placeWords);
  if (freeA.length === 0 || freeB.length === 0)
    return actName === null ? compareGenericLead(a, b) : eventEvidence('title.act-name', actName);
  const shared = countSharedWords(freeA, freeB);
  if (shared === 0 && actName !== null) return eventEvidence('title.act-name-only', actName);
  if (shared === 0 && (isInitialism(a.title, b.title) || isInitialism(b.title, a.title)))
    return eventEvidence('title.initials');
  if (shared === 0 && areInDifferentScripts(a.name, b.name)) return null;
  if (shared === 0 && (containsLead(a, b, placeWords) || containsLead(b, a, placeWords)))
    return eventEvidence('title.contains-lead');
  if (shared === 0) return eventEvidence(met ? 'title.unlike-with-shared-acts' : 'title.unlike');
  const piece = compareSegments(a, b, placeWords);
  const least = Math.min(freeA.length, freeB.length);
  const dice = (2 * shared) / (freeA.length + freeB.length);
  const [ownA, ownB] = [freeA, freeB].map((words) => words.filter((word) => !genreWords.has(word))) as [
    string[],
    string[],
  ];
  if (dice === 1 || haveSameTokens(ownA, ownB))
    return eventEvidence(shared > 1 ? 'title.same-core' : 'title.same-core-word');
  if (
    shared === 1 &&
    (isTitleLead(a.parsedTitle.lead, b, placeWords) || isTitleLead(b.parsedTitle.lead, a, placeWords))
  )
    return eventEvidence('title.is-lead');
  if (shared === least) {
    const inOrder = dice > 0.8 || isContainedTitle(a.title, b.title);
    const heldEvidence = eventEvidence(heldWordsCode(shared, inOrder));
    if (piece === null || isAtLeast(heldEvidence, piece.code)) return heldEvidence;
  }
  if (
    !isAtLeast(piece, 'title.same-lead') &&
    (containsSegments(a, b, placeWords) || containsSegments(b, a, placeWords))
  )
    return eventEvidence('title.several-names');
  if (
    !isAtLeast(piece, 'title.same-lead') &&
    (isSeriesNight(a, b, placeWords) || isSeriesNight(b, a, placeWords))
  )
    return eventEvidence('title.series-night');
  if (piece !== null) return piece;
  // Each has a word of its own: "Ostgut Night", "Kompakt Night".
  if (dice >= 0.5 && shared > 1)
    return eventEvidence(shared > 2 ? 'title.most-of-3-words' : 'title.most-of-2-words');
  return eventEvidence('title.shared-word');
}

const heldWordsCode = (shared: number, inOrder: boolean): TitleEvidence['code'] => {
  if (shared > 2) return 'title.holds-3-words';
  if (shared === 2) return inOrder ? 'title.holds-2-words-in-order' : 'title.holds-2-words';
  return inOrder ? 'title.holds-1-word-in-order' : 'title.holds-1-word';
};

/** "Klang.Fabrik" beside "Klangfabrik": two words of one title that are one in the other, as that one. */
function joinLike(words: readonly string[], other: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => isJoin(word + (words[index + 1] ?? ''), word, other));
  if (at < 0) return words;
  return [...words.slice(0, at), words.slice(at, at + 2).join(''), ...joinLike(words.slice(at + 2), other)];
}
const isJoin = (text: string, word: string, other: readonly string[]): boolean =>
  text.length >= 6 && text !== word && other.includes(text);

/**
 * "J1 | Helena Hauff, VTSS" and "HELENA HAUF (DE)": both name one thing by itself. Who presents is named in front of many
 * a show, so that what is set off behind tells more.
 */
function compareSegments(
  a: ComparableTitle,
  b: ComparableTitle,
  place: ReadonlySet<string>,
): TitleEvidence | null {
  const [own, others] = [distinctiveSegments(a, place), distinctiveSegments(b, place)];
  const isIn = (piece: TitleSegment, pieces: readonly TitleSegment[]) =>
    pieces.some(({ text }) => areSimilarTexts(piece.text, text));
  const shared = own.filter((piece) => isIn(piece, others));
  if (shared.length === 0) return null;
  const all = shared.length === own.length || others.every((piece) => isIn(piece, own));
  const sharedText = shared.map(({ words }) => words.join(' ')).join(', ');
  // "Hyperdub Live" is not yet "Hyperdub / Autumn": one word beside general ones is hardly a name.
  const isBare = shared.every(
    ({ text, words, isBare }) =>
      words.length > 1 || (isBare && others.some((one) => one.isBare && areSimilarTexts(one.text, text))),
  );
  if (all && shared.length > 1) return eventEvidence('title.same-segments', sharedText);
  if (all) return eventEvidence(isBare ? 'title.same-segment' : 'title.same-short-segment', sharedText);
  const isFirst = shared.length === 1 && areSimilarTexts(own[0]?.text ?? '', others[0]?.text ?? '');
  if (isFirst) return eventEvidence('title.shared-promoter', sharedText);
  return eventEvidence(shared.length > 1 ? 'title.shared-segments' : 'title.shared-segment', sharedText);
}

type TitleSegment = {
  words: readonly string[];
  text: string /** Nothing else stands in it. */;
  isBare: boolean;
};

/** The segments of a title, without places, dates and general words. */
function distinctiveSegments(
  { title, parsedTitle: read, startAt }: ComparableTitle,
  place: ReadonlySet<string>,
): TitleSegment[] {
  const pieces = read.segments.length === 0 ? [title] : read.segments;
  return pieces
    .map((words): TitleSegment => {
      const core = distinctiveTokens(words, place);
      return { words: core, text: core.join(''), isBare: core.length === words.length };
    })
    .filter(({ text }) => text.length >= 4 && !startAt.includes(text));
}

/** Whether a title is what the other sets off in front: "Automatik: Oscar Mulero", "AUTOMATIK". */
function isTitleLead(lead: readonly string[], other: ComparableTitle, place: ReadonlySet<string>): boolean {
  const bare = (words: readonly string[]) => words.filter((word) => !place.has(word) && !stopWords.has(word));
  const [own, all] = [bare(lead), bare(withoutDate(other))];
  // "The Late Show - Revolver Saturdays", at Revolver.
  const nightless = all.filter((word) => !weekdays.has(word.replace(/s$/, '')));
  return own.join('').length >= 4 && (haveSameTokens(own, all) || haveSameTokens(own, nightless));
}

/** "House Of Hamburg mit Jane Doe", "HOUSE OF PAIN? NO! HOUSE OF HAMBURG": several words, if most of them are general. */
function containsLead(
  { parsedTitle: { lead } }: ComparableTitle,
  other: ComparableTitle,
  place: ReadonlySet<string>,
): boolean {
  const isDistinctive = (word: string, at: number): boolean =>
    !stopWords.has(word) &&
    !(place.has(word)
      ? locativePrepositions.test(lead[at - 1] ?? '')
      : titleStopWords.has(word) || genreWords.has(word));
  return (
    lead.length >= 3 &&
    !lead.includes('live') &&
    lead.some(isDistinctive) &&
    containsSequence(other.title, lead)
  );
}
/** What stands in front of a place where it is one, and no name. */
const locativePrepositions = /^(?:in|im|at|en|em|a|au|w|v|na|u|i|pa|op|te|to|from|aus)$/;

/** "Twitch: Boxing Night with Jane Doe", "BOXING NIGHT Twitch": two names or more, though not set off in the other. */
function containsSegments(one: ComparableTitle, other: ComparableTitle, place: ReadonlySet<string>): boolean {
  const heldSegments = one.parsedTitle.segments.filter(
    (words) => distinctiveTokens(words, place).join('').length >= 4 && containsSequence(other.title, words),
  );
  return new Set(heldSegments.map((words) => words.join(' '))).size > 1;
}

/**
 * "Smallville Nacht: Jane Doe", "Turmzimmer: Smallville Records Nacht": whose night it is, and that it is one. A promoter is
 * named in front of many a show; here nothing else is named.
 */
function isSeriesNight(
  { parsedTitle: { lead } }: ComparableTitle,
  other: ComparableTitle,
  place: ReadonlySet<string>,
): boolean {
  const leadWords = distinctiveTokens(lead, place);
  const isOf = (words: readonly string[]): boolean => {
    const core = distinctiveTokens(words, place).filter(
      (word) => !/^rec(?:ord(?:s|ing)|ordings)$/.test(word),
    );
    return (
      haveSameTokens(leadWords, core) && words.some((word) => titleStopWords.has(word) && lead.includes(word))
    );
  };
  return (
    leadWords.join('').length >= 5 &&
    distinctiveSegments(other, place).length === 1 &&
    other.parsedTitle.segments.some(isOf)
  );
}

/** One title stands in the other as a whole, all its general words with it. */
const isContainedTitle = (a: readonly string[], b: readonly string[]): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length >= 2 && containsSequence(long, short);
};

/** Whether a word of a title is made of the first letters of words that follow each other in the other: "NWB", "No Way Back". */
const isInitialism = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((word) => /^[a-z]{3,6}$/.test(word) && titleInitials(b).includes(word)) || isPairInitials(a, b);

const titleInitials = memoizeByObject(initialsOf);

/** "R&V", "Rhythm & Vines". */
function isPairInitials(a: readonly string[], b: readonly string[]): boolean {
  if (!a.includes('and') || !b.includes('and')) return false;
  const ofPair = (words: readonly string[], isHalf: (word: string) => boolean): string[] =>
    words.flatMap((word, at) => {
      const [one = '', two = ''] = [words[at - 1], words[at + 1]];
      return word === 'and' && isHalf(one) && isHalf(two) ? [`${one[0]}${two[0]}`] : [];
    });
  const whole = ofPair(b, (word) => word.length > 2 && !titleStopWords.has(word));
  return ofPair(a, (word) => word.length === 1).some((letters) => whole.includes(letters));
}

const haveSameTokens = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && countSharedWords(a, b) === a.length;

/** "Mogwai" and "Mogwai u Zagrebu", whatever the rest of the line-up: both titles name the same act. */
function sharedActName(a: readonly string[], b: readonly string[], acts: readonly string[]): string | null {
  const names = a.filter(
    (word) =>
      word.length >= 3 &&
      acts.some((act) => areSimilarWords(word, act)) &&
      b.some((other) => areSimilarWords(word, other)),
  );
  return names.length === 0 ? null : names.join(' ');
}

/** A title without its year, and without the day of the month where it names a month. */
function withoutDate({ title, startAt }: ComparableTitle): readonly string[] {
  const [year = '', , date = ''] = startAt.slice(0, 10).split('-');
  const hasMonth = title.some((word) => months.has(word));
  const days = hasMonth ? [date, String(Number(date)), `${Number(date)}th`] : [];
  return title.filter((word) => word !== year && !days.includes(word));
}

type TokenList = readonly string[];
const withoutWords = (words: TokenList, ...sets: { has(word: string): boolean }[]): string[] =>
  words.filter((word) => !sets.some((set) => set.has(word)));

/** "Club 69 - Viernes" and "Club 69": of words that many shows have, but the same ones. */
function compareGenericTitles(
  one: ComparableTitle,
  two: ComparableTitle,
  place: ReadonlySet<string>,
): TitleEvidence | null {
  const [a, b] = [withoutDate(one), withoutDate(two)];
  if (a.length === 0 || b.length === 0) return null;
  const [toldA, toldB] = [
    withoutWords(a, stopWords, months, place),
    withoutWords(b, stopWords, months, place),
  ];
  const isOne = toldA.length > 1 && toldA.join(' ') === toldB.join(' ');
  if (isOne || one.title.join(' ') === two.title.join(' ')) return eventEvidence('title.same-general');
  if (isNumberedName(a, two, place) || isNumberedName(b, one, place)) return eventEvidence('title.is-lead');
  const { lead } = one.parsedTitle;
  const isTelling = lead.length > 1 && withoutWords(lead, stopWords, weekdays, months, place).length > 0;
  if (isTelling && lead.join(' ') === two.parsedTitle.lead.join(' '))
    return eventEvidence('title.same-lead', lead.join(' '));
  const isSame = (x: TokenList, y: TokenList): boolean => {
    const [bareX, bareY] = [
      withoutWords(x, stopWords, weekdays, months),
      withoutWords(y, stopWords, weekdays, months),
    ];
    return haveSameTokens(bareX, bareY) || isContainedTitle(bareX, bareY);
  };
  return isSame(a, b) || isSame(toldA, toldB)
    ? eventEvidence('title.general-words')
    : compareGenericLead(one, two);
}

/** "Indie Night" and "Indie Night mit Jane Doe". */
function compareGenericLead(a: ComparableTitle, b: ComparableTitle): TitleEvidence | null {
  const isFirst = (one: ComparableTitle, { parsedTitle: { lead } }: ComparableTitle): boolean =>
    lead.length > 1 && withoutDate(one).join(' ') === lead.join(' ');
  return isFirst(a, b) || isFirst(b, a) ? eventEvidence('title.general-lead') : null;
}

/** "Club 69 en Niceto", "Club 69 - Viernes": a number of its own makes a name of general words. */
function isNumberedName(
  words: TokenList,
  { parsedTitle: read }: ComparableTitle,
  place: ReadonlySet<string>,
): boolean {
  const lead = read.lead.join(' ');
  const nameWords = withoutWords(words, stopWords).filter(
    (word) => !place.has(word) || venueStopWords.has(word),
  );
  return [words, nameWords].some(
    (all) =>
      all.length > 1 &&
      all.some((word) => /^\d{2,3}$/.test(word) && !titleStopWords.has(word)) &&
      all.join(' ') === lead,
  );
}

/** The words of a title that distinguish it from others of its place and date. */
function distinctiveTokens(words: readonly string[], place: ReadonlySet<string>): string[] {
  return words.filter(
    (word) =>
      !stopWords.has(word) &&
      !titleStopWords.has(word) &&
      !place.has(word) &&
      !weekdays.has(word) &&
      !months.has(word) &&
      !/^(?:i{2,3}|iv|vi{1,3}|ix|xi{1,3}|xiv|xv)$|^\d{1,4}(?:st|nd|rd|th)?$|^20\d\d$|^\d{1,2}(?:am|pm|h|uhr)$/.test(
        word,
      ),
  );
}

/** The words of texts, such as names of places, that any two listings there share. */
export const tokenSetOf = (...texts: (string | null | undefined)[]): Set<string> =>
  new Set(texts.flatMap((text) => (text ? tokenize(text) : [])));
