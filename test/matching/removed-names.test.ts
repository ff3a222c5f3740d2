/** "removed artist" stands for the names of forgotten people, so that two records with it need not be one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareArtists } from '../../src/matching/entities/compare-artists.ts';
import { compareFestivals } from '../../src/matching/entities/compare-festivals.ts';
import { compareLabels } from '../../src/matching/entities/compare-labels.ts';
import { compareVenues } from '../../src/matching/entities/compare-venues.ts';
import { isPlaceholderVenue } from '../../src/text/placeholder-venue.ts';

const berlin = { city: 'Berlin', country: 'DE' };

test('venues are compared by the other words of their names', () => {
  const pairs: [string, string, string][] = [
    ['removed artist Club', 'removed artist Cellar', 'different'],
    ['removed artist Club', 'removed artist Club', 'different'],
    ['removed artist', 'removed artist', 'different'],
    ['removed artist Schwarzgarten', 'removed artist Schwarzgarten', 'same'],
    ['removed artist Schwarzgarten', 'removed artist Weißensee', 'different'],
    ['removed artist Club', 'Salon Zur Wilden Renate', 'different'],
  ];
  for (const [a, b, outcome] of pairs)
    assert.equal(
      compareVenues({ name: a, ...berlin }, { name: b, ...berlin }).outcome,
      outcome,
      `${a} and ${b}`,
    );
  assert.ok(isPlaceholderVenue('removed artist'));
  assert.ok(!isPlaceholderVenue('removed artist Schwarzgarten'));
});

test('labels, festivals and artists are never one by such a name', () => {
  for (const compare of [compareLabels, compareFestivals, compareArtists]) {
    const result = compare({ name: 'removed artist Records' }, { name: 'removed artist Records' });
    assert.deepEqual([result.outcome, result.rule], ['different', 'removed-name'], compare.name);
  }
});
