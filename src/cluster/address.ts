/**
 * Parses the address of a cluster's PostgreSQL: `postgres://user:password@host:port,host:port/database`. It requires TLS
 * unless all servers are on this machine.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Failure } from '../failure.ts';

/** One server: a name, an address, or the folder of a socket. */
export type ClusterHost = { host: string; port?: number };
/** The parts of an address. `others` are tried after `host`, in turn; the server that is not a standby is used. */
export type ClusterAddressParts = ClusterHost & {
  user: string;
  database: string;
  password?: string;
  others?: readonly ClusterHost[];
  /** TLS that verifies certificate and name of the server. Absent: no TLS, for servers on this machine only. */
  tls?: { ca?: string };
};
/** An address as text or in parts. */
export type ClusterAddress = string | ClusterAddressParts;

const usageErrorStatus = 2;
const defaultPort = 5432;
/** What may follow the `?`. `host` and `port` may have several values, separated by commas. */
const parameters = ['sslmode', 'host', 'port'];
/** Members of the address: the part before `?` has no character that could belong to two of them. */
const addressPattern =
  /^postgres(?:ql)?:\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]*)(?:\/([^/?#\s]*))?(?:\?([^#\s]*))?$/;
const hostPattern = /^(\[[0-9a-fA-F:.]{2,45}\]|[^:,[\]]*)(?::(\d{1,5}))?$/;

const wrong = (message: string): Failure =>
  new Failure(`The address of the cluster ${message}`, usageErrorStatus);

/**
 * Parses an address. Throws a `Failure` (wrong usage) that never contains the address: it may hold a password.
 * @param caFile a file with the certificate of the authority that signed the server's, in PEM
 */
export function parseClusterAddress(text: string, caFile: string | null = null): ClusterAddressParts {
  const match = addressPattern.exec(text);
  if (match === null)
    throw wrong('is not valid. It looks like postgres://user:password@db.example.org:5432/cratebase.');
  const [, login = '', list = '', path = '', query = ''] = match;
  const [user = '', ...password] = login.split(':');
  const options = new URLSearchParams(query);
  checkOptions(options);
  const ports = options.get('port')?.split(',') ?? [];
  const hosts = (options.get('host') ?? list)
    .split(',')
    .map((one, place) => withPort(parseHost(decode(one)), ports.length === 1 ? ports[0] : ports[place]));
  const [first, ...others] = hosts as [ClusterHost, ...ClusterHost[]];
  if (user === '' || path === '')
    throw wrong('needs a user and a database, as in postgres://user@host/database.');
  const needsTls =
    hosts.some(({ host }) => !isOnThisMachine(host)) || options.has('sslmode') || caFile !== null;
  const ca = caFile === null ? undefined : readCa(caFile);
  return {
    ...first,
    user: decode(user),
    database: decode(path),
    ...(password.length === 0 ? {} : { password: decode(password.join(':')) }),
    ...(others.length === 0 ? {} : { others }),
    ...(needsTls && options.get('sslmode') !== 'disable' ? { tls: ca === undefined ? {} : { ca } } : {}),
  };

  function checkOptions(searchParams: URLSearchParams): void {
    for (const name of searchParams.keys())
      if (!parameters.includes(name))
        throw wrong(
          `has the parameter ${JSON.stringify(name.slice(0, 40))}. Only sslmode, host and port are possible.`,
        );
    const mode = searchParams.get('sslmode');
    if (mode === null || mode === 'verify-full') return;
    const isLocal = (searchParams.get('host') ?? list)
      .split(',')
      .every((one) => isOnThisMachine(parseHost(decode(one)).host));
    if (mode !== 'disable' || !isLocal)
      throw wrong(
        'must not weaken TLS: leave sslmode out, or use sslmode=verify-full with --cluster-ca FILE.',
      );
  }
}

/** Whether a server is on this machine: a socket, or a loopback address. */
export const isOnThisMachine = (host: string): boolean =>
  host.startsWith('/') ||
  host === 'localhost' ||
  host === '::1' ||
  (isIP(host) === 4 && host.startsWith('127.'));

function parseHost(text: string): ClusterHost {
  if (text.startsWith('/')) return { host: text };
  const match = hostPattern.exec(text);
  const host = match?.[1]?.replace(/^\[|\]$/g, '') ?? '';
  const port = match?.[2] === undefined ? defaultPort : Number(match[2]);
  if (host === '' || !isPort(port))
    throw wrong('names no valid host. Several are separated by commas: h1:5432,h2:5432.');
  return { host, port };
}

/** Adds the port of the parameter `port`: a socket has it in its name, and no other place for it in the address. */
function withPort(host: ClusterHost, text: string | undefined): ClusterHost {
  if (text === undefined) return host;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || !isPort(port))
    throw wrong('has a parameter port that is no port, such as 5433.');
  return { ...host, port };
}

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('has a % that is not followed by two digits. Write % as %25.');
  }
}

function readCa(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (failure) {
    throw new Failure(
      `--cluster-ca names ${path}, which cannot be read (${(failure as NodeJS.ErrnoException).code}).`,
      usageErrorStatus,
    );
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new Failure(`--cluster-ca names ${path}, which has no certificate in PEM.`, usageErrorStatus);
  return text;
}
