/**
 * Reads the type and the size of images in ISO base media files (ISO/IEC 14496-12, 23008-12): AVIF, which is decoded, and
 * HEIC, which is not: its codec is under patents and under the LGPL (docs/decisions/29-pictures.md).
 */

type Size = { width: number; height: number };

/** Boxes that are read, and bytes of the boxes before the pixels. */
const maxBoxes = 500;
const maxHeaderBytes = 1_000_000;

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);

/** The type by the brands of the file; null for other files. */
export function isoImageType(bytes: Buffer): 'avif' | 'heic' | null {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return null;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 512);
  const brands = new Set<string>();
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) brands.add(bytes.toString('latin1', at, at + 4));
  if (brands.has('avif') || brands.has('avis')) return 'avif';
  return [...brands].some((brand) => heicBrands.has(brand)) ? 'heic' : null;
}

/** Boxes that contain others, and the bytes before those. */
const containers: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };

/**
 * The largest size that an image of the file states (`ispe`): the image itself, its alpha plane or a tile of it; null if
 * there is none near the beginning.
 */
export function isoImageSize(bytes: Buffer): Size | null {
  let largest: Size | null = null;
  let left = maxBoxes;
  const read = (start: number, end: number): void => {
    for (let at = start; at + 8 <= end && left-- > 0; ) {
      const length = bytes.readUInt32BE(at);
      const type = bytes.toString('latin1', at + 4, at + 8);
      // 0: to the end of the file; 1: a length of 64 bits, which no header of an image needs.
      const next = length === 0 ? end : at + length;
      if (length === 1 || next <= at + 7 || next > end) return;
      const inside = containers[type];
      if (inside !== undefined) read(at + 8 + inside, next);
      else if (type === 'ispe' && next - at >= 20) {
        const size = { width: bytes.readUInt32BE(at + 12), height: bytes.readUInt32BE(at + 16) };
        if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
      }
      at = next;
    }
  };
  read(0, Math.min(bytes.length, maxHeaderBytes));
  return largest;
}
