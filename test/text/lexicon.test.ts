/** The word lists of `src/text/lexicon`: each file is sorted, has a header and holds every entry once. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readLexicon } from '../../src/text/lexicon.ts';

const folder = new URL('../../src/text/lexicon/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.tsv'));

for (const file of files)
  test(`${file} has a header, and its entries are sorted and unique`, () => {
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
    assert.equal(lines.pop(), '', 'ends with a line break');
    const headerLength = lines.findIndex((line) => !line.startsWith('#'));
    const header = lines.slice(0, headerLength).join('\n');
    for (const part of [/^# \S/, /Class(?:es)?\b/, /To add an entry/, /Columns/]) assert.match(header, part);
    const entries = lines.slice(headerLength);
    assert.equal(readLexicon(file.replace(/\.tsv$/, '')).length, entries.length);
    const keys = entries.map((line) => {
      assert.match(line, /^[^#\s\t][^\t]*\t(?:[a-z]{2}|mul)\t\S+$/);
      const [term, , entryClass] = line.split('\t');
      return `${term}\0${entryClass}`;
    });
    keys.forEach((key, at) => {
      if (at > 0)
        assert.ok((keys[at - 1] as string) < key, `${entries[at - 1]} stands before ${entries[at]}`);
    });
  });
