/** Answers of the Discovery API as records: each record once; and answers that were kept in files. */
import { Failure } from '../../failure.ts';
import type { AdapterContext, FeedRecord } from '../adapter.ts';
import { readText } from '../common/charset.ts';
import { skipIfNonPublic } from '../common/non-public-event.ts';
import { InvalidEventError, isJsonObject, type JsonObject } from '../common/values.ts';
import { isAddOn, isOfSegment, isPerformer, toArtist } from './attractions.ts';
import { toRecords, toVenue } from './event-record.ts';
import { findError, listAt, textAt, valueAt } from './json.ts';

const maxFileBytes = 128 * 1024 * 1024;

/** The records of events, each once, and only those of the kind that is asked for. */
export class RecordEmitter {
  readonly #context: AdapterContext;
  readonly #emitted = new Set<string>();
  /** Events met, those included that are not asked for. */
  #eventCount = 0;

  constructor(context: AdapterContext) {
    this.#context = context;
  }

  hasEmitted(kind: string, id: string): boolean {
    return this.#emitted.has(`${kind} ${id}`);
  }

  *emitEvent(event: JsonObject, where: string): Generator<FeedRecord> {
    this.#eventCount++;
    // Made to try the service out, not music, or sold beside a show.
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
   * Says so where nothing was found: a key, a country or a kind of music may be set wrongly.
   * @param asked for what, or in which file
   */
  reportIfEmpty(asked: string): void {
    if (this.#emitted.size > 0) return;
    const segment = this.#context.options.segment ?? 'Music';
    const reason =
      this.#eventCount === 0
        ? 'lists no events'
        : `lists ${this.#eventCount} events, none of which is taken: they are not of the segment ${segment} (--option segment=* reads all), or no shows`;
    this.#context.skip?.(asked, reason);
  }

  *emitNew(records: readonly (FeedRecord | null)[]): Generator<FeedRecord> {
    for (const record of records) {
      if (record === null || this.hasEmitted(record.kind, record.external_id)) continue;
      this.#emitted.add(`${record.kind} ${record.external_id}`);
      yield record;
    }
  }
}

/** Reads a file with one answer, or with many as recorders keep them. */
export async function* readRecordedResponses(
  context: AdapterContext,
  file: string,
  output: RecordEmitter,
): AsyncGenerator<FeedRecord> {
  const opened = await context.open(file, { maxBytes: maxFileBytes });
  if (opened === null) return;
  let body: unknown;
  try {
    body = JSON.parse(await readText(opened));
  } catch (failure) {
    if (failure instanceof Failure) throw failure;
    context.reject(file, 'is not JSON');
    return;
  }
  for (const answer of Array.isArray(body) ? body.slice(0, 100_000) : [body])
    yield* readResponse(context, file, answer, output);
}

/** One answer, as it came or as a recorder keeps it (with its path and status around it). */
function* readResponse(
  context: AdapterContext,
  file: string,
  answer: unknown,
  output: RecordEmitter,
): Generator<FeedRecord> {
  const path = textAt(answer, 'path') ?? '';
  const body = isJsonObject(answer) && 'response' in answer ? answer.response : answer;
  const error = findError(body);
  if (/\/discovery\/v1\//.test(path) || isApiV1(body)) {
    context.reject(
      file,
      'is an answer of the Discovery API v1, which is no longer served: record it from v2',
    );
  } else if (error !== null) {
    context.reject(file, `is an error: ${error}`);
  } else if (!isJsonObject(body)) {
    context.reject(file, 'is no answer of the Discovery API v2');
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
      !before.some((found) => found.length > 0) &&
      !/^(?:venue|attraction|event)$/.test(textAt(body, 'type') ?? '')
    )
      if (valueAt(body, 'page', 'totalElements') !== 0)
        context.reject(file, 'has no events, attractions or venues');
  }
}

/** Version 1 has members that version 2 gave up. */
const isApiV1 = (body: unknown): boolean =>
  listAt(body, '_embedded', 'events').some((event) => 'eventUrl' in event) ||
  /\/discovery\/v1\//.test(textAt(body, '_links', 'self', 'href') ?? '') ||
  (isJsonObject(body) && 'eventUrl' in body);
