/** One show is one event, two shows are two (docs/spec/imports.md#promises, promise 2), through real imports and the API's view of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, freshFile, type Line, partition, permutations, says } from '../support/matching.ts';

type Show = Record<string, unknown>;
type Case = {
  what: string;
  same: boolean;
  a: Show;
  b: Show;
  /** Lines of both sources before their shows. */
  known?: Line[];
};

const hamburg = { city: 'Hamburg', country: 'DE' };
const acts = (...names: string[]) => names.map((name) => ({ name }));
const at = (name: string, more: object = {}) => ({ name, ...hamburg, ...more });
const zone = 'Europe/Berlin';
const hall = at('Kornspeicher');

const cases: Case[] = [
  {
    what: 'a show that was moved, under the house it was moved from',
    same: true,
    a: {
      name: 'Vera Lindt - verlegt vom Korn & Speicher ins Docks',
      start_at: '2026-12-04T20:00',
      venue: at('Docks'),
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt',
      start_at: '2026-12-04',
      venue: at('Korn und Speicher'),
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'a show that was moved, and another one in the house it was moved from',
    same: false,
    a: {
      name: 'Vera Lindt - moved from Kornspeicher to Docks',
      start_at: '2026-12-04T20:00',
      venue: at('Docks'),
      lineup: acts('Vera Lindt'),
    },
    b: { name: 'Orrin', start_at: '2026-12-04T20:00', venue: hall, lineup: acts('Orrin') },
  },
  {
    what: 'a title that the other begins with, one without a clock',
    same: true,
    a: { name: 'Zuckerwerk - Die Nacht der Neunziger', start_at: '2026-12-04T23:00', venue: hall },
    b: { name: 'ZUCKERWERK', start_at: '2026-12-04', venue: hall },
  },
  {
    what: 'titles that begin alike and go on otherwise',
    same: false,
    a: { name: 'Lange Zuckerwerk Nacht - Techno', start_at: '2026-12-04T23:00', venue: hall },
    b: { name: 'Zuckerwerk Party (Keller)', start_at: '2026-12-04', venue: hall },
  },
  {
    what: 'a name of general words with a number',
    same: true,
    a: { name: 'Club 69 - Viernes', start_at: '2026-12-05T00:30', timezone: zone, venue: hall },
    b: { name: 'CLUB 69', start_at: '2026-12-04', venue: hall },
  },
  {
    what: 'the two halves of a birthday',
    same: false,
    a: { name: '10 Jahre Kornspeicher (1/2)', start_at: '2026-12-04', venue: hall },
    b: { name: '10 Years Kornspeicher (2/2)', start_at: '2026-12-04', venue: hall },
  },
  {
    what: 'a birthday, and a last name in its title',
    same: true,
    a: { name: '10 Jahre Kornspeicher: Werkschau x Lindqvist', start_at: '2026-12-04T23:00', venue: hall },
    b: {
      name: '10 Years Kornspeicher',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('Vera Lindqvist', 'Orrin'),
    },
  },
  {
    what: 'the first and the second show, in brackets',
    same: false,
    a: { name: '冨田ラボ(1st)', start_at: '2026-12-04', venue: hall },
    b: { name: '冨田ラボ【2ndステージ】', start_at: '2026-12-04', venue: hall },
  },
  {
    what: 'a show that is sold as an add-on to a festival ticket',
    same: true,
    a: { name: 'Add-on: Vera Lindt', start_at: '2026-12-04T20:00', venue: hall, lineup: acts('Vera Lindt') },
    b: {
      name: 'Vera Lindt - festival ticket also required',
      start_at: '2026-12-04T20:00',
      venue: hall,
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'an add-on that is no show',
    same: false,
    a: { name: 'Add-on: Shuttle for Vera Lindt', start_at: '2026-12-04T18:00', venue: hall },
    b: { name: 'Vera Lindt', start_at: '2026-12-04T20:00', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'the full line-up and the headliner alone',
    same: true,
    a: {
      name: 'Kollektiv Nacht: Vera Lindt',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin', 'Palesa K', 'Juno Vale'),
    },
    b: { name: 'Vera Lindt', start_at: '2026-12-04T23:30', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'two shows at one venue on one night',
    same: false,
    a: { name: 'Vera Lindt', start_at: '2026-12-04T23:00', venue: hall, lineup: acts('Vera Lindt') },
    b: { name: 'Orrin', start_at: '2026-12-04T23:00', venue: hall, lineup: acts('Orrin') },
  },
  {
    what: 'early and late show, told by their clocks',
    same: false,
    a: { name: 'Vera Lindt', start_at: '2026-12-04T19:00', venue: hall, lineup: acts('Vera Lindt') },
    b: { name: 'Vera Lindt', start_at: '2026-12-04T22:30', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'early and late show, told by their titles',
    same: false,
    a: { name: 'Vera Lindt (Early Show)', start_at: '2026-12-04', venue: hall, lineup: acts('Vera Lindt') },
    b: { name: 'Vera Lindt - Late Show', start_at: '2026-12-04', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'a weekly series with one title',
    same: false,
    a: { name: 'Freitagsgymnastik', start_at: '2026-12-04T23:00', venue: hall },
    b: { name: 'Freitagsgymnastik', start_at: '2026-12-11T23:00', venue: hall },
  },
  {
    what: 'the same night of a series, its title alone',
    same: true,
    a: { name: 'Freitagsgymnastik', start_at: '2026-12-04T23:00', venue: hall },
    b: { name: 'FREITAGSGYMNASTIK @ Kornspeicher', start_at: '2026-12-04T23:00', venue: hall },
  },
  {
    what: "a residency's nights",
    same: false,
    a: {
      name: 'Vera Lindt Residency',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt Residency',
      start_at: '2026-12-05T23:00',
      venue: hall,
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: "a tour's stops on one day off",
    same: false,
    known: [{ kind: 'city', external_id: 'hb', name: 'Bremen', country: 'DE', timezone: zone }],
    a: {
      name: 'Vera Lindt – Long Way Tour',
      start_at: '2026-12-04T20:00',
      venue: hall,
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt – Long Way Tour',
      start_at: '2026-12-04T20:00',
      venue: { name: 'Kornspeicher', city: 'Bremen', country: 'DE' },
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'a festival day and its after-party',
    same: false,
    a: {
      name: 'Deichklang Festival',
      start_at: '2026-12-04T16:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin', 'Palesa K'),
    },
    b: {
      name: 'Deichklang Festival Official Afterparty',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('Orrin', 'Palesa K'),
    },
  },
  {
    what: 'days of a festival',
    same: false,
    a: {
      name: 'Deichklang Festival - Day 1',
      start_at: '2026-12-04T16:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin'),
    },
    b: {
      name: 'Deichklang Festival - Day 2',
      start_at: '2026-12-05T16:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin'),
    },
  },
  {
    what: 'a day of a festival and a ticket for all of them',
    same: false,
    a: {
      name: 'Deichklang Festival Friday',
      start_at: '2026-12-04T16:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin'),
    },
    b: {
      name: 'Deichklang Festival Weekend Pass',
      start_at: '2026-12-04T16:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin', 'Palesa K'),
    },
  },
  {
    what: 'a stage listed on its own',
    same: false,
    a: {
      name: 'Deichklang Festival',
      start_at: '2026-12-04T14:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin', 'Palesa K', 'Juno Vale'),
    },
    b: {
      name: 'Deichklang: Nordlicht Stage',
      start_at: '2026-12-04T15:00',
      venue: hall,
      lineup: acts('Palesa K'),
    },
  },
  {
    what: 'secret venues of two shows',
    same: false,
    a: { name: 'Warehouse Rave', start_at: '2026-12-04T23:00', venue: at('TBA'), lineup: acts('Vera Lindt') },
    b: {
      name: 'Warehouse Rave',
      start_at: '2026-12-04T23:00',
      venue: at('TBA'),
      lineup: acts('Orrin', 'Juno Vale'),
    },
  },
  {
    what: 'one show at a secret venue',
    same: true,
    a: {
      name: 'Rohbau',
      start_at: '2026-12-04T23:00',
      venue: at('Secret Location'),
      lineup: acts('Vera Lindt', 'Orrin'),
    },
    b: {
      name: 'Rohbau w/ Vera Lindt, Orrin',
      start_at: '2026-12-04T23:00',
      venue: at('TBA'),
      lineup: acts('Orrin', 'Vera Lindt'),
    },
  },
  {
    what: 'a venue with a room name',
    same: true,
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T23:00',
      venue: at('Kornspeicher - Main Room'),
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt + support',
      start_at: '2026-12-04T23:00',
      venue: at('Club Kornspeicher'),
      lineup: acts('Vera Lindt', 'Orrin'),
    },
  },
  {
    what: 'a venue under two names that stand a few metres apart',
    same: true,
    known: [
      {
        kind: 'venue',
        external_id: 'k',
        name: 'Kornspeicher',
        ...hamburg,
        latitude: 53.54431,
        longitude: 9.96612,
        address: 'Elbufer 12',
        aliases: ['Alter Speicher'],
      },
    ],
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T23:00',
      venue: { external_id: 'k', name: 'Kornspeicher' },
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T23:00',
      venue: at('Alter Speicher'),
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'another house next door with nearly the same name',
    same: false,
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T23:00',
      venue: at('Kornspeicher 1'),
      lineup: acts('Vera Lindt'),
    },
    b: { name: 'Orrin', start_at: '2026-12-04T23:00', venue: at('Kornspeicher 2'), lineup: acts('Orrin') },
  },
  {
    what: 'past midnight, listed under the day before',
    same: true,
    a: { name: 'Vera Lindt', start_at: '2026-12-04', venue: hall, lineup: acts('Vera Lindt') },
    b: {
      name: 'Vera Lindt all night long',
      start_at: '2026-12-05T00:30',
      venue: hall,
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'local times written as Z',
    same: true,
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T20:00:00Z',
      timezone: 'America/Los_Angeles',
      venue: { name: 'The Granary', city: 'Oakland', country: 'US' },
      lineup: acts('Vera Lindt', 'Orrin'),
    },
    b: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T20:00',
      timezone: 'America/Los_Angeles',
      venue: { name: 'Granary', city: 'Oakland', country: 'US' },
      lineup: acts('Vera Lindt', 'Orrin'),
    },
  },
  {
    what: 'title only',
    same: true,
    a: {
      name: 'Tiefdruck: Vera Lindt b2b Orrin, Palesa K (live) + more',
      start_at: '2026-12-04T23:00',
      venue: hall,
    },
    b: {
      name: 'Tiefdruck',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin', 'Palesa K'),
    },
  },
  {
    what: "a support act that is another seller's headliner",
    same: true,
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T20:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Juno Vale'),
    },
    b: { name: 'Juno Vale', start_at: '2026-12-04T20:00', venue: hall, lineup: acts('Juno Vale') },
  },
  {
    what: 'a translated title',
    same: true,
    a: {
      name: 'Silvester im Kornspeicher',
      start_at: '2026-12-31T22:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin'),
    },
    b: {
      name: "New Year's Eve",
      start_at: '2026-12-31T22:00',
      venue: hall,
      lineup: acts('Orrin', 'Véra Lindt'),
    },
  },
  {
    what: 'a misspelt title',
    same: true,
    a: { name: 'Vera Lindt & Orrin', start_at: '2026-12-04T22:00', venue: hall },
    b: { name: 'Orrin / Vera Lind', start_at: '2026-12-04T22:00', venue: hall },
  },
  {
    what: 'a shared page',
    same: true,
    a: {
      name: 'Deep Space',
      start_at: '2026-12-04T22:00',
      venue: hall,
      url: 'https://tickets.example/e/deep-space-481516',
    },
    b: {
      name: 'Friday at the Granary',
      start_at: '2026-12-04T23:00',
      venue: hall,
      tickets: [{ seller: 'x', url: 'https://www.tickets.example/e/deep-space-481516?utm_source=b' }],
    },
  },
  {
    what: 'a shared page that serves several dates',
    same: false,
    a: {
      name: 'Deep Space',
      start_at: '2026-12-04T22:00',
      venue: hall,
      url: 'https://tickets.example/e/deep-space-481516',
    },
    b: {
      name: 'Deep Space',
      start_at: '2026-12-11T22:00',
      venue: hall,
      url: 'https://tickets.example/e/deep-space-481516',
    },
  },
  {
    what: 'no venue and no city',
    same: true,
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T23:00',
      timezone: zone,
      lineup: acts('Vera Lindt', 'Orrin'),
    },
    b: { name: 'Tiefdruck', start_at: '2026-12-04T23:00', venue: hall, lineup: acts('Vera Lindt', 'Orrin') },
  },
  {
    what: 'numbers of a series',
    same: false,
    a: { name: 'Tiefdruck #12', start_at: '2026-12-04', venue: hall },
    b: { name: 'Tiefdruck #13', start_at: '2026-12-04', venue: hall },
  },
  {
    what: 'nothing in common but place and date',
    same: false,
    a: { name: 'Club Night', start_at: '2026-12-04T23:00', venue: hall },
    b: { name: 'Friday Party', start_at: '2026-12-04T23:00', venue: hall },
  },
  {
    what: 'two acts written as one',
    same: true,
    a: { name: 'Tiefdruck', start_at: '2026-12-04T23:00', venue: hall, lineup: acts('Vera Lindt b2b Orrin') },
    b: {
      name: 'Freitag',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('Orrin', 'VERA LINDT (live)'),
    },
  },
  {
    what: 'two nights of one act, dates without clocks',
    same: false,
    a: { name: 'Vera Lindt', start_at: '2026-12-04', venue: hall, lineup: acts('Vera Lindt') },
    b: { name: 'Vera Lindt', start_at: '2026-12-05', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'two shows of one night that share the act that opens',
    same: false,
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T20:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Juno Vale'),
    },
    b: { name: 'Orrin', start_at: '2026-12-04T20:00', venue: hall, lineup: acts('Orrin', 'Juno Vale') },
  },
  {
    what: 'one act at two houses in one night',
    same: false,
    a: { name: 'Vera Lindt', start_at: '2026-12-04T22:00', venue: hall, lineup: acts('Vera Lindt') },
    b: {
      name: 'Vera Lindt',
      start_at: '2026-12-05T02:00',
      venue: at('Mehlfabrik'),
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'a status in the title, styled letters, emoji',
    same: true,
    a: { name: 'ABGESAGT: Vera Lindt', start_at: '2026-12-04T20:00', venue: hall },
    b: { name: '🔥 𝗩𝗘𝗥𝗔 𝗟𝗜𝗡𝗗𝗧 🔥', start_at: '2026-12-04T20:00', venue: hall },
  },
  {
    what: 'a house with its address in its name and no city',
    same: true,
    a: {
      name: 'Vera Lindt',
      start_at: '2026-12-04T20:00',
      timezone: zone,
      venue: { name: 'Kornspeicher, Elbufer 12, 20457 Hamburg' },
    },
    b: { name: 'Vera Lindt (live)', start_at: '2026-12-04T19:30', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'line-ups that nobody knows yet',
    same: false,
    a: {
      name: 'Club Night',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('TBA', 'Special Guest'),
    },
    b: { name: 'Party', start_at: '2026-12-04T23:00', venue: hall, lineup: acts('TBA', 'special guests') },
  },
  {
    what: 'midnight for want of a clock',
    same: true,
    a: { name: 'Vera Lindt', start_at: '2026-12-04T00:00', venue: hall, lineup: acts('Vera Lindt', 'Orrin') },
    b: {
      name: 'Vera Lindt, Orrin',
      start_at: '2026-12-04T20:00',
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin'),
    },
  },
  {
    what: 'an upgrade, a coach, a tribute',
    same: false,
    a: {
      name: 'Vera Lindt - VIP Upgrade',
      start_at: '2026-12-04T20:00',
      venue: hall,
      lineup: acts('Vera Lindt'),
    },
    b: { name: 'Vera Lindt', start_at: '2026-12-04T20:00', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'a tribute on the night of somebody else',
    same: false,
    a: { name: 'A Tribute to Vera Lindt', start_at: '2026-12-04T20:00', venue: hall },
    b: { name: 'Vera Lindt', start_at: '2026-12-04T20:00', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'the night clocks are put back',
    same: true,
    a: { name: 'Tiefdruck', start_at: '2026-10-25T00:30:00Z', venue: hall, lineup: acts('Vera Lindt') },
    b: { name: 'Tiefdruck', start_at: '2026-10-25T02:30', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'opening and closing of a season',
    same: false,
    a: { name: 'Deichklang Opening Party', start_at: '2026-12-04', venue: hall, lineup: acts('Vera Lindt') },
    b: { name: 'Deichklang Closing Party', start_at: '2026-12-04', venue: hall, lineup: acts('Vera Lindt') },
  },
];

const city: Line = { kind: 'city', external_id: 'hh', name: 'Hamburg', country: 'DE', timezone: zone };
const event = (show: Show): Line => ({ kind: 'event', external_id: 'e', ...show });

for (const { what, same, a, b, known = [] } of cases) {
  test(`${what}: ${same ? 'one event' : 'two events'}`, async (t) => {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const sqlite = freshFile(t);
      await says(sqlite, 'first', [city, ...known, event(first)]);
      const again = [city, ...known, event(second)];
      const { kinds, revision } = await says(sqlite, 'second', again);
      const expected = same ? ['first:e + second:e'] : ['first:e', 'second:e'];
      assert.deepEqual(partition(sqlite), expected);
      assert.equal(kinds.event?.matched, same ? 1 : 0);
      const repeated = await says(sqlite, 'second', again);
      assert.equal(repeated.revision, revision, 'running again changes nothing');
    }
  });
}

const three: Record<string, Line[]> = {
  tickets: [
    city,
    event({
      external_id: '1',
      name: 'Vera Lindt',
      start_at: '2026-12-04T20:00',
      venue: hall,
      lineup: acts('Vera Lindt'),
    }),
    event({
      external_id: '2',
      name: 'Vera Lindt',
      start_at: '2026-12-04T23:00',
      venue: hall,
      lineup: acts('Vera Lindt'),
    }),
    event({
      external_id: '3',
      name: 'Tiefdruck',
      start_at: '2026-12-05T23:00',
      venue: hall,
      lineup: acts('Orrin', 'Juno Vale'),
    }),
  ],
  listings: [
    event({
      external_id: 'a',
      name: 'Vera Lindt live',
      start_at: '2026-12-04T20:15',
      venue: at('Kornspeicher Hamburg'),
      lineup: acts('Vera Lindt', 'Palesa K'),
    }),
    event({
      external_id: 'b',
      name: 'Vera Lindt late',
      start_at: '2026-12-04T23:00',
      venue: at('Kornspeicher Hamburg'),
      lineup: acts('Vera Lindt'),
    }),
    event({
      external_id: 'c',
      name: 'Tiefdruck w/ Orrin',
      start_at: '2026-12-05',
      venue: at('Kornspeicher Hamburg'),
    }),
  ],
  house: [
    { kind: 'venue', external_id: 'v', name: 'Kornspeicher', ...hamburg, latitude: 53.544, longitude: 9.966 },
    event({
      external_id: 'x',
      name: 'VERA LINDT',
      start_at: '2026-12-04',
      venue: { external_id: 'v', name: 'Kornspeicher' },
    }),
    event({
      external_id: 'y',
      name: 'Tiefdruck',
      start_at: '2026-12-05T22:00',
      venue: { external_id: 'v', name: 'Kornspeicher' },
      lineup: acts('Juno Vale', 'Orrin', 'Palesa K'),
    }),
    event({
      external_id: 'z',
      name: 'Tiefdruck',
      start_at: '2026-12-12T22:00',
      venue: { external_id: 'v', name: 'Kornspeicher' },
    }),
  ],
};

test('the order of three sources does not matter, nor that of their lines', async (t) => {
  const outcomes = new Set<string>();
  for (const order of permutations(Object.keys(three))) {
    for (const turned of [false, true]) {
      const sqlite = freshFile(t);
      for (const source of order) {
        const lines = three[source] as Line[];
        await says(sqlite, source, turned ? lines.toReversed() : lines);
      }
      const once = partition(sqlite);
      for (const source of order) {
        const lines = three[source] as Line[];
        await says(sqlite, source, turned ? lines.toReversed() : lines);
      }
      assert.deepEqual(partition(sqlite), once);
      outcomes.add(JSON.stringify(once, null, 1));
      assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
    }
  }
  assert.equal(outcomes.size, 1, [...outcomes].join('\n'));
  assert.deepEqual(JSON.parse([...outcomes][0] as string), [
    'house:x',
    'house:y + listings:c + tickets:3',
    'house:z',
    'listings:a + tickets:1',
    'listings:b + tickets:2',
  ]);
});

test('an event that turns out to be another goes into it: slugs answer, line-ups and tickets are the union', async (t) => {
  const sqlite = freshFile(t);
  const ticket = (seller: string) => [{ seller, url: `https://${seller}.example/buy` }];
  const one = { name: 'Tiefdruck', start_at: '2026-12-04T23:00', venue: hall };
  await says(sqlite, 'a', [city, event({ ...one, lineup: acts('Vera Lindt'), tickets: ticket('a') })]);
  await says(sqlite, 'b', [
    event({ ...one, name: 'Orrin Night', lineup: acts('Orrin'), tickets: ticket('b') }),
  ]);
  assert.equal(partition(sqlite).length, 2);
  const slugs: string[] = ask(sqlite, 'listEvents').map(({ slug }: { slug: string }) => slug);
  // The second seller corrects itself.
  await says(sqlite, 'b', [event({ ...one, lineup: acts('Orrin', 'Vera Lindt'), tickets: ticket('b') })]);
  assert.deepEqual(partition(sqlite), ['a:e + b:e']);
  const [first, second] = slugs.map((slug) => ask(sqlite, 'getEvent', { slug }));
  assert.deepEqual(first, second);
  assert.deepEqual(first.lineup.map(({ name }: { name: string }) => name).sort(), ['Orrin', 'Vera Lindt']);
  assert.equal(ask(sqlite, 'listEventTickets', { slug: slugs[1] as string }).length, 2);
  // And changes its mind again: two events, and no slug is lost.
  await says(sqlite, 'b', [
    event({ ...one, start_at: '2026-12-20T23:00', lineup: acts('Orrin'), name: 'Orrin Night' }),
  ]);
  assert.deepEqual(partition(sqlite), ['a:e', 'b:e']);
  for (const slug of slugs) assert.ok(ask(sqlite, 'getEvent', { slug }).id);
});

test('one source that lists a show twice: one event only where venue, start and title agree', async (t) => {
  const sqlite = freshFile(t);
  const show = { name: 'Vera Lindt', start_at: '2026-12-04T23:00', venue: hall, lineup: acts('Vera Lindt') };
  await says(sqlite, 's', [
    city,
    event({ ...show, external_id: '1' }),
    event({ ...show, external_id: '2' }),
    event({ ...show, external_id: '3', name: 'Vera Lindt (VIP)' }),
    event({ ...show, external_id: '4', venue: at('Mehlspeicher') }),
    event({ ...show, external_id: '5', start_at: '2026-12-04T20:00' }),
  ]);
  assert.deepEqual(partition(sqlite), ['s:1 + s:2', 's:3', 's:4', 's:5']);
});

test('a run that dies half-way and is run again ends as one undisturbed run', async (t) => {
  const lines = Object.entries(three).flatMap(([source, said]) => said.map((line) => ({ source, line })));
  const whole = freshFile(t);
  for (const [source, said] of Object.entries(three)) await says(whole, source, said);
  for (let cut = 1; cut < lines.length; cut += 2) {
    const sqlite = freshFile(t);
    for (const [source, said] of Object.entries(three)) {
      async function* input() {
        for (const [at, line] of said.entries()) {
          if (at === cut % (said.length + 1)) throw new Error('the line is dead');
          yield Buffer.from(`${JSON.stringify(line)}\n`);
        }
      }
      await says(sqlite, source, said, { input: input(), alone: false }).catch(() => {});
    }
    for (const [source, said] of Object.entries(three)) await says(sqlite, source, said, { alone: false });
    assert.deepEqual(partition(sqlite), partition(whole), `cut at ${cut}`);
  }
});

test('a listing that may be either of two shows is neither, and is queued', async (t) => {
  const outcomes = new Set<string>();
  const show = (id: string, start: string) =>
    event({ external_id: id, name: 'Vera Lindt', start_at: start, venue: hall, lineup: acts('Vera Lindt') });
  const said = {
    tickets: [city, show('early', '2026-12-04T19:00'), show('late', '2026-12-04T23:00')],
    listing: [show('x', '2026-12-04')],
  };
  for (const order of permutations(Object.entries(said))) {
    const sqlite = freshFile(t);
    for (const [source, lines] of order) await says(sqlite, source, lines);
    outcomes.add(partition(sqlite).join());
    assert.ok((sqlite.prepare('SELECT count(*) FROM possible_matches').pluck().get() as number) >= 1);
  }
  assert.deepEqual([...outcomes], ['listing:x,tickets:early,tickets:late']);
});

// ------------------------------------------------------------------------------------------------- more than a pair

const night = (more: Show): Line => ({
  kind: 'event',
  external_id: '1',
  venue: hall,
  name: 'x',
  start_at: '2026-12-04',
  ...more,
});

test('whom a tribute is paid to does not play it', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'a', [
    night({
      name: 'The Music of Orrin by Candlelight',
      start_at: '2026-12-04T19:00',
      lineup: acts('Quartet of Strings'),
    }),
  ]);
  await says(sqlite, 'b', [night({ name: 'Orrin', lineup: acts('Orrin') })]);
  assert.deepEqual(partition(sqlite), ['a:1', 'b:1']);
});

test('two dates without a clock at one source stay two, whatever a third seller lists', async (t) => {
  for (const order of permutations(['house', 'gigs'])) {
    const sqlite = freshFile(t);
    const lines: Record<string, Line[]> = {
      house: [
        night({ name: 'Vera Lindt', lineup: acts('Vera Lindt', 'Orrin') }),
        night({ external_id: '2', name: 'Vera Lindt', lineup: acts('Vera Lindt') }),
      ],
      gigs: [night({ name: 'Vera Lindt', lineup: acts('Vera Lindt') })],
    };
    for (const source of order) await says(sqlite, source, lines[source] as Line[]);
    const events = partition(sqlite);
    assert.equal(events.length, 2);
    assert.ok(!events.some((event) => event.includes('house:1') && event.includes('house:2')));
  }
});

test('starts hours apart keep two listings apart that a date alone would join', async (t) => {
  const lines: Record<string, Line[]> = {
    a: [night({ name: 'Vera Lindt', start_at: '2026-12-04T20:00', lineup: acts('Vera Lindt') })],
    b: [night({ name: 'Vera Lindt', lineup: acts('Vera Lindt') })],
    c: [night({ name: 'Vera Lindt Live', start_at: '2026-12-04T22:45', lineup: acts('Vera Lindt') })],
  };
  const outcomes = new Set<string>();
  for (const order of permutations(['a', 'b', 'c'])) {
    const sqlite = freshFile(t);
    for (const source of order) await says(sqlite, source, lines[source] as Line[]);
    const events = partition(sqlite);
    assert.ok(!events.some((event) => event.includes('a:1') && event.includes('c:1')), events.join(', '));
    outcomes.add(events.join(', '));
  }
  assert.equal(outcomes.size, 1);
});

test('the support act of one seller is the headliner of another, where a third names both', async (t) => {
  const lines: Record<string, Line[]> = {
    a: [night({ name: 'Vera Lindt', start_at: '2026-12-04T20:00', lineup: acts('Vera Lindt') })],
    b: [night({ name: 'Orrin', lineup: acts('Orrin') })],
    c: [
      night({
        name: 'Vera Lindt + Orrin',
        start_at: '2026-12-04T20:00',
        lineup: acts('Vera Lindt', 'Orrin'),
      }),
    ],
  };
  for (const order of permutations(['a', 'b', 'c'])) {
    const sqlite = freshFile(t);
    for (const source of order) await says(sqlite, source, lines[source] as Line[]);
    assert.deepEqual(partition(sqlite), ['a:1 + b:1 + c:1']);
  }
});

test('a page that turns out to serve several dates joins nothing, whenever that is found', async (t) => {
  const page = 'https://shop.example/event/season-2026';
  const shop = [
    night({ name: 'Abendprogramm', start_at: '2026-12-04T20:00', url: page }),
    night({ external_id: '2', name: 'Lesung', start_at: '2026-12-18T20:00', url: page }),
  ];
  const club = [
    night({ name: 'Orrin', start_at: '2026-12-04T20:00', tickets: [{ seller: 'shop', url: page }] }),
  ];
  const first = freshFile(t);
  await says(first, 'club', club);
  await says(first, 'shop', shop.slice(0, 1));
  assert.deepEqual(partition(first), ['club:1 + shop:1']);
  await says(first, 'shop', shop);
  assert.deepEqual(partition(first), ['club:1', 'shop:1', 'shop:2']);
  const second = freshFile(t);
  await says(second, 'shop', shop);
  await says(second, 'club', club);
  assert.deepEqual(partition(second), ['club:1', 'shop:1', 'shop:2']);
});

test('a run of more nights than are put together at once: each night is one event', async (t) => {
  const dates = Array.from({ length: 45 }, (_, at) =>
    new Date(Date.UTC(2026, 11, 1 + at)).toISOString().slice(0, 10),
  );
  const said = (write: (date: string) => Show): Line[] =>
    dates.map((date) => night({ external_id: date, lineup: acts('Vera Lindt', 'Orrin'), ...write(date) }));
  const lines: Record<string, Line[]> = {
    a: said((date) => ({ name: 'Vera Lindt', start_at: date })),
    b: said((date) => ({ name: 'Vera Lindt & Orrin', start_at: `${date}T21:30`, timezone: zone })),
  };
  for (const order of permutations(['a', 'b'])) {
    const sqlite = freshFile(t);
    for (const source of order) await says(sqlite, source, lines[source] as Line[]);
    assert.deepEqual(
      partition(sqlite),
      dates.map((date) => `a:${date} + b:${date}`),
    );
  }
});

test('a room that one seller lists as a venue of its own matches the venue of the other', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'a', [
    night({ name: 'Stille Post', lineup: [{ name: 'Vera Lindt', stage: 'Kesselhaus am Kornspeicher' }] }),
  ]);
  await says(sqlite, 'b', [
    night({ name: 'STILLE POST', start_at: '2026-12-04T20:00', venue: at('Kesselhaus am Kornspeicher') }),
  ]);
  assert.deepEqual(partition(sqlite), ['a:1 + b:1']);
});

test('names in two scripts are compared by their sounds', async (t) => {
  const sqlite = freshFile(t);
  const seoul = { city: 'Seoul', country: 'KR' };
  await says(sqlite, 'a', [
    night({
      name: '실리카겔 단독공연',
      start_at: '2026-12-04T20:00',
      venue: { name: '롤링홀', ...seoul },
      lineup: acts('실리카겔'),
    }),
  ]);
  await says(sqlite, 'b', [
    night({
      name: 'Silica Gel @ Rolling Hall',
      start_at: '2026-12-04T20:00',
      venue: { name: 'Rolling Hall', ...seoul },
      lineup: acts('Silica Gel'),
    }),
  ]);
  assert.deepEqual(partition(sqlite), ['a:1 + b:1']);
});

test('one title on two shows of a seller: what the other lists without a clock is neither', async (t) => {
  for (const order of permutations(['a', 'b'])) {
    const sqlite = freshFile(t);
    const lines: Record<string, Line[]> = {
      a: [
        night({ name: 'Zuckerwerk - Früh', start_at: '2026-12-04T17:00' }),
        night({ external_id: '2', name: 'Zuckerwerk - Spät', start_at: '2026-12-04T23:00' }),
      ],
      b: [night({ name: 'Zuckerwerk', start_at: '2026-12-04' })],
    };
    for (const source of order) await says(sqlite, source, lines[source] as Line[]);
    assert.deepEqual(partition(sqlite), ['a:1', 'a:2', 'b:1']);
  }
});

test('a house in a district, in another one, and in the city they are of', async (t) => {
  const city = {
    kind: 'city',
    external_id: 'new-york',
    name: 'New York',
    country: 'US',
    latitude: 40.7,
    longitude: -74,
    timezone: 'America/New_York',
  };
  const inTown = (name: string, town: string) => ({ name, city: town, country: 'US' });
  const said = (house: string): Record<string, Line[]> => ({
    a: [night({ name: 'Nonstop', start_at: '2026-12-04T22:00', venue: inTown(house, 'Queens') })],
    b: [
      night({
        name: 'Nonstop: Vera Lindt, Orrin',
        start_at: '2026-12-04T22:00',
        venue: inTown(house, 'New York'),
        lineup: acts('Vera Lindt', 'Orrin'),
      }),
    ],
    c: [
      night({
        name: 'Vera Lindt, Orrin',
        start_at: '2026-12-04T22:00',
        venue: inTown(house, 'Ridgewood'),
      }),
    ],
  });
  for (const order of permutations(['a', 'b', 'c'])) {
    const sqlite = freshFile(t);
    await says(sqlite, 'cities', [city]);
    for (const source of order) await says(sqlite, source, said('Afternow')[source] as Line[]);
    assert.deepEqual(partition(sqlite), ['a:1 + b:1 + c:1']);
  }
  // Of such a name there is a house in many cities.
  const sqlite = freshFile(t);
  await says(sqlite, 'cities', [city]);
  for (const source of ['a', 'b']) await says(sqlite, source, said('O2 Academy')[source] as Line[]);
  assert.deepEqual(partition(sqlite), ['a:1', 'b:1']);
});

for (const [part, isAlone] of [
  ['Elbfest - Tent Stage', true],
  ['Tent Stage @ Elbfest', true],
  ['Elbfest: Techno Stage', true],
  ['Elbfest Pre-Party', true],
  ['Elbfest', false],
] as const) {
  test(`a part of a festival that is listed on its own is another thing, a short line-up is not: ${part}`, async (t) => {
    const whole = night({ name: 'Elbfest', lineup: acts('Vera Lindt', 'Orrin', 'Juno Vale', 'Kai Sato') });
    const listings = { a: whole, b: night({ name: part, lineup: acts('Juno Vale', 'Kai Sato') }) };
    for (const order of permutations(['a', 'b'] as const)) {
      const sqlite = freshFile(t);
      for (const source of order) await says(sqlite, source, [listings[source]]);
      assert.deepEqual(partition(sqlite), isAlone ? ['a:1', 'b:1'] : ['a:1 + b:1']);
    }
  });
}

test('a stage that is all that either lists is one show', async (t) => {
  const sqlite = freshFile(t);
  const lineup = acts('Juno Vale', 'Kai Sato');
  await says(sqlite, 'a', [night({ name: 'Elbfest', lineup })]);
  await says(sqlite, 'b', [night({ name: 'Elbfest - Tent Stage', lineup })]);
  assert.deepEqual(partition(sqlite), ['a:1 + b:1']);
});

test('a source that is called after a house lists its shows, whatever it calls its rooms', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'kornspeicher', [
    night({ name: 'Vera Lindt', start_at: '2026-12-04', venue: at('La [1]'), lineup: acts('Vera Lindt') }),
  ]);
  await says(sqlite, 'guide', [
    night({ name: 'Vera Lindt', start_at: '2026-12-04T20:00', lineup: acts('Vera Lindt') }),
  ]);
  assert.deepEqual(partition(sqlite), ['guide:1 + kornspeicher:1']);
});

test('a city with its region behind it is that city, unless the region is another one', async (t) => {
  const sqlite = freshFile(t);
  const city = (name: string, region: string) => ({
    kind: 'city',
    external_id: name,
    name,
    region,
    country: 'US',
    timezone: 'America/Los_Angeles',
  });
  await says(sqlite, 'cities', [city('Seattle', 'Washington'), city('Portland', 'Oregon')]);
  const places = ['Seattle, WA', 'Seattle, Washington, USA', 'Portland, OR', 'Portland, ME'];
  await says(
    sqlite,
    'a',
    places.map((town, at) =>
      night({ external_id: String(at), venue: { name: `House ${at}`, city: town, country: 'US' } }),
    ),
  );
  const cities = sqlite.prepare('SELECT name, region FROM cities ORDER BY name, region').raw().all();
  assert.deepEqual(cities, [
    ['Portland', 'Maine'],
    ['Portland', 'Oregon'],
    ['Seattle', 'Washington'],
  ]);
});
