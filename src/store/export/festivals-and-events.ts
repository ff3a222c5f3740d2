/** Exports festivals, editions and events as lines of a feed. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { prepare, query } from '../statement.ts';
import {
  type ExportRow,
  type FeedMembers,
  genreNames,
  groupByOwner,
  type IdRange,
  type KindReader,
  namedReader,
  type OwnedName,
  selectChanged,
  toFeedLine,
  toReference,
  withoutNulls,
} from './feed-lines.ts';

type ExportLineupRow = OwnedName & {
  billing: string | null;
  stage: string | null;
  set_start_at: string | null;
  set_end_at: string | null;
  set: number | null;
};
type ExportTicketRow = { owner: number } & Record<
  'seller' | 'url' | 'price_min' | 'price_max' | 'currency' | 'availability',
  string | number | null
>;

/** The line-up and tickets of events and editions. */
function lineupsAndTickets(sqlite: Database.Database) {
  const lineups = prepare<IdRange, ExportLineupRow>(sqlite, (p) =>
    query
      .selectFrom('lineups as l')
      .innerJoin('artists as a', 'a.id', 'l.artist_id')
      .select([
        'l.record_id as owner',
        'a.slug',
        'a.name',
        'l.billing',
        'l.stage',
        'l.set_start_at',
        'l.set_end_at',
        'l.set_position as set',
      ])
      .where('l.record_id', '>=', p.first)
      .where('l.record_id', '<=', p.last)
      .orderBy('l.record_id')
      .orderBy('l.position'),
  );
  const tickets = prepare<IdRange, ExportTicketRow>(sqlite, (p) =>
    query
      .selectFrom('tickets')
      .select(['record_id as owner', 'seller', 'url', 'price_min', 'price_max', 'currency', 'availability'])
      .where('record_id', '>=', p.first)
      .where('record_id', '<=', p.last)
      .orderBy('record_id')
      .orderBy('seller')
      .orderBy('url'),
  );
  return (rows: readonly ExportRow[]) => {
    const [lineupsByRecord, ticketsByRecord] = [groupByOwner(lineups, rows), groupByOwner(tickets, rows)];
    return (row: ExportRow): FeedMembers => ({
      lineup: (lineupsByRecord.get(row.id) ?? []).map(({ slug, name, ...rest }) => ({
        external_id: slug,
        name,
        ...withoutNulls({
          ...rest,
          set_start_at: toFeedTime(rest.set_start_at, row.timezone),
          set_end_at: toFeedTime(rest.set_end_at, row.timezone),
        }),
      })),
      tickets: (ticketsByRecord.get(row.id) ?? []).map(withoutNulls),
    });
  };
}

/**
 * Converts a time to the feed format: without a known time zone, the local time without a zone, or the date
 * alone.
 */
function toFeedTime(text: string | number | null | undefined, timezone: unknown): string | null {
  if (text === null || text === undefined) return null;
  const time = String(text);
  if (timezone !== null) return time;
  return time.replace(/T00:00:00Z$/, '').replace(/Z$/, '');
}

const scheduleColumns = [
  't.name',
  't.start_at',
  't.end_at',
  't.timezone',
  't.status',
  't.venue_name',
  't.city',
  't.country',
  't.description',
  't.image_url',
  'v.slug as venue_slug',
  'v.name as venue',
  'v.city as venue_city',
  'v.country as venue_country',
];
const venueJoin = sql`left join venues v on v.id = t.venue_id`;

/** Name, time, place and description of an event or edition. */
function whenAndWhere(row: ExportRow): FeedMembers {
  const onRecord = row.venue_slug !== null;
  const place = onRecord
    ? {
        external_id: row.venue_slug,
        name: row.venue,
        ...withoutNulls({ city: row.venue_city, country: row.venue_country }),
      }
    : row.venue_name === null
      ? null
      : { name: row.venue_name };
  return {
    name: row.name,
    start_at: toFeedTime(row.start_at, row.timezone),
    end_at: toFeedTime(row.end_at, row.timezone),
    timezone: row.timezone,
    status: row.status,
    venue: place,
    city: row.city,
    country: row.country,
    description: row.description,
    image_url: row.image_url,
  };
}

export const festivalReader = namedReader({
  table: 'festivals',
  columns: ['city', 'country', 'description', 'website', 'image_url', 'ended_at'],
  own: genreNames('festival_genres', 'festival_id'),
  json: ['links', 'external_ids'],
});

/** Prepares the reader of editions with their line-ups and tickets. The festival is a reference by its slug. */
export const editionReader = (sqlite: Database.Database): KindReader => {
  const rows = selectChanged(
    sqlite,
    'editions',
    ['t.edition', ...scheduleColumns, 'f.slug as festival_slug', 'f.name as festival'],
    sql`join festivals f on f.id = t.festival_id ${venueJoin}`,
  );
  const lineupAndTickets = lineupsAndTickets(sqlite);
  return (range) => {
    const batch = rows.all(range);
    const lineupAndTicketsOf = lineupAndTickets(batch);
    return batch.map((row) =>
      toFeedLine(row, {
        festival: toReference(row.festival_slug, row.festival),
        edition: row.edition,
        ...whenAndWhere(row),
        ...lineupAndTicketsOf(row),
      }),
    );
  };
};

/**
 * Prepares the reader of events with their direct genres, line-ups and tickets. `url` is that of the first source with
 * one, by name.
 */
export const eventReader = (sqlite: Database.Database): KindReader => {
  const rows = selectChanged(
    sqlite,
    'events',
    [
      ...scheduleColumns,
      't.minimum_age',
      'd.edition',
      'f.slug as festival_slug',
      'f.name as festival',
      // The URL of the first source with one, in the order of the detail response.
      `(select json_extract(x.content, '$.url') from source_records x join sources s on s.id = x.source_id
          where x.record_id = t.id and json_extract(x.content, '$.url') is not null
          order by s.name, x.external_id limit 1) as url`,
    ],
    sql`${venueJoin} left join editions d on d.id = t.edition_id left join festivals f on f.id = d.festival_id`,
  );
  const genres = genreNames('event_genres', 'event_id')(sqlite);
  const lineupAndTickets = lineupsAndTickets(sqlite);
  return (range) => {
    const batch = rows.all(range);
    const [lineupAndTicketsOf, genresOf] = [lineupAndTickets(batch), genres(batch)];
    return batch.map((row) =>
      toFeedLine(row, {
        ...whenAndWhere(row),
        minimum_age: row.minimum_age,
        url: row.url,
        ...genresOf(row),
        ...lineupAndTicketsOf(row),
        festival:
          row.festival_slug === null
            ? null
            : { festival: toReference(row.festival_slug, row.festival), edition: row.edition },
      }),
    );
  };
};
