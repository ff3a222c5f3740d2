/** Chooses the title of an event from its source records, and the other titles that search finds (docs/decisions/25-titles.md). */
import { normalizeForSearch } from '../../text/fold.ts';
import { stripDates, stripSaleInfo } from '../../text/title/noise.ts';
import { presentsPattern } from '../../text/title/patterns.ts';
import {
  genreWords,
  months,
  stopWords,
  titleStopWords,
  tokenize,
  venueStopWords,
  weekdays,
} from '../../text/tokens.ts';
import type { SourceRecord } from './survivorship.ts';

type EventRecord = SourceRecord<'event'>;

const placeholderTitlePattern = /^\W*(?:t\.? ?b\.? ?[acd]\.?|to be (?:announced|confirmed|determined))\W*$/i;
const isPlaceholder = (title: string): boolean => placeholderTitlePattern.test(title);

/** Longer titles are compared by their first characters. */
const maxComparedLength = 500;

/**
 * The source record whose title is shown; every source record has one. Titles of the highest trust compete: the
 * first test that some pass and others fail decides, else the order of precedence.
 * @param sourceRecords sorted by precedence (`sortByTrust`)
 */
export function titleOwner(sourceRecords: EventRecord[]): EventRecord {
  const candidates = sourceRecords.filter(({ statement }) => !isPlaceholder(statement.name));
  const [first] = candidates;
  if (first === undefined) return sourceRecords[0] as EventRecord;
  const equals = candidates.filter(({ trust }) => trust === first.trust);
  if (equals.every(({ statement }) => statement.name === first.statement.name)) return first;
  const words = contextOf(sourceRecords);
  const titles = equals.map(({ statement }) => statement.name);
  return [
    (title: string) => statesOwnName(title, words),
    (title: string) => !isTruncated(title, titles),
    (title: string) => !isShouting(title),
    (title: string) => isPlain(title, words),
  ].reduce((rest, test) => {
    const better = rest.length === 1 ? rest : rest.filter(({ statement }) => test(statement.name));
    return better.length === 0 ? rest : better;
  }, equals)[0] as EventRecord;
}

/** Aliases of one event: its rows in the index of names leave room for this many. */
const maxAliases = 15;

/**
 * The titles besides the shown one by which search finds the event, in an order of their own. A title whose words
 * are all in another one finds nothing more.
 */
export function titleAliases(sourceRecords: EventRecord[], shownTitle: string): string[] {
  if (sourceRecords.length === 1) return [];
  const titles: { title: string; words: readonly string[] }[] = [
    { title: shownTitle, words: searchWords(shownTitle) },
  ];
  for (const title of new Set(sourceRecords.map(({ statement }) => statement.name))) {
    if (title === shownTitle || isPlaceholder(title)) continue;
    const words = searchWords(title);
    if (!titles.some((other) => words.every((word) => other.words.includes(word))))
      titles.push({ title, words });
  }
  return titles
    .slice(1, 1 + maxAliases)
    .map(({ title }) => title)
    .sort();
}

const searchWords = (title: string): string[] => normalizeForSearch(title).split(' ');

/** The words of an event's place and of its acts. */
type ContextWords = { place: ReadonlySet<string>; acts: ReadonlySet<string> };

function contextOf(sourceRecords: readonly EventRecord[]): ContextWords {
  const [place, acts] = [new Set<string>(), new Set<string>()];
  for (const { statement } of sourceRecords) {
    for (const name of [statement.venue?.name, statement.venue?.city, statement.city])
      for (const word of tokenize(name ?? '')) place.add(word);
    for (const { name } of statement.lineup ?? []) for (const word of tokenize(name)) acts.add(word);
  }
  return { place, acts };
}

/** Whether a title has a word that is not of its date, place, acts, presenter or style, and not in most titles. */
function statesOwnName(title: string, { place, acts }: ContextWords): boolean {
  const text = title.slice(0, maxComparedLength);
  return tokenize(text.slice(presenterLength(text))).some(
    (word) =>
      /[^\d]/.test(word) &&
      word.length > 1 &&
      !place.has(word) &&
      !acts.has(word) &&
      ![stopWords, titleStopWords, genreWords, venueStopWords, months, weekdays].some((list) =>
        list.has(word),
      ),
  );
}

/** The length of "X presents" at the beginning of a title. */
function presenterLength(title: string): number {
  const match = presentsPattern.exec(title);
  return match === null ? 0 : match.index + match[0].length;
}

/** Whether the seller cut the title: it ends in an ellipsis, or within a word of another title. */
const isTruncated = (title: string, others: readonly string[]): boolean =>
  /(?:…|\.{3})\W{0,9}$/u.test(title) ||
  others.some(
    (other) =>
      other.length > title.length &&
      title.length >= minCutLength &&
      other.startsWith(title) &&
      /^[\p{L}\p{N}]{2}/u.test(other.slice(title.length - 1)),
  );
const minCutLength = 10;

/** Whether most letters of a title are in words of four or more capitals; shorter ones may be abbreviations. */
function isShouting(title: string): boolean {
  const text = title.slice(0, maxComparedLength);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const capitals = (text.match(/(?<!\p{L})\p{Lu}{4,}(?!\p{L})/gu) ?? []).join('').length;
  return capitals * 2 > letters;
}

/** Whether a title is without date, place and ticket information, which other fields have. */
function isPlain(title: string, { place }: ContextWords): boolean {
  const text = title.slice(0, maxComparedLength);
  const words = tokenize(text);
  if (words.some((word) => place.has(word))) return false;
  // Most titles need none of the long expressions.
  const isDated = words.some((word) => /\d/.test(word) || months.has(word) || weekdays.has(word));
  const isSold = words.some((word) => titleStopWords.has(word));
  return isUnchanged(words, isDated ? stripDates(text) : text, isSold ? stripSaleInfo(text) : text);
}

const isUnchanged = (words: readonly string[], ...texts: readonly string[]): boolean =>
  texts.every((text) => tokenize(text).length === words.length);
