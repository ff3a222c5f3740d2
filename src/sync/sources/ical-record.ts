/** What an event of a calendar says, as a feed record. */
import { textOfTitle } from '../reading/show-notes.ts';
import type { RecordOf } from './adapter.ts';
import { plainText } from './html.ts';
import type { Calendar } from './ical-calendar.ts';
import { type Component, textOf } from './ical-lines.ts';
import type { Occurrence } from './ical-series.ts';
import { written } from './ical-zones.ts';
import { pageAddress } from './links.ts';
import { derivedId, nowhere, type Place, placeMembers, readPlace, readPoint } from './place.ts';

export type Made = { event: RecordOf<'event'>; place: Place | null; venueId: string | null };

/** The record of one night; null where it is nobody else's business (CLASS: PRIVATE). */
export function recordOf(occurrence: Occurrence, calendar: Calendar): Made | null {
  const { component, id } = occurrence;
  if (/^(?:private|confidential)$/i.test(textOf(component, 'class') ?? '')) return null;
  const place = placeOf(occurrence, calendar);
  const venueId = place?.name ? derivedId(place) : null;
  const complete = place?.city && place.country ? venueId : null;
  const description = textOf(component, 'description');
  const url = pageAddress(textOf(component, 'url') ?? '', null);
  const image = imageOf(component);
  const status = statusOf(component, calendar);
  const event: RecordOf<'event'> = {
    kind: 'event',
    external_id: id,
    name: textOfTitle(textOf(component, 'summary') ?? ''),
    ...timesOf(occurrence, calendar),
    ...(status === null ? {} : { status }),
    ...placeMembers(place, complete),
    ...(description === null ? {} : { description: plainText(description) }),
    ...(url === null ? {} : { url }),
    ...(image === null ? {} : { image_url: image }),
  };
  return { event, place, venueId: complete };
}

type Times = Pick<RecordOf<'event'>, 'start_at' | 'end_at' | 'timezone'>;

function timesOf({ component, start, endLocal }: Occurrence, calendar: Calendar): Times {
  const zone = start.zone.type === 'iana' ? start.zone : calendar.zone;
  const timezone = zone === null ? {} : { timezone: zone.name };
  if (start.isDate || lastsWholeDays(component, start.local, endLocal)) {
    const first = start.local.slice(0, 10);
    // The end of whole days is the midnight after them.
    const last = endLocal === null ? first : dayBefore(endLocal);
    return { start_at: first, ...(last > first ? { end_at: last } : {}), ...timezone };
  }
  const end = endLocal === null ? {} : { end_at: written(endLocal, start.zone) };
  return { start_at: written(start.local, start.zone), ...end, ...timezone };
}

const midnight = /T00:00:00$/;

/** From midnight to midnight is no clock, but a date that a program wrote in full. */
function lastsWholeDays(component: Component, start: string, end: string | null): boolean {
  if (!midnight.test(start)) return false;
  if (textOf(component, 'x-microsoft-cdo-alldayevent')?.toUpperCase() === 'TRUE') return true;
  return end !== null && midnight.test(end) && end > start;
}

const dayBefore = (local: string): string => new Date(Date.parse(`${local}Z`) - 1).toISOString().slice(0, 10);

function statusOf(component: Component, { cancelled }: Calendar): 'scheduled' | 'cancelled' | null {
  const status = textOf(component, 'status')?.toUpperCase();
  if (cancelled || status === 'CANCELLED' || status === 'CANCELED') return 'cancelled';
  return status === 'CONFIRMED' ? 'scheduled' : null;
}

/** Where it takes place: its own words, with what the source is set to where they say nothing. */
function placeOf({ component, start }: Occurrence, { options, zone }: Calendar): Place | null {
  const text = textOf(component, 'location');
  const timezone = start.zone.type === 'iana' ? start.zone.name : zone?.name;
  const told = text === null ? null : readPlace(plainText(text), { timezone, country: options.country });
  const set = options.venue || options.city || options.country;
  if (told === null && (text !== null || !set)) return null;
  const place = told ?? { ...nowhere, name: options.venue ?? null };
  const geo = component.properties.get('geo')?.[0]?.values[0];
  const point = Array.isArray(geo) ? readPoint(geo[0], geo[1]) : null;
  // A city of the source's own settings is of no use beside another country.
  const own = place.city === null && (place.country === null || place.country === options.country);
  return {
    ...place,
    ...(own && options.city ? { city: options.city } : {}),
    ...(place.country === null && options.country ? { country: options.country } : {}),
    ...(point ?? {}),
  };
}

const webAddress = (text: string | null): string | null =>
  text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;

/** RFC 7986, 5.10, and pictures that are attached by address. */
function imageOf(component: Component): string | null {
  const attached = (component.properties.get('attach') ?? []).filter(({ parameters }) =>
    /^image\//i.test(parameters.fmttype ?? ''),
  );
  const [first] = [...(component.properties.get('image') ?? []), ...attached];
  return first === undefined ? null : webAddress(String(first.values[0]));
}
