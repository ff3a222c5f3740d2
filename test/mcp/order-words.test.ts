/** "Last" and "next" in questions: they choose events by time, unless they are words of a name or a time. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Agent, openAgent } from '../support/agent.ts';

let agent: Agent;
const event = (name: string, start_at: string) => ({
  kind: 'event',
  external_id: name,
  name,
  start_at,
  venue: { name: 'Elsewhere', city: 'Bremen', country: 'DE' },
});
before(async () => {
  agent = await openAgent([event('Last Exit', '2027-03-21T22:00'), event('Next Level', '2026-03-21T22:00')]);
});
after(() => agent.close());

const search = (query: object) => agent.call('search_events', query);

describe('words of order', () => {
  const last = [
    'last klubnacht at berghain',
    'When was the last Klubnacht at Berghain?',
    'the latest klubnacht, berghain',
    'most recent Klubnacht at Berghain',
    'letzte Klubnacht im Berghain',
    'última klubnacht en Berghain',
    'dernière Klubnacht au Berghain',
    'ultima klubnacht al Berghain',
    'laatste Klubnacht in Berghain',
  ];
  for (const query of last) {
    it(`${query}: past events, the newest first`, () => {
      const { titles, events, text } = search({ query, include_past: true });
      assert.deepEqual([...new Set(titles)], ['Klubnacht']);
      const dates = events.map(({ date }) => date);
      assert.ok(dates.every((date) => date < '2026-11-20'));
      assert.deepEqual(dates, dates.toSorted().reverse());
      assert.match(text, /^\d+ past events? /);
      const all = search({ query: 'klubnacht at berghain', include_past: true }).events;
      const past = all.map(({ date }) => date).filter((date) => date < '2026-11-20');
      assert.deepEqual(new Set(dates), new Set(past));
    });
    it(`${query}: without past events, the latest is named beside those to come`, () => {
      const { events, structured, text } = search({ query });
      assert.deepEqual(events, search({ query: 'klubnacht at berghain' }).events);
      assert.equal((structured.past as { latest: { date: string } }).latest.date, '2026-10-03');
      assert.match(text, /^\d+ upcoming events? [\s\S]*The latest: Sat 2026-10-03/);
    });
  }
  const next = [
    'next klubnacht at berghain',
    'nächste Klubnacht im Berghain',
    'prochaine Klubnacht au Berghain',
    'próxima klubnacht en Berghain',
    'volgende Klubnacht in Berghain',
  ];
  for (const query of next) {
    it(`${query}: the next one, also if past events are included`, () => {
      const { titles, events } = search({ query, include_past: true });
      assert.equal(titles[0], 'Klubnacht');
      assert.ok(events.every(({ date }) => date >= '2026-11-19'));
      assert.deepEqual(events, search({ query: 'klubnacht at berghain' }).events);
    });
  }
  it('choose events of an artist', () => {
    for (const query of ['When did Ben Klock last play?', 'letzter Auftritt von Ben Klock']) {
      const { events, text } = search({ query, include_past: true });
      assert.ok(events.length > 0, query);
      assert.ok(
        events.every(
          ({ date, lineup }) => date < '2026-11-20' && lineup.some(({ slug }) => slug === 'ben-klock'),
        ),
      );
      assert.match(text, /^\d+ past events? with Ben Klock/);
    }
  });

  it('are words of names and times first, and nothing beside unknown words', () => {
    assert.deepEqual(search({ query: 'Last Exit' }).titles, ['Last Exit']);
    assert.deepEqual(search({ query: 'Last Exit', include_past: true }).titles, ['Last Exit']);
    assert.deepEqual(search({ query: 'Next Level', include_past: true }).titles, ['Next Level']);
    for (const query of [
      'last minute klubnacht',
      'Klubnacht last year',
      'Klubnacht letztes Jahr',
      'Berlin last',
      'last',
    ])
      assert.doesNotMatch(search({ query, include_past: true }).text, /past events? .*, newest first/, query);
    const weekend = search({ query: 'klubnacht last weekend', include_past: true });
    assert.match(weekend.text, /2026-11-1[3-5]/);
  });
});
