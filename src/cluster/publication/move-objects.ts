/** Moves the objects of a cluster to another place. */
import { Failure } from '../../failure.ts';
import { createProcessId } from '../process-id.ts';
import type { PublicationDatabase } from './database.ts';
import { type HoldOptions, holdLease } from './held-lease.ts';
import type { ObjectStore } from './objects.ts';
import {
  describePlace,
  type ObjectsPlace,
  openPlace,
  parsePlace,
  preparePlace,
  readPlace,
  writePlace,
} from './place.ts';
import { LeaseLost } from './publish.ts';
import { nameOf } from './seal.ts';

const waitMs = 75_000;

/** `copied` counts the objects that the new place did not have. */
export type MovedObjects = { from: ObjectsPlace; to: ObjectsPlace; objects: number; copied: number };

/**
 * Copies the objects of all publications to another place, and notes it as that of the cluster. The old objects stay.
 * Objects that the new place has already are read and not copied, so the old place may be gone if they all are there.
 * @param place `s3://bucket/prefix`, a folder, or null: the PostgreSQL of the cluster
 * @throws Failure if an object is in neither place; the place is not changed then
 */
export async function moveObjects(
  database: PublicationDatabase,
  place: string | null,
  env: Readonly<Record<string, string | undefined>>,
  options: Pick<HoldOptions, 'onWait'>,
): Promise<MovedObjects> {
  const to = await parsePlace(place, env);
  return holdLease(
    database,
    createProcessId('command'),
    async (_, signal) => {
      const { id, place: from } = await readPlace(database);
      preparePlace(to, id);
      const [source, target] = [
        await openPlace(database, from, id, env),
        await openPlace(database, to, id, env),
      ];
      try {
        const names = await database.readObjectNames();
        let copied = 0;
        for (const name of names) {
          if (signal.aborted) throw new LeaseLost();
          if (await copyObject(source, target, name, from)) copied += 1;
        }
        if (signal.aborted) throw new LeaseLost();
        await writePlace(database, to);
        return { from, to, objects: names.size, copied };
      } finally {
        await source.close?.();
        await target.close?.();
      }
    },
    { waitMs, ...options },
  );
}

/** Returns whether the target lacked the object. */
async function copyObject(
  source: ObjectStore,
  target: ObjectStore,
  name: string,
  from: ObjectsPlace,
): Promise<boolean> {
  const isWhole = (content: Uint8Array | null): content is Uint8Array =>
    content !== null && nameOf(content) === name;
  if (isWhole(await target.get(name))) return false;
  const content = await source.get(name);
  if (!isWhole(content))
    throw new Failure(
      `${describePlace(from)} lacks the object ${name}, or has it damaged. The place of the objects is unchanged. \`cratebase doctor\` lists what is damaged.`,
    );
  await target.put(name, content);
  return true;
}
