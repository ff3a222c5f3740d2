/** Reading titles of shows as sellers write them (issue 5, part 2). */

import { normalizeText } from '../normalize.ts';
import type { ParsedTitle, TitleContext } from '../types.ts';
import { stripDates, stripListHeadings, stripPlace, stripSaleInfo, trimSeparators } from './noise.ts';
import * as title from './patterns.ts';
import { extractQualifiers, isSeriesEdition } from './qualifiers.ts';
import { parseRoles } from './roles.ts';

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
  return { ...roles, tour: taken.tour, occasion: taken.occasion, edition: taken.edition };
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
