/** Events that pages of the web describe for machines (schema.org, in JSON-LD and microdata). */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord } from './adapter.ts';
import { type Page, readDocument, readPage } from './jsonld-graph.ts';
import { eventsOf, listedIn, type PageEvent } from './jsonld-page.ts';
import { sameSite } from './links.ts';
import { isSkipped } from './no-show.ts';
import { Missing } from './open.ts';
import { isAddress, shown } from './shown.ts';
import { listKind, readList } from './sitemap.ts';
import { readText } from './text.ts';

/** A page larger than this is none that people read; a sitemap may have 50 MB (sitemaps.org). */
const pageBytes = 8 * 1024 * 1024;
const listBytes = 52 * 1024 * 1024;
const mostPages = 5_000;
const mostSitemaps = 200;
/** After so many failures in a row the site is down, and left alone. */
const mostFailures = 15;
const pauseMs = 250;
/** Events of other pages that are told on a page of their own too. */
const mostKept = 20_000;

/**
 * Reads a page, a list of pages (a file of addresses, an ItemList, a page of links without events of its own), a
 * sitemap, or a folder of saved pages. Of its settings: `pages` is how many are read at most, `match` a text that the
 * addresses of pages have in them, `pause` the ms between two; `timezone`, `venue`, `city` and `country` count where
 * the pages say none.
 */
export const jsonld: Adapter = {
  async *read(context) {
    return yield* new Crawl(context).run();
  },
};

/** An address without its fragment, which is no part of what is asked for. */
const bare = (url: string): string => url.split('#', 1)[0] as string;

type Opened = { url: string | null; text: string; forget: () => void };

class Crawl {
  readonly #context: AdapterContext;
  readonly #most: number;
  readonly #pages = new Set<string>();
  readonly #sitemaps: string[] = [];
  readonly #known = new Set<string>();
  /** Where something was read in the end: what several addresses lead to is read once. */
  readonly #read = new Set<string>();
  readonly #told = new Map<string, string>();
  readonly #kept = new Map<string, PageEvent>();
  readonly #skipped = new Set<string>();
  /** Pages that say that they are as they were. */
  readonly #same = new Set<string>();
  #problem: string | null = null;
  #changed = false;
  /** Something of a page could not be taken, and that was told. */
  #rejected = false;
  #failures = 0;

  constructor(context: AdapterContext) {
    this.#context = context;
    const { pages } = context.options;
    this.#most = /^\d+$/.test(pages ?? '') ? Math.min(Number(pages), 50_000) : mostPages;
  }

  async *run(): AsyncGenerator<FeedRecord, AdapterEnd> {
    const { location, complete } = this.#context;
    const before = complete ? (this.#context.known?.() ?? []) : [];
    this.#changed = complete && before.length === 0;
    const listed = await this.#context.list(location);
    if (listed.length !== 1 || listed[0] !== location) {
      for (const file of listed.filter((name) =>
        /\.(?:x?html?|json|jsonld|mhtml|txt|xml)(?:\.gz)?$/i.test(name),
      ))
        yield* this.#start(file);
    } else yield* this.#start(location);
    for (let next = this.#sitemaps.shift(); next !== undefined; next = this.#sitemaps.shift())
      await this.#sitemap(next);
    yield* this.#visitAll(this.#pages);
    if (complete) yield* this.#readAgain(before);
    for (const event of this.#kept.values()) yield* this.#tell(event);
    return this.#end();
  }

  async *#visitAll(pages: Iterable<string>): AsyncGenerator<FeedRecord> {
    for (const page of pages) {
      if (this.#failures >= mostFailures) break;
      yield* this.#visit(page);
    }
  }

  /**
   * Where what is listed no longer will be withdrawn, and one page is not what it was, all others are read as well: they
   * still list what they listed.
   * @param before the pages of the last run: one that is not listed any more is a change too
   */
  async *#readAgain(before: readonly string[]): AsyncGenerator<FeedRecord> {
    this.#changed ||= before.some((page) => !this.#same.has(page));
    if (!this.#changed || this.#problem !== null) return;
    const { location } = this.#context;
    if (this.#same.delete(location)) yield* this.#start(location);
    yield* this.#visitAll(this.#same);
  }

  #end(): AdapterEnd {
    if (this.#failures >= mostFailures) this.#problem = `${this.#failures} pages in a row could not be read`;
    if (!this.#changed && this.#problem === null) return { ended: 'unchanged' };
    if (this.#problem !== null) return { ended: 'partial', reason: this.#problem };
    return { ended: 'whole' };
  }

  /** The beginning of the source: whatever it is, it has to be there. */
  async *#start(location: string): AsyncGenerator<FeedRecord> {
    const opened = await this.#open(location, listBytes);
    if (opened === null) {
      this.#same.add(location);
      return;
    }
    this.#changed ||= !this.#context.complete;
    this.#known.add(opened.url ?? location).add(bare(location));
    this.#read.add(bare(opened.url ?? location));
    const kind = listKind(opened.text);
    if (kind !== null) {
      opened.forget();
      this.#take(opened, kind);
      return;
    }
    const page = this.#parse(opened);
    const events = this.#eventsOf(page, opened, location);
    // A page without events is a list of those that have some. One saved in a file is read alone.
    const listed = opened.url === null ? [] : listedIn(page);
    const further = listed.length > 0 || events.length > 0 || opened.url === null ? listed : page.links;
    if (further.length > 0) opened.forget();
    // A list of pages alone is as it was where they are.
    if (further.length === 0 || events.length > 0) this.#changed = true;
    for (const link of further) this.#add(link, opened.url);
    if (events.length === 0 && this.#pages.size === 0 && !this.#rejected) {
      this.#context.reject(shown(location), 'describes no events (schema.org, in JSON-LD or microdata)');
    }
    for (const event of events) yield* this.#meet(event, opened.url);
  }

  async #sitemap(url: string): Promise<void> {
    try {
      await this.#pause();
      const opened = await this.#open(url, listBytes, false);
      const kind = opened === null ? null : listKind(opened.text);
      if (opened !== null && kind !== null) this.#take(opened, kind);
      else this.#fault(url, 'is no sitemap');
    } catch (failure) {
      this.#fault(url, failure);
    }
  }

  /** Takes over what a list names, of its own site. A list in a file may name any. */
  #take(opened: Opened, kind: 'sitemap' | 'lines'): void {
    const { pages, sitemaps } = readList(opened.text, kind, this.#most * 10);
    for (const url of sitemaps) {
      if (this.#known.has(url) || (opened.url !== null && !sameSite(url, opened.url))) continue;
      this.#known.add(url);
      if (this.#known.size > mostSitemaps + this.#pages.size)
        this.#problem = `it has more than ${mostSitemaps} sitemaps`;
      else this.#sitemaps.push(url);
    }
    for (const page of pages) this.#add(page, opened.url);
  }

  #add(url: string, from: string | null): void {
    const { match } = this.#context.options;
    if (this.#known.has(url) || (match !== undefined && !url.includes(match))) return;
    if (from !== null && !sameSite(url, from)) return;
    if (/\.(?:jpe?g|png|gif|webp|svg|pdf|mp[34]|zip|css|js|ico)(?:\?|$)/i.test(url)) return;
    if (this.#pages.size >= this.#most) {
      this.#problem = `it lists more than ${this.#most} pages`;
      return;
    }
    this.#known.add(url);
    this.#pages.add(url);
  }

  async *#visit(url: string): AsyncGenerator<FeedRecord> {
    if (this.#read.has(url)) return;
    let opened: Opened | null;
    try {
      await this.#pause();
      opened = await this.#open(url, pageBytes);
      this.#failures = 0;
    } catch (failure) {
      this.#fault(url, failure);
      return;
    }
    if (opened !== null) {
      const at = bare(opened.url ?? url);
      // Its address leads to a page that was read under another one.
      if (at !== url && this.#read.has(at)) return;
      this.#read.add(url).add(at);
    }
    const events = opened === null ? [] : this.#eventsOf(this.#parse(opened), opened, url);
    if (opened === null || events.length > 0) this.#forgetKept(url);
    if (opened === null) {
      this.#same.add(url);
      return;
    }
    this.#changed = true;
    for (const event of events) yield* this.#meet(event, opened.url);
  }

  /** What a list said of the event of a page counts no longer: the page itself says more, or has not changed. */
  #forgetKept(url: string): void {
    for (const [id, event] of this.#kept) if (event.url === url) this.#kept.delete(id);
  }

  /** An event that has a page of its own among those to be read is taken from there. */
  *#meet(event: PageEvent, from: string | null): Generator<FeedRecord> {
    const elsewhere = event.url !== null && event.url !== from && this.#pages.has(event.url);
    if (elsewhere && !this.#told.has(event.id) && this.#kept.size < mostKept) {
      if (!this.#kept.has(event.id)) this.#kept.set(event.id, event);
    } else yield* this.#tell(event);
  }

  /** Each record once: the first description counts. */
  *#tell(event: PageEvent): Generator<FeedRecord> {
    this.#kept.delete(event.id);
    const records = event.records();
    this.#told.set(event.id, '');
    if (this.#skipped.has(event.id)) return;
    if (isSkipped(this.#context, records, shown(event.url ?? this.#context.location))) {
      this.#skipped.add(event.id);
      return;
    }
    for (const record of records) {
      const key = `${record.kind} ${record.external_id}`;
      const name = 'name' in record ? String(record.name) : '';
      if (this.#told.has(key)) continue;
      this.#told.set(key, name);
      yield record;
    }
  }

  #parse(opened: Opened): Page {
    const isJson = /^\s*[[{]/.test(opened.text);
    return isJson ? readDocument(opened.text, opened.url) : readPage(opened.text, opened.url);
  }

  #eventsOf(page: Page, opened: Opened, where: string): PageEvent[] {
    return eventsOf(page, opened.url, this.#context.options, (reason) => {
      this.#rejected = true;
      this.#context.reject(shown(where), reason);
    });
  }

  async #open(location: string, maxBytes: number, conditional = true): Promise<Opened | null> {
    const accept = 'text/html, application/xhtml+xml, application/ld+json, application/xml;q=0.9, */*;q=0.5';
    // Once one page has changed, all are read where all have to be seen.
    const fresh = this.#context.complete && this.#changed;
    const opened = await this.#context.open(location, { maxBytes, accept, conditional, fresh });
    if (opened === null) return null;
    const text = await readText(opened);
    return { url: isAddress(opened.url) ? opened.url : null, text, forget: () => opened.forget?.() };
  }

  async #pause(): Promise<void> {
    const { pause } = this.#context.options;
    const { signal } = this.#context;
    const ms = /^\d{1,6}$/.test(pause ?? '') ? Number(pause) : pauseMs;
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  }

  /** One page that cannot be read does not end the rest; what it lists may still be listed. */
  #fault(url: string, failure: unknown): void {
    if (typeof failure !== 'string' && !(failure instanceof Failure)) throw failure;
    this.#context.signal?.throwIfAborted();
    const isGone = failure instanceof Missing;
    if (!isGone) {
      this.#failures++;
      this.#problem = 'some of its pages could not be read';
    }
    this.#context.reject(
      shown(url),
      isGone ? 'is listed, but not there' : typeof failure === 'string' ? failure : failure.message,
    );
  }
}
