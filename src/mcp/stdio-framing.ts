/**
 * Lines of standard input that are messages. What is none is answered as JSON-RPC demands (2.0, section 5) and goes no
 * further: the SDK would drop it, and leave a client waiting for an answer that never comes.
 */
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { maxBodyBytes } from './request-adapter.ts';

const flushDelayMs = 50;

type WriteLine = (line: string) => void;
type JsonObject = Record<string, unknown>;

/**
 * @param writeLine writes one line to the client
 * @returns a stream that takes what a client writes, in pieces of any size, and gives whole lines with a message each
 */
export function frameMessages(writeLine: WriteLine): Transform {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  /** The rest of a line that is longer than any message. */
  let isSkipping = false;

  let isFirst = true;

  const judge = (read: string): string => {
    // Some shells begin what they write with a byte order mark.
    const line = isFirst ? read.replace(/^\ufeff/, '') : read;
    isFirst = false;
    if (line.trim() === '') return '';
    const wrong = messageError(line);
    if (wrong === null) return `${line}\n`;
    writeLine(`${JSON.stringify(wrong)}\n`);
    return '';
  };
  const take = (text: string): string => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() as string;
    let good = '';
    for (const line of lines) {
      if (!isSkipping) good += judge(line);
      isSkipping = false;
    }
    if (isSkipping) pending = '';
    else if (pending.length > maxBodyBytes) {
      writeLine(`${JSON.stringify(rpcError(-32600, tooLongText))}\n`);
      isSkipping = true;
      pending = '';
    }
    return good;
  };
  return new Transform({
    transform: (piece: Buffer, _encoding, done) => done(null, take(decoder.write(piece))),
    flush(done) {
      if (!isSkipping) this.push(judge(pending + decoder.end()));
      // The end of the stream ends the connection: what was asked last is answered before.
      setTimeout(done, flushDelayMs);
    },
  });
}

const tooLongText = `Invalid request: a message has ${maxBodyBytes} bytes at most.`;

const rpcError = (code: number, message: string, id: string | number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** The error that a line which is no message is answered with; null for a message. */
function messageError(line: string): ReturnType<typeof rpcError> | null {
  if (line.length > maxBodyBytes) return rpcError(-32600, tooLongText);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return rpcError(-32700, 'Parse error: every line has to be one JSON object, without line breaks in it.');
  }
  if (Array.isArray(value)) {
    return rpcError(
      -32600,
      'Invalid request: batches are not taken here. Send each message on a line of its own.',
    );
  }
  return isMessage(value) ? null : rpcError(-32600, invalidMessageText, idOf(value));
}

const invalidMessageText =
  'Invalid request: a message has "jsonrpc": "2.0", a "method" and, where it wants an answer, an "id" that is a string or an integer.';

const idOf = (value: unknown): string | number | null => {
  const id = (value as JsonObject | null)?.id;
  return isId(id) ? id : null;
};

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A request or a notification; or an answer, which the client of an older revision may owe. */
function isMessage(value: unknown): boolean {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  if ('method' in value) {
    const { method, id, params } = value;
    return (
      typeof method === 'string' &&
      (!('id' in value) || isId(id)) &&
      (params === undefined || isObject(params))
    );
  }
  return isId(value.id) && ('result' in value || 'error' in value);
}
