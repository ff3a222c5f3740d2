/** Crowds of records that are nearly alike: the work for one is bounded, what is left out is counted, nothing is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { formatLeftOut } from '../../src/cli/commands/duplicates.ts';
import { maxEntries } from '../../src/contract/feed.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { PairCache } from '../../src/ingest/resolution/pair-cache.ts';
import { compareEvents } from '../../src/matching/events/compare-events.ts';
import { explainMatch } from '../../src/matching/explain.ts';
import type { EventFacts } from '../../src/matching/model.ts';
import { areSimilarTexts } from '../../src/text/tokens.ts';
import { ask, freshFile, matchingNow, partition, says } from '../support/matching.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** A name of which a letter differs, another one for each number. */
const slip = (name: string, index: number): string => {
  const at = index % name.length;
  return `${name.slice(0, at)}${letters[Math.floor(index / name.length) % 26]}${name.slice(at + 1)}`;
};
const venues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'venue',
    external_id: `v${index}`,
    name: slip('Kulturfabrik Moabit', index),
    city: 'Berlin',
    country: 'DE',
  }));
const shows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'event',
    external_id: `e${String(index).padStart(3, '0')}`,
    name: 'Klubnacht',
    start_at: '2026-12-31T23:00',
    venue: { name: 'Berghain', city: 'Berlin', country: 'DE' },
  }));
const leftOut = (sqlite: Database.Database) => new Corrections(sqlite, matchingNow).omittedCandidates(null);

test('progress is reported while few records take long', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', venues(60));
  const lines: number[] = [];
  // Called when a record is written that matches one of the other source: as if each took long.
  const onMatched = () => {
    for (const since = performance.now(); performance.now() - since < 60; );
  };
  await says(sqlite, 'two', venues(60), { onMatched, onProgress: (progress) => lines.push(progress.lines) });
  assert.ok(
    lines.some((count) => count > 0 && count < 60),
    `reported at ${lines.join(', ')} of 60 records`,
  );
});

test('of a crowd of houses of nearly one name, what is not compared is counted in duplicates', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', venues(120));
  const found = leftOut(sqlite);
  assert.ok(found.length > 0);
  assert.ok(found.every(({ kind, count, source }) => kind === 'venue' && count > 0 && source === 'one'));
  const lines = formatLeftOut(found).join('\n');
  assert.match(lines, new RegExp(`For ${found.length} records, some candidates were not compared`));
  assert.match(lines, new RegExp(`venue/\\S+ .* \\(one\\): ${found[0]?.count} more`));
  const repeat = await says(sqlite, 'one', venues(120));
  assert.equal(repeat.kinds.venue?.unchanged, 120, 'said again, nothing changes');
});

test('among a few venues of nearly one name, none is left out, and no bound is reported', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', venues(8));
  await says(sqlite, 'two', venues(8));
  assert.deepEqual(leftOut(sqlite), []);
  assert.deepEqual(formatLeftOut([]), []);
});

test('a show that a source lists 230 times is one event of 200 listings, and another of the rest', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', shows(230));
  const sizes = partition(sqlite)
    .map((listings) => listings.split(' + ').length)
    .sort((a, b) => a - b);
  assert.deepEqual(sizes, [30, 200]);
  assert.ok(leftOut(sqlite).some(({ kind, count }) => kind === 'event' && count > 0));
});

test('2,000 acts beside 2,000 others are compared, and found to be all, none or half of them', () => {
  const listing = (source: string, first: number): EventFacts => ({
    source,
    externalId: source,
    name: 'Klubnacht',
    startAt: '2026-12-31T23:00',
    venue: { name: 'Berghain', city: 'Berlin', country: 'DE' },
    lineup: Array.from({ length: 2_000 }, (_, index) => ({ name: `Act Number ${first + index}` })),
  });
  const lineupOf = (first: number) =>
    explainMatch(compareEvents(listing('one', 0), listing('two', first))).reasons.find(
      ({ evidence }) => evidence === 'line-up',
    )?.text ?? '';
  assert.match(lineupOf(0), /and 1996 more/);
  assert.match(lineupOf(1_000), /and 996 more/);
  assert.equal(lineupOf(5_000), 'no act plays at both');
});

test('texts of a thousand letters are the same or not: they are not compared letter by letter', () => {
  const long = 'x'.repeat(1_000);
  assert.equal(areSimilarTexts(long, long), true);
  assert.equal(areSimilarTexts(long, `${long}y`), false);
  assert.equal(areSimilarTexts('kalkbrenner', 'kalkbrener'), true);
});

test('an artist of as many links as a record may have is distinguished from others by them', async (t) => {
  const sqlite = freshFile(t);
  const artist = (id: string, name: string) => ({
    kind: 'artist',
    external_id: id,
    name,
    links: Array.from({ length: maxEntries.links }, (_, index) => ({
      type: 'website',
      url: `https://page.example/${name}/${index}`,
    })),
  });
  await says(sqlite, 'one', [artist('1', 'Vera'), artist('2', 'Klara')]);
  await says(sqlite, 'two', [artist('a', 'Vera'), artist('b', 'Klara')]);
  const found = ask(sqlite, 'listArtists') as { slug: string }[];
  assert.deepEqual(found.map(({ slug }) => slug).sort(), ['klara', 'vera']);
});

test('pairs are remembered by their two, whichever comes first; of too many the older are forgotten', () => {
  const memory = new PairCache<object, { pair: number }>(4);
  const things = Array.from({ length: 8 }, () => ({}));
  const [a, b] = things as [object, object];
  memory.set(a, b, { pair: 0 });
  assert.deepEqual(memory.get(b, a), { pair: 0 });
  for (const [index, other] of things.slice(2).entries()) {
    memory.set(a, other, { pair: index + 1 });
    if (index < 2) assert.deepEqual(memory.get(a, b), { pair: 0 }, 'what is asked for stays');
  }
  assert.equal(memory.get(a, b), undefined);
  assert.deepEqual(memory.get(a, things[7] as object), { pair: 6 });
});
