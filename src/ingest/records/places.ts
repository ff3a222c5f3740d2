/** Rebuilds cities, venues and genres from their source records. */
import { fold } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import type { WriteContext } from '../write-context.ts';
import {
  linkColumns,
  markDependentsStale,
  nameColumns,
  saveNamedRecord,
  sourceRunOf,
  withoutRemoved,
} from './rebuild-helpers.ts';
import { type AppliedEdits, fieldOwner, fieldValue, fieldValues, type SourceRecord } from './survivorship.ts';

/** Computes a city and saves it; what sources leave out of its location comes from GeoNames. */
export function rebuildCity(context: WriteContext, id: number, sourceRecords: SourceRecord<'city'>[]): void {
  const country = fieldValue(sourceRecords, 'country') ?? '';
  const stated = {
    ...nameColumns(sourceRecords),
    country,
    ...fieldValues(sourceRecords, ['region', 'latitude', 'longitude', 'timezone', 'population']),
  };
  const row = { ...stated, ...context.resolver.cities.places.missingColumns(stated) };
  const changedColumns = saveNamedRecord(context, 'city', id, sourceRecords, row, () =>
    country.toLowerCase(),
  );
  markDependentsStale(context, 'city', id, changedColumns, ['name', 'country', 'timezone', 'aliases']);
  const isMoved = changedColumns.has('latitude') || changedColumns.has('longitude');
  if (isMoved && !changedColumns.has('slug')) context.lookup.markEventsPlacedByCity(id);
  if (disambiguatingColumns.some((column) => changedColumns.has(column)))
    context.resolver.cities.cityChanged(id);
}

/** Columns that distinguish cities of one name. */
const disambiguatingColumns = [
  'name',
  'country',
  'region',
  'latitude',
  'longitude',
  'timezone',
  'population',
];

/** Computes a venue and saves it in its city. Marks events if something changed that they show or are matched by. */
export function rebuildVenue(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'venue'>[],
): void {
  const cityOwner = fieldOwner(sourceRecords, 'city') as SourceRecord<'venue'>;
  const where = fieldValues(sourceRecords, ['latitude', 'longitude', 'timezone', 'address']);
  const cityId = context.resolver.cities.cityOfVenue(id, cityOwner.statement, where);
  const city = cityId === null ? undefined : context.writer.row('city', cityId);
  const row = {
    city_id: cityId,
    city: city?.name ?? cityOwner.statement.city,
    country: cityOwner.statement.country,
    ...where,
    timezone: where.timezone ?? city?.timezone ?? null,
    ...fieldValues(sourceRecords, ['postal_code', 'capacity', 'website', 'image_url', 'closed_at']),
    ...linkColumns(sourceRecords),
  };
  const changedColumns = saveNamedRecord(context, 'venue', id, sourceRecords, row, () =>
    slugOf(row.city, 'city'),
  );
  if (changedColumns.has('city_id')) context.resolver.cities.venueMoved(id, cityId);
  markDependentsStale(context, 'venue', id, changedColumns, [
    'name',
    'city',
    'city_id',
    'country',
    'timezone',
    // Not shown with events, but used to match them.
    'aliases',
    'address',
    'latitude',
    'longitude',
    'external_ids',
  ]);
}

/**
 * Computes a genre and saves it below its parent. If the parent changed, marks the records that have the genre.
 * @throws RejectedRecord if its parent is the genre itself or below it
 */
export function rebuildGenre(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'genre'>[],
): void {
  const names = nameColumns(sourceRecords);
  const owner = fieldOwner(sourceRecords, 'parent');
  const parentName = owner?.statement.parent ?? null;
  // The new record is not indexed under its own name yet.
  if (parentName !== null && fold(parentName) === names.folded) {
    throw new RejectedRecord(`parent "${parentName}" is this genre itself: a genre cannot be its own parent`);
  }
  const parent =
    parentName === null || !owner ? null : context.resolver.genre(parentName, sourceRunOf(context, owner));
  context.lookup.clearGenreCache();
  if (parent !== null && context.lookup.withAncestors(parent).includes(id)) {
    throw new RejectedRecord(
      `parent "${parentName}" is below this genre: a genre cannot be its own ancestor`,
    );
  }
  const before = context.lookup.parentOf(id);
  const row = { parent_id: parent, ...fieldValues(sourceRecords, ['description']) };
  const changedColumns = saveNamedRecord(context, 'genre', id, sourceRecords, row);
  markDependentsStale(context, 'genre', id, changedColumns, ['name']);
  context.lookup.clearGenreCache();
  if (before !== parent)
    for (const holder of context.lookup.recordsOfGenre(id)) context.writer.markStale(holder);
}

/** The genres that the owner states with all ancestors, [genre, direct]; null if no source record has the field. */
export function statedGenres(
  context: WriteContext,
  sourceRecords: SourceRecord<'artist' | 'event' | 'festival'>[],
): [number, 0 | 1][] | null {
  const owner = fieldOwner(sourceRecords, 'genres');
  if (owner === undefined) return null;
  return genresWithAncestors(context, owner.statement.genres ?? [], sourceRunOf(context, owner), owner.edits);
}

/** The genres of these names with all ancestors: [genre, direct]. Without those that an editor took away. */
export function genresWithAncestors(
  context: WriteContext,
  names: string[],
  sourceRun: { sourceId: number; run: number },
  edits: AppliedEdits | undefined,
): [number, 0 | 1][] {
  const genres = names
    .filter((name) => fold(name) !== '')
    .map((name) => context.resolver.genre(name, sourceRun))
    .filter((id) => id !== null);
  const direct = withoutRemoved(context, 'genre', genres, edits);
  const all = new Map<number, 0 | 1>();
  for (const genre of direct)
    for (const ancestor of context.lookup.withAncestors(genre))
      all.set(ancestor, direct.has(ancestor) ? 1 : 0);
  return [...all];
}

/** A record that contradicts the catalogue; its line is reported and skipped. */
export class RejectedRecord extends Error {}
