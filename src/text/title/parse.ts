/** Parses titles of events as sellers write them. */

import { normalizeText } from '../normalize.ts';
import type { ParsedTitle, TitleContext } from '../types.ts';
import { stripDates, stripListHeadings, stripPlace, stripSaleInfo, trimSeparators } from './noise.ts';
import * as title from './patterns.ts';
import { extractQualifiers, isSeriesEdition } from './qualifiers.ts';
import { parseRoles } from './roles.ts';

/** Longer titles are cut. */
const maxTitleLength = 500;

/** Parses a title. Venue and city of `context` are removed from it, and acts are recognized in it. */
export function parseTitle(written: string, context: TitleContext = {}): ParsedTitle {
  const text = unwrapBrackets(normalizeText(written.slice(0, maxTitleLength)));
  const place = stripPlace(stripDates(stripSaleInfo(text)), context);
  const qualifiers = extractQualifiers(place);
  const roles = qualifiers.occasion.includes('tribute')
    ? parseTributeRoles(qualifiers.textWithOccasions, context)
    : parseRoles(stripListHeadings(qualifiers.text), context, {
        numbered: isSeriesEdition(qualifiers) && !qualifiers.isOccasionFirst,
        toured: qualifiers.tour !== null,
      });
  return { ...roles, tour: qualifiers.tour, occasion: qualifiers.occasion, edition: qualifiers.edition };
}

/** Removes the brackets of "Night (with Ann, Bob)". */
const unwrapBrackets = (text: string): string =>
  text
    .replace(/\s*\.{3,}(?=\s*[)\]]?\s*$)/u, '')
    .replace(
      /\s[([]\s?((?:with|w\/|mit|avec|con|com|met|feat\.?|ft\.?|pres\.?|presents)\s(?=[^()[\]]*(?:,|\sb2b\s|\s[+&]\s))[^()[\]]*)[)\]]\s*$/iu,
      ' $1',
    );

/** Parses the title of a tribute: in "Daftastic – A Tribute to Daft Punk" Daftastic plays; "Daft Punk Tribute" is itself an act. */
function parseTributeRoles(text: string, context: TitleContext): ReturnType<typeof parseRoles> {
  const to = title.tributeTo.exec(text);
  if (to === null) return parseRoles(text, context);
  const before = trimSeparators(text.slice(0, to.index));
  if (before === '' || /^(?:an evening of|candlelight|live)$/iu.test(before))
    return { series: trimSeparators(text), presenter: null, acts: [], moreToCome: false };
  return parseRoles(before, context);
}
