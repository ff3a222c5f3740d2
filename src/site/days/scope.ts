/** The scope of selected days on a page: a place, a genre, a time zone, and the addresses of its views. */
import { parseSelectedDays, type SelectedDays } from '../../catalogue/dates/selected-days.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import type { CountPeriod, CountScope } from '../../store/site/selection.ts';
import { withQuery } from '../components/pagination.tsx';
import { type PageContext, queryParameter } from '../page-context.ts';
import { maxFilterLength, type NamedValue, readValues, recordsOf, unknownValues } from './named-values.ts';

export type NamedGenre = { id: number; slug: string; name: string };
export type DayScope = {
  /** The path of the page with the prefix of the site. */
  basePath: string;
  /** Parameters of the page besides the days and the genres. */
  keep: Readonly<Record<string, string>>;
  /** Genres of which an event has at least one; none: any. */
  genres: readonly NamedGenre[];
  /** The place, without the genres. */
  filter: Pick<EventFilter, 'cityId' | 'venue' | 'country' | 'cityText' | 'artist' | 'editions' | 'anyOf'>;
  zone: string | null;
  /** The city that all events are in; null if there are many. */
  city: { slug: string; name: string } | null;
};

/** The query parameter of the days. */
export const daysParameter = 'when';
const maxParameterLength = 40;

/** The days that the address names: null without any, `unknown` if they cannot be read. */
export function requestedDays(
  context: PageContext,
  zone: string | null,
): SelectedDays | null | { unknown: string } {
  const text = queryParameter(context, daysParameter, maxParameterLength);
  if (text === '') return null;
  return parseSelectedDays(text, zone, context.now) ?? { unknown: text };
}

/** Finds a genre by slug or name; null if it is unknown. */
export function findGenre({ reader }: PageContext, text: string): NamedGenre | null {
  const id =
    reader.find('genre', text.toLowerCase()) ?? reader.namedRecords.byExactName('genre', text)[0]?.id;
  const genre = id === undefined ? null : reader.namedRecords.byId('genre', id);
  return genre === null || genre === undefined || id === undefined
    ? null
    : { id, slug: genre.slug, name: genre.name };
}

/** The genres that the address names, and the values that name none. */
export type ReadGenres = { genres: NamedGenre[]; values: NamedValue<NamedGenre>[]; unknown: string[] };

/** Reads the genres that the address names (`genre=techno,house`). */
export function readGenres(context: PageContext): ReadGenres {
  const text = queryParameter(context, 'genre', maxFilterLength);
  const values = readValues(text, (value) => findGenre(context, value));
  return { genres: recordsOf(values), values, unknown: unknownValues(values) };
}

/** Genres as the value of the parameter `genre`; empty without any. */
export const genresText = (genres: readonly NamedGenre[]): string => genres.map(({ slug }) => slug).join(',');
/** The names of genres: "Techno or House". */
export const genreNames = ({ formats }: Messages, genres: readonly NamedGenre[]): string =>
  formats.either(genres.map(({ name }) => name));

/** The address of a view of the scope. @param change parameters to set; an empty text removes one */
export const viewPath = (
  { basePath, keep, genres }: DayScope,
  change: { when?: string; genre?: string; cursor?: string | undefined },
): string =>
  withQuery(basePath, {
    ...keep,
    genre: change.genre ?? genresText(genres),
    [daysParameter]: change.when,
    cursor: change.cursor,
  });

/** The filter of a scope with its genres. */
export const filterOf = ({ filter, genres }: DayScope): EventFilter => ({
  ...filter,
  ...genreFilter(genres, filter.anyOf),
});

/** The filter of events that have one of the genres. @param anyOf other filters with several values */
export function genreFilter(genres: readonly NamedGenre[], anyOf: EventFilter['anyOf'] = {}): EventFilter {
  const ids = genres.map(({ id }) => id);
  if (ids.length > 1) return { anyOf: { ...anyOf, genre: ids } };
  return ids[0] === undefined ? {} : { genre: ids[0] };
}

/** What the indexes can count; null if the scope has no city, venue or genre, or one that no index covers. */
export function countScope({ filter, genres }: DayScope, withGenre = true): CountScope | null {
  const { cityId, venue, country, cityText, artist, editions, anyOf } = filter;
  if (country !== undefined || cityText !== undefined || anyOf !== undefined) return null;
  if (artist !== undefined || editions !== undefined) return null;
  if (cityId !== undefined && venue !== undefined) return null;
  const isOfGenre = withGenre && genres.length > 0;
  const own = isOfGenre ? { genres: genres.map(({ id }) => id) } : {};
  if (venue !== undefined) return { venue, ...own };
  if (cityId !== undefined) return { cityId, ...own };
  return isOfGenre ? own : null;
}

/** A date as the number yyyymmdd. */
export const dateNumber = (date: string): number => Number(date.replaceAll('-', ''));
/** A number yyyymmdd as yyyy-mm-dd. */
export const dateText = (date: number): string =>
  String(date)
    .padStart(8, '0')
    .replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3');

/** The counted period of selected days. */
export const periodOf = ({ first, last, filter }: SelectedDays): CountPeriod => ({
  from: dateNumber(first),
  to: dateNumber(last),
  now: filter.upcomingAt ?? null,
});
