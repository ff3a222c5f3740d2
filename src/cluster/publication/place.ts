/**
 * Where the objects of a cluster are stored. The cluster knows it (the setting `objects_place`), so that a command or
 * node that names another place is refused. The objects of each cluster are below its id, so that clusters may share
 * a place.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../../failure.ts';
import type { PublicationDatabase } from './database.ts';
import { FolderObjects, type ObjectStore, PostgresObjects } from './objects.ts';

/** A place without secrets. `place` is what `--objects` names; a folder has its absolute path. */
export type ObjectsPlace =
  | { kind: 'postgresql' }
  | { kind: 'folder'; place: string }
  | { kind: 's3'; place: string; endpoint: string };
type Environment = Readonly<Record<string, string | undefined>>;

/** The settings with the id of the cluster, and with the place of its objects as JSON. */
export const clusterIdKey = 'cluster_id';
export const objectsPlaceKey = 'objects_place';
export const defaultPlace: ObjectsPlace = { kind: 'postgresql' };

const usageErrorStatus = 2;

/**
 * Reads the place that `--objects` names.
 * @param text `s3://bucket/prefix`, or a folder; null: the PostgreSQL of the cluster
 * @throws Failure if the address or the credentials of S3 are not valid
 */
export async function parsePlace(text: string | null, env: Environment): Promise<ObjectsPlace> {
  if (text === null) return defaultPlace;
  if (!text.startsWith('s3://')) return { kind: 'folder', place: resolve(text) };
  const { readS3Place } = await import('./s3/address.ts');
  const { bucket, prefix, endpoint } = readS3Place(text, env);
  return { kind: 's3', place: `s3://${bucket}/${prefix}`.replace(/\/$/, ''), endpoint };
}

/** Reads the id of a cluster, and the place of its objects. */
export async function readPlace(
  database: Pick<PublicationDatabase, 'query'>,
): Promise<{ id: string; place: ObjectsPlace }> {
  const rows = await database.query<{ key: string; value: string }>(
    'SELECT key, value FROM settings WHERE key = ANY ($1)',
    [[clusterIdKey, objectsPlaceKey]],
  );
  const settingOf = (key: string) => rows.find((row) => row.key === key)?.value;
  const [id, place] = [settingOf(clusterIdKey), settingOf(objectsPlaceKey)];
  if (id === undefined || place === undefined)
    throw new Failure(
      'A version before the first release prepared this database. Make a backup with that version, and begin a new cluster with it: `cratebase cluster init --from FILE`.',
    );
  return { id, place: JSON.parse(place) as ObjectsPlace };
}

/** Notes where the objects of the cluster are from now on. */
export async function writePlace(database: PublicationDatabase, place: ObjectsPlace): Promise<void> {
  await database.query('UPDATE settings SET value = $2 WHERE key = $1', [
    objectsPlaceKey,
    JSON.stringify(place),
  ]);
}

/** A place as people read it. */
export const describePlace = (place: ObjectsPlace): string =>
  place.kind === 'postgresql'
    ? 'PostgreSQL'
    : place.kind === 'folder'
      ? `the folder ${place.place}`
      : `${place.place} at ${place.endpoint}`;

/**
 * Checks that a process names the place of its cluster.
 * @throws Failure (wrong usage) with what to write instead
 */
export async function requirePlace(database: PublicationDatabase, namedPlace: ObjectsPlace): Promise<string> {
  const { id, place } = await readPlace(database);
  if (JSON.stringify(place) === JSON.stringify(namedPlace)) return id;
  const advice =
    place.kind === 'postgresql'
      ? 'Leave out --objects and CRATEBASE_OBJECTS'
      : place.kind === 'folder'
        ? `Write --objects ${place.place}`
        : `Write --objects ${place.place}, and set AWS_ENDPOINT_URL_S3=${place.endpoint}`;
  throw new Failure(
    `The objects of this cluster are in ${describePlace(place)}, not in ${describePlace(namedPlace)}. ${advice}. To move them: \`cratebase cluster objects PLACE\`.`,
    usageErrorStatus,
  );
}

/** Opens the objects of the cluster with this id at a place. `env` has the credentials of S3. */
export async function openPlace(
  database: PublicationDatabase,
  place: ObjectsPlace,
  id: string,
  env: Environment,
): Promise<ObjectStore> {
  if (place.kind === 'postgresql') return new PostgresObjects(database);
  if (place.kind === 'folder') return new FolderObjects(join(place.place, id));
  const [{ readS3Place }, { S3Objects }] = await Promise.all([
    import('./s3/address.ts'),
    import('./s3/objects.ts'),
  ]);
  const s3 = readS3Place(place.place, { ...env, AWS_ENDPOINT_URL_S3: place.endpoint });
  return new S3Objects({ ...s3, prefix: `${s3.prefix}${id}/` });
}

/** Creates the folder of a cluster in the folder that clusters share. */
export function preparePlace(place: ObjectsPlace, id: string): void {
  if (place.kind === 'folder') mkdirSync(join(place.place, id), { recursive: true, mode: 0o700 });
}

/** A shared folder that is not mounted looks like an empty one, and would be written on this machine alone. */
export function requireMounted(place: ObjectsPlace, id: string): void {
  if (place.kind !== 'folder' || statSync(join(place.place, id), { throwIfNoEntry: false })?.isDirectory())
    return;
  throw new Failure(
    `The folder ${place.place} has no folder ${id}, in which the objects of this cluster are. Mount the shared folder there.`,
  );
}
