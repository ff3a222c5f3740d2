/** The filters of the list of all events and of its feeds: place, artist, festival, genre and days. */

import { countryCode } from '../../catalogue/places/countries.ts';
import { parseDate } from '../../contract/parameters.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import { cityText } from '../components/parts.tsx';
import { type PageContext, queryParameter } from '../page-context.ts';
import { type DayScope, findGenre } from './scope.ts';

/** The query parameters of the list. */
export const filterNames = ['city', 'country', 'venue', 'artist', 'festival', 'genre', 'from', 'to'] as const;
export type FilterValues = Record<(typeof filterNames)[number], string>;
/** Filters with their records. */
export type ListFilters = {
  values: FilterValues;
  scope: DayScope;
  /** The days from `from` to `to`. */
  days: Pick<EventFilter, 'from' | 'to'>;
  /** The names of the places: venue, city, country. */
  places: string[];
  /** The names of the artist and the festival. */
  acts: { artist: string | null; festival: string | null };
  /** Messages about invalid filters. */
  messages: string[];
  /** A filter names an unknown genre, venue, artist or festival, so that no event can match. */
  isNothing: boolean;
};

/** Reads the filters of the address. */
export function readListFilters(context: PageContext): ListFilters {
  const values = Object.fromEntries(
    filterNames.map((name) => [name, queryParameter(context, name, 100)]),
  ) as FilterValues;
  const { messages: texts } = context;
  const messages: string[] = [];
  const genre = values.genre === '' ? null : findGenre(context, values.genre);
  if (values.genre !== '' && genre === null) messages.push(texts.eventList.unknownGenre(values.genre));
  const place = readPlace(context, values, messages);
  const artist = readArtist(context, values.artist, messages);
  const festival = readFestival(context, values.festival, messages);
  const { from: _, to: __, genre: ___, ...kept } = values;
  const days: ListFilters['days'] = {};
  for (const name of ['from', 'to'] as const) {
    if (values[name] === '') continue;
    const date = parseDate(values[name]);
    if (date === null) messages.push(texts.eventList.notADate(values[name]));
    else days[name] = { date };
  }
  return {
    values,
    scope: {
      basePath: `${context.siteUrl.prefix}/events`,
      keep: kept,
      genre,
      filter: {
        ...place.filter,
        ...(artist === null ? {} : { artist: artist.id }),
        ...(festival === null ? {} : { editions: editionsOf(context, festival.id) }),
      },
      zone: place.zone,
      city: place.city,
    },
    days,
    places: place.places,
    acts: { artist: artist?.name ?? null, festival: festival?.name ?? null },
    messages,
    isNothing:
      (values.genre !== '' && genre === null) ||
      (values.artist !== '' && artist === null) ||
      (values.festival !== '' && festival === null) ||
      place.isNothing,
  };
}

type Named = { id: number; name: string };

/** Finds an artist by slug or name; null without one. */
function readArtist(
  { reader, messages: texts }: PageContext,
  text: string,
  messages: string[],
): Named | null {
  if (text === '') return null;
  const find = reader.namedRecords;
  const id = reader.find('artist', text.toLowerCase()) ?? find.byExactName('artist', text)[0]?.id;
  const artist = id === undefined ? null : find.byId('artist', id);
  if (artist === null) messages.push(texts.eventList.unknownArtist(text));
  return artist;
}

/** Editions of a festival that are read; none has more. */
const maxEditions = 500;

/** The ids of the editions of a festival. */
export const editionsOf = ({ reader }: PageContext, festival: number): number[] =>
  reader
    .editions(festival)
    .fetch(null, maxEditions, null)
    .map((entry) => Number(entry.at(-1)));

/** Finds a festival by slug; null without one. */
function readFestival(
  { reader, now, messages: texts }: PageContext,
  text: string,
  messages: string[],
): Named | null {
  if (text === '') return null;
  const id = reader.find('festival', text.toLowerCase()) ?? reader.find('festival', slugOf(text, 'festival'));
  if (id !== null) return { id, name: reader.details.festival(id, now).name };
  messages.push(texts.eventList.unknownFestival(text));
  return null;
}

type PlaceFilters = Pick<DayScope, 'filter' | 'zone' | 'city'> & { places: string[]; isNothing: boolean };

function readPlace(context: PageContext, values: FilterValues, messages: string[]): PlaceFilters {
  const { reader, messages: texts } = context;
  const find = reader.namedRecords;
  const filter: DayScope['filter'] = {};
  const places: string[] = [];
  let zone: string | null = null;
  let city: DayScope['city'] = null;
  let isNothing = false;
  if (values.venue !== '') {
    const id =
      reader.find('venue', values.venue.toLowerCase()) ?? find.byExactName('venue', values.venue)[0]?.id;
    const venue = id === undefined || id === null ? null : find.byId('venue', id);
    if (venue === null) {
      messages.push(texts.eventList.unknownVenue(values.venue));
      isNothing = true;
    } else {
      filter.venue = venue.id;
      places.push(venue.name);
      zone = venue.timezone;
    }
  }
  if (values.city !== '') {
    const words = normalizeForSearch(values.city);
    // Names in other languages are not in the file: "Genf" for Geneva.
    const id =
      reader.find('city', values.city.toLowerCase()) ??
      find.byExactName('city', values.city)[0]?.id ??
      find.allNames('city').find((one) => one.words === words)?.id;
    const record = id === undefined || id === null ? null : find.byId('city', id);
    if (record === null) {
      // Venues may state a city that has no record.
      const cityText = fold(values.city).trim();
      filter.cityText = cityText;
      if (reader.events.source({ cityText }).fetch(null, 1, null).length === 0) {
        messages.push(texts.eventList.unknownCity(values.city));
        isNothing = true;
      }
    } else {
      filter.cityId = record.id;
      zone ??= record.timezone;
      city = { slug: record.slug, name: cityText(texts, record.name, record.country) };
    }
    places.push(city?.name ?? values.city);
  }
  if (values.country !== '') {
    const code = countryCode(values.country);
    if (code === null) {
      messages.push(texts.common.unknownCountry(values.country));
      isNothing = true;
    } else {
      filter.country = code;
      places.push(texts.formats.country(code));
    }
  }
  return { filter, zone, city, places, isNothing };
}
