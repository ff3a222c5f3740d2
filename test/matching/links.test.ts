/** Pages that two listings link to: which name one show, and what is said of those that may not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventFacts } from '../../src/matching/model.ts';
import { compareLinks } from '../../src/matching/page-links.ts';
import { freshFile, partition, permutations, says } from '../support/matching.ts';

const night = (name: string, url: string) => ({
  kind: 'event',
  external_id: name,
  name,
  start_at: '2026-12-11T22:00',
  timezone: 'Europe/Berlin',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  url,
});

test('two listings at one house and hour that link to one page by its number are one show', async (t) => {
  for (const order of permutations(['a', 'b'])) {
    const sqlite = freshFile(t);
    for (const source of order) {
      const name = source === 'a' ? 'Zuckerwerk' : 'Die lange Nacht';
      await says(sqlite, source, [night(name, 'https://club.example/events/77')]);
    }
    assert.deepEqual(partition(sqlite), ['a:Zuckerwerk + b:Die lange Nacht']);
  }
});

const none: ReadonlySet<string> = new Set();
const bothAt = (url: string, busy = none) =>
  compareLinks({ url } as EventFacts, { url } as EventFacts, busy)[0];

test('the number behind a word for a show names one, however short; that of a page, a list or a month does not', () => {
  for (const path of [
    'events/77',
    'event/7',
    'en/shows/12/',
    'gig/5.html',
    'e/9',
    'id/31',
    'de/veranstaltungen/8',
    'concerts/44?utm_source=x',
    '2026/12/the-long-night',
    '2026/12/31/4711',
  ]) {
    assert.equal(bothAt(`https://club.example/${path}`)?.weight, 4, path);
  }
  for (const path of [
    '',
    'events',
    'events/page/2',
    'seite/3',
    'p/4',
    'tag/5',
    'category/6',
    'events/page/123',
    'events/2026',
    'events/2026/12',
    '2026/12/31',
    'news/12',
    '12',
  ]) {
    assert.ok((bothAt(`https://club.example/${path}`)?.weight ?? 0) < 1, path);
  }
});

test('a page that may be a list is reported as possible; a known list as such', () => {
  assert.equal(bothAt('https://club.example/programme')?.code, 'link.shared-general');
  const url = 'https://club.example/events/77';
  const known = bothAt(url, new Set([url]));
  assert.equal(known?.code, 'link.shared-busy');
});

test('two numbers at one seller are rather two shows', () => {
  const [reason] = compareLinks(
    { url: 'https://club.example/events/77' } as EventFacts,
    { url: 'https://club.example/events/78' } as EventFacts,
    none,
  );
  assert.equal(reason?.code, 'link.two-pages');
});
