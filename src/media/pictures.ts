/**
 * The pictures of records: fetched from the address in the catalogue when a page first shows them, converted
 * (`codec.ts`) and kept (`picture-cache.ts`). An address that fails is tried again later and later.
 */
import { isWaiting } from '../clock.ts';
import { FetchFailure } from '../fetch/fetch-failure.ts';
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { describeFailure, type Log } from '../log.ts';
import { JobFailure } from '../thread-jobs.ts';
import type { ImageCodec } from './codec.ts';
import type { PictureCache } from './picture-cache.ts';
import { digestOf, type SizedPicture, selectSize } from './sizes.ts';

export type PicturesOptions = {
  openFetch: () => Promise<GuardedFetch>;
  cache: PictureCache;
  codec: ImageCodec;
  log: Log;
  now?: () => number;
};

/** Bounds of a download. */
const maxBytes = 12_000_000;
const [timeoutMs, deadlineMs, maxRedirects] = [8_000, 20_000, 4];
const accept = 'image/webp,image/jpeg,image/png,image/gif;q=0.8';
/** Downloads at once, of all hosts and of one, and addresses that wait. */
const maxRunning = { all: 6, host: 2 };
const maxWaiting = 300;
const hourMs = 3_600_000;
/** Time without downloads after a picture could not be stored: the disk is full, or the folder read-only. */
const pauseMs = 300_000;
/** Time until the next attempt, by the number of failed ones. */
const maxRetryMs = 336 * hourMs;
const retryMs = [hourMs / 4, 2 * hourMs, 12 * hourMs, 72 * hourMs, maxRetryMs];

/** A result of `get`: the picture, or that there is none yet (`pending`) or for some time (`failed`). */
export type PictureResult = SizedPicture | 'pending' | 'failed';

/** What the operator can do about a folder that cannot be written, by the code of the error. */
const storeAdvice: Record<string, string> = {
  EACCES: 'give the folder of --media-dir to the user that runs cratebase, or name another one',
  EPERM: 'give the folder of --media-dir to the user that runs cratebase, or name another one',
  EROFS: 'name a folder that can be written with --media-dir',
  ENOSPC: 'make room on the disk of --media-dir',
  EDQUOT: 'make room on the disk of --media-dir, or raise the quota of the user',
};

/** Describes why a picture could not be stored. Pages show a drawn cover meanwhile. */
function describeStoreFailure(failure: unknown): ReturnType<typeof describeFailure> {
  const { error, ...rest } = describeFailure(failure);
  const advice = storeAdvice[(failure as NodeJS.ErrnoException).code ?? ''];
  return advice === undefined ? { error, ...rest } : { error, advice };
}

type Download = { address: string; host: string; digest: string; done: () => void };

/** Serves pictures from the cache and downloads missing ones: one download per address, the others wait for it. */
export class Pictures {
  readonly #options: PicturesOptions;
  /** Downloads that wait or run, by digest. */
  readonly #downloads = new Map<string, Promise<void>>();
  readonly #waiting: Download[] = [];
  readonly #running = new Map<string, number>();
  readonly #stop = new AbortController();
  /** No downloads before this time: the last picture could not be stored. */
  #pausedUntilMs = 0;
  #fetch: Promise<GuardedFetch> | undefined;

  constructor(options: PicturesOptions) {
    this.#options = options;
  }

  /**
   * Returns the picture at an address in the size that fits a width.
   * @param maxWaitMs max time to wait for a download
   */
  async get(address: string, width: number, maxWaitMs: number): Promise<PictureResult> {
    try {
      return await this.#find(address, width, maxWaitMs);
    } catch (failure) {
      // A folder that cannot be read is the operator's problem; the visitor gets covers.
      this.#options.log('warn', 'the folder of pictures cannot be read', describeFailure(failure));
      return 'failed';
    }
  }

  async #find(address: string, width: number, maxWaitMs: number): Promise<PictureResult> {
    const digest = digestOf(address);
    const picture = await this.#read(digest, width);
    if (picture !== null) return picture;
    const now = this.#options.now ?? Date.now;
    if (isWaiting(this.#pausedUntilMs, now(), pauseMs)) return 'failed';
    const failure = await this.#options.cache.readFailure(digest);
    if (failure !== null && isWaiting(failure.untilMs, now(), maxRetryMs)) return 'failed';
    const download = this.#downloads.get(digest) ?? this.#enqueue(address, digest);
    if (download === null) return 'pending';
    if (!(await isDoneWithin(download, maxWaitMs))) return 'pending';
    return (await this.#read(digest, width)) ?? 'failed';
  }

  /** Ends all downloads and the codec. */
  async close(): Promise<void> {
    this.#stop.abort(new JobFailure('stopped'));
    for (const { done } of this.#waiting.splice(0)) done();
    await this.#options.codec.close();
    await Promise.all(this.#downloads.values());
    await this.#options.cache.close();
  }

  #read(digest: string, width: number): Promise<SizedPicture | null> {
    return this.#options.cache.read(digest, (sizes) => selectSize(sizes, width));
  }

  #enqueue(address: string, digest: string): Promise<void> | null {
    if (this.#waiting.length >= maxWaiting || this.#stop.signal.aborted) return null;
    const host = URL.canParse(address) ? new URL(address).host : '';
    const download = new Promise<void>((done) => {
      this.#waiting.push({ address, host, digest, done });
    });
    this.#downloads.set(digest, download);
    this.#startNext();
    return download;
  }

  /** Starts the downloads that may run now; the next host is served while one is at its limit. */
  #startNext(): void {
    let running = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    for (let at = 0; at < this.#waiting.length && running < maxRunning.all; ) {
      const download = this.#waiting[at] as Download;
      const ofHost = this.#running.get(download.host) ?? 0;
      if (ofHost >= maxRunning.host) {
        at += 1;
        continue;
      }
      this.#waiting.splice(at, 1);
      this.#running.set(download.host, ofHost + 1);
      running += 1;
      void this.#run(download);
    }
  }

  async #run({ address, host, digest, done }: Download): Promise<void> {
    try {
      await this.#load(address, digest);
    } catch (failure) {
      const { log, now = Date.now } = this.#options;
      this.#pausedUntilMs = now() + pauseMs;
      log('warn', 'a picture could not be stored', describeStoreFailure(failure));
    } finally {
      const left = (this.#running.get(host) ?? 1) - 1;
      if (left > 0) this.#running.set(host, left);
      else this.#running.delete(host);
      this.#downloads.delete(digest);
      done();
      this.#startNext();
    }
  }

  /** Downloads, converts and stores a picture, or notes why that failed. */
  async #load(address: string, digest: string): Promise<void> {
    const { cache, codec, now = Date.now } = this.#options;
    try {
      const bytes = await this.#download(address);
      await cache.write(digest, await codec.convert(bytes));
    } catch (failure) {
      if (this.#stop.signal.aborted) return;
      if (!(failure instanceof FetchFailure) && !(failure instanceof JobFailure)) throw failure;
      const attempts = ((await cache.readFailure(digest))?.attempts ?? 0) + 1;
      const waitMs = retryMs[Math.min(attempts, retryMs.length) - 1] as number;
      await cache.writeFailure(digest, { attempts, untilMs: now() + waitMs, reason: failure.message });
    }
  }

  /** Opens the fetch once. The next download tries again if that fails. */
  #openFetch(): Promise<GuardedFetch> {
    this.#fetch ??= this.#options.openFetch().catch((failure: unknown) => {
      this.#fetch = undefined;
      throw failure;
    });
    return this.#fetch;
  }

  async #download(address: string): Promise<Uint8Array> {
    const fetch = await this.#openFetch();
    const { signal } = this.#stop;
    // Plain http can be altered in transit: into another picture, which is all that the codec lets through.
    const options = { accept, maxBytes, timeoutMs, deadlineMs, maxRedirects, allowHttp: true, signal };
    const response = await fetch(address, options);
    if (response.status !== 200) {
      response.cancel();
      throw new JobFailure(`status ${response.status}`);
    }
    return response.bytes();
  }
}

/** Whether a promise is fulfilled within a time. */
function isDoneWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
