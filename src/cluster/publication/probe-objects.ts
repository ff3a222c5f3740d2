/**
 * Tests a store of objects as a node uses it: stores, reads and deletes an object, and reads those of the
 * publications.
 */
import { randomBytes } from 'node:crypto';
import { Failure } from '../../failure.ts';
import type { PublicationDatabase } from './database.ts';
import type { ObjectStore } from './objects.ts';
import { nameOf } from './seal.ts';

const probeBytes = 64 << 10;

/** How long objects are read and compared (ms). The newest publications come first. */
const maxReadMs = 30_000;

/**
 * `missing` are objects that publications list and the store does not have, `damaged` the names of those whose bytes
 * are others. `listed` objects are in publications, `compared` of them were read. Times are in ms.
 */
export type ObjectFacts = {
  put_ms: number;
  get_ms: number;
  objects: number;
  bytes: number;
  missing: number;
  listed: number;
  compared: number;
  damaged: string[];
};

/**
 * Tests a store. It reads objects for at most `readMs` milliseconds.
 * @throws Failure if an object cannot be stored, or is not the same when it is read
 */
export async function probeObjects(
  database: PublicationDatabase,
  store: ObjectStore,
  readMs: number = maxReadMs,
): Promise<ObjectFacts> {
  const content = randomBytes(probeBytes);
  const name = nameOf(content);
  const began = performance.now();
  await store.put(name, content);
  const storedAt = performance.now();
  const copy = await store.get(name);
  const readAt = performance.now();
  await store.delete(name, 0);
  if (copy === null || nameOf(copy) !== name)
    throw new Failure('An object that was just stored is missing or not the same when it is read.');
  if ((await store.get(name)) !== null) throw new Failure('An object that was deleted can still be read.');
  const names = new Set<string>();
  let bytes = 0;
  for await (const object of store.list()) {
    names.add(object.name);
    bytes += object.bytes;
  }
  const listedNames = await database.readObjectNames();
  const missing = [...listedNames].filter((one) => !names.has(one)).length;
  return {
    put_ms: Math.round(storedAt - began),
    get_ms: Math.round(readAt - storedAt),
    objects: names.size,
    bytes,
    missing,
    listed: listedNames.size,
    ...(await compareObjects(
      store,
      [...listedNames].filter((one) => names.has(one)),
      readMs,
    )),
  };
}

/** Reads objects until the time is over, and compares the SHA-256 of each with its name. */
async function compareObjects(
  store: ObjectStore,
  names: readonly string[],
  readMs: number,
): Promise<{ compared: number; damaged: string[] }> {
  const until = performance.now() + readMs;
  const damaged: string[] = [];
  let compared = 0;
  for (const name of names) {
    if (performance.now() > until) break;
    const content = await store.get(name);
    compared += 1;
    // The leader may have deleted it since it was listed.
    if (content !== null && nameOf(content) !== name) damaged.push(name);
  }
  return { compared, damaged };
}
