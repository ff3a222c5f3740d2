/** Serialization shared by all kinds of record. */
import { type ExternalService, externalServices, idPrefixes, type Kind } from '../../contract/fields.ts';
import { memoize } from '../../memoize.ts';

/**
 * The placeholder of the base URL in stored JSON, so that the file stays valid when the address changes. As JSON
 * text it is `\u0001`. No other text contains it, because imports drop control characters.
 */
export const baseUrlPlaceholder = '\u0001';
/** The placeholder as JSON text has it. */
export const escapedPlaceholder = '\\u0001';

/** The base URL within a text of JSON. A service has one. */
export const escapedBaseUrl = memoize(100, (baseUrl: string) => JSON.stringify(baseUrl).slice(1, -1));

/** Replaces the placeholder in JSON text by the base URL. */
export function withBaseUrl(json: string, baseUrl: string): string {
  return json.replaceAll(escapedPlaceholder, escapedBaseUrl(baseUrl));
}

/** The public form of a record's id: never reused, in the order of creation. */
export function publicId(kind: Kind, id: number): string {
  return `${idPrefixes[kind]}_${id.toString(36).padStart(6, '0')}`;
}

/** The first segment of the addresses of public pages. An edition is below its festival. */
export const pageCollections = {
  event: 'events',
  artist: 'artists',
  venue: 'venues',
  festival: 'festivals',
  city: 'cities',
  label: 'labels',
  genre: 'genres',
  podcast: 'podcasts',
  episode: 'episodes',
} as const satisfies Record<Exclude<Kind, 'edition'>, string>;
const collectionOf: Partial<Record<Kind, string>> = pageCollections;

/** The address of a record's public page. */
export const pageUrl = (kind: Kind, slug: string): string =>
  `${baseUrlPlaceholder}/${collectionOf[kind]}/${slug}`;
/** The address of an edition's public page, below that of its festival. */
export const editionUrl = (festivalSlug: string, edition: string): string =>
  `${pageUrl('festival', festivalSlug)}/editions/${encodeURIComponent(edition)}`;

/** Converts stored external ids to an object with exactly the services of the API; absent ones are null. */
export function toExternalIds(json: string): Record<ExternalService, string | null> {
  const ids = parseExternalIds(json);
  return Object.fromEntries(externalServices.map((service) => [service, ids[service] ?? null])) as Record<
    ExternalService,
    string | null
  >;
}

/** Parses the column `external_ids`: ids by service. */
export const parseExternalIds = (json: string): Record<string, string> => JSON.parse(json);
/** Parses the column `links`. */
export const parseLinks = (json: string): { type: string; url: string }[] => JSON.parse(json);
/** Parses the column `aliases`. */
export const parseAliases = (json: string): string[] => JSON.parse(json);
/** A reference object; null without a slug. */
export const toRef = (slug: string | null, name: string | null): { slug: string; name: string } | null =>
  slug === null ? null : { slug, name: name ?? '' };
