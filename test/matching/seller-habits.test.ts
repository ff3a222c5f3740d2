/**
 * Habits of sellers that no labelled set shows (docs/spec/imports.md#evidence): marks in titles, promoters in front,
 * names in two scripts, houses with a word more. Each case has a date of its own; all go in at once, in both orders.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterRecords } from '../../src/matching/clustering.ts';
import { type Habit, testHabits } from '../support/habits.ts';

const lido = ['Lido', 'Berlin', 'DE'] as const;
const field = ['Flugfeld', 'Berlin', 'DE'] as const;

const cases: readonly Habit[] = [
  [
    'marks in another language, and the house in a title',
    true,
    { t: 'WYPRZEDANE: Szary Lot', at: ['Klub Sowa', 'Warszawa', 'PL'], h: '20:00' },
    { t: 'Szary Lot w klubie Sowa', at: ['Sowa', 'Warsaw', 'PL'], h: '19:00' },
  ],
  [
    'one promoter in front of two shows',
    false,
    { t: 'Landklang presents: Nadir', at: lido, h: '20:00' },
    { t: 'Landklang presents: Sungaze', at: lido, h: '20:00' },
  ],
  [
    'two labels with a night each',
    false,
    { t: 'Ostfluss Label Night', at: lido, h: '23:00' },
    { t: 'Westfluss Label Night', at: lido, h: '23:00' },
  ],
  [
    'one of two names in a title, its country behind it',
    true,
    { t: 'LENA HAUF (DE) | LIDO', at: lido, h: '23:00' },
    { t: 'L1 | Lena Hauff, VTS / room 2: residents', at: lido, h: '23:00' },
  ],
  [
    'a name, and a longer one that begins with it',
    false,
    { t: 'Anno', at: lido, h: '23:00', acts: ['Anno'] },
    { t: 'Anno Z', at: lido, h: '23:00', acts: ['Anno Z'] },
  ],
  [
    'a name of two words, and one with a byname between them',
    true,
    { t: 'Werkschau', at: lido, h: '23:00', acts: ['Jerry "Taos" Handler', 'Kiva Lund'] },
    { t: 'Jerry Handler', at: lido, acts: ['Jerry Handler'] },
  ],
  [
    'whichever of two names comes first',
    true,
    { t: 'MORINO TAKESHI', at: lido, h: '23:00', acts: ['MORINO TAKESHI'] },
    { t: 'Takeshi Morino', at: lido, acts: ['Takeshi Morino'] },
  ],
  [
    'half a name beside a whole one',
    true,
    { t: 'Album Release', at: lido, acts: ['Selma Torvik', 'KUNIHARU (live)'] },
    { t: 'Selma Torvik: New Rain', at: lido, h: '23:00', acts: ['Selma Torvik', 'Kuniharu Matsuda'] },
  ],
  [
    'camping at one festival',
    true,
    { t: 'Feldklang 2026 – Camping (The Camp)', at: field },
    { t: 'FELDKLANG 2026 - CAMPING TICKET', at: field, h: '10:00' },
  ],
  [
    'camping and parking at one festival',
    false,
    { t: 'Feldklang 2026 - Camping', at: field },
    { t: 'Feldklang 2026 - Parking', at: field },
  ],
  [
    'passes for one weekend',
    true,
    { t: 'Feldklang 2026 – Full Weekend Pass', at: field },
    { t: 'Feldklang Berlin 2026 - 3 Day Pass', at: field },
  ],
  [
    'passes for two days and for three',
    false,
    { t: 'Feldklang 2026 - 2 Day Pass', at: field },
    { t: 'Feldklang 2026 - 3 Day Pass', at: field },
  ],
  [
    'a house that is called a stage',
    true,
    { t: 'Nadir @ Molson Stage', at: ['Molson Stage', 'Toronto', 'CA'], h: '19:30', acts: ['Nadir'] },
    { t: 'Nadir', at: ['Molson Stage', 'Toronto', 'CA'], h: '19:30', acts: ['Nadir', 'Lotta Veen'] },
  ],
  [
    'houses of one general name in two towns whose names are nearly one',
    false,
    { t: 'Nadir', at: ['Stadthalle', 'Offenbach', 'DE'], h: '20:00', acts: ['Nadir'] },
    { t: 'Nadir', at: ['Stadthalle', 'Offenburg', 'DE'], h: '20:00', acts: ['Nadir'] },
  ],
  [
    'one title in a house with a word more',
    true,
    { t: 'Pearl Sonata à La Fabrique', at: ['La Fabrique du Canal', 'Paris', 'FR'], h: '22:00' },
    { t: 'Pearl Sonata', at: ['La Fabrique', 'Paris', 'FR'], h: '23:00' },
  ],
  [
    'a title of general words in two houses of nearly one name',
    false,
    { t: 'Silent Disco', at: lido, h: '22:00' },
    { t: 'Silent Disco', at: ['Lido Garten Neukölln', 'Berlin', 'DE'], h: '22:00' },
  ],
  [
    'a house with its quarter in another script',
    true,
    { t: '森フミヤ ロングセット', at: ['WIND 表参道', '東京', 'JP'], h: '23:00', acts: ['森フミヤ'] },
    { t: 'Fumiya Mori open to last', at: ['WIND', 'Tokyo', 'JP'], h: '23:00', acts: ['Fumiya Mori'] },
  ],
  [
    'a quarter that one writes in Latin letters',
    true,
    { t: 'Nadir Japan Tour 2026', at: ['渋谷CLUB KARTELL', '東京', 'JP'], h: '18:00', acts: ['Nadir'] },
    { t: 'Nadir', at: ['Shibuya Club Kartell', 'Tokyo', 'JP'], h: '19:00', acts: ['Nadir'] },
  ],
  [
    'a house whose name is half written by its sound',
    true,
    { t: 'NADIR', at: ['梅田カテドラル', '大阪', 'JP'], h: '18:30' },
    { t: 'Nadir at Umeda Katedral', at: ['Umeda Katedral', 'Osaka', 'JP'], h: '19:00', acts: ['Nadir'] },
  ],
  [
    'a headliner that nobody can read, and a support act that both name',
    true,
    { t: '森山太郎 / GONDA', at: ['WIND', '東京', 'JP'], h: '23:00', acts: ['森山太郎', 'GONDA'] },
    { t: 'Taro Moriyama, Gonda', at: ['WIND', 'Tokyo', 'JP'], h: '23:00', acts: ['Taro Moriyama', 'Gonda'] },
  ],
  [
    'two acts of two scripts that nobody can read',
    false,
    { t: '森山太郎 LIVE', at: ['WIND', '東京', 'JP'], h: '19:00', acts: ['森山太郎'] },
    { t: 'Borealis', at: ['WIND', 'Tokyo', 'JP'], h: '19:00', acts: ['Borealis'] },
  ],
  [
    'a short name by its sound',
    true,
    { t: '페기 구루 내한공연', at: ['무신사 개러지', '서울', 'KR'], h: '20:00', acts: ['페기 구루'] },
    { t: 'Peggy Gourou', at: ['Musinsa Garage', 'Seoul', 'KR'], h: '20:00', acts: ['Peggy Gourou'] },
  ],
  [
    'the country behind the house in a title',
    true,
    {
      t: 'Les Nuits: Chapiteau',
      at: ['Le Chapiteau', 'Ixelles', 'BE'],
      h: '19:30',
      acts: ['Lotta Veen', 'Pim Os'],
    },
    {
      t: 'Lotta Veen at Le Chapiteau, Le Jardin, Brussels, Belgium',
      at: ['Le Chapiteau, Le Jardin', 'Brussels', 'BE'],
      acts: ['Lotta Veen'],
    },
  ],
  [
    'a bar that is called like an act, and the act elsewhere in town',
    false,
    { t: 'Bonno Thursdays ft. Nida', at: ['Bonno', 'Mumbai', 'IN'], h: '20:00', acts: ['Nida'] },
    { t: 'Bonno @ Meho Studios', at: ['Meho Studios', 'Mumbai', 'IN'], h: '20:00', acts: ['Bonno'] },
  ],
  [
    'the grounds of a festival, by the names of two towns',
    true,
    {
      t: 'Wunderfrucht 2026 - Friday 1 Day Ticket',
      at: ['The Fields at Siama Country Club', 'Pattaya', 'TH'],
      h: '09:00',
      of: 'Wunderfrucht',
    },
    {
      t: 'Friday at Wunderfrucht',
      at: ['The Fields', 'Chonburi', 'TH'],
      acts: ['Four Tet'],
      of: 'Wunderfrucht',
    },
  ],
  [
    'initials with stops, a house in one word and in two',
    true,
    {
      t: 'NAFFI x Yo Yo: Lao, Rosa Pistola',
      at: ['Yo Yo', 'Mexico City', 'MX'],
      h: '22:30',
      acts: ['Lao', 'Rosa Pistola'],
    },
    { t: 'N.A.F.F.I en YoYo', at: ['YoYo', 'Mexico City', 'MX'], h: '22:30' },
  ],
  [
    'an arena between two cities',
    true,
    { t: 'Paul Kalkmann', at: ['ERGA ARENA', 'Gdańsk/Sopot', 'PL'], h: '20:00' },
    {
      t: 'Paul Kalkmann @ Erga Arena',
      at: ['Erga Arena', 'Gdańsk', 'PL'],
      h: '20:00',
      acts: ['Paul Kalkmann'],
    },
  ],
];

const seen = (
  [
    'Warszawa,Warsaw,PL',
    '東京,Tokyo,JP',
    '大阪,Osaka,JP',
    '서울,Seoul,KR',
    'Berlin,Berlin,DE',
    'Paris,Paris,FR',
    'Brussels,Bruxelles,BE',
    'Toronto,Toronto,CA',
  ] as const
).map((line) => {
  const [other = '', name = '', country = ''] = line.split(',');
  return { kind: 'city', external_id: name, name, country, aliases: [other], timezone: 'UTC' };
});

testHabits('habits of sellers', cases, seen);

test('constraints between two clusters are computed once, however many of their pairs match', () => {
  const nodes = Array.from({ length: 120 }, (_, at) => ({
    source: 's',
    externalId: String(at).padStart(3, '0'),
  }));
  const odd = new Set(['000', '060']);
  let asked = 0;
  const { clusters } = clusterRecords(nodes, {
    compare: (a, b) => {
      const isOdd = odd.has(a.externalId) && odd.has(b.externalId);
      const [outcome, score] = isOdd ? (['different', 0.01] as const) : (['same', 0.9] as const);
      return { outcome, score, rule: 'weighed', reasons: [] };
    },
    decision: () => undefined,
    cannotLink: ({ score }) => {
      asked++;
      return score < 0.1;
    },
    isAmbiguous: () => false,
  });
  assert.deepEqual(
    clusters.map(({ length }) => length),
    [119, 1],
  );
  assert.ok(asked <= (120 * 120) / 2 + 120, `asked ${asked} times`);
});
