/** The thread that draws maps. It has its own copies of the outlines and the places. */
import { workerData } from 'node:worker_threads';
import { openPlaceIndexAsync } from '../../places/place-index.ts';
import { answerJobs } from '../../thread-jobs.ts';
import type { MapPosition } from './area.ts';
import { type DrawnMap, drawMap, type MapData } from './draw-map.ts';
import { openOutlines } from './outlines.ts';

async function load(): Promise<MapData> {
  const files = workerData as { outlines: Uint8Array; places: Uint8Array };
  const [outlines, places] = await Promise.all([
    openOutlines(files.outlines),
    openPlaceIndexAsync(files.places),
  ]);
  return { outlines, places };
}

let data: Promise<MapData> | undefined;

answerJobs<MapPosition, DrawnMap>(async (position) => {
  data ??= load();
  const loaded = await data;
  const startedAt = performance.now();
  const svg = drawMap(loaded, position);
  return { svg, ms: performance.now() - startedAt };
});
