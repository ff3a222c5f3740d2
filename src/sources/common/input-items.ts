/** What an import is given, one piece after the other: lines of a stream of bytes, or what an adapter found. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';

/** So many blank lines in a row hold nothing: a gzip of a few kilobytes may be a billion of them. */
const maxBlankLines = 1_000_000;
/** A line longer than this is no line of a feed. */
const maxLineBytes = 16 * 1024 * 1024;

/** Whose record a piece speaks of. */
export type RecordKey = { kind: FeedKind; externalId: string };

/** What an adapter gives: a record in the feed format, not yet checked, or why there is none. */
export type AdapterItem =
  | { record: unknown; where?: string }
  | { rejected: { where: string; reason: string; subject: RecordKey | null } };

/** One piece with its number from 1: the text of a line, a record, or why there is neither. */
export type InputItem = { number: number; where?: string } & (
  | { text: string }
  | { record: unknown }
  | { problem: string; subject: RecordKey | null }
);

/** Says why a text could not be parsed as JSON. */
export const notJsonReason = (failure: unknown): string => `not JSON: ${(failure as Error).message}`;

/** So many pieces are gathered, and so long, ms. */
const maxGatheredItems = 50;
const maxGatherMs = 20;

/**
 * What an adapter found, numbered: as many at a time as are there at once. An adapter works while it is asked for the
 * next, and whoever asks should hold nothing meanwhile.
 */
export async function* groupAvailableItems(records: AsyncIterable<AdapterItem>): AsyncGenerator<InputItem[]> {
  const pieces = numberItems(records);
  const nothing = () => {};
  let next = pieces.next();
  try {
    for (let one = await next; !one.done; one = await next) {
      const some = [one.value];
      const began = performance.now();
      next = pieces.next();
      while (some.length < maxGatheredItems && performance.now() - began < maxGatherMs) {
        const prompt = await Promise.race([next.catch(() => null), nextTurn(null)]);
        if (prompt === null || prompt.done) break;
        some.push(prompt.value);
        next = pieces.next();
      }
      // Where the source fails, it is told when what came before it is taken.
      next.catch(nothing);
      yield some;
    }
  } finally {
    next.catch(nothing);
    void pieces.return(undefined).catch(nothing);
  }
}

/** What an adapter found, numbered. */
async function* numberItems(records: AsyncIterable<AdapterItem>): AsyncGenerator<InputItem> {
  let number = 0;
  for await (const incoming of records) {
    number++;
    if ('rejected' in incoming) {
      const { where, reason, subject } = incoming.rejected;
      yield { number, where, problem: reason, subject };
    } else yield { number, ...incoming };
  }
}

/** The lines of a stream of bytes, in constant memory; a byte order mark and blank lines are passed over. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<InputItem> {
  for await (const lines of readLineBatches(input)) yield* lines;
}

/**
 * The same, as many at a time as a chunk of the input holds: waiting once for each line would cost more than reading it.
 * @throws Failure after 1,000,000 blank lines in a row
 */
export async function* readLineBatches(input: AsyncIterable<Uint8Array>): AsyncGenerator<InputItem[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let pending: Uint8Array[] = [];
  let length = 0;
  let blank = 0;
  const finish = (): InputItem | null => {
    number++;
    blank++;
    if (length === 0) return null;
    const line = readLine();
    if (line !== null) blank = 0;
    return line;
  };
  const readLine = (): InputItem | null => {
    const subject = null;
    if (length > maxLineBytes)
      return { number, problem: `is longer than ${maxLineBytes / 1024 / 1024} MiB`, subject };
    try {
      const text = decoder.decode(pending.length === 1 ? pending[0] : Buffer.concat(pending)).trim();
      return text === '' ? null : { number, text };
    } catch {
      return { number, problem: 'is not UTF-8', subject };
    }
  };
  for await (const chunk of input) {
    const lines: InputItem[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      length += end - start;
      pending.push(chunk.subarray(start, end));
      const line = finish();
      if (line) lines.push(line);
      pending = [];
      length = 0;
      start = end + 1;
    }
    if (blank > maxBlankLines) {
      const reason = `It goes on for ${maxBlankLines.toLocaleString('en')} blank lines. It was left there.`;
      throw new Failure(reason);
    }
    if (start < chunk.length) {
      length += chunk.length - start;
      // What is too long already need not be kept.
      if (length > maxLineBytes) pending = [];
      else pending.push(chunk.subarray(start));
    }
    if (lines.length > 0) yield lines;
  }
  if (length > 0) {
    const line = finish();
    if (line) yield [line];
  }
}
