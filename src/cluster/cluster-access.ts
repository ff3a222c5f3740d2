/** Accounts, credentials and the meter of a cluster, in PostgreSQL. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Access, constructAccess, InstanceSecret } from '../access/access.ts';
import { readAsset } from '../assets.ts';
import { type Clock, systemClock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { AccessSettingStore } from '../store/access/settings.ts';
import type { Engine } from '../store/engine/engine.ts';
import { type ClusterAddress, connectToPrimary } from './connection.ts';
import { PostgresCounting } from './counting.ts';
import { PostgresEngine } from './postgres-engine.ts';
import { publicationKey } from './publication/database.ts';
import { clusterIdKey, defaultPlace, objectsPlaceKey } from './publication/place.ts';
import { schemaFiles } from './rights.ts';

/** The version of `schema.sql` that this program reads and writes. */
const schemaVersion = 2;
const addKeySql = 'INSERT INTO settings (key, value) VALUES ($1, $2)';
/** The setting with the secret of the cluster. */
const secretKey = 'cursor_key';
/** The table exists, or another transaction has just created it (a unique index of the catalogues of PostgreSQL). */
const alreadyCreated = ['42P07', '23505'];
const undefinedTable = '42P01';

/**
 * Creates the tables and functions of a cluster in an empty database, or checks that those there are of this version.
 * Returns whether it created them.
 */
export async function prepareDatabase(address: ClusterAddress): Promise<boolean> {
  const client = await connectToPrimary(address);
  try {
    const isNew = await createTables(client);
    await checkVersion(client);
    return isNew;
  } finally {
    await client.end();
  }
}

/**
 * Checks that a database is prepared for this version of the program.
 * @param secret the secret of the cluster that it should be of, if that is known
 */
export async function checkDatabase(address: ClusterAddress, secret?: Uint8Array): Promise<void> {
  const client = await connectToPrimary(address);
  try {
    await checkVersion(client);
    if (secret !== undefined) await checkSecret(client, secret);
  } finally {
    await client.end();
  }
}

async function createTables(client: pg.Client): Promise<boolean> {
  try {
    await client.query('BEGIN');
    for (const file of schemaFiles) await client.query(readAsset(file));
    await client.query(addKeySql, [publicationKey, randomBytes(32).toString('hex')]);
    await client.query(addKeySql, [clusterIdKey, `cluster-${randomUUID()}`]);
    await client.query(addKeySql, [objectsPlaceKey, JSON.stringify(defaultPlace)]);
    await client.query('COMMIT');
    return true;
  } catch (failure) {
    await client.query('ROLLBACK');
    if (!alreadyCreated.includes(String(codeOf(failure)))) throw failure;
    return false;
  }
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client
    .query<{ version: number }>('SELECT version FROM cluster_schema')
    .catch((failure: unknown) => {
      if (codeOf(failure) !== undefinedTable) throw failure;
      throw new Failure(
        'The database has no tables of a cluster. Create them with `cratebase cluster init`.',
      );
    });
  const version = rows[0]?.version;
  if (version !== schemaVersion)
    throw new Failure(
      `The database has the schema ${version}, and this program needs ${schemaVersion}. Use the program of that version.`,
    );
}

async function checkSecret(client: pg.Client, secret: Uint8Array): Promise<void> {
  const text = 'SELECT value FROM settings WHERE key = $1';
  const { rows } = await client.query<{ value: string }>(text, [secretKey]);
  if (rows[0]?.value !== Buffer.from(secret).toString('hex'))
    throw new Failure(
      'PostgreSQL has another cluster than the one that this node served. Start the node again.',
    );
}

const codeOf = (failure: unknown): unknown => (failure as { code?: unknown } | null)?.code;

export type ClusterAccess = Access & {
  /** The secret of the cluster: cursors and cached answers of all nodes depend on it. */
  readonly secret: Buffer;
  /** Calls `listener` with the number of the publication that nodes serve, at each batch that is counted. */
  onHead(listener: (head: number) => void): void;
  /** Whether PostgreSQL answers now. Callers at the same time share one question, at most two a second. */
  isReachable(): Promise<boolean>;
  /**
   * The rights that the role of this service lacks now, such as "UPDATE on accounts"; none while PostgreSQL is away.
   * Shared as well.
   */
  missingRights(): Promise<readonly string[]>;
  /** Closes the connections, and resolves when they are closed. */
  closed(): Promise<void>;
};

/** Opens the accounts and credentials of a cluster whose database is prepared, and reads its secret. */
export async function openClusterAccess(
  address: ClusterAddress,
  clock: Clock = systemClock,
  throttleClock: Clock = systemClock,
): Promise<ClusterAccess> {
  const engine = new PostgresEngine(address);
  try {
    const secret = Buffer.from(await readSecret(engine), 'hex');
    return constructClusterAccess(engine, { address, clock, throttleClock, secret });
  } catch (failure) {
    await engine.close();
    throw failure;
  }
}

/** The same with a secret that is known already. PostgreSQL may be away: it is connected when it is needed. */
export const openClusterAccessWith = (
  address: ClusterAddress,
  secret: Buffer,
  clock: Clock = systemClock,
): ClusterAccess =>
  constructClusterAccess(new PostgresEngine(address), { address, clock, throttleClock: systemClock, secret });

type AccessParts = { address: ClusterAddress; clock: Clock; throttleClock: Clock; secret: Buffer };

function constructClusterAccess(
  engine: PostgresEngine,
  { address, clock, throttleClock, secret }: AccessParts,
): ClusterAccess {
  let notice: (head: number) => void = () => {};
  const counting = new PostgresCounting(address, (head) => notice(head));
  let closing: Promise<unknown> | undefined;
  const closed = async () => {
    closing ??= Promise.all([engine.close(), counting.close()]);
    await closing;
  };
  const access = constructAccess({
    engine,
    counting: () => counting,
    secret: new InstanceSecret(secret),
    clock,
    throttleClock,
    close: () => void closed().catch(() => {}),
  });
  const onHead = (listener: (head: number) => void) => {
    notice = listener;
  };
  const missingRights = shareAnswer(() => inTime(engine.missingRights(), []));
  return {
    ...access,
    secret,
    closed,
    onHead,
    isReachable: shareAnswer(() => isReachable(engine)),
    missingRights,
  };
}

const askEveryMs = 500;

/** Keeps an answer for half a second. */
function shareAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { askedAt: number; answer: Promise<T> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.askedAt >= askEveryMs)
      last = { askedAt: performance.now(), answer: ask() };
    return last.answer;
  };
}

/**
 * Health checks of load balancers give up after a few seconds: PostgreSQL is away if it does not answer in this time
 * (ms).
 */
const reachableTimeoutMs = 500;

const isReachable = (engine: PostgresEngine): Promise<boolean> => inTime(engine.canWrite(), false);

/** Returns another value if PostgreSQL does not answer in time. */
function inTime<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const late = pause(reachableTimeoutMs, otherwise, { ref: false });
  return Promise.race([answer.catch(() => otherwise), late]);
}

/** The secret of the cluster. The first node creates it; all get the same. */
function readSecret(engine: Engine): Promise<string> {
  const settings = new AccessSettingStore();
  return engine.write(async (tx) => {
    await settings.add(tx, secretKey, randomBytes(32).toString('hex'));
    return (await settings.read(tx, secretKey)) as string;
  });
}
