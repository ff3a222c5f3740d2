/** Different questions to the agent tools, from names of the data file: no two of a group are the same. */
import Database from 'better-sqlite3';
import { Random } from './random.ts';

/** One call of a tool. */
export type Question = { tool: string; given: Record<string, unknown> };
/** A group of questions of one sort, by its title. */
export type QuestionGroups = Record<string, Question[]>;

type Names = {
  artists: string[];
  venues: { venue: string; city: string }[];
  cities: string[];
  genres: string[];
  events: string[];
};

const times = [
  'this weekend',
  'tomorrow',
  'next week',
  'this month',
  'next month',
  'in december',
  'on friday',
];
const unknownWords =
  'ploranta kivesso zubrantik moelwyn drethaxis vunqua hesperat olkamira tranvek ysolde'.split(' ');

/**
 * Returns groups of different questions.
 * @param path the data file
 * @param count questions per group, at most; a group of few names has fewer
 */
export function differentQuestions(path: string, count: number): QuestionGroups {
  const names = readNames(path, count);
  const random = new Random(17);
  const { artists, venues, cities, genres, events } = names;
  const search = (given: Record<string, unknown>): Question => ({ tool: 'search_events', given });
  const words = () => Array.from({ length: 2 }, () => random.pick(unknownWords)).join(' ');
  const groups: QuestionGroups = {
    'search_events: city': cities.map((city) => search({ city })),
    'search_events: city, genre, time': fill(count, () =>
      search({ city: random.pick(cities), genre: random.pick(genres), from: random.pick(times) }),
    ),
    'search_events: genre in city, text': fill(count, () =>
      search({ query: `${random.pick(genres)} in ${random.pick(cities)} ${random.pick(times)}` }),
    ),
    'search_events: event name': events.map((query) => search({ query })),
    'search_events: two words of a name': events.map((name) => search({ query: twoWords(name, random) })),
    'search_events: artist, text': artists.map((query) => search({ query })),
    'search_events: artist with a typo': artists.map((name) => search({ query: mistyped(name, random) })),
    'search_events: unknown words': fill(count, (at) => search({ query: `${words()} ${wordOf(at)}` })),
    artist_info: artists.map((artist) => ({ tool: 'artist_info', given: { artist } })),
    'artist_info: typo': artists.map((name) => ({
      tool: 'artist_info',
      given: { artist: mistyped(name, random) },
    })),
    artist_upcoming_events: artists.map((artist) => ({ tool: 'artist_upcoming_events', given: { artist } })),
    venue_upcoming_events: venues.map((given) => ({ tool: 'venue_upcoming_events', given })),
  };
  return Object.fromEntries(
    Object.entries(groups).map(([title, questions]) => [title, different(questions).slice(0, count)]),
  );
}

const fill = (count: number, make: (at: number) => Question): Question[] =>
  Array.from({ length: count * 2 }, (_, at) => make(at));

const different = (questions: readonly Question[]): Question[] => [
  ...new Map(questions.map((question) => [JSON.stringify(question), question])).values(),
];

/** A word that no record has: a number in letters. */
const wordOf = (at: number): string =>
  `qx${[...String(at)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}`;

function twoWords(name: string, random: Random): string {
  const words = name.split(/\s+/u);
  if (words.length < 3) return name;
  const at = random.whole(0, words.length - 2);
  return words.slice(at, at + 2).join(' ');
}

/** Swaps two letters, drops one or doubles one. */
function mistyped(name: string, random: Random): string {
  const at = random.whole(1, Math.max(1, name.length - 2));
  const kind = random.whole(0, 2);
  if (kind === 0) return name.slice(0, at) + name.slice(at + 1);
  if (kind === 1) return name.slice(0, at) + name.charAt(at) + name.slice(at);
  return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
}

/** Reads names from all over the file: one after each of evenly spread ids. */
function readNames(path: string, count: number): Names {
  const sqlite = new Database(path, { readonly: true });
  try {
    const spread = <T>(sql: string, table: string, where = ''): T[] => {
      const { low, high } = sqlite
        .prepare(`SELECT min(id) AS low, max(id) AS high FROM ${table} ${where}`)
        .get() as { low: number; high: number };
      const next = sqlite.prepare(`${sql} LIMIT 1`);
      const steps = Array.from({ length: count }, (_, at) => low + Math.floor(((high - low) * at) / count));
      return steps.flatMap((id) => (next.get(id) as T | undefined) ?? []);
    };
    const name = ({ name: text }: { name: string }) => text;
    return {
      artists: spread<{ name: string }>('SELECT name FROM artists WHERE id >= ? ORDER BY id', 'artists').map(
        name,
      ),
      venues: spread(
        'SELECT name AS venue, city FROM venues WHERE id >= ? AND city IS NOT NULL ORDER BY id',
        'venues',
      ),
      events: spread<{ name: string }>('SELECT name FROM events WHERE id >= ? ORDER BY id', 'events').map(
        name,
      ),
      cities: (sqlite.prepare('SELECT name FROM cities ORDER BY id').all() as { name: string }[]).map(name),
      genres: (sqlite.prepare('SELECT name FROM genres ORDER BY id').all() as { name: string }[]).map(name),
    };
  } finally {
    sqlite.close();
  }
}
