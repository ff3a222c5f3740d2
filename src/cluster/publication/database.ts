/** Reads and writes the tables of publications in PostgreSQL (`schema.sql`), and reports this node. */
import pg from 'pg';
import { Failure } from '../../failure.ts';
import { abandon, type ClusterAddress, isConnectionLost, PrimaryClient } from '../connection.ts';
import { acquireLease, type Lease, releaseLease, renewLease } from '../lease.ts';
import { maxSilenceMs } from '../nodes.ts';
import { isEndedProcess } from '../process-id.ts';
import type { ObjectEntry } from './pack.ts';
import type { PageSummary } from './pages.ts';

export type Publication = PageSummary & {
  number: number;
  parent: number;
  revision: number;
  schemaVersion: number;
  /** The pages that differ from the parent; null if only the whole file exists. */
  objects: ObjectEntry[] | null;
  objectBytes: number;
  base: ObjectEntry[] | null;
  baseBytes: number;
  publishedMs: number;
};

export type NewPublication = Omit<Publication, 'number' | 'objectBytes' | 'baseBytes' | 'publishedMs'>;
/** The publication that nodes serve (0: none), the one that they prepare, and the roots of both. */
export type Head = { head: number; headRoot: string; next: number | null; nextRoot: string | null };
export type NodeReport = {
  node: string;
  serving: number | null;
  prepared: number | null;
  wantsBase: boolean;
  /** Why it cannot prepare a publication; null: it can. */
  problem: string | null;
};

const maxConnections = 6;
/** A statement that takes longer has lost its server. Objects have 8 MB at most. */
const queryTimeoutMs = 30_000;
/** How long a statement may take once the process ends (ms). */
const lastTimeoutMs = 2_000;
/** After this time (ms), a publication is activated though a live node has not prepared it. */
const patienceMs = 60_000;
const keepMs = 48 * 3_600_000;
/** For how long after its last report a node or command that could not fetch the catalogue wants a base (ms). */
const baseWishMs = 120_000;
const weekMs = 7 * 24 * 3_600_000;

export type { Lease } from '../lease.ts';

/** The setting with the key that encrypts objects. */
export const publicationKey = 'publication_key';
/** The name of the lease to change the catalogue. */
const catalogueLease = 'catalogue';

const columns = `number, parent, revision, schema_version AS "schemaVersion", page_size AS "pageSize",
  page_count AS "pageCount", root, objects, coalesce(object_bytes, 0) AS "objectBytes", base,
  coalesce(base_bytes, 0) AS "baseBytes", published_ms AS "publishedMs"`;

const baseWantedSql = 'EXISTS (SELECT 1 FROM nodes WHERE wants_base = 1 AND seen_ts > now_ms() - $1::bigint)';

const headColumns = `SELECT head, next,
  coalesce((SELECT root FROM publications WHERE number = head), '') AS "headRoot",
  (SELECT root FROM publications WHERE number = next) AS "nextRoot"`;

/**
 * The tables of publications over a pool of connections to the primary. Methods reject with the error of `pg` if
 * PostgreSQL is away; the caller closes the pool.
 */
export class PublicationDatabase {
  readonly #pool: pg.Pool;
  readonly #busy = new Set<pg.PoolClient>();
  #isEnding = false;
  readonly #connection = {
    query: <R extends pg.QueryResultRow>(text: string, values: unknown[]) => this.#run<R>({ text, values }),
  };

  constructor(address: ClusterAddress) {
    this.#pool = new pg.Pool({
      // A pool makes its connections itself: each looks for the primary when it connects.
      Client: class extends PrimaryClient {
        constructor() {
          super(address, { query_timeout: queryTimeoutMs });
        }
      },
      max: maxConnections,
    });
    // An idle connection that breaks is replaced.
    this.#pool.on('error', () => {});
  }

  /** Gives statements two seconds from now on, because the process ends. Those under way are ended then. */
  hurry(): void {
    this.#isEnding = true;
    setTimeout(() => {
      for (const client of this.#busy) abandon(client);
    }, lastTimeoutMs).unref();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async query<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]> {
    return (await this.#run<R>({ text: sql, ...(values && { values }) })).rows;
  }

  /** The key that encrypts objects. */
  async readKey(): Promise<Uint8Array> {
    const rows = await this.query<{ value: string }>('SELECT value FROM settings WHERE key = $1', [
      publicationKey,
    ]);
    if (rows[0] === undefined)
      throw new Failure('The database has no key for publications. Run `cratebase cluster init` first.');
    return new Uint8Array(Buffer.from(rows[0].value, 'hex'));
  }

  /** Takes the lease to change the catalogue; null: another node has it. */
  acquireLease(node: string): Promise<Lease | null> {
    return acquireLease(this.#connection, catalogueLease, node);
  }

  /** Ends the lease of a node or command of this machine that was killed. Returns whether it did. */
  async freeLeaseOfEndedProcess(): Promise<boolean> {
    const [lease] = await this.query<{ holder: string; term: number }>(
      'SELECT holder, term FROM leases WHERE name = $1 AND holder IS NOT NULL',
      [catalogueLease],
    );
    if (lease === undefined || !isEndedProcess(lease.holder)) return false;
    await this.releaseLease({ name: catalogueLease, node: lease.holder, term: lease.term });
    // Publications would wait for it.
    await this.forget(lease.holder);
    return true;
  }

  /** Extends the lease. False: it is over. */
  renewLease(lease: Lease): Promise<boolean> {
    return renewLease(this.#connection, lease);
  }

  /** Ends the lease, so that other nodes need not wait. */
  releaseLease(lease: Lease): Promise<void> {
    return releaseLease(this.#connection, lease);
  }

  /** The lowest schema to which the other live nodes can be upgraded without a restart; null: there are none. */
  async readOldestProgram(node: string): Promise<number | null> {
    const [row] = await this.query<{ schema: number | null }>(
      'SELECT min(schema_max) AS schema FROM nodes WHERE id <> $1 AND pid > 0 AND seen_ts > now_ms() - $2::bigint',
      [node, maxSilenceMs],
    );
    return row?.schema ?? null;
  }

  /** Removes a node that ends. */
  async forget(node: string): Promise<void> {
    await this.query('DELETE FROM nodes WHERE id = $1', [node]);
  }

  /** Notes what a node serves and has prepared, and returns the head. */
  async report({ node, serving, prepared, wantsBase, problem }: NodeReport): Promise<Head> {
    const sql = `${headColumns} FROM report_publication($1, $2, $3, $4, $5)`;
    return requireHead(await this.query<Head>(sql, [node, serving, prepared, wantsBase ? 1 : 0, problem]));
  }

  async readHead(): Promise<Head> {
    return requireHead(await this.query<Head>(`${headColumns} FROM publication_head`));
  }

  /** The publications up to a number, newest first. */
  readPublications(upTo: number): Promise<Publication[]> {
    return this.query(`SELECT ${columns} FROM publications WHERE number <= $1 ORDER BY number DESC`, [upTo]);
  }

  /** Inserts a publication as the next one. Returns false if the lease was lost or the parent is not the head. */
  async publish(lease: Lease, publication: NewPublication): Promise<boolean> {
    const { parent, revision, schemaVersion, pageSize, pageCount, root, objects, base } = publication;
    return this.#call('publish_catalogue', [
      ...[lease.node, lease.term, parent, revision, schemaVersion, pageSize],
      ...[pageCount, root, asJson(objects), asJson(base)],
    ]);
  }

  /** Activates the next publication if it is time. Returns the head, null if the lease was lost. */
  activate(lease: Lease): Promise<number | null> {
    return this.#call('activate_publication', [lease.node, lease.term, patienceMs, maxSilenceMs]);
  }

  /** Adds the whole file to a publication. Returns false if the lease was lost. */
  addBase(lease: Lease, number: number, base: readonly ObjectEntry[]): Promise<boolean> {
    return this.#call('add_base', [lease.node, lease.term, number, asJson(base)]);
  }

  /** Deletes publications of more than 48 hours ago. Returns their number, null if the lease was lost. */
  prune(lease: Lease): Promise<number | null> {
    return this.#call('prune_publications', [lease.node, lease.term, keepMs]);
  }

  /** Whether a node or command could not fetch the catalogue, because objects are missing or damaged. */
  async isBaseWanted(): Promise<boolean> {
    const [row] = await this.query<{ wanted: boolean }>(`SELECT ${baseWantedSql} AS wanted`, [baseWishMs]);
    return row?.wanted ?? false;
  }

  /**
   * Whether the differences since the newest base are half as large as it, or it is a week old, or a node needs one.
   */
  async isBaseDue(): Promise<boolean> {
    const [row] = await this.query<{ due: boolean }>(
      `SELECT ${baseWantedSql}
         OR b.base_ms < now_ms() - $2::bigint
         OR (SELECT coalesce(sum(object_bytes), 0) FROM publications WHERE number > b.number) * 2 > b.base_bytes AS due
       FROM publications b WHERE base IS NOT NULL ORDER BY number DESC LIMIT 1`,
      [baseWishMs, weekMs],
    );
    return row?.due ?? false;
  }

  /** The names of all objects that publications list, those of the newest first. */
  async readObjectNames(): Promise<Set<string>> {
    const rows = await this.query<{ name: string }>(
      `SELECT o->>'sha256' AS name FROM publications, jsonb_array_elements(coalesce(objects, '[]') || coalesce(base, '[]')) o ORDER BY number DESC`,
    );
    return new Set(rows.map(({ name }) => name));
  }

  async #call<T>(name: string, values: unknown[]): Promise<T> {
    const places = values.map((_, at) => `$${at + 1}`).join(', ');
    return (await this.query<{ result: T }>(`SELECT ${name}(${places}) AS result`, values))[0]?.result as T;
  }

  async #run<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const client = await this.#pool.connect();
    this.#busy.add(client);
    let isLost = false;
    try {
      const last = this.#isEnding ? { query_timeout: lastTimeoutMs } : {};
      return await client.query<R>({ ...query, ...last } as pg.QueryConfig);
    } catch (failure) {
      isLost = isConnectionLost(failure);
      // The pool would wait for the farewell of a server that may never answer.
      if (isLost) abandon(client);
      throw failure;
    } finally {
      this.#busy.delete(client);
      client.release(isLost);
    }
  }
}

/**
 * Returns the row of `publication_head`.
 * @throws Failure if a person has deleted it: nothing else does
 */
export function requireHead<T extends { head: number }>([row]: readonly T[]): T {
  if (row === undefined || row.head === null)
    throw new Failure(
      'The table publication_head of PostgreSQL is empty: somebody has changed the database. Restore a backup of PostgreSQL.',
    );
  return row;
}

const asJson = (objects: readonly ObjectEntry[] | null): string | null =>
  objects === null ? null : JSON.stringify(objects);
