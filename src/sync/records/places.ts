/** Cities, venues and genres, worked out from what is said of them. */
import { fold } from '../../store/fold.ts';
import { externalIdsOf, ownerOf, type Said, stated } from '../merge.ts';
import { slugOf } from '../slug.ts';
import {
  aliasesOf,
  type Context,
  linksOf,
  namedRow,
  saveNamed,
  speakerOf,
  staleDependents,
} from './context.ts';

export function rebuildCity(context: Context, id: number, said: Said<'city'>[]): void {
  const named = namedRow(said);
  const country = stated(said, 'country') as string;
  const row = {
    ...named,
    country,
    region: stated(said, 'region'),
    latitude: stated(said, 'latitude'),
    longitude: stated(said, 'longitude'),
    timezone: stated(said, 'timezone'),
    population: stated(said, 'population'),
  };
  const stem = slugOf(named.name, 'city');
  const differing = saveNamed(context, 'city', id, row, aliasesOf(said, named.name), () => [
    stem,
    `${stem}-${country.toLowerCase()}`,
  ]);
  staleDependents(context, 'city', id, differing, ['name', 'country', 'timezone', 'aliases']);
  if (tellingCities.some((column) => differing.has(column))) context.resolver.cities.changed(id);
}

/** What a city is told from others of its name by. */
const tellingCities = ['name', 'country', 'region', 'latitude', 'longitude', 'timezone', 'population'];

export function rebuildVenue(context: Context, id: number, said: Said<'venue'>[]): void {
  const named = namedRow(said);
  const placed = ownerOf(said, 'city') as Said<'venue'>;
  const cityId = context.resolver.cities.ofHouse(id, placed.statement, {
    latitude: stated(said, 'latitude'),
    longitude: stated(said, 'longitude'),
    timezone: stated(said, 'timezone'),
    address: stated(said, 'address'),
  });
  const city = cityId === null ? undefined : context.writer.row('city', cityId);
  const row = {
    ...named,
    city_id: cityId,
    city: (city?.name as string | undefined) ?? placed.statement.city,
    country: placed.statement.country,
    timezone: stated(said, 'timezone') ?? (city?.timezone as string | null | undefined) ?? null,
    address: stated(said, 'address'),
    postal_code: stated(said, 'postal_code'),
    latitude: stated(said, 'latitude'),
    longitude: stated(said, 'longitude'),
    capacity: stated(said, 'capacity'),
    website: stated(said, 'website'),
    image_url: stated(said, 'image_url'),
    links: linksOf(said),
    external_ids: externalIdsOf(said),
  };
  const stem = slugOf(named.name, 'venue');
  const differing = saveNamed(context, 'venue', id, row, aliasesOf(said, named.name), () => [
    stem,
    `${stem}-${slugOf(row.city, 'city')}`,
  ]);
  if (differing.has('city_id')) context.resolver.cities.houseMoved(id, cityId);
  staleDependents(context, 'venue', id, differing, [
    'name',
    'city',
    'city_id',
    'country',
    'timezone',
    // Not shown with its events, but they are told apart by it.
    'aliases',
    'address',
    'latitude',
    'longitude',
    'external_ids',
  ]);
}

export function rebuildGenre(context: Context, id: number, said: Said<'genre'>[]): void {
  const named = namedRow(said);
  const owner = ownerOf(said, 'parent');
  const parentName = owner?.statement.parent ?? null;
  // Its own name does not find it yet while it is new.
  if (parentName !== null && fold(parentName) === named.folded) {
    throw new RejectedStatement(`parent "${parentName}" is this genre itself: a tree has no circles`);
  }
  const parent =
    parentName === null || !owner ? null : context.resolver.genre(parentName, speakerOf(context, owner));
  context.lookup.forgetGenres();
  if (parent !== null && context.lookup.withAncestors(parent).includes(id)) {
    throw new RejectedStatement(`parent "${parentName}" lies below this genre itself: a tree has no circles`);
  }
  const before = context.lookup.parentOf(id);
  const row = { ...named, parent_id: parent, description: stated(said, 'description') };
  const differing = saveNamed(context, 'genre', id, row, aliasesOf(said, named.name), () => [
    slugOf(named.name, 'genre'),
  ]);
  staleDependents(context, 'genre', id, differing, ['name']);
  context.lookup.forgetGenres();
  if (before !== parent) for (const holder of context.lookup.holders(id)) context.writer.markStale(holder);
}

/** The genres of these names, and all above them: [genre, direct]. */
export function genresWithAncestors(
  context: Context,
  names: string[],
  speaker: { sourceId: number; run: number },
): [number, 0 | 1][] {
  const direct = new Set(
    names.filter((name) => fold(name) !== '').map((name) => context.resolver.genre(name, speaker)),
  );
  const all = new Map<number, 0 | 1>();
  for (const genre of direct)
    for (const ancestor of context.lookup.withAncestors(genre))
      all.set(ancestor, direct.has(ancestor) ? 1 : 0);
  return [...all];
}

/** A statement that cannot be true of the catalogue it is made in; its line is reported and skipped. */
export class RejectedStatement extends Error {}
