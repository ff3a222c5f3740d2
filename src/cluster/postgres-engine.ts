/**
 * Runs transactions in PostgreSQL. Writes are serializable, so a callback sees what it would see alone; PostgreSQL
 * rolls one of two conflicting transactions back, and it runs again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Problem } from '../contract/errors.ts';
import type { Engine, Tx } from '../store/engine/engine.ts';
import type { Statement } from '../store/engine/statement.ts';
import {
  abandon,
  type ClusterAddress,
  databaseAway,
  isConflict,
  isConnectionLost,
  PrimaryClient,
  shuttingDown,
} from './connection.ts';
import { awayTimeoutMs, Outage } from './outage.ts';
import { clusterNames, missingRightsSql } from './rights.ts';

const maxConnections = 8;
/** How long a transaction is repeated after conflicts (ms). */
const conflictTimeoutMs = 10_000;
/** How long a statement of a write may take, with its wait for locks (ms). */
const writeTimeoutMs = 10_000;
const retryMs = 20;
const canWriteSql = `SELECT current_setting('transaction_read_only') = 'off' AS "canWrite" FROM cluster_schema`;

/**
 * An engine over a pool of at most 8 connections to the primary. Rejects with the `Problem` `unavailable` while
 * PostgreSQL is away (`outage.ts`), and after it was closed.
 */
export class PostgresEngine implements Engine {
  readonly #pool: pg.Pool;
  readonly #outage = new Outage();
  /** Whether a transaction tries if PostgreSQL is back: the others are refused without waiting for it. */
  #isProbing = false;

  constructor(address: ClusterAddress) {
    this.#pool = new pg.Pool({
      // Each connection chooses its server when it is made.
      Client: class extends PrimaryClient {
        constructor() {
          super(address);
        }
      },
      connectionTimeoutMillis: awayTimeoutMs,
      max: maxConnections,
    });
    // An idle connection that breaks leaves the pool by itself; without a listener, the process would end.
    this.#pool.on('error', () => {});
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#repeat((client) => inTime(client, work, awayTimeoutMs));
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#repeat((client) => inTransaction(client, work));
  }

  /** The same as `write`: PostgreSQL answers a commit when it is on disk. */
  writeDurably<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.write(work);
  }

  /** Whether the server answers, has the tables of a cluster, and takes writes. */
  async canWrite(): Promise<boolean> {
    const { rows } = await this.#repeat((client) => send(client, canWriteSql, [], awayTimeoutMs));
    return (rows[0] as { canWrite: boolean } | undefined)?.canWrite === true;
  }

  /** The rights that the role lacks, such as "UPDATE on accounts". */
  async missingRights(): Promise<string[]> {
    const { rows } = await this.#repeat((client) =>
      send(client, missingRightsSql, clusterNames(), awayTimeoutMs),
    );
    return (rows as { missing: string }[]).map(({ missing }) => missing).toSorted();
  }

  /** Waits for transactions under way, and closes the connections. */
  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #repeat<T>(attempt: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (!this.#outage.isRecent) return this.#repeatInTime(attempt);
    if (this.#isProbing) throw databaseAway(null);
    this.#isProbing = true;
    try {
      return await this.#repeatInTime(attempt);
    } finally {
      this.#isProbing = false;
    }
  }

  async #repeatInTime<T>(attempt: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const since = performance.now();
    for (let round = 1; ; round += 1) {
      if (this.#pool.ending) throw shuttingDown();
      try {
        const result = await this.#withClient(attempt);
        this.#outage.end();
        return result;
      } catch (failure) {
        if (failure instanceof Problem || failure instanceof UnknownCommit) throw toProblem(failure);
        if (isAwayFailure(failure)) this.#outage.note(since, failure);
        else if (!isConflict(failure)) throw failure;
        else if (performance.now() - since > conflictTimeoutMs) throw databaseAway(failure);
      }
      await pause(Math.random() * retryMs * Math.min(round, 10));
    }
  }

  async #withClient<T>(attempt: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (failure) {
      throw new LostConnection(failure);
    }
    let isLost = false;
    const notice = () => {
      isLost = true;
    };
    client.on('error', notice);
    try {
      return await attempt(client);
    } catch (failure) {
      isLost ||= failure instanceof LostConnection || failure instanceof UnknownCommit;
      throw failure;
    } finally {
      client.off('error', notice);
      if (isLost) abandon(client);
      client.release(isLost);
    }
  }
}

/** The connection broke before the commit was sent: nothing was written. */
class LostConnection extends Error {
  constructor(cause: unknown) {
    super('The connection to PostgreSQL was lost.', { cause });
  }
}

/** The connection broke after the commit was sent: it is unknown whether it was written. */
class UnknownCommit extends Error {
  constructor(cause: unknown) {
    super('The connection to PostgreSQL was lost during a commit.', { cause });
  }
}

const isAwayFailure = (failure: unknown): boolean => failure instanceof LostConnection;
const toProblem = (failure: unknown): unknown =>
  failure instanceof UnknownCommit ? databaseAway(failure) : failure;

async function inTransaction<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  await send(client, 'BEGIN ISOLATION LEVEL SERIALIZABLE', [], awayTimeoutMs);
  let result: T;
  try {
    result = await inTime(client, work, writeTimeoutMs);
  } catch (failure) {
    if (!(failure instanceof LostConnection)) await send(client, 'ROLLBACK', [], awayTimeoutMs);
    throw failure;
  }
  try {
    await client.query({ text: 'COMMIT', query_timeout: writeTimeoutMs } as pg.QueryConfig);
  } catch (failure) {
    throw isConnectionLost(failure) ? new UnknownCommit(failure) : failure;
  }
  return result;
}

/** Runs `work`; its statements reject once it has ended. */
async function inTime<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>, timeoutMs: number): Promise<T> {
  const tx = new PostgresTx(client, timeoutMs);
  try {
    return await work(tx);
  } finally {
    tx.end();
  }
}

async function send(
  client: pg.PoolClient,
  text: string,
  values: unknown[],
  timeoutMs: number,
): Promise<pg.QueryResult> {
  try {
    return await client.query({ text, values, query_timeout: timeoutMs } as pg.QueryConfig);
  } catch (failure) {
    throw isConnectionLost(failure) ? new LostConnection(failure) : failure;
  }
}

class PostgresTx implements Tx {
  readonly dialect = 'postgres';
  readonly #client: pg.PoolClient;
  readonly #timeoutMs: number;
  #isOpen = true;

  constructor(client: pg.PoolClient, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  async get<P extends unknown[], R>(statement: Statement<P>, values: P): Promise<R | undefined> {
    return (await this.all<P, R>(statement, values))[0];
  }

  async all<P extends unknown[], R>(statement: Statement<P>, values: P): Promise<R[]> {
    return (await this.#send(statement, values)).rows as R[];
  }

  async run<P extends unknown[]>(statement: Statement<P>, values: P): Promise<{ changes: number }> {
    return { changes: (await this.#send(statement, values)).rowCount ?? 0 };
  }

  end(): void {
    this.#isOpen = false;
  }

  #send<P extends unknown[]>(statement: Statement<P>, values: P): Promise<pg.QueryResult> {
    if (!this.#isOpen) throw new Error('The transaction of this statement has ended.');
    const { sql, bind } = statement.in('postgres');
    return send(this.#client, sql, bind(values), this.#timeoutMs);
  }
}
