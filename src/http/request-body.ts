/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

/**
 * Reads a whole body. The rest of a body over the limit is received and dropped, so that the client gets the response.
 *
 * @param maxBytes the longest body that is accepted
 * @returns the body; `too large` if it is longer than `maxBytes`; null if the connection ended before the body did
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too large' | null> {
  if (Number(request.headers['content-length']) > maxBytes) {
    request.resume();
    return Promise.resolve('too large');
  }
  // A request without a body has no events (`optimizeEmptyRequests` of `server.ts`).
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const addChunk = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      request.off('data', addChunk);
      request.resume();
      resolve('too large');
    };
    request.on('data', addChunk);
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
}
