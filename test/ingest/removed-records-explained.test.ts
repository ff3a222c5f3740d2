/** History, explanations and edits of records that were removed say so, and how they come back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

const actor = 'terminal:ada' as const;
const feed = [
  { kind: 'artist', external_id: 'a', name: 'Vera Lindt', country: 'DE' },
  { kind: 'label', external_id: 'l', name: 'Garn', artists: [{ name: 'Vera Lindt' }] },
];

for (const [verb, state, back] of [
  ['hide', 'hidden', 'unhide'],
  ['delete', 'deleted', 'undelete'],
] as const)
  test(`history, explain and edit after ${verb}`, async (t) => {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', feed);
    const edits = new Edits(sqlite, { now: matchingNow, actor });
    const country = [{ field: 'country', operation: 'set', value: 'FR' }] as const;
    await edits.set('artist/vera-lindt', country);
    assert.equal(edits.removalOf('artist/vera-lindt'), null);
    assert.equal(new Corrections(sqlite, matchingNow).explain('artist/vera-lindt').removed, null);
    const removals = new Removals(sqlite, { now: matchingNow, actor });
    await removals[verb]('artist/vera-lindt', { reason: 'no artist' });

    const advice = `artist/vera-lindt is ${state} (no artist). Bring it back with \`cratebase ${back} artist/vera-lindt\`.`;
    const explained = new Corrections(sqlite, matchingNow).explain('artist/vera-lindt');
    assert.equal(explained.removed, advice);
    assert.deepEqual(
      explained.statements.map(({ source, external_id }) => [source, external_id]),
      [['one', 'a']],
    );
    assert.deepEqual(
      explained.edits.map(({ field, source_value }) => [field, source_value]),
      [['country', 'DE']],
    );
    const later = new Edits(sqlite, { now: matchingNow, actor });
    assert.equal(later.removalOf('artist/vera-lindt'), advice);
    const actions = later.history('artist/vera-lindt').map(({ action }) => action);
    assert.ok(actions.includes(`record.${verb}`) && actions.includes('record.edit'), actions.join(' '));
    await assert.rejects(later.set('artist/vera-lindt', country), (failure: Error) =>
      failure.message.endsWith(advice),
    );
  });

test('records are found by the addresses of their pages, and by no properties of objects', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const corrections = new Corrections(sqlite, matchingNow);
  for (const text of ['constructor/vera-lindt', '__proto__/x', 'https://example.org/toString/vera-lindt'])
    assert.throws(() => corrections.explain(text), /There is no record/, text);
  const { id, slug } = corrections.explain('artist/vera-lindt');
  for (const name of [id, `artist~${slug}`])
    assert.equal(corrections.explain(`https://example.org/admin/records/${name}/history`).id, id);
});
