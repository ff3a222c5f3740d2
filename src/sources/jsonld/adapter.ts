/** Adapter for events that web pages publish as schema.org data, in JSON-LD and microdata. */

import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from '../adapter.ts';
import { readText } from '../common/charset.ts';
import { pause } from '../common/json-api.ts';
import { skipIfNonPublic } from '../common/non-public-event.ts';
import { NotFoundError } from '../common/opener.ts';
import { isHttpUrl, redactUrl } from '../common/redact.ts';
import { newRecords } from '../common/values.ts';
import { isSameSite } from '../common/web-links.ts';
import { parseJsonLdDocument, parseWebPage, type WebPage } from './graph.ts';
import { listedUrls, type PageEvent, parsePageEvents } from './page-events.ts';
import { detectListKind, parsePageList } from './sitemap.ts';

/** A larger page is not meant for people. A sitemap may have 50 MB (sitemaps.org). */
const maxPageBytes = 8 * 1024 * 1024;
const maxListBytes = 52 * 1024 * 1024;
const defaultMaxPages = 5_000;
const maxSitemaps = 200;
/** After so many failures in a row the site counts as down, and the run ends. */
const maxConsecutiveFailures = 15;
/** Maximum number of events kept back from list pages because they also have a page of their own. */
const maxDeferred = 20_000;

/**
 * Reads a page, a list of pages (a file of addresses, an ItemList, a page of links without events), a sitemap, or a
 * folder of saved pages.
 *
 * Settings: `pages` is the maximum number of pages, `match` a text that page URLs must contain, `pause` the time between
 * two requests in ms. `timezone`, `venue`, `city` and `country` apply where a page has no value.
 */
export const jsonld: Adapter = {
  async *read(context) {
    return yield* new Crawler(context).run();
  },
};

/** Returns a URL without its fragment, which is not part of the request. */
const withoutFragment = (url: string): string => url.split('#', 1)[0] as string;

type LoadedPage = { url: string | null; text: string; clearValidator: () => void };

class Crawler {
  readonly #context: AdapterContext;
  readonly #maxPages: number;
  readonly #pages = new Set<string>();
  readonly #sitemaps: string[] = [];
  readonly #knownUrls = new Set<string>();
  /** Final URLs of loaded pages. A page that several URLs redirect to is read once. */
  readonly #readUrls = new Set<string>();
  readonly #emitted = new Set<string>();
  readonly #deferred = new Map<string, PageEvent>();
  readonly #skippedIds = new Set<string>();
  /** Pages that the server reports as not modified. */
  readonly #unchangedPages = new Set<string>();
  #partialReason: string | null = null;
  #changed = false;
  /** Whether a record of a page was rejected and reported. */
  #rejected = false;
  #failures = 0;

  constructor(context: AdapterContext) {
    this.#context = context;
    const { pages } = context.options;
    this.#maxPages = /^\d+$/.test(pages ?? '') ? Math.min(Number(pages), 50_000) : defaultMaxPages;
  }

  async *run(): AsyncGenerator<FeedRecord, ReadOutcome> {
    const { location, complete } = this.#context;
    const before = complete ? (this.#context.previousPages?.() ?? []) : [];
    this.#changed = complete && before.length === 0;
    const listed = await this.#context.list(location);
    if (listed.length !== 1 || listed[0] !== location) {
      for (const file of listed.filter((name) =>
        /\.(?:x?html?|json|jsonld|mhtml|txt|xml)(?:\.gz)?$/i.test(name),
      ))
        yield* this.#readStart(file);
    } else yield* this.#readStart(location);
    for (let next = this.#sitemaps.shift(); next !== undefined; next = this.#sitemaps.shift())
      await this.#readSitemap(next);
    yield* this.#visitAll(this.#pages);
    if (complete) yield* this.#rereadUnchanged(before);
    for (const event of this.#deferred.values()) yield* this.#emit(event);
    return this.#outcome();
  }

  async *#visitAll(pages: Iterable<string>): AsyncGenerator<FeedRecord> {
    for (const page of pages) {
      if (this.#failures >= maxConsecutiveFailures) break;
      yield* this.#visit(page);
    }
  }

  /**
   * Reads the unchanged pages too, if missing records will be withdrawn and at least one page changed: they still
   * list their events.
   * @param before the pages of the last run; a page that is no longer listed counts as a change
   */
  async *#rereadUnchanged(before: readonly string[]): AsyncGenerator<FeedRecord> {
    this.#changed ||= before.some((page) => !this.#unchangedPages.has(page));
    if (!this.#changed || this.#partialReason !== null) return;
    const { location } = this.#context;
    if (this.#unchangedPages.delete(location)) yield* this.#readStart(location);
    yield* this.#visitAll(this.#unchangedPages);
  }

  #outcome(): ReadOutcome {
    if (this.#failures >= maxConsecutiveFailures)
      this.#partialReason = `${this.#failures} pages in a row could not be read`;
    if (!this.#changed && this.#partialReason === null) return { ended: 'unchanged' };
    if (this.#partialReason !== null) return { ended: 'partial', reason: this.#partialReason };
    return { ended: 'whole' };
  }

  /** Reads the first page of the source. A failure here ends the run. */
  async *#readStart(location: string): AsyncGenerator<FeedRecord> {
    const opened = await this.#open(location, maxListBytes);
    if (opened === null) {
      this.#unchangedPages.add(location);
      return;
    }
    this.#changed ||= !this.#context.complete;
    this.#knownUrls.add(opened.url ?? location).add(withoutFragment(location));
    this.#readUrls.add(withoutFragment(opened.url ?? location));
    const kind = detectListKind(opened.text);
    if (kind !== null) {
      opened.clearValidator();
      this.#enqueueList(opened, kind);
      return;
    }
    const page = this.#parse(opened);
    const events = this.#eventsOf(page, opened, location);
    // A page without events may be a list of event pages. A saved file is read alone.
    const listed = opened.url === null ? [] : listedUrls(page);
    const further = listed.length > 0 || events.length > 0 || opened.url === null ? listed : page.links;
    if (further.length > 0) opened.clearValidator();
    // A list that only links to pages does not count as changed itself.
    if (further.length === 0 || events.length > 0) this.#changed = true;
    for (const link of further) this.#enqueue(link, opened.url);
    if (events.length === 0 && this.#pages.size === 0 && !this.#rejected) {
      this.#context.reject(redactUrl(location), 'describes no events (schema.org, in JSON-LD or microdata)');
    }
    for (const event of events) yield* this.#emitOrDefer(event, opened.url);
  }

  async #readSitemap(url: string): Promise<void> {
    try {
      await pause(this.#context);
      const opened = await this.#open(url, maxListBytes, false);
      const kind = opened === null ? null : detectListKind(opened.text);
      if (opened !== null && kind !== null) this.#enqueueList(opened, kind);
      else this.#reportFailure(url, 'is no sitemap');
    } catch (failure) {
      this.#reportFailure(url, failure);
    }
  }

  /** Adds the URLs of a list to the queue. A list on a server may only name its own site; a list in a file may name any. */
  #enqueueList(opened: LoadedPage, kind: 'sitemap' | 'lines'): void {
    const { pages, sitemaps } = parsePageList(opened.text, kind, this.#maxPages * 10);
    for (const url of sitemaps) {
      if (this.#knownUrls.has(url) || (opened.url !== null && !isSameSite(url, opened.url))) continue;
      this.#knownUrls.add(url);
      if (this.#knownUrls.size > maxSitemaps + this.#pages.size)
        this.#partialReason = `it has more than ${maxSitemaps} sitemaps`;
      else this.#sitemaps.push(url);
    }
    for (const page of pages) this.#enqueue(page, opened.url);
  }

  #enqueue(url: string, from: string | null): void {
    const { match } = this.#context.options;
    if (this.#knownUrls.has(url) || (match !== undefined && !url.includes(match))) return;
    if (from !== null && !isSameSite(url, from)) return;
    if (/\.(?:jpe?g|png|gif|webp|svg|pdf|mp[34]|zip|css|js|ico)(?:\?|$)/i.test(url)) return;
    if (this.#pages.size >= this.#maxPages) {
      this.#partialReason = `it lists more than ${this.#maxPages} pages`;
      return;
    }
    this.#knownUrls.add(url);
    this.#pages.add(url);
  }

  async *#visit(url: string): AsyncGenerator<FeedRecord> {
    if (this.#readUrls.has(url)) return;
    let opened: LoadedPage | null;
    try {
      await pause(this.#context);
      opened = await this.#open(url, maxPageBytes);
      this.#failures = 0;
    } catch (failure) {
      this.#reportFailure(url, failure);
      return;
    }
    if (opened !== null) {
      const at = withoutFragment(opened.url ?? url);
      // The URL redirects to a page that was already read.
      if (at !== url && this.#readUrls.has(at)) return;
      this.#readUrls.add(url).add(at);
    }
    const events = opened === null ? [] : this.#eventsOf(this.#parse(opened), opened, url);
    if (opened === null || events.length > 0) this.#dropDeferred(url);
    if (opened === null) {
      this.#unchangedPages.add(url);
      return;
    }
    this.#changed = true;
    for (const event of events) yield* this.#emitOrDefer(event, opened.url);
  }

  /** Drops the list's version of a page's event: the page itself has more data, or has not changed. */
  #dropDeferred(url: string): void {
    for (const [id, event] of this.#deferred) if (event.url === url) this.#deferred.delete(id);
  }

  /** Emits an event, or defers it if the event has a page of its own in the queue. */
  *#emitOrDefer(event: PageEvent, from: string | null): Generator<FeedRecord> {
    const elsewhere = event.url !== null && event.url !== from && this.#pages.has(event.url);
    if (elsewhere && !this.#emitted.has(event.id) && this.#deferred.size < maxDeferred) {
      if (!this.#deferred.has(event.id)) this.#deferred.set(event.id, event);
    } else yield* this.#emit(event);
  }

  /** Emits each record once; the first description wins. */
  *#emit(event: PageEvent): Generator<FeedRecord> {
    this.#deferred.delete(event.id);
    const records = event.records();
    this.#emitted.add(event.id);
    if (this.#skippedIds.has(event.id)) return;
    if (skipIfNonPublic(this.#context, records, redactUrl(event.url ?? this.#context.location))) {
      this.#skippedIds.add(event.id);
      return;
    }
    yield* newRecords(records, this.#emitted);
  }

  #parse(opened: LoadedPage): WebPage {
    const isJson = /^\s*[[{]/.test(opened.text);
    const page = isJson
      ? parseJsonLdDocument(opened.text, opened.url)
      : parseWebPage(opened.text, opened.url);
    if (page.isBroken) this.#partialReason = 'a script that may describe events cannot be read';
    if (page.isCut) this.#partialReason = 'one of its pages describes more events than are read of a page';
    return page;
  }

  #eventsOf(page: WebPage, opened: LoadedPage, where: string): PageEvent[] {
    return parsePageEvents(page, opened.url, this.#context.options, (reason) => {
      this.#rejected = true;
      this.#context.reject(redactUrl(where), reason);
    });
  }

  async #open(location: string, maxBytes: number, conditional = true): Promise<LoadedPage | null> {
    const accept = 'text/html, application/xhtml+xml, application/ld+json, application/xml;q=0.9, */*;q=0.5';
    // If missing records will be withdrawn, one changed page requires all pages to be read.
    const fresh = this.#context.complete && this.#changed;
    const opened = await this.#context.open(location, {
      maxBytes,
      accept,
      conditional,
      ignoreValidator: fresh,
    });
    if (opened === null) return null;
    const text = await readText(opened);
    return {
      url: isHttpUrl(opened.url) ? opened.url : null,
      text,
      clearValidator: () => opened.clearValidator?.(),
    };
  }

  /** Reports a page that cannot be read. The run continues, and the event may still be on a list page. */
  #reportFailure(url: string, failure: unknown): void {
    if (typeof failure !== 'string' && !(failure instanceof Failure)) throw failure;
    this.#context.signal?.throwIfAborted();
    const isGone = failure instanceof NotFoundError;
    if (!isGone) {
      this.#failures++;
      this.#partialReason = 'some of its pages could not be read';
    }
    this.#context.reject(
      redactUrl(url),
      isGone ? 'is listed, but not there' : typeof failure === 'string' ? failure : failure.message,
    );
  }
}
