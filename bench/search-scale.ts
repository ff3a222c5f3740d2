/**
 * Measures the processor time of searches by name: `node --import tsx bench/search-scale.ts FILE [events artists]`. A file
 * that exists is not changed; otherwise one of many names is made. The first asking of each query counts, and the longest
 * time that one held the event loop.
 */
import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { openSearch } from '../src/catalogue/search.ts';
import { openDatabase } from '../src/store/database.ts';
import { CatalogueReader } from '../src/store/reader.ts';
import { openNameIndexWriter } from '../src/store/search/name-index.ts';
import { readBenchOptions } from './options.ts';

const usage = `node --import tsx bench/search-scale.ts [FILE] [EVENTS] [ARTISTS]
  FILE     a data file, which is not changed (/tmp/search-scale.db); one that is missing is made
  EVENTS   number of events of a new file (1000000)
  ARTISTS  number of artists of a new file (300000)`;
const { positionals } = readBenchOptions(usage, { allowPositionals: true });
const path = positionals[0] ?? '/tmp/search-scale.db';
const events = Number(positionals[1] ?? 1_000_000);
const artists = Number(positionals[2] ?? 300_000);

let seed = 42;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
/** Few of a list often, many of it seldom, as words and artists are. */
const skewed = <T>(list: readonly T[]): T => list[Math.floor(list.length * random() ** 3)] as T;
const starts =
  'b br c ch d dj dr f fr g gr h j k kl kr l m n p pr r s sch sh st t th tr v w z y a e i o u'.split(' ');
const middles = 'a e i o u ai au ei ie oo ou ae y'.split(' ');
const ends = 'n r l s t k m ck nn tt rt ns lo ra ny xx z d g f th  '.split(' ');
const syllable = () => pick(starts) + pick(middles) + (random() < 0.6 ? pick(ends) : '');
const word = () => syllable() + (random() < 0.75 ? syllable() : '') + (random() < 0.2 ? syllable() : '');
const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const given = Array.from({ length: 4000 }, () => title(word()));
const family = Array.from({ length: 150_000 }, () => title(word()));
const common =
  'techno house night party club presents festival open air label live the with and klubnacht opening closing session warehouse records showcase all long birthday summer winter rave sample'.split(
    ' ',
  );

function fill(): void {
  const sqlite = openDatabase(path, { create: true });
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('cache_size = -400000');
  const names = openNameIndexWriter(sqlite);
  names.startBuffering();
  const record = sqlite.prepare('INSERT INTO records (id, kind, revision) VALUES (?, ?, 1)');
  const artist = sqlite.prepare(
    'INSERT INTO artists (id, slug, name, folded, updated_ts) VALUES (?, ?, ?, ?, 0)',
  );
  const event = sqlite.prepare(
    "INSERT INTO events (id, slug, start_ts, start_date, ends_ts, item_json, name, start_at, updated_ts) VALUES (?, ?, ?, 20200101, ?, '{}', ?, '2020-01-01T00:00:00Z', 0)",
  );
  const acts: string[] = [];
  const all = artists + events;
  for (let from = 1; from <= all; from += 20_000) {
    sqlite.transaction(() => {
      for (let id = from; id < from + 20_000 && id <= all; id++) {
        if (id <= artists) {
          const shape = random();
          const name =
            shape < 0.35
              ? skewed(family)
              : shape < 0.45
                ? `DJ ${skewed(family)}`
                : `${skewed(given)} ${skewed(family)}`;
          acts.push(name);
          record.run(id, 'artist');
          artist.run(id, `artist-${id}`, name, name.toLowerCase());
          names.write('artist', id, name, random() < 0.1 ? [skewed(family)] : [], {
            prominence: random() < 0.5 ? 0 : Math.floor(1 / (random() + 0.0005)),
          });
        } else {
          const shape = random();
          const act = () => skewed(acts);
          const name =
            shape < 0.2
              ? title(pick(common))
              : shape < 0.6
                ? `${title(pick(common))} ${pick(common)} ${act()}`
                : `${act()}, ${act()} & ${act()}`;
          const startTs = Date.UTC(2006, 0, 1) + Math.floor(random() * 21 * 365) * 86_400_000;
          record.run(id, 'event');
          event.run(id, `event-${id}`, startTs, startTs + 43_200_000, name);
          names.write('event', id, name, [], { startTs });
        }
      }
      names.flush();
    })();
  }
  for (let more = names.mergeSegments(true); more; ) more = names.mergeSegments(false);
  sqlite.prepare('UPDATE catalogue SET max_event_duration_ms = ?').run(4 * 86_400_000);
  sqlite.close();
}

if (!existsSync(path)) {
  const start = performance.now();
  fill();
  process.stdout.write(`filled in ${Math.round(performance.now() - start)} ms\n`);
}

/** Processor time and time that passed, ms. */
type Spent = { q: string; cpu: number; wall: number };
const all: Spent[] = [];
const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(2).padStart(7);

/** Prints p50, p99 and the worst of the queries, ms of processor time, with one of the worst. */
function measure(label: string, queries: readonly string[], search: (q: string) => string[]): void {
  let hits = 0;
  const spent = queries.map((q): Spent => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    hits += search(q).length;
    const { user, system } = process.cpuUsage(before);
    return { q, cpu: (user + system) / 1_000, wall: performance.now() - start };
  });
  all.push(...spent);
  spent.sort((a, b) => a.cpu - b.cpu);
  const cpu = spent.map((one) => one.cpu);
  process.stdout.write(
    `${label.padEnd(26)} p50 ${at(cpu, 0.5)} p99 ${at(cpu, 0.99)} worst ${at(cpu, 1)} (${spent.at(-1)?.q.slice(0, 60)}), ${(hits / queries.length).toFixed(1)} hits\n`,
  );
}

/** Event names with the filters that leave most events, as questions of agents read them. */
function measureEvents(sqlite: Database.Database, busy: readonly string[], now: number): void {
  const reader = new CatalogueReader(sqlite);
  const busiest = (table: string, column: string) =>
    sqlite
      .prepare(
        `SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
      )
      .pluck()
      .get() as never;
  const filters = {
    artist: { artist: busiest('event_artists', 'artist_id') },
    venue: { venue: busiest('events', 'venue_id') },
    city: { cityId: busiest('events', 'city_id') },
    genre: { genre: busiest('event_genres', 'genre_id') },
    country: { country: busiest('events', 'country') },
  };
  const pairs = busy.flatMap((one) => [one, `${one} ${pick(busy)}`, `${one} ${pick(busy).slice(0, 1)}`]);
  for (const [name, filter] of Object.entries(filters)) {
    if (Object.values(filter)[0] === undefined) continue;
    for (const [when, times] of [
      ['upcoming', { upcomingAt: now }],
      ['past', { pastAt: now }],
    ] as const)
      measure(`events, ${name}, ${when}`, pairs, (q) =>
        reader.eventNames.find(q, { ...filter, ...times }, 51, when === 'past'),
      );
  }
}

function run(): void {
  const sqlite = openDatabase(path, { create: false });
  sqlite.pragma('query_only = ON');
  // As the service has it.
  sqlite.pragma('cache_size = -16000');
  const now = sqlite.prepare('SELECT max(start_ts) - 120 * 86400000 FROM events').pluck().get() as number;
  const names = sqlite
    .prepare('SELECT name FROM names WHERE record_id % 1009 = 7 ORDER BY record_id')
    .pluck()
    .all() as string[];
  const words = [...new Set(names.flatMap((name) => name.toLowerCase().split(/[^a-z]+/)))].filter(Boolean);
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const some = <T>(list: readonly T[]) => Array.from({ length: 300 }, () => pick(list));
  const typo = (word: string) => {
    const at = Math.floor(random() * word.length);
    return word.slice(0, at) + pick(letters) + word.slice(at + (random() < 0.5 ? 1 : 0));
  };
  const long = words.filter((one) => one.length > 3);
  const busy = sqlite
    .prepare('SELECT term FROM search_terms WHERE term < char(57344) ORDER BY doc DESC LIMIT 40')
    .pluck()
    .all() as string[];
  const unknown = () => `qx${pick(long)}xq`;
  const signs = [...'電気音楽祭東京大阪夜派对🎉🔥🪩'];
  for (const limit of [10, 50]) {
    const search = openSearch(sqlite);
    while (!search.loadWords());
    const ask = (q: string) => search.search(q, limit, now);
    process.stdout.write(`limit ${limit}\n`);
    measure('first ever', ['a'], ask);
    measure('one letter', some(letters), ask);
    measure(
      'two letters',
      letters.flatMap((a) => letters.map((b) => a + b)),
      ask,
    );
    measure(
      'three letters',
      some(long).map((one) => one.slice(0, 3)),
      ask,
    );
    measure(
      'four letters',
      some(long).map((one) => one.slice(0, 4)),
      ask,
    );
    measure('full word', some(long), ask);
    measure('common word, a typo', some(busy).map(typo), ask);
    measure(
      'six unknown words',
      some(long).map(() => Array.from({ length: 6 }, unknown).join(' ')),
      ask,
    );
    measure(
      '100 words',
      some(long).map(() => some(words).slice(0, 100).join(' ')),
      ask,
    );
    measure(
      'CJK, emoji',
      some(signs).map((sign) => `${sign}${pick(signs)} ${random() < 0.5 ? pick(words) : ''}`),
      ask,
    );
    for (const type of ['label', 'festival', 'event'] as const)
      measure(
        `only ${type}: beginnings`,
        some(words).map((one) => one.slice(0, 1 + Math.floor(random() * 5))),
        (q) => search.search(q, limit, now, [type]),
      );
    measure('common word', busy, ask);
    measure('whole name', some(names), ask);
    measure(
      'two words',
      some(words).map((one) => `${one} ${pick(words)}`),
      ask,
    );
    measure(
      'two common words',
      some(busy).map((one) => `${one} ${pick(busy)}`),
      ask,
    );
    measure(
      'two beginnings',
      some(letters).map((one) => `${one} ${pick(letters)}`),
      ask,
    );
    measure('one typo', some(long).map(typo), ask);
    measure(
      'typo in a name',
      some(names).map((name) =>
        name
          .split(' ')
          .map((one, at) => (at === 0 ? typo(one) : one))
          .join(' '),
      ),
      ask,
    );
    measure(
      'typo, last cut',
      some(names).map((name) => typo(name.slice(0, Math.max(4, name.length - 3)))),
      ask,
    );
    measure(
      'nonsense',
      some(long).map((one) => `qx${one}xq ${one}`),
      ask,
    );
    measure(
      'many words',
      some(long).map(() => some(long).slice(0, 16).join(' ')),
      ask,
    );
    measure(
      'many common words',
      some(long).map(() => some(busy).slice(0, 16).map(typo).join(' ')),
      ask,
    );
  }
  measureEvents(sqlite, busy, now);
  sqlite.close();
  const sorted = (part: 'cpu' | 'wall') => all.map((one) => one[part]).sort((a, b) => a - b);
  const cpu = sorted('cpu');
  process.stdout.write(
    `\nall ${all.length}: processor time p50 ${at(cpu, 0.5)} p99 ${at(cpu, 0.99)} max ${at(cpu, 1)} ms; event loop held for ${at(sorted('wall'), 1)} ms at most\n`,
  );
}

run();
