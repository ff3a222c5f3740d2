/** A stream of bytes as lines of text, in constant memory whatever the stream holds. */

/** A line longer than this is no line of a feed. */
export const longestLine = 16 * 1024 * 1024;

/** A line with its number from 1; `text` is null where it is too long, or is no UTF-8. */
export type Line = { number: number; text: string | null; problem?: string };

/** The lines of a stream of bytes; a byte order mark and blank lines are passed over. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let pending: Uint8Array[] = [];
  let length = 0;
  const finish = (): Line | null => {
    number++;
    if (length > longestLine)
      return { number, text: null, problem: `is longer than ${longestLine / 1024 / 1024} MiB` };
    try {
      const text = decoder.decode(pending.length === 1 ? pending[0] : Buffer.concat(pending)).trim();
      return text === '' ? null : { number, text };
    } catch {
      return { number, text: null, problem: 'is not UTF-8' };
    }
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      length += end - start;
      pending.push(chunk.subarray(start, end));
      const line = finish();
      if (line) yield line;
      pending = [];
      length = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      length += chunk.length - start;
      // What is too long already need not be kept.
      if (length > longestLine) pending = [];
      else pending.push(chunk.subarray(start));
    }
  }
  if (length > 0) {
    const line = finish();
    if (line) yield line;
  }
}
