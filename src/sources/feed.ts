/** Reads the feed format (docs/spec/feed-format.md) from a file, a folder, standard input or an address. */

import type { Adapter, AdapterContext, FeedRecord, ReadOutcome } from './adapter.ts';
import { type InputItem, notJsonReason, readLines } from './common/input-items.ts';
import { InvalidInputLimit } from './common/invalid-input-limit.ts';
import { parseJson } from './common/parse-json.ts';
import { redactUrl } from './common/redact.ts';
import { isJsonObject } from './common/values.ts';

/** A feed may contain a whole catalogue; it is read line by line. */
const maxFeedBytes = 64 * 1024 ** 3;
const feedFileName = /\.(?:ndjson|jsonl)(?:\.gz)?$/i;

/** Reads feeds. Lines that are not JSON objects are rejected here; the import validates the objects. */
export const feed: Adapter = {
  async *read(context) {
    const locations = await context.list(context.location);
    const isFolder = locations.length !== 1 || locations[0] !== context.location;
    const files = isFolder ? locations.filter((file) => feedFileName.test(file)) : locations;
    if (files.length === 0)
      return { ended: 'partial', reason: `${context.location} contains no .ndjson file` } as const;
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
  const resource = await context.open(file, {
    maxBytes: maxFeedBytes,
    accept,
    conditional: true,
  });
  if (resource === null) return { ended: 'unchanged' };
  const invalidLimit = new InvalidInputLimit(redactUrl(file));
  for await (const item of readLines(invalidLimit.limitBytes(stripByteOrderMark(resource.body)))) {
    const where = `${redactUrl(file)}:${item.number}`;
    const read = 'text' in item ? parse(item.text) : { problem: problemOf(item) };
    if ('problem' in read) {
      invalidLimit.countInvalid();
      context.reject(where, read.problem);
    } else {
      invalidLimit.countValid();
      context.setRecordLocation?.(where);
      yield read.value as FeedRecord;
    }
  }
}

const problemOf = (item: InputItem): string => ('problem' in item ? item.problem : '');

function parse(text: string): { value: object } | { problem: string } {
  try {
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? { value } : { problem: 'not a JSON object' };
  } catch (failure) {
    return { problem: notJsonReason(failure) };
  }
}

/** Removes a byte order mark at the beginning of a file. */
async function* stripByteOrderMark(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const item of body) {
    yield first && item[0] === 0xef && item[1] === 0xbb && item[2] === 0xbf ? item.subarray(3) : item;
    first = false;
  }
}
