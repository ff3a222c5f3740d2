/** The agent tools (docs/spec/agents.md): their fields are REST's, names resolve, windows, limits, errors. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { parseWindow } from '../../src/catalogue/dates/time-window.ts';
import { countryCode, guessCountryCode } from '../../src/catalogue/places/countries.ts';
import { artist, eventItem, type RecordRef } from '../../src/contract/records.ts';
import { toolArtist, toolEvent, toolInputs, toolNames } from '../../src/contract/tools.ts';
import { ToolRegistry } from '../../src/mcp/server.ts';
import { type ToolContext, ToolInputError } from '../../src/mcp/tool.ts';
import { tools } from '../../src/mcp/tool-list.ts';
import { type Agent, agentNow, openAgent } from '../support/agent.ts';
import { places } from '../support/agent-places.ts';

let agent: Agent;
before(async () => {
  agent = await openAgent();
});
after(() => agent?.close());

const without = (record: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

describe('fields', () => {
  it('are those of REST, and what the specification adds', () => {
    const added = [
      'date',
      'location',
      'address',
      'genres',
      'festival_edition',
      'image_url',
      'minimum_age',
      'tickets',
    ];
    assert.deepEqual(Object.keys(toolEvent.shape), [...new Set([...Object.keys(eventItem.shape), ...added])]);
    assert.deepEqual(Object.keys(toolArtist.shape), [...Object.keys(artist.shape), 'location']);
  });

  it('of an event have the values of REST', () => {
    const { events } = agent.call('search_events', { include_past: true, limit: 50, from: '2026-12' });
    assert.equal(events.length, 50);
    for (const event of events) {
      const rest = agent.rest('getEvent', { slug: event.slug }).data as Record<string, unknown>;
      const item = Object.fromEntries(Object.keys(eventItem.shape).map((name) => [name, rest[name]]));
      const clocks = event.timezone === null ? ['start_at', 'end_at'] : [];
      for (const name of Object.keys(without(item, ...clocks)))
        assert.deepEqual(event[name as keyof typeof event], item[name], name);
      for (const name of ['date', 'genres', 'festival_edition', 'image_url', 'minimum_age'] as const)
        assert.deepEqual(event[name], rest[name], name);
      const tickets = agent.rest('listEventTickets', { slug: event.slug }).data as Record<string, unknown>[];
      assert.deepEqual(
        event.tickets,
        tickets.map((ticket) => without(ticket, 'updated_at')),
      );
    }
  });

  it('of an artist have the values of REST, with an image and without', () => {
    for (const slug of ['ben-klock', 'nina-kraviz', 'aphex-twin', 'ame']) {
      const told = agent.call('artist_info', { artist: slug });
      const rest = agent.rest('getArtist', { slug }).data;
      assert.deepEqual(without(told.artist as Record<string, unknown>, 'location'), rest);
      const genres = agent.rest('listArtistGenres', { slug }).data as RecordRef[];
      assert.deepEqual(
        told.artist?.genres,
        genres.map(({ slug, name }) => ({ slug, name })),
      );
    }
    const { artist } = agent.call('artist_info', { artist: 'Ben Klock' });
    assert.equal(artist?.image_url, null);
    assert.equal(artist?.location, 'Germany');
  });

  it('of an event without a trusted clock are dates', () => {
    const [event] = agent.call('search_events', { query: 'Dezemberfest' }).events;
    assert.equal(event?.start_at, '2026-12-18');
    assert.equal(event?.end_at, '2026-12-19');
    assert.equal(event?.date, '2026-12-18');
    assert.equal(event?.timezone, null);
    assert.match(
      agent.call('search_events', { query: 'Dezemberfest' }).text,
      /Fri 2026-12-18, time not known/,
    );
  });

  it('say where on one line', () => {
    const told = agent.call('artist_upcoming_events', { artist: 'Nina Kraviz' });
    assert.deepEqual(
      told.events
        .filter(({ name }) => !name.startsWith('Sample'))
        .map(({ name, location, venue }) => [name, location, venue.slug]),
      [
        ['Klubnacht', 'Berghain, Berlin, DE', 'berghain'],
        ['Forest Gathering', 'Berlin, DE', null],
        ['Somewhere', 'Geheimer Hangar', null],
      ],
    );
  });
});

describe('tools', () => {
  it('are four, in a fixed order, and read only what they say', () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolNames,
    );
    assert.deepEqual(
      tools.map(({ plans }) => plans.length),
      [3, 3, 2, 2],
    );
    for (const { name, description } of tools) {
      assert.match(description, /Use it for/, name);
      assert.match(description, /It (cannot|does not)/, name);
      const example = /Example: (\{.*\})$/.exec(description)?.[1];
      agent.call(name as (typeof toolNames)[number], JSON.parse(example as string) as object);
    }
  });

  it('take the inputs of the specification', () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(toolInputs).map(([name, { shape }]) => [name, Object.keys(shape)])),
      {
        search_events: [
          ...['query', 'city', 'country', 'genre', 'artist', 'venue', 'festival', 'label', 'from', 'to'],
          ...['include_past', 'limit'],
        ],
        artist_info: ['artist'],
        artist_upcoming_events: ['artist', 'from', 'to', 'limit'],
        venue_upcoming_events: ['venue', 'city', 'from', 'to', 'limit'],
      },
    );
  });

  it('name the source at the end for a Free account, and only there', () => {
    const input = { artist: 'Ben Klock' };
    const sentence = 'Data from cratebase (https://music.example)';
    for (const name of ['artist_info', 'search_events'] as const) {
      assert.equal(agent.call(name, input, 'free').text.split('\n').at(-1), sentence);
      assert.ok(!agent.call(name, input, 'pro').text.includes(sentence));
    }
  });

  it('answer identical calls identically', () => {
    const calls: [(typeof toolNames)[number], object][] = [
      ['search_events', { query: 'techno in Berlin this weekend' }],
      ['search_events', { query: 'Âme b2b Dixon' }],
      ['search_events', {}],
      ['artist_info', { artist: 'rho delta' }],
      ['artist_upcoming_events', { artist: 'nina' }],
      ['venue_upcoming_events', { venue: 'kraftraum' }],
    ];
    for (const [name, input] of calls) {
      const [first, second] = [agent.call(name, input), agent.call(name, input)];
      assert.equal(JSON.stringify(second.structured), JSON.stringify(first.structured));
      assert.equal(second.text, first.text);
    }
  });
});

/** Names as people write them: what they were read as, and the score. */
const artistNames: [text: string, slug: string | null, score: number | null][] = [
  ['Ben Klock', 'ben-klock', 1],
  ['ben-klock', 'ben-klock', 1],
  ['BEN KLOCK', 'ben-klock', 1],
  ['  Ben   Klock ', 'ben-klock', 1],
  ['Âme', 'ame', 1],
  ['Ame', 'ame', 1],
  ['Aphex', 'aphex-twin', 0.8],
  ['Émile Rhô', 'rho-delta-fr', 0.95],
  ['emile rho', 'rho-delta-fr', 0.95],
  ['!!!', null, 1],
  ['Ben Klo', 'ben-klock', 0.8],
  ['Klock', 'ben-klock', 0.75],
  ['Ben Klok', 'ben-klock', 0.7],
  ['Nina Krawiz', 'nina-kraviz', 0.7],
  ['Ben Klock (DE)', 'ben-klock', 0.95],
  ['DJ Ben Klock', 'ben-klock', 0.95],
  ['Kito & Kante', 'kito-and-kante', 1],
  ['who is Ben Klock?', 'ben-klock', 0.95],
  ["Who's DJ Ben Klok?", 'ben-klock', 0.65],
  ['tell me about Ben Klock', 'ben-klock', 0.95],
  ['Ben Klock (live)', 'ben-klock', 0.95],
  ['Ben Klock [Ostgut Ton]', 'ben-klock', 0.95],
  ['Ben Klock live', 'ben-klock', 0.95],
  ['Klock, Ben', 'ben-klock', 0.95],
  ['@benklock', 'ben-klock', 1],
  ['@ben_klock', 'ben-klock', 1],
  ['benklock', 'ben-klock', 1],
  ['x', null, null],
  ['The', null, null],
  ['the dj', null, null],
  ['be', null, null],
  ['nobody at all of this name', null, null],
  ['?', null, null],
  ["'; drop table artists; --", null, null],
];

describe('names', () => {
  for (const [text, slug, score] of artistNames) {
    it(`of artists: ${text}`, () => {
      const { match, artist } = agent.call('artist_info', { artist: text });
      assert.equal(match?.score ?? null, score);
      if (slug !== null) assert.equal(match?.slug, slug);
      assert.equal(artist?.slug ?? null, match?.slug ?? null);
      if (score === null)
        assert.match(agent.call('artist_info', { artist: text }).text, /^No artist on record/);
    });
  }

  const venueNames: [input: object, slug: string | null, score: number | null][] = [
    [{ venue: 'Berghain' }, 'berghain', 1],
    [{ venue: 'berghain berlin' }, 'berghain', 0.95],
    [{ venue: 'Berghain, Berlin, DE' }, 'berghain', 0.95],
    [{ venue: 'Berghain in Berlin, Germany' }, 'berghain', 0.95],
    [{ venue: 'Berlin Berghain' }, 'berghain', 0.95],
    [{ venue: 'Panorama Bar' }, 'berghain', 0.95],
    [{ venue: 'the Berghain' }, 'berghain', 0.95],
    [{ venue: 'Bergain' }, 'berghain', 0.7],
    [{ venue: 'Bergain Berlin' }, 'berghain', 0.65],
    [{ venue: 'Kraftraum', city: 'Vienna' }, 'kraftraum-vienna', 1],
    [{ venue: 'Kraftraum', city: 'Wien' }, 'kraftraum-vienna', 1],
    [{ venue: 'Kraftraum Köln' }, 'kraftraum', 0.95],
    [{ venue: 'kraftraum-vienna' }, 'kraftraum-vienna', 1],
    [{ venue: 'Berghain', city: 'Vienna' }, null, null],
    [{ venue: 'no such house' }, null, null],
  ];
  for (const [input, slug, score] of venueNames) {
    it(`of venues: ${JSON.stringify(input)}`, () => {
      const { match } = agent.call('venue_upcoming_events', input);
      assert.deepEqual([match?.slug ?? null, match?.score ?? null], [slug, score]);
    });
  }

  it('of several are listed, and a slug chooses', () => {
    const told = agent.call('artist_info', { artist: 'Rho Delta' });
    assert.equal(told.match?.score, 1);
    const [other] = told.others;
    assert.deepEqual([told.match?.country, other?.country].sort(), ['DE', 'FR']);
    assert.match(told.text, /Other matches for "Rho Delta": Rho Delta/);
    const second = agent.call('artist_info', { artist: other?.slug });
    assert.equal(second.match?.slug, other?.slug);
    assert.equal(second.artist?.country, other?.country);
  });

  it('of a venue elsewhere are no match, and mentioned', () => {
    const told = agent.call('venue_upcoming_events', { venue: 'Berghain', city: 'Vienna' });
    assert.equal(told.match, null);
    assert.deepEqual(told.events, []);
    assert.equal(told.others[0]?.slug, 'berghain');
    assert.match(told.text, /elsewhere: Berghain \(Berlin, DE\) \[berghain\]/);
  });

  it('of a place that is not on record find what names it', () => {
    const told = agent.call('venue_upcoming_events', { venue: 'geheimer hangar' });
    assert.equal(told.match, null);
    assert.deepEqual(told.titles, ['Somewhere']);
  });

  const cityNames: [city: string, slug: string | null][] = [
    ['LA', 'los-angeles'],
    ['L.A.', 'los-angeles'],
    ['la', 'los-angeles'],
    ['SF', 'san-francisco'],
    ['BCN', 'barcelona'],
    ['NYC', 'new-york'],
    ['N.Y.C.', 'new-york'],
    ['CDMX', 'mexico-city'],
    ['KL', 'kuala-lumpur'],
    ['Los Angeles, CA', 'los-angeles'],
    ['New York, NY', 'new-york'],
    ['Toronto, Ontario', 'toronto'],
    ['Berlin, Germany', 'berlin'],
    ['city of Berlin', 'berlin'],
    ['東京', 'tokyo'],
    ['Berl', 'berlin'],
    ['b', null],
    ['<b>', null],
    ['be', null],
    ['B.E.', null],
  ];
  for (const [city, slug] of cityNames) {
    it(`of cities: ${city}`, () => {
      assert.equal(agent.call('search_events', { city }).match?.slug ?? null, slug);
    });
  }

  it('of a city that is a country as well: both readings are stated', () => {
    const city = agent.call('search_events', { city: 'LA' });
    assert.match(city.text, /"LA" is read as Los Angeles \(US\)/);
    assert.match(city.text, /for the country Laos pass country "LA"/);
    for (const query of ['techno in LA', 'techno LA', 'techno in la this weekend']) {
      const told = agent.call('search_events', { query });
      assert.deepEqual(
        told.names.map(({ match }) => match?.slug),
        ['techno', 'los-angeles'],
      );
      assert.match(told.text, /for the country Laos/);
    }
    const country = agent.call('search_events', { country: 'LA' });
    assert.match(country.text, /in Laos/);
    assert.match(country.text, /for the city Los Angeles pass city "Los Angeles"/);
    assert.match(
      agent.call('search_events', { query: 'techno in CA' }).text,
      /"CA" is read as Canada \(CA\)/,
    );
    assert.match(agent.call('search_events', { city: 'Germany' }).text, /pass it as country "DE"/);
  });

  it('with "and" in them are one name, whatever the word', () => {
    const same: Record<string, string[]> = {
      'xerox-and-illumination': [
        'Xerox and Illumination',
        'Xerox + Illumination',
        'Xerox&Illumination',
        'xerox y illumination',
      ],
      'catz-n-dogz': ['Catz and Dogz', 'Catz & Dogz', 'Catz und Dogz', 'Catz n Dogz'],
      'simon-patterson': ['Simon and Patterson'],
      'kito-and-kante': ['Kito and Kante', 'Kito et Kante', 'Kito + Kante'],
    };
    for (const [slug, names] of Object.entries(same)) {
      for (const artist of names) {
        const { match, others, text } = agent.call('artist_info', { artist });
        assert.deepEqual([match?.slug, match?.score], [slug, 1], artist);
        assert.ok(others.every((other) => other.slug !== slug));
        assert.doesNotMatch(text, /several artists/);
      }
    }
  });

  it('are several only if every part is an artist, each once', () => {
    const slugs = (artist: string) =>
      agent.call('artist_upcoming_events', { artist }).names.map(({ match }) => match?.slug ?? null);
    assert.deepEqual(slugs('Ben Klok & Nina Krawiz'), ['ben-klock', 'nina-kraviz']);
    assert.deepEqual(slugs('Kraviz, Nina & Klock, Ben'), ['nina-kraviz', 'ben-klock']);
    assert.deepEqual(slugs('Ben Klock, Nina Kraviz and Dixon'), ['ben-klock', 'nina-kraviz', 'dixon']);
    assert.deepEqual(slugs('Ben Klock b2b Ben Klock'), ['ben-klock']);
    assert.deepEqual(slugs('Ben and Nina'), [null]);
    assert.deepEqual(slugs('Ben Klock and Nobody-Has-This'), [null]);
    const { match, others } = agent.call('artist_info', { artist: 'Ben Klock and Ben Klok' });
    assert.equal(match?.slug, 'ben-klock');
    assert.deepEqual(others, []);
  });

  it('joined by b2b are several, and all have to play', () => {
    const expected = ['Innervisions Late'];
    for (const joint of ['b2b', 'B2B', 'and', '&', 'vs.', 'with']) {
      const told = agent.call('artist_upcoming_events', { artist: `Âme ${joint} Dixon` });
      assert.deepEqual(
        told.titles.filter((name) => !name.startsWith('Sample')),
        expected,
        joint,
      );
      assert.deepEqual(
        told.names.map(({ match }) => match?.slug),
        ['ame', 'dixon'],
      );
    }
    assert.ok(agent.call('search_events', { query: 'Âme b2b Dixon' }).titles.includes('Innervisions Late'));
    const info = agent.call('artist_info', { artist: 'Âme b2b Dixon' });
    assert.equal(info.match?.slug, 'ame');
    assert.equal(info.others[0]?.slug, 'dixon');
    assert.match(info.text, /several artists, and this is Âme/);
  });
});

describe('search_events', () => {
  const titles = (input: object) => agent.call('search_events', input).titles;
  const own = (input: object) => titles({ limit: 50, ...input }).filter((name) => !name.startsWith('Sample'));

  it('lists what is not over, soonest first, unless past ones are wanted', () => {
    assert.equal(titles({})[0], 'Long Friday');
    assert.deepEqual(own({ venue: 'Berghain' }), ['Klubnacht', 'Silvester']);
    assert.deepEqual(own({ venue: 'Berghain', include_past: true }), ['Klubnacht', 'Klubnacht', 'Silvester']);
    assert.deepEqual(own({ venue: 'Berghain', from: '2026-10-01', to: '2026-10-31' }), []);
    const past = { venue: 'Berghain', from: '2026-10-01', to: '2026-10-31', include_past: true };
    assert.deepEqual(own(past), ['Klubnacht']);
    const { text } = agent.call('search_events', { venue: 'Berghain', to: '2026-10-31' });
    assert.match(text, /include_past/);
  });

  it('compares a window with the local date, and a timestamp with the instant', () => {
    const honolulu = { city: 'Honolulu' };
    assert.ok(own({ ...honolulu, from: '2026-11-21', to: '2026-11-21' }).includes('Honolulu Night'));
    assert.deepEqual(own({ ...honolulu, from: '2026-11-22' }), []);
    assert.deepEqual(own({ ...honolulu, from: '2026-11-22T08:00:00Z' }), ['Honolulu Night']);
    assert.deepEqual(own({ ...honolulu, from: '2026-11-22T08:00:01Z' }), []);
    assert.deepEqual(own({ ...honolulu, from: '2026-11-21T22:00:00-10:00', to: '2026-11-22T08:00:00Z' }), [
      'Honolulu Night',
    ]);
  });

  it('combines its conditions, as REST does', () => {
    const filters = { country: 'DE', from: { date: 20261201 }, to: { date: 20261231 }, genre: 'techno' };
    const rest = agent.rest('listEvents', { filters }).data as { slug: string }[];
    const input = { country: 'de', genre: 'Techno', from: '2026-12-01', to: '2026-12-31', limit: 50 };
    const told = agent.call('search_events', input);
    assert.ok(rest.length > 1);
    assert.deepEqual(
      told.events.map(({ slug }) => slug),
      rest.map(({ slug }) => slug),
    );
    assert.deepEqual(own({ artist: 'Nina Kraviz', city: 'Berlin', from: '2026-12' }), [
      'Klubnacht',
      'Forest Gathering',
    ]);
    // Its source states no genre for the second; it has that of its line-up.
    assert.deepEqual(own({ artist: 'Nina Kraviz', city: 'Berlin', genre: 'techno' }), [
      'Klubnacht',
      'Forest Gathering',
    ]);
  });

  it('understands countries by code and by name', () => {
    const german = titles({ country: 'DE' });
    for (const country of ['de', 'Germany', 'GERMANY', 'deu', 'Deutschland'])
      assert.deepEqual(titles({ country }), german);
    assert.deepEqual(titles({ country: 'UK' }), titles({ country: 'GB' }));
  });

  it('reads a free text', () => {
    const readings: [query: string, names: string[], titles: string[] | null][] = [
      ['techno in Berlin', ['genre:techno', 'city:berlin'], null],
      ['Techno events in Berlin this weekend', ['genre:techno', 'city:berlin'], null],
      ['Berghain Berlin', ['venue:berghain', 'city:berlin'], ['Klubnacht', 'Silvester']],
      ['who plays at Berghain?', ['venue:berghain'], ['Klubnacht', 'Silvester']],
      ['Klubnacht', [], ['Klubnacht']],
      ['klubn', [], ['Klubnacht']],
      ['Silvester Berghain', ['venue:berghain'], ['Silvester']],
      ['open air Berlin', ['city:berlin'], ['Open Air Sommergarten']],
      ['Nina Krawiz', ['artist:nina-kraviz'], ['Klubnacht', 'Forest Gathering', 'Somewhere']],
      ['Nina Kraviz in December', ['artist:nina-kraviz'], ['Klubnacht', 'Forest Gathering', 'Somewhere']],
      ['Berghain 2026-12-31', ['venue:berghain'], ['Silvester']],
      ['long friday', [], ['Long Friday']],
      ['air Berlin', ['artist:air', 'city:berlin'], []],
      ['Which clubs are open in Berlin on Friday', ['city:berlin'], ['Long Friday']],
      ["Who's playing at Berghain on 2026-12-31?", ['venue:berghain'], ['Silvester']],
      ['Klubnacht December 5', [], ['Klubnacht']],
      ['@ninakraviz in december', ['artist:nina-kraviz'], ['Klubnacht', 'Forest Gathering', 'Somewhere']],
      ['Kito and Kante', ['artist:kito-and-kante'], []],
      ['zzz qqq', [], []],
      ['...', [], []],
      ['upcoming music events', [], null],
    ];
    for (const [query, names, expected] of readings) {
      const told = agent.call('search_events', { query, limit: 50 });
      assert.deepEqual(
        told.names.map(({ kind, match }) => `${kind}:${match?.slug}`),
        names,
        query,
      );
      const found = told.titles.filter((name) => !name.startsWith('Sample'));
      if (expected) assert.deepEqual(found, expected, query);
    }
    const words = agent.call('search_events', { query: 'techno in Berlin', limit: 50 });
    const fields = agent.call('search_events', { genre: 'techno', city: 'Berlin', limit: 50 });
    assert.deepEqual(words.events, fields.events);
  });

  it('finds events by words of their names in the order of their start, however many are wanted', () => {
    const ids = (limit: number) =>
      agent.call('search_events', { query: 'sample', limit }).events.map(({ id }) => id);
    const all = agent.call('search_events', { limit: 50 }).events;
    const samples = all.filter(({ name }) => name.startsWith('Sample')).map(({ id }) => id);
    for (let limit = 1; limit <= samples.length; limit++)
      assert.deepEqual(ids(limit), samples.slice(0, limit));
  });

  it('finds nothing for an unknown name, and names it', () => {
    const told = agent.call('search_events', { artist: 'nobody at all of this name', city: 'Berlin' });
    assert.equal(told.match, null);
    assert.deepEqual(told.events, []);
    assert.match(told.text, /No artist on record matches "nobody at all of this name"/);
  });

  it('honours limit, and says that there is more', () => {
    for (const limit of [1, 3, 50]) {
      const told = agent.call('search_events', { limit });
      assert.equal(told.events.length, limit);
      assert.equal(told.hasMore, true);
      assert.match(told.text, /^The first .*of more than 50 upcoming events:/);
    }
    assert.equal(agent.call('search_events', {}).events.length, 10);
    assert.equal(agent.call('search_events', { query: 'Silvester' }).hasMore, false);
  });

  it('says how to go on, and the end is reached', () => {
    for (const input of [
      { country: 'US', from: '2026-12-01', to: '2027-02-20' },
      { from: '2026-12-01', to: '2026-12-12' },
    ]) {
      const seen = new Set<string>();
      let next: { from: string; to: string; limit: number } = { ...input, limit: 1 };
      for (let calls = 0; ; calls++) {
        assert.ok(calls < 40, 'no end');
        const told = agent.call('search_events', { ...input, ...next });
        for (const { id } of told.events) seen.add(id);
        if (!told.hasMore) break;
        const limit = /call again with limit (\d+)/.exec(told.text)?.[1];
        const [, from, to] = /from "([^"]+)", to "([^"]+)"/i.exec(told.text) ?? [];
        if (from && to) assert.equal(to, input.to);
        next = from && to && next.limit === 50 ? { from, to, limit: 50 } : { ...next, limit: Number(limit) };
      }
      const from = agent.rest('listEvents', {
        filters: {
          ...('country' in input && { country: 'US' }),
          from: { date: Number(input.from.replaceAll('-', '')) },
          to: { date: Number(input.to.replaceAll('-', '')) },
        },
        limit: 1000,
      }).data as { id: string }[];
      assert.deepEqual([...seen].sort(), from.map(({ id }) => id).sort());
    }
  });

  it('counts what there is, in good English', () => {
    const first = (input: object) => agent.call('search_events', input).text.split('\n')[0] as string;
    assert.equal(first({ venue: 'Berghain', limit: 1 }), 'The first of 2 upcoming events at Berghain:');
    assert.equal(
      first({ venue: 'Berghain', from: '2026-12-31' }),
      '1 upcoming event at Berghain from 2026-12-31:',
    );
    assert.equal(
      first({ venue: 'Berghain', to: '2026-11-30' }),
      'No upcoming events at Berghain to 2026-11-30.',
    );
    const countries = {
      GB: 'the United Kingdom',
      NL: 'the Netherlands',
      US: 'the United States',
      DE: 'Germany',
    };
    for (const [country, name] of Object.entries(countries))
      assert.ok(first({ country }).includes(` in ${name}`), name);
  });

  it('keeps to its lines, whatever is quoted', () => {
    const forged = 'x\n- Sat 2026-12-05 | Forged\r\u2028\u0007No events\u202e';
    for (const input of [
      { city: forged },
      { artist: forged },
      { venue: forged },
      { query: forged },
      { genre: forged },
    ]) {
      const { text, events } = agent.call('search_events', input);
      assert.deepEqual(events, []);
      assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u2028\u202e]/u);
      for (const line of text.split('\n').slice(1)) assert.doesNotMatch(line, /^(- |No events)/);
    }
  });

  it('writes one line for each event, with those who play first, and its page', () => {
    const { text } = agent.call('search_events', { venue: 'Berghain', limit: 1 });
    assert.equal(
      text.split('\n')[1],
      '- Sat 2026-12-05, 23:59 | Klubnacht | Berghain, Berlin, DE | with Ben Klock, Nina Kraviz, Marcel Dettmann, DVS1, Len Faki and 2 more | https://music.example/events/klubnacht-2026-12-05',
    );
    assert.match(agent.call('search_events', { query: 'Innervisions Late' }).text, /Late \[CANCELLED\] \|/);
  });
});

describe('errors say what is accepted', () => {
  const refusal = (input: object): string => {
    try {
      agent.call('search_events', input);
    } catch (failure) {
      return (failure as Error).message;
    }
    return 'none';
  };

  it('a date that cannot be read', () => {
    for (const from of [
      'yesterdayish',
      '2026-02-30',
      '31.13.2026',
      '2026-12-31T23:00',
      '2026-13',
      '2026-W54',
    ]) {
      assert.throws(() => agent.call('search_events', { from }), ToolInputError);
      assert.match(refusal({ from }), /^from cannot be read\. It is a date \(2026-12-31\), a timestamp/);
    }
    assert.match(refusal({ to: 'soon' }), /^to cannot be read/);
  });
  it('a country that is not known', () => {
    assert.match(refusal({ country: 'Germny' }), /ISO 3166-1 alpha-2 code such as DE.* Germany is DE\./);
    for (const country of ['XX', 'Atlantis', '49']) assert.match(refusal({ country }), /ISO 3166-1/);
  });
  it('a limit beyond the most', () => {
    for (const limit of [1_000_000, 51, 0, -1, 2.5])
      assert.match(refusal({ limit }), /limit is a whole number from 1 to 50\./);
  });
  it('an input that does not exist, or of another type', () => {
    assert.match(
      refusal({ location: 'Berlin' }),
      /There is no input .*location.*, only query, city, country/,
    );
    assert.match(refusal({ city: 5 }), /city is a text, such as/);
    assert.match(refusal({ include_past: 'yes' }), /include_past is true or false/);
    assert.throws(() => agent.call('artist_info', { artist: ' ' }), /artist is a text/);
  });
});

describe('arguments', () => {
  const toolbox = new ToolRegistry(tools, {
    name: 'cratebase',
    version: '0',
    baseUrl: 'https://music.example',
  });
  const circumstances = (): ToolContext => ({
    plan: 'pro',
    baseUrl: 'https://music.example',
    name: 'cratebase',
    now: agentNow,
    catalogue: agent.catalogue,
  });
  const answer = (given: unknown, tool = 'search_events') => {
    const result = toolbox.callTool(tool, given, circumstances());
    const [first] = result?.content ?? [];
    return { isError: result?.isError === true, text: first?.type === 'text' ? first.text : '' };
  };

  it('that are null or absent are none', () => {
    assert.deepEqual(answer(null), answer({}));
    assert.deepEqual(answer(undefined), answer({}));
    assert.match(answer(null, 'artist_info').text, /artist is a text/);
  });
  it('that are no object get an error in one sentence', () => {
    for (const given of ['Berlin', ['Berlin'], 5, true]) {
      assert.throws(
        () => answer(given),
        /arguments must be a JSON object of inputs by name \(query, city, .*\), not an? \w+\.$/,
      );
    }
  });
  it('leave out what is null, and take numbers and truth values written as texts', () => {
    const plain = answer({ city: 'Berlin', limit: 5, include_past: true });
    assert.deepEqual(
      answer({ city: 'Berlin', limit: '5', include_past: 'True', venue: null, date: null }),
      plain,
    );
    assert.match(answer({ limit: '51' }).text, /limit is a whole number from 1 to 50/);
    assert.match(answer({ limit: 'many' }).text, /limit is a whole number from 1 to 50/);
  });
  it('that no tool knows are named, on one line', () => {
    for (const name of ['location', 'x\ny', '__proto__']) {
      const { isError, text } = answer(JSON.parse(`{${JSON.stringify(name)}: 1}`));
      assert.ok(isError);
      assert.match(text, /^Invalid input: There is no input ".*only query, city, .*$/);
    }
  });
  it('that are null or odd pass the SDK of every revision', async () => {
    const handler = createMcpHandler(() =>
      toolbox.createServer(circumstances, (failure) => assert.fail(String(failure))),
    );
    const answers: [given: unknown, expected: string[]][] = [
      [null, ['"result"', 'upcoming events']],
      ['Berlin', ['-32602', 'arguments must be a JSON object of inputs by name']],
      [['Berlin'], ['-32602', 'arguments must be a JSON object of inputs by name']],
    ];
    for (const [given, expected] of answers) {
      for (const version of ['2026-07-28', '2025-11-25']) {
        const text = await ask(handler, version, given);
        for (const part of expected) assert.ok(text.includes(part), text);
      }
    }
  });
});

/** The body that answers a call of `search_events`. */
async function ask(
  handler: ReturnType<typeof createMcpHandler>,
  version: string,
  given: unknown,
): Promise<string> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const isNew = version === '2026-07-28';
  const params = { name: 'search_events', arguments: given, ...(isNew && { _meta: meta }) };
  const answered = await handler.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': version,
        ...(isNew && { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'search_events' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }),
  );
  return await answered.text();
}

describe('times', () => {
  const friday = agentNow;
  const windows: [
    from: string | undefined,
    to: string | undefined,
    first: number | null,
    last: number | null,
  ][] = [
    ['2026-12-31', undefined, 20261231, null],
    [undefined, '2026-12-31', null, 20261231],
    ['today', undefined, 20261120, 20261120],
    ['now', undefined, 20261120, null],
    ['today', 'today', 20261120, 20261120],
    ['tonight', undefined, 20261120, 20261120],
    ['Tomorrow', 'tomorrow', 20261121, 20261121],
    ['this weekend', undefined, 20261120, 20261122],
    ['next weekend', undefined, 20261127, 20261129],
    ['this week', undefined, 20261116, 20261122],
    ['next week', undefined, 20261123, 20261129],
    ['this month', undefined, 20261101, 20261130],
    ['next month', undefined, 20261201, 20261231],
    ['2026-12', undefined, 20261201, 20261231],
    ['2026-12', '2027-02', 20261201, 20270228],
    ['2026-W53', undefined, 20261228, 20270103],
    ['2027-W01', undefined, 20270104, 20270110],
    ['this weekend', '2026-11-21', 20261120, 20261121],
    ['Friday', undefined, 20261120, 20261120],
    ['on Friday night', undefined, 20261120, 20261120],
    ['next Friday', undefined, 20261127, 20261127],
    ['last Friday', undefined, 20261113, 20261113],
    ['Friday', 'Sunday', 20261120, 20261122],
    ['Saturday', 'Friday', 20261121, 20261127],
    ['2026-12-30', 'Friday', 20261230, 20270101],
    ['December', 'February', 20261201, 20270228],
    ['tomorrow', undefined, 20261121, 20261121],
    ['tomorrow', 'next week', 20261121, 20261129],
    ['yesterday', undefined, 20261119, 20261119],
    ['last week', 'today', 20261109, 20261120],
    ['in December', undefined, 20261201, 20261231],
    ['December 2027', undefined, 20271201, 20271231],
    ["New Year's Eve", undefined, 20261231, 20261231],
    ['new years eve 2027', undefined, 20271231, 20271231],
    ['Halloween', undefined, 20271031, 20271031],
    ['Easter', undefined, 20270326, 20270329],
    ['Easter Sunday 2038', undefined, 20380425, 20380425],
    ['31 December', undefined, 20261231, 20261231],
    ['December 31', undefined, 20261231, 20261231],
    ['5 January', undefined, 20270105, 20270105],
    ['Jan 5, 2027', undefined, 20270105, 20270105],
    ['31 December', '2 January', 20261231, 20270102],
    ['Dec 31st, 2027', undefined, 20271231, 20271231],
    ['29 February', undefined, 20280229, 20280229],
    ['next 7 days', undefined, 20261120, 20261126],
    ['the next two weeks', undefined, 20261120, 20261203],
    ['2027', undefined, 20270101, 20271231],
    ['Freitag', undefined, 20261120, 20261120],
    ['mañana', undefined, 20261121, 20261121],
    ['ce week-end', undefined, 20261120, 20261122],
    ['en décembre', undefined, 20261201, 20261231],
  ];
  for (const [from, to, first, last] of windows) {
    it(`from ${from} to ${to}`, () => {
      const expected = {
        ...(first !== null && { from: { date: first } }),
        ...(last !== null && { to: { date: last } }),
      };
      assert.deepEqual(parseWindow(from, to, 'Europe/Berlin', friday), expected);
    });
  }
  it('days are those of the place', () => {
    const late = Date.parse('2026-11-20T23:30:00Z');
    const only = (date: number) => ({ from: { date }, to: { date } });
    assert.deepEqual(parseWindow('today', undefined, 'Europe/Berlin', late), only(20261121));
    assert.deepEqual(parseWindow('today', undefined, null, late), only(20261120));
    const told = agent.call('search_events', { city: 'Honolulu', from: 'tomorrow' }, 'free', late);
    assert.match(told.text, /in Honolulu on 2026-11-21/);
  });
  it('the place is the same in the whole answer: west and east of UTC, a city or a country', () => {
    const places: [place: object, now: string, today: string, zone: string][] = [
      [{ city: 'Los Angeles' }, '2026-11-21T03:00:00Z', '2026-11-20', 'America/Los_Angeles'],
      [{ city: 'Tokyo' }, '2026-11-20T20:00:00Z', '2026-11-21', 'Asia/Tokyo'],
      [{ venue: 'Womb', city: 'Tokyo' }, '2026-11-20T20:00:00Z', '2026-11-21', 'Asia/Tokyo'],
      [{ country: 'JP' }, '2026-11-20T20:00:00Z', '2026-11-21', 'Asia/Tokyo'],
      [{ country: 'US' }, '2026-11-21T03:00:00Z', '2026-11-20', 'America/New_York'],
      [{}, '2026-11-21T03:00:00Z', '2026-11-21', 'UTC'],
    ];
    for (const [place, now, today, zone] of places) {
      const ask = (from: string) =>
        agent.call('search_events', { ...place, from, limit: 50 }, 'pro', Date.parse(now));
      const { text, events } = ask('today');
      assert.ok(text.includes(`"today" is read as ${today} (today is ${today} in ${zone})`), text);
      for (const { date } of events) assert.equal(date, today);
      // A night has hours of two days; in Tokyo it is still that of the day before.
      const tonight = ask('tonight').text;
      assert.match(tonight, new RegExp(`"tonight" is read as .*\\(today is ${today} in ${zone}`));
      for (const answer of [text, tonight]) assert.doesNotMatch(answer, /That window is over/);
      const yesterday = ask('yesterday');
      if (yesterday.events.length > 0) continue;
      assert.match(yesterday.text, new RegExp(`That window is over \\(today is ${today} in ${zone}`));
    }
  });
  it('on a Sunday the weekend is the one that is on', () => {
    const sunday = Date.parse('2026-11-22T12:00:00Z');
    assert.deepEqual(parseWindow('this weekend', undefined, null, sunday), {
      from: { date: 20261120 },
      to: { date: 20261122 },
    });
  });
});

it('countries are known by many names', () => {
  const known: [string, string | null][] = [
    ['The Netherlands', 'NL'],
    ['holland', 'NL'],
    ['U.S.A.', 'US'],
    ['Türkiye', 'TR'],
    ['turkey', 'TR'],
    ['South Korea', 'KR'],
    ['kosovo', 'XK'],
    ['Alemania', 'DE'],
    ['Frankreich', 'FR'],
    ['Xland', null],
    ['', null],
  ];
  for (const [text, code] of known) assert.equal(countryCode(text), code, text);
  assert.equal(guessCountryCode('Frnace'), 'FR');
  assert.equal(guessCountryCode('zzzz'), null);
});

describe('places that are hard to tell apart', () => {
  let other: Agent;
  before(async () => {
    other = await openAgent(places);
  });
  after(() => other?.close());
  const own = (input: object) =>
    other.call('search_events', { limit: 50, ...input }).titles.filter((name) => !name.startsWith('Sample'));

  it('events that only name a venue are those of the venue on record', () => {
    assert.ok(own({ venue: 'Hidden' }).includes('Hidden Depths'));
    const told = other.call('venue_upcoming_events', { venue: 'hidden', city: 'Manchester', limit: 50 });
    assert.ok(told.titles.includes('Hidden Depths'));
    assert.equal(told.match?.slug, 'hidden');
    const starts = told.events.map(({ start_at }) => Date.parse(start_at));
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => a - b),
    );
    assert.deepEqual(own({ venue: 'Hidden', query: 'depths' }), ['Hidden Depths']);
    assert.deepEqual(own({ venue: 'Hidden', genre: 'techno', to: '2026-12-04' }), ['Hidden Depths']);
  });

  it('a venue is the one in the city on record that was named', () => {
    for (const city of ['paris-us', 'Paris, US', 'Paris, Texas', 'Paris Texas'])
      assert.deepEqual(own({ venue: 'Paradise', city }), ['Paradise Lone Star'], city);
    for (const city of ['paris', 'Paris, France', 'Paris'])
      assert.deepEqual(own({ venue: 'Paradise', city }), ['Paradise Left Bank'], city);
    assert.deepEqual(own({ venue: 'Amnesia', city: 'Ibiza' }), ['Amnesia Winter']);
    const { match } = other.call('venue_upcoming_events', { venue: 'Berghain', city: 'Hamburg' });
    assert.equal(match, null);
  });

  it('a region has its cities', () => {
    for (const city of ['Goa', 'Goa, India', 'goa region'])
      assert.deepEqual(own({ city }), ['Anjuna Moon', 'Beach Sunrise'], city);
    assert.deepEqual(own({ query: 'techno in Goa' }), ['Beach Sunrise']);
    assert.match(
      other.call('search_events', { city: 'Goa' }).text,
      /region Goa; cities .* Vagator \[vagator\]/,
    );
    assert.match(
      other.call('search_events', { city: 'Ibiza' }).text,
      /Nearby cities .*Sant Antoni de Portmany/,
    );
    assert.equal(other.call('search_events', { city: 'Bay Area' }).match?.slug, 'san-francisco');
    assert.equal(other.call('search_events', { city: 'Lake Area' }).match, null);
  });

  it('namesakes in one country are distinguished by their regions', () => {
    const { text, others } = other.call('search_events', { city: 'Springfield' });
    assert.equal(others.length, 1);
    assert.match(text, /Springfield \(Missouri, US\).*\n.*Springfield \(Illinois, US\)/);
    for (const [city, slug] of [
      ['Springfield, Missouri', 'springfield-us'],
      ['Springfield, MO', 'springfield-us'],
      ['Springfield Illinois', 'springfield'],
    ] as const)
      assert.equal(other.call('search_events', { city }).match?.slug, slug, city);
    assert.equal(other.call('search_events', { city: 'Springfield, Oregon' }).match, null);
    assert.match(other.call('search_events', { city: 'San Jose' }).text, /in San José \(CR\)/);
  });

  it('festivals are labelled as festivals', () => {
    for (const input of [
      { query: 'Dekmantel festival' },
      { artist: 'Dekmantel' },
      { query: 'dekmantel 2027' },
    ])
      assert.match(
        other.call('search_events', input).text,
        /Dekmantel Festival is a festival on record \(Amsterdam, NL\): https:.*\/festivals\/dekmantel-festival/,
      );
    assert.doesNotMatch(other.call('search_events', { query: 'klubnacht' }).text, /festival/);
  });
});

describe('a free text', () => {
  const slugs = (query: string) =>
    agent.call('search_events', { query }).names.map(({ match }) => match?.slug ?? null);
  const text = (query: string) => agent.call('search_events', { query }).text;

  it('names no artist by a part of a name, and none elsewhere', () => {
    const read: [query: string, slugs: string[]][] = [
      ['house or techno in Berlin', ['house', 'berlin']],
      ['techno in Berlin or London', ['techno', 'berlin']],
      ['techno in Berlin tonight or tomorrow', ['techno', 'berlin']],
      ['London Paris', ['london']],
      ['free parties in Berlin', ['berlin']],
      ['gigs in Glasgow Fri', ['glasgow']],
      ['warehouse party London', ['london']],
      ['ynap Berlin', ['berlin']],
      ['klock', []],
      ['tecno in Berlni', ['techno', 'berlin']],
      ['Bergain Berlin', ['berghain', 'berlin']],
      ['plastik man', ['plastikman']],
    ];
    for (const [query, expected] of read) assert.deepEqual(slugs(query), expected, query);
  });

  it('that asks for two of a kind gets advice to ask again', () => {
    assert.match(text('techno in Berlin or London'), /One city per call: this is Berlin\..*city "London"/);
    assert.match(
      agent.call('search_events', { genre: 'techno, house' }).text,
      /one genre per call\. Call with genre "Techno", then "House"/,
    );
    assert.match(
      agent.call('search_events', { city: 'Berlin or Hamburg' }).text,
      /one city per call\. Call with city "Berlin", then "Hamburg"/,
    );
  });

  it('with genres that "or" joins finds the events of each, every event once', () => {
    const ids = (query: string) =>
      agent.call('search_events', { query, limit: 50 }).events.map((event) => (event as { url: string }).url);
    const [house, techno] = [ids('house in Berlin'), ids('techno in Berlin')];
    const both = ids('house or techno in Berlin');
    assert.ok(house.some((id) => !techno.includes(id)) && techno.some((id) => !house.includes(id)));
    assert.deepEqual([...both].sort(), [...new Set([...house, ...techno])].sort());
    assert.match(text('house or techno in Berlin'), /of the genre House or Techno in Berlin/);
    assert.doesNotMatch(text('house or techno in Berlin'), /One genre per call/);
  });

  it('without events on the day, says the nearest day that has some', () => {
    for (const query of ['house or techno in Berlin', 'techno in Berlin']) {
      const nothing = agent.call('search_events', { query: `${query} on 2039-03-01` });
      assert.deepEqual(nothing.events, []);
      const [, date = '', count] =
        /The nearest day with such (?:an event|events) is (\S+) \((\d+) events?\): call again with from "\1" and to "\1"\./.exec(
          nothing.text,
        ) ?? [];
      const again = agent.call('search_events', { query, from: date, to: date, limit: 50 });
      assert.equal(again.events.length, Number(count), query);
    }
  });

  it('says which words were not understood, and answers the rest', () => {
    const told = agent.call('search_events', { query: 'ynap Berlin' });
    assert.match(told.text, /Not understood, and left out: "ynap"/);
    assert.deepEqual(told.events, agent.call('search_events', { city: 'Berlin' }).events);
    for (const query of ['???', '%_*', '...', '?', 'zzz qqq', 'a"b OR c*', '"', 'zzz tonight']) {
      assert.deepEqual(agent.call('search_events', { query }).events, [], query);
      assert.match(text(query), /^No upcoming events whose name has "/, query);
    }
    assert.equal(agent.call('search_events', { query: '!!!' }).match?.name, '!!!');
    assert.match(text('techno in Berlin on 30 February'), /left out: "30 February"/);
  });

  it('may be a question', () => {
    const klock = agent.call('search_events', { artist: 'Ben Klock' }).events;
    for (const query of [
      'when does Ben Klock play next?',
      'Where can I see Ben Klock?',
      'I want to hear Ben Klock live',
      'Wann spielt Ben Klock?',
      'Où puis-je voir Ben Klock ?',
      '¿Dónde puedo ver a Ben Klock?',
      'dove suona Ben Klock?',
      'waar speelt Ben Klock?',
      'onde toca Ben Klock?',
    ])
      assert.deepEqual(agent.call('search_events', { query }).events, klock, query);
  });

  const windows: [words: string, from: string | null, to: string | null][] = [
    ['until Christmas', null, '2026-12-25'],
    ['before Christmas', null, '2026-12-24'],
    ['after Christmas', '2026-12-25', null],
    ['between 2026-12-01 and 2026-12-31', '2026-12-01', '2026-12-31'],
    ['from 1 to 15 December', '2026-12-01', '2026-12-15'],
    ['1-15 December', '2026-12-01', '2026-12-15'],
    ['December 1 to 15', '2026-12-01', '2026-12-15'],
    ['from December to February', '2026-12-01', '2027-02-28'],
    ['tonight or tomorrow', '2026-11-20', '2026-11-21'],
    ['Friday to Sunday', '2026-11-20', '2026-11-22'],
    ['on Sat', '2026-11-21', '2026-11-21'],
    ['Saturday', '2026-11-21', '2026-11-21'],
    ['zwischen dem 1. und 15. Dezember', '2026-12-01', '2026-12-15'],
    ['bis Weihnachten', null, '2026-12-25'],
    ['hasta diciembre', null, '2026-12-31'],
    ["jusqu'à samedi", null, '2026-11-21'],
  ];
  for (const [words, from, to] of windows) {
    it(`has a window: ${words}`, () => {
      const fields = { genre: 'techno', city: 'Berlin', ...(from && { from }), ...(to && { to }) };
      const told = agent.call('search_events', { query: `techno in Berlin ${words}` });
      assert.deepEqual(told.events, agent.call('search_events', fields).events, told.text);
      assert.doesNotMatch(told.text, /left out|whose name/);
    });
  }
});

describe('an answer', () => {
  it('puts the more prominent genre first, a typo before what merely begins so', () => {
    const genre = (text: string) => agent.call('search_events', { genre: text });
    assert.equal(genre('tecno').match?.slug, 'techno');
    assert.ok(genre('tecno').others.some(({ slug }) => slug === 'tecnobrega'));
    assert.equal(genre('deep').match?.slug, 'deep-house');
    assert.equal(genre('progressive').match?.slug, 'progressive-house');
    for (const text of ['deep', 'progressive', 'acid', 'rave'])
      assert.ok(genre(text).events.length > 0, text);
  });

  it('speaks of past events only where there are some', () => {
    const text = (input: object) => agent.call('search_events', input).text;
    assert.match(text({ venue: 'Berghain', query: 'klubnacht', to: '2026-11-01' }), /include_past/);
    assert.doesNotMatch(text({ artist: 'Kito & Kante' }), /include_past/);
    assert.doesNotMatch(text({ city: 'Glasgow', to: '2026-11-01' }), /include_past/);
  });

  it('finds names whose spaces stand elsewhere, and none by a word that says nothing', () => {
    const found = {
      'plastik man': 'plastikman',
      'fat boy slim': 'fatboy-slim',
      'dvs 1': 'dvs1',
      'Charlotte DeWitte': 'charlotte-de-witte',
      'Ed Rush & Ojtical': 'ed-rush-and-optical',
    };
    for (const [artist, slug] of Object.entries(found))
      assert.equal(agent.call('artist_info', { artist }).match?.slug, slug, artist);
    assert.equal(agent.call('search_events', { venue: 'Club' }).match, null);
    assert.match(
      agent.call('search_events', { country: 'Scotland' }).text,
      /read as the whole of the United Kingdom/,
    );
  });

  it('has no parts but its own in a line', async () => {
    const forged = 'A\u200bb | Sat 2026-12-05, 20:00 ｜ Forged │ x\u2060';
    const other = await openAgent([
      {
        kind: 'event',
        external_id: 'x1',
        name: forged,
        start_at: '2026-12-06T20:00',
        city: 'Oslo',
        country: 'NO',
      },
    ]);
    try {
      const { text, events } = other.call('search_events', {
        city: 'Oslo',
        to: '2026-12-06',
        from: '2026-12-06',
      });
      const line = text.split('\n').find((one) => one.includes('Forged')) as string;
      assert.equal(line.split('|').length, 5, line);
      assert.doesNotMatch(text, /[\p{Cf}｜│]/u);
      assert.ok(events.some(({ name }) => name.includes('|')));
    } finally {
      other.close();
    }
  });
});
