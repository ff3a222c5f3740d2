/** Default rows for placeholder records. */
import type { RecordRow } from '../../store/writer.ts';
import { slugOf } from '../../text/slug.ts';

const emptyLists = { aliases: '[]', links: '[]' };
const emptyListsAndIds = { ...emptyLists, external_ids: '{}' };

/** The default columns of each kind. */
export const defaultRows = {
  artist: {
    country: null,
    image_url: null,
    real_name: null,
    biography: null,
    ended_at: null,
    ...emptyListsAndIds,
  },
  label: {
    parent_id: null,
    country: null,
    founded_year: null,
    description: null,
    website: null,
    image_url: null,
    closed_at: null,
    ...emptyListsAndIds,
  },
  festival: {
    city_id: null,
    city: null,
    country: null,
    image_url: null,
    description: null,
    website: null,
    ended_at: null,
    ...emptyListsAndIds,
  },
  podcast: {
    publisher: null,
    description: null,
    website: null,
    feed_url: null,
    image_url: null,
    ...emptyLists,
  },
  genre: { parent_id: null, description: null, aliases: '[]' },
  city: { region: null, latitude: null, longitude: null, timezone: null, population: null, aliases: '[]' },
  venue: {
    city_id: null,
    city: null,
    country: null,
    timezone: null,
    address: null,
    postal_code: null,
    latitude: null,
    longitude: null,
    capacity: null,
    website: null,
    image_url: null,
    closed_at: null,
    ...emptyListsAndIds,
  },
} as const;

/** The slug of an edition. Editions are addressed by festival and edition, so it only has to be unique. */
export const editionSlug = (festivalSlug: string, edition: string): string =>
  `${festivalSlug}-${slugOf(edition, 'edition')}`;

/** The sort key of an edition without a date: the start of the year in its name, otherwise before all others. */
export const editionSortTs = (edition: string): number => {
  const year = /^\d{4}/.exec(edition)?.[0];
  return year === undefined ? -8_640_000_000_000_000 : Date.UTC(Number(year), 0, 1);
};

export const defaultEditionRow = (festivalId: number, edition: string, name: string): RecordRow => ({
  festival_id: festivalId,
  edition,
  name,
  start_ts: null,
  ends_ts: null,
  sort_ts: editionSortTs(edition),
  start_at: null,
  end_at: null,
  timezone: null,
  status: null,
  venue_id: null,
  venue_name: null,
  city_id: null,
  city: null,
  country: null,
  description: null,
  image_url: null,
});
