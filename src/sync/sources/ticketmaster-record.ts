/** Events and venues of the Discovery API v2, as feed records. */
import type { FeedRecord, RecordOf } from './adapter.ts';
import { countryOf } from './countries.ts';
import { plainText } from './html.ts';
import { readWhen } from './jsonld-values.ts';
import { siteOf } from './links.ts';
import { readPoint } from './place.ts';
import { artistOf, classesOf, imageOf, isAct } from './ticketmaster-act.ts';
import { at, type Json, list, text, web } from './ticketmaster-json.ts';

/** Why an event cannot be taken. */
export class BadEvent extends Error {}

const statuses: Readonly<Record<string, 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled'>> = {
  onsale: 'scheduled',
  offsale: 'scheduled',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  postponed: 'postponed',
  rescheduled: 'rescheduled',
};

/** The records of an event: its venue and artists first, then itself. */
export function recordsOf(event: Json): FeedRecord[] {
  const id = text(event, 'id');
  const name = text(event, 'name');
  if (id === null) throw new BadEvent('has no id');
  if (name === null) throw new BadEvent('has no name');
  const house = list(event, '_embedded', 'venues')[0] ?? null;
  const acts = list(event, '_embedded', 'attractions').filter(isAct);
  const venue = house && venueOf(house);
  const { genres } = classesOf(event);
  const url = web(event, 'url');
  const status = statuses[text(event, 'dates', 'status', 'code')?.toLowerCase() ?? ''];
  const description = text(event, 'description') ?? text(event, 'info');
  const image = imageOf(event);
  const artists = acts.map(artistOf).filter((artist) => artist !== null);
  const record: RecordOf<'event'> = {
    kind: 'event',
    external_id: id,
    name,
    ...timesOf(event, house),
    ...(status === undefined ? {} : { status }),
    ...placeOf(house, venue),
    ...(description === null ? {} : { description: plainText(description) }),
    ...(image === null ? {} : { image_url: image }),
    ...(url === null ? {} : { url }),
    ...(genres.length === 0 ? {} : { genres }),
    ...(artists.length === 0
      ? {}
      : { lineup: artists.map(({ external_id, name: act }) => ({ external_id, name: act })) }),
    ...ticketsOf(event, url),
  };
  return [...(venue ? [venue] : []), ...artists, record];
}

type Times = Pick<RecordOf<'event'>, 'start_at' | 'end_at' | 'timezone'>;

/** The local clock beside its zone; a date alone where the clock is not announced, or contradicts itself. */
function timesOf(event: Json, house: Json | null): Times {
  const start = at(event, 'dates', 'start');
  const date = day(text(start, 'localDate'));
  const clock = text(start, 'localTime');
  const instant = readWhen(text(start, 'dateTime') ?? '');
  const zone = zoneOf(event, house);
  const timezone = zone === null ? {} : { timezone: zone };
  if (date === null && instant === null) throw new BadEvent('has no date yet');
  const open = ['dateTBA', 'dateTBD', 'timeTBA', 'noSpecificTime'].some((name) => at(start, name) === true);
  const local = date === null || clock === null ? null : readWhen(`${date}T${clock}`);
  if (open) return { start_at: date ?? (instant as string).slice(0, 10), ...timezone };
  if (local === null || zone === null)
    return { start_at: instant ?? local ?? (date as string), ...endOf(event, zone), ...timezone };
  // Some sellers hand in the local clock as UTC, or the other way round: then neither is to be trusted.
  const same =
    instant !== null &&
    instant.slice(0, 16) === local.slice(0, 16) &&
    !/^(?:UTC|Etc\/)/.test(zone) &&
    zoneOffset(zone, instant) !== 0;
  return same
    ? { start_at: date as string, ...timezone }
    : { start_at: local, ...endOf(event, zone), ...timezone };
}

const day = (value: string | null): string | null => {
  const read = value === null ? null : readWhen(value);
  return read !== null && read.length === 10 ? read : null;
};

/** Minutes from UTC at an instant. */
function zoneOffset(zone: string, instant: string): number {
  const time = Date.parse(instant);
  const shown = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(time);
  return Math.round((Date.parse(`${shown.replace(' ', 'T')}Z`) - time) / 60_000);
}

function zoneOf(event: Json, house: Json | null): string | null {
  const names = [text(event, 'dates', 'timezone'), house && text(house, 'timezone')];
  return names.find((name) => name !== null && isZone(name)) ?? null;
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function endOf(event: Json, zone: string | null): Pick<Times, 'end_at'> {
  const end = at(event, 'dates', 'end');
  if (end === undefined || at(end, 'approximate') === true) return {};
  const date = text(end, 'localDate');
  const clock = text(end, 'localTime');
  const local = date === null || zone === null ? null : readWhen(clock === null ? date : `${date}T${clock}`);
  const read = local ?? readWhen(text(end, 'dateTime') ?? '');
  return read === null ? {} : { end_at: read };
}

/** A house; null where it does not say in which city and country it stands. */
export function venueOf(house: Json): RecordOf<'venue'> | null {
  const id = text(house, 'id');
  const name = text(house, 'name');
  const city = text(house, 'city', 'name');
  const country = countryOf(text(house, 'country', 'countryCode') ?? text(house, 'country', 'name') ?? '');
  if (id === null || name === null || city === null || country === null) return null;
  const lines = ['line1', 'line2', 'line3']
    .map((line) => text(house, 'address', line))
    .filter((line) => line !== null);
  const point = readPoint(text(house, 'location', 'latitude'), text(house, 'location', 'longitude'));
  const zone = text(house, 'timezone');
  const postal = text(house, 'postalCode');
  const image = imageOf(house);
  const url = web(house, 'url');
  return {
    kind: 'venue',
    external_id: id,
    name,
    city,
    country,
    ...(lines.length === 0 ? {} : { address: lines.join(', ') }),
    ...(postal === null ? {} : { postal_code: postal }),
    ...(point ?? {}),
    ...(zone !== null && isZone(zone) ? { timezone: zone } : {}),
    ...(image === null ? {} : { image_url: image }),
    ...(url === null ? {} : { links: [{ type: 'ticketmaster', url }] }),
    external_ids: { ticketmaster: id },
  };
}

function placeOf(house: Json | null, venue: RecordOf<'venue'> | null): Partial<RecordOf<'event'>> {
  if (house === null) return {};
  if (venue) {
    const { name, city, country, external_id } = venue;
    return { venue: { external_id, name, city, country }, city, country };
  }
  const name = text(house, 'name');
  const city = text(house, 'city', 'name');
  const country = countryOf(text(house, 'country', 'countryCode') ?? '');
  const where = { ...(city === null ? {} : { city }), ...(country === null ? {} : { country }) };
  return { ...where, ...(name === null ? {} : { venue: { name, ...where } }) };
}

/** The sellers whose events the API lists, by site. */
const sellers: readonly [RegExp, string][] = [
  [/(?:^|\.)ticketmaster\./, 'Ticketmaster'],
  [/(?:^|\.)livenation\./, 'Live Nation'],
  [/(?:^|\.)universe\.com$/, 'Universe'],
  [/(?:^|\.)frontgatetickets\.com$/, 'Front Gate Tickets'],
  [/(?:^|\.)ticketweb\./, 'TicketWeb'],
];

function ticketsOf(event: Json, url: string | null): Pick<RecordOf<'event'>, 'tickets'> {
  if (url === null) return {};
  const site = siteOf(url);
  const ranges = list(event, 'priceRanges').filter((range) =>
    /^[A-Za-z]{3}$/.test(text(range, 'currency') ?? ''),
  );
  const currency = text(ranges[0], 'currency')?.toUpperCase();
  const prices = ranges
    .filter((range) => text(range, 'currency')?.toUpperCase() === currency)
    .flatMap(({ min, max }) => [min, max])
    .filter((price): price is number => typeof price === 'number' && price >= 0 && Number.isFinite(price));
  const code = text(event, 'dates', 'status', 'code')?.toLowerCase();
  const availability = code === 'onsale' ? 'available' : code === 'offsale' ? 'not_on_sale' : null;
  return {
    tickets: [
      {
        seller: sellers.find(([pattern]) => pattern.test(site))?.[1] ?? site,
        url,
        ...(currency !== undefined && prices.length > 0
          ? { price_min: Math.min(...prices), price_max: Math.max(...prices), currency }
          : {}),
        ...(availability === null ? {} : { availability }),
      },
    ],
  };
}
