/** Converts entities of MusicBrainz to feed records: artists, labels, venues, cities and genres. */

import { countryCodes } from '../../contract/parameters.ts';
import { isPartialDate } from '../../contract/partial-date.ts';
import { parseProfileLinks } from '../../text/profile-links.ts';
import type { RecordOf, RecordResult } from '../adapter.ts';
import { parseCoordinates, parsePlace } from '../address/place.ts';
import { commonsPicture } from '../common/commons.ts';
import { type JsonObject, stated } from '../common/values.ts';
import type { AreaIndex } from './areas.ts';
import { isElectronic } from './electronic-genres.ts';
import { asObject, currentUrls, genreNames, nonEmptyText, objectList, parseRelations } from './entity.ts';

/** Scope of the import: electronic music only, or everything. */
export type GenreScope = 'electronic' | 'all';

/** Selects genres. Tags can say anything, so only electronic ones count. */
function selectGenres(value: JsonObject, scope: GenreScope): string[] {
  const electronic = genreNames(value).filter(isElectronic);
  return scope === 'all'
    ? [...new Set([...genreNames({ genres: value.genres }), ...electronic])]
    : electronic;
}

const hasLatin = /\p{Script=Latin}/u;

/** Collects alternative names: no legal names, and no misspellings that only help a search. */
export function toAliases(value: JsonObject, name: string): string[] {
  const names = objectList(value.aliases)
    .filter(({ type }) => type !== 'Legal name' && type !== 'Search hint')
    .flatMap(({ name: alias }) => nonEmptyText(alias) ?? []);
  const sorted = nonEmptyText(value['sort-name']);
  // The sort name of a name in another script is its transliteration.
  if (sorted !== undefined && !hasLatin.test(name) && hasLatin.test(sorted))
    names.push(invertSortName(sorted));
  return [...new Set(names)]
    .filter((alias) => alias !== name && alias.length <= 500 && /[\p{L}\p{N}\p{P}\p{S}]/u.test(alias))
    .slice(0, 100);
}

/** Converts "Sakamoto, Ryuichi" to "Ryuichi Sakamoto". */
const invertSortName = (sorted: string): string => {
  const parts = sorted.split(', ');
  return parts.length === 2 ? `${parts[1]} ${parts[0]}` : sorted;
};

/**
 * Returns the links, ids, picture and website of an entity. `website` is a field of labels and venues; artists have it
 * only in `links`.
 */
export function toProfileFields(value: JsonObject, id: string) {
  const addresses = currentUrls(value);
  const { links, external_ids } = parseProfileLinks(addresses.map(({ address }) => address));
  const ownUrl = addresses.find(({ isOwn }) => isOwn)?.address;
  const website = ownUrl === undefined ? undefined : parseProfileLinks([ownUrl]).links[0]?.url;
  const picture = parseRelations(value)
    .filter(({ target, type, ended }) => target === 'url' && type === 'image' && !ended)
    .map(({ entity }) => commonsPicture(nonEmptyText(entity.resource) ?? null))
    .find((address) => address !== null);
  const named = links.map((link) => (link.url === website ? { ...link, type: 'website' } : link));
  return {
    ...stated({ links: named }),
    external_ids: { ...external_ids, musicbrainz: id },
    ...stated({ image_url: picture }),
    website,
  };
}

const parseCountryCode = (value: unknown): string | null => {
  const code = nonEmptyText(value)?.toUpperCase();
  return code !== undefined && countryCodes.has(code) ? code : null;
};

/** Converts an artist. The country of its area stands in for a missing one of its own. */
export function toArtist(
  value: JsonObject,
  id: string,
  name: string,
  areas: AreaIndex,
  scope: GenreScope,
): RecordOf<'artist'> {
  const legal = objectList(value.aliases).find(({ type, ended }) => type === 'Legal name' && ended !== true);
  const { website: _, ...profiles } = toProfileFields(value, id);
  return {
    kind: 'artist',
    external_id: id,
    name,
    ...stated({
      country: parseCountryCode(value.country) ?? areas.countryOf(value.area),
      aliases: toAliases(value, name),
      real_name: nonEmptyText(legal?.name),
      genres: selectGenres(value, scope).slice(0, 20),
      ended_at: endOf(value),
    }),
    ...profiles,
  };
}

/** Types of companies that release no records. */
export const nonLabelType = /^(?:Publisher|Distributor|Rights Society|Manufacturer)$/i;

/** Converts a label, with its owner of today and the artists under contract. */
export function toLabel(value: JsonObject, id: string, name: string, areas: AreaIndex): RecordOf<'label'> {
  const { website, ...profiles } = toProfileFields(value, id);
  const relations = parseRelations(value);
  const owner = relations.find(
    ({ target, type, direction, ended }) =>
      target === 'label' && type === 'label ownership' && direction === 'backward' && !ended,
  )?.entity;
  const roster = relations
    .filter(({ target, type }) => target === 'artist' && type === 'recording contract')
    .flatMap(({ entity }) => toReference(entity) ?? []);
  return {
    kind: 'label',
    external_id: id,
    name,
    ...stated({
      country: parseCountryCode(value.country) ?? areas.countryOf(value.area),
      founded_year: parseYear(asObject(value['life-span'])?.begin),
      closed_at: endOf(value),
      website,
      parent: owner && toReference(owner),
      artists: roster,
      aliases: toAliases(value, name),
    }),
    ...profiles,
  };
}

/** Returns the id and name of an entity; null without either, and for placeholders in brackets ("[no label]"). */
export function toReference(entity: JsonObject): { external_id: string; name: string } | null {
  const id = nonEmptyText(entity.id);
  const name = nonEmptyText(entity.name);
  return id === undefined || name === undefined || /^\[.*\]$/.test(name) ? null : { external_id: id, name };
}

/** The end of a life-span: a year, a month or a day. */
function endOf(value: JsonObject): string | null {
  const end = nonEmptyText(asObject(value['life-span'])?.end);
  return end !== undefined && isPartialDate(end) ? end : null;
}

const parseYear = (value: unknown): number | null => {
  const year = Number(/^(\d{4})(?:-|$)/.exec(nonEmptyText(value) ?? '')?.[1]);
  return year >= 1000 ? year : null;
};

/** Types of places without public concerts. */
export const nonVenueType = /^(?:Studio|Educational institution|Pressing plant|Religious building)$/i;

/** Converts a place to a venue, which needs a city and a country. */
export function toVenue(
  value: JsonObject,
  id: string,
  name: string,
  areas: AreaIndex,
): RecordResult<RecordOf<'venue'>> {
  const address = nonEmptyText(value.address);
  const parsedAddress = address === undefined ? null : parsePlace(address);
  const city = areas.cityOf(value.area, parsedAddress?.city);
  const country = areas.countryOf(value.area) ?? parsedAddress?.country ?? null;
  if (city === null) return { rejected: 'has no city' };
  if (country === null)
    return { rejected: `has no country: import the file of areas as well (${city} has none)` };
  const coordinates = asObject(value.coordinates);
  const point = parseCoordinates(coordinates?.latitude, coordinates?.longitude);
  const { website, ...profiles } = toProfileFields(value, id);
  return {
    record: {
      kind: 'venue',
      external_id: id,
      name,
      city,
      country,
      ...stated({ address, ...point, website, closed_at: endOf(value), aliases: toAliases(value, name) }),
      ...profiles,
    },
  };
}

/** Converts an area to a city; null for other areas. */
export function toCity(
  value: JsonObject,
  id: string,
  name: string,
  areas: AreaIndex,
): RecordResult<RecordOf<'city'>> | null {
  if (nonEmptyText(value.type) !== 'City') return null;
  const country = areas.countryOf(value);
  if (country === null) return { rejected: 'has no country' };
  const ownRegion = areas.regionOf(value);
  const region = ownRegion === name ? null : ownRegion;
  const optional = stated({ region, aliases: toAliases(value, name) });
  return { record: { kind: 'city', external_id: id, name, country, ...optional } };
}

/** Converts a genre. Of several parents an electronic one is preferred. */
export function toGenre(value: JsonObject, id: string, name: string): RecordOf<'genre'> {
  const parents = parseRelations(value)
    .filter(
      ({ target, type, direction }) => target === 'genre' && type === 'subgenre' && direction === 'backward',
    )
    .flatMap(({ entity }) => nonEmptyText(entity.name) ?? []);
  const parent = parents.find(isElectronic) ?? parents[0];
  return { kind: 'genre', external_id: id, name, ...stated({ parent, aliases: toAliases(value, name) }) };
}
