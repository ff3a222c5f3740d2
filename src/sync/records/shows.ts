/** Festivals and editions, worked out from what is said of them. */
import type { RowOf } from '../../store/writer.ts';
import { editionSlug, editionSortTs } from '../bare-rows.ts';
import { externalIdsOf, ownerOf, type Said, stated } from '../merge.ts';
import { slugOf } from '../slug.ts';
import { readSpan } from '../time.ts';
import {
  aliasesOf,
  type Context,
  type Listing,
  linksOf,
  namedRow,
  saveNamed,
  speakerOf,
  staleDependents,
} from './context.ts';
import { startOwner } from './owners.ts';
import { genresWithAncestors } from './places.ts';
import { lineupOf, placeOf, saveLineup, saveTickets, statusOf } from './showing.ts';

export function rebuildFestival(context: Context, id: number, said: Said<'festival'>[]): void {
  const named = namedRow(said);
  const city = ownerOf(said, 'city');
  const country = stated(said, 'country');
  const cityName = city?.statement.city ?? null;
  const cityId = city ? context.resolver.cities.find(cityName, country, {}) : null;
  const row = {
    ...named,
    city_id: cityId,
    city: cityId === null ? cityName : (context.writer.row('city', cityId)?.name as string),
    country,
    image_url: stated(said, 'image_url'),
    description: stated(said, 'description'),
    website: stated(said, 'website'),
    links: linksOf(said),
    external_ids: externalIdsOf(said),
  };
  const stem = slugOf(named.name, 'festival');
  const differing = saveNamed(context, 'festival', id, row, aliasesOf(said, named.name), () =>
    country === null ? [stem] : [stem, `${stem}-${country.toLowerCase()}`],
  );
  staleDependents(context, 'festival', id, differing, ['name']);
  const owner = ownerOf(said, 'genres');
  const genres = owner
    ? genresWithAncestors(context, owner.statement.genres ?? [], speakerOf(context, owner))
    : [];
  const direct = genres.filter(([, isDirect]) => isDirect === 1).map(([genre]) => [genre]);
  if (context.writer.saveChildren('festival_genres', id, direct))
    context.writer.touch('festival', id, context.now);
}

export function rebuildEdition(
  context: Context,
  id: number,
  said: Said<'edition'>[],
  _listings: readonly Listing[],
  gone: readonly Said<'edition'>[],
): void {
  const first = said[0] as Said<'edition'>;
  const festivalId = context.resolver.festival(first.statement.festival, speakerOf(context, first));
  const festival = context.writer.row('festival', festivalId) as { name: string; slug: string };
  const edition = first.statement.edition;
  const place = placeOf(context, said);
  const zone = stated(said, 'timezone') ?? place.zone;
  const start = startOwner(said, zone);
  const span = start?.statement.start_at
    ? readSpan(start.statement.start_at, stated(said, 'end_at'), zone, start.clock)
    : null;
  const row: RowOf = {
    festival_id: festivalId,
    edition,
    name: stated(said, 'name') ?? `${festival.name} ${edition}`,
    start_ts: span?.start.ts ?? null,
    over_ts: span?.overTs ?? null,
    sort_ts: span?.start.ts ?? editionSortTs(edition),
    start_at: span?.start.text ?? null,
    end_at: span?.endAt ?? null,
    timezone: span?.start.zone ?? null,
    status: statusOf(said, gone, span),
    venue_id: place.venueId,
    venue_name: place.venueName,
    city_id: place.cityId,
    city: place.city,
    country: place.country,
    description: stated(said, 'description'),
    image_url: stated(said, 'image_url'),
  };
  const slugs = () => [editionSlug(festival.slug, edition)];
  context.writer.save('edition', id, row, slugs, context.now);
  saveLineup(context, 'edition', id, lineupOf(context, said, span?.start.zone ?? null));
  saveTickets(context, 'edition', id, said);
  context.names.markStale(festivalId);
}
