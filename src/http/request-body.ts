/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

/**
 * Reads a whole body. The rest of a body over the limit is received and dropped, so that the client gets the response.
 *
 * @param maxBytes the longest body that is accepted
 * @param hold is called with the bytes of each piece, before it is kept; what it throws ends the reading
 * @returns the body; `too large` if it is longer than `maxBytes`; null if the connection ended before the body did; rejects
 *   with what `hold` throws
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  hold: (bytes: number) => void = () => {},
): Promise<Buffer | 'too large' | null> {
  if (Number(request.headers['content-length']) > maxBytes) {
    request.resume();
    return Promise.resolve('too large');
  }
  // A request without a body has no events (`optimizeEmptyRequests` of `server.ts`).
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const drop = () => {
      chunks = [];
      request.off('data', addChunk);
      request.resume();
    };
    const addChunk = (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        if (bytes <= maxBytes) hold(chunk.length);
      } catch (failure) {
        drop();
        reject(failure);
        return;
      }
      if (bytes <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      drop();
      resolve('too large');
    };
    request.on('data', addChunk);
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
}
