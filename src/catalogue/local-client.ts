/**
 * In-process client of the catalogue: returns the API's answers as objects, without HTTP. Links start with the given
 * base URL.
 */
import type { Clock } from '../clock.ts';
import { Problem } from '../contract/errors.ts';
import type { Kind } from '../contract/fields.ts';
import type { OperationId } from '../contract/operations.ts';
import type { ApiRecord } from '../contract/records.ts';
import { Failure } from '../failure.ts';
import { withBaseUrl } from '../store/records/serialize.ts';
import { findAskedEvents } from './asked-events.ts';
import { fetchEvents } from './event-filters.ts';
import { handleOperation } from './handlers.ts';
import { findWithinLimits, splitLimits } from './limited-events.ts';
import { regionNamed } from './places/cities.ts';
import type { Catalogue, OperationRequest } from './request.ts';

/** The catalogue, and the clock that decides what is upcoming. */
type LocalCatalogue = Catalogue & { clock: Clock };
/** The catalogue, and the slug of the city whose time zone questions without a place have. */
type AskedCatalogue = LocalCatalogue & { homeCity: string | null };
/** A request; missing members have no effect, and the limit defaults to 1. */
export type RecordRequest = Partial<Pick<OperationRequest, 'slug' | 'edition' | 'filters' | 'limit'>>;
/** The first entries of a list, and whether there are more. */
export type ListStart = { data: Record<string, unknown>[]; more: boolean };

type ListBody = { data: Record<string, unknown>[]; page: { has_more: boolean } };

const details: Record<Kind, OperationId> = {
  event: 'getEvent',
  artist: 'getArtist',
  venue: 'getVenue',
  festival: 'getFestival',
  edition: 'getFestivalEdition',
  city: 'getCity',
  label: 'getLabel',
  genre: 'getGenre',
  podcast: 'getPodcast',
  episode: 'getEpisode',
};

/** Returns a record as the API shows it. Throws a `Failure` if the slug does not exist. */
export function getRecord(
  catalogue: LocalCatalogue,
  kind: Kind,
  { slug, edition }: { slug: string; edition: string },
  baseUrl: string,
): Record<string, unknown> {
  try {
    return read<{ data: Record<string, unknown> }>(catalogue, details[kind], { slug, edition }, baseUrl).data;
  } catch (failure) {
    if (failure instanceof Problem && failure.type === 'not_found') {
      const name = JSON.stringify(kind === 'edition' ? `${slug}/${edition}` : slug);
      throw new Failure(`There is no ${kind} ${name}. Search with \`cratebase search\`.`);
    }
    throw failure;
  }
}

/** Returns the first entries of one of the API's lists. Throws a `Problem` if the slug does not exist. */
export function getList(
  catalogue: LocalCatalogue,
  operation: OperationId,
  about: RecordRequest,
  baseUrl: string,
): ListStart {
  const { data, page } = read<ListBody>(catalogue, operation, about, baseUrl);
  return { data, more: page.has_more };
}

/**
 * Returns the results of a search, best first, at most `limit`. A text that is the name of nothing may be a question:
 * "tonight in Berlin" finds the next events that answer it.
 */
export function searchRecords(
  catalogue: AskedCatalogue,
  query: string,
  limit: number,
  baseUrl: string,
): ApiRecord<'SearchHit'>[] {
  const hits = catalogue.search.search(query, limit, catalogue.clock.now());
  const records = hits.map((hit) => JSON.parse(withBaseUrl(hit, baseUrl)) as ApiRecord<'SearchHit'>);
  const room = limit - records.length;
  if (room < 1) return records;
  const all = [...records, ...eventsInRegion(catalogue, query, room, baseUrl, records)];
  return all.length > 0 ? all : eventsOfQuestion(catalogue, query, limit, baseUrl);
}

/**
 * The events that answer a question with days, a price, an age or names ("techno in Berlin on Friday"), upcoming ones unless
 * it asks for past ones ("last Klubnacht"); otherwise none.
 */
function eventsOfQuestion(
  catalogue: AskedCatalogue,
  text: string,
  limit: number,
  baseUrl: string,
): ApiRecord<'SearchHit'>[] {
  const { homeCity, clock } = catalogue;
  const query = { query: text, includePast: false, limit, countTo: limit, homeCity, now: clock.now() };
  const { limits } = splitLimits(text);
  const { results } =
    limits === null ? findAskedEvents(query, catalogue) : findWithinLimits(query, catalogue);
  const { reading, names, country, items, order } = results;
  const isUnderstood =
    reading !== null ||
    limits !== null ||
    country !== null ||
    order !== null ||
    names.some(({ match }) => match !== null);
  return isUnderstood ? items.map((json) => toSearchHit(json, baseUrl)) : [];
}

/** The next events in the cities of a region or island, if the text names one: "Mallorca". */
function eventsInRegion(
  catalogue: LocalCatalogue,
  text: string,
  limit: number,
  baseUrl: string,
  records: readonly ApiRecord<'SearchHit'>[],
): ApiRecord<'SearchHit'>[] {
  const region = regionNamed(catalogue, text);
  if (region === null) return [];
  const upcomingAt = catalogue.clock.now();
  const filters = region.cities.map(({ id }) => ({ cityId: id, upcomingAt }));
  const slugs = new Set(records.filter(({ type }) => type === 'event').map(({ slug }) => slug));
  return fetchEvents(catalogue, filters, '', limit + slugs.size)
    .map((json) => toSearchHit(json, baseUrl))
    .filter(({ slug }) => !slugs.has(slug))
    .slice(0, limit);
}

/** An entry of a list of events as a search result. */
function toSearchHit(json: string, baseUrl: string): ApiRecord<'SearchHit'> {
  const { slug, name, start_at, url, venue } = JSON.parse(
    withBaseUrl(json, baseUrl),
  ) as ApiRecord<'EventItem'>;
  const { city, country } = venue;
  return { type: 'event', slug, name, matched: name, city, country, start_at, image_url: null, url };
}

/** Returns the number of records of each kind. The answer contains no links. */
export const getStats = (catalogue: LocalCatalogue): ApiRecord<'Stats'> =>
  read<{ data: ApiRecord<'Stats'> }>(catalogue, 'getStats', {}, '').data;

function read<T>(
  catalogue: LocalCatalogue,
  operation: OperationId,
  about: RecordRequest,
  baseUrl: string,
): T {
  const request = { ...emptyRequest, now: catalogue.clock.now(), operation, ...about };
  return JSON.parse(withBaseUrl(handleOperation(request, catalogue), baseUrl)) as T;
}

/** Default values of a request. */
const emptyRequest = { slug: '', edition: '', filters: {}, limit: 1, cursor: undefined, q: '' };
