/** Records the statements that run on a connection with their values, and judges their query plans. */
import type Database from 'better-sqlite3';

/** A statement that ran, with the values it was bound to. */
export type RanStatement = { text: string; values: unknown[] };

/** Wraps a connection, so that the statements that read through it are recorded. */
export function recordStatements(sqlite: Database.Database) {
  const ran = new Map<string, RanStatement>();
  const connection = new Proxy(sqlite, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (text: string) => {
        const statement = target.prepare(text);
        for (const method of ['all', 'get', 'iterate'] as const) {
          const own = statement[method].bind(statement) as (...values: unknown[]) => unknown;
          Object.assign(statement, {
            [method]: (...values: unknown[]) => {
              ran.set(text, { text, values });
              return own(...values);
            },
          });
        }
        return statement;
      };
    },
  });
  /** Returns what ran since the last call. */
  const take = (): RanStatement[] => {
    const all = [...ran.values()];
    ran.clear();
    return all;
  };
  return { connection, take };
}

/** Returns the steps of the plan of a statement with its values. */
export const planOf = (sqlite: Database.Database, { text, values }: RanStatement): string[] =>
  (sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[]).map(
    ({ detail }) => detail,
  );

/** Tables and names of a plan that do not grow with the catalogue. */
const smallSources: readonly [pattern: RegExp, reason: string][] = [
  [/^SCAN (?:\w+ )?CONSTANT ROW/, 'a row of values'],
  [/^SCAN \w+ (?:EXISTS )?VIRTUAL TABLE INDEX [1-9]/, 'json_each or fts5vocab with a bound'],
  [/^SCAN \w+ VIRTUAL TABLE INDEX 0:\S+/, 'a full-text match'],
  [/^SCAN catalogue$/, 'one row'],
  [/^SCAN (?:days|regions|[ru]|\(subquery-\d+\))$/, 'the rows of a subquery that has a limit'],
];

/** Why a sort is right: it sorts few rows, and no index gives their order. */
const allowedSorts: readonly [pattern: RegExp, reason: string][] = [
  [
    /\bid"? in \(select value from json_each\(\?\)\)/i,
    'ids that the request names, or at most 2,000 that an index found',
  ],
  [/from json_each\(\?\) j\s+(?:cross join artist_genres|order by j\.key)/, 'the artists of one page'],
  [/from names n indexed by names_by_folded/, 'names that equal a text of symbols, which are few'],
  [/json_group_array\(.* order by /, 'the artists of one episode or track'],
  [/"id" in \(select "genre_id" from "artist_genres"/, 'the genres of one artist'],
  [
    /^select w\.start_ts, w\.id from events w indexed by events_by_update_time/,
    'fewer than 4,000 events that changed',
  ],
  [/from "festival_genres"/, 'the genres of one festival'],
  [/"id" in \(select "artist_id" from "label_artists"/, 'the roster of one label'],
  [/^select distinct \S+ from .* limit \?$/is, 'at most 2,001 ids'],
];

/** Scans of whole indexes without a limit. */
const allowedCounts: readonly [pattern: RegExp, reason: string][] = [
  [
    /^\s*select\s+\(select count\(\*\) from artists\)/,
    'GET /stats counts the entries of a small index of each table',
  ],
];

/**
 * Returns what is wrong with a plan: scans of tables, scans of whole indexes, sorts that an index could give, and look-ups
 * that read another page for each event. A walk along an index ends at the limit of the list, unless that is -1.
 */
export function planFaults({ text, values }: RanStatement, plan: readonly string[]): string[] {
  const isEndless = /\blimit \?$/i.test(text) && values.flat().at(-1) === -1;
  return plan.filter((step, at) => {
    // In the order of one artist or genre, the look-ups of a list are beside each other.
    if (/ EXISTS USING .*_by_event \(event_id=\? AND (?:artist|genre)_id=/.test(step)) return true;
    // The words of names are compared last, before the rows that are shown.
    if (/^SEARCH n EXISTS/.test(step) && /^SEARCH (?!d )/.test(plan[at + 1] ?? '')) return true;
    if (/^SCAN .* USING (?:COVERING )?INDEX/.test(step))
      return (
        isEndless ||
        (!/\blimit\b|\bmin\(/i.test(text) && !allowedCounts.some(([pattern]) => pattern.test(text)))
      );
    if (/^SCAN/.test(step)) return !smallSources.some(([pattern]) => pattern.test(step));
    if (/USE TEMP B-TREE/.test(step)) return !allowedSorts.some(([pattern]) => pattern.test(text));
    return /AUTOMATIC/.test(step);
  });
}
