/** Defines the items that an import processes: lines of a byte stream, or records of an adapter. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';

/** Max blank lines in a row. A gzip file of a few kilobytes can contain a billion. */
const maxBlankLines = 1_000_000;
/** Max length of a line. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * Bytes that are read from a file at once. The lines of a chunk are parsed together within one time limit, which starts a
 * thread.
 */
export const fileChunkBytes = 256 * 1024;

/** Identifies the record of an item. */
export type RecordKey = { kind: FeedKind; externalId: string };

/** Output of an adapter: an unvalidated feed record, or why an item has none. */
export type AdapterItem =
  | { record: unknown; where?: string }
  | { rejected: { where: string; reason: string; subject: RecordKey | null } };

/** A numbered item (from 1): the text of a line, a record, or a problem. */
export type InputItem = { number: number; where?: string } & (
  | { text: string }
  | { record: unknown }
  | { problem: string; subject: RecordKey | null }
);

/** Describes a JSON parse error. */
export const notJsonReason = (failure: unknown): string => `not JSON: ${(failure as Error).message}`;

/** Max items of a group, and max ms to collect them. */
const maxGatheredItems = 50;
const maxGatherMs = 20;

/**
 * Numbers the items of an adapter and groups those that are available at once. The adapter already works on the next
 * item while a group is processed. The caller must not hold a lock while it waits for a group.
 */
export async function* groupAvailableItems(records: AsyncIterable<AdapterItem>): AsyncGenerator<InputItem[]> {
  const items = numberItems(records);
  const ignore = () => {};
  let next = items.next();
  try {
    for (let current = await next; !current.done; current = await next) {
      const group = [current.value];
      const startedAt = performance.now();
      next = items.next();
      while (group.length < maxGatheredItems && performance.now() - startedAt < maxGatherMs) {
        const available = await Promise.race([next.catch(() => null), nextTurn(null)]);
        if (available === null || available.done) break;
        group.push(available.value);
        next = items.next();
      }
      // A failure of the source is thrown after the items before it are processed.
      next.catch(ignore);
      yield group;
    }
  } finally {
    next.catch(ignore);
    void items.return(undefined).catch(ignore);
  }
}

async function* numberItems(records: AsyncIterable<AdapterItem>): AsyncGenerator<InputItem> {
  let number = 0;
  for await (const item of records) {
    number++;
    if ('rejected' in item) {
      const { where, reason, subject } = item.rejected;
      yield { number, where, problem: reason, subject };
    } else yield { number, ...item };
  }
}

/** Yields the lines of a byte stream in constant memory, without a byte order mark and blank lines. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<InputItem> {
  for await (const lines of readLineBatches(input)) yield* lines;
}

/**
 * Yields the lines of a byte stream in batches, one batch for each chunk. Waiting for each line would cost more than
 * reading it.
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
      const reason = `It contains ${maxBlankLines.toLocaleString('en')} blank lines in a row. Reading stopped there.`;
      throw new Failure(reason);
    }
    if (start < chunk.length) {
      length += chunk.length - start;
      // The rest of a line that is too long is not kept.
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
