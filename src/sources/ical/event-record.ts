/** Converts events of a calendar to feed records. */

import type { RecordOf } from '../adapter.ts';
import {
  cityWithOwnState,
  derivedId,
  emptyPlace,
  eventPlaceFields,
  type ParsedPlace,
  parseCoordinates,
  parsePlace,
} from '../address/place.ts';
import { htmlTitleToText, stripMarkup } from '../common/html.ts';
import { stated } from '../common/values.ts';
import { normalizeUrl } from '../common/web-links.ts';
import { type IcalComponent, propertyText } from './components.ts';
import type { CalendarContext, Occurrence } from './series.ts';
import { formatDateTime } from './time-zones.ts';
import { parseTitlePlace } from './title-places.ts';

type EventWithVenue = { event: RecordOf<'event'>; place: ParsedPlace | null; venueId: string | null };

/** Converts one occurrence; null if it is private (CLASS). */
export function toEventRecord(occurrence: Occurrence, calendar: CalendarContext): EventWithVenue | null {
  const { component, id } = occurrence;
  if (/^(?:private|confidential)$/i.test(propertyText(component, 'class') ?? '')) return null;
  const place = parseLocation(occurrence, calendar);
  const venueId = place?.name ? derivedId(place) : null;
  const complete = place?.city && place.country ? venueId : null;
  const description = propertyText(component, 'description');
  const event: RecordOf<'event'> = {
    kind: 'event',
    external_id: id,
    name: htmlTitleToText(propertyText(component, 'summary') ?? ''),
    ...toTimes(occurrence, calendar),
    ...stated({ status: parseStatus(component, calendar) }),
    ...eventPlaceFields(place, complete),
    ...stated({
      description: description && stripMarkup(description),
      url: normalizeUrl(propertyText(component, 'url') ?? '', null),
      image_url: findImage(component),
      genres: findGenres(component, calendar),
    }),
  };
  return { event, place, venueId: complete };
}

type RecordTimes = Pick<RecordOf<'event'>, 'start_at' | 'end_at' | 'timezone'>;

function toTimes({ component, start, endLocal }: Occurrence, calendar: CalendarContext): RecordTimes {
  const zone = start.zone.type === 'iana' ? start.zone : calendar.defaultZone;
  const timezone = stated({ timezone: zone?.name });
  if (start.isDate || lastsWholeDays(component, start.local, endLocal)) {
    const first = start.local.slice(0, 10);
    // The end of all-day events is the midnight after them.
    const last = endLocal === null ? first : dayBefore(endLocal);
    return { start_at: first, ...(last > first ? { end_at: last } : {}), ...timezone };
  }
  const end = endLocal === null ? {} : { end_at: formatDateTime(endLocal, start.zone) };
  return { start_at: formatDateTime(start.local, start.zone), ...end, ...timezone };
}

const midnight = /T00:00:00$/;

/** Whether an event lasts whole days: some programs write all-day events from midnight to midnight. */
function lastsWholeDays(component: IcalComponent, start: string, end: string | null): boolean {
  if (!midnight.test(start)) return false;
  if (propertyText(component, 'x-microsoft-cdo-alldayevent')?.toUpperCase() === 'TRUE') return true;
  return end !== null && midnight.test(end) && end > start;
}

const dayBefore = (local: string): string => new Date(Date.parse(`${local}Z`) - 1).toISOString().slice(0, 10);

function parseStatus(
  component: IcalComponent,
  { isCancelled: cancelled }: CalendarContext,
): 'scheduled' | 'cancelled' | null {
  const status = propertyText(component, 'status')?.toUpperCase();
  if (cancelled || status === 'CANCELLED' || status === 'CANCELED') return 'cancelled';
  return status === 'CONFIRMED' ? 'scheduled' : null;
}

/** Parses the location, with the options of the source as defaults. */
function parseLocation({ component, start }: Occurrence, calendar: CalendarContext): ParsedPlace | null {
  const { options, defaultZone: zone, hasPlacesInTitles } = calendar;
  const text = propertyText(component, 'location');
  const timezone = start.zone.type === 'iana' ? start.zone.name : zone?.name;
  const titlePlace = () =>
    hasPlacesInTitles ? parseTitlePlace(propertyText(component, 'summary') ?? '', calendar) : null;
  const ownPlace =
    text === null ? titlePlace() : parsePlace(stripMarkup(text), { timezone, country: options.country });
  const hasDefault = options.venue || options.city || options.country;
  if (ownPlace === null && (text !== null || !hasDefault)) return null;
  const place = ownPlace ?? { ...emptyPlace, name: options.venue ?? null };
  const geo = component.properties.get('geo')?.[0]?.values[0];
  const point = Array.isArray(geo) ? parseCoordinates(geo[0], geo[1]) : null;
  // The configured city does not apply to a location in another country.
  const usesDefaultCity =
    place.city === null && (place.country === null || place.country === options.country);
  return {
    ...place,
    // Portland, Maine is not Portland, Oregon: the state stays with a name that is known elsewhere.
    city: cityWithOwnState(place),
    ...(usesDefaultCity && options.city ? { city: options.city } : {}),
    ...(place.country === null && options.country ? { country: options.country } : {}),
    ...(point ?? {}),
  };
}

/** Categories of an event that are looked up, and their length. */
const maxCategories = 20;
const maxCategoryLength = 100;

/** Returns the categories that are genres of the catalogue. Others, such as "Party", say nothing about the music. */
function findGenres(component: IcalComponent, { isGenre }: CalendarContext): string[] {
  const categories = (component.properties.get('categories') ?? [])
    .slice(0, maxCategories)
    .flatMap(({ values }) => values.slice(0, maxCategories))
    .map((value) => String(value).trim());
  return [...new Set(categories)]
    .slice(0, maxCategories)
    .filter((name) => name !== '' && name.length <= maxCategoryLength && isGenre(name));
}

const httpUrl = (text: string | null): string | null =>
  text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;

/** Returns the image (RFC 7986, section 5.10), or an attached picture with an address. */
function findImage(component: IcalComponent): string | null {
  const attached = (component.properties.get('attach') ?? []).filter(({ parameters }) =>
    /^image\//i.test(parameters.fmttype ?? ''),
  );
  const [first] = [...(component.properties.get('image') ?? []), ...attached];
  return first === undefined ? null : httpUrl(String(first.values[0]));
}
