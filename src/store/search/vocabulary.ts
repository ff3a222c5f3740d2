/** The terms of the full-text index, one row per occurrence. */
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { memoizeByObject } from '../../memoize.ts';
import { countedChangesOf } from '../counted-changes.ts';
import { prepareValue } from '../statement.ts';

/**
 * The table of occurrences. Unlike `search_terms`, it yields the first occurrence of a term without counting all of
 * them, which takes milliseconds for a word of many names. So a query has to stop at the first row.
 */
export const termOccurrences = 'search_term_occurrences';

/** Creates the table of occurrences on a connection. It is temporary, so the data file may be read-only. */
export function openTermOccurrences(sqlite: Database.Database): void {
  const isQueryOnly = sqlite.pragma('query_only', { simple: true }) === 1;
  // Otherwise SQLite refuses to create temporary tables too.
  if (isQueryOnly) sqlite.pragma('query_only = OFF');
  try {
    sqlite.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${termOccurrences} USING fts5vocab (main, name_search, instance)`,
    );
  } finally {
    if (isQueryOnly) sqlite.pragma('query_only = ON');
  }
}

/** Greater than every character of a term except the name start mark. */
export const highestCharacter = '\uDBFF\uDFFF';

/** The full-text index has an index of prefixes up to this length. */
const maxIndexedPrefix = 3;
/** More words are looked up as a prefix, which is slower. */
const maxCompletions = 40;
/** Prefixes in memory: questions share words, and the end of a word of many names takes long to find. */
const maxCachedPrefixes = 5_000;

/** Lists the terms that begin with a text. */
export class TermPrefixes {
  readonly #next: Database.Statement<[string, string], string>;
  readonly #sqlite: Database.Database;
  /** The revision of the catalogue and the changes of this connection, without the given number of them. */
  readonly #state;
  readonly #cached = new LRUCache<string, { terms: string[] | null }>({ max: maxCachedPrefixes });
  #cachedAt = '';

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    openTermOccurrences(sqlite);
    this.#next = sqlite
      .prepare<[string, string], string>(
        `SELECT term FROM ${termOccurrences} WHERE term >= ? AND term < ? LIMIT 1`,
      )
      .pluck();
    // Changes of this connection that are not committed count too.
    this.#state = prepareValue<string>(
      sqlite,
      "SELECT revision || ' ' || (total_changes() - ?) FROM catalogue",
    );
  }

  /**
   * The terms that begin with the text, in order; null if there are many, or if the full-text index has the prefix
   * itself. An expression that lists them is faster than one with a prefix: FTS5 seeks in the names of a term, but
   * collects all names of a prefix before it returns the first.
   */
  completions(text: string): string[] | null {
    if ([...text].length <= maxIndexedPrefix) return null;
    const state = this.#state.one(countedChangesOf(this.#sqlite));
    if (state !== this.#cachedAt) this.#cached.clear();
    this.#cachedAt = state;
    const cached = this.#cached.get(text) ?? { terms: this.#find(text) };
    this.#cached.set(text, cached);
    return cached.terms;
  }

  #find(text: string): string[] | null {
    const terms: string[] = [];
    const end = text + highestCharacter;
    // The lowest text after a term is the term with the lowest character behind it.
    for (let from = text; ; from = `${terms.at(-1)}\u0001`) {
      const term = this.#next.get(from, end);
      if (term === undefined) return terms;
      if (terms.length === maxCompletions) return null;
      terms.push(term);
    }
  }
}

/** The terms of a connection's index: all searches on it share what they found. */
export const termPrefixesOf = memoizeByObject((sqlite: Database.Database) => new TermPrefixes(sqlite));
