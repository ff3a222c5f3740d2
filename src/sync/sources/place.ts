/** A place written in one line, as calendars and small pages write it: what one can honestly say of it. */
import { createHash } from 'node:crypto';
import { fold } from '../../store/fold.ts';
import type { RecordOf } from './adapter.ts';
import { namedCountry } from './countries.ts';

/** A place as far as it is known; a name alone is one too. */
export type Place = {
  name: string | null;
  address: string | null;
  postalCode: string | null;
  city: string | null;
  country: string | null;
  latitude: number | null;
  longitude: number | null;
};

export const nowhere: Place = {
  name: null,
  address: null,
  postalCode: null,
  city: null,
  country: null,
  latitude: null,
  longitude: null,
};

/** Not places: said while the place is not told, and of shows that have none. */
const untold =
  /^(?:t\.?b\.?[adc]\.?|to be (?:announced|confirmed|determined)|secret (?:location|venue|place)|undisclosed(?: location)?|location (?:tba|tbc)|venue (?:tba|tbc)|n\/?a|none|online(?: event)?|virtual(?: event)?|livestream|live stream|zoom|microsoft teams.*|google meet|tel\.?|phone|https?:\S*)$/i;

/** States that stand between a city and its postal code in addresses of the United States, Canada and Australia. */
const states: Readonly<Record<string, string>> = {
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  AU: 'NSW VIC QLD TAS ACT',
};
export const countryOfState: ReadonlyMap<string, string> = new Map(
  Object.entries(states).flatMap(([country, list]) =>
    list.split(' ').map((state) => [state, country] as const),
  ),
);

/** Cities that the time zones are named after: the only list of cities that every machine has. */
let zoneCities: Set<string> | null = null;
function isZoneCity(name: string): boolean {
  zoneCities ??= new Set(
    Intl.supportedValuesOf('timeZone').map((zone) =>
      fold((zone.split('/').at(-1) as string).replaceAll('_', ' ')),
    ),
  );
  return zoneCities.has(fold(name));
}

/** What the end of a line says of the city: how many parts it took, and what they were. */
type Found = { took: number; city: string | null; postalCode: string | null; country?: string };
/** Reads the city off the end; null where there is no evidence of this sort. */
type CityReader = (parts: string[], country: string | null) => Found | null;

/** `10243 Berlin`, `F-75011 Paris`, `1012 AB Amsterdam`, `110 00 Praha 1`; a house number has fewer figures. */
const codeFirst: CityReader = (parts) => {
  const form =
    /^(?:[A-Z]{1,2}-)?(\d{4,6}(?: ?[A-Z]{2})?|\d{3} \d{2}|\d{2}-\d{3})\s+(\p{L}[^\d]*?)(?:\s+\d{1,2})?$/u;
  const match = form.exec(parts.at(-1) as string);
  return match && { took: 1, city: match[2] as string, postalCode: match[1] as string };
};

/** `Brooklyn NY 11225`; `Brooklyn, NY 11225`; `Brooklyn, NY, 11225`; `Memphis, TN`; `Toronto ON M5V 2T6`. */
const withState: CityReader = (parts, country) => {
  const lone = parts.length > 2 && /^\d{4,5}(?:-\d{4})?$/.test(parts.at(-1) as string) ? 1 : 0;
  const form = /^(?:(\p{L}.*?)\s+)?([A-Z]{2,3})(?:\s+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4}))?$/u;
  const match = form.exec(parts.at(-1 - lone) as string);
  const owner = countryOfState.get(match?.[2] ?? '');
  if (!match || owner === undefined || (country !== null && country !== owner)) return null;
  const postalCode = match[3] ?? (lone === 1 ? (parts.at(-1) as string) : null);
  if (match[1] !== undefined) return { took: 1 + lone, city: match[1], postalCode, country: owner };
  const city = parts.at(-2 - lone) ?? null;
  return { took: 1 + lone + (city === null ? 0 : 1), city, postalCode, country: owner };
};

/** `London N1 6NU`; `London, N1 6NU`. */
const british: CityReader = (parts, country) => {
  const match = /^(?:(\p{L}.*?)\s+)?([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/u.exec(parts.at(-1) as string);
  if (!match || (country !== null && country !== 'GB')) return null;
  const postalCode = match[2] as string;
  if (match[1] !== undefined) return { took: 1, city: match[1], postalCode, country: 'GB' };
  return parts.length > 2
    ? { took: 2, city: parts.at(-2) as string, postalCode, country: 'GB' }
    : { took: 1, city: null, postalCode, country: 'GB' };
};

/** `Tokyo 150-0044, Japan`; `Berlin, 10243`. */
const codeLast: CityReader = (parts, country) => {
  const last = parts.at(-1) as string;
  const match = /^(\p{L}[^\d]*?)\s+(\d[\d -]{2,8}\d)$/u.exec(last);
  if (match && country !== null) return { took: 1, city: match[1] as string, postalCode: match[2] as string };
  const bare = /^\d{4,6}$/.test(last) && parts.length > 2 && !/\d/.test(parts.at(-2) as string);
  return bare ? { took: 2, city: parts.at(-2) as string, postalCode: last } : null;
};

/** Before a country stands a city; without one, only what a time zone is named after is known to be one. */
const bare: CityReader = (parts, country) => {
  const last = parts.at(-1) as string;
  const isCity = country === null ? isZoneCity(last) : !/\d/.test(last);
  return isCity ? { took: 1, city: last, postalCode: null } : null;
};

const cityReaders = [codeFirst, withState, british, codeLast, bare];

/**
 * Reads "Berghain, Am Wriezener Bahnhof, 10243 Berlin, Germany". The city and the country are told only where the text
 * gives evidence (a country's name, a postal code, a state, a city that a time zone is named after); without any the
 * whole text is the name.
 * @returns null where the text is no place ("TBA", an address of the web)
 */
export function readPlace(text: string): Place | null {
  const comma = /[\n\r;|•·]+|,(?!\d{3}\b)/;
  // "Paradiso (Weteringschans 6-8, Amsterdam)"
  const parts = text
    .replace(/^([^()]+)\(([^()]*,[^()]*)\)\s*$/, '$1, $2')
    .split(comma.test(text) ? comma : /\s[-–—]\s/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '');
  const first = parts[0];
  if (first === undefined || untold.test(first) || untold.test(text.trim())) return null;
  const country = namedCountry(parts.at(-1) as string);
  const rest = country === null ? parts : parts.slice(0, -1);
  if (rest.length === 0) return { ...nowhere, country };
  for (const read of cityReaders) {
    const found = read(rest, country);
    if (found === null) continue;
    const { took, ...where } = found;
    return { ...nowhere, country, ...where, ...named(rest.slice(0, rest.length - took)) };
  }
  return country === null ? { ...nowhere, ...withStreet(parts) } : { ...nowhere, country, ...named(rest) };
}

/** Without a city or country: a street after the name is taken for one, all else stays in the name. */
function withStreet(parts: string[]): Pick<Place, 'name' | 'address'> {
  const street = /^\d+\w?(?:-\d+)?\s+\p{L}{3,}|^\p{L}{2}[^\d]*\s\d+\w?(?:-\d+)?$/u;
  const room = /\b(?:room|building|hall|floor|stage|level|gate|suite|raum|saal|salle|etage)\b/i;
  const [name, ...others] = parts;
  return others.length > 0 && others.every((part) => street.test(part) && !room.test(part))
    ? { name: name as string, address: others.join(', ') }
    : { name: parts.join(', '), address: null };
}

/** What is left: the name, then the street. A street alone is an address without a name. */
function named(rest: string[]): Pick<Place, 'name' | 'address'> {
  const [first, ...street] = rest;
  if (first === undefined) return { name: null, address: null };
  const isStreet = /^\d+\w?\s+\p{L}|\p{L}(?:str(?:\.|a(?:ß|ss)e)?|weg|platz|gasse|allee|laan|straat)\s*\d+/iu;
  if (street.length === 0 && isStreet.test(first)) return { name: null, address: first };
  return { name: first, address: street.length === 0 ? null : street.join(', ') };
}

/** A stable id made of what something is known by. */
export const digest = (...parts: (string | null)[]): string =>
  createHash('sha256')
    .update(
      parts
        .map((part) =>
          fold(part ?? '')
            .replace(/\s+/g, ' ')
            .trim(),
        )
        .join('\u0000'),
    )
    .digest('hex')
    .slice(0, 24);

/** How a place stands within an event: a venue with a name, and the city and country of the event itself. */
export function placeMembers(
  place: Place | null,
  venueId: string | null,
): Partial<Pick<RecordOf<'event'>, 'venue' | 'city' | 'country'>> {
  if (place === null) return {};
  const { name, city, country } = place;
  const where = { ...(city === null ? {} : { city }), ...(country === null ? {} : { country }) };
  if (name === null) return where;
  return { ...where, venue: { ...(venueId === null ? {} : { external_id: venueId }), name, ...where } };
}

/** The venue's own record, where enough is known to make one. */
export function venueRecord(place: Place, externalId: string): RecordOf<'venue'> | null {
  const { name, city, country } = place;
  if (name === null || city === null || country === null) return null;
  return {
    kind: 'venue',
    external_id: externalId,
    name,
    city,
    country,
    ...(place.address === null ? {} : { address: place.address }),
    ...(place.postalCode === null ? {} : { postal_code: place.postalCode }),
    ...(place.latitude === null || place.longitude === null
      ? {}
      : { latitude: place.latitude, longitude: place.longitude }),
  };
}

/** A pair of coordinates; null where it is none, or the point in the ocean that stands for "not known". */
export function readPoint(
  latitude: unknown,
  longitude: unknown,
): { latitude: number; longitude: number } | null {
  const [north, east] = [toNumber(latitude), toNumber(longitude)];
  if (!Number.isFinite(north) || !Number.isFinite(east) || (north === 0 && east === 0)) return null;
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { latitude: north, longitude: east } : null;
}

const toNumber = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && value.trim() !== ''
      ? Number(value)
      : Number.NaN;
