/** The same statements in any order of sources and lines come to the same events, on listings as sellers write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LabelledListing, readScenes } from '../../bench/matching-listings.ts';
import { differing, inRandomOrder, type Outcome } from '../../bench/matching-orders.ts';
import { programmeScene } from '../../bench/matching-programme.ts';
import { ask, freshFile, partition, permutations, says } from '../support/matching.ts';

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

test('a venue that the most trusted seller names without a city is found in every order of import', async (t) => {
  const show = { kind: 'event', external_id: '1', start_at: '2026-12-04T23:00', timezone: 'Europe/Berlin' };
  const sellers = [
    [
      'house',
      90,
      { ...show, name: 'Tiefdruck', venue: { name: 'Kornspeicher' }, lineup: [{ name: 'Vera Lindt' }] },
    ],
    [
      'guide',
      50,
      {
        ...show,
        name: 'Tiefdruck: Vera Lindt',
        venue: { name: 'Club Kornspeicher', city: 'Berlin', country: 'DE' },
        lineup: [{ name: 'Vera Lindt' }],
      },
    ],
    [
      'shop',
      40,
      {
        ...show,
        name: 'Tiefdruck w/ Vera Lindt',
        venue: { name: 'Kornspeicher Berlin', city: 'Berlin', country: 'DE' },
      },
    ],
  ] as const;
  for (const order of permutations(sellers)) {
    const sqlite = freshFile(t);
    for (const [source, trust, line] of order) await says(sqlite, source, [line], { trust });
    const what = order.map(([source]) => source).join(', ');
    assert.deepEqual(partition(sqlite), ['guide:1 + house:1 + shop:1'], what);
    const [event] = ask(sqlite, 'listEvents');
    assert.equal(event.venue.city, 'Berlin', what);
    assert.notEqual(event.venue.slug, null, what);
    assert.equal(ask(sqlite, 'listVenues').length, 1, what);
    // Whoever lists it later finds it.
    await says(sqlite, 'late', [
      { ...show, name: 'TIEFDRUCK', venue: { name: 'Kornspeicher', city: 'Berlin', country: 'DE' } },
    ]);
    assert.equal(partition(sqlite).length, 1, what);
  }
});
