/** The feed format itself (docs/spec/feed-format.md): a file, a folder of feeds, standard input or an address. */

import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from './adapter.ts';
import { type InputItem, notJsonReason, readLines } from './common/input-items.ts';
import { InvalidInputLimit } from './common/invalid-input-limit.ts';
import { redactUrl } from './common/redact.ts';
import { isJsonObject } from './common/values.ts';

/** A feed may be a whole catalogue; it is read line by line. */
const maxFeedBytes = 64 * 1024 ** 3;
const feedFileName = /\.(?:ndjson|jsonl)(?:\.gz)?$/i;

/** Reads feeds. Whether a line fits the format is checked where it is taken; a line that is no object is told here. */
export const feed: Adapter = {
  async *read(context) {
    const listed = await context.list(context.location);
    const isFolder = listed.length !== 1 || listed[0] !== context.location;
    const files = isFolder ? listed.filter((file) => feedFileName.test(file)) : listed;
    if (files.length === 0)
      return { ended: 'partial', reason: `${context.location} holds no .ndjson file` } as const;
    for (const file of files) {
      const end = yield* readFile(context, file);
      if (end) return end;
    }
  },
};

async function* readFile(
  context: AdapterContext,
  file: string,
): AsyncGenerator<FeedRecord, ReadOutcome | undefined> {
  const accept = 'application/x-ndjson, application/jsonl, application/json;q=0.8, */*;q=0.5';
  const opened = await context.open(file, {
    maxBytes: maxFeedBytes,
    accept,
    conditional: true,
  });
  if (opened === null) return { ended: 'unchanged' };
  const barren = new InvalidInputLimit(redactUrl(file));
  for await (const piece of readLines(barren.limitBytes(stripByteOrderMark(opened.body)))) {
    const where = `${redactUrl(file)}:${piece.number}`;
    const read = 'text' in piece ? parse(piece.text) : { problem: problemOf(piece) };
    if ('problem' in read) {
      barren.countInvalid();
      context.reject(where, read.problem);
    } else {
      barren.countValid();
      context.setRecordLocation?.(where);
      yield read.value as FeedRecord;
    }
  }
}

const problemOf = (piece: InputItem): string => ('problem' in piece ? piece.problem : '');

/** The object that a line is, or why it is none. */
function parse(text: string): { value: object } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { value } : { problem: 'not a JSON object' };
  } catch (failure) {
    return { problem: notJsonReason(failure) };
  }
}

/** A byte order mark stands at the beginning of a file only. */
async function* stripByteOrderMark(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const piece of body) {
    yield first && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? piece.subarray(3) : piece;
    first = false;
  }
}
