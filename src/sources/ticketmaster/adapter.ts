/** Reads Ticketmaster's Discovery API, version 2, and its recorded responses in files. */

import { setTimeout as sleep } from 'node:timers/promises';
import { formatUtc } from '../../clock.ts';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from '../adapter.ts';
import { readText } from '../common/charset.ts';
import { listAt, textAt, valueAt } from '../common/json.ts';
import { parseJson } from '../common/parse-json.ts';
import { isHttpUrl, redactUrl } from '../common/redact.ts';
import { isJsonObject, stated } from '../common/values.ts';
import { findError, RecordEmitter, readRecordedResponses } from './responses.ts';

/** Max results that the API pages through (its documentation, Deep Paging). */
const maxPagedResults = 1_000;
const pageSize = 200;
/** Interval for just under five requests per second. */
const requestIntervalMs = 210;
const defaultHorizonDays = 730;
const maxResponseBytes = 32 * 1024 * 1024;
/** Min width of a time slice, s. */
const minSliceSeconds = 60;
/** Max requests of a run, below the daily quota of 5,000 requests per key. */
const maxRequests = 4_500;
const daySeconds = 86_400;

/** Id of dance and electronic music, the same in every locale. */
const electronicGenreId = 'KnvZfZ7vAvF';
const filterParameters = [
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
 * Reads the API, or recorded responses in files. The address may contain any parameters of the event search
 * (`…/discovery/v2/events.json?countryCode=DE&genreId=…`); without a filter it selects dance and electronic music.
 * Options: `apikey` is required; `country` is a country code; `horizon` is how many days ahead are read; `segment` is
 * the kind of event (Music; `*` for all).
 */
export const ticketmaster: Adapter = {
  async *read(context) {
    if (isHttpUrl(context.location)) return yield* new EventSearch(context).run();
    const output = new RecordEmitter(context);
    for (const file of await context.list(context.location))
      yield* readRecordedResponses(context, file, output);
    output.reportIfEmpty(redactUrl(context.location));
  },
};

type TimeSlice = { from: number; to: number };

class EventSearch {
  readonly #context: AdapterContext;
  readonly #output: RecordEmitter;
  readonly #base: URL;
  readonly #key: string;
  #requestCount = 0;
  #nextRequestAtMs = 0;
  #partialReason: string | null = null;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#output = new RecordEmitter(context);
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
    this.#base = this.#withDefaults(url);
  }

  /** Adds defaults for the parameters that the address does not set. */
  #withDefaults(url: URL): URL {
    const { country, locale } = this.#context.options;
    const set = (name: string, value: string) => {
      if (!url.searchParams.has(name)) url.searchParams.set(name, value);
    };
    if (!filterParameters.some((name) => url.searchParams.has(name))) set('genreId', electronicGenreId);
    if (country !== undefined) set('countryCode', country.toUpperCase());
    set('locale', locale ?? '*');
    set('includeTBA', 'yes');
    set('includeTBD', 'yes');
    set('includeTest', 'no');
    url.searchParams.set('sort', 'date,asc');
    url.searchParams.set('size', String(pageSize));
    return url;
  }

  async *run(): AsyncGenerator<FeedRecord, ReadOutcome> {
    const days = Number(this.#context.options.horizon ?? defaultHorizonDays);
    const today = Math.floor(this.#context.now / 1_000 / daySeconds) * daySeconds;
    const daysAhead = Number.isFinite(days) && days > 0 ? Math.min(days, 3_650) : defaultHorizonDays;
    // Yesterday's events may still be running in time zones to the west.
    const waiting: TimeSlice[] = [{ from: today - daySeconds, to: today + daysAhead * daySeconds }];
    for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
      if (this.#requestCount >= maxRequests) {
        this.#partialReason = `the day's ${maxRequests} requests are used up`;
        break;
      }
      const halves = yield* this.#readSlice(slice);
      waiting.unshift(...halves);
    }
    this.#output.reportIfEmpty(redactUrl(this.#base.href, [this.#key]));
    return this.#partialReason === null
      ? { ended: 'whole' }
      : { ended: 'partial', reason: this.#partialReason };
  }

  /**
   * Reads a time slice.
   * @returns the halves of a slice with too many events, of which nothing was read
   */
  async *#readSlice(slice: TimeSlice): AsyncGenerator<FeedRecord, TimeSlice[]> {
    const first = await this.#fetchPage(slice, 0);
    const total = Number(valueAt(first, 'page', 'totalElements') ?? 0) || 0;
    const width = slice.to - slice.from;
    if (total > maxPagedResults && width >= 2 * minSliceSeconds) {
      const middle = slice.from + Math.floor(width / 2 / minSliceSeconds) * minSliceSeconds;
      return [
        { from: slice.from, to: middle - 1 },
        { from: middle, to: slice.to },
      ];
    }
    if (total > maxPagedResults)
      this.#partialReason = `more than ${maxPagedResults} events begin at ${formatInstant(slice.from)}`;
    const seen = new Set<string>();
    // A page may be smaller than the one that was asked for.
    const size = Math.min(pageSize, Math.max(1, Number(valueAt(first, 'page', 'size')) || pageSize));
    const last = Math.ceil(Math.min(total, maxPagedResults) / size) - 1;
    for (let number = 0, body = first; ; number++, body = await this.#fetchPage(slice, number)) {
      const events = listAt(body, '_embedded', 'events');
      for (const event of events) seen.add(textAt(event, 'id') ?? '');
      for (const event of events)
        yield* this.#output.emitEvent(event, `page ${number + 1} from ${formatInstant(slice.from)}`);
      if (number >= last || events.length === 0 || this.#requestCount >= maxRequests) break;
    }
    // Events that moved to an earlier page during paging were missed.
    if (seen.size < Math.min(total, maxPagedResults))
      this.#partialReason ??= `${Math.min(total, maxPagedResults) - seen.size} listed events were on none of the pages`;
    return [];
  }

  async #fetchPage(slice: TimeSlice, number: number): Promise<unknown> {
    await this.#waitForRateLimit();
    const url = new URL(this.#base);
    url.searchParams.set('startDateTime', formatInstant(slice.from));
    url.searchParams.set('endDateTime', formatInstant(slice.to));
    url.searchParams.set('page', String(number));
    url.searchParams.set('apikey', this.#key);
    const resource = await this.#context.open(url.href, {
      accept: 'application/json',
      maxBytes: maxResponseBytes,
      secrets: [this.#key],
      describeErrorBody: (body) => parseErrorBody(body),
    });
    const where = redactUrl(url.href, [this.#key]);
    try {
      const body: unknown = resource === null ? null : parseJson(await readText(resource));
      const error = findError(body);
      if (error !== null) throw new Failure(`${where} returned an error: ${redactUrl(error, [this.#key])}`);
      if (!isJsonObject(body) || !('page' in body))
        throw new Failure(`${where} did not return a page of the Discovery API v2.`);
      return body;
    } catch (failure) {
      throw failure instanceof SyntaxError ? new Failure(`${where} did not return JSON.`) : failure;
    }
  }

  /** Waits until the rate limit allows another request. */
  async #waitForRateLimit(): Promise<void> {
    this.#requestCount++;
    const wait = this.#nextRequestAtMs - Date.now();
    const { signal } = this.#context;
    if (wait > 0) await sleep(wait, undefined, stated({ signal }));
    this.#nextRequestAtMs = Date.now() + requestIntervalMs;
  }
}

const formatInstant = (seconds: number): string => formatUtc(seconds * 1_000);

function parseErrorBody(body: string): string | null {
  try {
    return findError(parseJson(body));
  } catch {
    return null;
  }
}
