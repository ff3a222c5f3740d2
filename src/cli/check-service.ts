/** Checks of `doctor`: address and port of the running service, and a key. */
import { createServer } from 'node:net';
import type { App, RunningService } from '../app.ts';
import { localUrl, type SettingReport } from '../config.ts';
import { Failure } from '../failure.ts';
import { shellQuote } from './command.ts';
import {
  isInvalidCertificate,
  isUntrustedCertificate,
  NoResponse,
  type ProbeResponse,
  probe,
} from './probe.ts';

/** `failed` makes the exit status 1. */
export type Finding = {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
  advice: string | null;
};
export type AddFinding = (
  check: string,
  status: Finding['status'],
  message: string,
  advice?: string | null,
) => void;

export const maxClockSkewMs = 10_000;

/** Settings of the address of the service; null: not set, or invalid (then `checkSettings` reports it). */
export type ServiceAddress = { host: string | null; port: number | null; baseUrl: string | null };

/**
 * Checks that the service answers at its address, and that it serves the data file.
 * @param service the service that is registered in the data file; null: none, or --host or --port names another one
 * @param hasFile whether there is a data file in which a service could be registered
 * @param isAsked whether --host or --port was given: the service may then belong to another data file
 */
export async function checkReachability(
  address: ServiceAddress,
  service: RunningService | null,
  { hasFile, isAsked }: { hasFile: boolean; isAsked: boolean },
  add: AddFinding,
): Promise<void> {
  const { host, port, baseUrl } = address;
  if (host === null || port === null) return;
  const local = service?.url ?? localUrl(host, port);
  try {
    const answer = await probe(`${local}/healthz`);
    if (!isAlive(answer)) throw new Failure(`${local} answers, but is not cratebase.`);
    checkSkew(answer.date, add);
    const advertised = await advertisedBaseUrl(local);
    if (advertised === null)
      throw new Failure((await whyNotReady(local)) ?? `${local} answers, but is not cratebase.`);
    if (service) add('service', 'ok', `process ${service.pid} answers at ${local}`);
    if (service === null && baseUrl === null && (hasFile || !isAsked)) {
      const message = `A cratebase service answers at ${local}, but no service runs on this data file.`;
      const advice = 'Name the data file of that service with --data, or choose another port with --port.';
      add('service', 'warning', message, advice);
    } else if (baseUrl === null) compareBaseUrl(local, advertised, add);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (service) {
      const message = `Process ${service.pid} serves this file, but does not answer: ${failure.message}`;
      add('service', 'failed', message, 'Check its log and restart it.');
    } else await checkPort(host, port, baseUrl !== null, failure, add);
  }
  if (baseUrl !== null) await checkBaseUrl(baseUrl, add);
}

/** Why a service answers its requests with 503; null if it does not say so. */
async function whyNotReady(address: string): Promise<string | null> {
  const { status, body } = await probe(`${address}/readyz`);
  if (status !== 503) return null;
  try {
    return (JSON.parse(body) as { error?: { message?: string } }).error?.message ?? null;
  } catch {
    return null;
  }
}

const isAlive = ({ status, body }: ProbeResponse): boolean => status === 200 && body.includes('"ok"');

/** Checks that the base address of the service leads to it. */
async function checkBaseUrl(address: string, add: AddFinding): Promise<void> {
  const url = `${address}/healthz`;
  try {
    const answer = await probe(url);
    if (answer.location !== null) {
      const advice = 'Set --base-url to the address after the redirect.';
      add('reachability', 'failed', `${url} redirects to ${answer.location}.`, advice);
    } else if (!isAlive(answer))
      add('reachability', 'failed', `${url} answers ${answer.status}.`, adviceForStatus(answer.status));
    else {
      checkSkew(answer.date, add);
      compareBaseUrl(address, await advertisedBaseUrl(address), add);
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const code = failure instanceof NoResponse ? failure.code : null;
    add('reachability', 'failed', failure.message, adviceForNoResponse(code));
  }
}

const defaultAdvice = 'Start the service, and check the proxy and --base-url.';

/** Returns what to do about an unexpected status. */
function adviceForStatus(status: number): string {
  if (status === 502 || status === 504) {
    return 'The proxy cannot reach the service. Start the service, and let the proxy forward to its --host and --port.';
  }
  if (status === 503) return 'The proxy or the service is not ready. Check the logs of both.';
  if (status === 400) {
    return 'The server does not understand the request. Check http or https, and the port.';
  }
  if (status === 401 || status === 403)
    return 'The proxy requires a password or blocks the path. Let it forward /healthz, /api and /mcp.';
  if (status === 404) return 'Another program answers, or the path of --base-url is wrong.';
  return defaultAdvice;
}

/** Returns what to do if no program answers. */
function adviceForNoResponse(code: string | null): string {
  if (isUntrustedCertificate(code)) {
    return 'Clients refuse it too. Use a certificate of a public authority. For a private authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.';
  }
  if (isInvalidCertificate(code))
    return 'Renew the certificate of the proxy for the host name in --base-url.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'Correct the host name in --base-url, or add it to the DNS.';
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'The port does not use TLS. Use http:// in --base-url, or enable TLS in the proxy.';
  }
  return defaultAdvice;
}

/** Returns the base address that a service advertises; null if the program is not cratebase. */
export async function advertisedBaseUrl(address: string): Promise<string | null> {
  const { body } = await probe(`${address}/.well-known/oauth-protected-resource/mcp`);
  return /"resource":"([^"]*)\/mcp"/.exec(body)?.[1] ?? null;
}

/** Compares the address with the one that the service advertises: without --base-url, they differ behind a proxy. */
function compareBaseUrl(address: string, advertised: string | null, add: AddFinding): void {
  if (advertised === address) add('reachability', 'ok', `${address} answers and has the same base address`);
  else if (advertised === null) {
    const advice = 'Another program uses the address, or the proxy forwards only some paths.';
    add('reachability', 'failed', `${address} answers, but is not cratebase.`, advice);
  } else {
    const advice = `Start the service with --base-url ${address}, or name its address with --base-url here.`;
    add(
      'reachability',
      'failed',
      `${address} leads to a service with the base address ${advertised}.`,
      advice,
    );
  }
}

/** Reports missing settings of a service behind a proxy. */
export function checkProxy(settings: readonly SettingReport[], add: AddFinding): void {
  const isSet = (name: string) =>
    settings.some((setting) => setting.name === name && setting.value !== null && setting.value !== false);
  if (!isSet('trust-proxy')) {
    const message = 'Requests come through a proxy, but --trust-proxy is off. All callers share one address.';
    add('proxy', 'warning', message, 'If you run the proxy, start the service with --trust-proxy.');
  }
  if (!isSet('base-url')) {
    const message =
      'Requests come through a proxy, but --base-url is not set. Addresses in responses are wrong.';
    add('proxy', 'warning', message, 'Set --base-url to the public address.');
  }
}

async function checkPort(
  host: string,
  port: number,
  configured: boolean,
  failure: Failure,
  add: AddFinding,
): Promise<void> {
  const code = await portError(host, port);
  if (code === 'EADDRINUSE') {
    const advice = 'Stop that program, or choose another port with --port.';
    const message = `Another program uses port ${port} on ${host}: ${failure.message}`;
    add('port', configured ? 'warning' : 'failed', message, advice);
  } else if (code === 'EACCES') {
    const advice = 'Choose a port above 1023 with --port, and put a proxy in front.';
    add('port', 'failed', `This user may not use port ${port}.`, advice);
  } else if (code !== null) {
    add(
      'port',
      'failed',
      `${host} is not an address of this machine (${code}).`,
      'Choose an address with --host.',
    );
  } else if (!configured)
    add('reachability', 'warning', failure.message, 'Start the service with `cratebase serve`.');
}

/** Returns the error code of listening on the port; null if the port is free. */
function portError(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (failure: NodeJS.ErrnoException) => resolve(failure.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function checkSkew(date: string | null, add: AddFinding): void {
  const there = Date.parse(date ?? '');
  if (Math.abs(there - Date.now()) > maxClockSkewMs) {
    const message = `The clocks of this machine and of the service differ: ${date}.`;
    add('clock', 'warning', message, 'Synchronize both with a time server.');
  }
}

type Access = Awaited<ReturnType<App['access']>>;
type KeyState = Awaited<ReturnType<Access['keys']['checkKey']>>;
type KeyFinding = [status: Finding['status'], message: string, advice: string | null];
const badKeyFindings: Record<Exclude<KeyState, 'good'>, KeyFinding> = {
  malformed: ['failed', 'This is not a cratebase key.', 'A key begins with cb_live_.'],
  mistyped: ['failed', 'The key is mistyped: its checksum is wrong.', 'Copy the key again.'],
  unknown: [
    'failed',
    'The key belongs to another service, or its account was deleted.',
    'Use the key there, or create one here: cratebase keys create',
  ],
  revoked: ['failed', 'The key is revoked.', 'Create another one: cratebase keys create'],
  expired: ['failed', 'The key has expired.', 'Create another one: cratebase keys create'],
};

/** Reports the state of a key, and why its requests are refused now. */
export async function checkKey(
  app: Pick<App, 'access' | 'clock'>,
  key: string,
  add: AddFinding,
): Promise<void> {
  const access = await app.access();
  const text = key.trim();
  const state = await access.keys.checkKey(text);
  const [status, message, advice] =
    state === 'good' ? await describeGoodKey(access, text) : badKeyFindings[state];
  add('key', status, message, advice);
}

/** What the account of a valid key allows: nothing while it is suspended, or has used up the requests of the month. */
async function describeGoodKey({ keys, accounts }: Access, key: string): Promise<KeyFinding> {
  const email = await keys.accountOf(key);
  // It was deleted just now.
  if (email === null) return badKeyFindings.unknown;
  const { suspended_at, usage } = await accounts.show(email);
  const count = (value: number) => value.toLocaleString('en');
  if (suspended_at !== null)
    return [
      'failed',
      'The key is valid, but its account is suspended.',
      `cratebase accounts unsuspend ${shellQuote(email)}`,
    ];
  if (usage.remaining === 0)
    return [
      'failed',
      `The key is valid, but all ${count(usage.quota)} requests of the month are used up. They are back at ${usage.resets_at}.`,
      `Give the account a larger plan: cratebase accounts set-plan ${shellQuote(email)} PLAN`,
    ];
  const remainder = `${count(usage.remaining)} of ${count(usage.quota)} requests of the month are left`;
  return [
    'ok',
    `The key is valid. ${remainder}, and ${count(usage.window)} in each ${usage.window_seconds} s.`,
    null,
  ];
}
