/**
 * Finds events in the data that Next.js puts into its pages (`__NEXT_DATA__`). The data has the names that each site gives
 * it. An object counts as an event if it has a name, a start under a name that only events use, and a place or artists.
 */
import { parseJson } from '../common/parse-json.ts';
import { isJsonObject, type JsonObject, parseDateTime } from '../common/values.ts';

const maxObjects = 50_000;
const maxDepth = 40;
const maxEvents = 2_000;

const nameKeys = ['title', 'name', 'eventName', 'headline'];
const startKeys = [
  ...['startDate', 'start_date', 'startDateTime', 'start_datetime', 'startsAt', 'starts_at', 'startAt'],
  ...[
    'start_at',
    'startTime',
    'start_time',
    'dateStart',
    'date_start',
    'eventDate',
    'event_date',
    'beginsOn',
  ],
];
const endKeys = startKeys.map((key) =>
  key.replace(/^starts?/, (word) => (word === 'starts' ? 'ends' : 'end')).replace(/Start$/, 'End'),
);
const placeKeys = ['venue', 'location', 'place', 'club'];
const artistKeys = ['artists', 'lineup', 'lineUp', 'line_up', 'performers', 'acts'];
const urlKeys = ['url', 'permalink', 'link', 'href', 'ticketUrl', 'ticket_url'];

/**
 * Returns the events as schema.org nodes; null: the text is not JSON.
 * @param onCut called if there may be more of them than is read
 */
export function parseNextData(text: string, onCut: () => void = () => {}): JsonObject[] | null {
  let root: unknown;
  try {
    root = parseJson(text);
  } catch {
    return null;
  }
  const events: JsonObject[] = [];
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  let left = maxObjects;
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    if (left <= 0 || events.length >= maxEvents) {
      onCut();
      break;
    }
    const { value, depth } = step;
    if (typeof value !== 'object' || value === null || depth > maxDepth) continue;
    left--;
    const event = isJsonObject(value) ? toEventNode(value) : null;
    if (event !== null) events.push(event);
    // Parts of an event are no events.
    const parts: unknown[] = event !== null ? [] : Object.values(value).slice(0, maxObjects);
    for (let index = parts.length - 1; index >= 0; index--)
      waiting.push({ value: parts[index], depth: depth + 1 });
  }
  return events;
}

function toEventNode(value: JsonObject): JsonObject | null {
  const [name, start] = [textOf(value, nameKeys), timeOf(value, startKeys)];
  if (name === null || start === null) return null;
  const place = toPlaceNode(firstOf(value, placeKeys));
  const artists = toPerformers(firstOf(value, artistKeys));
  if (place === null && artists.length === 0) return null;
  const image = firstOf(value, ['image', 'imageUrl', 'image_url', 'cover', 'flyer', 'poster']);
  return {
    '@type': 'MusicEvent',
    name,
    startDate: start,
    endDate: timeOf(value, endKeys),
    url: textOf(value, urlKeys),
    image: isJsonObject(image) ? textOf(image, ['url', 'src']) : image,
    description: textOf(value, ['description', 'summary']),
    location: place,
    performer: artists,
  };
}

const firstOf = (value: JsonObject, keys: readonly string[]): unknown => {
  for (const key of keys) if (Object.hasOwn(value, key) && value[key] != null) return value[key];
  return null;
};

function textOf(value: unknown, keys: readonly string[]): string | null {
  const text = isJsonObject(value) ? firstOf(value, keys) : null;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/** Returns the first time: a text, or seconds or milliseconds since 1970. */
function timeOf(value: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const time = Object.hasOwn(value, key) ? value[key] : null;
    if (typeof time === 'string' && time.length < 60 && parseDateTime(time) !== null) return time;
    // Seconds of this century have 10 digits, milliseconds 13.
    if (typeof time === 'number' && time > 1e9 && time < 4e12)
      return new Date(time < 1e11 ? time * 1_000 : time).toISOString();
  }
  return null;
}

function toPlaceNode(place: unknown): JsonObject | null {
  if (typeof place === 'string') return place.trim() === '' ? null : { '@type': 'Place', name: place };
  const name = textOf(place, ['name', 'title']);
  if (name === null || !isJsonObject(place)) return null;
  const address = isJsonObject(place.address) ? place.address : place;
  const part = (keys: readonly string[]): string | null => {
    const value = firstOf(address, keys) ?? firstOf(place, keys);
    return typeof value === 'string' ? value : textOf(value, ['name', 'title', 'code', 'iso']);
  };
  return {
    '@type': 'Place',
    name,
    address: {
      '@type': 'PostalAddress',
      streetAddress: part(['street', 'streetAddress', 'address1', 'line1', 'address']),
      postalCode: part(['postalCode', 'postal_code', 'zip', 'postcode']),
      addressLocality: part(['city', 'locality', 'town']),
      addressCountry: part(['countryCode', 'country_code', 'country']),
    },
  };
}

const toPerformers = (artists: unknown): JsonObject[] =>
  (Array.isArray(artists) ? artists.slice(0, 500) : []).flatMap((artist) => {
    const name = typeof artist === 'string' ? artist : textOf(artist, ['name', 'title']);
    return name === null ? [] : [{ '@type': 'MusicGroup', name }];
  });
