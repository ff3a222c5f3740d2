/** Reads and caches the rows and names of records that many other records show. */
import type { Kind } from '../../contract/fields.ts';
import { createLruCache } from '../lru-cache.ts';
import type { RecordRow } from '../values.ts';
import type { KindStatements } from './kind-statements.ts';

/** The part of a record that other records show. */
export type DisplayName = { slug: string; name: string; folded: string };

const maxCachedRows = 10_000;
const maxCachedNames = 40_000;

/** The row cache of a writer. Every write of a record must evict it, and every rollback clear the cache. */
export class RecordRows {
  readonly #kinds: Record<Kind, KindStatements>;
  readonly #rows = createLruCache<number, RecordRow>(maxCachedRows);
  readonly #names = createLruCache<number, DisplayName>(maxCachedNames);

  constructor(kinds: Record<Kind, KindStatements>) {
    this.#kinds = kinds;
  }

  /** The stored row of a record; undefined if it has none. */
  row(kind: Kind, id: number): RecordRow | undefined {
    const cached = this.#rows.get(id);
    if (cached !== undefined) return cached;
    const row = this.#kinds[kind].find.get(id) as RecordRow | undefined;
    // Events and episodes are too many to cache, and no other record shows them.
    if (row !== undefined && kind !== 'event' && kind !== 'episode') this.#rows.set(id, row);
    return row;
  }

  /** The display name of a record whose kind has folded names; undefined if it has no row. */
  displayName(kind: Exclude<Kind, 'event' | 'edition'>, id: number): DisplayName | undefined {
    const cached = this.#names.get(id);
    if (cached !== undefined) return cached;
    const row = this.#kinds[kind].name.get(id) as [string, string, string] | undefined;
    if (row === undefined) return undefined;
    const [slug, name, folded] = row;
    const displayName = { slug, name, folded };
    this.#names.set(id, displayName);
    return displayName;
  }

  /** Forgets a record. */
  evict(id: number): void {
    this.#rows.delete(id);
    this.#names.delete(id);
  }

  /** Forgets all records. */
  clear(): void {
    this.#rows.clear();
    this.#names.clear();
  }
}
