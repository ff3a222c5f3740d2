/** The Range header of a request for a file (RFC 9110, section 14). */

/** The first and the last byte. */
export type ByteRange = { first: number; last: number };

/**
 * Parses a Range header with one range of bytes.
 * @param size size of the file in bytes
 * @returns null if the whole file is to be sent: no header, another unit, several ranges; 'unsatisfiable' if the range
 *   begins after the end of the file
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}
