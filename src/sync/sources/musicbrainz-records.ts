/** Entities of MusicBrainz as lines of the feed format: artists, labels, places, cities and genres. */
import { countryCodes } from '../../contract/parameters.ts';
import { readProfiles } from '../reading/profile-links.ts';
import type { RecordOf } from './adapter.ts';
import type { Areas } from './musicbrainz-areas.ts';
import {
  addressesOf,
  genresOf,
  type Json,
  objectOf,
  objects,
  relationsOf,
  textOf,
} from './musicbrainz-entity.ts';
import { isElectronic } from './musicbrainz-genres.ts';
import { readPlace, readPoint } from './place.ts';

/** What is asked of the source: electronic music alone, or all there is. */
export type Choice = 'electronic' | 'all';

/** Genres as they are agreed on; tags, which may say anything, only where they name electronic music. */
export function genresFor(value: Json, choice: Choice): string[] {
  const electronic = genresOf(value).filter(isElectronic);
  return choice === 'all' ? [...new Set([...genresOf({ genres: value.genres }), ...electronic])] : electronic;
}

const hasLatin = /\p{Script=Latin}/u;

/** Names it is found by as well: not its legal name, not misspellings that only guide a search. */
export function aliasesOf(value: Json, name: string): { aliases: string[] } | Record<string, never> {
  const names = objects(value.aliases)
    .filter(({ type }) => type !== 'Legal name' && type !== 'Search hint')
    .flatMap(({ name: alias }) => textOf(alias) ?? []);
  const sorted = textOf(value['sort-name']);
  // The sort name of a name in another script tells how it is read.
  if (sorted !== undefined && !hasLatin.test(name) && hasLatin.test(sorted)) names.push(turned(sorted));
  const aliases = [...new Set(names)]
    .filter((alias) => alias !== name && alias.length <= 500 && /[\p{L}\p{N}\p{P}\p{S}]/u.test(alias))
    .slice(0, 100);
  return aliases.length > 0 ? { aliases } : {};
}

/** "Sakamoto, Ryuichi" is Ryuichi Sakamoto. */
const turned = (sorted: string): string => {
  const parts = sorted.split(', ');
  return parts.length === 2 ? `${parts[1]} ${parts[0]}` : sorted;
};

export function profilesOf(value: Json, id: string) {
  const addresses = addressesOf(value);
  const { links, external_ids } = readProfiles(addresses.map(({ address }) => address));
  const own = addresses.find(({ own }) => own)?.address;
  const website = own === undefined ? undefined : readProfiles([own]).links[0]?.url;
  const named = links.map((link) => (link.url === website ? { ...link, type: 'website' } : link));
  return {
    ...(named.length > 0 ? { links: named } : {}),
    external_ids: { ...external_ids, musicbrainz: id },
    website,
  };
}

const codeOf = (value: unknown): string | null => {
  const code = textOf(value)?.toUpperCase();
  return code !== undefined && countryCodes.has(code) ? code : null;
};

export function artistOf(
  value: Json,
  id: string,
  name: string,
  areas: Areas,
  choice: Choice,
): RecordOf<'artist'> {
  const country = codeOf(value.country) ?? areas.countryOf(value.area);
  const genres = genresFor(value, choice).slice(0, 20);
  const legal = objects(value.aliases).find(({ type, ended }) => type === 'Legal name' && ended !== true);
  const realName = textOf(legal?.name);
  const { website: _, ...profiles } = profilesOf(value, id);
  return {
    kind: 'artist',
    external_id: id,
    name,
    ...(country === null ? {} : { country }),
    ...aliasesOf(value, name),
    ...(realName === undefined ? {} : { real_name: realName }),
    ...(genres.length > 0 ? { genres } : {}),
    ...profiles,
  };
}

/** Bodies of the trade that put out no records. */
export const noLabel = /^(?:Publisher|Distributor|Rights Society|Manufacturer)$/i;

export function labelOf(value: Json, id: string, name: string, areas: Areas): RecordOf<'label'> {
  const country = codeOf(value.country) ?? areas.countryOf(value.area);
  const founded = yearOf(objectOf(value['life-span'])?.begin);
  const { website, ...profiles } = profilesOf(value, id);
  const relations = relationsOf(value);
  const owner = relations.find(
    ({ target, type, direction, ended }) =>
      target === 'label' && type === 'label ownership' && direction === 'backward' && !ended,
  )?.entity;
  const roster = relations
    .filter(({ target, type }) => target === 'artist' && type === 'recording contract')
    .flatMap(({ entity }) => referenceOf(entity) ?? []);
  const parent = owner ? referenceOf(owner) : null;
  return {
    kind: 'label',
    external_id: id,
    name,
    ...(country === null ? {} : { country }),
    ...(founded === null ? {} : { founded_year: founded }),
    ...(website === undefined ? {} : { website }),
    ...(parent === null ? {} : { parent }),
    ...(roster.length > 0 ? { artists: roster } : {}),
    ...aliasesOf(value, name),
    ...profiles,
  };
}

export function referenceOf(entity: Json): { external_id: string; name: string } | null {
  const id = textOf(entity.id);
  const name = textOf(entity.name);
  return id === undefined || name === undefined || /^\[.*\]$/.test(name) ? null : { external_id: id, name };
}

const yearOf = (value: unknown): number | null => {
  const year = Number(/^(\d{4})(?:-|$)/.exec(textOf(value) ?? '')?.[1]);
  return year >= 1000 ? year : null;
};

/** Where nobody goes to hear music. */
export const noVenue = /^(?:Studio|Educational institution|Pressing plant|Religious building)$/i;

/** A venue, or why there is none: a venue has a city and a country. */
export function venueOf(value: Json, id: string, name: string, areas: Areas): RecordOf<'venue'> | string {
  const address = textOf(value.address);
  const written = address === undefined ? null : readPlace(address);
  const city = areas.cityOf(value.area, written?.city);
  const country = areas.countryOf(value.area) ?? written?.country ?? null;
  if (city === null) return 'has no city';
  if (country === null) return `has no country that is known: read the areas with it (${city} is in none)`;
  const coordinates = objectOf(value.coordinates);
  const point = readPoint(coordinates?.latitude, coordinates?.longitude);
  const { website, ...profiles } = profilesOf(value, id);
  return {
    kind: 'venue',
    external_id: id,
    name,
    city,
    country,
    ...(address === undefined ? {} : { address }),
    ...(point === null ? {} : point),
    ...(website === undefined ? {} : { website }),
    ...aliasesOf(value, name),
    ...profiles,
  };
}

/** A city; null for an area that is none, a sentence where its country is not known. */
export function cityOf(
  value: Json,
  id: string,
  name: string,
  areas: Areas,
): RecordOf<'city'> | string | null {
  if (textOf(value.type) !== 'City') return null;
  const country = areas.countryOf(value);
  if (country === null) return 'has no country that is known';
  const region = areas.regionOf(value);
  const { aliases = [] } = aliasesOf(value, name);
  return {
    kind: 'city',
    external_id: id,
    name,
    country,
    ...(region === null || region === name ? {} : { region }),
    ...(aliases.length > 0 ? { aliases } : {}),
  };
}

export function genreOf(value: Json, id: string, name: string): RecordOf<'genre'> {
  const parents = relationsOf(value)
    .filter(
      ({ target, type, direction }) => target === 'genre' && type === 'subgenre' && direction === 'backward',
    )
    .flatMap(({ entity }) => textOf(entity.name) ?? []);
  const parent = parents.find(isElectronic) ?? parents[0];
  return {
    kind: 'genre',
    external_id: id,
    name,
    ...(parent === undefined ? {} : { parent }),
    ...aliasesOf(value, name),
  };
}
