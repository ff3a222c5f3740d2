/** Rebuilds festivals and editions from their source records. */
import type { RemovedRecord } from '../../store/resolution/removed-records.ts';
import { readSpan } from '../../text/feed-time.ts';
import type { WriteContext } from '../write-context.ts';
import { startOwner } from './field-owners.ts';
import {
  mergeLineups,
  mergePlace,
  mergeStatus,
  mergeTickets,
  type OccurrencePlace,
  saveLineup,
  saveTickets,
} from './occurrences.ts';
import { RejectedRecord, statedGenres } from './places.ts';
import {
  linkColumns,
  markDependentsStale,
  type SourceLink,
  saveNamedRecord,
  sourceRunOf,
} from './rebuild-helpers.ts';
import { editionSlug, editionSortTs } from './row-defaults.ts';
import { fieldOwner, fieldValue, fieldValues, type SourceRecord } from './survivorship.ts';

/** Computes a festival and saves it with its genres. Marks the records that show it if its name or city changed. */
export function rebuildFestival(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'festival'>[],
): void {
  const city = fieldOwner(sourceRecords, 'city');
  const country = fieldValue(sourceRecords, 'country');
  const cityName = city?.statement.city ?? null;
  const cityId = city ? context.resolver.cities.find(cityName, country, {}) : null;
  const row = {
    city_id: cityId,
    city: cityId === null ? cityName : (context.writer.row('city', cityId)?.name ?? null),
    country,
    ...fieldValues(sourceRecords, ['image_url', 'description', 'website', 'ended_at']),
    ...linkColumns(sourceRecords),
  };
  const changedColumns = saveNamedRecord(
    context,
    'festival',
    id,
    sourceRecords,
    row,
    () => country?.toLowerCase() ?? null,
  );
  markDependentsStale(context, 'festival', id, changedColumns, ['name', 'city_id']);
  const genres = statedGenres(context, sourceRecords) ?? [];
  const direct = genres.filter(([, isDirect]) => isDirect === 1).map(([genre]): [number] => [genre]);
  if (context.writer.saveChildren('festival_genres', id, direct))
    context.writer.touch('festival', id, context.now);
}

/**
 * Computes an edition and saves it with its line-up and tickets. If its festival is removed, it is removed as well.
 * @throws RejectedRecord for a new edition whose festival and key another record has
 */
export function rebuildEdition(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'edition'>[],
  _listings: readonly SourceLink[],
  withdrawn: readonly SourceRecord<'edition'>[],
): void {
  const first = sourceRecords[0] as SourceRecord<'edition'>;
  const { festivalId, edition } = ownKey(context, id, {
    festivalId: context.resolver.festival(first.statement.festival, sourceRunOf(context, first)),
    edition: first.statement.edition,
  });
  if (context.resolver.isRemoved(festivalId)) {
    // After a purge, only the name and the slug are left of it.
    const removedFestival = context.lookup.removed.find(festivalId) as RemovedRecord;
    const kept = { festival_id: festivalId, edition, name: `${removedFestival.name} ${edition}` };
    const slugs = () => [editionSlug(removedFestival.slug, edition)];
    context.remover.removePart('edition', id, { parent: festivalId, kept, slugs });
    return;
  }
  const festival = context.writer.row('festival', festivalId) as FestivalRow;
  const slugs = () => [editionSlug(festival.slug, edition)];
  const place = mergePlace(context, sourceRecords);
  const zone = fieldValue(sourceRecords, 'timezone') ?? place.zone ?? festivalZone(context, festival, place);
  const start = startOwner(sourceRecords, zone);
  const span = start?.statement.start_at
    ? readSpan(start.statement.start_at, fieldValue(sourceRecords, 'end_at'), zone, start.clock)
    : null;
  const row = {
    festival_id: festivalId,
    edition,
    name: fieldValue(sourceRecords, 'name') ?? `${festival.name} ${edition}`,
    start_ts: span?.start.ts ?? null,
    ends_ts: span?.endsAtMs ?? null,
    sort_ts: span?.start.ts ?? editionSortTs(edition),
    start_at: span?.start.text ?? null,
    end_at: span?.endAt ?? null,
    timezone: span?.start.zone ?? null,
    status: mergeStatus(sourceRecords, withdrawn, span),
    venue_id: place.venueId,
    venue_name: place.venueName,
    city_id: place.cityId,
    city: place.city,
    country: place.country,
    ...fieldValues(sourceRecords, ['description', 'image_url']),
  };
  context.writer.save('edition', id, row, slugs, context.now);
  saveLineup(context, 'edition', id, mergeLineups(context, sourceRecords, span?.start.zone ?? null));
  saveTickets(context, 'edition', id, mergeTickets(sourceRecords));
  context.names.markStale(festivalId);
}

type FestivalRow = { name: string; slug: string; city_id: number | null; country: string | null };

/** The time zone of the festival's city if the edition states no place; answers for agents show that city as well. */
function festivalZone(
  { writer }: WriteContext,
  festival: FestivalRow,
  place: OccurrencePlace,
): string | null {
  const { venueId, venueName, city, country } = place;
  const hasPlace = venueId !== null || venueName !== null || city !== null;
  if (hasPlace || (country !== null && country !== festival.country) || festival.city_id === null)
    return null;
  return writer.row('city', festival.city_id)?.timezone ?? null;
}

type EditionKey = { festivalId: number; edition: string };

/**
 * The festival and the key of an edition. If another record is that edition, which only sources that contradict
 * themselves cause, the record keeps what it has.
 * @throws RejectedRecord if it has none yet
 */
function ownKey({ lookup, writer }: WriteContext, id: number, stated: EditionKey): EditionKey {
  const other = lookup.edition(stated.festivalId, stated.edition);
  // The restore of a removed one is then refused in turn.
  if (other === null || other === id || lookup.removed.has(other)) return stated;
  const row = writer.row('edition', id) as { festival_id: number; edition: string } | undefined;
  if (row !== undefined) return { festivalId: row.festival_id, edition: row.edition };
  throw new RejectedRecord(`edition "${stated.edition}" of its festival is another record already`);
}
