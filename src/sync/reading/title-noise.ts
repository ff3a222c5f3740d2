/** Taking out of a title what is no part of it: state of sale, dates, places, headings. */
import type { TitleContext } from './act.ts';
import { latinWords } from './names.ts';
import { plain } from './plain.ts';
import { unbracket } from './split.ts';
import * as title from './title-words.ts';
import { readVenueName } from './venues.ts';
import * as words from './words.ts';

/** Takes out what is said of tickets: sold out, prices, ages, doors. */
export const withoutSale = (text: string): string =>
  trim(
    title.saleNoise.reduce(
      (rest, noise) => rest.replace(noise, ' '),
      text.replace(/^[!*\s]+(?=[\p{L}\p{N}[])|[!*\s]+$/gu, ''),
    ),
  ) || text;

/** Takes written dates and years out. */
export const withoutDates = (text: string): string =>
  orBefore(text, title.dates.reduce((rest, date) => rest.replace(date, ' '), text).replace(title.year, ' '));

/** Signs left over at the ends and in the middle when something was taken out. */
export function trim(text: string): string {
  return text
    .replace(/\(\s*[,|–-]*\s*\)|\[\s*[,|–-]*\s*\]/gu, ' ')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/^\s*!+\s+(?=[\p{L}\p{N}])/u, '')
    .replace(/(?<!\s)\s*[|•:–-]\s+(?:[|•:–-]\s+)+/gu, (signs) => (/:\s+$/.test(signs) ? ': ' : ' | '))
    .replace(/^(?:[\s|•:,;@+&*~/–-]|\.\s)+/u, '')
    .replace(/[\s|•:,;@+&*~/–-]+$/u, '')
    .trim();
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const preposition =
  "(?:@|at|in|im|in der|in den|live at|live in|live @|live im|auf|aus|au|aux|à|à la|à l'|en|en la|al|alla|presso|te|bij|w|we|na|no|na|em|from)";

const headed = new RegExp(
  `${words.from}((?:${words.support}))\\s*:\\s*|${words.from}(?:line-?\\s?up|live in concert|in concert|en concert|special guests?|headliner)\\s*:\\s*|(?:^|(?<=[|•:–,;/(]\\s*|\\s-\\s*))(?:live(?: on stage)?|djs?|dj set|acts?)\\s*:\\s*`,
  'giu',
);
/** Headings of lists inside a title ("Support: X", "Line-up: X") are no names of nights. */
export const unheaded = (text: string): string =>
  orBefore(
    text,
    text.replace(headed, (all, supporting: string | undefined, at: number) => {
      // What stands first names the night ("Warm Up: Ann, Bob").
      if (supporting) return at === 0 ? all : `${supporting} `;
      return ', ';
    }),
  );

/** Spaces of a name are dashes to others. A row of both is one part: of two, each would try all ways to share a row. */
function gap(written: string): string {
  if (!written.includes(' ')) return written;
  return written.includes('-') ? `(?=\\s*-)[\\s-]{${written.length},}` : '[\\s-]+';
}

/** Takes the place out: "@ Tresor", "in Berlin", a segment that is the venue, a city at the end. */
export function withoutPlace(text: string, context: TitleContext): string {
  let rest = text;
  for (const name of placeNames(context)) {
    const source = literal(name)
      .replace(/[ -]+/g, gap)
      .replace(/['’]+/g, ({ length }) => `['’]{0,${length}}`);
    rest = orBefore(
      rest,
      rest.replace(
        new RegExp(
          `(?<!\\s)\\s*(?:[([|,–-]+\\s*)?${words.from}${preposition}\\s+(?:the |der |die |das |le |la |el )?${source}${words.to}[)\\]]?`,
          'giu',
        ),
        ' ',
      ),
    );
    rest = orBefore(rest, rest.replace(new RegExp(`@\\s?${source}${words.to}`, 'giu'), ' '));
    rest = orBefore(
      rest,
      rest.replace(
        new RegExp(`(^|[|•:–(\\[,]\\s*|\\s-\\s)${source}(?=\\s*(?:$|[|•:–)\\],]|\\s-\\s))`, 'giu'),
        '$1 ',
      ),
    );
    rest = orBefore(rest, rest.replace(new RegExp(`\\s+${source}$`, 'iu'), ' '));
  }
  rest = withoutVenueBehind(rest, context);
  const short = shortPlace(context);
  if (short !== null) rest = orBefore(rest, rest.replace(short, ' '));
  // What follows "@" is a place, whichever it is.
  return orBefore(rest, rest.replace(/\s+@\s?[^|•:–]+?(?=\s*(?:$|[|•:–]))/gu, ' '));
}

/** The shorter text, unless nothing would remain. */
export const orBefore = (before: string, after: string): string => {
  const left = trim(after);
  return /[\p{L}\p{N}]/u.test(left) ? left : before;
};

const behind =
  /\s(?:@|at|in|im|in der|auf dem|auf der|au|à la|en|al|w|in de|in het|no|na)\s+(?:the )?(?<place>\S[^|•:–([]*?)(?=\s*(?:$|[|•:–([]))/giu;

/** "Ann, Bob at Mary's Hideaway" where the venue is Mary's: what follows begins with a word of the venue's. */
function withoutVenueBehind(text: string, { venue }: TitleContext): string {
  if (!venue) return text;
  const own = new Set(
    latinWords(venue)
      .split(' ')
      .filter((word) => word.length > 2 && !common.test(word)),
  );
  const isPlace = (place: string): boolean => own.has(latinWords(place).split(' ')[0] ?? '');
  return orBefore(
    text,
    text.replace(behind, (all, place: string) => (isPlace(place) ? ' ' : all)),
  );
}
const common = /^(?:the|club|bar|tba|room|haus|house|live|music|sala|salle|von|der|die|das)$/;

/** The first word of a venue after a preposition ("at Lux" for Lux Frágil), a city in another case ("w Warszawie"). */
function shortPlace({ venue, city }: TitleContext): RegExp | null {
  const word = venue ? plain(venue).split(/[\s,|–-]+/u)[0] : undefined;
  const names =
    word !== undefined && /^\p{L}{3,}$/u.test(word) && !/^(?:the|club|sala|salle)$/iu.test(word)
      ? [literal(word)]
      : [];
  if (city && city.length > 4) names.push(`${literal(plain(city).slice(0, -2))}\\p{L}{1,4}`);
  if (names.length === 0) return null;
  return new RegExp(
    `\\s*${words.from}(?:@|at|in|im|au|à|en|al|w|we|v|ve|na)\\s+(?:${names.join('|')})${words.to}(?:&\\p{L}+)?`,
    'giu',
  );
}

function placeNames({ venue, city }: TitleContext): string[] {
  const names = new Set<string>();
  if (venue) {
    const read = readVenueName(venue, city ?? null);
    names.add(plain(venue));
    const bare = plain(venue).split(/\s*[|,/(]\s*|\s[–-]\s/u)[0] as string;
    names.add(bare);
    if (!read.isPlaceholder && read.key.length > 2) names.add(read.key);
  }
  if (venue && city) names.add(`${plain(venue)}, ${plain(city)}`);
  if (city) names.add(plain(city));
  return [...names].filter((name) => name.length > 1).sort((a, b) => b.length - a.length);
}

/** A night's name without brackets, years, quotation marks and the day in front of it. */
export function cleanSeries(text: string): string | null {
  const bare = trim(unbracket(text).outside || text)
    .replace(title.year, ' ')
    .replace(/^["']+|["'!]+$/gu, '');
  // "Fri: Litty", but "Finest Friday" and "Friday Night" are names.
  const dayless = orBefore(bare, bare.replace(new RegExp(`^(?:${title.weekday})\\s*[:,|–-]\\s*`, 'iu'), ''));
  const clean = trim(dayless);
  if (clean === '') return trim(text) || null;
  return clean;
}
