/** The time zone of editions that state no place: that of their festival's city, in every order of lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { freshFile, says } from '../support/matching.ts';

const festival = (city: string) => ({
  kind: 'festival',
  external_id: 'f',
  name: 'Nordlicht',
  city,
  country: 'DE',
});
const edition = (members: object = {}) => ({
  kind: 'edition',
  external_id: 'e',
  festival: { external_id: 'f', name: 'Nordlicht' },
  edition: '2027',
  start_at: '2027-07-09T14:00',
  lineup: [{ name: 'Rho Delta', set_start_at: '2027-07-10T22:00' }],
  ...members,
});

const timesOf = (sqlite: Database.Database): unknown =>
  sqlite
    .prepare(
      'SELECT d.start_at, d.timezone, l.set_start_at FROM editions d JOIN lineups l ON l.record_id = d.id',
    )
    .raw()
    .get();
const inBremen = ['2027-07-09T14:00:00+02:00', 'Europe/Berlin', '2027-07-10T22:00:00+02:00'];
const unknown = ['2027-07-09T14:00:00Z', null, '2027-07-10T22:00:00Z'];

async function assertTimes(sqlite: Database.Database, lines: readonly object[], expected: unknown) {
  const { rejected } = await says(sqlite, 'one', lines);
  assert.deepEqual(rejected, []);
  assert.deepEqual(timesOf(sqlite), expected);
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
}

test('an edition without a place has the zone of its festival, in both orders', async (t) => {
  await assertTimes(freshFile(t), [festival('Bremen'), edition()], inBremen);
  await assertTimes(freshFile(t), [edition(), festival('Bremen')], inBremen);
});

test('the zone follows the festival to another city', async (t) => {
  const sqlite = freshFile(t);
  await assertTimes(sqlite, [edition()], unknown);
  await assertTimes(sqlite, [festival('Bremen')], inBremen);
  const lisbon = { ...festival('Lisbon'), country: 'PT' };
  await assertTimes(
    sqlite,
    [lisbon],
    ['2027-07-09T14:00:00+01:00', 'Europe/Lisbon', '2027-07-10T22:00:00+01:00'],
  );
});

test('an edition in another country or at a place without a zone does not have it', async (t) => {
  for (const elsewhere of [{ country: 'US' }, { venue: { name: 'Geheimer Hangar' } }, { city: 'Qwertzui' }])
    await assertTimes(freshFile(t), [festival('Bremen'), edition(elsewhere)], unknown);
});
