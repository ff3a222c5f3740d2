/** Reads the events of a box office of Ticket Tailor through its interface, version 1, with the key of that box office. */
import type { AdapterContext } from '../adapter.ts';
import { isTimeZone, timeOf, toEventRecords, toPlace, toTimes } from '../common/api-event.ts';
import { requireKey } from '../common/api-key.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { isJsonObject, type JsonObject, parseCurrency } from '../common/values.ts';

const keyOf = (context: AdapterContext): string =>
  requireKey(
    context,
    'Ticket Tailor',
    'CRATEBASE_TICKETTAILOR_KEY',
    'A box office finds it under Settings, API.',
  );

/** The interface writes booleans as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

const api: JsonApi = {
  name: 'Ticket Tailor',
  firstRequest: ({ location, now }) => {
    const url = new URL(location);
    if (!/\/events\/?$/.test(url.pathname)) url.pathname = '/v1/events';
    if (!url.searchParams.has('limit')) url.searchParams.set('limit', '100');
    // In seconds. Events of yesterday may still be on.
    if (!url.searchParams.has('end_at.gte'))
      url.searchParams.set('end_at.gte', String(Math.floor(now / 1_000) - 86_400));
    return { url: url.href };
  },
  headers: (context) => ({
    authorization: `Basic ${Buffer.from(`${keyOf(context)}:`).toString('base64')}`,
  }),
  secrets: (context) => [keyOf(context)],
  eventsOf: (body) =>
    isJsonObject(body) && Array.isArray(body.data) && isJsonObject(body.links) ? listAt(body, 'data') : null,
  nextRequest: (body, { url }) => {
    const next = textAt(body, 'links', 'next');
    return next === null || !URL.canParse(next, url) ? null : { url: new URL(next, url).href };
  },
  toRecords: (event, { options }) => {
    const status = textAt(event, 'status');
    if (status === 'draft' || isTrue(event.private) || isTrue(event.hidden)) return [];
    const zone = textAt(event, 'timezone') ?? textAt(event, 'start', 'timezone');
    const url = urlAt(event, 'url');
    return toEventRecords({
      id: textAt(event, 'id'),
      name: textAt(event, 'name'),
      times: toTimes(startOf(event, 'start', zone), startOf(event, 'end', zone), zone, options),
      place: isTrue(event.online_event)
        ? null
        : toPlace(
            {
              name: textAt(event, 'venue', 'name'),
              postalCode: textAt(event, 'venue', 'postal_code'),
              country: textAt(event, 'venue', 'country'),
            },
            options,
          ),
      description: textAt(event, 'description'),
      url,
      imageUrl: urlAt(event, 'images', 'header'),
      status: status === 'cancelled' ? 'cancelled' : null,
      tickets: url === null ? [] : [{ seller: 'Ticket Tailor', url, ...ticketFields(event) }],
    });
  },
};

/** Reads `https://api.tickettailor.com/v1/events`. Options: `apikey`, `venue`, `city`, `country`, `timezone`. */
export const tickettailor = jsonApiAdapter(api);

/** The local time where the zone is known, else the time with its offset. */
function startOf(event: JsonObject, name: 'start' | 'end', zone: string | null): string | null {
  const [date, time] = [textAt(event, name, 'date'), textAt(event, name, 'time')];
  if (isTimeZone(zone) && date !== null) return timeOf(time === null ? date : `${date}T${time}`);
  return timeOf(textAt(event, name, 'iso'));
}

/** How many of the smallest unit, in which prices are stated, one unit of a currency has: 100 cents, 1 yen. */
const smallestUnitsOf = (currency: string | null): number =>
  10 **
  (new Intl.NumberFormat('en', { style: 'currency', currency: currency ?? 'EUR' }).resolvedOptions()
    .maximumFractionDigits ?? 2);

function ticketFields(event: JsonObject) {
  const currency = parseCurrency(textAt(event, 'currency'));
  const prices = listAt(event, 'ticket_types')
    .map((type) => Number(valueAt(type, 'price') ?? Number.NaN) / smallestUnitsOf(currency))
    .filter((price) => price >= 0);
  return {
    ...(currency === null || prices.length === 0
      ? {}
      : { price_min: Math.min(...prices), price_max: Math.max(...prices), currency }),
    ...('tickets_available' in event
      ? { availability: isTrue(event.tickets_available) ? ('available' as const) : ('sold_out' as const) }
      : {}),
  };
}
