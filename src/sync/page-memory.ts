/** What is remembered of a source's pages from one run to the next, so that only what changed is asked for. */
import type { PageRow } from '../store/schedules.ts';
import type { Validator, Validators } from './sources/open.ts';

/** Validators of the last finished run, and those of this one. */
export class PageMemory implements Validators {
  readonly #before: ReadonlyMap<string, Validator>;
  readonly #now = new Map<string, Validator>();
  /** The pages whose content arrived, be it in part. */
  readonly #read = new Set<string>();

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

  known(): string[] {
    return [...this.#before.keys()];
  }

  put(key: string, validator: Validator): void {
    this.#read.add(key);
    if (validator.etag !== null || validator.lastModified !== null) this.#now.set(key, validator);
    else this.#now.delete(key);
  }

  /** What to keep of a run that was finished: of pages that did not change, what it was. */
  rows(): PageRow[] {
    return [...this.#now].map(rowOf);
  }

  /**
   * What to keep of a run that was not: as it was before, but of what was read. Should a page be again what it was before
   * that, the catalogue is not.
   */
  rowsBefore(): PageRow[] {
    return [...this.#before].filter(([page]) => !this.#read.has(page)).map(rowOf);
  }

  /** The pages that said that they did not change. */
  unchanged(): string[] {
    return [...this.#now.keys()].filter((page) => !this.#read.has(page));
  }
}

const rowOf = ([page, { etag, lastModified }]: [string, Validator]): PageRow => ({
  page,
  etag,
  last_modified: lastModified,
});
