/** Events in the page data of Next.js: only objects that are events, and only where the page states none itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNextData } from '../../src/sources/jsonld/next-data.ts';
import { eventsIn, fileWith, read } from '../support/source-server.ts';

const page = (data: unknown, head = ''): string =>
  `<!doctype html><html><head>${head}</head><body><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script></body></html>`;
const night = {
  id: 'n1',
  title: 'Klubnacht',
  startsAt: '2030-05-03T21:00:00.000Z',
  endsAt: '2030-05-04T04:00:00.000Z',
  url: 'https://club.example/n1',
  image: { url: 'https://club.example/n1.jpg' },
  venue: { name: 'Haus am See', address: { street: 'Seestraße 1', city: { name: 'Berlin' }, country: 'DE' } },
  artists: [{ name: 'Ann Example' }, 'Bob'],
};

test('an event with its place, artists and end', async (t) => {
  const data = {
    props: { pageProps: { list: [night, { ...night, title: 'Mai', startsAt: 1_904_076_000 }] } },
  };
  const reading = await read('jsonld', fileWith(t, 'a.html', page(data)));
  assert.deepEqual(reading.rejected, []);
  const [first, second] = eventsIn(reading);
  assert.deepEqual(
    [first?.name, first?.start_at, first?.end_at, first?.url, first?.image_url, first?.city, first?.country],
    [
      'Klubnacht',
      '2030-05-03T21:00:00Z',
      '2030-05-04T04:00:00Z',
      'https://club.example/n1',
      'https://club.example/n1.jpg',
      'Berlin',
      'DE',
    ],
  );
  assert.deepEqual(
    first?.lineup?.map(({ name }) => name),
    ['Ann Example', 'Bob'],
  );
  assert.equal(second?.start_at, '2030-05-03T22:00:00Z');
});

test('articles, products and parts of events are no events', () => {
  const noEvents = [
    { title: 'Article', date: '2030-05-03', author: { name: 'Ann' } },
    { title: 'Article', startDate: 'soon', venue: 'Salon' },
    { title: 'Sale', startDate: '2030-05-03' },
    { startDate: '2030-05-03', venue: 'Salon' },
    { title: 'Nowhere', startDate: '2030-05-03', venue: { id: 4 } },
  ];
  assert.deepEqual(parseNextData(JSON.stringify({ noEvents })), []);
  const festival = { ...night, days: [{ ...night, title: 'Day one' }] };
  assert.deepEqual(
    parseNextData(JSON.stringify(festival))?.map(({ name }) => name),
    ['Klubnacht'],
  );
  assert.deepEqual([parseNextData('{'), parseNextData('null'), parseNextData('[]')], [null, [], []]);
});

test('a page that states its events is read as it states them', async (t) => {
  const stated = { '@type': 'MusicEvent', name: 'Stated', startDate: '2030-05-03', location: 'Salon' };
  const head = `<script type="application/ld+json">${JSON.stringify(stated)}</script>`;
  const reading = await read('jsonld', fileWith(t, 'b.html', page(night, head)));
  assert.deepEqual(
    eventsIn(reading).map(({ name }) => name),
    ['Stated'],
  );
});

test('page data that cannot be read withdraws nothing, unless the page states its events', async (t) => {
  const cut = page(night).replace(']}<', '}<');
  const reading = await read('jsonld', fileWith(t, 'cut.html', cut));
  assert.deepEqual(reading.end, {
    ended: 'partial',
    reason: 'a script that may describe events cannot be read',
  });
  const stated = { '@type': 'MusicEvent', name: 'Stated', startDate: '2030-05-03', location: 'Salon' };
  const head = `<script type="application/ld+json">${JSON.stringify(stated)}</script>`;
  const both = await read('jsonld', fileWith(t, 'both.html', cut.replace('<head>', `<head>${head}`)));
  assert.deepEqual([eventsIn(both).length, both.end], [1, { ended: 'whole' }]);
});

test('a page with more events than are read withdraws nothing', async (t) => {
  const data = Array.from({ length: 2_001 }, (_, index) => ({
    ...night,
    title: `Night ${index}`,
    url: `https://club.example/n${index}`,
  }));
  const long = await read('jsonld', fileWith(t, 'long.html', page(data)));
  assert.equal(eventsIn(long).length, 2_000);
  const reason = 'one of its pages describes more events than are read of a page';
  assert.deepEqual(long.end, { ended: 'partial', reason });
  const items = '<div itemscope itemtype="https://schema.org/Thing"></div>'.repeat(20_001);
  assert.deepEqual((await read('jsonld', fileWith(t, 'items.html', items))).end, {
    ended: 'partial',
    reason,
  });
  const nodes = JSON.stringify(Array.from({ length: 50_001 }, () => ({ '@type': 'Thing' })));
  assert.deepEqual((await read('jsonld', fileWith(t, 'nodes.json', nodes))).end, {
    ended: 'partial',
    reason,
  });
  const full = await read('jsonld', fileWith(t, 'full.html', page(data.slice(0, 10))));
  assert.deepEqual([eventsIn(full).length, full.end], [10, { ended: 'whole' }]);
});

test('hostile data ends soon', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  assert.equal(parseNextData(deep), null);
  const wide = JSON.stringify(Array.from({ length: 10_000 }, () => night));
  assert.equal(parseNextData(wide)?.length, 2_000);
});
