/** What all operations share: the key, retries, the cache of entity tags, and iterators over lists. */

export type ClientOptions = {
  /** The address of the service: `https://music.example.org`, with or without `/api/v1`. */
  baseUrl: string;
  /** An API key: `cb_live_…`. */
  key: string;
  /** How often a request is repeated after 429, 502, 503, 504 or a broken connection. Default: 3. */
  maxRetries?: number;
  /** A longer `Retry-After` is thrown instead of waited for, in seconds. Default: 60. */
  maxWaitSeconds?: number;
  /** How many responses are kept for `If-None-Match`. Default: 500; 0 turns the cache off. */
  cacheSize?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
};

/** A page of a list. */
export type ListPage<T> = { data: T[]; page: { next_cursor: string | null; has_more: boolean } };
type Query = Readonly<Record<string, string | number | undefined>>;

/** A response other than a success, or a service that cannot be reached (status 0). */
export class CratebaseError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The error type: `not_found`, `rate_limited` … */
  readonly type: string;
  /** The query parameter at fault. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | null;

  constructor(message: string, about: Partial<Omit<CratebaseError, keyof Error>>, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CratebaseError';
    this.status = about.status ?? 0;
    this.type = about.type ?? 'unreachable';
    this.param = about.param ?? null;
    this.requestId = about.requestId ?? null;
    this.retryAfter = about.retryAfter ?? null;
  }
}

/** A list: iterate over it for all entries, or read it page by page. */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<ListPage<T>>;

  constructor(read: (cursor: string | undefined) => Promise<ListPage<T>>) {
    this.#read = read;
  }

  /** Reads one page: the first one, or that of a cursor. */
  page(cursor?: string): Promise<ListPage<T>> {
    return this.#read(cursor);
  }

  /** Reads page after page. */
  async *pages(): AsyncGenerator<ListPage<T>> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#read(cursor);
      yield page;
      if (page.page.next_cursor === null) return;
      cursor = page.page.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const { data } of this.pages()) yield* data;
  }
}

const retriedStatuses = new Set([429, 502, 503, 504]);
const defaults = { maxRetries: 3, maxWaitSeconds: 60, cacheSize: 500 };

export class Client {
  readonly #options: Required<ClientOptions>;
  /** Responses by URL, the one used longest ago first. */
  readonly #cache = new Map<string, { etag: string; body: unknown }>();

  constructor(options: ClientOptions) {
    this.#options = { ...defaults, fetch: (...args) => fetch(...args), ...options };
  }

  /** Reads a record. */
  protected async detail<T>(path: string): Promise<T> {
    return ((await this.get(path, {})) as { data: T }).data;
  }

  /** Returns a list, which is read when it is iterated. */
  protected list<T>(path: string, query: Query = {}): List<T> {
    const read = (cursor?: string) => this.get(path, cursor === undefined ? query : { ...query, cursor });
    return new List(async (cursor) => (await read(cursor)) as ListPage<T>);
  }

  /** Sends a request, again after `Retry-After` if the service asks for it. Throws `CratebaseError`. */
  async get(path: string, query: Query): Promise<unknown> {
    const { maxRetries, maxWaitSeconds } = this.#options;
    checkPath(path);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(this.#urlOf(path, query));
      } catch (failure) {
        if (!(failure instanceof CratebaseError) || attempt >= maxRetries) throw failure;
        if (failure.status !== 0 && !retriedStatuses.has(failure.status)) throw failure;
        const wait = failure.retryAfter ?? 0.2 * 2 ** attempt;
        if (wait > maxWaitSeconds) throw failure;
        await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
      }
    }
  }

  #urlOf(path: string, query: Query): string {
    const url = new URL(`${this.#options.baseUrl.replace(/(?:\/api\/v1)?\/?$/, '')}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return url.href;
  }

  async #attempt(url: string): Promise<unknown> {
    const { key, fetch } = this.#options;
    const cached = this.#cache.get(url);
    const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: 'application/json' };
    if (cached !== undefined) headers['if-none-match'] = cached.etag;
    let response: Response;
    try {
      response = await fetch(url, { headers });
      if (response.status === 304 && cached !== undefined) return this.#keep(url, cached);
      const body: unknown = await response.json();
      if (!response.ok) throw toError(response, body);
      return this.#keep(url, { etag: response.headers.get('etag') ?? '', body });
    } catch (failure) {
      if (failure instanceof CratebaseError) throw failure;
      throw new CratebaseError(`${url} cannot be read: ${failure}`, {}, { cause: failure });
    }
  }

  #keep(url: string, entry: { etag: string; body: unknown }): unknown {
    this.#cache.delete(url);
    if (entry.etag !== '' && this.#options.cacheSize > 0) this.#cache.set(url, entry);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > this.#options.cacheSize && oldest !== undefined) this.#cache.delete(oldest);
    return structuredClone(entry.body);
  }
}

/** An empty slug would ask for the list, and dots for what is above it. */
function checkPath(path: string): void {
  const wrong = path
    .slice(1)
    .split('/')
    .find((segment) => /^\.{0,2}$/.test(segment));
  if (wrong === undefined) return;
  const message = `${JSON.stringify(wrong)} is not a slug: ${path} has no record.`;
  throw new CratebaseError(message, { type: 'invalid_parameter' });
}

function toError({ status, headers }: Response, body: unknown): CratebaseError {
  const { error = {} } = (body ?? {}) as { error?: Record<string, string | null> };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new CratebaseError(String(error.message ?? `The service answered ${status}.`), {
    status,
    type: String(error.type ?? 'unknown'),
    param: error.param ?? null,
    requestId: error.request_id ?? headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}
