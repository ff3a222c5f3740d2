/** Removes ticket information, dates, places and headings from titles. */

import { extractBrackets } from '../brackets.ts';
import { latinize } from '../name-similarity.ts';
import { normalizeText } from '../normalize.ts';
import * as words from '../patterns.ts';
import type { TitleContext } from '../types.ts';
import { parseVenueName } from '../venue-name.ts';
import * as title from './patterns.ts';

/** Removes ticket information: sold out, prices, ages, doors. */
export const stripSaleInfo = (text: string): string =>
  trimSeparators(
    title.saleInfoPatterns.reduce(
      (rest, noise) => rest.replace(noise, ' '),
      text.replace(/^[!*\s]+(?=[\p{L}\p{N}[])|[!*\s]+$/gu, ''),
    ),
  ) || text;

/** Removes dates and years. */
export const stripDates = (text: string): string =>
  unlessEmpty(
    text,
    title.datePatterns.reduce((rest, date) => rest.replace(date, ' '), text).replace(title.yearPattern, ' '),
  );

/** Removes separators that are left over where text was removed. */
export function trimSeparators(text: string): string {
  return text
    .replace(/\(\s*[,|–-]*\s*\)|\[\s*[,|–-]*\s*\]/gu, ' ')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/^\s*!+\s+(?=[\p{L}\p{N}])/u, '')
    .replace(/(?<!\s)\s*[|•:–-]\s+(?:[|•:–-]\s+)+/gu, (signs) => (/:\s+$/.test(signs) ? ': ' : ' | '))
    .replace(/^(?:[\s|•:,;@+&*~/–-]|\.\s)+/u, '')
    .replace(/[\s|•:,;@+&*~/–-]+$/u, '')
    .trim();
}

const preposition =
  "(?:@|at|in|im|in der|in den|live at|live in|live @|live im|auf|aus|au|aux|à|à la|à l'|en|en la|al|alla|presso|te|bij|w|we|na|no|na|em|from)";

const listHeading = new RegExp(
  `${words.wordStart}((?:${words.supportWords}))\\s*:\\s*|${words.wordStart}(?:line-?\\s?up|live in concert|in concert|en concert|special guests?|headliner)\\s*:\\s*|(?:^|(?<=[|•:–,;/(]\\s*|\\s-\\s*))(?:live(?: on stage)?|djs?|dj set|acts?)\\s*:\\s*`,
  'giu',
);
/** Replaces headings of lists inside a title ("Support: X", "Line-up: X"), which are no names of series. */
export const stripListHeadings = (text: string): string =>
  unlessEmpty(
    text,
    text.replace(listHeading, (all, supporting: string | undefined, at: number) => {
      // At the beginning it names the series ("Warm Up: Ann, Bob").
      if (supporting) return at === 0 ? all : `${supporting} `;
      return ', ';
    }),
  );

/** The expression for a gap of a name, which may be spaces or dashes. One part matches the whole run, to keep the time linear. */
function flexibleGap(written: string): string {
  if (!written.includes(' ')) return written;
  return written.includes('-') ? `(?=\\s*-)[\\s-]{${written.length},}` : '[\\s-]+';
}

/** Removes the place: "@ Tresor", "in Berlin", a segment that is the venue, a city at the end. */
export function stripPlace(text: string, context: TitleContext): string {
  let rest = text;
  for (const name of placeNames(context)) {
    const source = words
      .escapeRegExp(name)
      .replace(/[ -]+/g, flexibleGap)
      .replace(/['’]+/g, ({ length }) => `['’]{0,${length}}`);
    rest = unlessEmpty(
      rest,
      rest.replace(
        new RegExp(
          `(?<!\\s)\\s*(?:[([|,–-]+\\s*)?${words.wordStart}${preposition}\\s+(?:the |der |die |das |le |la |el )?${source}${words.wordEnd}[)\\]]?`,
          'giu',
        ),
        ' ',
      ),
    );
    rest = unlessEmpty(rest, rest.replace(new RegExp(`@\\s?${source}${words.wordEnd}`, 'giu'), ' '));
    rest = unlessEmpty(
      rest,
      rest.replace(
        new RegExp(`(^|[|•:–(\\[,]\\s*|\\s-\\s)${source}(?=\\s*(?:$|[|•:–)\\],]|\\s-\\s))`, 'giu'),
        '$1 ',
      ),
    );
    rest = unlessEmpty(rest, rest.replace(new RegExp(`\\s+${source}$`, 'iu'), ' '));
  }
  rest = stripVenueAfterPreposition(rest, context);
  const short = shortPlacePattern(context);
  if (short !== null) rest = unlessEmpty(rest, rest.replace(short, ' '));
  // Any text behind "@" is a place.
  return unlessEmpty(rest, rest.replace(/\s+@\s?[^|•:–]+?(?=\s*(?:$|[|•:–]))/gu, ' '));
}

/** The shortened text without separators at its ends, or the text before if no letter or digit would remain. */
export const unlessEmpty = (before: string, after: string): string => {
  const left = trimSeparators(after);
  return /[\p{L}\p{N}]/u.test(left) ? left : before;
};

const placeAfterPreposition =
  /\s(?:@|at|in|im|in der|auf dem|auf der|au|à la|en|al|w|in de|in het|no|na)\s+(?:the )?(?<place>\S[^|•:–([]*?)(?=\s*(?:$|[|•:–([]))/giu;

/** Removes a place that begins with a word of the venue's name: "Ann, Bob at Mary's Hideaway" at "Mary's". */
function stripVenueAfterPreposition(text: string, { venue }: TitleContext): string {
  if (!venue) return text;
  const own = new Set(
    latinize(venue)
      .split(' ')
      .filter((word) => word.length > 2 && !commonVenueWord.test(word)),
  );
  const isPlace = (place: string): boolean => own.has(latinize(place).split(' ')[0] ?? '');
  return unlessEmpty(
    text,
    text.replace(placeAfterPreposition, (all, place: string) => (isPlace(place) ? ' ' : all)),
  );
}
const commonVenueWord = /^(?:the|club|bar|tba|room|haus|house|live|music|sala|salle|von|der|die|das)$/;

/** Matches the first word of a venue behind a preposition ("at Lux" for Lux Frágil), and an inflected city ("w Warszawie"). */
function shortPlacePattern({ venue, city }: TitleContext): RegExp | null {
  const word = venue ? normalizeText(venue).split(/[\s,|–-]+/u)[0] : undefined;
  const names =
    word !== undefined && /^\p{L}{3,}$/u.test(word) && !/^(?:the|club|sala|salle)$/iu.test(word)
      ? [words.escapeRegExp(word)]
      : [];
  if (city && city.length > 4)
    names.push(`${words.escapeRegExp(normalizeText(city).slice(0, -2))}\\p{L}{1,4}`);
  if (names.length === 0) return null;
  return new RegExp(
    `\\s*${words.wordStart}(?:@|at|in|im|au|à|en|al|w|we|v|ve|na)\\s+(?:${names.join('|')})${words.wordEnd}(?:&\\p{L}+)?`,
    'giu',
  );
}

function placeNames({ venue, city }: TitleContext): string[] {
  const names = new Set<string>();
  if (venue) {
    const parsed = parseVenueName(venue, city ?? null);
    names.add(normalizeText(venue));
    const bare = normalizeText(venue).split(/\s*[|,/(]\s*|\s[–-]\s/u)[0] as string;
    names.add(bare);
    if (!parsed.isPlaceholder && parsed.key.length > 2) names.add(parsed.key);
  }
  if (venue && city) names.add(`${normalizeText(venue)}, ${normalizeText(city)}`);
  if (city) names.add(normalizeText(city));
  return [...names].filter((name) => name.length > 1).sort((a, b) => b.length - a.length);
}

/** Normalizes the name of a series: no brackets, years, quotation marks or leading weekday. */
export function normalizeSeriesName(text: string): string | null {
  const bare = trimSeparators(extractBrackets(text).outside || text)
    .replace(title.yearPattern, ' ')
    .replace(/^["']+|["'!]+$/gu, '');
  // "Fri: Litty", but "Finest Friday" and "Friday Night" are names.
  const dayless = unlessEmpty(
    bare,
    bare.replace(new RegExp(`^(?:${title.weekday})\\s*[:,|–-]\\s*`, 'iu'), ''),
  );
  const clean = trimSeparators(dayless);
  if (clean === '') return trimSeparators(text) || null;
  return clean;
}
