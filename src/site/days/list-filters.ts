/** The filters of the list of all events and of its feeds: places, artists, festivals, genres and days. */

import { parseDate } from '../../contract/parameters.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import { type PageContext, queryParameter } from '../page-context.ts';
import { type NamedFilters, namedFilters, placeFilter, readNamedFilters } from './named-filters.ts';
import { maxFilterLength, type NamedValue, recordsOf, unknownValues } from './named-values.ts';
import type { DayScope } from './scope.ts';

/** The query parameters of the list. */
export const filterNames = ['city', 'country', 'venue', 'artist', 'festival', 'genre', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];
export type FilterValues = Record<FilterName, string>;
/** One value of a filter as the page names it, and the text of the filter without it. */
export type FilterTag = { name: FilterName; label: string; rest: string };
/** Filters with their records. */
export type ListFilters = {
  values: FilterValues;
  tags: FilterTag[];
  scope: DayScope;
  /** The days from `from` to `to`. */
  days: Pick<EventFilter, 'from' | 'to'>;
  /** The names of the places: venues, cities, countries. */
  places: string[];
  /** The names of the artists and festivals. */
  acts: { artist: string | null; festival: string | null };
  /** Messages about invalid filters. */
  messages: string[];
  /** All values of a filter are unknown, so that no event can match. */
  isNothing: boolean;
};

/** Reads the filters of the address. */
export function readListFilters(context: PageContext): ListFilters {
  const values = Object.fromEntries(
    filterNames.map((name) => [name, queryParameter(context, name, maxFilterLength)]),
  ) as FilterValues;
  const named = readNamedFilters(context, values);
  const { from: _, to: __, genre: ___, ...kept } = values;
  const { days, notDates } = readPeriod(context, values);
  const { either } = context.messages.formats;
  const namesOf = (name: 'venue' | 'city' | 'country' | 'artist' | 'festival'): string[] => {
    // An unknown city is named too: its events may be missing, not the city.
    const all = named[name].flatMap(({ record, text }) => record?.name ?? (name === 'city' ? text : []));
    return all.length === 0 ? [] : [either([...new Set(all)])];
  };
  return {
    values,
    tags: [
      ...namedFilters.flatMap((name) => tagsOf(name, named[name])),
      ...periodTags(context, values, days),
    ],
    scope: {
      basePath: `${context.siteUrl.prefix}/events`,
      keep: kept,
      genres: recordsOf(named.genre),
      ...placeFilter(context, named),
    },
    days,
    places: [...namesOf('venue'), ...namesOf('city'), ...namesOf('country')],
    acts: { artist: namesOf('artist')[0] ?? null, festival: namesOf('festival')[0] ?? null },
    messages: [...unknownTexts(context, named), ...notDates],
    isNothing: namedFilters.some(
      (name) => named[name].length > 0 && named[name].every(({ record }) => record === null),
    ),
  };
}

function readPeriod(
  { messages: { eventList: words } }: PageContext,
  values: FilterValues,
): { days: ListFilters['days']; notDates: string[] } {
  const days: ListFilters['days'] = {};
  const notDates: string[] = [];
  for (const name of ['from', 'to'] as const) {
    if (values[name] === '') continue;
    const date = parseDate(values[name]);
    if (date === null) notDates.push(words.notADate(values[name]));
    else days[name] = { date };
  }
  return { days, notDates };
}

const periodTags = (
  { messages: { eventList: words, formats } }: PageContext,
  values: FilterValues,
  days: ListFilters['days'],
): FilterTag[] =>
  (['from', 'to'] as const)
    .filter((name) => days[name] !== undefined)
    .map((name) => ({ name, label: `${words[name]} ${formats.shortDate(values[name])}`, rest: '' }));

/** A tag for each value: what it names, otherwise the text. */
const tagsOf = (name: FilterName, values: readonly NamedValue<{ name: string }>[]): FilterTag[] =>
  values.map((value) => ({
    name,
    label: value.record?.name ?? value.text,
    rest: values
      .filter((one) => one !== value)
      .map(({ text }) => text)
      .join(','),
  }));

function unknownTexts(
  { messages: { eventList: words, common } }: PageContext,
  named: NamedFilters,
): string[] {
  const texts = {
    genre: words.unknownGenre,
    venue: words.unknownVenue,
    city: words.unknownCity,
    country: common.unknownCountry,
    artist: words.unknownArtist,
    festival: words.unknownFestival,
  };
  return namedFilters.flatMap((name) => unknownValues(named[name]).map(texts[name]));
}
