import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainMatch } from '../../src/matching/explain.ts';
import { opposingEntityLevels } from '../../src/matching/levels.ts';
import { evidenceOf, scoreEvidence } from '../../src/matching/model.ts';
import {
  artistWeights,
  type EvidenceCode,
  eventWeights,
  festivalWeights,
  isAtLeast,
  labelWeights,
  rankedCodes,
  venueWeights,
} from '../../src/matching/weights.ts';

test('starts and titles are listed from the greatest weight to the least', () => {
  for (const codes of rankedCodes) {
    const weights = codes.map((code) => eventWeights[code]);
    assert.deepEqual(
      weights,
      weights.toSorted((a, b) => b - a),
    );
  }
});

test('a level is at least itself and every level after it, and no evidence is at none', () => {
  const start = evidenceOf(eventWeights)('start.within-30-minutes', 20);
  assert.equal(isAtLeast(start, 'start.within-30-minutes'), true);
  assert.equal(isAtLeast(start, 'start.same-date'), true);
  assert.equal(isAtLeast(start, 'start.within-5-minutes'), false);
  assert.equal(isAtLeast(null, 'title.unlike'), false);
});

test('sentences and names of rules are derived from codes and values', () => {
  const venue = {
    ...evidenceOf(eventWeights)('venue.same'),
    because: [evidenceOf(artistWeights)('name.same')],
  };
  const reasons = [evidenceOf(eventWeights)('start.within-2-hours', 120), venue];
  assert.deepEqual(explainMatch({ ...scoreEvidence(reasons, 0), rule: 'two-ids' }), {
    outcome: 'same',
    score: 0.802,
    odds: 1.4,
    rule: 'two ids at one source',
    reasons: [
      { evidence: 'start', weight: -0.6, text: 'starts 2 hours apart' },
      { evidence: 'venue', weight: 2, text: 'one venue: the same name' },
    ],
  });
});

test('a code that speaks against one record does so for all kinds', () => {
  for (const weights of [venueWeights, artistWeights, labelWeights, festivalWeights])
    for (const [code, weight] of Object.entries(weights))
      if (!code.startsWith('name.'))
        assert.equal(opposingEntityLevels.has(code as EvidenceCode), weight <= -1.2, code);
});
