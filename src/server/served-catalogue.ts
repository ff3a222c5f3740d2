/**
 * The catalogue that a node of a cluster serves. It changes as a whole: a request is answered by the routes of one
 * publication, and a publication is closed when no open response reads it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../contract/errors.ts';
import { sendProblem } from '../http/problem-response.ts';
import type { RequestHandler } from '../http/server.ts';

/** The routes that read one publication. */
export type CatalogueHandlers = {
  /** REST, the mirror, MCP and the console; what has no route goes to `ServedCatalogue.others`. */
  handle: RequestHandler;
  /** The public pages, health and metrics. */
  handleRest: RequestHandler;
  /** The revision of the catalogue. */
  revision: number;
};

type Served = CatalogueHandlers & {
  open: Set<ServerResponse>;
  /** The listener for the end of all responses. It is shared, so that no request creates one. */
  forget: (this: ServerResponse) => void;
};

/**
 * How long a request that continues from a later revision waits for that publication (ms), and how many wait at once. A
 * request can name any revision: the signature of its cursor is checked afterwards.
 */
const waitLimits = { timeoutMs: 2_000, maxWaiting: 1_000 };
const drainPollMs = 20;
/** A response that reads the catalogue for longer than this after another one came is ended (ms). */
const maxDrainMs = 600_000;

/**
 * Leads requests to the publication that a node serves now. Call `change` with the first publication before the
 * server takes requests.
 */
export class ServedCatalogue {
  /** The routes that do not read the catalogue. */
  others: RequestHandler = () => {};
  #served: Served | null = null;
  readonly #waiting = new Set<{ revision: number; end: (isReached: boolean) => void }>();

  readonly #limits: typeof waitLimits;

  /** @param limits only tests set them */
  constructor(limits = waitLimits) {
    this.#limits = limits;
  }

  /** Answers a request; one that continues from a later revision than that of the node waits for it (`waitLimits`). */
  readonly handle: RequestHandler = (request, response) => {
    const { url } = request;
    const continues = url?.includes('?') && /[?&](?:cursor|since)=/.test(url);
    const revision = continues ? revisionNamedBy(request) : 0;
    if (revision > this.#current.revision) void this.#handleWhenReached(revision, request, response);
    else this.#dispatch(request, response);
  };

  /** Answers what no other route has: public pages, health, metrics and "not found". */
  readonly handleRest: RequestHandler = (request, response) => this.#current.handleRest(request, response);

  /**
   * Serves another catalogue from now on.
   * @returns a function that waits until no open response reads the former one
   */
  change(handlers: CatalogueHandlers): () => Promise<void> {
    const former = this.#served;
    const open = new Set<ServerResponse>();
    this.#served = {
      ...handlers,
      open,
      forget() {
        open.delete(this);
      },
    };
    for (const one of this.#waiting) if (one.revision <= handlers.revision) one.end(true);
    return () => (former === null ? Promise.resolve() : drain(former.open));
  }

  get #current(): Served {
    if (this.#served === null) throw new Problem('unavailable', 'This node has no catalogue yet.');
    return this.#served;
  }

  #dispatch(request: IncomingMessage, response: ServerResponse): void {
    const { open, forget, handle } = this.#current;
    open.add(response);
    response.on('close', forget);
    handle(request, response);
  }

  async #handleWhenReached(
    revision: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const isReached = await this.#waitFor(revision);
    if (response.destroyed) return;
    if (isReached) {
      this.#dispatch(request, response);
      return;
    }
    const message =
      'This continues from a later state of the catalogue than this machine has yet. Send it again in a second.';
    sendProblem(response, new Problem('unavailable', message), { 'Retry-After': '1' });
  }

  /** Waits until the catalogue has a revision. False: it has not in time, or too many requests wait. */
  #waitFor(revision: number): Promise<boolean> {
    const { timeoutMs, maxWaiting } = this.#limits;
    if (this.#waiting.size >= maxWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const entry = {
        revision,
        end: (isReached: boolean) => {
          clearTimeout(timer);
          this.#waiting.delete(entry);
          resolve(isReached);
        },
      };
      const timer = setTimeout(entry.end, timeoutMs, false);
      this.#waiting.add(entry);
    });
  }
}

/** Resolves when each response has been written as a whole, which its caller need not have received yet. */
async function drain(open: ReadonlySet<ServerResponse>): Promise<void> {
  const until = performance.now() + maxDrainMs;
  const isReading = (response: ServerResponse) => !response.writableEnded && !response.destroyed;
  while ([...open].some(isReading)) {
    if (performance.now() > until) for (const response of open) if (isReading(response)) response.destroy();
    await sleep(drainPollMs);
  }
}

const macBytes = 16;

/** The revision that a request continues from: that of its cursor, or the one that a mirror has; 0: none. */
function revisionNamedBy({ url = '' }: IncomingMessage): number {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?')));
  const since = url.startsWith('/changes?') ? Number(parameters.get('since')) : 0;
  const cursor = parameters.get('cursor');
  return Math.max(Number.isSafeInteger(since) ? since : 0, cursor === null ? 0 : revisionOf(cursor));
}

/** The revision of a cursor (store/lists/cursor.ts). Its reader checks that it is genuine. */
function revisionOf(cursor: string): number {
  try {
    const [revision] = JSON.parse(Buffer.from(cursor, 'base64url').subarray(macBytes).toString()) as [number];
    return Number.isSafeInteger(revision) ? revision : 0;
  } catch {
    return 0;
  }
}
