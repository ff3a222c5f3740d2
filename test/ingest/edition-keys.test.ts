/** Editions whose festival or key changes in a source: no order of lines ends an import. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { freshFile, says } from '../support/matching.ts';

const festival = (id: string, city: string) => ({
  kind: 'festival',
  external_id: id,
  name: 'Dimensions',
  city,
  country: 'DE',
});
const edition = (id: string, of: string, key = '2027') => ({
  kind: 'edition',
  external_id: id,
  festival: { external_id: of, name: 'Dimensions' },
  edition: key,
});

/** Every edition as city, key and its source records. */
const editionsOf = (sqlite: Database.Database): string[] =>
  sqlite
    .prepare(
      `SELECT f.city || ' ' || d.edition || ': ' || (SELECT group_concat(external_id, ' ') FROM
        (SELECT external_id FROM source_records WHERE record_id = d.id ORDER BY external_id))
       FROM editions d JOIN festivals f ON f.id = d.festival_id ORDER BY 1`,
    )
    .pluck()
    .all() as string[];

async function assertImported(
  sqlite: Database.Database,
  source: string,
  lines: readonly object[],
  expected: readonly string[],
): Promise<void> {
  const { rejected } = await says(sqlite, source, lines);
  assert.deepEqual(rejected, []);
  assert.deepEqual(editionsOf(sqlite), expected);
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
}

const both = [festival('f', 'Berlin'), festival('g', 'Hamburg')];

test('two festivals of one name in two cities exchange their editions', async (t) => {
  const sqlite = freshFile(t);
  await assertImported(sqlite, 'one', [both[0] as object, edition('e', 'f')], ['Berlin 2027: e']);
  const swapped = ['Berlin 2027: h', 'Hamburg 2027: e'];
  await assertImported(sqlite, 'one', [...both, edition('e', 'g'), edition('h', 'f')], swapped);
  const back = ['Berlin 2027: e', 'Hamburg 2027: h'];
  await assertImported(sqlite, 'one', [...both, edition('e', 'f'), edition('h', 'g')], back);
});

test('the editions of a festival exchange or shift their keys', async (t) => {
  const sqlite = freshFile(t);
  const berlin = festival('f', 'Berlin');
  const years = (...keys: string[]) => [berlin, ...keys.map((key, at) => edition(`e${at}`, 'f', key))];
  const before = ['Berlin 2027: e0', 'Berlin 2028: e1'];
  await assertImported(sqlite, 'one', years('2027', '2028'), before);
  await assertImported(sqlite, 'one', years('2028', '2027'), ['Berlin 2027: e1', 'Berlin 2028: e0']);
  await assertImported(sqlite, 'one', years('2027', '2028'), before);
  await assertImported(sqlite, 'one', years('2028', '2029'), ['Berlin 2028: e0', 'Berlin 2029: e1']);
});

test('a source moves an edition to the festival where another source lists it', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [...both, edition('e', 'f')]);
  await says(sqlite, 'two', [festival('y', 'Hamburg'), festival('x', 'Berlin'), edition('h', 'y')]);
  await says(sqlite, 'one', [...both, edition('e', 'g')]);
  const { rejected } = await says(sqlite, 'two', [edition('h', 'x'), edition('i', 'y')]);
  assert.deepEqual(rejected, []);
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
});
