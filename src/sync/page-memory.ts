/** What is remembered of a source's pages from one run to the next, so that only what changed is asked for. */
import type { PageRow } from '../store/schedules.ts';
import type { Validator, Validators } from './sources/open.ts';

/** Validators of the last finished run, and those of this one. */
export class PageMemory implements Validators {
  readonly #before: ReadonlyMap<string, Validator>;
  readonly #now = new Map<string, Validator>();

  constructor(pages: readonly PageRow[]) {
    this.#before = new Map(
      pages.map(({ page, etag, last_modified }) => [page, { etag, lastModified: last_modified }]),
    );
  }

  get(key: string): Validator | null {
    const known = this.#before.get(key) ?? null;
    // Asked for again, and so still a page of the source: what changed is put afterwards.
    if (known !== null) this.#now.set(key, known);
    return known;
  }

  put(key: string, validator: Validator): void {
    if (validator.etag !== null || validator.lastModified !== null) this.#now.set(key, validator);
    else this.#now.delete(key);
  }

  /** What to keep: of pages that did not change, what it was. */
  rows(): PageRow[] {
    return [...this.#now].map(([page, { etag, lastModified }]) => ({
      page,
      etag,
      last_modified: lastModified,
    }));
  }
}
