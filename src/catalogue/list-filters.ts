/** Turns the filters of a request into those of the store: slugs to ids, positions to areas, times to ids. */
import type { Kind } from '../contract/fields.ts';
import { type Filters, valuesOf } from '../contract/parameters.ts';
import { radiusLimits } from '../contract/place-parameters.ts';
import { type Area, circleArea } from '../store/areas.ts';
import type { NameFilter } from '../store/lists/by-name.ts';
import type { EventFilter } from '../store/lists/events.ts';
import type { CatalogueReader } from '../store/reader.ts';
import { normalizeId } from '../text/external-id.ts';
import { fold } from '../text/fold.ts';

/** The filters of a request, and its time in ms. */
type FilteredRequest = { filters: Filters; now: number };

/** Returns the filter of a list by name. If none of the requested slugs, ids or names is known, it matches no record. */
export function nameFilter(kind: Kind, request: FilteredRequest, reader: CatalogueReader): NameFilter {
  const { filters, now } = request;
  const countries = [...new Set(valuesOf(filters.country))];
  const [country, ...otherCountries] = countries;
  const ids = requestedIds(request, reader, kind);
  const hasEnded = requestedEnd(filters);
  const area = areaOf(filters);
  return {
    ...(country !== undefined && otherCountries.length === 0 && { country }),
    ...(otherCountries.length > 0 && { countries }),
    ...(ids !== null && { ids: JSON.stringify([...ids]) }),
    ...(hasEnded !== null && {
      hasEnded: { value: hasEnded, today: new Date(now).toISOString().slice(0, 10) },
    }),
    ...(filters.upcoming && { upcoming: reader.upcoming(now) }),
    ...(area !== null && { area }),
    ...changeFilter(filters, reader),
  };
}

/** Returns the filter of the list of events; null if a slug or id of it is unknown, so that no event can match. */
export function eventFilter({ filters }: FilteredRequest, reader: CatalogueReader): EventFilter | null {
  const filter: EventFilter = { anyOf: {} };
  const anyOf = filter.anyOf as NonNullable<EventFilter['anyOf']>;
  for (const kind of ['artist', 'venue', 'genre'] as const) {
    const slugs = valuesOf(filters[kind]);
    if (slugs === undefined) continue;
    const ids = [...new Set(slugs.flatMap((slug) => reader.find(kind, slug) ?? []))];
    const [id, ...others] = ids;
    if (id === undefined) return null;
    if (others.length === 0) filter[kind] = id;
    else anyOf[kind] = ids;
  }
  const cities = [...new Set(valuesOf(filters.city)?.map((city) => fold(city).trim()))];
  const [city, ...otherCities] = cities;
  if (otherCities.length > 0) anyOf.cityText = cities;
  else if (city !== undefined) filter.cityText = city;
  const countries = [...new Set(valuesOf(filters.country))];
  const [country, ...otherCountries] = countries;
  if (otherCountries.length > 0) anyOf.country = countries;
  else if (country !== undefined) filter.country = country;
  if (filters.source_id !== undefined) {
    filter.ids = [
      ...new Set(
        filters.source_id.flatMap(({ source, id }) => reader.details.findAtSource(source, 'event', id)),
      ),
    ];
  }
  const area = areaOf(filters);
  const { from, to, status, has_tickets: hasTickets } = filters;
  return {
    ...filter,
    ...(from && { from }),
    ...(to && { to }),
    ...(status && { status }),
    ...(hasTickets && { hasTickets }),
    ...(area !== null && { area }),
    ...changeFilter(filters, reader),
  };
}

const areaOf = ({ near, radius, bbox }: Filters): Area | null =>
  near === undefined ? (bbox ?? null) : circleArea(near, radius ?? radiusLimits.default);

function changeFilter(
  { updated_since: updated, created_since: created }: Filters,
  reader: CatalogueReader,
): { updatedSince?: number; createdFrom?: number } {
  const since = Math.max(updated ?? Number.NEGATIVE_INFINITY, created ?? Number.NEGATIVE_INFINITY);
  if (since === Number.NEGATIVE_INFINITY) return {};
  return {
    // A record that was created since changed since.
    updatedSince: since,
    ...(created !== undefined && { createdFrom: reader.details.firstIdCreatedSince(created) }),
  };
}

/** Whether closed or ended records are asked for; null if all are, whatever their status. */
function requestedEnd(filters: Filters): boolean | null {
  const { venue_status: venue, label_status: label, life_status: life } = filters;
  const ends = new Set(
    (venue ?? label ?? life ?? []).map((status) => status === 'closed' || status === 'ended'),
  );
  return ends.size === 1 ? ends.has(true) : null;
}

/** The records that `slug`, `external_id` and `name` select; null if none is given. Of several, those that fit all. */
function requestedIds({ filters }: FilteredRequest, reader: CatalogueReader, kind: Kind): Set<number> | null {
  const { slug, external_id: externalIds, name } = filters;
  const sets: Set<number>[] = [];
  if (slug !== undefined) sets.push(new Set(slug.flatMap((one) => reader.find(kind, one) ?? [])));
  if (externalIds !== undefined)
    sets.push(
      new Set(
        externalIds.flatMap(({ service, id }) =>
          reader.details.findByExternalId(kind, service, normalizeId(id)),
        ),
      ),
    );
  const names = valuesOf(name);
  if (names !== undefined)
    sets.push(new Set(names.flatMap((one) => reader.details.findByFoldedName(kind, fold(one).trim()))));
  const [first, ...others] = sets;
  if (first === undefined) return null;
  return new Set([...first].filter((id) => others.every((one) => one.has(id))));
}
