/** Makes an adapter for a JSON API that lists events on pages: requests, paging, files with recorded responses. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from '../adapter.ts';
import { readText } from './charset.ts';
import { textAt } from './json.ts';
import { skipIfNonPublic } from './non-public-event.ts';
import { parseJson } from './parse-json.ts';
import { isHttpUrl, redactUrl } from './redact.ts';
import { InvalidEventError, type JsonObject, newRecords, stated } from './values.ts';

const maxResponseBytes = 32 * 1024 * 1024;
const maxPages = 500;
const defaultPauseMs = 250;

/** A request to the API. With a body it is a POST. */
export type ApiRequest = { url: string; body?: string };

export type JsonApi = {
  /** Name of the interface, for messages. */
  name: string;
  /** Returns the first request for the address of a source. Throws a `Failure` if it cannot be read. */
  firstRequest(context: AdapterContext): ApiRequest;
  /** Headers of all requests, such as the key of the operator. */
  headers?(context: AdapterContext): Record<string, string>;
  /** Values that no message may contain. */
  secrets?(context: AdapterContext): string[];
  /** How many events of a response are read, if the interface has no pages that limit them. */
  maxEvents?: number;
  /** Returns the events of a response; null if the response is of another interface. */
  eventsOf(body: unknown): JsonObject[] | null;
  /** Returns the request of the next page; null on the last one. */
  nextRequest(body: unknown, request: ApiRequest, page: number): ApiRequest | null;
  /**
   * Converts an event to records; none if it is not for the catalogue.
   * @param body the response, with what all its events share
   * @param base the address of the response; null for a file
   * @throws InvalidEventError if the event is not valid
   */
  toRecords(event: JsonObject, context: AdapterContext, body: unknown, base: string | null): FeedRecord[];
};

/** Makes an adapter that reads all pages of an API, or files with its responses. */
export const jsonApiAdapter = (api: JsonApi): Adapter => ({
  async *read(context) {
    const output = new ApiOutput(api, context);
    if (isHttpUrl(context.location)) return yield* readPages(api, context, output);
    for (const file of await context.list(context.location)) {
      const body = await readJson(api, context, { url: file });
      if (body === undefined) context.reject(file, `is no response of ${api.name}`);
      else yield* output.emit(body, file, null);
    }
    output.reportIfEmpty();
    return output.outcome();
  },
});

async function* readPages(
  api: JsonApi,
  context: AdapterContext,
  output: ApiOutput,
): AsyncGenerator<FeedRecord, ReadOutcome> {
  const seen = new Set<string>();
  let request: ApiRequest | null = api.firstRequest(context);
  const { origin } = new URL(request.url);
  for (let page = 1; request !== null; page++) {
    if (page > maxPages) return { ended: 'partial', reason: `it has more than ${maxPages} pages` };
    if (page > 1) await pause(context);
    seen.add(`${request.url} ${request.body ?? ''}`);
    const body: unknown = await readJson(api, context, request);
    const where = redactUrl(request.url, api.secrets?.(context));
    if (body === undefined) throw new Failure(`${where} did not return a response of ${api.name}.`);
    const count: number = yield* output.emit(body, where, request.url);
    const next: ApiRequest | null = count === 0 ? null : api.nextRequest(body, request, page);
    // A page must not send the reader, and a key, to another server, nor in circles.
    const isValid =
      next !== null &&
      URL.canParse(next.url) &&
      new URL(next.url).origin === origin &&
      !seen.has(`${next.url} ${next.body ?? ''}`);
    if (next !== null && !isValid)
      return { ended: 'partial', reason: 'the address of its next page is not valid' };
    request = next;
  }
  output.reportIfEmpty();
  return output.outcome();
}

/** Reads a JSON response; undefined if it is not one of this API. */
async function readJson(api: JsonApi, context: AdapterContext, request: ApiRequest): Promise<unknown> {
  const secrets = api.secrets?.(context) ?? [];
  const resource = await context.open(request.url, {
    accept: 'application/json',
    maxBytes: maxResponseBytes,
    secrets,
    describeErrorBody: describeError,
    ...stated({ body: request.body }),
    headers: {
      ...api.headers?.(context),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  try {
    const body: unknown = resource === null ? undefined : parseJson(await readText(resource));
    return api.eventsOf(body) === null ? undefined : body;
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined;
    throw failure;
  }
}

/** Returns the message of an error response, under the names that services use for it. */
function describeError(text: string): string | null {
  try {
    const body: unknown = parseJson(text);
    return textAt(body, 'error_description') ?? textAt(body, 'message') ?? textAt(body, 'error');
  } catch {
    return null;
  }
}

/** Waits between two pages, as long as the option `pause` says. */
export async function pause({ options, signal }: AdapterContext): Promise<void> {
  const ms = /^\d{1,6}$/.test(options.pause ?? '') ? Number(options.pause) : defaultPauseMs;
  await sleep(ms, undefined, stated({ signal }));
}

/** Emits each record once, and reports events that are not valid. */
class ApiOutput {
  readonly #api: JsonApi;
  readonly #context: AdapterContext;
  readonly #emitted = new Set<string>();
  #eventCount = 0;
  /** Why not all events of a response were read. */
  #cut: string | null = null;

  constructor(api: JsonApi, context: AdapterContext) {
    this.#api = api;
    this.#context = context;
  }

  /** Emits the records of a response. Returns the number of its events. */
  *emit(body: unknown, where: string, base: string | null): Generator<FeedRecord, number> {
    const { maxEvents = Number.POSITIVE_INFINITY } = this.#api;
    const listed = this.#api.eventsOf(body) ?? [];
    const events = listed.slice(0, maxEvents);
    if (listed.length > maxEvents) this.#cut = `${where} lists more than ${maxEvents} events`;
    for (const [index, event] of events.entries()) {
      const id = textAt(event, 'id') ?? textAt(event, 'uuid');
      const place = `${where} ${id ?? `event ${index + 1}`}`;
      try {
        const records = this.#api.toRecords(event, this.#context, body, base);
        if (!skipIfNonPublic(this.#context, records, place)) yield* this.#emitNew(records, place);
      } catch (failure) {
        if (!(failure instanceof InvalidEventError)) throw failure;
        this.#context.reject(
          place,
          failure.message,
          id === null ? undefined : { kind: 'event', externalId: id },
        );
      }
    }
    this.#eventCount += events.length;
    return events.length;
  }

  *#emitNew(records: readonly FeedRecord[], place: string): Generator<FeedRecord> {
    for (const record of newRecords(records, this.#emitted)) {
      this.#context.setRecordLocation?.(place);
      yield record;
    }
  }

  outcome(): ReadOutcome {
    return this.#cut === null ? { ended: 'whole' } : { ended: 'partial', reason: this.#cut };
  }

  reportIfEmpty(): void {
    if (this.#eventCount === 0) this.#context.skip?.(redactUrl(this.#context.location), 'lists no events');
  }
}
