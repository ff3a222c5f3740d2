/** The same statements in any order of sources and lines come to the same events, on listings as sellers write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LabelledListing, readScenes } from '../bench/matching-listings.ts';
import { differing, inRandomOrder, type Outcome } from '../bench/matching-orders.ts';
import { programmeScene } from '../bench/matching-programme.ts';

/** Three random orders come to the same events; said again, nothing changes. */
async function assertOrderIsNothing(listings: readonly LabelledListing[]): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const seed of [3, 5, 7]) {
    const { outcome, changesOfRepeat, isWhole } = await inRandomOrder(listings, seed);
    assert.equal(changesOfRepeat, 0);
    assert.ok(isWhole);
    outcomes.push(outcome);
  }
  assert.deepEqual(differing(outcomes), []);
}

test('three random orders of sources and lines give the same events', async () => {
  const listings = readScenes('dev')
    .slice(0, 60)
    .flatMap((scene) => scene.listings);
  await assertOrderIsNothing(listings);
});

test('three random orders of a real programme and its derived sellers give the same events', async (t) => {
  const scene = programmeScene([2012]);
  if (scene === null) return t.skip('../shared/data/berghain is not here');
  await assertOrderIsNothing(scene.listings.filter(({ show }) => show % 8 < 2));
});
