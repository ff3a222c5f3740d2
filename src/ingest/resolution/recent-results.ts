/** Caches recent results of comparisons by a number. */

/** A map of recent and older results: when the newer part is full, the older one is dropped. */
export class RecentResults<Result extends object> {
  readonly #maxResults: number;
  #newer = new Map<number, Result>();
  #older = new Map<number, Result>();

  /** @param maxResults maximum number of kept results */
  constructor(maxResults: number) {
    this.#maxResults = maxResults;
  }

  /** The cached result, which counts as recent again; undefined if there is none. */
  get(key: number): Result | undefined {
    const cached = this.#newer.get(key);
    if (cached !== undefined) return cached;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** Caches a result. */
  set(key: number, result: Result): void {
    if (this.#newer.size >= this.#maxResults / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, result);
  }

  /** Drops all results. */
  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
