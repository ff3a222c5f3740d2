/** Merges several ordered lists of events into one page. It reads each list in chunks, not to its end. */

/** The key of an event in its lists: start (ms), then id. */
export type EventKey = readonly [start: number, id: number];
/** Reads the next keys of a list after `after`, in order. */
export type KeyStream = (after: EventKey | null, limit: number) => EventKey[];

const compare = (a: EventKey, b: EventKey): number => a[0] - b[0] || a[1] - b[1];

/** One list with the keys that were read ahead. */
class BufferedStream {
  readonly #read: KeyStream;
  #keys: EventKey[] = [];
  #at = 0;
  #isAtEnd = false;
  #after: EventKey | null;
  #chunk: number;

  constructor(read: KeyStream, after: EventKey | null, chunk: number) {
    this.#read = read;
    this.#after = after;
    this.#chunk = chunk;
  }

  /** The next key; undefined at the end. */
  peek(maxChunk: number): EventKey | undefined {
    if (this.#at >= this.#keys.length && !this.#isAtEnd) {
      this.#keys = this.#read(this.#after, this.#chunk);
      this.#at = 0;
      this.#isAtEnd = this.#keys.length < this.#chunk;
      this.#after = this.#keys.at(-1) ?? this.#after;
      this.#chunk = Math.min(maxChunk, this.#chunk * 4);
    }
    return this.#keys[this.#at];
  }

  skip(): void {
    this.#at++;
  }
}

/** Returns the first `limit` keys after `after` of all lists, in order and each once. */
export function mergeStreams(
  streams: readonly KeyStream[],
  after: EventKey | null,
  limit: number,
): EventKey[] {
  const chunk = Math.min(limit, Math.max(2, Math.ceil((2 * limit) / streams.length)));
  let open = streams.map((read) => new BufferedStream(read, after, chunk));
  const keys: EventKey[] = [];
  while (keys.length < limit && open.length > 0) {
    let first: EventKey | undefined;
    let hasEnded = false;
    for (const stream of open) {
      const key = stream.peek(limit);
      if (key === undefined) hasEnded = true;
      else if (first === undefined || compare(key, first) < 0) first = key;
    }
    if (hasEnded) open = open.filter((stream) => stream.peek(limit) !== undefined);
    if (first === undefined) break;
    keys.push(first);
    // An event may be in several lists: two of the artists play, or two of the genres fit.
    for (const stream of open) {
      const key = stream.peek(limit);
      if (key !== undefined && compare(key, first) === 0) stream.skip();
    }
  }
  return keys;
}
