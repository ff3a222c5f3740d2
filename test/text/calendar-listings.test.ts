/** Reading titles and line-ups as venues' calendars write them, as tables of what is written and who is read to play. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FeedLineupEntry } from '../../src/contract/feed.ts';
import { splitEntries } from '../../src/ingest/records/lineup-entries.ts';
import { lineupFromTitle, stripAnnotations } from '../../src/text/event-lineup.ts';
import { isNonArtistLine } from '../../src/text/lineup/non-artist.ts';
import { hasStyledLetters } from '../../src/text/normalize.ts';
import type { TitleContext } from '../../src/text/types.ts';

const lineupText = (acts: readonly FeedLineupEntry[]): string =>
  acts
    .map(({ name, billing, stage }) => [name, billing, stage && `@${stage}`].filter(Boolean).join(' '))
    .join('; ');
const listed = (...names: string[]): string =>
  lineupText(
    splitEntries(
      names.map((name) => ({ name })),
      () => false,
    ),
  );

describe('titles that list who plays', () => {
  const rows: [title: string, acts: string, context?: TitleContext][] = [
    // What stands before "with" is a night as often as an act; before "with support" it plays.
    ['Undertow with Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow with Ann Lake & Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow w/ Nick Mole & The Bad Tides', 'Nick Mole & The Bad Tides'],
    ['Ann Lake (live) w/ support from Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow x Harbour w/ Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Eighties vs Nineties with Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow presents Low Tide with Ann Lake', 'Ann Lake'],
    ['Undertow presents: Low Tide feat. Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Das ist der Strand feat. Ann Lake, Bo Reed, Cy Moor', 'Ann Lake; Bo Reed; Cy Moor'],
    ['Undertow ft Ann Lake, Bo Reed', 'Undertow; Ann Lake; Bo Reed'],
    ['Undertow w./ Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow w / Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow /w Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow /// Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow (with Ann Lake, Bo Reed & more)', 'Ann Lake; Bo Reed'],
    ['Undertow [pres. Ann Lake, Bo Reed]', 'Ann Lake; Bo Reed'],
    ['Town Meets Town: Ann Lake (DJ Set), Bo Reed', 'Ann Lake; Bo Reed'],
    // Whatever stands before the last colon names the night.
    ['Undertow – Surf, Sand & Sun Vol. 3: Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow – One Year: Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow x Harbour – Pier 9 – Open Air: Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow DJs: Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Warm Up: Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow 2026 / Ann Lake, Bo Reed', 'Ann Lake; Bo Reed'],
    // Other signs, where they surely are between names.
    ['Undertow: Ann Lake + Bo Reed', 'Ann Lake; Bo Reed'],
    ['Undertow: Ann Lake · Bo Reed · Cy Moor', 'Ann Lake; Bo Reed; Cy Moor'],
    ['Ann Lake + Bo Reed + Cy Moor', 'Ann Lake; Bo Reed; Cy Moor'],
    ['Ann Lake / Bo Reed / Cy Moor', 'Ann Lake; Bo Reed; Cy Moor'],
    ['Undertow + Harbour', ''],
    ['Undertow / Techno Thursday', ''],
    ['Undertow x Harbour', ''],
    ['Undertow: Ann Lake (live)', 'Ann Lake'],
    ['Undertow: Ann Lake y más', 'Ann Lake'],
    ['Ann Lake b2b2b Bo Reed b2b Cy Moor', 'Ann Lake; Bo Reed; Cy Moor'],
    ['Undertow mit Ann Lake (PT) [Surf] & Bo Reed (PT) [Sand]', 'Ann Lake; Bo Reed'],
    // What is no name.
    ['Undertow – House, Techno & Amapiano', ''],
    ['Undertow: Afrobeats, Amapiano, Hip Hop', ''],
    ['Harbour Corner X DNA. Art Show, Open Stage & Live Music Jam Session', ''],
    ['Undertow with Ann Lake, Bo Reed • Techno / Groove • Pier 9, Harbour', 'Ann Lake; Bo Reed'],
    ['KLUB NORD X KLUB SÜD, KÖLN', '', { city: 'Cologne' }],
    ['The Harbour House - Austin, TX', ''],
    ['Sweat - A Night of Groove, Bounce & Soul', ''],
    ['Die Indie Pop Party mit deutschen Texten', ''],
    ['Ann Lake, Bo Reed at Mary’s Hideaway', 'Ann Lake; Bo Reed', { venue: 'Mary’s Rooftop' }],
    ['Ann Lake & Bo Reed, Cy Moor at Ebb&Flow', 'Ann Lake & Bo Reed; Cy Moor', { venue: 'Ebb & Flow' }],
    ['Undertow mit Ann Lake, Bo Reed im Bootshafen', 'Ann Lake; Bo Reed', { venue: 'Bootshafen Nord' }],
    // Words of occasions within names.
    ['Undertow w/ Late Nite Rough Guy, Ann Lake', 'Late Nite Rough Guy; Ann Lake'],
    ['Ann Shuttle (live), Bo Reed', 'Ann Shuttle; Bo Reed'],
    ['Undertow com Ann Lake e Bo Shuttle', 'Ann Lake; Bo Shuttle'],
    ['Orchestral Waves in the Dark, Bo Reed', 'Orchestral Waves in the Dark; Bo Reed'],
    ['Undertow w/ Viper XXL, Ann Lake', 'Viper XXL; Ann Lake'],
    ['Undertow w/ Ann Nox, Bo Novi', 'Ann Nox; Bo Novi'],
    ['Undertow w/ Mehr ist Mehr, Bo van der Meer', 'Mehr ist Mehr; Bo van der Meer'],
    ['Undertow w/ Ann W., Bo Reed', 'Ann W.; Bo Reed'],
    ['Undertow w/ Ann Lake, DJ with Salt', 'Ann Lake; DJ with Salt'],
    ['Undertow: Ann Lake, _bo, Cy...', 'Ann Lake; _bo; Cy'],
  ];
  for (const [title, acts, context] of rows)
    test(title, () => assert.equal(lineupText(lineupFromTitle(title, context)), acts));
});

describe('entries of line-ups', () => {
  const rows: [entry: string, acts: string][] = [
    // Floors and headings inside one entry.
    [
      'Floor 1: Ann Lake, Bo Reed b2b Cy Moor / Floor 2: Di Vale (live)',
      'Ann Lake @Floor 1; Bo Reed @Floor 1; Cy Moor @Floor 1; Di Vale @Floor 2',
    ],
    ['Floor 1: Ann Lake Floor 2: Bo Reed', 'Ann Lake @Floor 1; Bo Reed @Floor 2'],
    ['Mainfloor: Ann Lake – Wintergarten: Bo Reed', 'Ann Lake @Mainfloor; Bo Reed @Wintergarten'],
    ['Palco 1 – Ann Lake; Palco 2 – Bo Reed', 'Ann Lake @Palco 1; Bo Reed @Palco 2'],
    ['DJ: Ann / Bo  LIVE: Cy Moor', 'Ann; Bo; Cy Moor'],
    ['Headliner: Ann Lake, Support: Bo Reed', 'Ann Lake headline; Bo Reed support'],
    ['Ann Lake (CZ) + Bo Reed (support act)', 'Ann Lake; Bo Reed support'],
    ['Ann Lake\nBo Reed (live)\n+ special guests', 'Ann Lake; Bo Reed'],
    // Timetables.
    ['23:00 Ann Lake 01:00 Bo Reed 03:00 Cy Moor', 'Ann Lake; Bo Reed; Cy Moor'],
    ['22:00 – 23:30 Ann Lake | 23:30 – close Bo Reed', 'Ann Lake; Bo Reed'],
    ['0-2.30 Ann Lake b2b Bo Reed, 2.30-5.30 Cy Moor', 'Ann Lake; Bo Reed; Cy Moor'],
    ['22:00 Ann Lake - Tide Records - Hamburg - Set 1', 'Ann Lake'],
    ['Ann Lake - Drop Tide - Berlin', 'Ann Lake'],
    ['01:00 - Ende Ann Lake', 'Ann Lake'],
    ['Ann Lake - 22.00', 'Ann Lake'],
    ['11:68PM', '11:68PM'],
    ['1-800 WAVES', '1-800 WAVES'],
    // What stands beside a name.
    ['// Ann Lake', 'Ann Lake'],
    ['• ANN LAKE', 'ANN LAKE'],
    ['♦️ Ann Lake', 'Ann Lake'],
    ['+ Ann Lake', 'Ann Lake'],
    ['⇾ Ann Lake', 'Ann Lake'],
    ['@Ann Lake', 'Ann Lake'],
    ['@ann @bo', 'ann; bo'],
    ['Ann Lake @ann_lake', 'Ann Lake'],
    ['/w Ann Lake', 'Ann Lake'],
    ['w. Ann Lake & Bo Reed', 'Ann Lake & Bo Reed'],
    ['Ann Lake w/', 'Ann Lake'],
    ['Ann Lake (live) /', 'Ann Lake'],
    ['Ann Lake – drums, electronics', 'Ann Lake'],
    ['Ann Lake: modular synth', 'Ann Lake'],
    ['Ann Lake /dj set/', 'Ann Lake'],
    ['Ann Lake "Ebb and Flow"', 'Ann Lake'],
    ['Ann Lake fka Bo', 'Ann Lake'],
    ['Ann Lake (Hybrid Live', 'Ann Lake'],
    ['Ann Lake [Tide', 'Ann Lake'],
    ['Ann Lake Hybrid Act', 'Ann Lake'],
    ['Ann Lake 3h', 'Ann Lake'],
    ['DJs Ann Lake & Bo Reed', 'Ann Lake & Bo Reed'],
    ['BO X (techno)', 'BO X'],
    ['Ann Lake × Bo Reed', 'Ann Lake; Bo Reed'],
    ['安×Bo', '安; Bo'],
    ['Ann Lake ~ Bo Reed', 'Ann Lake; Bo Reed'],
    ['Ann Lake b2b2b Bo Reed', 'Ann Lake; Bo Reed'],
    ['Ann Lake (DE) Bo Reed (live) Cy', 'Ann Lake; Bo Reed; Cy'],
    ['Ann Lake (live) & Bo Reed', 'Ann Lake; Bo Reed'],
    ['Ann Lake & mehr', 'Ann Lake'],
    ['Ann Lake & Residents', 'Ann Lake'],
    ['Ann Lake, Bo Reed & Cy Moor and many more!', 'Ann Lake; Bo Reed; Cy Moor'],
    ['ann lake, bo reed, cy moor, di vale', 'ann lake; bo reed; cy moor; di vale'],
    // A single character is a name as well as a word.
    ['Ann Lake / 光 / Bo Reed', 'Ann Lake; 光; Bo Reed'],
    // Ways of writing a name that are its own.
    ...[
      '_ann',
      'M(h)aol',
      'S(i)ll(y)',
      'FUJI|||||TA',
      'Ann8+',
      'Mehr ist Mehr',
      'Bo van der Meer',
      '18+',
    ].map((name): [string, string] => [name, name]),
    ...['*NSYNC', '~scape', 'µ-Ziq', 'DJ with Salt', 'Live Waves', 'House of Ebb', 't e s t'].map(
      (name): [string, string] => [name, name],
    ),
    ['ⒶⓃⓃ ⓁⒶⓀⒺ', 'ANN LAKE'],
    ['ᴀɴɴ ʟᴀᴋᴇ', 'ann lake'],
  ];
  for (const [entry, acts] of rows) test(JSON.stringify(entry), () => assert.equal(listed(entry), acts));

  const nobodies = [
    ...[
      'Main Floor:',
      'Harbour:',
      'Psytrance Floor',
      '★ CAGE FLOOR ★',
      'Techno/ Hard Techno Floor',
      'Red Room',
    ],
    ...[
      'LINE-UP',
      'Line Up:',
      'Line-Up & Playtimes:',
      'A-Z',
      'a-z',
      'DJs',
      "DJ's",
      'Running Order',
      'Concerts',
    ],
    ...['Techno / Psytrance', 'GOA / Offbeat / PROGGY', 'House, Techno & Disco', '>>> Techno <<<', 'Hip Hop'],
    ...['(harbour)', '[Harbour / Tide Records]', 'instagram.com/ann.lake', 'www.example.org/tickets'],
    ...['Tickets: From 9 €', '📍 Location: Harbour', 'Photos: @bo', 'Doors: 22:00', 'Lights: Ann Lake'],
    ...[
      'Line-up will be announced soon...',
      'artists coming soon!',
      'more Acts tba!',
      'Free entry before midnight',
    ],
    ...['and many more...', 'und viele mehr!', '⊹ MORE TBA', 'aftershow DJ', '22:00', '10|12 - 10|13'],
    'Join us for a night and be invited to shake and dance until the sun comes up!',
    'is active and interested in various forms of social and cultural events',
  ];
  for (const name of nobodies) test(`${name} is no artist`, () => assert.equal(listed(name), ''));
});

describe('line-ups line after line', () => {
  test('behind a sign that every line has stands no act', () => {
    assert.equal(
      listed('Ann Lake | Tide Crew', 'Bo Reed | Harbour', 'Cy Moor | Tide Crew'),
      'Ann Lake; Bo Reed; Cy Moor',
    );
    assert.equal(
      listed('Ann Lake // tide', 'Bo Reed // harbour', 'Cy Moor // tide'),
      'Ann Lake; Bo Reed; Cy Moor',
    );
  });

  test('two lines of three, names between slashes and times in front are no such sign', () => {
    assert.equal(listed('Ann Lake | Bo Reed', 'Cy Moor', 'Di Vale'), 'Ann Lake; Bo Reed; Cy Moor; Di Vale');
    assert.equal(listed('Ann / Bo', 'Cy / Di', 'Ed / Flo'), 'Ann; Bo; Cy; Di; Ed; Flo');
    assert.equal(
      listed('22:00 - 00:00 Ann Lake', '00:00 - 02:00 Bo Reed', '02:00 - Ende Cy Moor'),
      'Ann Lake; Bo Reed; Cy Moor',
    );
  });

  test('a floor in a line of its own is the stage of those below it, up to the next heading', () => {
    assert.equal(
      listed(
        'Ann Lake',
        'Main Floor:',
        'Bo Reed',
        'Cy Moor (live)',
        'Bar 2:',
        'Di Vale',
        'Visuals:',
        'Ed Frey',
      ),
      'Ann Lake; Bo Reed @Main Floor; Cy Moor @Main Floor; Di Vale @Bar 2; Ed Frey',
    );
  });

  test('an entry with an id of its own stays', () => {
    const entries = ['Ann | Tide', 'Bo | Tide', 'Cy | Tide'].map((name, at) => ({
      name,
      external_id: `${at}`,
    }));
    assert.deepEqual(stripAnnotations(entries), entries);
  });
});

describe('kinds of line', () => {
  test('names with words of floors, sorts of music and sentences are names', () => {
    for (const name of [
      ...['Room 237', 'Stage Divers', 'Floorplan', 'Acid Pauli', 'House of Pain', 'Techno Jack', 'Jungle'],
      ...['And You Will Know Us by the Trail of Dead', 'King Ann & the Lizard Band', 'Drum Major', 'Trance'],
    ])
      assert.equal(isNonArtistLine(name), false, name);
  });

  test('letters that only look like others', () => {
    for (const text of ['𝕬𝖓𝖓', 'ⓐⓝⓝ', 'ＡＮＮ', 'ᴀɴɴ', '🔥 Ann'])
      assert.equal(hasStyledLetters(text), true, text);
    for (const text of ['Ann', 'D’Ann', 'Ånn', 'Анна', 'アン', 'µ-Ann', '안', 'Ø'])
      assert.equal(hasStyledLetters(text), false, text);
  });
});
