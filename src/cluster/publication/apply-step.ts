/** Fetches the objects of a publication, and writes their pages into a file. */
import { Failure } from '../../failure.ts';
import type { ObjectEntry } from './pack.ts';
import type { PageWork } from './page-work.ts';
import type { Route } from './routes.ts';

/** A slot or an object is not what was published: another route may help. */
export class Damage extends Failure {}

/**
 * Applies one step of a route to the file that `work` writes. A damaged object is fetched once more.
 * @param get fetches an object; null: it is missing
 * @throws Damage if an object is missing or damaged, or the file does not become the published one
 */
export async function applyStep(
  work: PageWork,
  get: (sha256: string) => Promise<Uint8Array | null>,
  { publication, objects, isBase }: Route['steps'][number],
): Promise<void> {
  const { pageSize, pageCount, root, number } = publication;
  const fetchObject = async (entry: ObjectEntry | undefined): Promise<Uint8Array | null> =>
    entry === undefined ? null : get(entry.sha256);
  let fetched = fetchObject(objects[0]);
  for (const [at, entry] of objects.entries()) {
    let sealed = await fetched;
    // The next object is fetched while the thread writes this one.
    fetched = fetchObject(objects[at + 1]);
    fetched.catch(() => {});
    const apply = async () =>
      sealed !== null && (await work.run({ kind: 'apply', sealed, entry, pageSize, isBase }));
    if (await apply()) continue;
    sealed = await fetchObject(entry);
    if (!(await apply()))
      throw new Damage(`The object ${entry.sha256} of publication ${number} is missing or damaged.`);
  }
  const summary = await work.run({ kind: 'finish', pageSize, pageCount });
  if (summary.root !== root)
    throw new Damage(`The pages of publication ${number} do not have the published root.`);
}
