/** The files of the sitemap: rendering and cache (docs/decisions/14-visitors.md). */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../contract/errors.ts';
import type { Kind } from '../../contract/fields.ts';
import type { SitemapReader } from '../../store/site/sitemap.ts';
import type { PageContext } from '../page-context.ts';
import type { Route } from '../route.ts';
import { parsePartName, type RunInTurn, sitemapIndex, sitemapPart, urlsPerPart } from './sitemap.ts';

/** Maximum size of the cached files, in bytes. */
const maxBytes = 24 * 1024 * 1024;
/** Maximum number of waiting renderings; more are refused. */
const maxPending = 32;
/** Memory of an entry in addition to its body, in bytes. */
const entryBytes = 300;

export type Encoding = 'identity' | 'gzip';
export type MapRoute = Extract<Route, { to: 'sitemap' | 'sitemap part' }>;

const compress = promisify(gzip);
/** The body of files that do not exist. It is not cached, because invented names would evict the others. */
const nothing = Buffer.alloc(0);

/** Renders each file of the sitemap once per revision of the catalogue, one file at a time, and caches its encoded bytes. */
export class SitemapFiles {
  /** Keyed by path and encoding; an empty body is a part without pages. */
  readonly #kept = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: (body, key) => body.length + key.length * 2 + entryBytes,
  });
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #starts: PartStarts;
  readonly #size: number;
  #state = '';
  /** Resolves when the last rendering has ended. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param size number of addresses per part */
  constructor(map: SitemapReader, size = urlsPerPart) {
    this.#starts = new PartStarts(map, size);
    this.#size = size;
  }

  /**
   * Returns a file from the cache: null if there is no such file, undefined if it has to be rendered.
   * @param state the revision of the catalogue
   */
  kept(route: MapRoute, encoding: Encoding, state: string): Buffer | null | undefined {
    if (state !== this.#state) {
      this.#state = state;
      this.#kept.clear();
    }
    if (route.to === 'sitemap part' && !this.#mayBe(route.part)) return null;
    const body = this.#kept.get(`${encoding} ${route.path}`);
    return body?.length === 0 ? null : body;
  }

  /**
   * Renders a file, or waits for its current rendering.
   * @throws Problem `unavailable` if too many renderings wait
   */
  async render(
    context: PageContext,
    route: MapRoute,
    encoding: Encoding,
    inTurn: RunInTurn,
  ): Promise<Buffer | null> {
    const state = this.#state;
    const key = `${state} ${encoding} ${route.path}`;
    let rendering = this.#pending.get(key);
    if (rendering === undefined) {
      if (this.#pending.size >= maxPending) {
        throw new Problem('unavailable', 'Too many sitemap files are being generated. Try again shortly.');
      }
      rendering = this.#last
        .then(() => this.#make(context, route, encoding, state, inTurn))
        .then((body) => {
          // A body of an older state is sent to the requests that wait for it, but not cached.
          if (state === this.#state && body !== nothing) this.#kept.set(`${encoding} ${route.path}`, body);
          return body;
        })
        .finally(() => this.#pending.delete(key));
      this.#last = rendering.catch(() => {});
      this.#pending.set(key, rendering);
    }
    const body = await rendering;
    return body.length === 0 ? null : body;
  }

  /** Returns false if the name is certainly not that of a part. */
  #mayBe(name: string): boolean {
    const part = parsePartName(name);
    return part !== null && (part === 'pages' || this.#starts.mayBe(part.kind, part.after, this.#state));
  }

  async #make(
    context: PageContext,
    route: MapRoute,
    encoding: Encoding,
    state: string,
    inTurn: RunInTurn,
  ): Promise<Buffer> {
    if (encoding === 'identity') return this.#render(context, route, state, inTurn);
    const body =
      this.#kept.get(`identity ${route.path}`) ?? (await this.#render(context, route, state, inTurn));
    return body.length === 0 ? body : compress(body);
  }

  async #render(context: PageContext, route: MapRoute, state: string, inTurn: RunInTurn): Promise<Buffer> {
    if (route.to === 'sitemap') return Buffer.from(await sitemapIndex(context, this.#size, inTurn));
    const part = parsePartName(route.part);
    if (part === null) return nothing;
    if (part !== 'pages' && !(await this.#starts.has(part.kind, part.after, state, inTurn))) return nothing;
    return (await sitemapPart(context, part, this.#size, inTurn)) ?? Buffer.alloc(0);
  }
}

/** `completeIn`: the state in which no part begins after `last`. */
type Starts = { last: number; all: Set<number>; completeIn: string | null };

/**
 * The record ids after which the parts of each kind begin. Records are never deleted, so only the last part
 * changes.
 */
class PartStarts {
  readonly #map: SitemapReader;
  readonly #size: number;
  readonly #starts = new Map<Kind, Starts>();

  constructor(map: SitemapReader, size: number) {
    this.#map = map;
    this.#size = size;
  }

  /** Returns false if the index already shows that no part of the kind begins after `after` in this state. */
  mayBe(kind: Kind, after: number, state: string): boolean {
    const { last, all, completeIn } = this.#of(kind);
    return all.has(after) || (after > last && completeIn !== state);
  }

  /** Whether a part of the kind begins after `after`. Each new part is read in a separate turn of the event loop. */
  async has(kind: Kind, after: number, state: string, inTurn: RunInTurn): Promise<boolean> {
    const starts = this.#of(kind);
    while (after > starts.last && starts.completeIn !== state) {
      const next = await inTurn(() => this.#map.end(kind, starts.last, this.#size));
      if (next === null) starts.completeIn = state;
      else starts.all.add(next);
      starts.last = next ?? starts.last;
    }
    return starts.all.has(after);
  }

  #of(kind: Kind): Starts {
    const starts = this.#starts.get(kind) ?? { last: 0, all: new Set([0]), completeIn: null };
    this.#starts.set(kind, starts);
    return starts;
  }
}
