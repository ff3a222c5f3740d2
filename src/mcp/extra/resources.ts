/** Records as MCP resources: `cratebase://artists/ben-klock` is the record of the REST API as JSON. */
import { handleOperation } from '../../catalogue/handlers.ts';
import type { OperationRequest } from '../../catalogue/request.ts';
import { Problem } from '../../contract/errors.ts';
import type { OperationId } from '../../contract/operations.ts';
import { withBaseUrl } from '../../store/records/serialize.ts';
import type { ToolContext } from '../tool.ts';

const scheme = 'cratebase://';

/** The operation of a record by the first part of its path. */
const operationsByPath: Readonly<Record<string, OperationId>> = {
  artists: 'getArtist',
  events: 'getEvent',
  venues: 'getVenue',
  festivals: 'getFestival',
  labels: 'getLabel',
  genres: 'getGenre',
  cities: 'getCity',
  podcasts: 'getPodcast',
  episodes: 'getEpisode',
};
/** The path of a kind of search hit. */
export const pathOfKind: Readonly<Record<string, string>> = {
  artist: 'artists',
  event: 'events',
  venue: 'venues',
  festival: 'festivals',
  label: 'labels',
};

/** The templates of the addresses of records, for `resources/templates/list`. */
export const resourceTemplates = Object.keys(operationsByPath).map((path) => ({
  uriTemplate: `${scheme}${path}/{slug}`,
  name: path,
  description: `One of the ${path}, as /api/v1/${path}/{slug} returns it.`,
  mimeType: 'application/json',
}));

export type ResourceLink = { type: 'resource_link'; uri: string; name: string; mimeType: string };
/** The members are in the order in which the SDK writes them. */
const link = (path: string, { slug, name }: { slug: string; name: string }): ResourceLink => ({
  name,
  uri: `${scheme}${path}/${slug}`,
  mimeType: 'application/json',
  type: 'resource_link',
});

type Named = { slug: string; name: string };
const maxLinks = 20;

/** Returns links to the records of a structured result. */
export function linksOf(structured: Record<string, unknown>): ResourceLink[] {
  const {
    events = [],
    festivals = [],
    artist,
    venue,
    event,
  } = structured as {
    events?: Named[];
    festivals?: { festival: Named }[];
    artist?: Named | null;
    venue?: Named | null;
    event?: Named | null;
  };
  return [
    ...(artist ? [link('artists', artist)] : []),
    ...(venue ? [link('venues', venue)] : []),
    ...(event ? [link('events', event)] : []),
    ...events.map((one) => link('events', one)),
    ...festivals.map(({ festival }) => link('festivals', festival)),
  ].slice(0, maxLinks);
}

/** A record by its path, as JSON of the REST API. Null if there is none. */
export function readRecord(
  address: string,
  { catalogue, now, baseUrl }: ToolContext,
): { path: string; json: string } | null {
  const [, path = '', slug = ''] =
    /^(?:cratebase:\/\/)?([a-z]+)\/([^/\s]{1,200})$/u.exec(address.trim()) ?? [];
  const operation = Object.hasOwn(operationsByPath, path) ? operationsByPath[path] : undefined;
  if (operation === undefined) return null;
  const request: OperationRequest = {
    operation,
    slug,
    edition: '',
    filters: {},
    limit: 1,
    cursor: undefined,
    q: '',
    now,
  };
  try {
    const body = catalogue.reader.snapshot(() => handleOperation(request, catalogue));
    const { data } = JSON.parse(withBaseUrl(body, baseUrl)) as { data: object };
    return { path: `${path}/${slug}`, json: JSON.stringify(data) };
  } catch (failure) {
    if (failure instanceof Problem && failure.type === 'not_found') return null;
    throw failure;
  }
}
