/**
 * Answers for whoever asks within this program, not over HTTP: what the API would show, read back from its JSON, with
 * the address under which records are to lie.
 */
import type { Clock } from '../clock.ts';
import { Problem } from '../contract/errors.ts';
import type { Kind } from '../contract/fields.ts';
import type { OperationId } from '../contract/operations.ts';
import type { ApiRecord } from '../contract/records.ts';
import { Failure } from '../failure.ts';
import { withBaseUrl } from '../store/records/serialize.ts';
import { type Catalogue, handleOperation, type OperationRequest } from './handlers.ts';

/** The catalogue, and the time that counts for what is upcoming. */
type LocalCatalogue = Catalogue & { clock: Clock };
/** What is asked about; what is left out stands for nothing, the limit for 1. */
export type RecordRequest = Partial<Pick<OperationRequest, 'slug' | 'edition' | 'filters' | 'limit'>>;
/** The first entries of a list, and whether there are others. */
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

/** A record as the API shows it; throws a `Failure` where nobody has the slug. */
export function getRecord(
  asked: LocalCatalogue,
  kind: Kind,
  { slug, edition }: { slug: string; edition: string },
  baseUrl: string,
): Record<string, unknown> {
  try {
    return read<{ data: Record<string, unknown> }>(asked, details[kind], { slug, edition }, baseUrl).data;
  } catch (failure) {
    if (failure instanceof Problem && failure.type === 'not_found') {
      const shown = JSON.stringify(kind === 'edition' ? `${slug}/${edition}` : slug);
      throw new Failure(`There is no ${kind} ${shown}. \`cratebase search\` finds what there is.`);
    }
    throw failure;
  }
}

/** The beginning of one of the API's lists; throws a `Problem` where nobody has the slug. */
export function getList(
  asked: LocalCatalogue,
  operation: OperationId,
  about: RecordRequest,
  baseUrl: string,
): ListStart {
  const { data, page } = read<ListBody>(asked, operation, about, baseUrl);
  return { data, more: page.has_more };
}

/** What a search finds, best first, at most `limit`. */
export function searchRecords(
  { search, clock }: LocalCatalogue,
  query: string,
  limit: number,
  baseUrl: string,
): ApiRecord<'SearchHit'>[] {
  const hits = search.search(query, limit, clock.now());
  return hits.map((hit) => JSON.parse(withBaseUrl(hit, baseUrl)) as ApiRecord<'SearchHit'>);
}

/** How much the catalogue has of each kind. No address stands in it. */
export const getStats = (asked: LocalCatalogue): ApiRecord<'Stats'> =>
  read<{ data: ApiRecord<'Stats'> }>(asked, 'getStats', {}, '').data;

function read<T>(asked: LocalCatalogue, operation: OperationId, about: RecordRequest, baseUrl: string): T {
  const ask = { ...emptyRequest, now: asked.clock.now(), operation, ...about };
  return JSON.parse(withBaseUrl(handleOperation(ask, asked), baseUrl)) as T;
}

/** A question about nothing in particular. */
const emptyRequest = { slug: '', edition: '', filters: {}, limit: 1, cursor: undefined, q: '' };
