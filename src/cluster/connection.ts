/** Connections to PostgreSQL: how they are opened, and which errors make one useless. */
import pg from 'pg';
import { Problem } from '../contract/errors.ts';
import { type ClusterAddress, type ClusterHost, parseClusterAddress } from './address.ts';

export type { ClusterAddress } from './address.ts';

/** How long all servers of an address may take to be tried, in ms. */
const connectTimeoutMs = 2_000;
/** A transaction that sends nothing for this time is ended by the server, in ms. */
const idleInTransactionMs = 10_000;
/** How long a server may take to close a connection, in ms. One that is away never does. */
const farewellMs = 1_000;
const bigintOid = 20;
const numericOid = 1700;

/** Counts and times are numbers up to 2^53; `pg` returns texts for types that have larger values. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === bigintOid || oid === numericOid) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/** The server that was the primary when this process last connected, by the servers of the address. */
const lastPrimary = new Map<string, number>();

/** Options of a connection to the server of an address that was the primary last. */
export function connectionOptions(address: ClusterAddress): pg.ClientConfig {
  const {
    others = [],
    tls,
    host,
    port,
    ...login
  } = typeof address === 'string' ? parseClusterAddress(address) : address;
  const hosts = [{ host, ...(port === undefined ? {} : { port }) }, ...others];
  const name = JSON.stringify(hosts);
  const place = (lastPrimary.get(name) ?? 0) % hosts.length;
  const server = hosts[place] as ClusterHost;
  // The name in the certificate must be that of the address.
  const ssl = tls === undefined ? {} : { ssl: { ...tls, rejectUnauthorized: true, host: server.host } };
  const options: pg.ClientConfig & { tryNext: () => void } = {
    ...login,
    ...server,
    ...ssl,
    types,
    connectionTimeoutMillis: Math.ceil(connectTimeoutMs / hosts.length),
    keepAlive: true,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    application_name: 'cratebase',
    // A commit is answered when it is on disk, here and on the synchronous standbys, whatever the server's default is.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    tryNext: () => {
      if (lastPrimary.get(name) === place || !lastPrimary.has(name)) lastPrimary.set(name, place + 1);
    },
  };
  return options;
}

/** A connection to the primary. The next connection goes to the next server if this one is away or a standby. */
export class PrimaryClient extends pg.Client {
  readonly #tryNext: () => void;

  constructor(address: ClusterAddress, more: pg.ClientConfig = {}) {
    const options = connectionOptions(address) as pg.ClientConfig & { tryNext: () => void };
    super({ ...options, ...more });
    this.#tryNext = options.tryNext;
    // Statements reject when a connection breaks. Without a listener, the event would end the process as well.
    this.on('error', () => {});
  }

  override connect(): Promise<this>;
  override connect(callback: (failure: Error | null) => void): void;
  override connect(callback?: (failure: Error | null) => void): Promise<this> | undefined {
    const connecting = this.#connect();
    if (callback === undefined) return connecting;
    connecting.then(() => callback(null), callback);
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: (failure: Error) => void): void;
  override end(callback?: (failure: Error) => void): Promise<void> | undefined {
    // An open connection keeps the process running.
    const late = setTimeout(() => destroyStream(this), farewellMs).unref();
    this.once('end', () => clearTimeout(late));
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  async #connect(): Promise<this> {
    try {
      await super.connect();
      const text = 'SELECT pg_is_in_recovery() AS "isStandby"';
      const query = { text, query_timeout: connectTimeoutMs } as pg.QueryConfig;
      const { rows } = await this.query<{ isStandby: boolean }>(query);
      if (rows[0]?.isStandby === true) throw new StandbyServer();
    } catch (failure) {
      this.#tryNext();
      abandon(this);
      throw failure;
    }
    return this;
  }
}

/** The server only repeats another one. */
class StandbyServer extends Error {
  constructor() {
    super('The server of PostgreSQL is a standby. Name the primary too: postgres://user@one,two/database.');
  }
}

/** Connects to the primary, trying each server of the address once. */
export async function connectToPrimary(address: ClusterAddress): Promise<pg.Client> {
  const { others = [] } = typeof address === 'string' ? parseClusterAddress(address) : address;
  for (let retries = others.length; ; retries -= 1) {
    const client = new PrimaryClient(address);
    try {
      return await client.connect();
    } catch (failure) {
      if (retries === 0) throw failure;
    }
  }
}

/** What `pg` knows about a connection, besides its types. */
type ConnectionState = {
  /** Of the process of the server; null before the login. */
  processID: number | null;
  secretKey: number | null;
  /** Whether no statement is under way. */
  readyForQuery: boolean;
  connectionParameters: { ssl: pg.ConnectionConfig['ssl'] };
};
type CancelConnection = pg.Connection & {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number | null): void;
};

/**
 * Asks the server to end the statement under way (PostgreSQL, "Canceling Requests in Progress"). A commit that waits for
 * a synchronous standby would otherwise keep its connection for as long as there is none: the server does not notice
 * that the client is gone, and later connections are refused once there are `max_connections`.
 */
function cancelStatement(client: pg.Client): void {
  const { processID, secretKey, readyForQuery, connectionParameters } = client as pg.Client & ConnectionState;
  if (processID === null || readyForQuery) return;
  const { ssl } = connectionParameters;
  const connection = new pg.Connection({ ssl }) as CancelConnection;
  const timer = setTimeout(() => connection.stream.destroy(), farewellMs);
  const cancel = () => connection.cancel(processID, secretKey);
  connection.on('error', () => connection.stream.destroy());
  connection.on('end', () => clearTimeout(timer));
  connection.on('connect', ssl ? () => connection.requestSsl() : cancel);
  connection.on('sslconnect', cancel);
  if (client.host.startsWith('/')) connection.connect(`${client.host}/.s.PGSQL.${client.port}`);
  else connection.connect(client.port, client.host);
}

/** Ends a connection and its statement without waiting: a server that is away may never answer. */
export function abandon(connection: pg.ClientBase): void {
  // Clients of a pool are clients too.
  const client = connection as pg.Client;
  client.on('error', () => {});
  cancelStatement(client);
  void client.end().catch(() => {});
  // `end` waits for the server to close the connection.
  destroyStream(client);
}

/** Breaks a connection: what waits for it rejects. */
export function destroyStream(client: pg.Client): void {
  const { connection } = client as pg.Client & { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}

const codeOf = (failure: unknown): string => String((failure as { code?: unknown } | null)?.code ?? '');

/** Whether a transaction was rolled back because of another one and can be repeated: 40001, 40P01. */
export const isConflict = (failure: unknown): boolean => /^(40001|40P01)$/.test(codeOf(failure));

/**
 * Whether the server, or the way to it, is gone, so that the connection must not be used again: a standby that was a
 * primary (25006), a server that shuts down or starts (57P01 to 57P03), connection exceptions (08…), a server without a
 * free connection, memory or disk (53…), and errors without a code of SQL.
 */
export const isConnectionLost = (failure: unknown): boolean => {
  const code = codeOf(failure);
  return /^(25006|53\w{3}|57P0[1-5]|08\w{3})$/.test(code) || !(failure instanceof pg.DatabaseError);
};

/** A connection of the system that failed because the server, or the way to it, is away. */
const awayCode =
  /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|E(HOST|NET)UNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN)$/;
/** `pg` has no codes for these. */
const awayMessage = /^(Connection terminated|timeout e|Query read timeout)/;

/**
 * Whether PostgreSQL may be back later, though the address is right: it is away, starts, is a standby, or has no free
 * connection. False for a wrong password, database or certificate.
 */
export function isServerAway(failure: unknown): boolean {
  if (failure instanceof Problem || failure instanceof StandbyServer) return true;
  const code = codeOf(failure);
  if (failure instanceof pg.DatabaseError) return isConnectionLost(failure);
  if (!(failure instanceof Error)) return false;
  // The folder of a socket is missing, or that of a file.
  if (code === 'ENOENT') return (failure as NodeJS.ErrnoException).syscall === 'connect';
  return awayCode.test(code) || (code === '' && awayMessage.test(failure.message));
}

/** The problem that callers get once the connections were closed. */
export const shuttingDown = (): Problem => new Problem('unavailable', 'The service is shutting down.');

/** The problem that callers get while PostgreSQL cannot be reached. */
export function databaseAway(cause: unknown): Problem {
  const problem = new Problem('unavailable', 'The accounts cannot be reached at present. Try again shortly.');
  problem.cause = cause;
  return problem;
}
