/** A record is found by the ids at services that its present source records state or imply, and by no others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Database from 'better-sqlite3';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { ask, assertSettled, assertSound, freshFile, matchingNow, says } from '../support/matching.ts';

const actor = 'terminal:ada' as const;
type More = { external_ids?: Record<string, string>; links?: { type: string; url: string }[] };
const artist = (id: string, name: string, more: More = {}) => ({
  kind: 'artist',
  external_id: id,
  name,
  country: 'DE',
  ...more,
});
const discogs = (id: string): More => ({ external_ids: { discogs: id } });
const page = (id: string): More => ({
  links: [{ type: 'discogs', url: `https://www.discogs.com/artist/${id}` }],
});

/** The slugs of the artists that a list by an id at Discogs contains. */
const found = (sqlite: Database.Database, id: string): string[] =>
  ask(sqlite, 'listArtists', { filters: { external_id: [{ service: 'discogs', id }] } }).map(
    ({ slug }: { slug: string }) => slug,
  );

const other = (sqlite: Database.Database) => new Corrections(sqlite, matchingNow, undefined, actor);

for (const [how, state] of [
  ['states', discogs],
  ['links to', page],
] as const)
  describe(`an id that a source ${how}`, () => {
    test('is replaced when the source changes it', async (t) => {
      const sqlite = freshFile(t);
      await says(sqlite, 'one', [artist('z', 'Yolanda Zwirn', state('1'))]);
      assert.deepEqual(found(sqlite, '1'), ['yolanda-zwirn']);
      await says(sqlite, 'one', [artist('z', 'Yolanda Zwirn', state('2'))]);
      assert.deepEqual([found(sqlite, '1'), found(sqlite, '2')], [[], ['yolanda-zwirn']]);
      await says(sqlite, 'one', [artist('z', 'Yolanda Zwirn')]);
      assert.deepEqual(found(sqlite, '2'), []);
      assertSound(sqlite);
    });

    test('stays while another source states it', async (t) => {
      const sqlite = freshFile(t);
      await says(sqlite, 'one', [artist('z', 'Yolanda Zwirn', state('1'))]);
      await says(sqlite, 'two', [artist('y', 'Yolanda Zwirn', discogs('1'))]);
      await says(sqlite, 'one', [artist('z', 'Yolanda Zwirn')]);
      assert.deepEqual(found(sqlite, '1'), ['yolanda-zwirn']);
      await says(sqlite, 'two', [artist('y', 'Yolanda Zwirn')]);
      assert.deepEqual(found(sqlite, '1'), []);
      assertSound(sqlite);
    });

    for (const part of ['undo', 'split'] as const)
      test(`leaves with its record (${part})`, async (t) => {
        const sqlite = freshFile(t);
        await says(sqlite, 'one', [artist('k', 'Klara Otto'), artist('z', 'Yolanda Zwirn', state('1'))]);
        const { audit_id } = await other(sqlite).merge('artist/klara-otto', 'artist/yolanda-zwirn');
        assert.deepEqual(found(sqlite, '1'), ['klara-otto']);
        if (part === 'undo') await other(sqlite).undo(audit_id as number);
        else await other(sqlite).split('artist/klara-otto', ['one:z']);
        assert.deepEqual(found(sqlite, '1'), ['yolanda-zwirn']);
        assertSettled(sqlite);
        assertSound(sqlite);
      });

    test('leaves with a source record that matches another record since', async (t) => {
      const sqlite = freshFile(t);
      await says(sqlite, 'one', [artist('z', 'Yolanda Zwirn', state('1'))]);
      await says(sqlite, 'two', [artist('y', 'Yolanda Zwirn', state('1'))]);
      assert.equal(ask(sqlite, 'listArtists', {}).length, 1);
      await says(sqlite, 'two', [artist('y', 'Xaver Quast', discogs('2'))]);
      assert.deepEqual([found(sqlite, '1'), found(sqlite, '2')], [['yolanda-zwirn'], ['xaver-quast']]);
      assertSound(sqlite);
    });
  });

test('an id goes with the record that a person added, and stays while a source states it', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('z', 'Yolanda Zwirn', discogs('1'))]);
  const edits = new Edits(sqlite, { now: matchingNow, actor });
  const { records } = await edits.addRecords([
    artist('own', 'Yolanda Zwirn', { ...discogs('1'), ...page('3') }),
  ]);
  assert.deepEqual([found(sqlite, '1'), found(sqlite, '3')], [['yolanda-zwirn'], ['yolanda-zwirn']]);
  await edits.undo(records[0]?.audit_id as number);
  assert.deepEqual([found(sqlite, '1'), found(sqlite, '3')], [['yolanda-zwirn'], []]);
});

test('the id that an editor sets is found instead of that of the source, also after the source changes', async (t) => {
  const sqlite = freshFile(t);
  const [record, name] = ['artist/yolanda-zwirn', 'Yolanda Zwirn'];
  await says(sqlite, 'one', [artist('z', name, { ...discogs('1'), ...page('9') })]);
  const edits = new Edits(sqlite, { now: matchingNow, actor });
  const set = async (change: string) => (await edits.set(record, [parseChange(change)])).audit_id as number;
  const all = () => ['1', '2', '3', '9'].filter((id) => found(sqlite, id).length > 0);
  const edited = await set('external_id+=discogs:2');
  assert.deepEqual(all(), ['2', '9'], 'a record has one id at each service');
  await set('link-=https://www.discogs.com/artist/9');
  assert.deepEqual(all(), ['2']);
  await says(sqlite, 'one', [artist('z', name, { ...discogs('3'), ...page('9') })]);
  assert.deepEqual(all(), ['2']);
  await edits.undo(edited);
  assert.deepEqual(all(), ['3']);
  await edits.reset(record, []);
  assert.deepEqual(all(), ['3', '9']);
  assertSound(sqlite);
});

test('an id that an editor sets goes with the record', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('k', 'Klara Otto'), artist('z', 'Yolanda Zwirn')]);
  const edits = new Edits(sqlite, { now: matchingNow, actor });
  await edits.set('artist/yolanda-zwirn', [parseChange('external_id+=discogs:1')]);
  const { audit_id } = await other(sqlite).merge('artist/klara-otto', 'artist/yolanda-zwirn');
  assert.deepEqual(found(sqlite, '1'), ['klara-otto']);
  await other(sqlite).undo(audit_id as number);
  assert.deepEqual(found(sqlite, '1'), ['yolanda-zwirn']);
  assertSettled(sqlite);
});
