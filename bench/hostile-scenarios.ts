/** Feeds that no honest source would write: each is as costly for one part of matching as a record may be. */

/** The feed of one source; scenarios of several sources are imported one after the other. */
export type HostileFeed = { source: string; records: readonly object[] };
export type Scenario = { name: string; feeds: () => HostileFeed[] };

/** How large each scenario is. */
const sizes = {
  aliasVenues: 20,
  nearNames: 300,
  nearArtists: 1_000,
  sameShows: 2_000,
  longNames: 120,
  namedAlike: 10_000,
  sharedPage: 2_000,
  oneDate: 2_000,
  sources: 300,
  oneVenue: 5_000,
  cities: 500,
  syncs: 200,
  jointNames: 200,
  lineups: 6,
};

const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Returns a distinct word for each number: "aabc". */
const word = (index: number): string =>
  range(4, (place) => letters[Math.floor(index / 26 ** place) % 26]).join('');

const place = { city: 'Berlin', country: 'DE' };
const venue = (index: number, more: object = {}) => ({
  kind: 'venue',
  external_id: `v${index}`,
  name: `House ${word(index)}`,
  ...place,
  ...more,
});
const artist = (index: number, more: object = {}) => ({
  kind: 'artist',
  external_id: `a${index}`,
  name: `Artist ${word(index)}`,
  ...more,
});
const event = (index: number, more: object = {}) => ({
  kind: 'event',
  external_id: `e${index}`,
  name: 'Klubnacht',
  start_at: '2026-12-31T23:00',
  venue: { name: 'Berghain', ...place },
  ...more,
});
const one = (records: readonly object[]): HostileFeed[] => [{ source: 'one', records }];
/** The same records from two sources, one after the other. */
const two = (records: readonly object[]): HostileFeed[] => [
  { source: 'one', records },
  { source: 'two', records },
];
/** Each record from a source of its own. */
const each = (records: readonly object[]): HostileFeed[] =>
  records.map((record, index) => ({ source: `source-${index}`, records: [record] }));

const aliases = (count: number, from = 0) => range(count, (index) => `other name ${word(from + index)}`);
const lineup = (count: number) => range(count, (index) => ({ name: `Act ${word(index * 7)} ${index}` }));
const tickets = (count: number) =>
  range(count, (index) => ({ seller: 'Seller', url: `https://seller.example/event/${1_000 + index}` }));
const links = (count: number) =>
  range(count, (index) => ({ type: 'website', url: `https://page.example/artist/${1_000 + index}` }));
/** One letter differs: a slip of the pen. */
const slip = (name: string, index: number): string => {
  const at = index % name.length;
  return `${name.slice(0, at)}${letters[Math.floor(index / name.length) % 26]}${name.slice(at + 1)}`;
};

/** Records as an honest source writes them, of two sources that list the same events. */
export const plainFeeds = (): HostileFeed[] =>
  two([
    ...range(100, (i) => artist(i)),
    ...range(100, (i) => venue(i)),
    ...range(100, (i) =>
      event(i, {
        name: `Night ${word(i * 31)}`,
        start_at: `2026-12-${String(1 + (i % 28)).padStart(2, '0')}T23:00`,
        venue: { name: `House ${word(i % 100)}`, ...place },
        lineup: lineup(4 + (i % 7)),
        url: `https://seller.example/event/${100_000 + i}`,
      }),
    ),
  ]);

export const scenarios: readonly Scenario[] = [
  {
    name: '20 venues, the same 3,000 aliases',
    feeds: () => one(range(sizes.aliasVenues, (i) => venue(i, { aliases: aliases(3_000) }))),
  },
  {
    name: '20 venues of two sources, the same 500 aliases',
    feeds: () => two(range(sizes.aliasVenues, (i) => venue(i, { aliases: aliases(500) }))),
  },
  {
    name: '300 venues of nearly one name, one source',
    feeds: () => one(range(sizes.nearNames, (i) => venue(i, { name: slip('Kulturfabrik Moabit', i) }))),
  },
  {
    name: '300 venues of nearly one name, two sources',
    feeds: () => two(range(sizes.nearNames, (i) => venue(i, { name: slip('Kulturfabrik Moabit', i) }))),
  },
  {
    name: '300 venues of nearly one name, a source each',
    feeds: () => each(range(sizes.nearNames, (i) => venue(i, { name: slip('Kulturfabrik Moabit', i) }))),
  },
  {
    name: '300 venues of one address',
    feeds: () => two(range(sizes.nearNames, (i) => venue(i, { address: 'Am Wriezener Bahnhof 70' }))),
  },
  {
    name: '1,000 artists of nearly one name, one source',
    feeds: () => one(range(sizes.nearArtists, (i) => artist(i, { name: slip('Paul van Kalkbrenner', i) }))),
  },
  {
    name: '1,000 artists of nearly one name, two sources',
    feeds: () => two(range(sizes.nearArtists, (i) => artist(i, { name: slip('Paul van Kalkbrenner', i) }))),
  },
  {
    name: '1,000 labels of one name',
    feeds: () =>
      two(
        range(sizes.nearArtists, (i) => ({
          kind: 'label',
          external_id: `l${i}`,
          name: i % 2 ? 'Ostgut Ton' : 'Ostgut Ton Records',
        })),
      ),
  },
  {
    name: '1,000 festivals of nearly one name',
    feeds: () =>
      two(
        range(sizes.nearArtists, (i) => ({
          kind: 'festival',
          external_id: `f${i}`,
          name: slip('Melt Weekender', i),
        })),
      ),
  },
  {
    name: '2,000 events of one name, venue and day, one source',
    feeds: () => one(range(sizes.sameShows, (i) => event(i))),
  },
  {
    name: '2,000 events of one name, venue and day, two sources',
    feeds: () => two(range(sizes.sameShows / 2, (i) => event(i))),
  },
  {
    name: '2,000 events of one name, venue and day, other starts',
    feeds: () =>
      two(
        range(sizes.sameShows / 2, (i) =>
          event(i, {
            start_at: `2026-12-31T${String(i % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`,
          }),
        ),
      ),
  },
  { name: '300 sources tell of one show', feeds: () => each(range(sizes.sources, () => event(0))) },
  {
    name: '300 sources tell of 2 shows that differ',
    feeds: () =>
      each(
        range(sizes.sources, (i) => event(i, { start_at: i % 2 ? '2026-12-31T23:00' : '2026-12-31T20:00' })),
      ),
  },
  {
    name: '120 venues of a thousand letters',
    feeds: () =>
      two(
        range(sizes.longNames, (i) => venue(i, { name: `${word(i)} ${'x'.repeat(495)} ${'y'.repeat(495)}` })),
      ),
  },
  {
    name: '120 artists of a thousand letters',
    feeds: () =>
      two(
        range(sizes.longNames, (i) =>
          artist(i, { name: `${word(i)} ${'x'.repeat(495)} ${'y'.repeat(495)}` }),
        ),
      ),
  },
  {
    name: '120 events of a thousand letters',
    feeds: () => two(range(sizes.longNames, (i) => event(i, { name: `${word(i)} ${'x '.repeat(495)}` }))),
  },
  {
    name: '6 events, the same 3,000 acts, two sources',
    feeds: () => two(range(sizes.lineups, (i) => event(i, { lineup: lineup(3_000) }))),
  },
  {
    name: '6 events, the same 500 acts, two sources',
    feeds: () => two(range(sizes.lineups, (i) => event(i, { lineup: lineup(500) }))),
  },
  {
    name: '6 events, 500 other acts each, two sources',
    feeds: () =>
      two(range(sizes.lineups, (i) => event(i, { lineup: lineup(3_000).slice(500 * i, 500 * i + 500) }))),
  },
  {
    name: '20 events, the same 3,000 tickets, two sources',
    feeds: () => two(range(20, (i) => event(i, { tickets: tickets(3_000) }))),
  },
  {
    name: '60 events, the same 100 tickets, two sources',
    feeds: () => two(range(60, (i) => event(i, { tickets: tickets(100) }))),
  },
  {
    name: '20 artists, the same 3,000 links',
    feeds: () => two(range(20, (i) => artist(i, { links: links(3_000) }))),
  },
  {
    name: '200 artists, the same 50 links',
    feeds: () => two(range(200, (i) => artist(i, { links: links(50) }))),
  },
  {
    name: '20 artists, the same 3,000 ids',
    feeds: () =>
      two(
        range(20, (i) =>
          artist(i, { external_ids: Object.fromEntries(range(3_000, (n) => [`service${n}`, `id${n}`])) }),
        ),
      ),
  },
  {
    name: '500 artists of one musicbrainz id',
    feeds: () => two(range(500, (i) => artist(i, { external_ids: { musicbrainz: 'x' } }))),
  },
  {
    name: '3 artists, 50,000 aliases each',
    feeds: () => two(range(3, (i) => artist(i, { aliases: aliases(50_000) }))),
  },
  {
    name: '3 genres and cities, 50,000 aliases each',
    feeds: () =>
      one(
        range(3, (i) =>
          i % 2
            ? { kind: 'genre', external_id: `g${i}`, name: `Genre ${i}`, aliases: aliases(50_000) }
            : {
                kind: 'city',
                external_id: `c${i}`,
                name: `City ${i}`,
                country: 'DE',
                aliases: aliases(50_000),
              },
        ),
      ),
  },
  {
    name: '10,000 artists of one name, one source',
    feeds: () => one(range(sizes.namedAlike, (i) => artist(i, { name: 'Adam' }))),
  },
  {
    name: '10,000 artists named like one, two sources',
    feeds: () => [
      { source: 'one', records: [artist(0, { name: 'Adam' })] },
      { source: 'two', records: range(sizes.namedAlike, (i) => artist(i, { name: 'Adam' })) },
    ],
  },
  {
    name: '10,000 artists with one alias',
    feeds: () => two(range(sizes.namedAlike / 2, (i) => artist(i, { aliases: ['Adam'] }))),
  },
  {
    name: '2,000 listings with one address of a page',
    feeds: () =>
      two(
        range(sizes.sharedPage, (i) =>
          event(i, {
            name: `Night ${word(i)}`,
            start_at: `2026-12-${String(1 + (i % 28)).padStart(2, '0')}T23:00`,
            url: 'https://tickets.example/event/12345',
          }),
        ),
      ),
  },
  {
    name: '2,000 events of one date and city, no venue',
    feeds: () =>
      two(
        range(sizes.oneDate, (i) => event(i, { venue: undefined, ...place, name: `Night ${word(i * 97)}` })),
      ),
  },
  {
    name: '2,000 events of one date, city and first word',
    feeds: () =>
      two(
        range(sizes.oneDate, (i) =>
          event(i, { venue: undefined, ...place, start_at: '2026-12-31', name: `Klubnacht ${word(i * 97)}` }),
        ),
      ),
  },
  {
    name: '200 artists "A & B & C …" of 60 names',
    feeds: () =>
      two(
        range(sizes.jointNames, (i) =>
          artist(i, { name: range(60, (n) => `Act ${word((i + n) * 3)}`).join(' & ') }),
        ),
      ),
  },
  {
    name: '200 events with "A & B & C …" acts',
    feeds: () =>
      two(
        range(sizes.jointNames, (i) =>
          event(i, {
            name: `Night ${word(i)}`,
            lineup: range(20, (k) => ({
              name: range(30, (n) => `Act ${word((i + n + k) * 3)}`).join(' & '),
            })),
          }),
        ),
      ),
  },
  {
    name: '5 episodes, 3,000 tracks',
    feeds: () =>
      one(
        range(5, (i) => ({
          kind: 'episode',
          external_id: `p${i}`,
          podcast: { name: 'Mixes' },
          name: `Mix ${i}`,
          tracklist: range(3_000, (n) => ({
            position: n + 1,
            artist_name: `Act ${word(n)}`,
            title: `Title ${n}`,
          })),
        })),
      ),
  },
  {
    name: '5 labels, the same 3,000 artists',
    feeds: () =>
      one(
        range(5, (i) => ({
          kind: 'label',
          external_id: `l${i}`,
          name: `Label ${word(i)}`,
          artists: range(3_000, (n) => ({ name: `Act ${word(n)}` })),
        })),
      ),
  },
  {
    name: '5,000 events of one venue and day, other names, two sources',
    feeds: () => two(range(sizes.oneVenue / 2, (i) => event(i, { name: `Night ${word(i * 97)}` }))),
  },
  {
    name: '5,000 events of one venue and day, a few acts each',
    feeds: () =>
      two(
        range(sizes.oneVenue / 2, (i) =>
          event(i, { name: `Night ${word(i * 97)}`, lineup: lineup(40).slice(i % 30, (i % 30) + 5) }),
        ),
      ),
  },
  {
    name: '1,000 artists, 5 aliases each of 5,000 that others have too',
    feeds: () =>
      two(
        range(sizes.nearArtists, (i) =>
          artist(i, { aliases: range(5, (n) => `Alias ${word((i * 5 + n * 997) % 5_000)}`) }),
        ),
      ),
  },
  {
    name: '500 cities of one name and country, each with a venue',
    feeds: () =>
      two(
        range(sizes.cities, (i) => [
          {
            kind: 'city',
            external_id: `c${i}`,
            name: 'Neustadt',
            country: 'DE',
            region: `Region ${word(i)}`,
            latitude: 47 + (i % 100) / 14,
            longitude: 6 + Math.floor(i / 100),
          },
          venue(i, { city: 'Neustadt' }),
        ]).flat(),
      ),
  },
  {
    name: 'an event whose start and name alternate, 200 syncs',
    feeds: () =>
      range(sizes.syncs, (i) => ({
        source: 'one',
        records: [
          event(0, {
            name: i % 2 ? 'Klubnacht' : 'Finest Friday',
            start_at: i % 2 ? '2026-12-31T23:00' : '2026-12-30T20:00',
            lineup: lineup(20).slice(i % 2, 10 + (i % 2)),
          }),
        ],
      })),
  },
  {
    name: '1,000 merges in a circle',
    feeds: () => [
      {
        source: 'one',
        records: [
          ...range(sizes.nearArtists / 2, (i) => artist(i)),
          ...range(sizes.nearArtists / 2, (i) => ({
            kind: 'artist',
            external_id: `a${i}`,
            change: 'merged',
            into: `a${(i + 1) % (sizes.nearArtists / 2)}`,
          })),
        ],
      },
      {
        source: 'one',
        records: range(sizes.nearArtists / 2, (i) => ({
          kind: 'artist',
          external_id: `a${i}`,
          change: 'merged',
          into: `a${(i + 1) % (sizes.nearArtists / 2)}`,
        })),
      },
    ],
  },
  {
    name: '20 venues, the same 500 aliases',
    feeds: () => one(range(sizes.aliasVenues, (i) => venue(i, { aliases: aliases(500) }))),
  },
  {
    name: '6 events, the same 2,000 acts, two sources',
    feeds: () => two(range(sizes.lineups, (i) => event(i, { lineup: lineup(2_000) }))),
  },
  {
    name: '20 events, the same 200 tickets, two sources',
    feeds: () => two(range(20, (i) => event(i, { tickets: tickets(200) }))),
  },
  {
    name: '20 artists, the same 200 links',
    feeds: () => two(range(20, (i) => artist(i, { links: links(200) }))),
  },
  {
    name: '20 artists, the same 100 ids',
    feeds: () =>
      two(
        range(20, (i) =>
          artist(i, { external_ids: Object.fromEntries(range(100, (n) => [`service${n}`, `id${n}`])) }),
        ),
      ),
  },
  {
    name: '3 artists, 500 aliases each',
    feeds: () => two(range(3, (i) => artist(i, { aliases: aliases(500) }))),
  },
  {
    name: '1,000 artists of 3 names, the same 200 aliases',
    feeds: () =>
      one(range(sizes.nearArtists, (i) => artist(i, { name: `Coll ${i % 3}`, aliases: aliases(200) }))),
  },
  {
    name: '1,000 artists of 3 names, 200 other aliases each',
    feeds: () =>
      one(
        range(sizes.nearArtists, (i) => artist(i, { name: `Coll ${i % 3}`, aliases: aliases(200, i * 200) })),
      ),
  },
  {
    name: '1,000 artists of other names, the same 200 aliases',
    feeds: () => one(range(sizes.nearArtists, (i) => artist(i, { aliases: aliases(200) }))),
  },
];
