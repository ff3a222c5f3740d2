/** Exports of a catalogue, read as a source by a catalogue that has the same events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { exportLines } from '../../src/store/export/export.ts';
import { ask, assertSound, freshFile, says } from '../support/matching.ts';

const hall = { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' };
const night = (id: string, name: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-04T23:00',
  venue: hall,
  lineup: [{ name: `Act of ${name}` }],
  ...more,
});
const exported = (sqlite: Database.Database): object[] =>
  [...exportLines(sqlite, { since: 0 })].flat().map((line) => JSON.parse(line) as object);
const eventsOf = (sqlite: Database.Database) =>
  ask(sqlite, 'listEvents').map(({ slug }: { slug: string }) => slug) as string[];

test('an event of an export is the one of its slug, if name, day and venue agree', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'club', [
    night('1', 'Tiefdruck'),
    night('2', 'Hochdruck', { venue: null, city: 'Hamburg' }),
  ]);
  const lines = exported(sqlite);
  await says(sqlite, 'copy', lines);
  await says(sqlite, 'copy', lines);
  assert.deepEqual(eventsOf(sqlite).sort(), ['hochdruck-2027-12-04', 'tiefdruck-2027-12-04']);
  assert.equal(ask(sqlite, 'getEvent', { slug: 'tiefdruck-2027-12-04' }).sources.length, 2);
  assertSound(sqlite);
});

test('another event that has the slug stays another one', async (t) => {
  for (const more of [
    { name: 'Tiefdrück' },
    { name: 'Tief Druck' },
    { venue: { ...hall, name: 'Nord' } },
    { start_at: '2027-12-05T23:00' },
  ]) {
    const sqlite = freshFile(t);
    await says(sqlite, 'club', [night('1', 'Tiefdruck')]);
    await says(sqlite, 'copy', [
      night('x', 'Tiefdruck', { slug: 'tiefdruck-2027-12-04', lineup: [], ...more }),
    ]);
    // Case and accents do not matter.
    assert.equal(eventsOf(sqlite).length, more.name === 'Tiefdrück' ? 1 : 2, JSON.stringify(more));
    assertSound(sqlite);
  }
});

test('two events of one export do not become one, and a copy has the same slugs', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'club', [
    night('1', 'Tiefdruck', { start_at: '2027-12-04T18:00', lineup: [{ name: 'Vera' }] }),
    night('2', 'Tiefdruck', { start_at: '2027-12-04T23:59', lineup: [{ name: 'Orrin' }] }),
  ]);
  assert.equal(eventsOf(sqlite).length, 2);
  const copy = freshFile(t);
  await says(copy, 'copy', exported(sqlite));
  assert.deepEqual(eventsOf(copy), eventsOf(sqlite));
  await says(sqlite, 'copy', exported(sqlite));
  assert.equal(eventsOf(sqlite).length, 2);
  assertSound(copy);
  assertSound(sqlite);
});
