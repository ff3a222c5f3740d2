/** Backs up a cluster as one data file with the accounts of PostgreSQL and the published catalogue. */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { FetchedCatalogue } from '../cluster/publication/fetch-catalogue.ts';
import type { ObjectStore } from '../cluster/publication/objects.ts';
import { BackupFolder } from '../store/file/backup-folder.ts';
import { checkpoint, enableSecureDelete, installCopy } from '../store/file/maintenance.ts';
import { replaceablePath } from '../store/file/replaced-file.ts';
import { createScratchDirectory, type ScratchDirectory } from '../store/file/scratch-directory.ts';
import { type ClusterAddressParts, openCluster } from './cluster.ts';
import { onDatabase } from './cluster-advice.ts';
import { Connections } from './connections.ts';

export type ClusterBackup = FetchedCatalogue & { accounts: number };

/**
 * Writes a data file with both halves of a cluster. It appears complete or not at all.
 * @param objects where objects are stored; null: in PostgreSQL
 */
export async function backUpCluster(
  address: ClusterAddressParts,
  objects: string | null,
  file: string,
): Promise<ClusterBackup> {
  const target = replaceablePath(file);
  const [{ PublicationDatabase }, { openObjects }, { fetchCatalogue }] = await Promise.all([
    import('../cluster/publication/database.ts'),
    import('../cluster/publication/open-objects.ts'),
    import('../cluster/publication/fetch-catalogue.ts'),
  ]);
  return onDatabase(address, async () => {
    const database = new PublicationDatabase(address);
    let store: ObjectStore | undefined;
    let scratch: ScratchDirectory | undefined;
    try {
      store = await openObjects(database, objects, process.env);
      scratch = createScratchDirectory(dirname(target), 'cluster');
      const draft = join(scratch.path, basename(target));
      const fetched = await fetchCatalogue(database, store, draft);
      // After the catalogue: what is newer in the accounts does not depend on it.
      const accounts = await copyAccountsInto(draft, address);
      installCopy(draft, target, 'The catalogue of the cluster');
      return { ...fetched, accounts };
    } finally {
      scratch?.remove();
      await store?.close?.();
      // An open pool would keep the process running for ten seconds.
      await database.close();
    }
  });
}

/**
 * Opens a folder of scheduled backups of a cluster. Nodes may share it: one of them makes each copy.
 * @param onCopy gets what a new copy has
 */
export async function clusterBackupFolder(
  address: ClusterAddressParts,
  objects: string | null,
  folder: string,
  onCopy: (backup: ClusterBackup) => void,
): Promise<BackupFolder> {
  const access = await openCluster(address, systemClock);
  const id = createHash('sha256').update('backups of ').update(access.secret).digest('hex').slice(0, 6);
  await access.closed();
  const copyTo = async (path: string) => onCopy(await backUpCluster(address, objects, path));
  return new BackupFolder({ prefix: `cluster-${id}-`, copyTo }, folder);
}

/** Adds the accounts of a cluster to a file with a catalogue alone. Returns how many accounts it has. */
async function copyAccountsInto(file: string, address: ClusterAddressParts): Promise<number> {
  const { copyAccountsFromCluster } = await import('../cluster/copy-accounts.ts');
  const { catalogue } = new Connections(file, { create: false, readOnly: false, anySchema: false });
  try {
    enableSecureDelete(catalogue);
    const { accounts = 0 } = await copyAccountsFromCluster(address, catalogue);
    checkpoint(catalogue);
    return accounts;
  } finally {
    catalogue.close();
  }
}
