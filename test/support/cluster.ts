/** Accounts in PostgreSQL for tests, with a clock that the test sets. */
import pg from 'pg';
import type { Clock } from '../../src/clock.ts';
import { openClusterAccess, prepareDatabase } from '../../src/cluster/cluster-access.ts';
import { type ClusterAddress, connectionOptions } from '../../src/cluster/connection.ts';
import type { PostgresServer } from './postgres.ts';

export type TestCluster = {
  address: ClusterAddress;
  /** Opens what a node of the cluster opens. */
  open: (clock?: Clock) => ReturnType<typeof openClusterAccess>;
  /** Runs SQL, and returns its rows. */
  query: <R extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<R[]>;
  /** Makes PostgreSQL believe that it is this time (ms since 1970). */
  setClock: (now: number) => Promise<void>;
};

/** Creates a database with the tables of a cluster. */
export async function createCluster(server: PostgresServer): Promise<TestCluster> {
  const address = await server.createDatabase();
  await prepareDatabase(address);
  const query: TestCluster['query'] = (sql, values) => queryAt(address, sql, values);
  return {
    address,
    open: (clock) => openClusterAccess(address, clock, clock),
    query,
    async setClock(now) {
      await query(
        `CREATE OR REPLACE FUNCTION now_ms() RETURNS BIGINT LANGUAGE sql VOLATILE AS 'SELECT ${now}::bigint'`,
      );
    },
  };
}

/** Runs SQL in a database, and returns its rows. */
export async function queryAt<R extends pg.QueryResultRow>(
  address: ClusterAddress,
  sql: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client(connectionOptions(address));
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
