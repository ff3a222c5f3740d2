/** Images of tests: real ones, made with the same codecs, and hostile ones. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import createAvifEncoder from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions as avifOptions } from '@jsquash/avif/meta.js';
import createJpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';

const require = createRequire(import.meta.url);

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function header(width: number, height: number): Buffer {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(width, 0);
  content.writeUInt32BE(height, 4);
  content.set([8, 2, 0, 0, 0], 8);
  return chunk('IHDR', content);
}

/** A PNG of one colour (red, green, blue), optionally with a text chunk. */
export function png(width: number, height: number, colour: readonly number[], text = ''): Buffer {
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.concat(Array.from({ length: width }, () => Buffer.from(colour))),
  ]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    pngStart,
    header(width, height),
    ...(text === '' ? [] : [chunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))]),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A small PNG that claims to have `width` times `height` pixels: a decompression bomb. */
export const bombPng = (width: number, height: number): Buffer =>
  Buffer.concat([
    pngStart,
    header(width, height),
    chunk('IDAT', deflateSync(Buffer.alloc(20_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

type Encoder = {
  encode(data: Uint8Array, width: number, height: number, options: object): Uint8Array;
};

/** A JPEG with a gradient, and with an EXIF segment that says where it was taken. */
export async function jpeg(width: number, height: number): Promise<Buffer> {
  const wasm = new WebAssembly.Module(
    readFileSync(require.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')),
  );
  const encoder = (await (createJpegEncoder as unknown as (options: object) => Promise<Encoder>)({
    noInitialRun: true,
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
  })) as Encoder;
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++)
    pixels.set([(at % width) % 256, Math.floor(at / width) % 256, 128, 255], at * 4);
  const encoded = Buffer.from(encoder.encode(pixels, width, height, defaultOptions));
  const exif = Buffer.from('Exif\0\0GPS 52.5111 13.4430 SecretCamera', 'latin1');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  return Buffer.concat([
    encoded.subarray(0, 2),
    Buffer.from([0xff, 0xe1]),
    length,
    exif,
    encoded.subarray(2),
  ]);
}

/** An animated GIF of two images, 2 by 2 pixels: red, then blue. */
export const animatedGif = Buffer.from(
  [
    '47494638396102000200800000ff00000000ff', // 2 by 2 pixels, red and blue
    '21ff0b4e45545343415045322e300301000000', // repeats
    '21f904000a000000',
    '2c00000000020002000002028451', // red
    '00',
    '21f904000a000000',
    '2c00000000020002000002028c53', // blue
    '00',
    '3b',
  ].join(''),
  'hex',
);

/** A GIF of 2 by 2 pixels whose first image claims a width and a height of 65,535: 4 GB of memory. */
export const bombGif = Buffer.from(
  animatedGif.toString('hex').replace('2c000000000200020000', '2c00000000ffffffff00'),
  'hex',
);

/** An AVIF of one colour, with an alpha plane. */
export async function avif(
  width: number,
  height: number,
  colour: readonly number[],
  alpha = 255,
): Promise<Buffer> {
  const wasm = new WebAssembly.Module(readFileSync(require.resolve('@jsquash/avif/codec/enc/avif_enc.wasm')));
  const create = createAvifEncoder as unknown as (options: object) => Promise<{
    encode(data: Uint8Array, width: number, height: number, options: object): Uint8Array | null;
  }>;
  const encoder = await create({
    noInitialRun: true,
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
  });
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([...colour, alpha], at);
  const encoded = encoder.encode(data, width, height, { ...avifOptions, speed: 10 });
  if (encoded === null) throw new Error('not encodable');
  return Buffer.from(encoded);
}

/** The image with another size in all its `ispe` boxes: the decoder finds more pixels than the file states. */
export function withStatedSize(image: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(image);
  for (let at = changed.indexOf('ispe'); at >= 0; at = changed.indexOf('ispe', at + 4)) {
    changed.writeUInt32BE(width, at + 8);
    changed.writeUInt32BE(height, at + 12);
  }
  return changed;
}

/** The beginning of a HEIC, as telephones write it. */
export const heic = Buffer.from('00000018667479706865696300000000686569636d696631', 'hex');

export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);
export const html = Buffer.from('<!doctype html><script>alert(document.domain)</script>');
