/** Search (docs/spec/search.md): tiers, order, forgiveness, and that no text breaks it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { oneEditVariants } from '../../src/catalogue/linking/typos.ts';
import { openSearch } from '../../src/catalogue/search.ts';
import { schemas } from '../../src/contract/records.ts';
import { openDatabase } from '../../src/store/database.ts';
import { withBaseUrl } from '../../src/store/records/serialize.ts';
import { openNameIndexWriter, type SearchableKind } from '../../src/store/search/name-index.ts';
import { fold } from '../../src/text/fold.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Hit = { type: string; slug: string; name: string; matched: string; [field: string]: unknown };

/** A data file that is filled record by record, and what a search in it finds. */
class Shelf {
  readonly sqlite: Database.Database;
  readonly #names;
  readonly #search;
  #last = 0;

  constructor(t: { after(fn: () => void): void }) {
    const folder = mkdtempSync(join(tmpdir(), 'cratebase-search-'));
    this.sqlite = openDatabase(join(folder, 'c.db'), { create: true });
    this.#names = openNameIndexWriter(this.sqlite);
    this.#search = openSearch(this.sqlite);
    t.after(() => {
      this.sqlite.close();
      rmSync(folder, { recursive: true });
    });
  }

  #record(kind: SearchableKind): { id: number; slug: string } {
    const { lastInsertRowid } = this.sqlite
      .prepare('INSERT INTO records (kind, revision) VALUES (?, 1)')
      .run(kind);
    this.#last = Number(lastInsertRowid);
    return { id: this.#last, slug: `r${this.#last}` };
  }

  add(kind: Exclude<SearchableKind, 'event'>, name: string, aliases: string[] = [], prominence = 1): number {
    const { id, slug } = this.#record(kind);
    this.sqlite
      .prepare(
        `INSERT INTO ${kind}s (id, slug, name, folded, country, updated_ts) VALUES (?, ?, ?, ?, 'DE', 0)`,
      )
      .run(id, slug, name, fold(name));
    this.#names.write(kind, id, name, aliases, { prominence });
    return id;
  }

  /** An event that starts at `startTs` and is over `leaseMs` after it. */
  event(name: string, startTs: number, lastsMs = 6 * hourMs): number {
    const { id, slug } = this.#record('event');
    this.sqlite
      .prepare(
        `INSERT INTO events
           (id, slug, start_ts, start_date, ends_ts, item_json, city, country, name, start_at, updated_ts)
         VALUES (?, ?, ?, 20260101, ?, '{}', 'Berlin', 'DE', ?, ?, 0)`,
      )
      .run(id, slug, startTs, startTs + lastsMs, name, new Date(startTs).toISOString().replace('.000', ''));
    this.sqlite
      .prepare('UPDATE catalogue SET max_event_duration_ms = max(max_event_duration_ms, ?)')
      .run(lastsMs);
    this.#names.write('event', id, name, [], { startTs });
    return id;
  }

  find(q: string, limit = 10): Hit[] {
    return this.#search.search(q, limit, now).map((json) => JSON.parse(json) as Hit);
  }
  /** The names found. */
  names(q: string, limit?: number): string[] {
    return this.find(q, limit).map(({ name }) => name);
  }
  /** The record ids found. */
  ids(q: string, limit?: number): number[] {
    return this.find(q, limit).map(({ slug }) => Number(slug.slice(1)));
  }
}

test('exact name, exact alias, name prefix, word prefix; then the more prominent', (t) => {
  const shelf = new Shelf(t);
  shelf.add('label', 'The Tresor Sound', [], 5000);
  shelf.add('artist', 'Old Tresor', [], 9000);
  shelf.add('festival', 'Tresorfest', [], 3);
  shelf.add('artist', 'Tresor Berlin', [], 8);
  shelf.add('label', 'Interfisch', ['Tresor'], 2);
  shelf.add('artist', 'Tresor', [], 0);
  shelf.add('venue', 'Tresor', [], 4);
  const found = shelf.find('tresor');
  assert.deepEqual(
    found.map(({ type, name, matched }) => [type, name, matched]),
    [
      ['venue', 'Tresor', 'Tresor'],
      ['artist', 'Tresor', 'Tresor'],
      ['label', 'Interfisch', 'Tresor'],
      ['artist', 'Tresor Berlin', 'Tresor Berlin'],
      ['festival', 'Tresorfest', 'Tresorfest'],
      ['artist', 'Old Tresor', 'Old Tresor'],
      ['label', 'The Tresor Sound', 'The Tresor Sound'],
    ],
  );
  for (let limit = 1; limit <= found.length; limit++) {
    assert.deepEqual(shelf.find('tresor', limit), found.slice(0, limit), `limit ${limit}`);
  }
  assert.deepEqual(shelf.names('sound tres'), ['The Tresor Sound'], 'all words, in any order');
  assert.deepEqual(shelf.names('resor sound'), ['The Tresor Sound'], 'a typo is forgiven');
  assert.deepEqual(shelf.names('tresor xyz'), []);
});

test('aliases: by each name the records that bear it, each record once', (t) => {
  const shelf = new Shelf(t);
  shelf.add('artist', 'Aphex Twin', ['AFX', 'Polygon Window', 'Aphex'], 300);
  shelf.add('artist', 'AFX', [], 2);
  shelf.add('artist', 'Âme', [], 50);
  shelf.add('artist', 'Amelie Lens', [], 400);
  const met = (q: string) => shelf.find(q).map(({ name, matched }) => [name, matched]);
  assert.deepEqual(met('AFX'), [
    ['AFX', 'AFX'],
    ['Aphex Twin', 'AFX'],
  ]);
  assert.deepEqual(met('aphex'), [['Aphex Twin', 'Aphex']]);
  assert.deepEqual(met('aph'), [['Aphex Twin', 'Aphex Twin']], 'within a tier the name wins over an alias');
  assert.deepEqual(met('window polygon'), [['Aphex Twin', 'Polygon Window']]);
  for (const q of ['ame', 'Âme', 'ÂME', 'A\u0302me', '  ame  ', '"ame"']) {
    assert.deepEqual(shelf.names(q), ['Âme', 'Amelie Lens'], q);
  }
});

test('spellings: punctuation, joined and foreign letters', (t) => {
  const shelf = new Shelf(t);
  const names = [
    'AC/DC',
    'M.A.N.D.Y.',
    'Jay-Z',
    '¥ØU$UK€ ¥UK1MAT$U',
    '電気グルーヴ',
    'Нина Кравиц',
    "D'Julz",
    'Aha',
    'Adam Beyer',
    'Röyksopp',
    'Đorđe',
  ];
  for (const name of names) shelf.add('artist', name);
  const expected: Record<string, string> = {
    acdc: 'AC/DC',
    'ac dc': 'AC/DC',
    'AC/DC': 'AC/DC',
    'ac-d': 'AC/DC',
    mandy: 'M.A.N.D.Y.',
    'm.a.n.d.y.': 'M.A.N.D.Y.',
    'm a n': 'M.A.N.D.Y.',
    jayz: 'Jay-Z',
    'jay z': 'Jay-Z',
    yousuke: '¥ØU$UK€ ¥UK1MAT$U',
    'yousuke yuki': '¥ØU$UK€ ¥UK1MAT$U',
    '¥ØU$UK€ ¥UK': '¥ØU$UK€ ¥UK1MAT$U',
    dianqi: '電気グルーヴ',
    電気: '電気グルーヴ',
    'нина кра': 'Нина Кравиц',
    'nina krav': 'Нина Кравиц',
    'd’julz': "D'Julz",
    djulz: "D'Julz",
    julz: "D'Julz",
    'A-ha': 'Aha',
    'beyer adam': 'Adam Beyer',
    'ADAM, BEY': 'Adam Beyer',
    royksopp: 'Röyksopp',
    dorde: 'Đorđe',
  };
  for (const [q, name] of Object.entries(expected)) assert.deepEqual(shelf.names(q), [name], q);
});

test('a name of symbols alone is found by its exact text', (t) => {
  const shelf = new Shelf(t);
  shelf.add('artist', 'Chk Chk Chk', ['!!!'], 90);
  shelf.add('artist', '!!!', [], 5);
  shelf.add('artist', '!!!', [], 0);
  shelf.add('artist', '¥€$');
  assert.deepEqual(shelf.names('!!!'), ['!!!', '!!!', 'Chk Chk Chk']);
  assert.deepEqual(shelf.names(' !!! '), ['!!!', '!!!', 'Chk Chk Chk']);
  assert.deepEqual(shelf.names('!!'), []);
  assert.deepEqual(shelf.names('¥€$'), ['¥€$']);
  assert.deepEqual(shelf.names('yes'), ['¥€$']);
});

test('events: the upcoming soonest first, then the past latest first, records without prominence between', (t) => {
  const shelf = new Shelf(t);
  const past = shelf.event('Klubnacht', now - 40 * dayMs);
  const later = shelf.event('Klubnacht', now + 30 * dayMs);
  const older = shelf.event('Klubnacht', now - 400 * dayMs);
  const soon = shelf.event('Klubnacht', now + dayMs);
  const running = shelf.event('Klubnacht', now - 3 * dayMs, 5 * dayMs);
  const overToday = shelf.event('Klubnacht', now - 11 * hourMs, 2 * hourMs);
  const tonight = shelf.event('Klubnacht', now + 8 * hourMs);
  const unknown = shelf.add('artist', 'Klubnacht', [], 0);
  const known = shelf.add('artist', 'Klubnacht', [], 1);
  const order = [known, running, tonight, soon, later, unknown, overToday, past, older];
  assert.deepEqual(shelf.ids('klubnacht'), order);
  assert.deepEqual(shelf.ids('klubnachd'), order, 'with a typo');
  for (let more = 0; more < 300; more++) {
    shelf.event('Klubnacht', now - (500 + more) * dayMs);
    shelf.event('Klubnacht', now + (100 + more) * dayMs);
  }
  const many = shelf.ids('klubnacht', 50);
  assert.deepEqual(many.slice(0, 5), [known, running, tonight, soon, later], 'also where they are many');
  assert.equal(new Set(many).size, 50);
  const all = shelf.ids('klubnacht', 1000);
  assert.deepEqual(all.slice(305, 309), [unknown, overToday, past, older]);
  assert.equal(all.length, 609);
  assert.deepEqual(shelf.ids('klub', 1000), all, 'the same by prefix');
});

test('the order holds however many there are of each', (t) => {
  const shelf = new Shelf(t);
  const prominent = Array.from({ length: 70 }, (_, at) =>
    shelf.add('artist', `Nord ${at}`, [`Nord Alias ${at}`], 5),
  );
  const obscure = Array.from({ length: 90 }, (_, at) => shelf.add('venue', `Nord ${at}`, [], 0));
  const upcoming = Array.from({ length: 80 }, (_, at) => shelf.event(`Nord ${at}`, now + at * dayMs));
  const past = Array.from({ length: 80 }, (_, at) => shelf.event(`Nord ${at}`, now - (at + 1) * dayMs));
  const all = [...prominent, ...upcoming, ...obscure, ...past];
  assert.deepEqual(shelf.ids('nord', 400), all);
  assert.deepEqual(shelf.ids('n', 400), all);
  for (const limit of [1, 50, 70, 71, 150, 151, 239, 240, 241, 319])
    assert.deepEqual(shelf.ids('nor', limit), all.slice(0, limit), `limit ${limit}`);
  assert.deepEqual(shelf.ids('nord ali', 400), prominent);
});

test('one typo is forgiven in words of four letters or more, when nothing else is met', (t) => {
  const shelf = new Shelf(t);
  shelf.add('artist', 'Ben Klock', ['Ben Klok Fanclub of Another'], 200);
  shelf.add('artist', 'Benny Klok', [], 0);
  shelf.add('artist', 'Marcel Dettmann', [], 150);
  shelf.add('venue', 'Berghain', [], 900);
  shelf.add('artist', 'Нина Кравиц', [], 30);
  shelf.add('artist', 'Αλφα Βητα', [], 30);
  shelf.add('artist', 'Deadmau5', [], 30);
  shelf.add('artist', 'Klara', [], 3);
  shelf.add('artist', '電気グルーヴ', [], 3);
  const first: Record<string, string> = {
    'bem klock': '',
    'ben clock': 'Ben Klock',
    'ben klokc': 'Ben Klock',
    'marcl detmn': '',
    'marcl detman': 'Marcel Dettmann',
    'marcl de': 'Marcel Dettmann',
    'marcl dettman': 'Marcel Dettmann',
    'marcel detmann': 'Marcel Dettmann',
    'dettmann marzel': 'Marcel Dettmann',
    'marzel dettm': 'Marcel Dettmann',
    'dettman marcell': 'Marcel Dettmann',
    bergain: 'Berghain',
    berghian: 'Berghain',
    bberghain: 'Berghain',
    bxrghain: 'Berghain',
    berghaix: 'Berghain',
    bergaxn: '',
    'нина кравиз': 'Нина Кравиц',
    'нана кравиц': 'Нина Кравиц',
    'αλφο βητα': 'Αλφα Βητα',
    deadmaus: 'Deadmau5',
    detx: 'Marcel Dettmann',
    dxt: '',
    電気ググルーヴ: '電気グルーヴ',
    気電グルーヴ: '電気グルーヴ',
  };
  for (const [q, name] of Object.entries(first)) {
    if (name === '') assert.deepEqual(shelf.names(q), [], q);
    else assert.equal(shelf.names(q)[0], name, q);
  }
  assert.deepEqual(shelf.names('benny klok'), ['Benny Klok'], 'nothing is forgiven where something is met');
});

test('a term that is a word itself does not hide what was meant', (t) => {
  const shelf = new Shelf(t);
  shelf.add('artist', 'Ben Klock', [], 200);
  shelf.add('artist', 'Jan Klok', [], 2);
  assert.deepEqual(shelf.names('ben klok'), ['Ben Klock']);
  assert.deepEqual(shelf.names('klok'), ['Jan Klok']);
});

test('typos: one edit, and no other', () => {
  const made = new Set(oneEditVariants('abcd'));
  for (const meant of [
    'abcde',
    'zabcd',
    'abxcd',
    'bcd',
    'abc',
    'acd',
    'xbcd',
    'abcx',
    'bacd',
    'abdc',
    'abcd0',
  ])
    assert.ok(made.has(meant), meant);
  for (const other of ['abcd', 'ab', 'abcdef', 'dbca', 'абcd']) assert.ok(!made.has(other), other);
  assert.equal(oneEditVariants('電気グル').length, 4 + 3);
});

test('a hit has exactly the fields of the contract, in its order', (t) => {
  const shelf = new Shelf(t);
  shelf.event('Sample Night', Date.parse('2026-12-31T22:00:00Z'));
  shelf.add('venue', 'Sample Hall');
  for (const json of openSearch(shelf.sqlite).search('sample', 10, now)) {
    const hit = JSON.parse(withBaseUrl(json, 'https://example.org/cb')) as Hit;
    assert.deepEqual(schemas.SearchHit.parse(hit), hit);
    assert.deepEqual(Object.keys(hit), Object.keys(schemas.SearchHit.shape));
    assert.equal(hit.url, `https://example.org/cb/${hit.type}s/${hit.slug}`);
  }
  assert.deepEqual(shelf.find('sample night')[0], {
    type: 'event',
    slug: 'r1',
    name: 'Sample Night',
    matched: 'Sample Night',
    city: 'Berlin',
    country: 'DE',
    start_at: '2026-12-31T22:00:00Z',
    image_url: null,
    url: '\u0001/events/r1',
  });
});

test('no text breaks it, and none is an operator', (t) => {
  const shelf = new Shelf(t);
  for (const name of ['And', 'Near', 'Not Or', 'Anderson', 'Terms', 'Ben Klock', '!!!'])
    shelf.add('artist', name);
  const hostile = [
    '',
    ' ',
    '\t\n\u00a0\u3000',
    '\0',
    'ben\0klock',
    '\ud800',
    'ben \udc00klock',
    '"',
    '""',
    '"ben',
    "'; DROP TABLE names; --",
    '*',
    'ben*',
    '(ben',
    'ben)',
    '^ben',
    'terms:ben',
    '{terms}: ben',
    'ben AND',
    'AND',
    'NOT ben',
    'NEAR(ben klock, 2)',
    'ben + klock',
    '- ben',
    '\ue000ben',
    '%_[]\\',
    'a'.repeat(10_000),
    'ab '.repeat(5_000),
    'ä\u0301'.repeat(5_000),
    'ﷺ'.repeat(300),
    '👩‍👩‍👧'.repeat(100),
    '\u202eben klock',
    '𞤀𞤁 𞤂𞤃',
    '１２３ ④⑤',
    '\u0130stanbul',
    'constructor __proto__',
  ];
  for (const q of hostile) {
    const found = shelf.names(q);
    assert.deepEqual(shelf.names(q), found, `the same again: ${JSON.stringify(q.slice(0, 40))}`);
  }
  assert.deepEqual(shelf.names('AND'), ['And', 'Anderson']);
  assert.deepEqual(shelf.names('ben AND klock'), []);
  assert.deepEqual(shelf.names('NOT'), ['Not Or']);
  assert.deepEqual(shelf.names('ben*'), ['Ben Klock']);
  assert.deepEqual(shelf.names('"ben" (klock)'), ['Ben Klock']);
  assert.deepEqual(shelf.names('terms:ben'), []);
  assert.deepEqual(shelf.names('ben\0klock'), ['Ben Klock']);
  assert.deepEqual(shelf.names('ben \udc00klock'), ['Ben Klock']);
  assert.deepEqual(shelf.names('NEAR'), ['Near']);
});
