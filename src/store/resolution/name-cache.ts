/**
 * Caches the records found by name. A name that a new record adds is added to the results: records of many common names
 * would clear them all, one after the other.
 */
import type { Kind } from '../../contract/fields.ts';
import { getOrCreate } from '../../memoize.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import type { ChangedNames } from '../search/name-index.ts';
import type { NameMatch } from './removed-records.ts';

/** Kinds with hundreds of look-ups per record: line-ups, tracklists, rosters, aliases. */
const cachedKinds = ['artist', 'festival', 'label', 'venue'] as const;
export type CachedKind = (typeof cachedKinds)[number];

/** Maximum number of names in each cache. */
const maxCachedNames = 50_000;
/** Maximum number of rows read for a name, those of the oldest records. */
export const maxRowsPerName = 100;

/** The records of a name, without their places. */
type FoundNames = { matches: readonly NameMatch[]; rowCount: number; youngest: number };

/** Removes duplicate records and sorts: names before aliases, then by age. */
export function dedupeMatches(matches: readonly NameMatch[]): NameMatch[] {
  const sorted = matches.toSorted((a, b) => a.is_alias - b.is_alias || a.id - b.id);
  const ids = new Set<number>();
  return sorted.filter(({ id }) => !ids.has(id) && ids.add(id));
}

/** Removes duplicates like `dedupeMatches`; lists of up to one match are returned as they are. */
export const distinctMatches = (matches: NameMatch[]): NameMatch[] =>
  matches.length < 2 ? matches : dedupeMatches(matches);

const toFound = (rows: NameMatch[]): FoundNames => ({
  matches: distinctMatches(rows),
  rowCount: rows.length,
  youngest: rows.reduce((youngest, { id }) => Math.max(youngest, id), 0),
});

/**
 * What a look-up finds after a new record got the name.
 * @returns null if it must be read again
 */
function withRecord(result: FoundNames, id: number, isAlias: 0 | 1): FoundNames | null {
  const { matches, rowCount, youngest } = result;
  // Younger records are not among the first that have the name.
  if (rowCount >= maxRowsPerName) return id > youngest ? result : null;
  if (id <= youngest) return null;
  const match: NameMatch = { id, is_alias: isAlias, country: null, city_id: null };
  const at = isAlias === 1 ? matches.length : matches.findIndex(({ is_alias }) => is_alias === 1);
  const all = at < 0 ? [...matches, match] : matches.toSpliced(at, 0, match);
  return { matches: all, rowCount: rowCount + 1, youngest: id };
}

/** Texts that SQLite would read otherwise from JSON than as a bound value. */
const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * Looks up many texts in one statement and caches the results, as far as the cache has room.
 * @param read returns rows that begin with the position of their text in the JSON array
 */
function prefetch<T, C>(
  cache: Map<string, C>,
  texts: readonly string[],
  read: (json: string) => unknown[],
  { toMatch, finish }: { toMatch: (row: unknown[]) => T; finish: (matches: T[]) => C },
): void {
  const newTexts = [...new Set(texts.filter((text) => !cache.has(text) && isPlainText(text)))];
  if (newTexts.length === 0 || cache.size + newTexts.length > maxCachedNames) return;
  const matches: T[][] = newTexts.map(() => []);
  for (const row of read(JSON.stringify(newTexts)) as unknown[][])
    matches[row[0] as number]?.push(toMatch(row));
  for (const [at, text] of newTexts.entries()) {
    const own = matches[at] as T[];
    // With more, single look-ups decide which are used.
    if (own.length < maxRowsPerName) cache.set(text, finish(own));
  }
}

function memoized<T>(cache: Map<string, T>, key: string, find: () => T): T {
  if (cache.size >= maxCachedNames && !cache.has(key)) cache.clear();
  return getOrCreate(cache, key, find);
}

/** Whether look-ups by the names of a kind are cached. */
export const isCached = (kind: Kind): kind is CachedKind => (cachedKinds as readonly Kind[]).includes(kind);

let lastVersion = 0;

/** The caches of one kind. */
class KindCache {
  readonly byName = new Map<string, FoundNames>();
  readonly byWords = new Map<string, number[]>();
}

/**
 * The caches of look-ups by name for one connection. Call `onChanged` for each name that is written, and
 * after a rollback.
 */
export class NameCache {
  readonly #kinds: Record<CachedKind, KindCache> = {
    artist: new KindCache(),
    festival: new KindCache(),
    label: new KindCache(),
    venue: new KindCache(),
  };
  readonly #primaryArtists = new Map<string, boolean>();
  #primaryVersion = lastVersion++;

  /** Changes when a result of `isPrimaryArtist` may have changed; no two caches have the same number. */
  get primaryVersion(): number {
    return this.#primaryVersion;
  }

  /** Whether an artist has this folded name as its primary name. */
  isPrimaryArtist(folded: string, find: () => boolean): boolean {
    if (this.#primaryArtists.size >= maxCachedNames && !this.#primaryArtists.has(folded))
      this.#clearPrimary();
    return getOrCreate(this.#primaryArtists, folded, find);
  }

  /** The records of a folded name, found with `read`. */
  byName(kind: CachedKind, folded: string, read: () => NameMatch[]): readonly NameMatch[] {
    return memoized(this.#kinds[kind].byName, folded, () => toFound(read())).matches;
  }

  /** The records whose name has these words, found with `read`. */
  byWords(kind: CachedKind, words: string, read: () => number[]): number[] {
    return memoized(this.#kinds[kind].byWords, words, read);
  }

  /** Reads the records of many folded names with one call of `read`, which returns [position, record, is_alias]. */
  prefetchByName(kind: CachedKind, folded: readonly string[], read: (json: string) => unknown[]): void {
    const toMatch = ([, id, is_alias]: unknown[]): NameMatch =>
      ({ id, is_alias, country: null, city_id: null }) as NameMatch;
    prefetch(this.#kinds[kind].byName, folded, read, { toMatch, finish: toFound });
  }

  /** The same for words; `read` returns [position, record]. */
  prefetchByWords(kind: CachedKind, words: readonly string[], read: (json: string) => unknown[]): void {
    prefetch(this.#kinds[kind].byWords, words, read, {
      toMatch: ([, id]) => id as number,
      finish: (ids) => ids,
    });
  }

  /** Updates the results for names that were written; null: any names may have changed, for example after a rollback. */
  onChanged(change: ChangedNames | null): void {
    if (change === null) {
      for (const { byName, byWords } of Object.values(this.#kinds)) {
        byName.clear();
        byWords.clear();
      }
      this.#clearPrimary();
    } else if (isCached(change.kind)) {
      const { kind, record, names, added } = change;
      if (added === null) for (const name of names) this.#forget(kind, name);
      else
        for (const { name, folded, is_alias } of added) this.#add(kind, record, { name, folded, is_alias });
    }
  }

  #forget(kind: CachedKind, name: string): void {
    const { byName, byWords } = this.#kinds[kind];
    const folded = fold(name);
    byName.delete(folded);
    byWords.delete(normalizeForSearch(name));
    if (kind === 'artist') this.#forgetPrimary(folded);
  }

  #add(
    kind: CachedKind,
    record: number,
    { name, folded, is_alias }: { name: string; folded: string; is_alias: 0 | 1 },
  ): void {
    const { byName, byWords } = this.#kinds[kind];
    const cached = byName.get(folded);
    const updated = cached === undefined ? undefined : withRecord(cached, record, is_alias);
    if (updated === null) byName.delete(folded);
    else if (updated !== undefined) byName.set(folded, updated);
    if (is_alias === 0) byWords.delete(normalizeForSearch(name));
    // A further alias makes no name a primary one.
    const isUnchanged = is_alias === 1 && this.#primaryArtists.get(folded) === false;
    if (kind === 'artist' && !isUnchanged) this.#forgetPrimary(folded);
  }

  #forgetPrimary(folded: string): void {
    if (this.#primaryArtists.delete(folded)) this.#primaryVersion = lastVersion++;
  }

  #clearPrimary(): void {
    this.#primaryArtists.clear();
    this.#primaryVersion = lastVersion++;
  }
}
