/** Rows in, contract records out: what all kinds of record share. */
import { type ExternalService, externalServices, idPrefixes, type Kind } from '../../contract/fields.ts';

/**
 * Stands in stored and rendered JSON where the service's base address goes, so that the file need not be rewritten when
 * the address changes. As JSON text it reads `\u0001`; no other text holds it, since control characters are dropped
 * from everything that is read.
 */
export const baseUrlPlaceholder = '\u0001';
const escapedPlaceholder = '\\u0001';

/** The JSON text with every address under `configuredBaseUrl`. */
export function withBaseUrl(json: string, baseUrl: string): string {
  return json.replaceAll(escapedPlaceholder, JSON.stringify(baseUrl).slice(1, -1));
}

/** The public form of a record's id: never reused, in the order of creation. */
export function publicId(kind: Kind, id: number): string {
  return `${idPrefixes[kind]}_${id.toString(36).padStart(6, '0')}`;
}

/** A time in ms as bodies show it, in UTC to the second. */
export function formatUtc(ts: number): string {
  return new Date(ts).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

const pagePaths: Partial<Record<Kind, string>> = {
  event: 'events',
  artist: 'artists',
  venue: 'venues',
  festival: 'festivals',
  city: 'cities',
  label: 'labels',
  genre: 'genres',
  podcast: 'podcasts',
  episode: 'episodes',
};

/** The address of a record's public page. */
export const pageUrl = (kind: Kind, slug: string): string =>
  `${baseUrlPlaceholder}/${pagePaths[kind]}/${slug}`;
export const editionUrl = (festivalSlug: string, edition: string): string =>
  `${pageUrl('festival', festivalSlug)}/editions/${encodeURIComponent(edition)}`;

/** An object with exactly the services of the contract. */
export function toExternalIds(json: string): Record<ExternalService, string | null> {
  const known = JSON.parse(json) as Record<string, string>;
  return Object.fromEntries(externalServices.map((service) => [service, known[service] ?? null])) as Record<
    ExternalService,
    string | null
  >;
}

export const parseLinks = (json: string): { type: string; url: string }[] => JSON.parse(json);
export const parseAliases = (json: string): string[] => JSON.parse(json);
/** A reference object, or null. */
export const toRef = (slug: string | null, name: string | null): { slug: string; name: string } | null =>
  slug === null ? null : { slug, name: name ?? '' };
