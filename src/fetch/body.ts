/** Decodes response bodies and limits their size. */
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchFailure } from './fetch-failure.ts';
import { dripWindowMs, refuseDrip } from './refuse-drip.ts';
import { spoolStream } from './spool.ts';

/** Value of `Accept-Encoding`. */
export const encodings = 'gzip, deflate, br';

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

type ReadBodyOptions = {
  /** `Content-Encoding` of the response. */
  encoding: string | undefined;
  maxBytes: number;
  /** Folder for data that arrives faster than it is read; null: the network waits for the reader. */
  spoolFolder: string | null;
  /** With `spoolFolder`: the window of `refuseDrip`, for tests. */
  windowMs?: number;
  explain: (failure: unknown) => unknown;
};

/**
 * Yields the decoded body in chunks. Ends the transfer when the reader stops.
 * @throws FetchFailure `too_large` once the body exceeds `maxBytes`, encoded or decoded (a small archive may hold any
 * amount); `unreadable` where it is not encoded as its header says
 */
export async function* readBody(
  body: Readable,
  { encoding, maxBytes, spoolFolder, explain, windowMs = dripWindowMs }: ReadBodyOptions,
): AsyncGenerator<Uint8Array> {
  const decoder = decoderOf(encoding);
  const source =
    spoolFolder === null
      ? body
      : Readable.from(refuseDrip(spoolStream(body, spoolFolder), windowMs), { objectMode: false });
  let failure: unknown;
  source.once('error', (reason) => {
    failure = reason;
    decoder?.destroy();
  });
  const content = decoder === null ? source : source.pipe(limitDecoded(source, decoder, maxBytes));
  try {
    let bytes = 0;
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLargeFailure(maxBytes);
      yield chunk;
    }
    if (failure !== undefined) throw failure;
  } catch (reason) {
    throw explain(failure ?? reason);
  } finally {
    decoder?.destroy();
    body.destroy();
    source.destroy();
  }
}

function decoderOf(encoding: string | undefined): Transform | null {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  const createDecoder = decoders.get(name);
  if (createDecoder === undefined)
    throw new FetchFailure('unreadable', 'The response has an unknown content encoding.');
  return createDecoder();
}

/** Also limits the encoded bytes: they may decode to nothing for ever. */
function limitDecoded(body: Readable, decoder: Transform, maxBytes: number): Transform {
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) decoder.destroy(tooLargeFailure(maxBytes));
  });
  return decoder;
}

/** The failure of a response that is larger than its limit, encoded or decoded. */
export const tooLargeFailure = (maxBytes: number): FetchFailure =>
  new FetchFailure('too_large', `The response is larger than ${maxBytes} bytes.`);
