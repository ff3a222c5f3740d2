/** Reading what a caller sends, never more of it than is allowed. */
import type { IncomingMessage } from 'node:http';

/** A call takes a few hundred bytes. */
export const maxBodyBytes = 1_048_576;

/**
 * The body; `too large` where it is longer than `mostBytes` (the rest is let through unread, so that the answer
 * arrives), null where the caller went away before its end.
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
