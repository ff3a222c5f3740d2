/** Converts events and venues of the Discovery API v2 to feed records. */

import { parseCountry } from '../../text/countries.ts';
import { offsetAt } from '../../text/time-zones.ts';
import type { FeedRecord, RecordOf } from '../adapter.ts';
import { parseCoordinates } from '../address/place.ts';
import { stripMarkup } from '../common/html.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { InvalidEventError, type JsonObject, parseDateTime, stated } from '../common/values.ts';
import { siteHost } from '../common/web-links.ts';
import { classify, isPerformer, pickImage, toArtist } from './attractions.ts';

const statusByCode: ReadonlyMap<string, 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled'> = new Map([
  ['onsale', 'scheduled'],
  ['offsale', 'scheduled'],
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['postponed', 'postponed'],
  ['rescheduled', 'rescheduled'],
]);

/**
 * Converts an event to records: venue and artists first, then the event.
 * @throws InvalidEventError where the event has no id, name or date
 */
export function toRecords(event: JsonObject): FeedRecord[] {
  const id = textAt(event, 'id');
  const name = textAt(event, 'name');
  if (id === null) throw new InvalidEventError('has no id');
  if (name === null) throw new InvalidEventError('has no name');
  const venueJson = listAt(event, '_embedded', 'venues')[0] ?? null;
  const performers = listAt(event, '_embedded', 'attractions').filter(isPerformer);
  const venue = venueJson && toVenue(venueJson);
  const { genres } = classify(event);
  const url = urlAt(event, 'url');
  const status = statusByCode.get(textAt(event, 'dates', 'status', 'code')?.toLowerCase() ?? '');
  const description = textAt(event, 'description') ?? textAt(event, 'info');
  const artists = performers.map(toArtist).filter((artist) => artist !== null);
  const record: RecordOf<'event'> = {
    kind: 'event',
    external_id: id,
    name,
    ...toTimes(event, venueJson),
    ...stated({ status }),
    ...toPlaceFields(venueJson, venue),
    ...stated({
      description: description && stripMarkup(description),
      image_url: pickImage(event),
      url,
      genres,
      lineup: artists.map(({ external_id, name: act }) => ({ external_id, name: act })),
    }),
    ...toTickets(event, url),
  };
  return [...(venue ? [venue] : []), ...artists, record];
}

type RecordTimes = Pick<RecordOf<'event'>, 'start_at' | 'end_at' | 'timezone'>;

/** Returns the local time with its zone, or only the date where the time is not announced or contradictory. */
function toTimes(event: JsonObject, venueJson: JsonObject | null): RecordTimes {
  const start = valueAt(event, 'dates', 'start');
  const date = parseDate(textAt(start, 'localDate'));
  const time = textAt(start, 'localTime');
  const instant = parseDateTime(textAt(start, 'dateTime') ?? '');
  const zone = findZone(event, venueJson);
  const timezone = stated({ timezone: zone });
  const day = date ?? instant?.slice(0, 10);
  if (day === undefined) throw new InvalidEventError('has no date yet');
  const isTimeUnknown = ['dateTBA', 'dateTBD', 'timeTBA', 'noSpecificTime'].some(
    (name) => valueAt(start, name) === true,
  );
  const local = date === null || time === null ? null : parseDateTime(`${date}T${time}`);
  if (isTimeUnknown) return { start_at: day, ...timezone };
  if (local === null || zone === null)
    return { start_at: instant ?? local ?? day, ...toEnd(event, zone), ...timezone };
  // Some sellers confuse local time and UTC. Equal values in both are not trusted.
  const isContradictory =
    instant !== null &&
    instant.slice(0, 16) === local.slice(0, 16) &&
    !/^(?:UTC|Etc\/)/.test(zone) &&
    offsetAt(zone, Date.parse(instant)) !== 0;
  return isContradictory
    ? { start_at: day, ...timezone }
    : { start_at: local, ...toEnd(event, zone), ...timezone };
}

const parseDate = (value: string | null): string | null => {
  const date = value === null ? null : parseDateTime(value);
  return date !== null && date.length === 10 ? date : null;
};

function findZone(event: JsonObject, venueJson: JsonObject | null): string | null {
  const names = [textAt(event, 'dates', 'timezone'), venueJson && textAt(venueJson, 'timezone')];
  return names.find((name) => name !== null && isTimeZone(name)) ?? null;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function toEnd(event: JsonObject, zone: string | null): Pick<RecordTimes, 'end_at'> {
  const end = valueAt(event, 'dates', 'end');
  if (end === undefined || valueAt(end, 'approximate') === true) return {};
  const date = textAt(end, 'localDate');
  const time = textAt(end, 'localTime');
  const local =
    date === null || zone === null ? null : parseDateTime(time === null ? date : `${date}T${time}`);
  return stated({ end_at: local ?? parseDateTime(textAt(end, 'dateTime') ?? '') });
}

/** Converts a venue; null without a name, city and country. */
export function toVenue(venueJson: JsonObject): RecordOf<'venue'> | null {
  const id = textAt(venueJson, 'id');
  const name = textAt(venueJson, 'name');
  const city = textAt(venueJson, 'city', 'name');
  const country = parseCountry(
    textAt(venueJson, 'country', 'countryCode') ?? textAt(venueJson, 'country', 'name') ?? '',
  );
  if (id === null || name === null || city === null || country === null) return null;
  const lines = ['line1', 'line2', 'line3']
    .map((line) => textAt(venueJson, 'address', line))
    .filter((line) => line !== null);
  const point = parseCoordinates(
    textAt(venueJson, 'location', 'latitude'),
    textAt(venueJson, 'location', 'longitude'),
  );
  const zone = textAt(venueJson, 'timezone');
  const url = urlAt(venueJson, 'url');
  return {
    kind: 'venue',
    external_id: id,
    name,
    city,
    country,
    ...stated({
      address: lines.join(', ') || null,
      postal_code: textAt(venueJson, 'postalCode'),
      ...point,
      timezone: zone !== null && isTimeZone(zone) ? zone : null,
      image_url: pickImage(venueJson),
      links: url === null ? [] : [{ type: 'ticketmaster', url }],
    }),
    external_ids: { ticketmaster: id },
  };
}

function toPlaceFields(
  venueJson: JsonObject | null,
  venue: RecordOf<'venue'> | null,
): Partial<RecordOf<'event'>> {
  if (venueJson === null) return {};
  if (venue) {
    const { name, city, country, external_id } = venue;
    return { venue: { external_id, name, city, country }, city, country };
  }
  const name = textAt(venueJson, 'name');
  const where = stated({
    city: textAt(venueJson, 'city', 'name'),
    country: parseCountry(textAt(venueJson, 'country', 'countryCode') ?? ''),
  });
  return { ...where, ...stated({ venue: name === null ? null : { name, ...where } }) };
}

/** Sellers of the events in the API, by site. */
const sellersBySite: readonly [RegExp, string][] = [
  [/(?:^|\.)ticketmaster\./, 'Ticketmaster'],
  [/(?:^|\.)livenation\./, 'Live Nation'],
  [/(?:^|\.)universe\.com$/, 'Universe'],
  [/(?:^|\.)frontgatetickets\.com$/, 'Front Gate Tickets'],
  [/(?:^|\.)ticketweb\./, 'TicketWeb'],
];

function toTickets(event: JsonObject, url: string | null): Pick<RecordOf<'event'>, 'tickets'> {
  if (url === null) return {};
  const site = siteHost(url);
  const ranges = listAt(event, 'priceRanges').filter((range) =>
    /^[A-Za-z]{3}$/.test(textAt(range, 'currency') ?? ''),
  );
  const currency = textAt(ranges[0], 'currency')?.toUpperCase();
  const prices = ranges
    .filter((range) => textAt(range, 'currency')?.toUpperCase() === currency)
    .flatMap(({ min, max }) => [min, max])
    .filter((price): price is number => typeof price === 'number' && price >= 0 && Number.isFinite(price));
  const code = textAt(event, 'dates', 'status', 'code')?.toLowerCase();
  const availability = code === 'onsale' ? 'available' : code === 'offsale' ? 'not_on_sale' : null;
  return {
    tickets: [
      {
        seller: sellersBySite.find(([pattern]) => pattern.test(site))?.[1] ?? site,
        url,
        ...(currency !== undefined && prices.length > 0
          ? { price_min: Math.min(...prices), price_max: Math.max(...prices), currency }
          : {}),
        ...stated({ availability }),
      },
    ],
  };
}
