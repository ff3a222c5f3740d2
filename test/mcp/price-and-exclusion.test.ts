/** Questions with a price or an age, with names that they rule out, and with names of cities in other languages. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, openAgent } from '../support/agent.ts';

const night = (name: string, price_min: number | null, more: object = {}) => ({
  kind: 'event',
  external_id: name,
  name,
  start_at: '2031-03-05T23:00',
  venue: { name: 'Tresor', city: 'Berlin', country: 'DE' },
  genres: ['Techno'],
  tickets:
    price_min === null
      ? []
      : [{ seller: 'T', url: `https://t.example/${encodeURIComponent(name)}`, price_min, currency: 'EUR' }],
  ...more,
});

let agent: Agent;
before(async () => {
  agent = await openAgent([
    night('Cheap Night', 12),
    night('Dear Night', 45),
    night('Night Without Price', null),
    night('Open Night', 0, { genres: ['House'] }),
    night('Free Party Collective', null, { start_at: '2031-04-05T23:00' }),
    night('Over 18 Club', 10, { start_at: '2031-05-05T23:00' }),
    ...[
      ['Adults', 18] as const,
      ['Sixteen', 16] as const,
      ['Everybody', 0] as const,
      ['Unstated'] as const,
    ].map(([name, minimum_age]) =>
      night(name, null, { minimum_age, venue: { name: 'Uebel', city: 'Hamburg', country: 'DE' } }),
    ),
    night('London Night', 15, { venue: { name: 'fabric', city: 'London', country: 'GB' } }),
  ]);
});
after(() => agent?.close());

const ask = (query: string, more: object = {}) =>
  agent.call('search_events', { query, from: '2031-03-01', to: '2031-03-31', ...more });

test('a price keeps the events within it, and says what it leaves out', () => {
  for (const query of ['techno in Berlin under 20 euros', 'Techno in Berlin unter 20 Euro']) {
    const { titles, text } = ask(query);
    assert.deepEqual(titles, ['Cheap Night'], query);
    assert.match(text, /^1 upcoming event of the genre Techno in Berlin from .* with tickets up to 20 EUR:/);
    assert.match(text, /1 event without a known price, 1 event at another price/);
    assert.doesNotMatch(text, /Not understood/);
  }
  assert.deepEqual(ask('techno en Berlín por menos de 20 euros').titles, ['Cheap Night']);
  assert.deepEqual(ask('free parties in Berlin').titles, ['Open Night']);
});

test('a price that no event has counts the events at other prices', () => {
  const { titles, text } = ask('techno in Berlin under 5 euros');
  assert.deepEqual(titles, []);
  assert.match(text, /^No upcoming events of the genre Techno in Berlin .* with tickets up to 5 EUR\./);
  assert.match(text, /1 event without a known price, 2 events at another price/);
});

test('an age keeps the events that state a minimum age within it, and says what it leaves out', () => {
  for (const [query, titles, text] of [
    ['techno in Hamburg 18+', ['Adults'], 'with minimum age 18'],
    ['Partys in Hamburg ab 16', ['Sixteen'], 'with minimum age 16'],
    ['Techno in Hamburg ab 18 Jahren', ['Adults'], 'with minimum age 18'],
    ['parties for under 18 in Hamburg', ['Everybody', 'Sixteen'], 'open at age 17'],
    ['Techno in Hamburg für 17-Jährige', ['Everybody', 'Sixteen'], 'open at age 17'],
    ['techno in Hamburg, I am 19 years old', ['Adults', 'Everybody', 'Sixteen'], 'open at age 19'],
    ['all ages techno in Hamburg', ['Everybody'], 'for all ages'],
  ] as const) {
    const answer = ask(query);
    assert.deepEqual([...answer.titles].sort(), titles, query);
    assert.ok(answer.text.includes(text), answer.text);
    assert.match(answer.text, /Left out by the age ".+": 1 event without a known minimum age/);
    assert.doesNotMatch(answer.text, /Not understood/);
  }
  // Times, prices and names stay what they are.
  for (const query of ['techno in Hamburg ab 18 Uhr', 'techno in Hamburg under 18 euros'])
    assert.doesNotMatch(ask(query).text, /minimum age|open at age/, query);
  assert.deepEqual(agent.call('search_events', { query: 'Over 18 Club' }).titles, ['Over 18 Club']);
});

test('a price and an age hold together', () => {
  const { titles, text } = ask('techno in Hamburg under 20 euros 18+');
  assert.deepEqual(titles, []);
  assert.match(text, /^No upcoming events .* with tickets up to 20 EUR with minimum age 18\./);
});

test('words for a price in the name of an event are its name', () => {
  const { titles } = agent.call('search_events', { query: 'Free Party Collective' });
  assert.deepEqual(titles, ['Free Party Collective']);
});

test('a name that the question rules out does not become a filter', () => {
  for (const [query, left] of [
    ['events without techno in Berlin', 'without techno'],
    ['kein Techno in Berlin', 'kein Techno'],
    ['no techno in Berlin', 'no techno'],
    ['I do not want techno in Berlin', 'not want techno'],
    ['sin techno en Berlín', 'sin techno'],
  ] as const) {
    const { titles, text, names } = ask(query);
    assert.ok(titles.includes('Open Night'), query);
    assert.deepEqual(
      names.map(({ kind }) => kind),
      ['city'],
      query,
    );
    assert.ok(text.includes(`Not understood, and left out: "${left}".`), text);
  }
  for (const query of ['techno outside Germany', 'Techno nicht in Berlin', 'techno outside of Berlin'])
    assert.ok(ask(query, { limit: 50 }).titles.includes('London Night'), query);
});

test('a city is found by its name in other languages', () => {
  for (const query of [
    'qué hay en Londres',
    'soirées à Londres',
    'eventi a Londra',
    'London Night in London',
  ])
    assert.ok(ask(query).titles.includes('London Night'), query);
  for (const [query, slug] of [
    ['eventos en Nueva York', 'new-york'],
    ['Partys in Mailand', 'milan'],
    ['techno a Parigi', 'paris'],
    ['fiestas en Colonia', 'cologne'],
    ['Partys in Lissabon', 'lisbon'],
  ] as const)
    assert.equal(ask(query).names.find(({ kind }) => kind === 'city')?.match?.slug, slug, query);
});

test('a price behind the letters that are read counts no more than other words there', () => {
  const { text } = ask(`techno in Berlin${' '.repeat(500)}under 20 euros`);
  assert.match(text, /^3 upcoming events of the genre Techno in Berlin/);
});
