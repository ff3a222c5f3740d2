/** Assigns slugs (docs/spec/slugs.md): minted once, never changed. A slug that was requested for a record comes first. */
import type { Kind } from '../../contract/fields.ts';
import { prepareValue, SqliteStore } from '../statement.ts';

/** `isRestored`: the record also takes the slug from a record that has it only as a former slug. */
type SlugRequest = { slug: string; isRestored: boolean };
/** Returns the present slug of a record. */
type PresentSlug = (id: number) => unknown;

/**
 * Assigns slugs within the transactions of a writer. A renamed record keeps its slug, and slugs of a merged one lead to
 * the survivor.
 */
export class SlugStore extends SqliteStore {
  /** Requested slugs of the records that the current savepoint created, and of the next new record. */
  readonly #requests = new Map<number, SlugRequest>();
  #nextRequest: SlugRequest | null = null;
  readonly #insert = this.sqlite.prepare(
    'INSERT OR IGNORE INTO slugs (kind, slug, record_id) VALUES (?, ?, ?)',
  );
  readonly #countNumbered = prepareValue<number>(
    this.sqlite,
    "SELECT count(*) FROM slugs WHERE kind = ? AND slug >= ? || '-' AND slug < ? || '.'",
  );
  readonly #owner = prepareValue<number>(
    this.sqlite,
    'SELECT record_id FROM slugs WHERE kind = ? AND slug = ?',
  );
  readonly #delete = this.sqlite.prepare('DELETE FROM slugs WHERE kind = ? AND slug = ?');

  /** Requests a slug for the next new record; null takes the request back. */
  requestNext(slug: string | null, isRestored: boolean): void {
    this.#nextRequest = slug === null ? null : { slug, isRestored };
  }

  /** Gives a new record the request for it. */
  onCreated(id: number): void {
    if (this.#nextRequest !== null) this.#requests.set(id, this.#nextRequest);
    this.#nextRequest = null;
  }

  /** Requests a slug for a record. */
  request(id: number, slug: string): void {
    this.#requests.set(id, { slug, isRestored: false });
  }

  /** Forgets all requests. */
  clearRequests(): void {
    this.#requests.clear();
    this.#nextRequest = null;
  }

  /**
   * Assigns the first free slug to the record for good, else the last candidate with -2, -3 … appended. A requested slug
   * comes first.
   */
  mint(kind: Kind, id: number, candidates: readonly string[], presentSlug: PresentSlug): string {
    const request = this.#requests.get(id);
    if (request === undefined) return this.#mintFree(kind, id, candidates);
    const holder = this.ownerOf(kind, request.slug);
    if (holder === id) return request.slug;
    // Release it only if the holder's present slug is another one.
    if (request.isRestored && holder !== null && presentSlug(holder) !== request.slug)
      this.release(kind, request.slug);
    return this.#mintFree(kind, id, [request.slug, ...candidates]);
  }

  #mintFree(kind: Kind, id: number, candidates: readonly string[]): string {
    const free = candidates.find((slug) => this.claim(kind, slug, id));
    if (free !== undefined) return free;
    const stem = candidates.at(-1) as string;
    let number = 2;
    while (number <= 9 && !this.claim(kind, `${stem}-${number}`, id)) number++;
    if (number <= 9) return `${stem}-${number}`;
    // For a frequent name, start at the number of its slugs instead of trying each.
    number = this.#countNumbered.get(kind, stem, stem) ?? 0;
    while (!this.claim(kind, `${stem}-${number}`, id)) number++;
    return `${stem}-${number}`;
  }

  /** Assigns a slug to a record; false if another record has it. */
  claim(kind: Kind, slug: string, id: number): boolean {
    return this.#insert.run(kind, slug, id).changes === 1;
  }

  /** The record that a slug resolves to. */
  ownerOf(kind: Kind, slug: string): number | null {
    return this.#owner.get(kind, slug) ?? null;
  }

  /** Removes a slug from its record. */
  release(kind: Kind, slug: string): void {
    this.#delete.run(kind, slug);
  }

  /** Removes a former slug from its record. Returns false if the record does not own it or uses it as its present one. */
  releaseFormer(kind: Kind, slug: string, from: number, presentSlug: PresentSlug): boolean {
    if (this.ownerOf(kind, slug) !== from || presentSlug(from) === slug) return false;
    this.release(kind, slug);
    return true;
  }
}
