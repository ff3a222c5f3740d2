/**
 * Draws pictures in a thread of its own, so that the event loop of the service goes on, and keeps the latest ones. The
 * thread starts with the first picture and ends when none was drawn for a minute.
 */
import { hash } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { pictureParts, startThread } from '../assets.ts';
import type { Card } from './card.ts';
import type { Icon } from './icon.ts';

export type Picture = { card: Card } | { icon: Icon };
/** A drawn picture: its PNG, its digest, and how long the drawing took, without waiting, in ms; 0 if it was kept. */
export type Drawn = { png: Buffer; digest: string; ms: number };

/** What the thread is started with: the code of the renderer, and the fonts, regular and bold. */
export type DrawingParts = { wasm: Uint8Array; fonts: readonly [regular: Uint8Array, bold: Uint8Array] };
export type DrawingRequest = { id: number; picture: Picture };
export type DrawingResult = { id: number; png: Uint8Array; ms: number } | { id: number; failure: string };

type Finished = { png: Buffer; ms: number };
type Waiting = { resolve: (finished: Finished) => void; reject: (failure: Error) => void };

/** Part of every digest: raise it when pictures of the same content change. */
const drawingVersion = 1;
/** Pictures that may wait. One takes about a tenth of a second. */
const maxWaiting = 40;
const maxDrawingMs = 10_000;
const idleMs = 60_000;
const maxCacheBytes = 16 * 1024 * 1024;

/** Thrown when too many pictures wait. */
export class TooManyPictures extends Error {}

/** The digest of a picture's content, which its address and its ETag contain. */
export const pictureDigest = (picture: Picture): string =>
  hash('sha256', `${drawingVersion} ${JSON.stringify(picture)}`, 'base64url').slice(0, 16);

export class Painter {
  readonly #cache = new LRUCache<string, Buffer>({
    maxSize: maxCacheBytes,
    sizeCalculation: (png) => png.length + 200,
  });
  /** Pictures that are being drawn, by digest: several requests for one wait for the same. */
  readonly #drawing = new Map<string, Promise<Finished>>();
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #nextId = 1;
  #idle: NodeJS.Timeout | undefined;

  /**
   * Draws a picture, or returns the kept one. Rejects with `TooManyPictures` if too many wait, and with an error if the
   * thread fails.
   */
  async draw(picture: Picture, digest = pictureDigest(picture)): Promise<Drawn> {
    const kept = this.#cache.get(digest);
    if (kept !== undefined) return { png: kept, digest, ms: 0 };
    let drawing = this.#drawing.get(digest);
    if (drawing === undefined) {
      if (this.#waiting.size >= maxWaiting) throw new TooManyPictures('too many pictures wait to be drawn');
      drawing = this.#send(picture).finally(() => this.#drawing.delete(digest));
      this.#drawing.set(digest, drawing);
    }
    const { png, ms } = await drawing;
    this.#cache.set(digest, png);
    return { png, digest, ms };
  }

  /** Returns the kept picture; undefined if it has to be drawn. */
  kept(digest: string): Buffer | undefined {
    return this.#cache.get(digest);
  }

  /** Ends the thread. Waiting pictures are rejected. */
  close(): void {
    this.#end(new Error('the service is shutting down'));
  }

  #send(picture: Picture): Promise<Finished> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const id = this.#nextId++;
    return new Promise<Finished>((resolve, reject) => {
      const limit = setTimeout(
        () => this.#end(new Error('drawing a picture took too long')),
        maxDrawingMs + this.#waiting.size * 500,
      ).unref();
      const settle = () => {
        clearTimeout(limit);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#rest();
      };
      this.#waiting.set(id, {
        resolve: (finished) => {
          settle();
          resolve(finished);
        },
        reject: (failure) => {
          settle();
          reject(failure);
        },
      });
      thread.postMessage({ id, picture } satisfies DrawingRequest);
    });
  }

  #start(): Worker {
    const thread = startThread('pictures/draw-thread', pictureParts() satisfies DrawingParts);
    thread.on('message', (result: DrawingResult) => {
      const waiting = this.#waiting.get(result.id);
      if ('png' in result) waiting?.resolve({ png: Buffer.from(result.png), ms: result.ms });
      else waiting?.reject(new Error(`a picture could not be drawn: ${result.failure}`));
    });
    thread.on('error', (failure) => {
      if (this.#thread === thread) this.#end(failure instanceof Error ? failure : new Error(String(failure)));
    });
    // After the listeners: adding one for messages keeps the process running.
    thread.unref();
    return thread;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(new Error('the thread was idle')), idleMs).unref();
  }

  #end(reason: Error): void {
    const thread = this.#thread;
    this.#thread = null;
    clearTimeout(this.#idle);
    for (const { reject } of [...this.#waiting.values()]) reject(reason);
    clearTimeout(this.#idle);
    void thread?.terminate();
  }
}
