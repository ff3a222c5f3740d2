/** Names of cities in the language of a page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityNameIn, otherCityNames } from '../../src/text/city-names.ts';
import { readLexicon } from '../../src/text/lexicon.ts';

test('a city has the name of the language, whichever name the source uses; namesakes elsewhere keep theirs', () => {
  for (const [name, country, expected] of [
    ['Geneva', 'CH', 'Genf'],
    ['Genève', 'CH', 'Genf'],
    ['Munich', 'DE', 'München'],
    ['München', 'DE', 'München'],
    ['Cologne', 'DE', 'Köln'],
    ['Vienna', 'AT', 'Wien'],
    ['Vienna', 'US', 'Vienna'],
    ['Mexico City', 'MX', 'Mexiko-Stadt'],
    ['Vienna', null, 'Vienna'],
    ['Berlin', 'DE', 'Berlin'],
    ['Lyon', 'FR', 'Lyon'],
  ] as const)
    assert.equal(cityNameIn('de', name, country), expected, `${name}, ${country}`);
  assert.equal(cityNameIn('en', 'Geneva', 'CH'), 'Geneva');
});

test('other names lead to the city in both directions', () => {
  assert.ok(otherCityNames('Geneva', 'CH').includes('Genf'));
  assert.ok(otherCityNames('Köln', 'DE').includes('cologne'));
  assert.deepEqual(otherCityNames('Vienna', 'US'), []);
});

test('each entry names a country and folded names', () => {
  for (const { term, class: group } of readLexicon('city-names'))
    assert.match(group, /^[A-Z]{2}:[a-z'./_-]+(?:\|[a-z'./_-]+)*$/, term);
});
