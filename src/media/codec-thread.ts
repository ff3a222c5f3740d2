/**
 * The thread that decodes, resizes and encodes images (`codec.ts` starts and ends it). The codecs are WebAssembly: code
 * that an image exploits cannot leave its own memory. Only pixels pass from the original to the result, so no metadata,
 * script or second format within the file does.
 */
import { workerData } from 'node:worker_threads';
import createAvifDecoder from '@jsquash/avif/codec/dec/avif_dec.js';
import createJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import { decode as decodePng, initSync as openPng } from '@jsquash/png/codec/pkg/squoosh_png.js';
import { initSync as openResize, resize } from '@jsquash/resize/lib/resize/pkg/squoosh_resize.js';
import createWebpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import createWebpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import { defaultOptions } from '@jsquash/webp/meta.js';
import { GifReader } from 'omggif';
import { answerJobs } from '../thread-jobs.ts';
import type { CodecFiles } from './codec.ts';
import { halveTowards } from './halve.ts';
import { type ImageType, readImageHeader } from './image-type.ts';
import { limitMemory } from './limit-memory.ts';
import { maxHeightPerWidth, type SizedPicture, widthsFor } from './sizes.ts';

type Pixels = { width: number; height: number; data: Uint8Array | Uint8ClampedArray };

/** The types of `@jsquash` need those of browsers. */
type EmscriptenModule = {
  decode(bytes: Uint8Array, option?: boolean | number): Pixels | null;
  encode(data: Uint8Array, width: number, height: number, options: object): Uint8Array | null;
};

/**
 * The memory of the AVIF decoder in pages of 64 KB: 512 MB. The pixels of an AV1 image may be more than its file states,
 * and the decoder would take up to 2 GB for them.
 */
const avifPages = 8_192;

/** Compiles a codec, of which the thread that started this one has read the file. */
function compile(name: keyof CodecFiles): WebAssembly.Module {
  const bytes = (workerData as { files: CodecFiles }).files[name] as Uint8Array<ArrayBuffer>;
  return new WebAssembly.Module(name === 'avif' ? limitMemory(bytes, avifPages) : bytes);
}

const open = (create: unknown, name: keyof CodecFiles): Promise<EmscriptenModule> =>
  (create as (options: object) => Promise<EmscriptenModule>)({
    noInitialRun: true,
    instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Exports => {
      const instance = new WebAssembly.Instance(compile(name), imports);
      done(instance);
      return instance.exports;
    },
  });

const bitsPerColour = 8;
const decoders: Record<ImageType, (bytes: Uint8Array) => Promise<Pixels | null>> = {
  avif: async (bytes) => (await open(createAvifDecoder, 'avif')).decode(bytes, bitsPerColour),
  jpeg: async (bytes) => (await open(createJpegDecoder, 'jpeg')).decode(bytes, true),
  webp: async (bytes) => (await open(createWebpDecoder, 'webp')).decode(bytes),
  png: async (bytes) => {
    openPng(compile('png'));
    const { width, height, data }: Pixels = await decodePng(bytes);
    return { width, height, data };
  },
  gif: async (bytes) => decodeGif(bytes),
};

/** The first image of a GIF: an animation stands still. */
function decodeGif(bytes: Uint8Array): Pixels {
  const reader = new GifReader(bytes);
  const { width, height } = reader;
  const frame = reader.frameInfo(0);
  // The decoder reserves memory for the image itself, which may claim to be larger than the whole.
  if (frame.x + frame.width > width || frame.y + frame.height > height) throw new Error('not decodable');
  const data = new Uint8Array(width * height * 4);
  reader.decodeAndBlitFrameRGBA(0, data);
  return { width, height, data };
}

const triangleFilter = 0;
/** A little more than WebP's default: posters have text. */
const encoderOptions = { ...defaultOptions, quality: 80, method: 3 };

async function convert(bytes: Uint8Array): Promise<SizedPicture[]> {
  const header = readImageHeader(bytes);
  if (typeof header === 'string') throw new Error(header);
  const pixels = await decoders[header.type](bytes);
  if (pixels === null || pixels.width * pixels.height > header.width * header.height * 2)
    throw new Error('not decodable');
  openResize(compile('resize'));
  const encoder = await open(createWebpEncoder, 'encoder');
  const sizes: SizedPicture[] = [];
  let source = crop(pixels);
  for (const width of widthsFor(source.width).sort((one, other) => other - one)) {
    source = shrink(source, width);
    const { data, height } = source;
    const encoded = encoder.encode(toBytes(data), width, height, encoderOptions);
    if (encoded === null) throw new Error('not encodable');
    sizes.unshift({ width, height, bytes: new Uint8Array(encoded) });
  }
  return sizes;
}

const toBytes = ({ buffer, byteOffset, byteLength }: Pixels['data']): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Cuts the end of an image that is much higher than wide. */
function crop({ width, height, data }: Pixels): Pixels {
  const rows = Math.min(height, width * maxHeightPerWidth);
  return { width, height: rows, data: toBytes(data).subarray(0, width * rows * 4) };
}

function shrink(source: Pixels, width: number): Pixels {
  if (width === source.width) return source;
  const height = Math.max(1, Math.round((source.height * width) / source.width));
  const halved = halveTowards({ ...source, data: toBytes(source.data) }, width);
  const data = resize(halved.data, halved.width, halved.height, width, height, triangleFilter, true, false);
  return { width, height, data };
}

// The codecs report damaged images to the console, which is the log of the service.
for (const name of ['log', 'info', 'warn', 'error'] as const) console[name] = () => {};

answerJobs<Uint8Array, SizedPicture[]>(convert);
