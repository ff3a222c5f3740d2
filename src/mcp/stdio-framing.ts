/**
 * Splits standard input into messages, one per line. An invalid line gets a JSON-RPC error (2.0, section 5): the SDK
 * would drop it, and the client would wait for a response.
 */
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { maxBodyBytes } from './request-adapter.ts';

const flushDelayMs = 50;

type WriteLine = (line: string) => void;
type JsonObject = Record<string, unknown>;

/**
 * Creates the stream that splits the input and answers invalid lines.
 * @param writeLine writes one line to the client
 * @returns a stream from chunks of any size to lines with one message each
 */
export function frameMessages(writeLine: WriteLine): Transform {
  const decoder = new StringDecoder('utf8');
  let incompleteLine = '';
  /** Whether the rest of a line over the limit is being skipped. */
  let isSkipping = false;
  let isFirst = true;

  const filterLine = (rawLine: string): string => {
    // Some shells write a byte order mark first.
    const line = isFirst ? rawLine.replace(/^\ufeff/, '') : rawLine;
    isFirst = false;
    if (line.trim() === '') return '';
    const error = messageError(line);
    if (error === null) return `${line}\n`;
    writeLine(`${JSON.stringify(error)}\n`);
    return '';
  };
  const filterLines = (text: string): string => {
    const lines = (incompleteLine + text).split('\n');
    incompleteLine = lines.pop() as string;
    let messages = '';
    for (const line of lines) {
      if (!isSkipping) messages += filterLine(line);
      isSkipping = false;
    }
    if (isSkipping) incompleteLine = '';
    else if (incompleteLine.length > maxBodyBytes) {
      writeLine(`${JSON.stringify(rpcError(-32600, tooLongText))}\n`);
      isSkipping = true;
      incompleteLine = '';
    }
    return messages;
  };
  return new Transform({
    transform: (piece: Buffer, _encoding, callback) => callback(null, filterLines(decoder.write(piece))),
    flush(callback) {
      if (!isSkipping) this.push(filterLine(incompleteLine + decoder.end()));
      // The end of the stream closes the connection: the last requests are answered before.
      setTimeout(callback, flushDelayMs);
    },
  });
}

const tooLongText = `Invalid request: a message has at most ${maxBodyBytes} bytes.`;

const rpcError = (code: number, message: string, id: string | number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Returns the error for an invalid line; null for a message. */
function messageError(line: string): ReturnType<typeof rpcError> | null {
  if (Buffer.byteLength(line) > maxBodyBytes) return rpcError(-32600, tooLongText);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return rpcError(-32700, 'Parse error: every line must be one JSON object without line breaks.');
  }
  if (Array.isArray(value)) {
    return rpcError(-32600, 'Invalid request: batches are not supported. Send each message on its own line.');
  }
  return isMessage(value) ? null : rpcError(-32600, invalidMessageText, idOf(value));
}

const invalidMessageText =
  'Invalid request: a message has "jsonrpc": "2.0" and a "method". A request also has an "id", a string or an integer.';

const idOf = (value: unknown): string | number | null => {
  const id = (value as JsonObject | null)?.id;
  return isId(id) ? id : null;
};

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether the value is a request, a notification, or a response (which earlier revisions let a client send). */
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
