/** The ways in which a node gets from what it has to a publication. */
import type { Publication } from './database.ts';
import type { ObjectEntry } from './pack.ts';
import type { Slot } from './slots.ts';

type Step = { publication: Publication; objects: ObjectEntry[]; isBase: boolean };
/** A route begins at a slot of the node, or from nothing with a base. */
export type Route = { from: Slot | null; steps: Step[] };

/**
 * Returns the routes to a publication, those with the fewest bytes first: from the slot that serves through all
 * publications since, and from each base.
 * @param publications those up to the target, newest first
 */
export function chooseRoutes(
  publications: readonly Publication[],
  target: number,
  serving: Slot | null,
): Route[] {
  const routes: (Route & { bytes: number })[] = [];
  let later: Step[] = [];
  let bytes = 0;
  let nextNumber = target;
  for (const publication of publications) {
    if (publication.number !== nextNumber) break;
    const { base, baseBytes, objects, objectBytes } = publication;
    if (base !== null) {
      const first = { publication, objects: base, isBase: true };
      routes.push({ from: null, steps: [first, ...later], bytes: bytes + baseBytes });
    }
    if (objects === null) break;
    later = [{ publication, objects, isBase: false }, ...later];
    bytes += objectBytes;
    nextNumber = publication.parent;
    if (serving?.publication === nextNumber) routes.push({ from: serving, steps: later, bytes });
  }
  return routes.toSorted((one, other) => one.bytes - other.bytes);
}
