/** Looks up whether the catalogue has a genre, for sources that mix genres with other words. */
import type Database from 'better-sqlite3';
import { fold } from '../../text/fold.ts';

/** Words whose answers are kept: a calendar has few different ones. */
const maxKept = 1_000;

/** Returns a function that says whether a genre has this name or alias. Answers are kept while a source is read. */
export function genreCheck(sqlite: Database.Database): (name: string) => boolean {
  const statement = sqlite
    .prepare(
      "SELECT 1 FROM names n JOIN genres g ON g.id = n.record_id WHERE n.kind = 'genre' AND n.folded = ? LIMIT 1",
    )
    .pluck();
  const cache = new Map<string, boolean>();
  return (name) => {
    const folded = fold(name);
    if (folded === '') return false;
    const before = cache.get(folded);
    if (before !== undefined) return before;
    const isKnown = statement.get(folded) !== undefined;
    if (cache.size < maxKept) cache.set(folded, isKnown);
    return isKnown;
  };
}
