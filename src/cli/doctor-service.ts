/** What `doctor` finds about the running service: its address, its port, a key. */
import { createServer } from 'node:net';
import type { App } from '../app.ts';
import { localUrl, readSettings } from '../config.ts';
import { Failure } from '../failure.ts';
import { probe } from './probe.ts';

/** `failed` makes the exit status 1. */
export type Finding = {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
  advice: string | null;
};
export type Add = (check: string, status: Finding['status'], message: string, advice?: string | null) => void;

const skewMs = 10_000;

/** Whether the service answers where it should, and is the one that is meant. */
export async function checkReach(flags: Record<string, unknown>, add: Add): Promise<void> {
  let set: { host: string; port: number; baseUrl: string | null };
  try {
    set = readSettings(['host', 'port', 'baseUrl'], flags, process.env);
  } catch {
    // Told already as a setting that cannot be read.
    return;
  }
  const address = set.baseUrl ?? localUrl(set.host, set.port);
  const url = `${address}/healthz`;
  try {
    const { status, body, date } = await probe(url);
    if (status !== 200 || !body.includes('"ok"')) {
      const advice = 'Look at the proxy in front and at --base-url.';
      add('reachability', 'failed', `${url} answers ${status}.`, advice);
      return;
    }
    checkSkew(date, add);
    await checkAddress(address, add);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    await checkPort(set.host, set.port, set.baseUrl !== null, failure, add);
  }
}

/** Behind a proxy a service that was started without --base-url tells addresses that lead nowhere. */
async function checkAddress(address: string, add: Add): Promise<void> {
  const { body } = await probe(`${address}/.well-known/oauth-protected-resource/mcp`);
  const [, told] = /"resource":"([^"]*)\/mcp"/.exec(body) ?? [];
  if (told === address) add('reachability', 'ok', `${address} answers, and knows its address`);
  else if (told === undefined) {
    const advice = 'Another program has the address, or the proxy lets only some paths through.';
    add('reachability', 'failed', `${address} answers, but not as cratebase does.`, advice);
  } else {
    const advice = `Start the service with --base-url ${address}, or leave that option out here.`;
    add('reachability', 'failed', `${address} leads to a service that takes itself for ${told}.`, advice);
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
    const advice = 'Another program has it. Stop that one, or choose another port with --port.';
    add('port', configured ? 'warning' : 'failed', `Port ${port} on ${host} is taken.`, advice);
  } else if (code === 'EACCES') {
    const advice = 'Choose one above 1023 with --port, and put a proxy in front.';
    add('port', 'failed', `Port ${port} may not be used by this user.`, advice);
  } else if (code !== null) {
    add('port', 'failed', `${host} is not an address of this machine (${code}).`, 'Name one with --host.');
  }
  if (configured) {
    const advice = 'Start the service; look at the proxy and at --base-url.';
    add('reachability', 'failed', silence.message, advice);
  } else add('reachability', 'warning', silence.message, 'Start the service with `cratebase serve`.');
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
