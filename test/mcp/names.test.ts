/** Names that the agent tools must not take for others', and words that they must not take for names. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Agent, openAgent } from '../support/agent.ts';

let agent: Agent;
let count = 0;
const record = (kind: string, name: string, more: object) => ({
  kind,
  external_id: `n${++count}`,
  name,
  ...more,
});
const clock = (name: string, start_at: string, end_at?: string) =>
  record('event', name, { start_at, ...(end_at && { end_at }), city: 'Glasgow', country: 'GB' });
const nights = [
  clock('Noon Talk', '2026-11-20T15:00', '2026-11-20T16:00'),
  clock('Running', '2026-11-20T10:00', '2026-11-20T23:00'),
  clock('Night', '2026-11-20T22:00'),
  clock('Late', '2026-11-21T01:00'),
  clock('Early', '2026-11-21T00:00'),
  clock('Saturday Noon', '2026-11-21T12:00', '2026-11-21T14:00'),
  clock('Saturday Late', '2026-11-21T23:00'),
  clock('Sunday Early', '2026-11-22T02:00'),
  clock('Some Time', '2026-11-20'),
  clock('Some Saturday', '2026-11-21'),
];
before(async () => {
  agent = await openAgent([
    ...nights,
    record('artist', 'Kasper Bjørke', { country: 'DK' }),
    record('artist', 'Technoboy', { country: 'IT' }),
    record('artist', 'Seba', { country: 'SE' }),
    record('artist', 'Sabatoo', { country: 'SE' }),
    record('city', 'Boom', { country: 'BE' }),
    record('festival', 'Time Warp', { city: 'Mannheim', country: 'DE' }),
    record('event', 'Milano Mitte', { start_at: '2026-11-21T22:00', city: 'Milan', country: 'IT' }),
    record('event', 'Nordic', {
      start_at: '2026-12-21T22:00',
      city: 'Copenhagen',
      country: 'DK',
      lineup: [{ name: 'Kasper Bjørke' }],
    }),
    record('event', 'Fabric Live', {
      start_at: '2026-11-27T22:00',
      venue: { name: 'fabric', city: 'London', country: 'GB' },
    }),
  ]);
});
after(() => agent?.close());
const ask = (query: string) => agent.call('search_events', { query, limit: 50 });

it('more than are counted are told to be more', () => {
  assert.match(ask('zzqq 2026').text, /Without "zzqq" in the name there are more than 50\./);
});

describe('a word of a sentence', () => {
  it('that is like a name is no filter beside what was understood, and is reported', () => {
    const evening = ask("cosa c'è a Milano sabato sera?");
    assert.deepEqual(evening.titles, ['Milano Mitte']);
    for (const word of ['sebo', 'Sebo', 'sabatoa']) {
      const told = ask(`${word} a Milano sabato`);
      assert.deepEqual(told.titles, ['Milano Mitte'], word);
      assert.match(told.text, new RegExp(`left out: "${word}"`));
      assert.match(told.text, /means the artist (Seba|Sabatoo), pass artist "(seba|sabatoo)"/);
    }
  });

  it('is a filter where it is written as a name and finds something, or stands alone', () => {
    assert.deepEqual(
      ask('Bergain Berlin').names.map(({ match }) => match?.slug),
      ['berghain', 'berlin'],
    );
    assert.equal(ask('bergain').names[0]?.match?.slug, 'berghain');
  });

  it('that joins a genre and a kind of event names the genre', () => {
    for (const [query, genre] of [
      ['Techno-Partys in Berlin', 'techno'],
      ['Technoparty in Berlin', 'techno'],
      ['Techno-Event in Berlin', 'techno'],
      ['House-Musik in Berlin', 'house'],
      ['Drum and Bass-Party in Berlin', 'drum-and-bass'],
      ['Technopartys am Freitag in Berlin', 'techno'],
    ] as const) {
      const { text, names } = ask(query);
      assert.doesNotMatch(text, /Not understood/, query);
      assert.deepEqual(
        names.map(({ match }) => match?.slug),
        [genre, 'berlin'],
        query,
      );
    }
  });

  it('that names a country or region in a case or short form is that place', () => {
    for (const [place, country] of [
      ['in den Niederlanden', 'the Netherlands'],
      ['in Großbritannien', 'the United Kingdom'],
      ['in Schottland', 'the United Kingdom'],
      ['im Vereinigten Königreich', 'the United Kingdom'],
      ['in den Vereinigten Staaten', 'the United States'],
      ['in the States', 'the United States'],
      ['in den USA', 'the United States'],
      ['en Écosse', 'the United Kingdom'],
      ['en Estados Unidos', 'the United States'],
      ['in Bayern', 'Bavaria'],
      ['in NRW', 'North Rhine-Westphalia'],
    ] as const) {
      const { text } = ask(`Techno ${place}`);
      assert.doesNotMatch(text, /Not understood/, place);
      assert.match(text.split('\n')[0] as string, new RegExp(` in ${country}`), place);
    }
  });

  it('is reported if it concerns the place of the caller', () => {
    for (const query of ['techno near me tonight', 'techno in my area tonight'])
      assert.match(ask(query).text, /Not understood, and left out: "(near me|in my area)"/);
    assert.doesNotMatch(ask('techno in Berlin near me').text, /left out/);
  });
});

it('a part of a name chooses nobody, and the nearest are named', () => {
  for (const [artist, nearest] of [
    ['Bjork', 'kasper-bjorke'],
    ['techno', 'technoboy'],
  ] as const) {
    for (const tool of ['artist_info', 'search_events', 'artist_upcoming_events'] as const) {
      const told = agent.call(tool, { artist });
      assert.equal(told.match, null);
      assert.deepEqual([told.events, told.artist], [[], null]);
      assert.ok(told.others.some(({ slug }) => slug === nearest));
      const line = new RegExp(`No artist on record is named "${artist}"; nearest: .*\\[${nearest}\\]`);
      assert.match(told.text, line);
    }
  }
});

describe('a room', () => {
  it('behind a venue is left out, and reported', () => {
    const fabric = agent.call('venue_upcoming_events', { venue: 'fabric' }).events;
    assert.ok(fabric.length > 0);
    for (const venue of [
      'fabric Room 1',
      'fabric, London (Room 2)',
      'fabric London Main Room',
      'fabric floor 2',
    ]) {
      const told = agent.call('venue_upcoming_events', { venue });
      assert.deepEqual(told.events, fabric, venue);
      assert.match(told.text, /Rooms of a venue are not distinguished: ".*" was left out\./);
    }
    assert.equal(agent.call('venue_upcoming_events', { venue: 'Fold London Room 2' }).match?.slug, 'fold');
  });

  it('is neither an unknown venue nor a city', () => {
    assert.equal(agent.call('venue_upcoming_events', { venue: 'no such house Room 1' }).match, null);
    assert.deepEqual(ask('fabric Room 1 next Friday').titles, ['Fabric Live']);
    assert.ok(ask('Zzqqx Room 1 in London').names.every(({ match }) => match?.slug !== 'boom'));
  });
});

describe('a night', () => {
  const own = (input: object, at = '20T12:00') =>
    agent
      .call('search_events', { limit: 50, ...input }, 'pro', Date.parse(`2026-11-${at}Z`))
      .titles.filter((name) => !name.startsWith('Sample'))
      .sort();
  const tonight = ['Early', 'Late', 'Night', 'Running', 'Some Time'];
  const saturday = ['Saturday Late', 'Some Saturday', 'Sunday Early'];

  it('is from the evening to the morning, and what is on', () => {
    for (const input of [
      { query: 'Glasgow tonight' },
      { query: 'Glasgow Friday night' },
      { city: 'Glasgow', from: 'tonight' },
    ])
      assert.deepEqual(own(input), tonight, JSON.stringify(input));
    for (const query of ['Glasgow Saturday night', 'Glasgow tomorrow night', 'Glasgow sabato sera'])
      assert.deepEqual(own({ query }), saturday, query);
    assert.ok(own({ query: 'Glasgow tonight' }, '20T23:30').every((name) => name !== 'Running'));
    // After midnight it is still the same night.
    assert.ok(own({ query: 'Glasgow tonight' }, '21T00:30').includes('Late'));
    assert.ok(!own({ query: 'Glasgow tonight' }, '21T00:30').includes('Saturday Late'));
  });

  it('is stated with its hours, and a day is a day', () => {
    const { text } = agent.call('search_events', { query: 'Glasgow tonight' });
    assert.match(
      text,
      /"tonight" is read as the night of 2026-11-20, 17:00 to 06:00 the next morning, and what is on now/,
    );
    assert.ok(own({ query: 'Glasgow today' }).includes('Noon Talk'));
  });

  it('"right now" is what is on', () => {
    for (const query of ['Glasgow right now', "what's on in Glasgow now?", 'what is on now in Glasgow'])
      assert.deepEqual(own({ query }), ['Running', 'Some Time'], query);
    assert.ok(own({ query: 'Glasgow right now' }, '20T22:30').includes('Night'));
  });
  it('without an event at the moment has the next one of the same day, with its time', () => {
    const at = Date.parse('2026-11-20T08:00:00Z');
    const query = 'right now in Copenhagen';
    const { text } = agent.call('search_events', { query }, 'pro', Date.parse('2026-12-21T17:00:00Z'));
    assert.match(text, /^No upcoming events in Copenhagen \(DK\) at this moment\./);
    assert.match(
      text,
      /The next one starts at 22:00 on 2026-12-21\. The nearest day .* is 2026-12-21 \(1 event\)/,
    );
    assert.match(agent.call('search_events', { query }, 'pro', at).text, /starts at 22:00 on 2026-12-21\./);
  });
});

it('the whole name of a festival goes before words that say nothing', () => {
  for (const query of ['when is Time Warp', 'Time Warp Mannheim 2027', 'time warp']) {
    const { text } = ask(query);
    assert.match(text, /^No upcoming events.* whose name has "time warp"/, query);
    assert.match(text, /Time Warp is a festival on record \(Mannheim, DE\)/);
    assert.doesNotMatch(text, /Not understood/);
  }
});
