/** Reports to PostgreSQL every second that this node runs, and lists the nodes of the cluster. */
import type pg from 'pg';
import { dayMs } from '../clock.ts';
import { abandon, type ClusterAddress, connectToPrimary } from './connection.ts';
import { createProcessId } from './process-id.ts';

const reportEveryMs = 1_000;
/** How often a server that is away is tried again, and how long an answer may take (ms). */
const retryMs = 250;
const answerTimeoutMs = 2_000;
/** A node that was not seen for this time (ms) does not run, and nothing waits for it. */
export const maxSilenceMs = 15_000;

/** What a node reports about itself. */
export type NodeFacts = {
  machine: string;
  pid: number;
  url: string;
  version: string;
  /** The schemas of data files that the program reads. */
  schemas: { min: number; max: number };
};

/** A node as `cluster status` shows it. */
export type NodeSummary = {
  id: string;
  machine: string;
  pid: number;
  url: string;
  version: string;
  schema_min: number;
  schema_max: number;
  revision: number;
  started_at: string;
  seen_at: string;
  /** Whether it was seen in the last 15 seconds. */
  live: boolean;
  /** How far its clock is ahead of PostgreSQL's, in ms; null: not measured yet. */
  clock_ahead_ms: number | null;
  /** The publications that it serves and has ready; null: none yet. */
  serving: number | null;
  prepared: number | null;
  /** Why it cannot prepare a publication; null: it can. */
  problem: string | null;
};

const reportSql = 'SELECT report_node($1, $2, $3, $4, $5, $6, $7, $8, $9) AS now';
const listSql = `SELECT id, machine, pid, url, version, schema_min, schema_max, revision, started_ts, seen_ts,
  clock_ahead_ms, serving, prepared, problem, now_ms() - seen_ts <= $1 AS live FROM nodes ORDER BY machine, started_ts, id`;
const pruneSql = 'DELETE FROM nodes WHERE seen_ts < now_ms() - $1';

/** Reports once a second that this node lives, until it is stopped. It never throws. */
export class NodeReporter {
  readonly id: string;
  readonly #address: ClusterAddress;
  readonly #facts: NodeFacts;
  readonly #readRevision: () => number;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #clockAheadMs: number | null = null;
  #isStopped = false;
  #reporting: Promise<void>;

  /** @param readRevision the revision of the catalogue that the node serves */
  constructor(
    address: ClusterAddress,
    facts: NodeFacts,
    readRevision: () => number,
    id: string = createProcessId('node'),
  ) {
    this.id = id;
    this.#address = address;
    this.#facts = facts;
    this.#readRevision = readRevision;
    this.#reporting = this.#report();
  }

  /** Removes the node from the list. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#reporting;
    const client = this.#client;
    if (client === null) return;
    const text = 'DELETE FROM nodes WHERE id = $1';
    await client.query(bounded(text, [this.id])).catch(() => {});
    abandon(client);
  }

  async #report(): Promise<void> {
    let waitMs = reportEveryMs;
    try {
      this.#client ??= await this.#connect();
      const sentAt = Date.now();
      const { rows } = await this.#client.query<{ now: number }>(bounded(reportSql, this.#values()));
      // The clock of PostgreSQL was read about in the middle.
      this.#clockAheadMs = Math.round((sentAt + Date.now()) / 2 - (rows[0] as { now: number }).now);
    } catch {
      if (this.#client !== null) abandon(this.#client);
      this.#client = null;
      waitMs = retryMs;
    }
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#reporting = this.#report();
    }, waitMs);
    this.#timer.unref();
  }

  #values(): unknown[] {
    const { machine, pid, url, version, schemas } = this.#facts;
    const { min, max } = schemas;
    return [this.id, machine, pid, url, version, min, max, this.#readRevision(), this.#clockAheadMs];
  }

  async #connect(): Promise<pg.Client> {
    const client = await connectToPrimary(this.#address);
    try {
      await client.query(bounded(pruneSql, [dayMs]));
    } catch (failure) {
      // The server may be read-only: each try would leave a connection.
      abandon(client);
      throw failure;
    }
    return client;
  }
}

/** Lists the nodes that were seen in the last day. */
export async function listNodes(connection: Pick<pg.ClientBase, 'query'>): Promise<NodeSummary[]> {
  type Row = Omit<NodeSummary, 'started_at' | 'seen_at'> & { started_ts: number; seen_ts: number };
  const { rows } = await connection.query<Row>(listSql, [maxSilenceMs]);
  return rows.map(({ started_ts, seen_ts, live, clock_ahead_ms, ...node }) => ({
    ...node,
    started_at: new Date(started_ts).toISOString(),
    seen_at: new Date(seen_ts).toISOString(),
    live,
    clock_ahead_ms,
  }));
}

const bounded = (text: string, values: unknown[]): pg.QueryConfig =>
  ({ text, values, query_timeout: answerTimeoutMs }) as pg.QueryConfig;
