/** Ticketmaster's Discovery API, version 2, and answers of it that were kept in files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord } from './adapter.ts';
import { isAddress, shown } from './shown.ts';
import { readText } from './text.ts';
import { at, errorIn, isObject, list, text } from './ticketmaster-json.ts';
import { Output, readRecording } from './ticketmaster-recording.ts';

/** The API gives no row beyond this, whatever the page (its documentation, Deep Paging). */
const deepest = 1_000;
const pageSize = 200;
/** Five requests a second, and a little less. */
const betweenMs = 210;
const aheadDays = 730;
const mostBytes = 32 * 1024 * 1024;
/** Slices of time are not made narrower than this, s. */
const narrowest = 60;
/** The daily quota of a key is 5,000 requests: more than this is left to the next day. */
const mostRequests = 4_500;
const daySeconds = 86_400;

/** Dance and electronic music, by the id that it has in every locale. */
const electronic = 'KnvZfZ7vAvF';
const chosen = [
  'classificationId',
  'classificationName',
  'genreId',
  'subGenreId',
  'segmentId',
  'segmentName',
  'keyword',
  'attractionId',
  'venueId',
  'promoterId',
];

/**
 * Reads the API, or recorded answers in files. The address may carry any parameters of its event search
 * (`…/discovery/v2/events.json?countryCode=DE&genreId=…`); without one that chooses events, those of dance and electronic
 * music are read. Of its settings: `apikey` is needed; `country` is a country's code; `horizon` how many days ahead are
 * read; `segment` which kind of event (Music; `*` for all).
 */
export const ticketmaster: Adapter = {
  async *read(context) {
    if (isAddress(context.location)) return yield* new Search(context).run();
    const output = new Output(context);
    for (const file of await context.list(context.location)) yield* readRecording(context, file, output);
    output.end(shown(context.location));
  },
};

type Slice = { from: number; to: number };

class Search {
  readonly #context: AdapterContext;
  readonly #output: Output;
  readonly #base: URL;
  readonly #key: string;
  #requests = 0;
  #next = 0;
  #cut: string | null = null;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#output = new Output(context);
    const url = new URL(context.location);
    if (/\/discovery\/v1\b/.test(url.pathname)) {
      throw new Failure(
        'The Discovery API v1 is no longer served. Use https://app.ticketmaster.com/discovery/v2/events.json.',
      );
    }
    if (!/\/events(?:\.json)?\/?$/.test(url.pathname))
      url.pathname = `${url.pathname.replace(/\/(?:discovery(?:\/v2)?\/?)?$/, '')}/discovery/v2/events.json`;
    this.#key = context.options.apikey ?? url.searchParams.get('apikey') ?? '';
    if (this.#key === '') {
      throw new Failure(
        'Ticketmaster needs an API key: set CRATEBASE_TICKETMASTER_KEY, or CRATEBASE_TICKETMASTER_KEY_FILE to a file with it. developer.ticketmaster.com gives one.',
      );
    }
    this.#base = this.#complete(url);
  }

  /** What the address leaves open. */
  #complete(url: URL): URL {
    const { country, locale } = this.#context.options;
    const set = (name: string, value: string) => {
      if (!url.searchParams.has(name)) url.searchParams.set(name, value);
    };
    if (!chosen.some((name) => url.searchParams.has(name))) set('genreId', electronic);
    if (country !== undefined) set('countryCode', country.toUpperCase());
    set('locale', locale ?? '*');
    set('includeTBA', 'yes');
    set('includeTBD', 'yes');
    set('includeTest', 'no');
    url.searchParams.set('sort', 'date,asc');
    url.searchParams.set('size', String(pageSize));
    return url;
  }

  async *run(): AsyncGenerator<FeedRecord, AdapterEnd> {
    const days = Number(this.#context.options.horizon ?? aheadDays);
    const today = Math.floor(this.#context.now / 1_000 / daySeconds) * daySeconds;
    const ahead = Number.isFinite(days) && days > 0 ? Math.min(days, 3_650) : aheadDays;
    // Yesterday's shows may be going on still, west of here.
    const waiting: Slice[] = [{ from: today - daySeconds, to: today + ahead * daySeconds }];
    for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
      if (this.#requests >= mostRequests) {
        this.#cut = `the day's ${mostRequests} requests are used up`;
        break;
      }
      const halves = yield* this.#slice(slice);
      waiting.unshift(...halves);
    }
    this.#output.end(shown(this.#base.href, [this.#key]));
    return this.#cut === null ? { ended: 'whole' } : { ended: 'partial', reason: this.#cut };
  }

  /** Reads a slice of time; where it holds more than the API pages through, nothing, but gives its halves. */
  async *#slice(slice: Slice): AsyncGenerator<FeedRecord, Slice[]> {
    const first = await this.#page(slice, 0);
    const total = Number(at(first, 'page', 'totalElements') ?? 0) || 0;
    const width = slice.to - slice.from;
    if (total > deepest && width >= 2 * narrowest) {
      const middle = slice.from + Math.floor(width / 2 / narrowest) * narrowest;
      return [
        { from: slice.from, to: middle - 1 },
        { from: middle, to: slice.to },
      ];
    }
    if (total > deepest) this.#cut = `more than ${deepest} events begin at ${stamp(slice.from)}`;
    const seen = new Set<string>();
    const last = Math.min(Math.ceil(Math.min(total, deepest) / pageSize), Math.ceil(deepest / pageSize)) - 1;
    for (let number = 0, body = first; ; number++, body = await this.#page(slice, number)) {
      const events = list(body, '_embedded', 'events');
      for (const event of events) seen.add(text(event, 'id') ?? '');
      for (const event of events)
        yield* this.#output.event(event, `page ${number + 1} from ${stamp(slice.from)}`);
      if (number >= last || events.length === 0) break;
    }
    // What moved to an earlier page while the later ones were read was not seen.
    if (seen.size < Math.min(total, deepest))
      this.#cut ??= `${Math.min(total, deepest) - seen.size} listed events were on none of the pages`;
    return [];
  }

  async #page(slice: Slice, number: number): Promise<unknown> {
    await this.#turn();
    const url = new URL(this.#base);
    url.searchParams.set('startDateTime', stamp(slice.from));
    url.searchParams.set('endDateTime', stamp(slice.to));
    url.searchParams.set('page', String(number));
    url.searchParams.set('apikey', this.#key);
    const opened = await this.#context.open(url.href, {
      accept: 'application/json',
      maxBytes: mostBytes,
      secrets: [this.#key],
      explain: (body) => explain(body),
    });
    const where = shown(url.href, [this.#key]);
    try {
      const body: unknown = opened === null ? null : JSON.parse(await readText(opened));
      const error = errorIn(body);
      if (error !== null) throw new Failure(`${where} answered with an error: ${shown(error, [this.#key])}`);
      if (!isObject(body) || !('page' in body))
        throw new Failure(`${where} gave no page of the Discovery API v2.`);
      return body;
    } catch (failure) {
      throw failure instanceof SyntaxError ? new Failure(`${where} did not answer with JSON.`) : failure;
    }
  }

  /** Waits until another request may be made. */
  async #turn(): Promise<void> {
    this.#requests++;
    const wait = this.#next - Date.now();
    const { signal } = this.#context;
    if (wait > 0) await sleep(wait, undefined, signal === undefined ? {} : { signal });
    this.#next = Date.now() + betweenMs;
  }
}

const stamp = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');

function explain(body: string): string | null {
  try {
    return errorIn(JSON.parse(body));
  } catch {
    return null;
  }
}
