/** What a search reads is bounded, however common its words are: no expression twice, no rare word beside common ones. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type Database from 'better-sqlite3';
import { openSearch } from '../../src/catalogue/search.ts';
import { openDatabase } from '../../src/store/database.ts';
import { CatalogueReader } from '../../src/store/reader.ts';
import { openNameIndexWriter } from '../../src/store/search/name-index.ts';
import { firstEventRowId } from '../../src/store/search/row-ids.ts';
import { SearchIndex } from '../../src/store/search/search-index.ts';
import { temporaryFolder } from '../support/program.ts';

const now = Date.UTC(2026, 10, 20);
const day = 86_400_000;
const count = 6_000;

let seed = 17;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const common = ['techno', 'warehouse', 'presents', 'marathon'];
const rare = ['tecno', 'technos', 'marathin', 'presento', 'wareouse', 'klub', 'zaez', 'tresor'];

/** Names of two common words that never stand together, and now and then a rare one. */
function nameOf(at: number): string {
  const own = at % 2 === 0 ? ['techno', 'marathon'] : ['warehouse', 'presents'];
  return [...own, String(at % 13), ...(at % 9 === 0 ? [pick(rare)] : [])].join(' ');
}

function fill(sqlite: Database.Database): void {
  const names = openNameIndexWriter(sqlite);
  const record = sqlite.prepare('INSERT INTO records (id, kind, revision) VALUES (?, ?, 1)');
  const artist = sqlite.prepare(
    'INSERT INTO artists (id, slug, name, folded, updated_ts) VALUES (?, ?, ?, ?, 0)',
  );
  const event = sqlite.prepare(
    `INSERT INTO events (id, slug, start_ts, start_date, ends_ts, item_json, name, start_at, country, updated_ts)
     VALUES (?, ?, ?, 20200101, ?, '{}', ?, '2020-01-01T00:00:00Z', 'DE', 0)`,
  );
  sqlite.transaction(() => {
    for (let id = 1; id <= count; id++) {
      const name = nameOf(id);
      if (id % 6 === 0) {
        record.run(id, 'artist');
        artist.run(id, `artist-${id}`, name, name);
        names.write('artist', id, name, [], { prominence: id % 40 });
        continue;
      }
      const startTs = now + Math.floor((random() - 0.8) * 2_000) * day;
      record.run(id, 'event');
      event.run(id, `event-${id}`, startTs, startTs + day / 2, name);
      names.write('event', id, name, [], { startTs });
    }
  })();
  sqlite.prepare('UPDATE catalogue SET max_event_duration_ms = ?').run(day);
}

type Run = { sql: string; values: unknown[]; rows: number };

/** The same connection; `runs` gets each statement that runs through it. */
function watched(sqlite: Database.Database, runs: Run[]): Database.Database {
  const prepare = (sql: string) => {
    const statement = sqlite.prepare(sql);
    for (const name of ['all', 'get'] as const) {
      const run = statement[name].bind(statement) as (...values: unknown[]) => never;
      statement[name] = (...values: unknown[]) => {
        const result: unknown = run(...values);
        runs.push({ sql, values, rows: Array.isArray(result) ? result.length : 1 });
        return result as never;
      };
    }
    return statement;
  };
  return new Proxy(sqlite, {
    get: (target, name) => {
      if (name === 'prepare') return prepare;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('searches of common words', () => {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'bounded.db'), { create: true });
  before(() => fill(sqlite));
  after(() => {
    sqlite.close();
    folder.remove();
  });

  const expressionOf = ({ values }: Run) =>
    values
      .flatMap((value) => (value !== null && typeof value === 'object' ? Object.values(value) : [value]))
      .find((value): value is string => typeof value === 'string' && value.includes('"'));
  const queries = [
    'techno warehouse',
    'techno presnts',
    'teckno warehouse',
    'warehouse marathon techo',
    'presents techno w',
    'techno marathon presenst',
    'warehouse presents techni',
  ];

  it('run no full-text expression twice', () => {
    const runs: Run[] = [];
    const search = openSearch(watched(sqlite, runs));
    while (!search.loadWords());
    for (const query of queries) {
      search.search(query, 10, now);
      runs.length = 0;
      search.search(query, 10, now);
      const all = runs.flatMap((run) =>
        /name_search match/i.test(run.sql) ? JSON.stringify([run.sql, run.values]) : [],
      );
      assert.ok(all.length > 0);
      assert.equal(new Set(all).size, all.length, query);
    }
  });

  it('give FTS5 no rare spelling together with common words', () => {
    const runs: Run[] = [];
    const search = openSearch(watched(sqlite, runs));
    while (!search.loadWords());
    for (const query of queries) {
      runs.length = 0;
      search.search(query, 10, now);
      const joined = runs.flatMap((run) => expressionOf(run) ?? []).filter((one) => one.includes(' AND '));
      for (const word of rare)
        assert.ok(!joined.some((expression) => expression.includes(`"${word}"`)), `${query}: ${word}`);
    }
  });

  it('look for the words as written once', () => {
    const runs: Run[] = [];
    const search = openSearch(watched(sqlite, runs));
    while (!search.loadWords());
    for (const words of [
      ['techno', 'warehouse'],
      ['presents', 'techno'],
      ['warehouse', 'marathon'],
    ]) {
      runs.length = 0;
      assert.ok(search.search(words.join(' '), 10, now).length > 0);
      const joined = runs.flatMap((run) => expressionOf(run) ?? []).filter((one) => one.includes(' AND '));
      const asWritten = joined.filter((one) => words.every((word) => one.includes(`"${word}"`)));
      assert.equal(asWritten.length, 1, joined.join('; '));
    }
  });

  it('read few more names than they return', () => {
    const runs: Run[] = [];
    const search = openSearch(watched(sqlite, runs));
    while (!search.loadWords());
    for (const query of ['techno marathon', 'techno maratho', 'warehouse presents']) {
      runs.length = 0;
      assert.equal(search.search(query, 10, now).length, 10);
      const names = runs
        .filter(({ sql }) => sql.includes('n.terms'))
        .reduce((sum, { rows }) => sum + rows, 0);
      assert.ok(names >= 10 && names <= 24, `${query}: ${names} names`);
    }
  });

  it('do not look for a name of words that no name has', () => {
    const runs: Run[] = [];
    const search = openSearch(watched(sqlite, runs));
    const isExact = ({ sql }: Run) => sql.includes('names_by_words');
    for (const [query, expected] of [
      ['techn', false],
      ['techno maratho', false],
      ['techno marathon', true],
    ] as const) {
      runs.length = 0;
      assert.ok(search.search(query, 10, now).length > 0);
      assert.equal(runs.some(isExact), expected, query);
    }
  });

  it('for other kinds pass over no event whose name is exactly these words', () => {
    const runs: Run[] = [];
    const search = openSearch(watched(sqlite, runs));
    while (!search.loadWords());
    for (const kinds of [['artist'], ['event'], undefined] as const) {
      runs.length = 0;
      search.search('techno marathon 6', 10, now, kinds);
      const exact = runs.filter(({ sql }) => sql.includes('names_by_words'));
      assert.ok(exact.length > 0);
      for (const { sql, values } of exact) {
        const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
        const [first] = plan.map(({ detail }) => detail);
        const bounded =
          /^SEARCH n USING INDEX names_by_words \(words=\? AND is_alias=\? AND rowid>\? AND rowid<\?\)$/;
        assert.match(first ?? '', bounded);
        const bounds = values.flatMap((value) =>
          typeof value === 'object' ? Object.values(value ?? {}) : value,
        );
        if (kinds?.[0] === 'artist') assert.ok(bounds.includes(firstEventRowId), String(bounds));
      }
    }
  });

  it('give the same hits whether words are thought rare or common', () => {
    const own = SearchIndex.prototype.isRare;
    const hits = (isRare: typeof own) => {
      SearchIndex.prototype.isRare = isRare;
      const search = openSearch(sqlite);
      return asked.map(([query, limit, kinds]) => search.search(query, limit, now, kinds));
    };
    const mistyped = (word: string) => {
      const at = Math.floor(random() * word.length);
      return word.slice(0, at) + pick(['', 'x', 'o']) + word.slice(at + pick([0, 1]));
    };
    const asked = Array.from({ length: 150 }, () => {
      const words = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        mistyped(pick([...common, ...rare])),
      );
      return [
        words.join(' '),
        pick([1, 10, 50]),
        pick([undefined, undefined, ['artist'], ['event']] as const),
      ] as const;
    });
    try {
      const expected = hits(own);
      assert.ok(expected.filter((all) => all.length > 0).length > 75, 'too few queries have hits (seed 17)');
      assert.deepEqual(
        hits(() => true),
        expected,
      );
      assert.deepEqual(
        hits(() => false),
        expected,
      );
    } finally {
      SearchIndex.prototype.isRare = own;
    }
  });

  it('by name and country read the rows of few events', () => {
    const runs: Run[] = [];
    const reader = new CatalogueReader(watched(sqlite, runs));
    for (const times of [{ pastAt: now }, { upcomingAt: now }, {}]) {
      runs.length = 0;
      assert.deepEqual(reader.eventNames.find('techno warehouse', { country: 'DE', ...times }, 10), []);
      reader.eventNames.find('techno', { country: 'DE', ...times }, 10);
      assert.ok(runs.length > 3);
      for (const { sql } of runs) {
        const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...placeholders(sql)) as {
          detail: string;
        }[];
        const scanned = plan
          .map(({ detail }) => detail)
          .filter((detail) => /events_by|SCAN e\b/.test(detail));
        for (const detail of scanned) assert.match(detail, /COVERING INDEX/, sql);
      }
    }
  });
});

/** Values for a statement whose plan alone is asked for. */
function placeholders(sql: string): unknown[] {
  const named = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]);
  if (named.length > 0) return [Object.fromEntries(named)];
  return Array.from({ length: sql.split('?').length - 1 }, () => 1);
}
