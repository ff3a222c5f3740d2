/**
 * Draws pictures in a thread of its own, so that the event loop of the service goes on, and keeps the latest ones. The
 * thread starts with the first picture and ends when none was drawn for a minute.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { pictureParts, startThread } from '../assets.ts';
import { getOrCreate } from '../memoize.ts';
import { ThreadJobs } from '../thread-jobs.ts';
import type { Card } from './card.ts';
import type { Icon } from './icon.ts';

export type Picture = { card: Card } | { icon: Icon };
/** A drawn picture: its PNG, its digest, and how long the drawing took, without waiting, in ms; 0 if it was kept. */
export type Drawn = { png: Buffer; digest: string; ms: number };

/** What the thread is started with: the code of the renderer, and the fonts, regular and bold. */
export type DrawingParts = { wasm: Uint8Array; fonts: readonly [regular: Uint8Array, bold: Uint8Array] };
/** What the thread answers: a PNG, and how long the drawing took in ms. */
export type Drawing = { png: Uint8Array; ms: number };

/** Part of every digest: raise it when pictures of the same content change. */
const drawingVersion = 2;
/** Pictures that may wait. One takes about a tenth of a second. */
const maxWaiting = 40;
const timeoutMs = 10_000;
const idleMs = 60_000;
/** The renderer frees what it takes, so that a thread lasts long. */
const maxJobs = 10_000;
const maxCacheBytes = 8 * 1024 * 1024;

/** Thrown when too many pictures wait. */
export class TooManyPictures extends Error {}

/** The digest of a picture's content, which its address and its ETag contain. */
export const pictureDigest = (picture: Picture): string =>
  hash('sha256', `${drawingVersion} ${JSON.stringify(picture)}`, 'base64url').slice(0, 16);

/** Draws cards and icons as PNG in a thread, and keeps them in memory by digest. */
export class Painter {
  readonly #cache = new LRUCache<string, Buffer>({
    maxSize: maxCacheBytes,
    sizeCalculation: (png) => png.length + 200,
  });
  /** Pictures that are being drawn, by digest: several requests for one wait for the same. */
  readonly #drawing = new Map<string, Promise<Drawing>>();
  readonly #jobs = new ThreadJobs<Picture, Drawing>({
    start: () => startThread('pictures/draw-thread', pictureParts() satisfies DrawingParts),
    timeoutMs,
    idleMs,
    maxJobs,
  });

  /**
   * Draws a picture, or returns the kept one. Rejects with `TooManyPictures` if too many wait, and with an error if the
   * thread fails.
   */
  async draw(picture: Picture, digest = pictureDigest(picture)): Promise<Drawn> {
    const cachedPng = this.#cache.get(digest);
    if (cachedPng !== undefined) return { png: cachedPng, digest, ms: 0 };
    const drawing = getOrCreate(this.#drawing, digest, () => {
      if (this.#jobs.size >= maxWaiting) throw new TooManyPictures('too many pictures wait to be drawn');
      return this.#jobs.run(picture).finally(() => this.#drawing.delete(digest));
    });
    const { png: bytes, ms } = await drawing;
    const png = this.#cache.get(digest) ?? Buffer.from(bytes);
    this.#cache.set(digest, png);
    return { png, digest, ms };
  }

  /** Returns the kept picture; undefined if it has to be drawn. */
  kept(digest: string): Buffer | undefined {
    return this.#cache.get(digest);
  }

  /** Ends the thread. Waiting pictures are rejected. */
  close(): Promise<void> {
    return this.#jobs.close();
  }
}
