/** Stores the HTTP validators of a source's pages between runs, so that only changed pages are downloaded. */

import type { CacheValidator, ValidatorStore } from '../../sources/common/opener.ts';
import type { SourcePageRow } from '../../store/schedule/schedules.ts';

/** Validators of the last finished run, and of the current one. */
export class PageValidators implements ValidatorStore {
  readonly #previous: ReadonlyMap<string, CacheValidator>;
  readonly #current = new Map<string, CacheValidator>();
  /** Pages whose content arrived, even partly. */
  readonly #read = new Set<string>();

  constructor(pages: readonly SourcePageRow[]) {
    this.#previous = new Map(
      pages.map(({ page, etag, last_modified }) => [page, { etag, lastModified: last_modified }]),
    );
  }

  /** The validators of the last finished run; null for a page that it did not have. */
  get(key: string): CacheValidator | null {
    const validators = this.#previous.get(key) ?? null;
    // The page still belongs to the source; a changed validator replaces this one later.
    if (validators !== null) this.#current.set(key, validators);
    return validators;
  }

  /** The pages of the last finished run. */
  previousKeys(): string[] {
    return [...this.#previous.keys()];
  }

  /** Stores the validators of a page whose content arrived; a page without any is downloaded again next time. */
  put(key: string, validator: CacheValidator): void {
    this.#read.add(key);
    if (validator.etag !== null || validator.lastModified !== null) this.#current.set(key, validator);
    else this.#current.delete(key);
  }

  /** The rows to store after a finished run; unchanged pages keep their validators. */
  rowsAfterSuccess(): SourcePageRow[] {
    return [...this.#current].map(toPageRow);
  }

  /**
   * The rows to store after a failed run: the previous ones except for pages that were read. Their records may have
   * changed, so a page that returns to its old state must be read again.
   */
  rowsAfterFailure(): SourcePageRow[] {
    return [...this.#previous].filter(([page]) => !this.#read.has(page)).map(toPageRow);
  }

  /** The pages that reported no change. */
  unchanged(): string[] {
    return [...this.#current.keys()].filter((page) => !this.#read.has(page));
  }
}

const toPageRow = ([page, { etag, lastModified }]: [string, CacheValidator]): SourcePageRow => ({
  page,
  etag,
  last_modified: lastModified,
});
