/**
 * Reads Gancio, the shared agenda of cities (`/api/events`). Each instance decides about the licence of its events; state
 * it as a rule of the source.
 */
import { instantOf, toEventRecords, toPlaceFromAddress, toTimes } from '../common/api-event.ts';
import { textAt, valueAt } from '../common/json.ts';
import { type JsonApi, jsonApiAdapter } from '../common/json-api.ts';
import { isJsonObject, type JsonObject } from '../common/values.ts';

/** Path of the interface at an instance. */
export const eventsPath = '/api/events';
/** Events of one answer are limited here: the interface has no pages. */
const maxEvents = 5_000;

/** Whether a value is an event of Gancio: two of its names are found in no other interface. */
export const isGancioEvent = (value: unknown): boolean =>
  isJsonObject(value) && 'start_datetime' in value && isJsonObject(value.place);

const api: JsonApi = {
  name: 'Gancio',
  maxEvents,
  firstRequest: ({ location, now }) => {
    const url = new URL(location);
    if (!url.pathname.endsWith(eventsPath)) {
      url.pathname = eventsPath;
      url.search = '';
    }
    // In seconds. Events of yesterday may still be on.
    if (!url.searchParams.has('start'))
      url.searchParams.set('start', String(Math.floor(now / 1_000) - 86_400));
    return { url: url.href };
  },
  eventsOf: (body) =>
    Array.isArray(body) && (body.length === 0 || body.some(isGancioEvent)) ? body.filter(isJsonObject) : null,
  nextRequest: () => null,
  toRecords: (event, { options }, _body, base) => {
    if (event.is_visible === false || event.is_visible === 0) return [];
    const slug = textAt(event, 'slug') ?? textAt(event, 'id');
    const at = (path: string) => (base === null ? null : new URL(path, base).href);
    const image = textAt(event, 'media', 0, 'url');
    return toEventRecords({
      id: textAt(event, 'id'),
      name: textAt(event, 'title'),
      times: toTimes(
        instantOf(valueAt(event, 'start_datetime'), 1_000),
        instantOf(valueAt(event, 'end_datetime'), 1_000),
        null,
        options,
      ),
      place: placeOf(event, options),
      description: textAt(event, 'description'),
      url: slug === null ? null : at(`/event/${encodeURIComponent(slug)}`),
      imageUrl: image === null ? null : at(`/media/${encodeURIComponent(image)}`),
    });
  },
};

/** Reads the events of an instance from yesterday on. Options: `timezone`, `venue`, `city`, `country`. */
export const gancio = jsonApiAdapter(api);

function placeOf(event: JsonObject, options: Readonly<Record<string, string>>) {
  const name = textAt(event, 'place', 'name');
  // "online" is the place of events on the web.
  if (name === null || /^online$/i.test(name)) return null;
  return toPlaceFromAddress(
    {
      id: textAt(event, 'place', 'id'),
      name,
      address: textAt(event, 'place', 'address'),
      latitude: valueAt(event, 'place', 'latitude'),
      longitude: valueAt(event, 'place', 'longitude'),
    },
    options,
  );
}
