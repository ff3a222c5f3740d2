/**
 * Cursors (docs/spec/lists.md#cursors): opaque, authenticated with a key in the data file and bound to a path
 * with its filters. They stay valid across restarts, processes and imports.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../contract/errors.ts';

/**
 * The position of pagination: the sort key of the last entry shown, and the revision at which pagination began.
 */
export type CursorPosition = { key: (string | number)[]; revision: number };

const macBytes = 16;

/**
 * Encodes and decodes cursors. A cursor is an HMAC tag of 16 bytes and its JSON payload, in base64url; it is signed, not
 * encrypted.
 */
export class CursorCodec {
  readonly #secret: KeyObject;

  /** @param secret the key of the data file, 32 bytes */
  constructor(secret: Buffer) {
    // Created once: with a buffer, every digest would create a key object.
    this.#secret = createSecretKey(secret);
  }

  /** Encodes a position, bound to `scope` (path and filters as one text). */
  encode(position: CursorPosition, scope: string): string {
    const payload = Buffer.from(JSON.stringify([position.revision, ...position.key]));
    return Buffer.concat([this.#tag(payload, scope), payload]).toString('base64url');
  }

  /** Decodes a cursor. Throws `invalid_cursor` unless this service created it for this `scope`. */
  decode(cursor: string, scope: string): CursorPosition {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(macBytes);
    const isValid =
      bytes.length > macBytes &&
      // Base64 has several spellings of the same bytes; only the issued one is valid.
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, macBytes), this.#tag(payload, scope));
    if (!isValid) throw invalidCursor();
    const [revision, ...key] = JSON.parse(payload.toString()) as [number, ...(string | number)[]];
    return { key, revision };
  }

  #tag(payload: Buffer, binding: string): Buffer {
    return createHmac('sha256', this.#secret)
      .update(binding)
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, macBytes);
  }
}

const invalidCursor = () =>
  new Problem(
    'invalid_cursor',
    'Not a cursor for this path and these filters. Start again without cursor, and pass on next_cursor unchanged.',
    'cursor',
  );
