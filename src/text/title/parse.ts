/** Reading titles of shows as sellers write them (issue 5, part 2). */

import { splitOutsideBrackets } from '../brackets.ts';
import { latinize } from '../name-similarity.ts';
import { normalizeText } from '../normalize.ts';
import * as words from '../patterns.ts';
import type { ParsedTitle, TitleContext } from '../types.ts';
import { parseVenueName } from '../venue-name.ts';
import { stripDates, stripListHeadings, stripPlace, stripSaleInfo, trimSeparators } from './noise.ts';
import * as title from './patterns.ts';
import { extractQualifiers, extractTour, isSeriesEdition, segmentSeparator } from './qualifiers.ts';
import { parseRoles } from './roles.ts';

const bracketedCountryTag = new RegExp(`\\((?:${words.countryTag})\\)`, 'gu');
const placeholderName = words.wholePattern(words.placeholder);
const moreToComePattern = words.wholePattern(words.andMore);
/** Longest title read. */
const maxTitleLength = 500;

/** Reads a title. What `context` knows (venue, city, date, acts) is taken out of it or recognised in it. */
export function parseTitle(written: string, context: TitleContext = {}): ParsedTitle {
  const text = unwrapBrackets(normalizeText(written.slice(0, maxTitleLength)));
  const place = stripPlace(stripDates(stripSaleInfo(text)), context);
  const taken = extractQualifiers(place);
  const roles = taken.occasion.includes('tribute')
    ? parseTributeRoles(taken.textWithOccasions, context)
    : parseRoles(stripListHeadings(taken.text), context, {
        numbered: isSeriesEdition(taken) && !taken.isOccasionFirst,
        toured: taken.tour !== null,
      });
  const core = extractSignificantWords(extractTour(place).text, context);
  return {
    ...roles,
    tour: taken.tour,
    occasion: taken.occasion,
    edition: taken.edition,
    significantWords: core,
    isTba:
      roles.acts.length === 0 &&
      roles.series === null &&
      roles.presenter === null &&
      isPlaceholderTitle(place),
  };
}

/** "Night (with Ann, Bob)" says what "Night with Ann, Bob" does. */
const unwrapBrackets = (text: string): string =>
  text
    .replace(/\s*\.{3,}(?=\s*[)\]]?\s*$)/u, '')
    .replace(
      /\s[([]\s?((?:with|w\/|mit|avec|con|com|met|feat\.?|ft\.?|pres\.?|presents)\s(?=[^()[\]]*(?:,|\sb2b\s|\s[+&]\s))[^()[\]]*)[)\]]\s*$/iu,
      ' $1',
    );

/** "Daftastic – A Tribute to Daft Punk": Daftastic plays. "Daft Punk Tribute" plays under that name. */
function parseTributeRoles(text: string, context: TitleContext): ReturnType<typeof parseRoles> {
  const to = title.tributeTo.exec(text);
  if (to === null) return parseRoles(text, context);
  const before = trimSeparators(text.slice(0, to.index));
  if (before === '' || /^(?:an evening of|candlelight|live)$/iu.test(before))
    return { series: trimSeparators(text), presenter: null, acts: [], moreToCome: false };
  return parseRoles(before, context);
}

/** Folded words of a title without place, date and noise; all of them where nothing would remain. */
function extractSignificantWords(text: string, context: TitleContext): string {
  const yearless = latinize(text.replace(title.yearPattern, ' ').replace(bracketedCountryTag, ' '));
  const all = (yearless || latinize(text)).split(' ').filter(Boolean);
  const place = new Set(
    [context.city, context.venue ? parseVenueName(context.venue, context.city).key : null].flatMap((name) =>
      name ? latinize(name).split(' ') : [],
    ),
  );
  const own = all.filter((word) => !title.titleStopWords.test(word));
  const bare = own.filter((word) => !place.has(word));
  const chosen = bare.length > 0 ? bare : own.length > 0 ? own : all;
  return chosen.join(' ');
}

const fillerWord = words.wordPattern(
  'event|show|party|concert|konzert|night|abend|club|rave|tba|tbc|secret|surprise|new|full|line-?up|details|date|programme?',
);
function isPlaceholderTitle(text: string): boolean {
  const parts = splitOutsideBrackets(text, segmentSeparator)
    .parts.map(trimSeparators)
    .filter((part) => part !== '');
  return parts.every(
    (part) =>
      placeholderName.test(part) ||
      moreToComePattern.test(part) ||
      trimSeparators(part.replace(fillerWord, ' ')) === '',
  );
}
