/** What a word of a query may have been meant to be is looked up only where some name has such a word. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type Database from 'better-sqlite3';
import { guessWords, oneEditVariants } from '../../src/catalogue/linking/typos.ts';
import { openSearch } from '../../src/catalogue/search.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openNameIndexWriter } from '../../src/store/search/name-index.ts';
import { PrefixFilter } from '../../src/store/search/prefix-filter.ts';
import { SearchIndex } from '../../src/store/search/search-index.ts';

/** A data file of artists with these names; `add` and `rename` are committed changes. */
function shelf(t: TestContext, artists: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-words-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  t.after(() => {
    sqlite.close();
    rmSync(folder, { recursive: true });
  });
  const names = openNameIndexWriter(sqlite);
  let revision = 0;
  const add = (all: readonly string[]) =>
    sqlite.transaction(() => {
      revision += 1;
      for (const name of all) {
        const { lastInsertRowid } = sqlite
          .prepare("INSERT INTO records (kind, revision) VALUES ('artist', ?)")
          .run(revision);
        const id = Number(lastInsertRowid);
        sqlite
          .prepare('INSERT INTO artists (id, slug, name, folded, updated_ts) VALUES (?, ?, ?, ?, 0)')
          .run(id, `r${id}`, name, name.toLowerCase());
        names.write('artist', id, name, [], { prominence: 1 });
      }
    })();
  const rename = (id: number, name: string, aliases: string[]) =>
    sqlite.transaction(() => {
      sqlite.prepare('UPDATE records SET revision = ? WHERE id = ?').run(++revision, id);
      names.write('artist', id, name, aliases, { prominence: 1 });
    })();
  add(artists);
  return { sqlite, add, rename };
}

/** So many words of letters, each another one. */
const words = (count: number, letters: string): string[] =>
  Array.from({ length: count }, (_, at) =>
    [...at.toString(letters.length).padStart(5, '0')]
      .map((digit) => letters[Number.parseInt(digit, 36)])
      .join(''),
  );

function learnAll(filter: PrefixFilter): number {
  for (let steps = 1; ; steps += 1) if (filter.loadNext()) return steps;
}

/** How many texts the file is asked about while a query is read. */
function lookUps(sqlite: Database.Database, filter: PrefixFilter, query: string): number {
  const index = new SearchIndex(sqlite, filter);
  let count = 0;
  const counting = {
    prefixFilter: () => index.prefixFilter(),
    existingWords: (all: string[]) => {
      count += all.length;
      return index.existingWords(all);
    },
    existingPrefixes: (all: string[]) => {
      count += all.length;
      return index.existingPrefixes(all);
    },
  };
  for (const _ of guessWords(counting as unknown as SearchIndex, query.split(' ')));
  return count;
}

test('an unknown word costs a few look-ups, not hundreds', (t) => {
  const { sqlite } = shelf(t, [...words(3_000, 'aeioubdgklmnrst'), 'Tresor Globus', 'Ostgut Ton']);
  const filter = new PrefixFilter(sqlite);
  learnAll(filter);
  for (const query of ['qxwzvvy', 'zzzzzzzzzzzzzzzzzzzzzzzz', 'tresur', 'жжжжжж', 'ostgvt qxwzvvy']) {
    const asked = lookUps(sqlite, filter, query);
    assert.ok(asked <= 12, `${query}: ${asked} look-ups`);
  }
  const six = 'qxwzva qxwzvb qxwzvc qxwzvd qxwzve qxwzvf';
  assert.ok(lookUps(sqlite, filter, six) <= 12);
  assert.ok(oneEditVariants('qxwzvvyqxwzvvy', false, (text) => filter.mayContainPrefix(text)).length < 400);
});

test('suggestions are the same with the filter and without it', (t) => {
  const names = [
    'Tresor',
    'Trésor Globus',
    'Ostgut Ton',
    'Жанна',
    'Ólafur Arnalds',
    'Âme',
    'AC/DC',
    '電気グルーヴ',
    'Ben Klock',
  ];
  const { sqlite } = shelf(t, [...names, ...words(500, 'aeiour')]);
  const filter = new PrefixFilter(sqlite);
  learnAll(filter);
  const index = new SearchIndex(sqlite, filter);
  const plain = {
    prefixFilter: () => null,
    existingWords: (all: string[]) => index.existingWords(all),
    existingPrefixes: (all: string[]) => index.existingPrefixes(all),
  } as unknown as SearchIndex;
  const queries = ['tresor', 'globus', 'ostgut', 'жанна', 'olafur', 'arnalds', 'klock', 'aaaie'].flatMap(
    (word) => [
      ...oneEditVariants(word).filter((_, at) => at % 7 === 0),
      ...oneEditVariants(word, true).filter((_, at) => at % 11 === 0),
    ],
  );
  assert.ok(queries.length > 500);
  for (const query of queries) {
    for (const asked of [[query], [query, 'globus'], ['tresor', query]]) {
      assert.deepEqual([...guessWords(index, asked)], [...guessWords(plain, asked)], asked.join(' '));
    }
  }
});

test('names that are added or changed later are found by the next search', (t) => {
  const { sqlite, add, rename } = shelf(t, ['Tresor']);
  const search = openSearch(sqlite);
  const found = (q: string) =>
    search.search(q, 10, 0).map((json) => (JSON.parse(json) as { matched: string }).matched);
  assert.equal(search.loadWords(), true);
  assert.deepEqual(found('kratfwerk'), []);
  add(['Kraftwerk']);
  assert.deepEqual(found('kratfwerk'), ['Kraftwerk']);
  assert.deepEqual(found('elektroclush'), []);
  rename(1, 'Tresor', ['Elektroclash']);
  assert.deepEqual(found('elektroclush'), ['Elektroclash']);
  // More than one step: until all is learned, every spelling is looked up.
  add([...words(1_500, 'aeioubdgklmnrst'), 'Underground']);
  assert.deepEqual(found('undergruond'), ['Underground']);
  while (!search.loadWords());
  assert.deepEqual(found('undergruond'), ['Underground']);
});

test('the filter grows with the words, and forgets none', (t) => {
  const many = words(30_000, 'abcdefghijklmnopqrstuvwxyz').map((word) => word.repeat(4));
  const { sqlite } = shelf(t, many);
  const filter = new PrefixFilter(sqlite);
  const steps = learnAll(filter);
  // 120 steps of 250 names, and 300 of 100 records, which all are of the newest revision.
  assert.ok(steps > 421, `begun again at least once: ${steps} steps`);
  for (const word of many) {
    for (const length of [3, 4, 9, word.length])
      assert.ok(filter.mayContainPrefix(word.slice(0, length)), word);
  }
  const strange = words(20_000, '0123456789').map((word) => `${word}${word}`);
  const wrong = strange.filter((word) => filter.mayContainPrefix(word)).length;
  assert.ok(wrong < 200, `${wrong} of ${strange.length} are taken for words`);
});
