/** The thread that draws maps. It has its own copies of the outlines and the places. */
import { workerData } from 'node:worker_threads';
import { openPlaceIndexAsync } from '../../places/place-index.ts';
import { answerJobs } from '../answer-jobs.ts';
import type { MapPosition } from './area.ts';
import { drawMap } from './draw-map.ts';
import { openOutlines } from './outlines.ts';

const files = workerData as { outlines: Uint8Array; places: Uint8Array };
const data = Promise.all([openOutlines(files.outlines), openPlaceIndexAsync(files.places)]);

answerJobs<MapPosition, string>(async (position) => {
  const [outlines, places] = await data;
  return drawMap({ outlines, places }, position);
});
