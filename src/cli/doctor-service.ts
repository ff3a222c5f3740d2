/** What `doctor` finds about the running service: its address, its port, a key. */
import { createServer } from 'node:net';
import type { App, Service } from '../app.ts';
import { localUrl, type SettingReport } from '../config.ts';
import { Failure } from '../failure.ts';
import { type Answer, isUntrusted, isWrongCertificate, probe, Unanswered } from './probe.ts';

/** `failed` makes the exit status 1. */
export type Finding = {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
  advice: string | null;
};
export type Add = (check: string, status: Finding['status'], message: string, advice?: string | null) => void;

const skewMs = 10_000;

/** Where the service is to answer; null where that cannot be read, which is told elsewhere. */
export type Place = { host: string | null; port: number | null; baseUrl: string | null };

/**
 * Whether the service answers where it should, and is the one that is meant.
 * @param service the one that noted in the data file that it runs; null where none did, or another place is asked for
 * @param hasFile there is a data file that a service could have noted itself in
 * @param isAsked the place was named here: then another service than that of the file may be meant
 */
export async function checkReach(
  place: Place,
  service: Service | null,
  { hasFile, isAsked }: { hasFile: boolean; isAsked: boolean },
  add: Add,
): Promise<void> {
  const { host, port, baseUrl } = place;
  if (host === null || port === null) return;
  const local = service?.url ?? localUrl(host, port);
  try {
    const answer = await probe(`${local}/healthz`);
    if (!isAlive(answer)) throw new Failure(`${local} answers, but not as cratebase does.`);
    checkSkew(answer.date, add);
    const told = await addressToldBy(local);
    if (told === null) throw new Failure(`${local} answers, but not as cratebase does.`);
    if (service) add('service', 'ok', `process ${service.pid} answers at ${local}`);
    if (service === null && baseUrl === null && (hasFile || !isAsked)) {
      const message = `A cratebase answers at ${local}, but none is known to run on this file.`;
      const advice =
        'It has the port: name its file with --data, or choose another port for a service on this one with --port.';
      add('service', 'warning', message, advice);
    } else if (baseUrl === null) checkAddress(local, told, add);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (service) {
      const message = `Process ${service.pid} is to answer from this file, but does not: ${failure.message}`;
      add('service', 'failed', message, 'Look at its log, and restart it.');
    } else await checkPort(host, port, baseUrl !== null, failure, add);
  }
  if (baseUrl !== null) await checkBase(baseUrl, add);
}

const isAlive = ({ status, body }: Answer): boolean => status === 200 && body.includes('"ok"');

/** Whether clients get to a service by the address that it tells them. */
async function checkBase(address: string, add: Add): Promise<void> {
  const url = `${address}/healthz`;
  try {
    const answer = await probe(url);
    if (answer.location !== null) {
      const advice = 'Set --base-url to where the proxy leads on to, as clients see it in the end.';
      add('reachability', 'failed', `${url} leads on to ${answer.location}.`, advice);
    } else if (!isAlive(answer))
      add('reachability', 'failed', `${url} answers ${answer.status}.`, aboutStatus(answer.status));
    else {
      checkSkew(answer.date, add);
      checkAddress(address, await addressToldBy(address), add);
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const code = failure instanceof Unanswered ? failure.code : null;
    add('reachability', 'failed', failure.message, aboutSilence(code));
  }
}

const look = 'Start the service, and look at the proxy in front and at --base-url.';

/** What to do where something else than the service answers, or it does otherwise than it should. */
function aboutStatus(status: number): string {
  if (status === 502 || status === 504) {
    return 'The proxy answers, but gets nothing from the service: start that, and let the proxy pass on to its --host and --port.';
  }
  if (status === 503) return 'The proxy or the service is not ready: look at the logs of both.';
  if (status === 400) {
    return 'What answers does not understand the request: is it http where it should be https, or the port of something else?';
  }
  if (status === 401 || status === 403)
    return 'The proxy asks for a password or bars the way: let /healthz, /api and /mcp through.';
  if (status === 404) return 'Something else answers there, or the path of --base-url is wrong.';
  return look;
}

/** What to do where nothing answers. */
function aboutSilence(code: string | null): string {
  if (isUntrusted(code)) {
    return 'Clients refuse it too. Get one that is trusted everywhere, or, for an authority of your own, set NODE_EXTRA_CA_CERTS to the file with its certificate.';
  }
  if (isWrongCertificate(code)) return 'Renew the certificate of the proxy, for the name in --base-url.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'Correct the name in --base-url, or make an entry for it in the DNS.';
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'There is no TLS at that port: use http:// in --base-url, or let the proxy speak TLS.';
  }
  return look;
}

/** What a service takes for its address; null where it is no cratebase. */
async function addressToldBy(address: string): Promise<string | null> {
  const { body } = await probe(`${address}/.well-known/oauth-protected-resource/mcp`);
  return /"resource":"([^"]*)\/mcp"/.exec(body)?.[1] ?? null;
}

/** Behind a proxy a service that was started without --base-url tells addresses that lead nowhere. */
function checkAddress(address: string, told: string | null, add: Add): void {
  if (told === address) add('reachability', 'ok', `${address} answers, and knows its address`);
  else if (told === null) {
    const advice = 'Another program has the address, or the proxy lets only some paths through.';
    add('reachability', 'failed', `${address} answers, but not as cratebase does.`, advice);
  } else {
    const advice = `Start the service with --base-url ${address}, or ask doctor about the other with --base-url.`;
    add('reachability', 'failed', `${address} leads to a service that takes itself for ${told}.`, advice);
  }
}

/** A proxy passes requests on to a service that was not told of it. */
export function checkProxy(settings: readonly SettingReport[], add: Add): void {
  const isSet = (name: string) =>
    settings.some((setting) => setting.name === name && setting.value !== null && setting.value !== false);
  if (!isSet('trust-proxy')) {
    const message = 'Requests come through a proxy, but --trust-proxy is off: all callers look like one.';
    add('proxy', 'warning', message, 'Start the service with --trust-proxy, if the proxy is yours.');
  }
  if (!isSet('base-url')) {
    const message =
      'Requests come through a proxy, but --base-url is not set: addresses in answers lead past it.';
    add('proxy', 'warning', message, 'Set --base-url to the address that people use.');
  }
}

async function checkPort(
  host: string,
  port: number,
  configured: boolean,
  silence: Failure,
  add: Add,
): Promise<void> {
  const code = await tryPort(host, port);
  if (code === 'EADDRINUSE') {
    const advice = 'Stop that program, or choose another port with --port.';
    const message = `Port ${port} on ${host} is taken by another program: ${silence.message}`;
    add('port', configured ? 'warning' : 'failed', message, advice);
  } else if (code === 'EACCES') {
    const advice = 'Choose one above 1023 with --port, and put a proxy in front.';
    add('port', 'failed', `Port ${port} may not be used by this user.`, advice);
  } else if (code !== null) {
    add('port', 'failed', `${host} is not an address of this machine (${code}).`, 'Name one with --host.');
  } else if (!configured)
    add('reachability', 'warning', silence.message, 'Start the service with `cratebase serve`.');
}

/** Why the port cannot be listened on; null where it can. */
function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (failure: NodeJS.ErrnoException) => resolve(failure.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function checkSkew(date: string | null, add: Add): void {
  const there = Date.parse(date ?? '');
  if (Math.abs(there - Date.now()) > skewMs) {
    const message = `This machine's clock and that of the service differ: ${date}.`;
    add('clock', 'warning', message, 'Let both follow a time server.');
  }
}

const aboutKeys: Record<string, [status: Finding['status'], message: string, advice: string | null]> = {
  good: ['ok', 'It is a key of this data file.', null],
  malformed: [
    'failed',
    'It is no key of cratebase.',
    'A key begins with cb_live_ and is shown once, when it is made.',
  ],
  mistyped: ['failed', 'It has a typing error: its checksum is wrong.', 'Copy it again.'],
  unknown: [
    'failed',
    'It was made by another server, or its account is gone.',
    'Use it there, or make one here: cratebase keys create',
  ],
  revoked: ['failed', 'It is revoked.', 'Make another: cratebase keys create'],
};

/** Whose the key is. */
export async function checkKey(app: App, key: string, add: Add): Promise<void> {
  const { keys } = await app.access();
  const [status, message, advice] = aboutKeys[await keys.examine(key.trim())] as (typeof aboutKeys)[string];
  add('key', status, message, advice);
}
