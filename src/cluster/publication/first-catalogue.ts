/** Publishes the catalogue of a data file as the first one of a cluster. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../store/database.ts';
import { checkpoint } from '../../store/file/maintenance.ts';
import { startLineage } from '../../store/mirror/epoch.ts';
import { keepCatalogueAlone } from '../copy-accounts.ts';
import { createProcessId } from '../process-id.ts';
import type { PublicationDatabase } from './database.ts';
import { type HoldOptions, holdLease } from './held-lease.ts';
import type { ObjectStore } from './objects.ts';
import { type Published, type PublishStep, publishFirst } from './publish.ts';
import { Slots } from './slots.ts';

/** A command that was killed leaves its lease for a minute. */
const waitMs = 75_000;

export type FirstCatalogueOptions = Pick<HoldOptions, 'onWait'> & {
  database: PublicationDatabase;
  objects: ObjectStore;
  /** A copy of the data file, which is changed. */
  copy: string;
  /** A folder for the pages that are uploaded, of the size of the file. */
  folder: string;
  onStep?: (step: PublishStep) => void | Promise<void>;
};

/**
 * Removes all but the catalogue from a copy of a data file, and publishes it as number 1. A run that was killed may
 * be repeated: what it uploaded is replaced, or deleted after a day.
 * @throws Failure if the cluster has a catalogue already
 */
export async function publishFirstCatalogue({
  database,
  objects,
  copy,
  folder,
  onWait,
  onStep,
}: FirstCatalogueOptions): Promise<Published> {
  const key = await database.readKey();
  prepareCopy(copy);
  const slots = Slots.open(join(folder, 'slots'));
  try {
    return await holdLease(
      database,
      createProcessId('command'),
      (lease) => publishFirst({ database, objects, slots, key, lease, ...(onStep && { onStep }) }, copy),
      { waitMs, ...(onWait && { onWait }) },
    );
  } finally {
    await slots.close();
    rmSync(join(folder, 'slots'), { recursive: true, force: true });
  }
}

/** Deletes all but the catalogue from a file, also from its unused pages. */
function prepareCopy(copy: string): void {
  const sqlite = openDatabase(copy, { create: false });
  try {
    keepCatalogueAlone(sqlite);
    startLineage(sqlite);
    sqlite.exec('VACUUM');
    checkpoint(sqlite);
  } finally {
    sqlite.close();
  }
}
