/** Downloads the catalogue that the nodes of a cluster serve now into a file. */
import { closeSync, openSync } from 'node:fs';
import { Failure } from '../../failure.ts';
import { applyStep, Damage } from './apply-step.ts';
import type { Publication, PublicationDatabase } from './database.ts';
import type { ObjectStore } from './objects.ts';
import { PageWork } from './page-work.ts';
import { chooseRoutes } from './routes.ts';

export type FetchedCatalogue = Pick<Publication, 'number' | 'revision' | 'schemaVersion'>;

/**
 * Fetches the head into a new file. It is the published one byte for byte.
 * @throws Failure if the cluster has no catalogue, or its objects are missing or damaged
 */
export async function fetchCatalogue(
  database: PublicationDatabase,
  objects: ObjectStore,
  path: string,
): Promise<FetchedCatalogue> {
  const { head } = await database.readHead();
  if (head === 0) throw new Failure('The cluster has no catalogue yet. Run `cratebase cluster init`.');
  const publications = await database.readPublications(head);
  const key = await database.readKey();
  const work = new PageWork();
  const file = openSync(path, 'wx+', 0o600);
  try {
    for (const { steps } of chooseRoutes(publications, head, null)) {
      await work.run({ kind: 'clear', to: file, key });
      try {
        for (const step of steps) await applyStep(work, (name) => objects.get(name), step);
      } catch (failure) {
        if (failure instanceof Damage) continue;
        throw failure;
      }
      const { number, revision, schemaVersion } = publications[0] as Publication;
      return { number, revision, schemaVersion };
    }
  } finally {
    await work.close();
    closeSync(file);
  }
  throw new Failure(
    `Publication ${head} cannot be fetched whole: objects are missing or damaged. Check --objects; \`cratebase doctor\` tests it.`,
  );
}
