/** Names of forgotten artists are replaced in texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceNames } from '../../src/ingest/removals/forgetting/replace-names.ts';

test('names are replaced whole, the longest first, and nothing else', () => {
  const replacements: Record<string, string> = { 'Vera Lindt': 'X', 'Vera Lindt Trio': 'Y', Shed: 'Z' };
  const replace = (text: string, minWords = 2) =>
    replaceNames(text, minWords, (name) => replacements[name] ?? null);
  for (const [text, expected] of [
    ['Vera Lindt all night', 'X all night'],
    ["With Vera Lindt's friends, and Vera Lindt.", "With X's friends, and X."],
    ['Vera Lindt Trio & Vera Lindt', 'Y & X'],
    ['Vera and Lindt', 'Vera and Lindt'],
    ['In the Shed', 'In the Shed'],
    ['', ''],
  ] as const)
    assert.equal(replace(text), expected);
  assert.equal(replace('Shed (live) at Shed-', 1), 'Z (live) at Z-');
});
