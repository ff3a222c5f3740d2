/** Content codings of responses (RFC 9110, sections 8.4 and 12.5.3). */
import { brotliCompressSync, gzipSync, constants as zlibConstants, zstdCompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The content codings that responses are sent in; the first that a client ranks highest is taken. */
export const contentCodings = ['zstd', 'br', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];
/** How a body is sent. */
export type Coding = ContentCoding | 'identity';

/** Smaller bodies fit into one packet anyway. */
export const minCompressedBytes = 1_024;

// At these levels 28 kB of JSON take 55 to 125 µs (docs/decisions/28-compression.md).
const brotliQuality = 4;
const gzipLevel = 4;

const compressors: Record<ContentCoding, (body: Buffer) => Buffer> = {
  zstd: (body) => zstdCompressSync(body),
  br: (body) =>
    brotliCompressSync(body, {
      params: {
        [zlibConstants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [zlibConstants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => gzipSync(body, { level: gzipLevel }),
};

/** The coding of each header that was negotiated. Clients send few different ones; long ones are read each time. */
const codings = new LRUCache<string, Coding>({ max: 500 });
const maxCachedHeaderLength = 200;

/**
 * Chooses the content coding of a response.
 *
 * @param header the `Accept-Encoding` header; undefined without one
 * @param offered the codings that the response can have, best first
 * @returns the coding that the header ranks highest; of equals the first of `offered`. `identity` if it accepts none,
 *   also if it refuses `identity`: such a client gets a body that it can read rather than a 406
 */
export function negotiateCoding<T extends ContentCoding>(
  header: string | string[] | undefined,
  offered: readonly T[],
): T | 'identity' {
  if (header === undefined) return 'identity';
  const text = String(header);
  const key = `${offered.join()} ${text}`;
  const cached = codings.get(key);
  if (cached !== undefined) return cached as T | 'identity';
  const [best] = new Negotiator({ headers: { 'accept-encoding': text } }).encodings(
    [...offered, 'identity'],
    {
      preferred: [...offered],
    },
  );
  const coding = (best ?? 'identity') as T | 'identity';
  if (text.length <= maxCachedHeaderLength) codings.set(key, coding);
  return coding;
}

/** Compresses a body of at least `minCompressedBytes`. Takes about 2 to 5 µs per kB. */
export const compressBody = (body: Buffer, coding: ContentCoding): Buffer => compressors[coding](body);
