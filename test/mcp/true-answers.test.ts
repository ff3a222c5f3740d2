/** Answers that are true and whole: names of events, bare records, festivals, past events, and the size of the list. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Client } from 'mcp-sdk-2025/client/index.js';
import { InMemoryTransport } from 'mcp-sdk-2025/inMemory.js';
import { ToolRegistry } from '../../src/mcp/server.ts';
import { tools } from '../../src/mcp/tool-list.ts';
import { type Agent, agentNow, openAgent } from '../support/agent.ts';

let agent: Agent;
let count = 0;
const record = (kind: string, name: string, more: object = {}) => ({
  kind,
  external_id: `t${++count}`,
  name,
  ...more,
});
const at = (name: string, city: string, country: string) => ({ venue: { name, city, country } });
const event = (name: string, start_at: string, more: object = {}) =>
  record('event', name, { start_at, ...at('Elsewhere', 'Bremen', 'DE'), ...more });

/** Names that are also words, artists, places, genres, countries or times. */
const confusable = [
  'PER ASPERA',
  'COR Session',
  'Techno Berlin',
  'Ben Klock Marathon',
  'House of Vienna',
  'This Is London',
  'Friday Prayers',
  'The Who Knows',
  'Summer in December',
  'Berghain Exile',
  'Paris / Texas',
  'After Christmas Special',
  'New Year New Me',
  'Italo Disco Amsterdam Express',
];

before(async () => {
  agent = await openAgent([
    ...confusable.map((name, day) => event(name, `2027-03-${String(day + 1).padStart(2, '0')}T22:00`)),
    event('Longtide Overture', '2018-05-05T22:00'),
    event('Longtide Reprise', '2021-05-08T22:00'),
    event('Longtide', '2023-05-06T22:00'),
    event('Longtide Bremen', '2023-05-07T22:00'),
    event('Klubnacht', '2027-04-01T22:00', { ...at('Klubnacht', 'Bremen', 'DE') }),
    record('artist', 'Sofia Lindqvist', { country: 'SE', biography: 'From Malmö.' }),
    record('artist', 'Sofia Lindquist'),
    record('artist', 'Sofia Linnquist'),
    event('Ghost Night', '2027-03-20T22:00', { lineup: [{ name: 'Sofia Lindquist' }] }),
    record('festival', 'Nordlicht', { city: 'Bremen', country: 'DE' }),
    record('edition', 'Nordlicht 2027', {
      festival: { name: 'Nordlicht' },
      edition: '2027',
      start_at: '2027-07-09T14:00',
      end_at: '2027-07-11T23:00',
      timezone: 'Europe/Berlin',
      lineup: [
        {
          name: 'Rho Delta',
          stage: 'Hafen',
          set_start_at: '2027-07-10T22:00',
          set_end_at: '2027-07-11T00:00',
        },
        { name: 'Sofia Lindqvist', stage: 'Speicher' },
      ],
    }),
    event('Nordlicht Opening', '2027-07-09T14:00', {
      festival: { festival: { name: 'Nordlicht' }, edition: '2027' },
    }),
    record('edition', 'Nordlicht 2025', {
      festival: { name: 'Nordlicht' },
      edition: '2025',
      start_at: '2025-07-11',
      end_at: '2025-07-13',
      lineup: [{ name: 'Émile Rhô' }, { name: 'Vera Falk' }],
    }),
    record('edition', 'Nordlicht 2026', {
      festival: { name: 'Nordlicht' },
      edition: '2026',
      start_at: '2026-07-10',
      lineup: [{ name: 'Rho Delta' }],
    }),
    event('Bildnacht', '2027-05-01T22:00', { image_url: 'https://img.example/b.jpg' }),
    record('festival', 'Windstille', { city: 'Bremen', country: 'DE' }),
    record('edition', 'Windstille 2028', {
      festival: { name: 'Windstille' },
      edition: '2028',
      start_at: '2028-07-14T14:00',
      lineup: [{ name: 'Rho Delta', stage: 'Hafen', set_start_at: '2028-07-14T22:00' }],
    }),
    record('label', 'Kaltraum', { artists: [{ name: 'Sofia Lindqvist' }, { name: 'Sofia Lindquist' }] }),
    event('Over One', '2026-05-01T22:00', { lineup: [{ name: 'Sofia Lindqvist' }] }),
    event('Over Two', '2026-09-01T22:00', { lineup: [{ name: 'Sofia Lindqvist' }] }),
  ]);
});
after(() => agent?.close());
const search = (input: object) => agent.call('search_events', input);

describe("an event's own name", () => {
  for (const name of confusable) {
    it(`finds it: ${name}`, () => {
      assert.equal(search({ query: name }).titles[0], name);
      assert.ok(search({ query: `when is ${name}?` }).titles.includes(name));
      assert.ok(search({ query: `${name} Bremen`, limit: 50 }).titles.includes(name));
    });
  }
  it('finds all of that name, whatever else the words mean', () => {
    const { titles, events } = search({ query: 'klubnacht', limit: 50 });
    assert.deepEqual(titles, ['Klubnacht', 'Klubnacht']);
    assert.ok(events.some(({ venue }) => venue.city === 'Bremen'));
  });
  it('is joined with what the words name, and says so', () => {
    const { titles, text } = search({ query: 'Techno Berlin' });
    assert.equal(titles[0], 'Techno Berlin');
    assert.ok(titles.length > 1);
    assert.match(text, /The first event is named "Techno Berlin"\. The others fit the names in it\./);
  });
  it('keeps three letters from being a country', () => {
    assert.doesNotMatch(search({ query: 'PER ASPERA' }).text, /Peru/);
    assert.match(search({ query: 'techno USA' }).text, /in the United States/);
  });
});

describe('an event with an image', () => {
  it('has its address in the text as in the fields', () => {
    const { text, events } = search({ query: 'Bildnacht' });
    assert.equal(events[0]?.image_url, 'https://img.example/b.jpg');
    assert.match(text, /Image: https:\/\/img\.example\/b\.jpg\./);
  });
});

describe('a bare name', () => {
  it('names the record with details that is one letter away', () => {
    for (const tool of ['artist_info', 'artist_upcoming_events'] as const) {
      const { text, others, match } = agent.call(tool, { artist: 'Sofia Lindquist' });
      assert.equal(match?.slug, 'sofia-lindquist');
      assert.equal(others[0]?.slug, 'sofia-lindqvist');
      assert.match(text, /Did you mean Sofia Lindqvist \(SE\) \[sofia-lindqvist\]\?/);
    }
  });
  it('is no question the other way round', () => {
    assert.doesNotMatch(agent.call('artist_info', { artist: 'Sofia Lindqvist' }).text, /Did you mean/);
  });
});

describe('a name that is not on record', () => {
  it('is said to be unknown, not to have no events', () => {
    for (const [kind, input] of [
      ['venue', { venue: 'Qwertzui Yxcvbnm' }],
      ['city', { city: 'Qwertzui Yxcvbnm' }],
      ['artist', { artist: 'Qwertzui Yxcvbnm' }],
      ['label', { label: 'Qwertzui Yxcvbnm' }],
    ] as const) {
      const { text } = search(input);
      assert.match(
        text,
        new RegExp(`^Nothing was searched: "Qwertzui Yxcvbnm" is not the name of an? ${kind}`),
      );
      assert.doesNotMatch(text, /No upcoming events/);
    }
  });
});

describe('festivals', () => {
  it('answer with the last edition of an artist, although later ones were held', () => {
    for (const input of [
      { festival: 'Nordlicht', artist: 'Vera Falk' },
      { query: 'when does Vera Falk play at Nordlicht' },
    ]) {
      const { text, structured } = search(input);
      const names = (structured.festivals as { name: string }[]).map(({ name }) => name);
      assert.deepEqual(names, ['Nordlicht 2025'], text);
      assert.match(text, /Festival edition that is over:/);
    }
  });
  it('without a place have the clock times of their city', () => {
    const { text, structured } = search({ festival: 'Windstille' });
    const [edition] = structured.festivals as { timezone: string; start_at: string }[];
    assert.deepEqual([edition?.timezone, edition?.start_at], ['Europe/Berlin', '2028-07-14T14:00:00+02:00']);
    assert.match(text, /Hafen: Rho Delta \(Fri 2028-07-14, 22:00\)/);
  });
  it('are the answer for a place that has no other events then', () => {
    for (const place of [{ city: 'Bremen' }, { query: 'Bremen' }, { country: 'DE' }]) {
      const { text, structured, events } = search({ ...place, from: '2027-07-10', to: '2027-07-11' });
      assert.deepEqual(events, []);
      const [edition] = structured.festivals as { edition: string; name: string }[];
      assert.equal(edition?.name, 'Nordlicht 2027');
      assert.match(text, /^Festival edition:\n\* .*Nordlicht 2027 \| Bremen, DE/);
      assert.doesNotMatch(text, /No upcoming events/);
    }
    const elsewhere = search({ country: 'FR', from: '2027-07-10', to: '2027-07-11' });
    assert.deepEqual(elsewhere.structured.festivals, []);
    assert.match(elsewhere.text, /^No upcoming events in France/);
  });
  it('do not hide the words of a question that were left out', () => {
    const { text } = search({ query: 'Qwertzui festivals in Bremen' });
    assert.match(text, /Nordlicht 2027/);
    assert.match(text, /Not understood, and left out: "Qwertzui"/i);
  });
  it('stand beside the events of their artists, with the sets asked for', () => {
    for (const told of [
      agent.call('artist_info', { artist: 'Sofia Lindqvist' }),
      agent.call('artist_upcoming_events', { artist: 'Sofia Lindqvist' }),
      search({ artist: 'Sofia Lindqvist' }),
    ]) {
      const [edition] = told.structured.festivals as { edition: string; lineup: { stage: string }[] }[];
      assert.equal(edition?.edition, '2027');
      assert.deepEqual(
        edition?.lineup.map(({ stage }) => stage),
        ['Speicher'],
      );
      assert.match(told.text, /Nordlicht 2027 \| Bremen, DE/);
      assert.doesNotMatch(told.text, /^No upcoming events/m);
    }
  });
  it('have their events, days, stages and set times', () => {
    const { text, titles } = search({ festival: 'Nordlicht' });
    assert.deepEqual(titles, ['Nordlicht Opening']);
    assert.match(text, /Fri 2027-07-09 to Sun 2027-07-11 \| Nordlicht 2027/);
    assert.match(text, /Hafen: Rho Delta \(Sat 2027-07-10, 22:00–00:00\)/);
  });
  it('are found in a free text, and by place', () => {
    for (const query of ['Nordlicht', 'festival Nordlicht', 'festivals in Bremen next summer'])
      assert.match(search({ query }).text, /Nordlicht 2027 \| Bremen, DE/, query);
  });
  it('that are not held on the days asked for are replaced by the next or last ones, and that is reported', () => {
    for (const query of [
      'festivals in Bremen next winter',
      'Festivals in Bremen im Januar 2028',
      'festivals in March',
    ]) {
      const { text, structured } = search({ query });
      assert.match(
        text,
        /\nNo upcoming festival editions (?:in Bremen \(DE\) )?from 202.* The next on record:\n\* .*Nordlicht 2027 \|/,
        query,
      );
      assert.doesNotMatch(text, /Not understood|whose name has/, query);
      // The nearest day of other events answers no question for festivals.
      assert.doesNotMatch(text, /nearest day/, query);
      assert.deepEqual(structured.festivals, [], query);
    }
    const over = search({ query: 'Welche Festivals gibt es im Sommer in Belgien?' }).text;
    assert.match(over, /The last on record, which are over:\n\* .*Tomorrowland 2025 \|/);
    const none = search({ query: 'festivals in Nepal' }).text;
    assert.match(none, /\nNo upcoming festival editions in Nepal\.(?:\n|$)/);
  });
  it('that are unknown are not searched, and that is reported', () => {
    const { text, titles } = search({ festival: 'Zzyzx Gathering' });
    assert.deepEqual(titles, []);
    assert.match(text, /^Nothing was searched: "Zzyzx Gathering" is not the name of a festival on record\./);
  });
});

it('a question for the address of a venue is answered with it', () => {
  for (const query of [
    'Adresse vom Berghain',
    'what is the address of Berghain?',
    'indirizzo del Berghain',
  ]) {
    const { text } = search({ query });
    assert.match(text, /Berghain\. Address: Am Wriezener Bahnhof/, query);
    assert.doesNotMatch(text, /Not understood/, query);
  }
});

describe('a label', () => {
  it('selects the events of its artists, each once', () => {
    assert.deepEqual(search({ label: 'Kaltraum' }).titles, ['Ghost Night']);
    assert.deepEqual(search({ label: 'Kaltraum', to: 'today', include_past: true }).titles, [
      'Over Two',
      'Over One',
    ]);
    assert.deepEqual(agent.call('artist_info', { artist: 'Sofia Lindqvist' }).structured.labels, [
      { slug: 'kaltraum', name: 'Kaltraum' },
    ]);
  });
});

describe('past events', () => {
  it('begin with the newest, and are counted', () => {
    const { titles, structured, text } = search({
      artist: 'Sofia Lindqvist',
      to: 'yesterday',
      include_past: true,
    });
    assert.deepEqual(titles, ['Over Two', 'Over One']);
    assert.deepEqual((structured.past as { count: number }).count, 2);
    assert.match(text, /^2 events with Sofia Lindqvist to 2026-11-19, newest first:/);
    assert.match(text, /2 past events fit\. The latest: Tue 2026-09-01 \| Over Two/);
  });
  it('go on with an earlier end', () => {
    const seen: string[] = [];
    for (let to = '2026-11-19', calls = 0; calls < 5; calls++) {
      const { titles, hasMore, text } = search({
        artist: 'Sofia Lindqvist',
        to,
        include_past: true,
        limit: 1,
      });
      seen.push(...titles);
      if (!hasMore) break;
      assert.match(text, /call again with limit 2/);
      to = '2026-08-31';
    }
    assert.deepEqual(seen, ['Over Two', 'Over One']);
  });
  it('are named where nothing is coming', () => {
    const { titles, text } = search({ query: 'Over Two' });
    assert.deepEqual(titles, []);
    assert.match(text, /1 past event fits\. The latest: Tue 2026-09-01 \| Over Two/);
  });
  it('are found by name however long ago', () => {
    const { titles, text } = search({ query: 'Longtide' });
    assert.deepEqual(titles, []);
    assert.match(text, /4 past events fit\. The latest: Sun 2023-05-07 \| Longtide Bremen/);
    assert.match(
      search({ query: 'Longtide Overture' }).text,
      /1 past event fits\. The latest: Sat 2018-05-05 \| Longtide Overture/,
    );
  });
});

describe('tools/list', () => {
  const registry = new ToolRegistry(tools, {
    name: 'cratebase',
    version: '0',
    baseUrl: 'https://music.example',
  });
  const context = () => ({
    plan: 'pro' as const,
    baseUrl: 'https://music.example',
    name: 'cratebase',
    now: agentNow,
    catalogue: agent.catalogue,
  });
  /** Connects a client of the SDK of November 2025. */
  async function connect() {
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    const server = registry.createServer(context, (failure) => {
      throw failure;
    });
    await server.connect(mine as never);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(theirs);
    return client;
  }

  it('has fewer than 5,000 tokens with all schemas', async () => {
    const { tools: listed } = await (await connect()).listTools();
    assert.equal(listed.length, 4);
    const text = JSON.stringify(listed);
    assert.ok(encode(text).length < 5_000, `${encode(text).length} tokens`);
    assert.doesNotMatch(text, /\$defs|\$schema|\$ref/);
  });
  it('is understood by an SDK of 2025, which validates what tools return', async () => {
    const client = await connect();
    await client.listTools();
    for (const [name, given] of [
      ['search_events', { query: 'Techno Berlin' }],
      ['search_events', { festival: 'Nordlicht' }],
      ['search_events', { artist: 'nobody of this name' }],
      ['artist_info', { artist: 'Ben Klock' }],
      ['artist_upcoming_events', { artist: 'Sofia Lindqvist' }],
      ['venue_upcoming_events', { venue: 'Berghain' }],
    ] as const) {
      const result = await client.callTool({ name, arguments: given });
      assert.ok(result.structuredContent, JSON.stringify(result).slice(0, 300));
    }
    await client.close();
  });
});
