/**
 * The catalogue in the feed format (feed.md), a batch of records at a time, so that a million events take no more
 * memory than a hundred. A record's external id is its slug, and every reference gives it: read into an empty file
 * under one source, the lines make the same catalogue.
 */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Kind } from '../contract/fields.ts';
import { type Prepared, prepare, query } from './statement.ts';

/** The kinds in an order in which nothing is named before it is told. */
export const exportOrder: readonly Kind[] = [
  'genre',
  'city',
  'venue',
  'artist',
  'label',
  'festival',
  'edition',
  'event',
  'podcast',
  'episode',
];

export type ExportOptions = {
  /** Only records of this kind. */
  kind?: Kind | undefined;
  /** Only records that changed after this revision of the catalogue; 0 for all. */
  since: number;
};

type Range = { after: number; since: number; limit: number };
type Ids = { first: number; last: number };
type Row = { id: number; slug: string } & Record<string, string | number | null>;
/** Rows that belong to the records of a batch, by the record's id. */
type Grouped<R> = Map<number, R[]>;
type Line = Record<string, unknown>;

const batchSize = 500;

/**
 * The lines of an export, in batches, as the catalogue stands at the first of them. Nobody else may use the connection
 * until the last: it holds a read transaction.
 */
export function* exportLines(sqlite: Database.Database, options: ExportOptions): Generator<string[]> {
  const kinds = options.kind === undefined ? exportOrder : [options.kind];
  sqlite.exec('BEGIN');
  try {
    for (const kind of kinds) {
      const source = readers[kind](sqlite);
      for (let after = 0; ; ) {
        const lines = source({ after, since: options.since, limit: batchSize });
        const last = lines.at(-1);
        if (last === undefined) break;
        after = last.id;
        yield lines.map(({ line }) => JSON.stringify(line));
      }
    }
  } finally {
    if (sqlite.inTransaction) sqlite.exec('COMMIT');
  }
}

/** The next records of a kind as lines. */
type Reader = (range: Range) => { id: number; line: Line }[];

/** A line without the members that say nothing: absent means "this source says nothing about it". */
function stated(kind: Kind, externalId: string, members: Line): Line {
  const line: Line = { kind, external_id: externalId };
  for (const [name, value] of Object.entries(members)) if (!isNothing(value)) line[name] = value;
  return line;
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const parsed = (json: unknown): unknown => JSON.parse(json as string);
const reference = (slug: unknown, name: unknown) => (slug === null ? null : { external_id: slug, name });
const pick = (row: Row, names: readonly string[]): Line =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

/** Groups child rows by the record they belong to. */
function grouped<R extends { owner: number }>(
  statement: Prepared<Ids, R>,
  rows: readonly Row[],
): Grouped<Omit<R, 'owner'>> {
  const groups: Grouped<Omit<R, 'owner'>> = new Map();
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return groups;
  for (const { owner, ...child } of statement.all({ first: first.id, last: last.id })) {
    const group = groups.get(owner);
    if (group) group.push(child);
    else groups.set(owner, [child]);
  }
  return groups;
}

/** The rows of a kind's table that changed since, by id. `columns` is what a line needs of them. */
const changedRows = (
  sqlite: Database.Database,
  table: keyof typeof tableKinds,
  columns: readonly string[],
  joins = sql``,
): Prepared<Range, Row> =>
  prepare(
    sqlite,
    (p) => sql`select t.id, t.slug, ${sql.join(columns.map((column) => sql.raw(column)))}
      from ${sql.table(table)} t join records r on r.id = t.id ${joins}
      where t.id > ${p.after} and r.revision > ${p.since} order by t.id limit ${p.limit}`,
  );

const tableKinds = {
  genres: 'genre',
  cities: 'city',
  venues: 'venue',
  artists: 'artist',
  labels: 'label',
  festivals: 'festival',
  editions: 'edition',
  events: 'event',
  podcasts: 'podcast',
  episodes: 'episode',
} as const;

/** A reader whose lines need nothing but the row. */
const plain =
  (
    table: keyof typeof tableKinds,
    columns: readonly string[],
    members: (row: Row) => Line,
    joins = sql``,
  ): ((sqlite: Database.Database) => Reader) =>
  (sqlite) => {
    const rows = changedRows(sqlite, table, columns, joins);
    return (range) =>
      rows.all(range).map((row) => ({ id: row.id, line: stated(tableKinds[table], row.slug, members(row)) }));
  };

type Named = { owner: number; slug: string; name: string };

/** The names of the genres that records of this table have of themselves. */
const genreNames = (
  sqlite: Database.Database,
  table: 'artist_genres' | 'festival_genres' | 'event_genres',
  owner: string,
): Prepared<Ids, Named> =>
  prepare(
    sqlite,
    (p) => sql`select x.${sql.raw(owner)} as owner, g.slug, g.name
      from ${sql.table(table)} x join genres g on g.id = x.genre_id
      where x.${sql.raw(owner)} between ${p.first} and ${p.last}
        ${table === 'festival_genres' ? sql`` : sql`and x.direct = 1`}
      order by x.${sql.raw(owner)}, g.folded, g.slug`,
  );
const names = (group: { name: string }[] | undefined): string[] => (group ?? []).map(({ name }) => name);
const references = (group: { slug: string; name: string }[] | undefined) =>
  (group ?? []).map(({ slug, name }) => ({ external_id: slug, name }));

type LineupRow = Named & {
  billing: string | null;
  stage: string | null;
  set_start_at: string | null;
  set_end_at: string | null;
};
type TicketRow = { owner: number } & Record<
  'seller' | 'url' | 'price_min' | 'price_max' | 'currency' | 'availability',
  string | number | null
>;

/** What events and editions have alike: who plays, and who sells tickets. */
function shows(sqlite: Database.Database) {
  const lineups = prepare<Ids, LineupRow>(sqlite, (p) =>
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
      ])
      .where('l.record_id', '>=', p.first)
      .where('l.record_id', '<=', p.last)
      .orderBy('l.record_id')
      .orderBy('l.position'),
  );
  const tickets = prepare<Ids, TicketRow>(sqlite, (p) =>
    query
      .selectFrom('tickets')
      .select(['record_id as owner', 'seller', 'url', 'price_min', 'price_max', 'currency', 'availability'])
      .where('record_id', '>=', p.first)
      .where('record_id', '<=', p.last)
      .orderBy('record_id')
      .orderBy('seller')
      .orderBy('url'),
  );
  return (rows: readonly Row[]) => {
    const [playing, selling] = [grouped(lineups, rows), grouped(tickets, rows)];
    return (row: Row): Line => ({
      lineup: (playing.get(row.id) ?? []).map(({ slug, name, ...rest }) => ({
        external_id: slug,
        name,
        ...only({
          ...rest,
          set_start_at: clockOf(rest.set_start_at, row.timezone),
          set_end_at: clockOf(rest.set_end_at, row.timezone),
        }),
      })),
      tickets: (selling.get(row.id) ?? []).map(only),
    });
  };
}

const only = (members: Line): Line =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/**
 * A time as a feed writes it: where its clock is not trusted, the clock time without a zone, or the date alone.
 */
function clockOf(text: string | number | null | undefined, timezone: unknown): string | null {
  if (text === null || text === undefined) return null;
  const written = String(text);
  if (timezone !== null) return written;
  return written.replace(/T00:00:00Z$/, '').replace(/Z$/, '');
}

const placeColumns = [
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

/** When and where an event or edition takes place, and what is said of it. */
function showing(row: Row): Line {
  const onRecord = row.venue_slug !== null;
  const place = onRecord
    ? {
        external_id: row.venue_slug,
        name: row.venue,
        ...only({ city: row.venue_city, country: row.venue_country }),
      }
    : row.venue_name === null
      ? null
      : { name: row.venue_name };
  return {
    name: row.name,
    start_at: clockOf(row.start_at, row.timezone),
    end_at: clockOf(row.end_at, row.timezone),
    timezone: row.timezone,
    status: row.status,
    venue: place,
    city: row.city,
    country: row.country,
    description: row.description,
    image_url: row.image_url,
  };
}

const told = ['t.name', 't.aliases', 't.image_url', 't.description', 't.website', 't.links'];
const identity = (row: Row): Line => ({
  name: row.name,
  aliases: parsed(row.aliases),
});
const known = (row: Row): Line => ({
  links: parsed(row.links),
  external_ids: parsed(row.external_ids),
});

const readers: Record<Kind, (sqlite: Database.Database) => Reader> = {
  genre: plain(
    'genres',
    ['t.name', 't.aliases', 't.description', 'p.name as parent'],
    (row) => ({ ...identity(row), ...pick(row, ['parent', 'description']) }),
    sql`left join genres p on p.id = t.parent_id`,
  ),
  city: plain(
    'cities',
    [
      't.name',
      't.aliases',
      't.country',
      't.region',
      't.latitude',
      't.longitude',
      't.timezone',
      't.population',
    ],
    (row) => ({
      ...identity(row),
      ...pick(row, ['country', 'region', 'latitude', 'longitude', 'timezone', 'population']),
    }),
  ),
  venue: plain(
    'venues',
    [
      't.name',
      't.aliases',
      't.city',
      't.country',
      't.timezone',
      't.address',
      't.postal_code',
      't.latitude',
      't.longitude',
      't.capacity',
      't.website',
      't.image_url',
      't.links',
      't.external_ids',
    ],
    (row) => ({
      ...identity(row),
      ...pick(row, [
        'city',
        'country',
        'timezone',
        'address',
        'postal_code',
        'latitude',
        'longitude',
        'capacity',
        'website',
        'image_url',
      ]),
      ...known(row),
    }),
  ),
  artist: (sqlite) => {
    const rows = changedRows(sqlite, 'artists', [
      't.name',
      't.aliases',
      't.country',
      't.real_name',
      't.biography',
      't.image_url',
      't.links',
      't.external_ids',
    ]);
    const genres = genreNames(sqlite, 'artist_genres', 'artist_id');
    return (range) => {
      const found = rows.all(range);
      const played = grouped(genres, found);
      return found.map((row) => ({
        id: row.id,
        line: stated('artist', row.slug, {
          ...identity(row),
          ...pick(row, ['country', 'real_name', 'biography', 'image_url']),
          genres: names(played.get(row.id)),
          ...known(row),
        }),
      }));
    };
  },
  label: (sqlite) => {
    const rows = changedRows(
      sqlite,
      'labels',
      [...told, 't.country', 't.founded_year', 't.external_ids', 'p.slug as parent_slug', 'p.name as parent'],
      sql`left join labels p on p.id = t.parent_id`,
    );
    const rosters = prepare<Ids, Named>(sqlite, (p) =>
      query
        .selectFrom('label_artists as x')
        .innerJoin('artists as a', 'a.id', 'x.artist_id')
        .select(['x.label_id as owner', 'a.slug', 'a.name'])
        .where('x.label_id', '>=', p.first)
        .where('x.label_id', '<=', p.last)
        .orderBy('x.label_id')
        .orderBy('x.artist_id'),
    );
    return (range) => {
      const found = rows.all(range);
      const signed = grouped(rosters, found);
      return found.map((row) => ({
        id: row.id,
        line: stated('label', row.slug, {
          ...identity(row),
          ...pick(row, ['country', 'founded_year', 'description', 'website', 'image_url']),
          parent: reference(row.parent_slug, row.parent),
          artists: references(signed.get(row.id)),
          ...known(row),
        }),
      }));
    };
  },
  festival: (sqlite) => {
    const rows = changedRows(sqlite, 'festivals', [...told, 't.city', 't.country', 't.external_ids']);
    const genres = genreNames(sqlite, 'festival_genres', 'festival_id');
    return (range) => {
      const found = rows.all(range);
      const played = grouped(genres, found);
      return found.map((row) => ({
        id: row.id,
        line: stated('festival', row.slug, {
          ...identity(row),
          ...pick(row, ['city', 'country', 'description', 'website', 'image_url']),
          genres: names(played.get(row.id)),
          ...known(row),
        }),
      }));
    };
  },
  edition: (sqlite) => {
    const rows = changedRows(
      sqlite,
      'editions',
      ['t.edition', ...placeColumns, 'f.slug as festival_slug', 'f.name as festival'],
      sql`join festivals f on f.id = t.festival_id ${venueJoin}`,
    );
    const both = shows(sqlite);
    return (range) => {
      const found = rows.all(range);
      const billed = both(found);
      return found.map((row) => ({
        id: row.id,
        line: stated('edition', row.slug, {
          festival: reference(row.festival_slug, row.festival),
          edition: row.edition,
          ...showing(row),
          ...billed(row),
        }),
      }));
    };
  },
  event: (sqlite) => {
    const rows = changedRows(
      sqlite,
      'events',
      [
        ...placeColumns,
        't.minimum_age',
        'd.edition',
        'f.slug as festival_slug',
        'f.name as festival',
        // Of several sources that give an address, the one that the detail lists first.
        `(select json_extract(x.statement, '$.url') from provider_records x join sources s on s.id = x.source_id
          where x.record_id = t.id and json_extract(x.statement, '$.url') is not null
          order by s.name, x.external_id limit 1) as url`,
      ],
      sql`${venueJoin} left join editions d on d.id = t.edition_id left join festivals f on f.id = d.festival_id`,
    );
    const genres = genreNames(sqlite, 'event_genres', 'event_id');
    const both = shows(sqlite);
    return (range) => {
      const found = rows.all(range);
      const [billed, played] = [both(found), grouped(genres, found)];
      return found.map((row) => ({
        id: row.id,
        line: stated('event', row.slug, {
          ...showing(row),
          minimum_age: row.minimum_age,
          url: row.url,
          genres: names(played.get(row.id)),
          ...billed(row),
          festival:
            row.festival_slug === null
              ? null
              : { festival: reference(row.festival_slug, row.festival), edition: row.edition },
        }),
      }));
    };
  },
  podcast: plain('podcasts', [...told, 't.publisher', 't.feed_url'], (row) => ({
    ...identity(row),
    ...pick(row, ['publisher', 'description', 'website', 'feed_url', 'image_url']),
    links: parsed(row.links),
  })),
  episode: (sqlite) => {
    const rows = changedRows(
      sqlite,
      'episodes',
      [
        't.name',
        't.number',
        't.published_at',
        't.duration_seconds',
        't.description',
        't.audio_url',
        't.image_url',
        'p.slug as podcast_slug',
        'p.name as podcast',
      ],
      sql`join podcasts p on p.id = t.podcast_id`,
    );
    const artists = prepare<Ids, Named>(sqlite, (p) =>
      query
        .selectFrom('episode_artists as x')
        .innerJoin('artists as a', 'a.id', 'x.artist_id')
        .select(['x.episode_id as owner', 'a.slug', 'a.name'])
        .where('x.episode_id', '>=', p.first)
        .where('x.episode_id', '<=', p.last)
        .orderBy('x.episode_id')
        .orderBy('x.position'),
    );
    const tracks = prepare<Ids, { owner: number } & Record<string, string | number | null>>(sqlite, (p) =>
      query
        .selectFrom('tracks')
        .select(['episode_id as owner', 'position', 'start_seconds', 'artist_name', 'title', 'label_name'])
        .where('episode_id', '>=', p.first)
        .where('episode_id', '<=', p.last)
        .orderBy('episode_id')
        .orderBy('position'),
    );
    return (range) => {
      const found = rows.all(range);
      const [playing, played] = [grouped(artists, found), grouped(tracks, found)];
      return found.map((row) => ({
        id: row.id,
        line: stated('episode', row.slug, {
          podcast: reference(row.podcast_slug, row.podcast),
          name: row.name,
          ...pick(row, [
            'number',
            'published_at',
            'duration_seconds',
            'description',
            'audio_url',
            'image_url',
          ]),
          artists: references(playing.get(row.id)),
          tracklist: (played.get(row.id) ?? []).map(only),
        }),
      }));
    };
  },
};
