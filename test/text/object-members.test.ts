/** Texts of sources that are also names of members of every JavaScript object. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArtistName } from '../../src/text/artist-name.ts';
import { countryOfZone } from '../../src/text/countries.ts';

test('names of object members are no countries', () => {
  for (const member of ['constructor', 'toString', 'valueOf', '__proto__']) {
    assert.equal(parseArtistName(`Fox (${member})`).country, null, member);
    assert.equal(countryOfZone(member), null, member);
  }
});
