/**
 * Sets up a cluster: creates its tables, copies the accounts of a data file, and publishes the catalogue as
 * publication 1.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { ObjectStore } from '../cluster/publication/objects.ts';
import type { Published } from '../cluster/publication/publish.ts';
import type { Actor } from '../contract/roles.ts';
import { openDatabase } from '../store/database.ts';
import { backUpTo } from '../store/file/maintenance.ts';
import { createScratchDirectory } from '../store/file/scratch-directory.ts';
import type { CopyProgressListener } from '../store/file/snapshot.ts';
import type { ClusterAddressParts } from './cluster.ts';
import { withAdvice } from './cluster-advice.ts';
import { Connections, type Sqlite } from './connections.ts';

/**
 * What `cluster init` did. `copied` counts the rows of each table; null: the cluster had these accounts already.
 * `published` is null if it had a catalogue.
 */
export type ClusterInit = {
  created: boolean;
  copied: Record<string, number> | null;
  published: Pick<Published, 'number' | 'revision' | 'bytes'> | null;
};

export type ClusterInitOptions = {
  address: ClusterAddressParts;
  /** Where objects are stored (`cluster/publication/open-objects.ts`). */
  objects: string | null;
  /** The data file, which is not changed; null: the starter catalogue, without accounts. */
  from: string | null;
  /** Without a data file: an empty catalogue. */
  isEmpty: boolean;
  actor: Actor;
  onPages?: CopyProgressListener;
  /** Is called if another process changes the catalogue now. */
  onWait?: () => void;
  /** Is called before the upload begins, and with each object that was stored. */
  onStep?: (step: string) => void | Promise<void>;
};

/** Creates the tables of a cluster, and copies a data file into it. A run that was killed may be repeated. */
export async function initCluster(options: ClusterInitOptions): Promise<ClusterInit> {
  const { address, from } = options;
  const [{ prepareDatabase }, { copyAccountsIntoCluster }] = await Promise.all([
    import('../cluster/cluster-access.ts'),
    import('../cluster/copy-accounts.ts'),
  ]);
  const connections =
    from === null ? null : new Connections(from, { create: false, readOnly: true, anySchema: false });
  const catalogue = connections?.catalogue ?? null;
  try {
    return await withAdvice(async () => {
      const created = await prepareDatabase(address);
      const copied = catalogue === null ? {} : await copyAccountsIntoCluster(catalogue, address);
      return { created, copied, published: await publishCatalogue(catalogue, options) };
    });
  } finally {
    catalogue?.close();
  }
}

/** Publishes the catalogue unless the cluster has one. */
async function publishCatalogue(
  catalogue: Sqlite | null,
  options: ClusterInitOptions,
): Promise<ClusterInit['published']> {
  const [
    { PublicationDatabase },
    { openFirstObjects, openObjects },
    { publishFirstCatalogue },
    { recordClusterAction },
  ] = await Promise.all([
    import('../cluster/publication/database.ts'),
    import('../cluster/publication/open-objects.ts'),
    import('../cluster/publication/first-catalogue.ts'),
    import('../cluster/audit.ts'),
  ]);
  const database = new PublicationDatabase(options.address);
  let scratch: ReturnType<typeof makeFolder> | undefined;
  let objects: ObjectStore | undefined;
  try {
    const { head, next } = await database.readHead();
    const isFirst = head === 0 && next === null;
    objects = await (isFirst ? openFirstObjects : openObjects)(database, options.objects, process.env);
    if (!isFirst) return null;
    scratch = makeFolder(options.from);
    const copy = join(scratch.path, 'catalogue.db');
    await writeCopy(copy, catalogue, options);
    const { onWait, onStep } = options;
    const { number, revision, bytes } = await publishFirstCatalogue({
      ...{ database, objects, copy, folder: scratch.path },
      ...(onWait && { onWait }),
      ...(onStep && { onStep }),
    });
    const subject = options.from === null ? 'starter' : basename(options.from);
    const details = { publication: number, revision };
    await recordClusterAction(database, {
      ...{ actor: options.actor, action: 'cluster.init', subject, details },
    });
    return { number, revision, bytes };
  } finally {
    scratch?.remove();
    await objects?.close?.();
    await database.close();
  }
}

/** Beside the data file, where there is room for it. */
function makeFolder(from: string | null): { path: string; remove: () => void } {
  if (from !== null) return createScratchDirectory(dirname(from), 'cluster');
  const path = mkdtempSync(join(tmpdir(), 'cratebase-cluster-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

async function writeCopy(
  copy: string,
  catalogue: Sqlite | null,
  { isEmpty, onPages }: ClusterInitOptions,
): Promise<void> {
  if (catalogue !== null) return backUpTo(catalogue, copy, onPages);
  const sqlite = openDatabase(copy, { create: true });
  try {
    if (isEmpty) return;
    const { importStarter, requestStarter } = await import('../ingest/starter.ts');
    requestStarter(sqlite, { samples: false });
    await importStarter(sqlite, systemClock.now());
  } finally {
    sqlite.close();
  }
}
