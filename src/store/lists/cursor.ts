/**
 * Cursors (docs/spec/lists.md#cursors): opaque, authenticated with the key kept in the data file, bound to a path and its
 * filters, and so valid across restarts, processes and syncs.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../contract/errors.ts';

/** Where a walk stands: the sort key of the last entry shown, and the revision at which the walk began. */
export type CursorPosition = { key: (string | number)[]; revision: number };

const macBytes = 16;

export class CursorCodec {
  readonly #secret: KeyObject;

  /** @param secret the key of the data file, 32 bytes */
  constructor(secret: Buffer) {
    // Made into a key object once: from a buffer, every digest would make one anew.
    this.#secret = createSecretKey(secret);
  }

  /** The cursor of a position, bound to `binding` (path and filters, in one text). */
  encode(position: CursorPosition, scope: string): string {
    const payload = Buffer.from(JSON.stringify([position.revision, ...position.key]));
    return Buffer.concat([this.#tag(payload, scope), payload]).toString('base64url');
  }

  /** The position that `cursor` stands for; throws `invalid_cursor` unless this service made it for this `binding`. */
  decode(cursor: string, scope: string): CursorPosition {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(macBytes);
    const genuine =
      bytes.length > macBytes &&
      // Base64 has several spellings of the same bytes; only the one that was given out is a cursor.
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, macBytes), this.#tag(payload, scope));
    if (!genuine) throw invalidCursor();
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
