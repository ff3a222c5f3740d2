/** Line-ups of tables: names as people write them, which name artists that the catalogue has. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/store/database.ts';
import { folder, run } from '../support/cli-run.ts';
import { ask, assertSound, says } from '../support/matching.ts';

const cwd = folder();

test('a remark behind a name renames nobody, and two known artists are two', async (t) => {
  const sqlite = openDatabase(join(cwd, 'a.db'), { create: true });
  t.after(() => sqlite.close());
  await says(sqlite, 'one', [
    { kind: 'artist', external_id: 'h', name: 'Helena Hauff', country: 'DE' },
    { kind: 'artist', external_id: 's', name: 'Surgeon', country: 'GB' },
    { kind: 'artist', external_id: 'm', name: 'Jeff Mills', country: 'US' },
    { kind: 'artist', external_id: 'a', name: 'Above & Beyond', country: 'GB' },
  ]);
  writeFileSync(
    join(cwd, 'nights.csv'),
    [
      'name,date,start,venue,city,country,artists',
      'Eins,2027-05-03,23:00,Kornspeicher,Hamburg,DE,Helena Hauff (live)',
      'Zwei,2027-05-04,23:00,Kornspeicher,Hamburg,DE,Surgeon & Jeff Mills; Above & Beyond; Neu & Neuer',
    ].join('\n'),
  );
  const { status, stderr } = await run(
    ['import', 'nights.csv', '--type', 'csv', '--source', 'table', '--data', 'a.db'],
    { cwd },
  );
  assert.equal(status, 0, stderr);
  assert.equal(ask(sqlite, 'getArtist', { slug: 'helena-hauff' }).name, 'Helena Hauff');
  const actsOf = (slug: string): string[] =>
    ask(sqlite, 'listEventLineup', { slug }).map((one: { slug: string }) => one.slug);
  assert.deepEqual(actsOf('eins-2027-05-03'), ['helena-hauff']);
  assert.deepEqual(actsOf('zwei-2027-05-04'), ['surgeon', 'jeff-mills', 'above-and-beyond', 'neu-and-neuer']);
  assertSound(sqlite);
});
