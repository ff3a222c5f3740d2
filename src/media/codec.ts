/**
 * Converts images in a thread of its own, one after the other. An image that takes too long ends the thread, and so does
 * each failure, because a codec may be in any state then. An idle thread ends too, which returns its memory.
 */
import type { Worker } from 'node:worker_threads';
import { codecFile, startThread } from '../assets.ts';
import { readImageHeader } from './image-type.ts';
import type { SizedPicture } from './sizes.ts';

/** The WebAssembly files, by what they do. */
export const codecPaths = {
  jpeg: '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  png: '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  webp: '@jsquash/webp/codec/dec/webp_dec.wasm',
  encoder: '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
  resize: '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm',
} as const;
export type CodecFiles = Readonly<Record<keyof typeof codecPaths, Uint8Array>>;

export type CodecTask = { id: number; bytes: Uint8Array };
export type CodecReply = { id: number; sizes: SizedPicture[] } | { id: number; problem: string };

/** An image that cannot be shown, with the reason. */
export class PictureFailure extends Error {}

/** Limits of one image, in ms, and of the thread: its heap holds no pixels, so little is enough. */
const defaults = { timeoutMs: 10_000, idleMs: 20_000 };
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** After this many images a thread is replaced: the memory of WebAssembly never shrinks. */
const maxImagesPerThread = 50;

type Job = {
  id: number;
  bytes: Uint8Array;
  resolve: (sizes: SizedPicture[]) => void;
  reject: (failure: PictureFailure) => void;
};

export class ImageCodec {
  readonly #options: typeof defaults;
  readonly #waiting: Job[] = [];
  #current: Job | null = null;
  #thread: Worker | null = null;
  #converted = 0;
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<typeof defaults> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /**
   * Decodes an image and encodes it as WebP in all sizes, the smallest first.
   * @throws PictureFailure if it is not an image, has too many pixels, or cannot be decoded in time
   */
  async convert(bytes: Uint8Array): Promise<SizedPicture[]> {
    const header = readImageHeader(bytes);
    if (typeof header === 'string') throw new PictureFailure(header);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id: ++this.#lastId, bytes, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread. Images that wait fail. */
  async close(): Promise<void> {
    for (const job of this.#waiting.splice(0)) job.reject(new PictureFailure('stopped'));
    this.#current?.reject(new PictureFailure('stopped'));
    this.#current = null;
    await this.#end();
  }

  #next(): void {
    if (this.#current !== null) return;
    clearTimeout(this.#timer);
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#timer = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
      return;
    }
    this.#current = job;
    this.#timer = setTimeout(() => this.#fail('took too long'), this.#options.timeoutMs);
    this.#thread ??= this.#start();
    this.#thread.postMessage({ id: job.id, bytes: job.bytes } satisfies CodecTask);
  }

  #start(): Worker {
    const names = Object.keys(codecPaths) as (keyof typeof codecPaths)[];
    const files = Object.fromEntries(names.map((name) => [name, codecFile(codecPaths[name])]));
    const thread = startThread('media/codec-thread', { files }, resourceLimits);
    const fail = (reason: string) => {
      if (this.#thread === thread) this.#fail(reason);
    };
    thread.on('message', (reply: CodecReply) => {
      if (this.#thread === thread) this.#take(reply);
    });
    thread.on('error', (failure) => fail(failure.message));
    thread.on('exit', () => fail('the codec ended'));
    thread.unref();
    return thread;
  }

  #take(reply: CodecReply): void {
    const job = this.#current;
    if (job?.id !== reply.id) return;
    if ('problem' in reply) {
      this.#fail(reply.problem);
      return;
    }
    this.#current = null;
    this.#converted += 1;
    job.resolve(reply.sizes);
    if (this.#converted >= maxImagesPerThread) void this.#end();
    this.#next();
  }

  #fail(reason: string): void {
    const job = this.#current;
    this.#current = null;
    void this.#end();
    job?.reject(new PictureFailure(reason));
    this.#next();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = null;
    this.#converted = 0;
    await thread?.terminate();
  }
}
