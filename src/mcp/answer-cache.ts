/**
 * Caches the answers of tools as JSON. Credentials, limits and counting are checked for every call; only the work of the
 * tool is saved. Answers are the same for all callers of a plan, so the key has no caller.
 *
 * An answer is valid for one revision of the catalogue, which every change of it raises, and for a span of time: until the
 * next event or edition ends, an edition begins or a day (UTC) does, as the responses of REST are, or until the time that
 * the tool names.
 */
import { LRUCache } from 'lru-cache';
import type { CatalogueReader } from '../store/reader.ts';

/** An answer and the time (ms) until which it is valid; null if only the catalogue and the ends of events change it. */
export type ComputedAnswer = { json: string; validUntil: number | null };
type CachedAnswer = { json: Buffer; revision: number; from: number; until: number };

/** Memory for answers. One takes about 10 to 20 KB. */
const defaultMaxBytes = 8 * 1024 * 1024;
/** Calls with longer arguments are not cached. */
const maxKeyLength = 500;
const maxAskedOnce = 5_000;
/** The memory that an entry takes besides its texts. */
const entryBytes = 400;

/** The answers of one reader of the catalogue, least recently used ones evicted first. */
export class AnswerCache {
  readonly #reader: CatalogueReader;
  readonly #answers: LRUCache<string, CachedAnswer>;
  /** Questions asked once. An answer is cached from the second time on, so that different questions evict nothing. */
  readonly #once = new LRUCache<string, true>({ max: maxAskedOnce });

  constructor(reader: CatalogueReader, maxBytes = defaultMaxBytes) {
    this.#reader = reader;
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: maxBytes / 8,
      sizeCalculation: ({ json }, key) => json.length + key.length * 2 + entryBytes,
    });
  }

  /** The bytes that the answers take, as the cache counts them. */
  get bytes(): number {
    return this.#answers.calculatedSize;
  }

  /**
   * Returns the JSON of an answer: the cached one if it is valid, otherwise what `compute` returns. Both see one state of
   * the catalogue.
   * @param key everything that the answer depends on besides the catalogue and the time
   * @param now ms since 1970
   */
  read(key: string, now: number, compute: () => ComputedAnswer): Buffer {
    const reader = this.#reader;
    return reader.snapshot(() => {
      const { revision } = reader.state();
      const cached = this.#answers.get(key);
      if (cached?.revision === revision && cached.from <= now && now < cached.until) return cached.json;
      const { json: text, validUntil } = compute();
      const json = Buffer.from(text);
      if (this.#once.has(key))
        this.#answers.set(key, { json, revision, ...this.#span(now, revision, validUntil) });
      else if (key.length <= maxKeyLength) this.#once.set(key, true);
      return json;
    });
  }

  #span(now: number, revision: number, validUntil: number | null): { from: number; until: number } {
    const { from, until } = this.#reader.unchangedSpan(now, revision);
    return validUntil === null ? { from, until } : { from: now, until: Math.min(until, validUntil) };
  }
}
