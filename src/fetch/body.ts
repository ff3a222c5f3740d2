/** What an answer says: decoded, and never more than was asked for. */
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchFailure } from './fetch-failure.ts';
import { spoolStream } from './spool.ts';

/** What is asked for, and understood. */
export const encodings = 'gzip, deflate, br';

const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

export type ReadBodyOptions = {
  /** `Content-Encoding`, as the answer has it. */
  encoding: string | undefined;
  maxBytes: number;
  /** A folder for what arrives faster than it is read; null: the network waits for the reader. */
  spoolFolder: string | null;
  explain: (failure: unknown) => unknown;
};

/**
 * The content in pieces. Rejects with `too_large` once it is over `maxBytes`, be it as sent or decoded (a small archive
 * may hold any amount), and with `unreadable` where it is not encoded as it says. Who stops reading ends the transfer.
 */
export async function* readBody(
  sent: Readable,
  { encoding, maxBytes, spoolFolder, explain }: ReadBodyOptions,
): AsyncGenerator<Uint8Array> {
  const decoder = decoderOf(encoding);
  const source =
    spoolFolder === null ? sent : Readable.from(spoolStream(sent, spoolFolder), { objectMode: false });
  let failure: unknown;
  source.once('error', (reason) => {
    failure = reason;
    decoder?.destroy();
  });
  const content = decoder === null ? source : source.pipe(limitDecoded(source, decoder, maxBytes));
  try {
    let bytes = 0;
    for await (const piece of content as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLargeFailure(maxBytes);
      yield piece;
    }
    if (failure !== undefined) throw failure;
  } catch (reason) {
    throw explain(failure ?? reason);
  } finally {
    decoder?.destroy();
    sent.destroy();
    source.destroy();
  }
}

function decoderOf(encoding: string | undefined): Transform | null {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  const make = decoders[name];
  if (make === undefined) throw new FetchFailure('unreadable', 'The answer is encoded in an unknown way.');
  return make();
}

/** Counts what arrives as well: it may decode to nothing for ever. */
function limitDecoded(sent: Readable, decoder: Transform, maxBytes: number): Transform {
  let bytes = 0;
  sent.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > maxBytes) decoder.destroy(tooLargeFailure(maxBytes));
  });
  return decoder;
}

export const tooLargeFailure = (maxBytes: number): FetchFailure =>
  new FetchFailure('too_large', `The answer is larger than ${maxBytes} bytes.`);
