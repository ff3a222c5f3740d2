/** Maps by path, drawn on demand in a thread (`map-thread.ts`) and kept in memory. */
import { LRUCache } from 'lru-cache';
import { outlinesFile, placesFile, startThread } from '../../assets.ts';
import { JobFailure, ThreadJobs } from '../../thread-jobs.ts';
import { type MapPosition, parseMapPath } from './area.ts';
import type { DrawnMap } from './draw-map.ts';

/** Memory for maps that were drawn; one has about 4 KB. */
const maxCacheBytes = 2_000_000;
/** Maps that wait to be drawn. */
const maxWaiting = 200;
const limits = { timeoutMs: 10_000, idleMs: 30_000, maxJobs: 100_000 };

/** Draws maps on demand; several requests for one map wait for the same drawing. */
export class Maps {
  readonly #jobs = new ThreadJobs<MapPosition, DrawnMap>({ start: startDrawing, ...limits });
  readonly #drawn = new LRUCache<string, string>({
    maxSize: maxCacheBytes,
    sizeCalculation: (text) => text.length + 200,
  });
  readonly #pending = new Map<string, Promise<DrawnMap>>();

  /** Whether the map at a path need not be drawn. */
  has(path: string): boolean {
    return this.#drawn.has(path);
  }

  /**
   * Returns the map at a path; null if it is not the path of a map.
   * @throws JobFailure if it cannot be drawn now
   */
  async at(path: string): Promise<DrawnMap | null> {
    const position = parseMapPath(path);
    if (position === null) return null;
    const svg = this.#drawn.get(path);
    if (svg !== undefined) return { svg, ms: 0 };
    const drawing = this.#pending.get(path) ?? this.#draw(path, position);
    return drawing;
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#jobs.close();
  }

  #draw(path: string, position: MapPosition): Promise<DrawnMap> {
    if (this.#jobs.size >= maxWaiting) return Promise.reject(new JobFailure('too many maps wait'));
    const drawing = this.#jobs.run(position).then((map) => {
      this.#drawn.set(path, map.svg);
      return map;
    });
    this.#pending.set(path, drawing);
    const forget = () => this.#pending.delete(path);
    drawing.then(forget, forget);
    return drawing;
  }
}

function startDrawing() {
  return startThread('media/map/map-thread', { outlines: outlinesFile(), places: placesFile() });
}
