/** Answers of the Discovery API as records: each record once; and answers that were kept in files. */
import { Failure } from '../../failure.ts';
import type { AdapterContext, FeedRecord } from './adapter.ts';
import { isSkipped } from './no-show.ts';
import { readText } from './text.ts';
import { artistOf, isAct, isAddOn, isOfSegment } from './ticketmaster-act.ts';
import { at, errorIn, isObject, type Json, list, text } from './ticketmaster-json.ts';
import { BadEvent, recordsOf, venueOf } from './ticketmaster-record.ts';

const fileBytes = 128 * 1024 * 1024;

/** The records of events, each once, and only those of the kind that is asked for. */
export class Output {
  readonly #context: AdapterContext;
  readonly #told = new Set<string>();
  /** Events met, those included that are not asked for. */
  #met = 0;

  constructor(context: AdapterContext) {
    this.#context = context;
  }

  has(kind: string, id: string): boolean {
    return this.#told.has(`${kind} ${id}`);
  }

  *event(event: Json, where: string): Generator<FeedRecord> {
    this.#met++;
    // Made to try the service out, not music, or sold beside a show.
    if (
      event.test === true ||
      isAddOn(event) ||
      !isOfSegment(event, this.#context.options.segment ?? 'Music')
    )
      return;
    try {
      const records = recordsOf(event);
      if (!isSkipped(this.#context, records, `${where} ${text(event, 'id')}`)) yield* this.each(records);
    } catch (failure) {
      if (!(failure instanceof BadEvent)) throw failure;
      const id = text(event, 'id');
      const subject = id === null ? undefined : ({ kind: 'event', externalId: id } as const);
      this.#context.reject(`${where} ${id ?? ''}`.trim(), failure.message, subject);
    }
  }

  /**
   * Says so where nothing was found: a key, a country or a kind of music may be set wrongly.
   * @param asked for what, or in which file
   */
  end(asked: string): void {
    if (this.#told.size > 0) return;
    const segment = this.#context.options.segment ?? 'Music';
    const reason =
      this.#met === 0
        ? 'lists no events'
        : `lists ${this.#met} events, none of which is taken: they are not of the segment ${segment} (--option segment=* reads all), or no shows`;
    this.#context.skip?.(asked, reason);
  }

  *each(records: readonly (FeedRecord | null)[]): Generator<FeedRecord> {
    for (const record of records) {
      if (record === null || this.has(record.kind, record.external_id)) continue;
      this.#told.add(`${record.kind} ${record.external_id}`);
      yield record;
    }
  }
}

/** Reads a file with one answer, or with many as recorders keep them. */
export async function* readRecording(
  context: AdapterContext,
  file: string,
  output: Output,
): AsyncGenerator<FeedRecord> {
  const opened = await context.open(file, { maxBytes: fileBytes });
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
    yield* readAnswer(context, file, answer, output);
}

/** One answer, as it came or as a recorder keeps it (with its path and status around it). */
function* readAnswer(
  context: AdapterContext,
  file: string,
  answer: unknown,
  output: Output,
): Generator<FeedRecord> {
  const path = text(answer, 'path') ?? '';
  const body = isObject(answer) && 'response' in answer ? answer.response : answer;
  const error = errorIn(body);
  if (/\/discovery\/v1\//.test(path) || isOld(body)) {
    context.reject(
      file,
      'is an answer of the Discovery API v1, which is no longer served: record it from v2',
    );
  } else if (error !== null) {
    context.reject(file, `is an error: ${error}`);
  } else if (!isObject(body)) {
    context.reject(file, 'is no answer of the Discovery API v2');
  } else {
    const before = [
      list(body, '_embedded', 'venues'),
      list(body, '_embedded', 'attractions'),
      list(body, '_embedded', 'events'),
    ];
    const [venues = [], attractions = [], events = []] = body.type === undefined ? before : [[], [], []];
    for (const venue of body.type === 'venue' ? [body] : venues) yield* output.each([venueOf(venue)]);
    for (const one of body.type === 'attraction' ? [body] : attractions) {
      if (isAct(one) && isOfSegment(one, context.options.segment ?? 'Music'))
        yield* output.each([artistOf(one)]);
    }
    for (const event of body.type === 'event' && 'dates' in body ? [body] : events)
      yield* output.event(event, file);
    if (
      !before.some((found) => found.length > 0) &&
      !/^(?:venue|attraction|event)$/.test(text(body, 'type') ?? '')
    )
      if (at(body, 'page', 'totalElements') !== 0)
        context.reject(file, 'has no events, attractions or venues');
  }
}

/** Version 1 has members that version 2 gave up. */
const isOld = (body: unknown): boolean =>
  list(body, '_embedded', 'events').some((event) => 'eventUrl' in event) ||
  /\/discovery\/v1\//.test(text(body, '_links', 'self', 'href') ?? '') ||
  (isObject(body) && 'eventUrl' in body);
