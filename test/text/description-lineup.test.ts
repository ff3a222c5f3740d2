/** Line-ups in descriptions: read behind a clear label only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineupFromDescription } from '../../src/text/description-lineup.ts';

const place = { venue: 'Kornspeicher', city: 'Hamburg' };
const names = (text: string): string[] => lineupFromDescription(text, place).map(({ name }) => name);

for (const [text, expected] of [
  ['Line-up: Vera Lindt, Orrin Vale', ['Vera Lindt', 'Orrin Vale']],
  ['line-up: vera lindt, orrin, nd_strand', ['vera lindt', 'orrin', 'nd_strand']],
  ['LINE-UP: VERA LINDT / ORRIN / MILO', ['VERA LINDT', 'ORRIN', 'MILO']],
  ['All night. Line-up: Vera Lindt, Orrin & Milo. Doors open at 23:00.', ['Vera Lindt', 'Orrin', 'Milo']],
  ['★ Lineup: Vera Lindt (live), DJ Hanne\nTickets: 20 EUR', ['Vera Lindt', 'DJ Hanne']],
  [
    'Join us.\n\nLINE-UP\nVera Lindt (live)\nDJ Hanne\n\nDoors 23:00\nTickets: 20 EUR',
    ['Vera Lindt', 'DJ Hanne'],
  ],
  ['LINE UP (A-Z)\n23:00 Vera Lindt\n01:00 Orrin Vale', ['Vera Lindt', 'Orrin Vale']],
  ['Line-up:\n• Vera – Ostwerk\n• Orrin | Dekade\n\nMore: https://example.org', ['Vera', 'Orrin']],
  ['Lineup\nVera\n\nOrrin\n\nMilo\n\nCome early, because the room is small.', ['Vera', 'Orrin', 'Milo']],
  ['DJs:\nVera Lindt\nOrrin Vale\nLive:\nMilo', ['Vera Lindt', 'Orrin Vale', 'Milo']],
  ['Artists: Vera, Orrin\nLive: Milo', ['Vera', 'Orrin', 'Milo']],
  ['w/ Vera Lindt, Orrin', ['Vera Lindt', 'Orrin']],
  ['mit Vera Lindt, Orrin Vale und DJ Hanne', ['Vera Lindt', 'Orrin Vale', 'DJ Hanne']],
  ['Mit: Vera, Orrin', ['Vera', 'Orrin']],
  ['Featuring: Orchestra, Vera Lindt', ['Vera Lindt']],
] as const)
  test(`${JSON.stringify(text)} lists ${expected.length}`, () => assert.deepEqual(names(text), expected));

for (const text of [
  'Vera Lindt, Orrin Vale and Milo Strand play all night.',
  'The line-up is not announced yet. Come and dance with us.',
  'Line-up to be announced',
  'Line-up: TBA',
  'LINE-UP TBA',
  'Our line-up: we have the best artists of the city and more, come early',
  'Line-up:\nThe party starts at ten and we will dance until the morning comes',
  'Line-up: techno, house, disco',
  'Line up: Kornspeicher, Hamburg',
  'Live: on stage tonight we have a great band with guitars',
  'Live: 20:00',
  'Acts: 12',
  'Mit viel Liebe, Musik und guter Laune feiern wir.',
  'Mit Getränken, Essen und Musik',
  'With love, music and friends we celebrate the best night.',
  'With Drinks, Food and Games',
  'Come with Vera, Orrin',
  'Artists who played here before: many',
  '',
])
  test(`${JSON.stringify(text)} lists none`, () => assert.deepEqual(names(text), []));

test('stages and acts that play together are kept', () => {
  assert.deepEqual(
    lineupFromDescription(
      'LINE UP:\n\nMain Floor:\nVera b2b Orrin\nMilo\n\nGarden:\nDJ Hanne\n\nWelcome to all of you tonight.',
    ),
    [
      { name: 'Vera', stage: 'Main Floor', set: -2 },
      { name: 'Orrin', stage: 'Main Floor', set: -2 },
      { name: 'Milo', stage: 'Main Floor' },
      { name: 'DJ Hanne', stage: 'Garden' },
    ],
  );
});

test('long and hostile descriptions take the time of their length', () => {
  const started = process.cpuUsage();
  for (const unit of [
    'line-up: ',
    'w/ ',
    '. line-up: a, ',
    'LINE-UP\n',
    'LINE-UP\nA\n\n',
    ', ',
    '• ',
    'a b2b ',
    'Live: (',
    'Ann | ',
    '!',
    ' - ',
  ])
    for (const head of ['', 'LINE-UP\n', 'Line-up: ']) {
      const lineup = lineupFromDescription(head + unit.repeat(100_000 / unit.length));
      assert.ok(lineup.length <= 200, unit);
    }
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1_000 < 4_000, `took ${Math.round((user + system) / 1_000)} ms`);
});
