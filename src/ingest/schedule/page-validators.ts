/** What is remembered of a source's pages from one run to the next, so that only what changed is asked for. */

import type { CacheValidator, ValidatorStore } from '../../sources/common/opener.ts';
import type { SourcePageRow } from '../../store/schedule/schedules.ts';

/** Validators of the last finished run, and those of this one. */
export class PageValidators implements ValidatorStore {
  readonly #previous: ReadonlyMap<string, CacheValidator>;
  readonly #current = new Map<string, CacheValidator>();
  /** The pages whose content arrived, be it in part. */
  readonly #read = new Set<string>();

  constructor(pages: readonly SourcePageRow[]) {
    this.#previous = new Map(
      pages.map(({ page, etag, last_modified }) => [page, { etag, lastModified: last_modified }]),
    );
  }

  get(key: string): CacheValidator | null {
    const known = this.#previous.get(key) ?? null;
    // Asked for again, and so still a page of the source: what changed is put afterwards.
    if (known !== null) this.#current.set(key, known);
    return known;
  }

  previousKeys(): string[] {
    return [...this.#previous.keys()];
  }

  put(key: string, validator: CacheValidator): void {
    this.#read.add(key);
    if (validator.etag !== null || validator.lastModified !== null) this.#current.set(key, validator);
    else this.#current.delete(key);
  }

  /** What to keep of a run that was finished: of pages that did not change, what it was. */
  rowsAfterSuccess(): SourcePageRow[] {
    return [...this.#current].map(toPageRow);
  }

  /**
   * What to keep of a run that was not: as it was before, but of what was read. Should a page be again what it was before
   * that, the catalogue is not.
   */
  rowsAfterFailure(): SourcePageRow[] {
    return [...this.#previous].filter(([page]) => !this.#read.has(page)).map(toPageRow);
  }

  /** The pages that said that they did not change. */
  unchanged(): string[] {
    return [...this.#current.keys()].filter((page) => !this.#read.has(page));
  }
}

const toPageRow = ([page, { etag, lastModified }]: [string, CacheValidator]): SourcePageRow => ({
  page,
  etag,
  last_modified: lastModified,
});
