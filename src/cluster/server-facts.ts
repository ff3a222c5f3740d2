/** Reads the state of a cluster: PostgreSQL, the published catalogue, nodes and leases, for `cluster status` and `doctor --cluster`. */
import type pg from 'pg';
import { type ClusterAddress, connectToPrimary } from './connection.ts';
import { listNodes, type NodeSummary } from './nodes.ts';
import { parseProcessId } from './process-id.ts';
import { requireHead } from './publication/database.ts';
import { clusterNames, missingRightsSql } from './rights.ts';

export type ServerFacts = {
  /** The version of PostgreSQL. */
  postgres: string;
  /** Whether the connection of this command is encrypted. */
  tls: boolean;
  /** Whether it refuses writes, as managed servers do when their disk is full (`default_transaction_read_only`). */
  read_only: boolean;
  fsync: boolean;
  full_page_writes: boolean;
  /** The setting of cratebase's own connections. */
  synchronous_commit: string;
  /** Standbys that a commit waits for, and those that only follow; null: this role may not see them. */
  synchronous_standbys: number | null;
  asynchronous_standbys: number | null;
  /** How far the clock of this machine is ahead of PostgreSQL's, in ms. */
  clock_ahead_ms: number;
  max_connections: number;
  connections: number;
};

/** The published catalogue; `head` is 0 before the first publication. */
export type CatalogueFacts = {
  head: number;
  /** The publication that nodes prepare now. */
  next: number | null;
  revision: number | null;
  schema: number | null;
  /** The size of the data file. */
  bytes: number | null;
  published_at: string | null;
  /** How many publications are kept, and the time of the oldest. */
  publications: number;
  oldest_at: string | null;
  /** The newest publication whose whole file is stored, from which new nodes begin. */
  base: number | null;
  base_at: string | null;
};

/** A node with its part in the publication of the catalogue. */
export type NodeFacts = NodeSummary & {
  /** Whether it has the lease to change the catalogue. */
  leader: boolean;
  /** Whether it lives and serves another publication than the head. */
  behind: boolean;
};

export type ClusterFacts = {
  server: ServerFacts;
  accounts: number;
  /** Rights that the role lacks, such as "UPDATE on accounts". */
  missing_rights: string[];
  catalogue: CatalogueFacts;
  nodes: NodeFacts[];
  /** `machine` and `pid` are those of the holder, a node or a command; null: unknown. */
  leases: {
    name: string;
    holder: string | null;
    machine: string | null;
    pid: number | null;
    /** Raised by each new holder. */
    term: number;
    until: string | null;
  }[];
};

type ServerRow = Omit<ServerFacts, 'synchronous_standbys' | 'asynchronous_standbys' | 'clock_ahead_ms'> & {
  now: number;
};
const serverSql = `SELECT current_setting('server_version') AS postgres,
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS tls,
  current_setting('transaction_read_only') = 'on' AS read_only, current_setting('fsync') = 'on' AS fsync,
  current_setting('full_page_writes') = 'on' AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('max_connections')::int AS max_connections,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS connections, now_ms() AS now`;
/** Without the role pg_monitor, the columns of other sessions are null. */
type StandbyRow = { synchronous: number; asynchronous: number; hidden: number };
const standbySql = `SELECT count(*) FILTER (WHERE sync_state IN ('sync', 'quorum'))::int AS synchronous,
  count(*) FILTER (WHERE sync_state IN ('async', 'potential'))::int AS asynchronous,
  count(*) FILTER (WHERE sync_state IS NULL)::int AS hidden FROM pg_stat_replication`;
const catalogueSql = `SELECT h.head, h.next, p.revision, p.schema_version AS schema, p.page_count * p.page_size AS bytes,
  p.published_ms, (SELECT count(*) FROM publications) AS publications,
  (SELECT min(published_ms) FROM publications) AS oldest_ms, b.number AS base, b.base_ms
  FROM publication_head h LEFT JOIN publications p ON p.number = h.head
  LEFT JOIN publications b ON b.number = (SELECT max(number) FROM publications WHERE base IS NOT NULL AND number <= h.head)`;

/** Reads the facts from the primary. */
export async function readClusterFacts(address: ClusterAddress): Promise<ClusterFacts> {
  const client = await connectToPrimary(address);
  try {
    const sentAt = Date.now();
    const { rows } = await client.query<ServerRow>(serverSql);
    const { now, ...server } = rows[0] as ServerRow;
    const clockAheadMs = Math.round((sentAt + Date.now()) / 2 - now);
    const standbys = (await client.query<StandbyRow>(standbySql)).rows[0] as StandbyRow;
    const isHidden = standbys.hidden > 0;
    const accountCount = await client.query<{ accounts: number }>(
      'SELECT count(*) AS accounts FROM accounts',
    );
    const missingRights = await client.query<{ missing: string }>(missingRightsSql, clusterNames());
    const leases = await client.query<{
      name: string;
      holder: string | null;
      term: number;
      until_ts: number;
    }>('SELECT name, holder, term, until_ts FROM leases ORDER BY name');
    const catalogue = await readCatalogue(client);
    // Rows without a machine are of commands that change the catalogue.
    const nodes = (await listNodes(client)).filter(({ machine }) => machine !== '');
    const leader = leases.rows.find(({ name, until_ts }) => name === 'catalogue' && until_ts > now)?.holder;
    return {
      server: {
        ...server,
        synchronous_standbys: isHidden ? null : standbys.synchronous,
        asynchronous_standbys: isHidden ? null : standbys.asynchronous,
        clock_ahead_ms: clockAheadMs,
      },
      accounts: accountCount.rows[0]?.accounts ?? 0,
      missing_rights: missingRights.rows.map((row) => row.missing).toSorted(),
      catalogue,
      nodes: nodes.map((node) => ({
        ...node,
        leader: node.id === leader,
        behind: node.live && catalogue.head > 0 && node.serving !== catalogue.head,
      })),
      leases: leases.rows.map(({ until_ts, ...lease }) => ({
        ...lease,
        ...findProcess(lease.holder, nodes),
        until: lease.holder === null ? null : new Date(until_ts).toISOString(),
      })),
    };
  } finally {
    await client.end();
  }
}

/** Finds the process that holds a lease. */
function findProcess(
  holder: string | null,
  nodes: readonly NodeSummary[],
): { machine: string | null; pid: number | null } {
  const about = parseProcessId(holder ?? '') ?? nodes.find(({ id }) => id === holder);
  return { machine: about?.machine ?? null, pid: about?.pid ?? null };
}

async function readCatalogue(client: pg.ClientBase): Promise<CatalogueFacts> {
  type Row = Omit<CatalogueFacts, 'published_at' | 'oldest_at' | 'base_at'> &
    Record<'published_ms' | 'oldest_ms' | 'base_ms', number | null>;
  const { rows } = await client.query<Row>(catalogueSql);
  const { published_ms, oldest_ms, base_ms, ...row } = requireHead(rows);
  const toText = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    ...row,
    published_at: toText(published_ms),
    oldest_at: toText(oldest_ms),
    base_at: toText(base_ms),
  };
}
