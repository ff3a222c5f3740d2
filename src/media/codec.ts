/** Converts images in a thread (`codec-thread.ts`), within bounds of time and size. */
import { codecFile, startThread } from '../assets.ts';
import { JobFailure, ThreadJobs } from '../thread-jobs.ts';
import { readImageHeader } from './image-type.ts';
import type { SizedPicture } from './sizes.ts';

/** The WebAssembly files, by what they do; `build.mjs` puts them into the executable. */
export const codecPaths = {
  avif: '@jsquash/avif/codec/dec/avif_dec.wasm',
  jpeg: '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  png: '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  webp: '@jsquash/webp/codec/dec/webp_dec.wasm',
  encoder: '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
  resize: '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm',
} as const;
export type CodecFiles = Readonly<Record<keyof typeof codecPaths, Uint8Array>>;

/** The heap of the thread holds no pixels, so little is enough. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/**
 * The memory of WebAssembly never shrinks, so that a thread is replaced after 50 images. Large pictures take seconds of
 * a processor, and several times that on a busy machine.
 */
const limits = { timeoutMs: 30_000, idleMs: 20_000, maxJobs: 50 };

/** Converts images in a thread, which starts with the first image and ends when it is idle. */
export class ImageCodec {
  readonly #jobs: ThreadJobs<Uint8Array, SizedPicture[]>;

  /** @param options other limits, for tests */
  constructor(options: Partial<typeof limits> = {}) {
    this.#jobs = new ThreadJobs({ start: startCodec, ...limits, ...options });
  }

  /**
   * Decodes an image and encodes it as WebP in all sizes, the smallest first.
   * @throws JobFailure if it is not an image, has too many pixels, or cannot be decoded in time
   */
  async convert(bytes: Uint8Array): Promise<SizedPicture[]> {
    const header = readImageHeader(bytes);
    if (typeof header === 'string') throw new JobFailure(header);
    return this.#jobs.run(bytes);
  }

  /** Ends the thread. Images that wait fail. */
  close(): Promise<void> {
    return this.#jobs.close();
  }
}

function startCodec() {
  const names = Object.keys(codecPaths) as (keyof typeof codecPaths)[];
  const files = Object.fromEntries(names.map((name) => [name, codecFile(codecPaths[name])]));
  return startThread('media/codec-thread', { files }, resourceLimits);
}
