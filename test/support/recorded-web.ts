/** Serves sites on this machine under their own https addresses, to a command that runs as its guide prints it. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import type { Sites } from './sites.ts';

export type RecordedWeb = {
  /** Environment of a command: names of the sites lead to this machine. */
  env: Record<string, string>;
  /** Port of the server, for other programs. */
  port: number;
  /** Addresses that were requested, in order. */
  requests: string[];
  stop: () => void;
};

/** The module that a command loads first. It leads names and the port of https to the server. */
const preload = (hosts: readonly string[], port: number): string => `
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';
const hosts = new Set(${JSON.stringify(hosts)});
const lookup = dns.promises.lookup;
dns.promises.lookup = async (name, options) =>
  hosts.has(name) ? [{ address: '127.0.0.1', family: 4 }] : lookup(name, options);
const connect = tls.connect;
tls.connect = (options, ...rest) =>
  hosts.has(options?.servername)
    ? connect({ ...options, port: ${port}, rejectUnauthorized: false }, ...rest)
    : connect(options, ...rest);
syncBuiltinESMExports();
`;

/**
 * Starts the server.
 * @param folder where the module for the command is written
 */
export async function startWeb(sites: Sites, folder: string): Promise<RecordedWeb> {
  const requests: string[] = [];
  const server = createServer(makeCertificate(), (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const host = (request.headers.host ?? '').replace(/:\d+$/, '');
      const url = new URL(request.url ?? '/', `https://${host}`);
      requests.push(url.href);
      const answer = sites[host]?.({
        url,
        method: request.method ?? 'GET',
        body: Buffer.concat(chunks).toString(),
        headers: request.headers as Record<string, string>,
      });
      if (answer === undefined) return response.writeHead(404).end('Not found');
      response
        .writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'text/html' })
        .end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const module = join(folder, 'recorded-web.mjs');
  const { port } = server.address() as AddressInfo;
  writeFileSync(module, preload(Object.keys(sites), port));
  return {
    port,
    env: { NODE_OPTIONS: `--import=${module}`, CRATEBASE_FETCH_ALLOW: '127.0.0.0/8' },
    requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
