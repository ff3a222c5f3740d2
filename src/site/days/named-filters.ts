/** The records that the filters of the event list name, and the places that they restrict the events to. */

import { countryCode } from '../../catalogue/places/countries.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import { cityText } from '../components/parts.tsx';
import type { PageContext } from '../page-context.ts';
import { type NamedValue, readValues, recordsOf } from './named-values.ts';
import { type DayScope, findGenre, type NamedGenre } from './scope.ts';

/** The filters whose values are names. */
export const namedFilters = ['genre', 'venue', 'city', 'country', 'artist', 'festival'] as const;

type Named = { id: number; name: string };
type NamedVenue = Named & { timezone: string | null };
/** A city record; without one, `id` and `slug` are null, and events state the city as a text. */
type NamedCity = {
  id: number | null;
  slug: string | null;
  name: string;
  folded: string;
  timezone: string | null;
};
type NamedCountry = { code: string; name: string };
/** The values of the filters with what they name. */
export type NamedFilters = {
  genre: NamedValue<NamedGenre>[];
  venue: NamedValue<NamedVenue>[];
  city: NamedValue<NamedCity>[];
  country: NamedValue<NamedCountry>[];
  artist: NamedValue<Named>[];
  festival: NamedValue<Named>[];
};

/** Reads the values of the filters. */
export const readNamedFilters = (
  context: PageContext,
  values: Readonly<Record<(typeof namedFilters)[number], string>>,
): NamedFilters => ({
  genre: readValues(values.genre, (text) => findGenre(context, text)),
  venue: readValues(values.venue, (text) => findVenue(context, text)),
  city: readValues(values.city, (text) => findCity(context, text)),
  country: readValues(values.country, (text) => findCountry(context, text)),
  artist: readValues(values.artist, (text) => findArtist(context, text)),
  festival: readValues(values.festival, (text) => findFestival(context, text)),
});

/** The filter of the places, artists and festivals, with the time zone and the city that all events share. */
export function placeFilter(
  context: PageContext,
  named: NamedFilters,
): Pick<DayScope, 'filter' | 'zone' | 'city'> {
  const artists = recordsOf(named.artist).map(({ id }) => id);
  const venues = recordsOf(named.venue);
  const cities = named.city.flatMap(({ record }) => record ?? []);
  const countries = [...new Set(named.country.flatMap(({ record }) => record?.code ?? []))];
  const festivals = recordsOf(named.festival);
  const cityIds = [...new Set(cities.flatMap(({ id }) => id ?? []))];
  const cityTexts = [...new Set(cities.map(({ folded }) => folded))];
  // Without a record of each, cities are compared by name.
  const hasRecords = cities.every(({ id }) => id !== null);
  const venueIds = venues.map(({ id }) => id);
  const anyOf = {
    ...several('artist', artists),
    ...several('venue', venueIds),
    ...(hasRecords ? several('cityId', cityIds) : several('cityText', cityTexts)),
    ...several('country', countries),
  };
  const zones = new Set((venues.length > 0 ? venues : cities).map(({ timezone }) => timezone));
  const [city] = cities;
  return {
    filter: {
      ...single('artist', artists),
      ...single('venue', venueIds),
      ...(hasRecords ? single('cityId', cityIds) : single('cityText', cityTexts)),
      ...single('country', countries),
      ...(festivals.length === 0 ? {} : { editions: festivals.flatMap(({ id }) => editionsOf(context, id)) }),
      ...(Object.keys(anyOf).length === 0 ? {} : { anyOf }),
    },
    zone: zones.size === 1 ? ([...zones][0] ?? null) : null,
    city:
      city === undefined || city.slug === null || cityIds.length !== 1 || !hasRecords
        ? null
        : { slug: city.slug, name: city.name },
  };
}

const single = <K extends string, T>(name: K, values: readonly T[]): { [_ in K]?: T } =>
  values.length === 1 ? ({ [name]: values[0] } as { [_ in K]: T }) : {};
const several = <K extends string, T>(name: K, values: readonly T[]): { [_ in K]?: readonly T[] } =>
  values.length > 1 ? ({ [name]: values } as { [_ in K]: readonly T[] }) : {};

/** Editions of a festival that are read; none has more. */
const maxEditions = 500;

/** The ids of the editions of a festival. */
export const editionsOf = ({ reader }: PageContext, festival: number): number[] =>
  reader
    .editions(festival)
    .fetch(null, maxEditions, null)
    .map((entry) => Number(entry.at(-1)));

/** Finds an artist by slug or name. */
function findArtist({ reader }: PageContext, text: string): Named | null {
  const find = reader.namedRecords;
  const id = reader.find('artist', text.toLowerCase()) ?? find.byExactName('artist', text)[0]?.id;
  return id === undefined ? null : find.byId('artist', id);
}

/** Finds a festival by slug, or by the slug of its name. */
function findFestival({ reader, now }: PageContext, text: string): Named | null {
  const id = reader.find('festival', text.toLowerCase()) ?? reader.find('festival', slugOf(text, 'festival'));
  return id === null ? null : { id, name: reader.details.festivals.festival(id, now).name };
}

/** Finds a venue by slug or name. */
function findVenue({ reader }: PageContext, text: string): NamedVenue | null {
  const find = reader.namedRecords;
  const id = reader.find('venue', text.toLowerCase()) ?? find.byExactName('venue', text)[0]?.id;
  return id === undefined ? null : find.byId('venue', id);
}

/** Finds a city by slug, name, alias or its name in another language; otherwise one that events state. */
function findCity({ reader, messages }: PageContext, text: string): NamedCity | null {
  const find = reader.namedRecords;
  const words = normalizeForSearch(text);
  // Names in other languages are not in the file: "Genf" for Geneva.
  const id =
    reader.find('city', text.toLowerCase()) ??
    find.byExactName('city', text)[0]?.id ??
    find.allNames('city').find((one) => one.words === words)?.id;
  const record = id === undefined ? null : find.byId('city', id);
  if (record !== null && id !== undefined) {
    const { slug, name, country, timezone } = record;
    return { id, slug, name: cityText(messages, name, country), folded: fold(name).trim(), timezone };
  }
  const folded = fold(text).trim();
  if (reader.events.source({ cityText: folded }).fetch(null, 1, null).length === 0) return null;
  return { id: null, slug: null, name: text, folded, timezone: null };
}

/** Finds a country by code or name. */
function findCountry({ messages }: PageContext, text: string): NamedCountry | null {
  const code = countryCode(text);
  return code === null ? null : { code, name: messages.formats.country(code) };
}
