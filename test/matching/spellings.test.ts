/** Ways in which two sellers write down one place, clock, title or act: each case has a week of its own (docs/spec/imports.md#promises, promise 2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshFile, type Line, partition, permutations, says } from '../support/matching.ts';

type Show = Record<string, unknown> & { name: string; time: string };
type Case = { what: string; same: boolean; a: Show; b: Show };

const acts = (...names: string[]) => names.map((name) => ({ name }));
const at = (name: string, city?: string, country?: string) => ({ name, city, country });
const hall = at('Kornspeicher', 'Hamburg', 'DE');

/** `rfc3339` is put behind the date of the case: "" is a date alone. */
const cases: Case[] = [
  {
    what: 'a saint in short and in full',
    same: true,
    a: {
      name: 'Vera Lindt',
      time: '',
      venue: at('Ferrous Dome', 'St. Olaf', 'US'),
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt',
      time: 'T20:00',
      venue: at('Ferrous Dome', 'Saint Olaf', 'US'),
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'a town with a short ending',
    same: true,
    a: {
      name: 'Vera Lindt',
      time: '',
      venue: at('Ferrous Dome', 'Marlboro', 'US'),
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt & Orrin',
      time: 'T20:00',
      venue: at('Ferrous Dome', 'Marlborough', 'US'),
      lineup: acts('Vera Lindt', 'Orrin'),
    },
  },
  {
    what: 'a town in two languages',
    same: true,
    a: { name: 'Vera Lindt', time: '', venue: at('Ferrodome', 'Luzern', 'CH'), lineup: acts('Vera Lindt') },
    b: {
      name: 'Vera Lindt',
      time: 'T20:00',
      venue: at('Ferrodome', 'Lucerne', 'CH'),
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'one house, under the names of two districts',
    same: true,
    a: {
      name: 'Vera Lindt',
      time: '',
      venue: at('Cliffside Bandstand', 'Eastcliff', 'GB'),
      lineup: acts('Vera Lindt'),
    },
    b: {
      name: 'Vera Lindt',
      time: 'T20:00',
      venue: at('Cliffside Bandstand', 'Southwater', 'GB'),
      lineup: acts('Vera Lindt'),
    },
  },
  {
    what: 'houses of a name that many towns have, in two towns',
    same: false,
    a: { name: 'Tiefdruck', time: 'T20:00', venue: at('Stadthalle', 'Oberhagen', 'DE') },
    b: { name: 'Tiefdruck', time: 'T20:00', venue: at('Stadthalle', 'Niederwald', 'DE') },
  },
  {
    what: 'a house that is only the name of its city',
    same: true,
    a: {
      name: 'Vera Lindt',
      time: 'T18:00:00Z',
      venue: at('Hamburg', 'Hamburg', 'DE'),
      lineup: acts('Vera Lindt'),
    },
    b: { name: 'VERA LINDT', time: 'T20:00', venue: at('Helikon 37'), lineup: acts('Vera Lindt') },
  },
  {
    what: 'a feast in the city, and in a house of it',
    same: false,
    a: { name: 'Silvesterparty', time: 'T22:00', venue: at('Hamburg', 'Hamburg', 'DE') },
    b: { name: 'Silvesterparty', time: 'T22:00', venue: hall },
  },
  {
    what: 'a street in short and a company in short',
    same: true,
    a: { name: 'Grabenfest', time: '', venue: at('9th St. Rigging Co.') },
    b: { name: 'Grabenfest', time: 'T21:00', venue: at('9th Street Rigging Company', 'Duluth', 'US') },
  },
  {
    what: 'a saint and a street',
    same: false,
    a: { name: 'Grabenfest', time: 'T21:00', venue: at('The Saint', 'Duluth', 'US') },
    b: { name: 'Grabenfest', time: 'T21:00', venue: at('The Street', 'Duluth', 'US') },
  },
  {
    what: 'morning and evening confused',
    same: true,
    a: { name: 'Vera Lindt with Orrin', time: 'T07:00', venue: hall, lineup: acts('Vera Lindt', 'Orrin') },
    b: { name: 'Vera Lindt', time: 'T19:00', venue: hall, lineup: acts('Vera Lindt', 'Orrin') },
  },
  {
    what: 'a show at noon and one at midnight',
    same: false,
    a: { name: 'Vera Lindt with Orrin', time: 'T11:30', venue: hall, lineup: acts('Vera Lindt', 'Orrin') },
    b: { name: 'Vera Lindt', time: 'T23:30', venue: hall, lineup: acts('Vera Lindt', 'Orrin') },
  },
  {
    what: 'an instant in a country with one zone, in a town nobody knows',
    same: true,
    a: { name: 'R&B Nur Das Fest', time: 'T18:30:00Z', venue: at('Minglehof', 'Oberhagen', 'DE') },
    b: { name: 'R&B NUR DAS', time: 'T20:30', venue: at('Minglehof') },
  },
  {
    what: 'an instant in a country of many zones, of which one makes it the same hour',
    same: true,
    a: {
      name: 'Orrin',
      time: 'T22:00:00Z',
      venue: at('Minglehall Yard', 'Ferndale', 'US'),
      lineup: acts('Orrin'),
    },
    b: { name: 'Orrin', time: 'T17:00', venue: at('Minglehall'), lineup: acts('Orrin') },
  },
  {
    what: 'an instant in a country of many zones, and an hour in none of them',
    same: false,
    a: { name: 'Orrin', time: 'T10:00:00Z', venue: at('Tubbhall', 'Ferndale', 'US'), lineup: acts('Orrin') },
    b: { name: 'Orrin', time: 'T21:00', venue: at('Tubbhall'), lineup: acts('Orrin') },
  },
  {
    what: 'a ticket for both shows, and one of them',
    same: false,
    a: { name: 'Vera Lindt', time: 'T20:00', venue: hall, lineup: acts('Vera Lindt') },
    b: { name: 'Vera Lindt - Both Show Pass', time: 'T20:00', venue: hall, lineup: acts('Vera Lindt') },
  },
  {
    what: 'a subscription for a season, and a concert of it',
    same: false,
    a: { name: 'Tiefdruck', time: 'T20:00', venue: hall },
    b: { name: 'Tiefdruck Saison-Abo', time: 'T20:00', venue: hall },
  },
  {
    what: 'a festival of three days, and its Friday',
    same: false,
    a: {
      name: 'Paaskoog 2026',
      time: '',
      days: 2,
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin', 'Kessel'),
    },
    b: { name: 'Paaskoog 2026 - vrijdag', time: 'T15:00', venue: hall, lineup: acts('Vera Lindt', 'Orrin') },
  },
  {
    what: 'a festival of three days, and the ticket for all of them',
    same: true,
    a: {
      name: 'Deichkoog 2026',
      time: '',
      days: 2,
      venue: hall,
      lineup: acts('Vera Lindt', 'Orrin', 'Kessel'),
    },
    b: { name: 'Deichkoog 2026 - weekendticket', time: 'T15:00', venue: hall },
  },
  {
    what: 'a concert, and the hours after it',
    same: false,
    a: { name: 'Orrin', time: '', venue: hall, lineup: acts('Orrin') },
    b: {
      name: 'Kindergarten: After Hours w/ Orrin DJ set',
      time: 'T23:00',
      venue: hall,
      lineup: acts('Orrin (DJ set)'),
    },
  },
  {
    what: 'a series that is called after the hours it has',
    same: true,
    a: { name: 'After Hours with Orrin', time: 'T04:00', venue: hall, lineup: acts('Orrin') },
    b: { name: 'Afterhours: Orrin', time: '', venue: hall, lineup: acts('Orrin') },
  },
  {
    what: 'general words, with the house behind them',
    same: true,
    a: { name: 'Friday Night', time: '', venue: hall },
    b: { name: 'Friday Night | Kornspeicher', time: 'T22:30', venue: hall },
  },
  {
    what: 'general words that go on otherwise',
    same: false,
    a: { name: 'Saturday Night', time: '', venue: hall },
    b: { name: 'Sunday Afternoon | Kornspeicher', time: 'T22:30', venue: hall },
  },
  {
    what: 'a title of a city and a style, with the date behind it',
    same: true,
    a: { name: 'HAMBURG TRANCE - KORNSPEICHER - FR 01.05', time: 'T23:59', venue: hall },
    b: { name: 'Hamburg Trance: Orrin', time: 'T23:59', venue: hall, lineup: acts('Orrin', 'Kessel') },
  },
  {
    what: 'a title, and the kind of music it is',
    same: true,
    a: { name: 'Shakuro', time: '', venue: hall },
    b: { name: 'SHAKURO reggaeton party', time: 'T23:30', venue: hall },
  },
  {
    what: 'a name in two scripts, one writing a sound that the other leaves out',
    same: true,
    a: { name: 'концерт Хуана Каррераса', time: 'T19:00', venue: hall, lineup: acts('Хуан Каррерас') },
    b: { name: 'An evening with the tenor', time: 'T19:00', venue: hall, lineup: acts('Juan Carreras') },
  },
  {
    what: 'a leader and his quartet',
    same: true,
    a: { name: 'Jazz on the roof', time: 'T19:00', venue: hall, lineup: acts('The Johan Marsk Quartet') },
    b: { name: 'Dachkonzert', time: 'T19:00', venue: hall, lineup: acts('Johan Marsk', 'Kessel') },
  },
  {
    what: 'a benefit that is listed as who plays',
    same: true,
    a: {
      name: 'Benefit for Jane Kessel',
      time: 'T21:00',
      venue: hall,
      lineup: acts('Benefit for Jane Kessel'),
    },
    b: {
      name: 'Jane Kessel Benefit: Pink Orrin, The Lindts',
      time: '',
      venue: hall,
      lineup: acts('Pink Orrin', 'The Lindts'),
    },
  },
  {
    what: 'one bill at nearly one hour, in a house under its new name',
    same: true,
    a: {
      name: 'Orrin with Vera Lindt',
      time: 'T19:00',
      venue: at('Docks', 'Hamburg', 'DE'),
      lineup: acts('Orrin', 'Vera Lindt'),
    },
    b: {
      name: 'Orrin - Rainbow Tour',
      time: 'T18:00',
      venue: at('Sparkasse Forum', 'Hamburg', 'DE'),
      lineup: acts('Orrin', 'Vera Lindt'),
    },
  },
  {
    what: 'one act at nearly one hour, in two houses of a city',
    same: false,
    a: { name: 'Orrin', time: 'T19:00', venue: at('Docks', 'Hamburg', 'DE'), lineup: acts('Orrin') },
    b: {
      name: 'Orrin',
      time: 'T18:00',
      venue: at('Sparkasse Forum', 'Hamburg', 'DE'),
      lineup: acts('Orrin'),
    },
  },
];

const hamburg: Line = {
  kind: 'city',
  external_id: 'hh',
  name: 'Hamburg',
  country: 'DE',
  latitude: 53.55,
  longitude: 10,
  timezone: 'Europe/Berlin',
};
const dayMs = 86_400_000;
const dateOf = (ts: number): string => new Date(ts).toISOString().slice(0, 10);

/** A show of a case as a line of a feed; weeks are counted from a Friday. */
function line({ time, days, ...show }: Show, week: number): Line {
  const day = Date.UTC(2027, 0, 1) + week * 7 * dayMs;
  const end = typeof days === 'number' ? { end_at: dateOf(day + days * dayMs) } : {};
  return { kind: 'event', external_id: String(week), start_at: `${dateOf(day)}${time}`, ...end, ...show };
}

for (const reversed of [false, true]) {
  const order = reversed ? 'the second first' : 'the first first';
  test(`two sellers write down the same shows, ${order}`, async (t) => {
    const sqlite = freshFile(t);
    await says(sqlite, 'cities', [hamburg]);
    const feeds: [string, Line[]][] = [
      ['a', cases.map(({ a }, week) => line(a, week))],
      ['b', cases.map(({ b }, week) => line(b, week))],
    ];
    for (const [source, lines] of reversed ? feeds.toReversed() : feeds) await says(sqlite, source, lines);
    const found = new Set(partition(sqlite));
    for (const [week, { what, same }] of cases.entries())
      await t.test(`${what}: ${same ? 'one event' : 'two events'}`, () =>
        assert.equal(found.has(`a:${week} + b:${week}`), same),
      );
  });
}

test('a house under its new name: what a third seller at the old one lists goes along', async (t) => {
  const bill = acts('Orrin', 'Vera Lindt');
  const said: [string, Line][] = [
    [
      'old',
      line({ name: 'Orrin', time: '', venue: at('Quartz Dome', 'Ferndale', 'US'), lineup: acts('Orrin') }, 0),
    ],
    [
      'guide',
      line(
        {
          name: 'Orrin with Vera Lindt',
          time: 'T19:00',
          venue: at('QUARTZ DOME', 'Ferndale', 'US'),
          lineup: bill,
        },
        0,
      ),
    ],
    [
      'house',
      line({ name: 'Orrin - Rainbow Tour', time: 'T18:00', venue: at('Sparkasse Forum'), lineup: bill }, 0),
    ],
  ];
  for (const order of permutations(said)) {
    const sqlite = freshFile(t);
    for (const [source, one] of order) await says(sqlite, source, [one]);
    assert.deepEqual(partition(sqlite), ['guide:0 + house:0 + old:0']);
  }
});
