/** The names in the file: what is kept of each, in which order, and that the full-text index always agrees. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { openDatabase } from '../../src/store/database.ts';
import { indexTerms } from '../../src/store/search/index-terms.ts';
import { type NameIndexWriter, openNameIndexWriter } from '../../src/store/search/name-index.ts';
import {
  firstEventRowId,
  firstRowIdOfDay,
  firstUnrankedRowId,
  rowIdLimit,
} from '../../src/store/search/row-ids.ts';

function freshFile(t: { after(fn: () => void): void }): {
  sqlite: Database.Database;
  names: NameIndexWriter;
} {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-names-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  t.after(() => {
    sqlite.close();
    rmSync(folder, { recursive: true });
  });
  const record = sqlite.prepare('INSERT INTO records (id, kind, revision) VALUES (?, ?, 1)');
  for (const [id, kind] of Object.entries({ 1: 'artist', 2: 'artist', 3: 'event', 4: 'genre', 5: 'label' }))
    record.run(Number(id), kind);
  return { sqlite, names: openNameIndexWriter(sqlite) };
}

const rowsOf = (sqlite: Database.Database, record: number) =>
  sqlite.prepare('SELECT id, name FROM names WHERE record_id = ? ORDER BY id').raw().all(record);

/** The rows that the index finds by a word. */
const matches = (sqlite: Database.Database, term: string) =>
  sqlite
    .prepare('SELECT rowid FROM name_search WHERE name_search MATCH ? ORDER BY rowid')
    .pluck()
    .all(`"${term}"`);

/** The index agrees with the names that are searched. */
function isWhole(sqlite: Database.Database): void {
  sqlite.exec("INSERT INTO name_search (name_search) VALUES ('integrity-check')");
  const indexed = sqlite.prepare('SELECT id FROM name_search_docsize ORDER BY id').pluck().all();
  assert.deepEqual(
    indexed,
    sqlite.prepare("SELECT id FROM names WHERE terms <> '' ORDER BY id").pluck().all(),
  );
  const occurring = sqlite.prepare('SELECT term FROM search_terms ORDER BY term').pluck().all();
  const terms = sqlite.prepare('SELECT terms FROM names').pluck().all() as string[];
  const own = [...new Set(terms.flatMap((text) => text.split(' ')).filter(Boolean))];
  assert.deepEqual(new Set(occurring), new Set(own));
}

test('the words of a name in the index', () => {
  const expected: Record<string, string> = {
    'Ben Klock': '^ben ben klock',
    'AC/DC': '^ac ac dc acdc',
    'M.A.N.D.Y.': '^m m a n d y mandy',
    'Jay-Z': '^jay jay z jayz',
    電気: '^電気 電気 dianqi',
    '¥ØU$UK€': '^ou ou uk yousuke',
    '!!!': '',
    "D'Julz": '^djulz djulz julz',
    Âme: '^ame ame',
    Deadmau5: '^deadmau5 deadmau5',
  };
  for (const [name, terms] of Object.entries(expected))
    assert.equal(indexTerms(name).replace('\ue000', '^'), terms, name);
});

test('row ids: the more prominent first, then the older; events by day', (t) => {
  const { sqlite, names } = freshFile(t);
  names.write('artist', 1, 'One', ['Uno', 'Uno', 'One', ' '], { prominence: 0 });
  names.write('artist', 2, 'Two', [], { prominence: 7 });
  names.write('event', 3, 'Three', [], { startTs: Date.UTC(2026, 10, 20, 23, 59) });
  names.write('genre', 4, 'Four', ['Vier'], { prominence: 9 });
  names.write('label', 5, 'Five', [], { prominence: 1e300 });
  const order = sqlite.prepare("SELECT name FROM names WHERE terms <> '' ORDER BY id").pluck().all();
  assert.deepEqual(order, ['Five', 'Two', 'One', 'Uno', 'Three']);
  assert.deepEqual(rowsOf(sqlite, 1), [
    [firstUnrankedRowId + 256, 'One'],
    [firstUnrankedRowId + 257, 'Uno'],
  ]);
  assert.deepEqual(rowsOf(sqlite, 2), [[(255 - 48) * 2 ** 44 + 512, 'Two']]);
  assert.deepEqual(rowsOf(sqlite, 3), [[firstRowIdOfDay(Date.UTC(2026, 10, 20)) + 48, 'Three']]);
  assert.equal(rowsOf(sqlite, 4).length, 2, 'kinds that are not searched resolve references');
  assert.equal(matches(sqlite, 'vier').length, 0);
  assert.ok(firstUnrankedRowId + 2 ** 44 <= firstEventRowId);
  assert.equal(firstRowIdOfDay(-1e15), firstEventRowId);
  assert.ok(firstRowIdOfDay(1e15) + 2 ** 35 <= rowIdLimit);
  assert.equal(firstRowIdOfDay(Date.UTC(2026, 10, 20), 1), firstRowIdOfDay(Date.UTC(2026, 10, 21)));
  isWhole(sqlite);
});

test('writing again touches only what changed', (t) => {
  const { sqlite, names } = freshFile(t);
  const changes = sqlite.prepare('SELECT total_changes()').pluck();
  const write = (name: string, aliases: string[], prominence: number) => {
    const before = changes.get() as number;
    names.write('artist', 1, name, aliases, { prominence });
    const made = (changes.get() as number) - before;
    isWhole(sqlite);
    return made;
  };
  assert.ok(write('Aphex Twin', ['AFX', 'Polygon Window'], 100) > 0);
  assert.equal(write('Aphex Twin', ['AFX', 'Polygon Window'], 100), 0);
  assert.equal(write('Aphex Twin', ['AFX', 'Polygon Window'], 101), 0, 'the same bucket');
  write('Aphex Twin', ['Polygon Window', 'Caustic Window'], 100);
  assert.equal(matches(sqlite, 'afx').length, 0);
  assert.equal(matches(sqlite, 'window').length, 2);
  write('APHEX TWIN', [], 5000);
  assert.deepEqual(
    rowsOf(sqlite, 1).map((row) => (row as [number, string])[1]),
    ['APHEX TWIN'],
  );
  names.write('artist', 1, 'APHEX TWIN', [], { prominence: 5000 }, 'Cornwall');
  assert.equal(matches(sqlite, 'cornwall').length, 1);
  isWhole(sqlite);
  names.remove(1);
  assert.deepEqual(rowsOf(sqlite, 1), []);
  assert.equal(matches(sqlite, 'aphex').length, 0);
  isWhole(sqlite);
});

test('buffered names reach the index at the flush, and are dropped by a rollback', (t) => {
  const { sqlite, names } = freshFile(t);
  names.startBuffering();
  sqlite.exec('BEGIN');
  names.write('artist', 1, 'One', [], { prominence: 1 });
  names.flush();
  sqlite.exec('SAVEPOINT line');
  names.write('artist', 1, 'Uno', [], { prominence: 1 });
  names.write('artist', 2, 'Two', [], { prominence: 1 });
  sqlite.exec('ROLLBACK TO line; RELEASE line');
  names.discard();
  names.write('artist', 2, 'Three', [], { prominence: 8 });
  names.write('artist', 2, 'Four', ['Vier'], { prominence: 8 });
  names.flush();
  sqlite.exec('COMMIT');
  isWhole(sqlite);
  assert.deepEqual(
    ['one', 'uno', 'two', 'three', 'four', 'vier'].map((term) => matches(sqlite, term).length),
    [1, 0, 0, 0, 1, 1],
  );
  sqlite.exec('BEGIN');
  names.write('artist', 1, 'Other', [], { prominence: 1 });
  names.remove(2);
  names.write('artist', 2, 'Four', ['Vier'], { prominence: 8 });
  sqlite.exec('ROLLBACK');
  names.discard();
  names.flush();
  isWhole(sqlite);
  assert.equal(matches(sqlite, 'one').length, 1);
});

test('records marked stale move to where their prominence belongs', (t) => {
  const { sqlite, names } = freshFile(t);
  names.write('artist', 1, 'One', ['Uno'], { prominence: 0 });
  names.write('artist', 2, 'Two', [], { prominence: 3 });
  sqlite.exec(`
    INSERT INTO artists (id, slug, name, folded, updated_ts) VALUES (1, 'one', 'One', 'one', 0), (2, 'two', 'Two', 'two', 0);
    INSERT INTO labels (id, slug, name, folded, updated_ts) VALUES (5, 'five', 'Five', 'five', 0);
    INSERT INTO label_artists VALUES (5, 1)`);
  names.write('event', 3, 'Three', [], { startTs: 0 });
  names.write('label', 5, 'Five', [], { prominence: 0 });
  assert.equal(names.prominence('artist', 1), 1);
  assert.equal(names.prominence('label', 5), 1);
  assert.equal(names.prominence('genre', 4), 0);
  for (const id of [1, 2, 3, 4, 5, 1]) names.markStale(id);
  const asked: number[] = [];
  const prominenceOf = (_kind: string, id: number) => {
    asked.push(id);
    return id === 1 ? 50 : id === 2 ? 3 : 0;
  };
  assert.equal(names.rerankStale(2, prominenceOf), 2);
  assert.equal(names.rerankStale(10, prominenceOf), 3);
  assert.equal(names.rerankStale(), 0);
  assert.deepEqual(asked, [1, 2, 5]);
  const order = sqlite.prepare("SELECT name FROM names WHERE terms <> '' ORDER BY id").pluck().all();
  assert.deepEqual(order, ['One', 'Uno', 'Two', 'Five', 'Three']);
  isWhole(sqlite);
  names.markStale(1);
  names.rerankStale();
  assert.deepEqual(
    sqlite.prepare("SELECT name FROM names WHERE terms <> '' ORDER BY id").pluck().all(),
    ['Two', 'One', 'Uno', 'Five', 'Three'],
    'by what the file holds, where nothing else is said',
  );
  isWhole(sqlite);
});

test('the index is merged into one segment', (t) => {
  const { sqlite, names } = freshFile(t);
  for (let round = 0; round < 40; round++)
    names.write('artist', 1 + (round % 2), `Name ${round}`, [], { prominence: round });
  for (let more = names.mergeSegments(true, 10); more; ) more = names.mergeSegments(false, 10);
  isWhole(sqlite);
  const segments = sqlite.prepare('SELECT count(DISTINCT segid) FROM name_search_idx').pluck().get();
  assert.equal(segments, 1);
});

test('the index is fragmented if its other segments are large beside the largest one', (t) => {
  const { sqlite, names } = freshFile(t);
  const record = sqlite.prepare("INSERT INTO records (id, kind, revision) VALUES (?, 'artist', 1)");
  names.startBuffering();
  const add = (first: number, count: number) =>
    sqlite.transaction(() => {
      for (let id = first; id < first + count; id++) {
        record.run(id);
        names.write('artist', id, `Nocturne ${id * 7919} Orbit ${id}`, [], { prominence: id % 7 });
      }
      names.flush();
    })();
  const segments = () => sqlite.prepare('SELECT count(DISTINCT segid) FROM name_search_idx').pluck().get();
  const merge = () => {
    for (let more = names.mergeSegments(true); more; ) more = names.mergeSegments(false);
  };
  assert.equal(names.isFragmented(), false, 'an empty index');
  add(10, 1);
  assert.equal(names.isFragmented(), false, 'one segment');
  add(11, 100);
  assert.equal(names.isFragmented(), true, 'two small segments');
  add(200, 4_000);
  merge();
  assert.equal(names.isFragmented(), false, 'merged');
  add(5_000, 5);
  assert.deepEqual([names.isFragmented(), segments()], [false, 2], 'a small one beside a large one');
  add(6_000, 1_000);
  assert.equal(names.isFragmented(), true, 'a large one beside a larger one');
  merge();
  assert.deepEqual([names.isFragmented(), segments()], [false, 1]);
  isWhole(sqlite);
});
