/**
 * Lines of JSON over a pipe. Only "\n" ends a line: `node:readline` also splits at U+2028 and U+2029, which JSON text
 * holds unescaped.
 */
import type { Readable } from 'node:stream';

/** Maximum length of a line, in bytes. */
const maxLineBytes = 64 * 1024 * 1024;
const newline = 0x0a;

/**
 * Returns the documents of a stream, one per line. A last line without "\n" is not returned.
 * @throws Error if a line is no JSON, or is longer than `maxBytes`
 */
export async function* readJsonLines<Message>(
  stream: Readable,
  maxBytes = maxLineBytes,
): AsyncGenerator<Message> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(newline, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      parts.push(part);
      length += part.length;
      if (length > maxBytes) throw new Error(`a line is longer than ${maxBytes} bytes`);
      if (end === -1) break;
      const line = Buffer.concat(parts).toString();
      [parts, length, start] = [[], 0, end + 1];
      yield parseLine<Message>(line);
    }
  }
}

function parseLine<Message>(line: string): Message {
  const message: unknown = JSON.parse(line);
  if (typeof message !== 'object' || message === null) throw new SyntaxError('a line is no JSON object');
  return message as Message;
}
