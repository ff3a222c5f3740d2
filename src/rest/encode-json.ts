/** Encodes the body of a response, which is made of many stored texts. */
import { escapedBaseUrl, escapedPlaceholder } from '../store/records/serialize.ts';

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const maxBytesPerUnit = 3;
/** Node takes shorter buffers from a pool. */
const maxPooledBytes = Buffer.poolSize / 2 - 1;
let scratch = Buffer.allocUnsafe(256 * 1024);

/**
 * Encodes the pieces of a JSON text in UTF-8, with the base URL in place of its placeholder. Joining 50 items to one
 * text first takes three times as long: a single letter above U+00FF makes it a text of two bytes per letter.
 */
export function encodeJson(pieces: readonly string[], baseUrl: string): Buffer {
  const url = escapedBaseUrl(baseUrl);
  let length = 0;
  for (const piece of pieces) {
    // The parts around a placeholder are written one by one: a text with the URL in it would be copied twice.
    let begin = 0;
    for (let at = piece.indexOf(escapedPlaceholder); at >= 0; at = piece.indexOf(escapedPlaceholder, begin)) {
      length += write(piece.slice(begin, at), length);
      length += write(url, length);
      begin = at + escapedPlaceholder.length;
    }
    length += write(begin === 0 ? piece : piece.slice(begin), length);
  }
  // Short ones are taken from Node's pool, in a third of the time. The cache copies what it keeps (`ResponseCache`).
  const body = length <= maxPooledBytes ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length);
  scratch.copy(body, 0, 0, length);
  return body;
}

/** Writes a text to the scratch buffer and returns its length in bytes. */
function write(text: string, at: number): number {
  const needed = at + text.length * maxBytesPerUnit;
  if (needed > scratch.length) scratch = enlarged(scratch, at, needed);
  return scratch.write(text, at);
}

/** A larger buffer with the first `length` bytes of another. */
function enlarged(buffer: typeof scratch, length: number, needed: number): typeof scratch {
  const larger = Buffer.allocUnsafe(needed * 2);
  buffer.copy(larger, 0, 0, length);
  return larger;
}
