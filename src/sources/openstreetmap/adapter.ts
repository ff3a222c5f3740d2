/**
 * Reads venues from answers of the Overpass API of OpenStreetMap (`[out:json]`), or from files with them. The data has the
 * Open Database License (ODbL) and asks for the credit "© OpenStreetMap contributors".
 */
import { Failure } from '../../failure.ts';
import type { FeedRecord, RecordOf } from '../adapter.ts';
import { toPlace } from '../common/api-event.ts';
import { listAt, textAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { InvalidEventError, isJsonObject, type JsonObject, stated } from '../common/values.ts';
import { normalizeUrl, toProfileLink } from '../common/web-links.ts';

/** Tags of places where music is played (key and values). Other elements of an answer are left out. */
const venueTags: readonly (readonly [string, RegExp])[] = [
  ['amenity', /^(?:nightclub|music_venue|concert_hall|events_venue|arts_centre|bar|pub)$/],
  ['leisure', /^(?:dance|bandstand)$/],
  ['club', /^music$/],
];

const api: JsonApi = {
  name: 'the Overpass API',
  firstRequest: ({ location }) => {
    const url = new URL(location);
    // Without a query it is the address of a file.
    const isQuery = url.searchParams.has('data') || url.pathname.endsWith('/interpreter');
    if (isQuery && !/out:json/.test(url.searchParams.get('data') ?? ''))
      throw new Failure(
        'The query of an Overpass address begins with [out:json], and ends with `out center tags;`.',
      );
    return { url: url.href };
  },
  eventsOf: (body) =>
    isJsonObject(body) && Array.isArray(body.elements) && ('osm3s' in body || 'version' in body)
      ? listAt(body, 'elements')
      : null,
  nextRequest: () => null,
  toRecords: (element, { options }) => toVenue(element, options),
};

/** Reads an Overpass query. Options: `city` and `country` for elements that state none. */
export const openstreetmap = jsonApiAdapter(api);

/** @throws InvalidEventError if neither the element nor an option states where it is */
function toVenue(element: JsonObject, options: Readonly<Record<string, string>>): FeedRecord[] {
  const tag = (name: string) => textAt(element, 'tags', name);
  const [type, id, name] = [textAt(element, 'type'), textAt(element, 'id'), tag('name')];
  const isVenue = venueTags.some(([key, values]) => values.test(tag(key) ?? ''));
  if (type === null || id === null || name === null || !isVenue) return [];
  const street = [tag('addr:street'), tag('addr:housenumber')].filter((part) => part !== null).join(' ');
  // A way or relation has its middle, if the query asks for it.
  const at = (part: string) => valueAt(element, part) ?? valueAt(element, 'center', part);
  const place = toPlace(
    {
      name,
      address: street,
      postalCode: tag('addr:postcode'),
      city: tag('addr:city'),
      country: tag('addr:country'),
      latitude: at('lat'),
      longitude: at('lon'),
    },
    options,
  );
  if (place === null) return [];
  if (place.city === null || place.country === null)
    throw new InvalidEventError(
      `${name} states no ${place.city === null ? 'city' : 'country'}. Give the options city and country`,
    );
  const capacity = Number(tag('capacity') ?? Number.NaN);
  const links = ['contact:facebook', 'contact:instagram', 'contact:soundcloud'].flatMap(
    (key) => normalizeUrl(tag(key) ?? '', null) ?? [],
  );
  const wikidata = /^Q\d{1,12}$/.exec(tag('wikidata') ?? '')?.[0];
  const aliases = ['alt_name', 'old_name', 'short_name'].flatMap((key) => tag(key)?.split(';') ?? []);
  const venue: RecordOf<'venue'> = {
    kind: 'venue',
    external_id: `${type}/${id}`,
    name,
    city: place.city,
    country: place.country,
    ...stated({
      address: place.address,
      postal_code: place.postalCode,
      latitude: place.latitude,
      longitude: place.longitude,
      website: normalizeUrl(tag('website') ?? tag('contact:website') ?? '', null),
      capacity: Number.isInteger(capacity) && capacity > 0 && capacity < 1e6 ? capacity : null,
    }),
    ...(aliases.length === 0 ? {} : { aliases: aliases.map((alias) => alias.trim()).filter(Boolean) }),
    ...stated({
      links: links.map(toProfileLink),
      external_ids: wikidata === undefined ? null : { wikidata },
    }),
  };
  return [venue];
}
