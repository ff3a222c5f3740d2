/** Default rows for placeholder records. */
import type { RecordRow } from '../../store/writer.ts';
import { slugOf } from '../../text/slug.ts';

const emptyLists = { aliases: '[]', links: '[]' };
const emptyListsAndIds = { ...emptyLists, external_ids: '{}' };
/** @param columns names divided by spaces */
const noneOf = (columns: string): RecordRow =>
  Object.fromEntries(columns.split(' ').map((column) => [column, null]));

/** The default columns of each kind. */
export const defaultRows = {
  artist: { ...noneOf('country image_url real_name biography ended_at'), ...emptyListsAndIds },
  label: {
    ...noneOf('parent_id country founded_year description website image_url closed_at'),
    ...emptyListsAndIds,
  },
  festival: {
    ...noneOf('city_id city country image_url description website ended_at'),
    ...emptyListsAndIds,
  },
  podcast: { ...noneOf('publisher description website feed_url image_url'), ...emptyLists },
  genre: { ...noneOf('parent_id description'), aliases: '[]' },
  city: { ...noneOf('region latitude longitude timezone population'), aliases: '[]' },
  venue: {
    ...noneOf('city_id city country timezone address postal_code latitude longitude capacity'),
    ...noneOf('website image_url closed_at'),
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

/** The row of an edition of which only the festival and the key are known. */
export const defaultEditionRow = (festivalId: number, edition: string, name: string): RecordRow => ({
  ...noneOf('start_ts ends_ts start_at end_at timezone status venue_id venue_name city_id city country'),
  ...noneOf('description image_url'),
  festival_id: festivalId,
  edition,
  name,
  sort_ts: editionSortTs(edition),
});
