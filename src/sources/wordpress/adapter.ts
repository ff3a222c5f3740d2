/**
 * Reads "The Events Calendar" of WordPress sites through its REST interface, version 1
 * (`/wp-json/tribe/events/v1/events`). The site decides about the licence of its texts; state it as a rule of the source.
 */

import { parseCountry } from '../../text/countries.ts';
import type { AdapterContext } from '../adapter.ts';
import { parsePlace } from '../address/place.ts';
import { type PlaceParts, timeOf, toEventRecords, toPlace, toTimes } from '../common/api-event.ts';
import { htmlTitleToText } from '../common/html.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { isJsonObject, type JsonObject, parseCurrency, stated } from '../common/values.ts';
import { siteHost } from '../common/web-links.ts';

/** Path of the interface below the address of a site. */
export const eventsPath = '/wp-json/tribe/events/v1/events';
/** Max page size of the interface. */
const pageSize = 50;

const api: JsonApi = {
  name: 'The Events Calendar',
  firstRequest: ({ location, now }) => {
    const url = new URL(location);
    if (!url.pathname.includes('/tribe/events/v1')) {
      // The address of the site, or of its page of events.
      url.pathname = `${url.pathname.replace(/\/(?:events?|calendar)?\/?$/, '')}${eventsPath}`;
      url.search = '';
    }
    if (!url.searchParams.has('per_page')) url.searchParams.set('per_page', String(pageSize));
    // Without a date the interface leaves out events that have begun. Those of yesterday may still be on.
    if (!url.searchParams.has('start_date'))
      url.searchParams.set('start_date', new Date(now - 86_400_000).toISOString().slice(0, 10));
    return { url: url.href };
  },
  eventsOf: (body) => (isJsonObject(body) && Array.isArray(body.events) ? listAt(body, 'events') : null),
  nextRequest: (body) => {
    const url = urlAt(body, 'next_rest_url');
    return url === null ? null : { url };
  },
  toRecords: (event, context) => {
    const status = textAt(event, 'status');
    if ((status !== null && status !== 'publish') || event.hide_from_listings === true) return [];
    return toEventRecords({
      id: textAt(event, 'id'),
      name: textAt(event, 'title'),
      times: timesOf(event, context),
      place: placeOf(event, context),
      description: textAt(event, 'description'),
      url: urlAt(event, 'url'),
      imageUrl: urlAt(event, 'image', 'url'),
      status: statusOf(event),
      tickets: ticketsOf(event),
    });
  },
};

/** Reads all events of a site from yesterday on. Options: `timezone`, `venue`, `city`, `country`, `pause`. */
export const wordpress = jsonApiAdapter(api);

/**
 * Returns the clock times that visitors of the site read. Many sites never set their zone and state "UTC+0", so that the
 * times in UTC of the interface are wrong.
 */
function timesOf(event: JsonObject, { options }: AdapterContext) {
  const length = event.all_day === true ? 10 : 19;
  const at = (name: string) => timeOf(textAt(event, name)?.slice(0, length) ?? null);
  return toTimes(at('start_date'), at('end_date'), textAt(event, 'timezone'), options);
}

function placeOf(event: JsonObject, { options }: AdapterContext) {
  // An event without a venue has an empty list.
  const venue = valueAt(event, 'venue');
  const first = Array.isArray(venue) ? venue[0] : venue;
  if (!isJsonObject(first)) return toPlace(null, options);
  const parts = {
    id: textAt(first, 'id'),
    name: textAt(first, 'venue'),
    address: textAt(first, 'address'),
    postalCode: textAt(first, 'zip'),
    city: textAt(first, 'city'),
    country: textAt(first, 'country'),
    latitude: valueAt(first, 'geo_lat'),
    longitude: valueAt(first, 'geo_lng'),
    website: urlAt(first, 'website'),
  };
  return toPlace(parts.city === null ? { ...parts, ...placeInName(parts, options) } : parts, options);
}

/** The city and street that many sites write into the name of a venue: "House of Blues 329 N Dearborn St Chicago, IL 60654". */
function placeInName(parts: PlaceParts, options: AdapterContext['options']): Partial<PlaceParts> {
  const country = parseCountry(parts.country ?? '') ?? options.country;
  const written = [parts.name, [parts.name, parts.address].filter(Boolean).join(', ')];
  for (const text of written) {
    const place = text ? parsePlace(htmlTitleToText(text), { country }) : null;
    if (!place?.city) continue;
    const { address, postalCode, city } = place;
    return {
      name: place.name ?? parts.name,
      city,
      country: place.country ?? parts.country ?? null,
      ...stated({ address, postalCode }),
    };
  }
  return {};
}

const statuses: ReadonlyMap<string, 'cancelled' | 'postponed'> = new Map([
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['postponed', 'postponed'],
]);

const statusOf = (event: JsonObject) =>
  statuses.get((textAt(event, 'event_status') ?? '').toLowerCase()) ?? null;

function ticketsOf(event: JsonObject) {
  const url = urlAt(event, 'website') ?? urlAt(event, 'url');
  const values = valueAt(event, 'cost_details', 'values');
  const prices = (Array.isArray(values) ? values : [])
    .map(Number)
    .filter((price) => Number.isFinite(price) && price >= 0 && price < 1e6);
  const currency = parseCurrency(
    textAt(event, 'cost_details', 'currency_code') ?? textAt(event, 'cost_details', 'currency_symbol'),
  );
  if (url === null || prices.length === 0 || currency === null) return [];
  const [price_min, price_max] = [Math.min(...prices), Math.max(...prices)];
  return [{ seller: siteHost(url), url, price_min, price_max, currency }];
}
