import type { IncomingMessage } from 'node:http';

/** Far above the size of a call, which has a few hundred bytes. */
export const maxBodyBytes = 1_048_576;

/**
 * Reads the body. Returns `too large` if it exceeds `maxBodyBytes` (the rest is discarded, so that the client reads the
 * response), and null if the client disconnected.
 */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | null> {
  if (Number(request.headers['content-length']) > maxBodyBytes) return Promise.resolve('too large');
  return new Promise((resolve) => {
    let pieces: Buffer[] = [];
    let bytes = 0;
    const take = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxBodyBytes) {
        pieces.push(piece);
        return;
      }
      pieces = [];
      request.off('data', take);
      request.resume();
      resolve('too large');
    };
    request.on('data', take);
    request.once('end', () => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
}
