/** Opens the store of the objects of publications that `--objects` names. */
import type { PublicationDatabase } from './database.ts';
import type { ObjectStore } from './objects.ts';
import { openPlace, parsePlace, preparePlace, requireMounted, requirePlace, writePlace } from './place.ts';

/**
 * Opens the store of objects, below the id of the cluster.
 * @param place `s3://bucket/prefix`, or a folder that all nodes share; null: the PostgreSQL of the cluster
 * @param env the environment, which has the credentials of S3 (`s3/address.ts`)
 * @throws Failure if the address or the credentials of S3 are not valid, or the cluster has its objects elsewhere
 */
export async function openObjects(
  database: PublicationDatabase,
  place: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStore> {
  const namedPlace = await parsePlace(place, env);
  const id = await requirePlace(database, namedPlace);
  requireMounted(namedPlace, id);
  const store = await openPlace(database, namedPlace, id, env);
  store.requireCurrent = async () => {
    await requirePlace(database, namedPlace);
  };
  return store;
}

/**
 * Opens the store of a cluster that has no catalogue yet, and notes its place. A run that was killed may have named
 * another one.
 */
export async function openFirstObjects(
  database: PublicationDatabase,
  place: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStore> {
  const namedPlace = await parsePlace(place, env);
  await writePlace(database, namedPlace);
  preparePlace(namedPlace, await requirePlace(database, namedPlace));
  return openObjects(database, place, env);
}
