/**
 * Recognizes images by their first bytes, and reads their size from the header. Names and media types of a server are not
 * believed. An image whose size is unknown or too large is refused before it is decoded.
 */
import { isoImageSize, isoImageType } from './iso-image.ts';

export type ImageType = 'avif' | 'gif' | 'jpeg' | 'png' | 'webp';
export type ImageHeader = { type: ImageType; width: number; height: number };

/** Maximum number of pixels of an image that is decoded: 24 megapixels take about 350 MB for a moment. */
export const maxPixels = 24_000_000;
/** Maximum width and height in pixels. */
const maxSide = 12_000;

/** Why bytes are not decoded. */
export type ImageRefusal = 'not an image' | 'HEIC is not decoded' | 'incomplete' | 'too many pixels';

/** Reads type and size of an image; a text says why it is refused. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | ImageRefusal {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = typeOf(buffer);
  if (type === null) return isoImageType(buffer) === 'heic' ? 'HEIC is not decoded' : 'not an image';
  const size = sizeReaders[type](buffer);
  if (size === null || size.width < 1 || size.height < 1) return 'incomplete';
  const { width, height } = size;
  if (width > maxSide || height > maxSide || width * height > maxPixels) return 'too many pixels';
  return { type, width, height };
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function typeOf(bytes: Buffer): ImageType | null {
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (bytes.subarray(0, 8).equals(pngStart)) return 'png';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  return isoImageType(bytes) === 'avif' ? 'avif' : null;
}

type Size = { width: number; height: number };

const sizeReaders: Record<ImageType, (bytes: Buffer) => Size | null> = {
  avif: isoImageSize,
  gif: (bytes) =>
    bytes.length < 13 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) },
  png: (bytes) =>
    bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR'
      ? null
      : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
  jpeg: jpegSize,
  webp: webpSize,
};

/** Walks the segments of a JPEG to the frame header (ITU T.81, B.2.2). */
function jpegSize(bytes: Buffer): Size | null {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] as number;
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // The image data begins, and no frame header was before it.
    else if (marker === 0xda || marker === 0xd9) return null;
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

/** Reads the size of a WebP (RFC 9649, sections 2.5 to 2.7). */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
