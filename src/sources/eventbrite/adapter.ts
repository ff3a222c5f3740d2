/**
 * Reads the events of an organizer of Eventbrite through its interface, version 3, with the token of that organizer. The
 * terms of Eventbrite allow an organizer to use its own events; they do not allow to copy those of others.
 */
import type { AdapterContext } from '../adapter.ts';
import { timeOf, toEventRecords, toPlace, toTimes } from '../common/api-event.ts';
import { requireKey } from '../common/api-key.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { isJsonObject, type JsonObject, parseCurrency } from '../common/values.ts';

const tokenOf = (context: AdapterContext): string =>
  requireKey(
    context,
    'Eventbrite',
    'CRATEBASE_EVENTBRITE_TOKEN',
    'An organizer finds it at eventbrite.com/platform/api-keys.',
  );

const api: JsonApi = {
  name: 'Eventbrite',
  firstRequest: ({ location }) => {
    const url = new URL(location);
    const set = (name: string, value: string) => {
      if (!url.searchParams.has(name)) url.searchParams.set(name, value);
    };
    set('expand', 'venue,ticket_availability');
    set('time_filter', 'current_future');
    set('order_by', 'start_asc');
    return { url: url.href };
  },
  headers: (context) => ({ authorization: `Bearer ${tokenOf(context)}` }),
  secrets: (context) => [tokenOf(context)],
  eventsOf: (body) =>
    isJsonObject(body) && Array.isArray(body.events) && 'pagination' in body ? listAt(body, 'events') : null,
  nextRequest: (body, request) => {
    const continuation = textAt(body, 'pagination', 'continuation');
    if (valueAt(body, 'pagination', 'has_more_items') !== true || continuation === null) return null;
    const url = new URL(request.url);
    url.searchParams.set('continuation', continuation);
    return { url: url.href };
  },
  toRecords: (event, { options }) => {
    const status = textAt(event, 'status');
    // A draft is not announced; a listing that is not public has a link for guests only.
    if (status === 'draft' || status === 'deleted' || event.listed === false) return [];
    const url = urlAt(event, 'url');
    return toEventRecords({
      id: textAt(event, 'id'),
      name: textAt(event, 'name', 'html') ?? textAt(event, 'name', 'text'),
      times: toTimes(
        timeOf(textAt(event, 'start', 'local')),
        timeOf(textAt(event, 'end', 'local')),
        textAt(event, 'start', 'timezone'),
        options,
      ),
      place: event.online_event === true ? null : placeOf(event, options),
      description: textAt(event, 'description', 'html') ?? textAt(event, 'summary'),
      url,
      imageUrl: urlAt(event, 'logo', 'original', 'url') ?? urlAt(event, 'logo', 'url'),
      status: status === 'canceled' ? 'cancelled' : null,
      tickets: url === null ? [] : [{ seller: 'Eventbrite', url, ...ticketFields(event) }],
    });
  },
};

/** Reads `https://www.eventbriteapi.com/v3/organizations/ID/events/`. Options: `apikey`, `city`, `country`, `timezone`. */
export const eventbrite = jsonApiAdapter(api);

function placeOf(event: JsonObject, options: Readonly<Record<string, string>>) {
  const venue = valueAt(event, 'venue');
  const lines = ['address_1', 'address_2'].map((line) => textAt(venue, 'address', line));
  const parts = {
    id: textAt(venue, 'id'),
    name: textAt(venue, 'name'),
    address: lines.filter((line) => line !== null).join(', '),
    postalCode: textAt(venue, 'address', 'postal_code'),
    city: textAt(venue, 'address', 'city'),
    country: textAt(venue, 'address', 'country'),
    latitude: valueAt(venue, 'address', 'latitude'),
    longitude: valueAt(venue, 'address', 'longitude'),
  };
  return toPlace(isJsonObject(venue) ? parts : null, options);
}

function ticketFields(event: JsonObject) {
  const tickets = valueAt(event, 'ticket_availability');
  const price = (name: string) => Number(textAt(tickets, name, 'major_value') ?? Number.NaN);
  const [min, max] = [price('minimum_ticket_price'), price('maximum_ticket_price')];
  const currency = parseCurrency(textAt(tickets, 'minimum_ticket_price', 'currency'));
  const isSoldOut = valueAt(tickets, 'is_sold_out');
  return {
    ...(min >= 0 && max >= min && currency !== null ? { price_min: min, price_max: max, currency } : {}),
    ...(typeof isSoldOut === 'boolean'
      ? { availability: isSoldOut ? ('sold_out' as const) : ('available' as const) }
      : {}),
  };
}
