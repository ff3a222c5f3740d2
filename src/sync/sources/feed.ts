/** The feed format itself (docs/spec/feed-format.md): a file, a folder of feeds, standard input or an address. */
import { type Piece, readLines } from '../lines.ts';
import { notJson } from '../statement.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord } from './adapter.ts';
import { Barren } from './barren.ts';
import { shown } from './shown.ts';

/** A feed may be a whole catalogue; it is read line by line. */
const mostBytes = 64 * 1024 ** 3;
const isFeed = /\.(?:ndjson|jsonl)(?:\.gz)?$/i;

/** Reads feeds. Whether a line fits the format is checked where it is taken; a line that is no object is told here. */
export const feed: Adapter = {
  async *read(context) {
    const listed = await context.list(context.location);
    const isFolder = listed.length !== 1 || listed[0] !== context.location;
    const files = isFolder ? listed.filter((file) => isFeed.test(file)) : listed;
    if (files.length === 0)
      return { ended: 'partial', reason: `${context.location} holds no .ndjson file` } as const;
    for (const file of files) {
      const end = yield* readOne(context, file);
      if (end) return end;
    }
  },
};

async function* readOne(
  context: AdapterContext,
  file: string,
): AsyncGenerator<FeedRecord, AdapterEnd | undefined> {
  const accept = 'application/x-ndjson, application/jsonl, application/json;q=0.8, */*;q=0.5';
  const opened = await context.open(file, {
    maxBytes: mostBytes,
    accept,
    conditional: true,
  });
  if (opened === null) return { ended: 'unchanged' };
  const barren = new Barren(shown(file));
  for await (const piece of readLines(barren.watch(withoutMark(opened.body)))) {
    const where = `${shown(file)}:${piece.number}`;
    const read = 'text' in piece ? parse(piece.text) : { problem: faultOf(piece) };
    if ('problem' in read) {
      barren.bad();
      context.reject(where, read.problem);
    } else {
      barren.good();
      context.at?.(where);
      yield read.value as FeedRecord;
    }
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const faultOf = (piece: Piece): string => ('problem' in piece ? piece.problem : '');

/** The object that a line is, or why it is none. */
function parse(text: string): { value: object } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value } : { problem: 'not a JSON object' };
  } catch (failure) {
    return { problem: notJson(failure) };
  }
}

/** A byte order mark stands at the beginning of a file only. */
async function* withoutMark(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const piece of body) {
    yield first && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? piece.subarray(3) : piece;
    first = false;
  }
}
