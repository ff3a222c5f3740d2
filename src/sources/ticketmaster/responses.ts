/** Converts responses of the Discovery API to records, each record once, and reads recorded responses. */

import { Failure } from '../../failure.ts';
import type { AdapterContext, FeedRecord } from '../adapter.ts';
import { readText } from '../common/charset.ts';
import { listAt, textAt, valueAt } from '../common/json.ts';
import { skipIfNonPublic } from '../common/non-public-event.ts';
import { parseJson } from '../common/parse-json.ts';
import { InvalidEventError, isJsonObject, type JsonObject, newRecords } from '../common/values.ts';
import { isAddOn, isOfSegment, isPerformer, toArtist } from './attractions.ts';
import { toRecords, toVenue } from './event-record.ts';

const maxFileBytes = 128 * 1024 * 1024;

/** Emits each record once, and only events of the configured segment. */
export class RecordEmitter {
  readonly #context: AdapterContext;
  readonly #emitted = new Set<string>();
  /** Number of events, including those of other segments. */
  #eventCount = 0;

  constructor(context: AdapterContext) {
    this.#context = context;
  }

  *emitEvent(event: JsonObject, where: string): Generator<FeedRecord> {
    this.#eventCount++;
    // Test events, other segments, and items that are sold beside a show.
    if (
      event.test === true ||
      isAddOn(event) ||
      !isOfSegment(event, this.#context.options.segment ?? 'Music')
    )
      return;
    try {
      const records = toRecords(event);
      if (!skipIfNonPublic(this.#context, records, `${where} ${textAt(event, 'id')}`))
        yield* this.emitNew(records);
    } catch (failure) {
      if (!(failure instanceof InvalidEventError)) throw failure;
      const id = textAt(event, 'id');
      const subject = id === null ? undefined : ({ kind: 'event', externalId: id } as const);
      this.#context.reject(`${where} ${id ?? ''}`.trim(), failure.message, subject);
    }
  }

  /**
   * Reports a source without records: the key, country or segment may be wrong.
   * @param where the search or file
   */
  reportIfEmpty(where: string): void {
    if (this.#emitted.size > 0) return;
    const segment = this.#context.options.segment ?? 'Music';
    const reason =
      this.#eventCount === 0
        ? 'lists no events'
        : `lists ${this.#eventCount} events, none of which is imported: they are not of the segment ${segment} (--option segment=* imports all), or not public events`;
    this.#context.skip?.(where, reason);
  }

  emitNew(records: readonly (FeedRecord | null)[]): Generator<FeedRecord> {
    return newRecords(
      records.filter((record) => record !== null),
      this.#emitted,
    );
  }
}

/** Reads a file with one response, or with a list of recorded responses. */
export async function* readRecordedResponses(
  context: AdapterContext,
  file: string,
  output: RecordEmitter,
): AsyncGenerator<FeedRecord> {
  const resource = await context.open(file, { maxBytes: maxFileBytes });
  if (resource === null) return;
  let body: unknown;
  try {
    body = parseJson(await readText(resource));
  } catch (failure) {
    if (failure instanceof Failure) throw failure;
    context.reject(file, 'is not JSON');
    return;
  }
  for (const response of Array.isArray(body) ? body.slice(0, 100_000) : [body])
    yield* readResponse(context, file, response, output);
}

/** Reads one response, with or without the path and status that recorders add. */
function* readResponse(
  context: AdapterContext,
  file: string,
  response: unknown,
  output: RecordEmitter,
): Generator<FeedRecord> {
  const path = textAt(response, 'path') ?? '';
  const body = isJsonObject(response) && 'response' in response ? response.response : response;
  const error = findError(body);
  if (/\/discovery\/v1\//.test(path) || isApiV1(body)) {
    context.reject(
      file,
      'is a response of the Discovery API v1, which is no longer served. Record it again with v2',
    );
  } else if (error !== null) {
    context.reject(file, `is an error: ${error}`);
  } else if (!isJsonObject(body)) {
    context.reject(file, 'is no response of the Discovery API v2');
  } else {
    const before = [
      listAt(body, '_embedded', 'venues'),
      listAt(body, '_embedded', 'attractions'),
      listAt(body, '_embedded', 'events'),
    ];
    const [venues = [], attractions = [], events = []] = body.type === undefined ? before : [[], [], []];
    for (const venue of body.type === 'venue' ? [body] : venues) yield* output.emitNew([toVenue(venue)]);
    for (const one of body.type === 'attraction' ? [body] : attractions) {
      if (isPerformer(one) && isOfSegment(one, context.options.segment ?? 'Music'))
        yield* output.emitNew([toArtist(one)]);
    }
    for (const event of body.type === 'event' && 'dates' in body ? [body] : events)
      yield* output.emitEvent(event, file);
    if (
      !before.some((list) => list.length > 0) &&
      !/^(?:venue|attraction|event)$/.test(textAt(body, 'type') ?? '')
    )
      if (valueAt(body, 'page', 'totalElements') !== 0)
        context.reject(file, 'has no events, attractions or venues');
  }
}

/** Whether a response has members of version 1 that version 2 dropped. */
const isApiV1 = (body: unknown): boolean =>
  listAt(body, '_embedded', 'events').some((event) => 'eventUrl' in event) ||
  /\/discovery\/v1\//.test(textAt(body, '_links', 'self', 'href') ?? '') ||
  (isJsonObject(body) && 'eventUrl' in body);

/** Returns the message of an error response: a gateway fault, or the errors of the API. */
export function findError(body: unknown): string | null {
  const fault = textAt(body, 'fault', 'faultstring') ?? textAt(body, 'fault', 'detail', 'errorcode');
  if (fault !== null) return fault;
  const errors = listAt(body, 'errors').map((error) =>
    [textAt(error, 'code'), textAt(error, 'detail')].filter((part) => part !== null).join(': '),
  );
  return errors.length === 0 ? null : errors.join('; ');
}
