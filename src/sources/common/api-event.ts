/** Builds feed records from the parts of an event that JSON APIs state. */
import { formatUtc } from '../../clock.ts';
import { parseCountry } from '../../text/countries.ts';
import type { FeedRecord, RecordOf } from '../adapter.ts';
import {
  derivedId,
  emptyPlace,
  eventPlaceFields,
  type ParsedPlace,
  parseCoordinates,
  parsePlace,
  toVenueRecord,
} from '../address/place.ts';
import { htmlTitleToText, stripMarkup } from './html.ts';
import { InvalidEventError, parseDateTime, stated } from './values.ts';
import { normalizeUrl } from './web-links.ts';

type Event = RecordOf<'event'>;
type Options = Readonly<Record<string, string>>;

/** The parts of an event. Texts may contain HTML; a missing part is null or absent. */
export type ApiEvent = {
  id: string | null;
  name: string | null;
  times: Pick<Event, 'start_at' | 'end_at' | 'timezone'>;
  place: ApiPlace | null;
  description?: string | null;
  url?: string | null;
  imageUrl?: string | null;
  status?: NonNullable<Event['status']> | null;
  tickets?: NonNullable<Event['tickets']>;
  genres?: string[];
  artists?: readonly RecordOf<'artist'>[];
  /** The names of a line-up as people write them: "A & B" may be two artists, and "(live)" is no part of a name. */
  acts?: readonly string[];
};

/** A place with the id that the interface gives it. */
export type ApiPlace = ParsedPlace & { id: string | null; website?: string | null };

/**
 * Builds the records of an event: the venue and the artists first.
 * @throws InvalidEventError if it has no id or no name
 */
export function toEventRecords(event: ApiEvent): FeedRecord[] {
  const { id, place, artists = [], acts = [] } = event;
  const name = event.name === null ? '' : htmlTitleToText(event.name);
  if (id === null) throw new InvalidEventError('has no id');
  if (name === '') throw new InvalidEventError('has no name');
  const venueId = place?.name && place.city && place.country ? (place.id ?? derivedId(place)) : null;
  const venue = place && venueId !== null ? toVenueRecord(place, venueId) : null;
  const record: Event = {
    kind: 'event',
    external_id: id,
    name,
    ...event.times,
    ...stated({ status: event.status }),
    ...eventPlaceFields(place, venueId),
    ...stated({
      description: stripMarkup(event.description ?? '') || null,
      image_url: normalizeUrl(event.imageUrl ?? '', null),
      url: normalizeUrl(event.url ?? '', null),
      genres: event.genres,
      lineup: [
        ...artists.map(({ external_id, name }) => ({ external_id, name })),
        ...acts.map((name) => ({ name })),
      ],
      tickets: event.tickets,
    }),
  };
  const website = normalizeUrl(place?.website ?? '', null);
  return [...(venue === null ? [] : [{ ...venue, ...stated({ website }) }]), ...artists, record];
}

/** The parts of a place as an interface states them. */
export type PlaceParts = {
  id?: string | null;
  name: string | null;
  /** The street, or the whole address where the interface has no other parts. */
  address?: string | null;
  postalCode?: string | null;
  city?: string | null;
  /** A code or a name. */
  country?: string | null;
  latitude?: unknown;
  longitude?: unknown;
  website?: string | null;
};

/**
 * Builds a place. Options of the source (`venue`, `city`, `country`) fill what the interface does not state.
 * @returns null if neither names a place
 */
export function toPlace(parts: PlaceParts | null, options: Options): ApiPlace | null {
  const name = parts?.name ? htmlTitleToText(parts.name) : null;
  const country = parseCountry(parts?.country ?? '') ?? options.country ?? null;
  const point = parts === null ? null : parseCoordinates(parts.latitude, parts.longitude);
  const city = parts?.city?.trim() || options.city || null;
  if (name === null && city === null && !options.venue) return null;
  return {
    ...emptyPlace,
    id: parts?.id && name !== null ? parts.id : null,
    name: name ?? options.venue ?? null,
    address: parts?.address?.trim() || null,
    postalCode: parts?.postalCode?.trim() || null,
    city,
    country,
    ...point,
    website: parts?.website ?? null,
  };
}

/** Builds a place from a name and an address in one text, such as "Via Roma 1, 10121 Torino". */
export function toPlaceFromAddress(parts: PlaceParts, options: Options): ApiPlace | null {
  const written = [parts.name, parts.address].filter((text) => text?.trim()).join(', ');
  const parsed = written === '' ? null : parsePlace(stripMarkup(written), options);
  return toPlace(
    {
      ...parts,
      // A name alone may contain the city: "Monarch (San Francisco)".
      name: (parts.address?.trim() || !parsed?.city ? null : (parsed.name ?? parsed.address)) ?? parts.name,
      address: parsed?.address ?? (parsed?.city ? null : (parts.address ?? null)),
      postalCode: parsed?.postalCode ?? null,
      city: parsed?.city ?? null,
      country: parsed?.country ?? null,
    },
    options,
  );
}

/** Whether a text is the name of a time zone that is known here. */
export function isTimeZone(name: string | null): name is string {
  // "UTC" is what sites state that never set their zone; "UTC+2" is an offset.
  if (name === null || !/^[A-Za-z]/.test(name) || /^(?:UTC|GMT|Etc\/)/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Parses a time text; null if it is missing or not a time. */
export const timeOf = (text: string | null): string | null => (text === null ? null : parseDateTime(text));

/** Formats a time in s or ms since 1970 in UTC; null if the value is not a time. */
export function instantOf(value: unknown, unitMs: 1 | 1_000): string | null {
  const ms = typeof value === 'number' || typeof value === 'string' ? Number(value) * unitMs : Number.NaN;
  if (!Number.isFinite(ms) || ms <= 0 || ms > 4e12) return null;
  return formatUtc(ms);
}

/**
 * Returns the times of an event.
 * @param zone the zone that the interface states; null if none
 * @throws InvalidEventError without a start
 */
export function toTimes(
  start: string | null,
  end: string | null,
  zone: string | null,
  options: Options,
): ApiEvent['times'] {
  if (start === null) throw new InvalidEventError('has no start');
  const timezone = isTimeZone(zone) ? zone : isTimeZone(options.timezone ?? null) ? options.timezone : null;
  const isLater = end !== null && end.length === start.length && end > start;
  return { start_at: start, ...(isLater ? { end_at: end } : {}), ...(timezone ? { timezone } : {}) };
}
