/**
 * Reads the public events of a Mobilizon instance through GraphQL (`/api`). Mobilizon does not state a licence: authors
 * keep their rights; ask the instance, and state the licence as a rule of the source.
 */
import { timeOf, toEventRecords, toPlace, toTimes } from '../common/api-event.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { isJsonObject, type JsonObject, parseCurrency } from '../common/values.ts';
import { siteHost } from '../common/web-links.ts';

const pageSize = 50;
const query = `query ($page: Int, $limit: Int) {
  events(page: $page, limit: $limit) {
    total
    elements {
      uuid url title description beginsOn endsOn status draft visibility onlineAddress
      picture { url }
      physicalAddress { description street locality postalCode region country geom }
      options { timezone offers { price priceCurrency url } }
    }
  }
}`;

const requestPage = (url: string, page: number) => ({
  url,
  body: JSON.stringify({ query, variables: { page, limit: pageSize } }),
});

const api: JsonApi = {
  name: 'Mobilizon',
  firstRequest: ({ location }) => requestPage(new URL('/api', location).href, 1),
  eventsOf: (body) =>
    isJsonObject(valueAt(body, 'data', 'events')) ? listAt(body, 'data', 'events', 'elements') : null,
  nextRequest: (body, { url }, page) => {
    const total = Number(valueAt(body, 'data', 'events', 'total'));
    return total > page * pageSize ? requestPage(url, page + 1) : null;
  },
  toRecords: (event, { options }) => {
    const visibility = textAt(event, 'visibility');
    if (event.draft === true || (visibility !== null && visibility !== 'PUBLIC')) return [];
    const url = urlAt(event, 'url');
    return toEventRecords({
      // The address identifies an event of any instance of the federation.
      id: url ?? textAt(event, 'uuid'),
      name: textAt(event, 'title'),
      times: toTimes(
        timeOf(textAt(event, 'beginsOn')),
        timeOf(textAt(event, 'endsOn')),
        textAt(event, 'options', 'timezone'),
        options,
      ),
      place: placeOf(event, options),
      description: textAt(event, 'description'),
      url,
      imageUrl: urlAt(event, 'picture', 'url'),
      status: textAt(event, 'status') === 'CANCELLED' ? 'cancelled' : null,
      tickets: ticketsOf(event),
    });
  },
};

/** Reads the coming events that an instance shows to everyone. Options: `timezone`, `venue`, `city`, `country`, `pause`. */
export const mobilizon = jsonApiAdapter(api);

function placeOf(event: JsonObject, options: Readonly<Record<string, string>>) {
  const address = valueAt(event, 'physicalAddress');
  if (!isJsonObject(address)) return urlAt(event, 'onlineAddress') === null ? toPlace(null, options) : null;
  // Longitude and latitude, divided by a semicolon.
  const [longitude, latitude] = (textAt(address, 'geom') ?? '').split(';');
  const [name, street] = [textAt(address, 'description'), textAt(address, 'street')];
  return toPlace(
    {
      name: name === street ? null : name,
      address: street,
      postalCode: textAt(address, 'postalCode'),
      city: textAt(address, 'locality'),
      country: textAt(address, 'country'),
      latitude,
      longitude,
    },
    options,
  );
}

const ticketsOf = (event: JsonObject) =>
  listAt(event, 'options', 'offers').flatMap((offer) => {
    const [url, price] = [urlAt(offer, 'url'), Number(valueAt(offer, 'price') ?? Number.NaN)];
    const currency = parseCurrency(textAt(offer, 'priceCurrency'));
    if (url === null || currency === null || !(price >= 0)) return [];
    return [{ seller: siteHost(url), url, price_min: price, price_max: price, currency }];
  });
