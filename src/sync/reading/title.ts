/** Reading titles of shows as sellers write them (issue 5, part 2). */
import type { ReadTitle, TitleContext } from './act.ts';
import { latinWords } from './names.ts';
import { plain } from './plain.ts';
import { splitOutside } from './split.ts';
import { trim, unheaded, withoutDates, withoutPlace, withoutSale } from './title-noise.ts';
import { isNight, strong, takeOut, takeTour } from './title-parts.ts';
import { readRoles } from './title-roles.ts';
import * as title from './title-words.ts';
import { readVenueName } from './venues.ts';
import * as words from './words.ts';

const tagged = new RegExp(`\\((?:${words.countryTag})\\)`, 'gu');
const nobody = words.entire(words.nobody);
const more = words.entire(words.andMore);
/** Longest title read. */
const longest = 500;

/** Reads a title. What `context` knows (venue, city, date, acts) is taken out of it or recognised in it. */
export function readTitle(written: string, context: TitleContext = {}): ReadTitle {
  const text = unwrapped(plain(written.slice(0, longest)));
  const place = withoutPlace(withoutDates(withoutSale(text)), context);
  const taken = takeOut(place);
  const roles = taken.occasion.includes('tribute')
    ? readTribute(taken.kept, context)
    : readRoles(unheaded(taken.text), context, {
        numbered: isNight(taken) && !taken.led,
        toured: taken.tour !== null,
      });
  const core = coreOf(takeTour(place).text, context);
  return {
    ...roles,
    tour: taken.tour,
    occasion: taken.occasion,
    edition: taken.edition,
    core,
    isTba: roles.acts.length === 0 && roles.series === null && roles.presenter === null && namesNobody(place),
  };
}

/** "Night (with Ann, Bob)" says what "Night with Ann, Bob" does. */
const unwrapped = (text: string): string =>
  text
    .replace(/\s*\.{3,}(?=\s*[)\]]?\s*$)/u, '')
    .replace(
      /\s[([]\s?((?:with|w\/|mit|avec|con|com|met|feat\.?|ft\.?|pres\.?|presents)\s(?=[^()[\]]*(?:,|\sb2b\s|\s[+&]\s))[^()[\]]*)[)\]]\s*$/iu,
      ' $1',
    );

/** "Daftastic – A Tribute to Daft Punk": Daftastic plays. "Daft Punk Tribute" plays under that name. */
function readTribute(text: string, context: TitleContext): ReturnType<typeof readRoles> {
  const to = title.tributeTo.exec(text);
  if (to === null) return readRoles(text, context);
  const before = trim(text.slice(0, to.index));
  if (before === '' || /^(?:an evening of|candlelight|live)$/iu.test(before))
    return { series: trim(text), presenter: null, acts: [], moreToCome: false };
  return readRoles(before, context);
}

/** Folded words of a title without place, date and noise; all of them where nothing would remain. */
function coreOf(text: string, context: TitleContext): string {
  const yearless = latinWords(text.replace(title.year, ' ').replace(tagged, ' '));
  const all = (yearless || latinWords(text)).split(' ').filter(Boolean);
  const place = new Set(
    [context.city, context.venue ? readVenueName(context.venue, context.city).key : null].flatMap((name) =>
      name ? latinWords(name).split(' ') : [],
    ),
  );
  const own = all.filter((word) => !title.coreNoise.test(word));
  const bare = own.filter((word) => !place.has(word));
  const chosen = bare.length > 0 ? bare : own.length > 0 ? own : all;
  return chosen.join(' ');
}

const filler = words.every(
  'event|show|party|concert|konzert|night|abend|club|rave|tba|tbc|secret|surprise|new|full|line-?up|details|date|programme?',
);
function namesNobody(text: string): boolean {
  const parts = splitOutside(text, strong)
    .parts.map(trim)
    .filter((part) => part !== '');
  return parts.every(
    (part) => nobody.test(part) || more.test(part) || trim(part.replace(filler, ' ')) === '',
  );
}
