/**
 * Reads SeatGeek's Platform API, version 2, with the client id of the operator. Its terms ask for a link to SeatGeek beside
 * its events: each event has one as its ticket.
 */
import type { AdapterContext, RecordOf } from '../adapter.ts';
import { timeOf, toEventRecords, toPlace, toTimes } from '../common/api-event.ts';
import { requireKey } from '../common/api-key.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { isJsonObject, type JsonObject, stated } from '../common/values.ts';

const pageSize = 100;
const keyOf = (context: AdapterContext): string =>
  requireKey(
    context,
    'SeatGeek',
    'CRATEBASE_SEATGEEK_KEY',
    'seatgeek.com/account/develop gives one (the client id).',
  );
/** Parameters that choose events. Without one, electronic music is read. */
const filters = ['q', 'performers', 'taxonomies', 'genres'];

const api: JsonApi = {
  name: 'SeatGeek',
  firstRequest: (context) => {
    const url = new URL(context.location);
    if (!/\/events\/?$/.test(url.pathname)) url.pathname = '/2/events';
    const names = [...url.searchParams.keys()];
    if (!names.some((name) => filters.some((one) => name === one || name.startsWith(`${one}.`))))
      url.searchParams.set('genres.slug', 'electronic');
    url.searchParams.set('per_page', String(pageSize));
    url.searchParams.set('page', '1');
    url.searchParams.set('client_id', keyOf(context));
    return { url: url.href };
  },
  secrets: (context) => [keyOf(context)],
  eventsOf: (body) =>
    isJsonObject(body) && isJsonObject(body.meta) && Array.isArray(body.events)
      ? listAt(body, 'events')
      : null,
  nextRequest: (body, request, page) => {
    if (!(Number(valueAt(body, 'meta', 'total')) > page * pageSize)) return null;
    const url = new URL(request.url);
    url.searchParams.set('page', String(page + 1));
    return { url: url.href };
  },
  toRecords: (event, { options }) => {
    const url = urlAt(event, 'url');
    return toEventRecords({
      id: textAt(event, 'id'),
      name: textAt(event, 'title') ?? textAt(event, 'short_title'),
      times: toTimes(startOf(event), null, textAt(event, 'venue', 'timezone'), options),
      place: placeOf(event, options),
      url,
      imageUrl:
        listAt(event, 'performers')
          .map((one) => urlAt(one, 'image'))
          .find((image) => image !== null) ?? null,
      artists: listAt(event, 'performers').flatMap(toArtist),
      tickets: url === null ? [] : [{ seller: 'SeatGeek', url, ...priceFields(event) }],
    });
  },
};

/** Reads `https://api.seatgeek.com/2/events?venue.city=CITY`. Option: `apikey`. */
export const seatgeek = jsonApiAdapter(api);

/** The local time; the date alone where the clock time is not announced. */
function startOf(event: JsonObject): string | null {
  const local = timeOf(textAt(event, 'datetime_local'));
  return local !== null && (event.time_tbd === true || event.date_tbd === true) ? local.slice(0, 10) : local;
}

function placeOf(event: JsonObject, options: Readonly<Record<string, string>>) {
  const venue = valueAt(event, 'venue');
  return toPlace(
    {
      id: textAt(venue, 'id'),
      name: textAt(venue, 'name'),
      address: textAt(venue, 'address'),
      postalCode: textAt(venue, 'postal_code'),
      city: textAt(venue, 'city'),
      country: textAt(venue, 'country'),
      latitude: valueAt(venue, 'location', 'lat'),
      longitude: valueAt(venue, 'location', 'lon'),
    },
    options,
  );
}

/** A performer; a venue's series or a team is not one. */
function toArtist(performer: JsonObject): RecordOf<'artist'>[] {
  const [id, name, type] = [textAt(performer, 'id'), textAt(performer, 'name'), textAt(performer, 'type')];
  if (id === null || name === null || (type !== null && type !== 'band')) return [];
  return [{ kind: 'artist', external_id: id, name, ...stated({ image_url: urlAt(performer, 'image') }) }];
}

/** The interface does not state the currency of its prices; in the US it is the dollar. */
function priceFields(event: JsonObject) {
  const [min, max] = [valueAt(event, 'stats', 'lowest_price'), valueAt(event, 'stats', 'highest_price')];
  if (typeof min !== 'number' || typeof max !== 'number' || min < 0 || max < min) return {};
  return textAt(event, 'venue', 'country') === 'US'
    ? { price_min: min, price_max: max, currency: 'USD' }
    : {};
}
