/** Parses city and venue from the titles of calendars that write them there: "Ann + Bob, Madrid, Sala Sol". */
import { homeCountries } from '../address/country.ts';
import { emptyPlace, type ParsedPlace } from '../address/place.ts';
import { type IcalComponent, propertyText } from './components.ts';
import type { CalendarContext } from './series.ts';

/** Entries of a calendar that are tested, and how many of them must name a place; it must also be half of all. */
const maxEntries = 1_000;
const minEntries = 3;
const maxTitleLength = 300;

type Calendar = Pick<CalendarContext, 'isCity' | 'options' | 'defaultZone'>;

/**
 * Whether a calendar names city and venue at the end of its titles. One title alone proves nothing: in "Ann, Berlin, Bob"
 * three artists may play.
 */
export function hasPlacesInTitles(entries: Iterable<IcalComponent>, calendar: Calendar): boolean {
  let [count, named] = [0, 0];
  for (const entry of entries) {
    if (propertyText(entry, 'location') !== null) continue;
    if (++count > maxEntries) break;
    if (parseTitlePlace(propertyText(entry, 'summary') ?? '', calendar)?.name != null) named++;
  }
  return named >= minEntries && named * 2 >= Math.min(count, maxEntries);
}

/** Parses "Acts, City, Venue", or "Acts, City"; null if the title does not end so. */
export function parseTitlePlace(title: string, calendar: Calendar): ParsedPlace | null {
  if (title.length > maxTitleLength) return null;
  const parts = title.split(/,\s+/).map((part) => part.trim());
  const [last, before] = [parts.at(-1) ?? '', parts.at(-2) ?? ''];
  const behind = parts.length > 2 && last !== '' ? cityOf(before, calendar) : null;
  if (behind !== null) return { ...emptyPlace, ...behind, name: last };
  const alone = parts.length > 1 ? cityOf(last, calendar) : null;
  return alone === null ? null : { ...emptyPlace, ...alone };
}

type City = { city: string; country: string | null };

/** The city that a part names in the countries of the calendar; "Villaverde (Madrid)" is in one of the two. */
function cityOf(part: string, { isCity, options, defaultZone }: Calendar): City | null {
  const homes = homeCountries({ country: options.country, timezone: defaultZone?.name });
  const [, outside = part, inside = ''] = /^([^()]+)\(([^()]+)\)$/.exec(part) ?? [];
  const names = [outside.trim(), inside.trim()];
  for (const city of names.filter((name) => /^\p{Lu}/u.test(name)))
    for (const country of homes.length > 0 ? homes : [null])
      if (isCity(city, country)) return { city, country };
  return null;
}
