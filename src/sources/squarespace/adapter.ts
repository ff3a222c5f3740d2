/**
 * Reads pages of events of Squarespace sites in their JSON view (`?format=json`). The site decides about the licence of
 * its texts; state it as a rule of the source.
 */
import { instantOf, toEventRecords, toPlaceFromAddress, toTimes } from '../common/api-event.ts';
import { listAt, textAt, urlAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { isJsonObject, type JsonObject } from '../common/values.ts';

/** The address of the JSON view of a page. */
export function toJsonView(location: string): string {
  const url = new URL(location);
  url.searchParams.set('format', 'json');
  return url.href;
}

const api: JsonApi = {
  name: 'a Squarespace page of events',
  firstRequest: ({ location }) => ({ url: toJsonView(location) }),
  eventsOf: (body) => {
    if (!isJsonObject(body) || !isJsonObject(body.website) || !isJsonObject(body.collection)) return null;
    const items = [
      ...listAt(body, 'upcoming'),
      ...listAt(body, 'items'),
      ...(isJsonObject(body.item) ? [body.item] : []),
    ];
    const events = items.filter((item) => 'startDate' in item);
    // Another collection, such as a blog, is no page of events.
    return events.length === 0 && (items.length > 0 || !('upcoming' in body)) ? null : events;
  },
  nextRequest: (body, { url }) => {
    const next = textAt(body, 'pagination', 'nextPageUrl');
    if (next === null || !URL.canParse(next, url)) return null;
    return { url: toJsonView(new URL(next, url).href) };
  },
  toRecords: (event, { options }, body, base) => {
    const path = textAt(event, 'fullUrl');
    const site = base ?? urlAt(body, 'website', 'baseUrl');
    return toEventRecords({
      id: textAt(event, 'id'),
      name: textAt(event, 'title'),
      times: toTimes(
        instantOf(event.startDate, 1),
        instantOf(event.endDate, 1),
        textAt(body, 'website', 'timeZone'),
        options,
      ),
      place: placeOf(event, options),
      description: textAt(event, 'body') ?? textAt(event, 'excerpt'),
      url: path !== null && site !== null && URL.canParse(path, site) ? new URL(path, site).href : null,
      imageUrl: imageOf(event),
    });
  },
};

/** Reads the upcoming events of a page. Options: `timezone`, `venue`, `city`, `country`, `pause`. */
export const squarespace = jsonApiAdapter(api);

/** The picture of an item; an item without one has the address of a folder. */
function imageOf(event: JsonObject): string | null {
  const url = urlAt(event, 'assetUrl');
  return url === null || url.endsWith('/') ? null : url;
}

function placeOf(event: JsonObject, options: Readonly<Record<string, string>>) {
  const location = valueAt(event, 'location');
  const text = (name: string) => textAt(location, name);
  const lines = [text('addressLine1'), text('addressLine2'), text('addressCountry')];
  return toPlaceFromAddress(
    {
      name: text('addressTitle'),
      address: lines.filter((line) => line !== null).join(', '),
      // Without an address, `mapLat` is the site's default. `markerLat` is set by a person.
      latitude: lines[0] === null ? undefined : valueAt(location, 'markerLat'),
      longitude: lines[0] === null ? undefined : valueAt(location, 'markerLng'),
    },
    options,
  );
}
