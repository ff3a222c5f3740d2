/**
 * The one way out of the service, for addresses that strangers or sources choose (docs/decisions/06-oauth.md: client
 * metadata documents; docs/spec/imports.md#fetching). Public addresses only, looked at after the name was resolved and connected to
 * as they were looked at; https unless the caller says otherwise; redirects followed by hand under the same rules; no
 * cookies; caps on size and time.
 */
import { lookup as lookUp } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { makeJudge } from './addresses.ts';
import { type Ask, firstHop, type Hop, nextHop } from './ask.ts';
import { readContent, tooLarge } from './body.ts';
import { type Deadline, explain, startDeadline } from './deadline.ts';
import { FetchFailure } from './failure.ts';
import { checkUrl, guardedLookup, type Resolver } from './guard.ts';

export type { Ask } from './ask.ts';
export { FetchFailure, type FetchReason } from './failure.ts';
export type { Resolver } from './guard.ts';

export type FetchSettings = {
  /** Addresses and CIDR ranges beside the public ones that may be fetched from, also over http (`--fetch-allow`). */
  allow: readonly string[];
  /** How the service names itself: `cratebase/0.1.0 (+https://music.example.org)`. */
  userAgent: string;
  /** The system's, unless a test has its own. */
  resolve?: Resolver;
  /** Where bodies wait that arrive faster than they are read (`spool`); the system's folder for such. */
  spoolFolder?: string;
};

export type Fetched = {
  status: number;
  /** By lower-case name; a header sent several times is one text with commas. */
  headers: Readonly<Record<string, string>>;
  /** Where the answer came from in the end. */
  url: string;
  /** To be read once, or given up with `cancel`. */
  body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  /** As UTF-8. */
  text(): Promise<string>;
  /** Rejects with `unreadable` where it is not JSON. */
  json(): Promise<unknown>;
  /** Leaves the rest unread. */
  cancel(): void;
};

/** Rejects with a `FetchFailure`; an answer with any status is no failure. */
export type GuardedFetch = (url: string | URL, ask?: Ask) => Promise<Fetched>;

const redirecting = new Set([301, 302, 303, 307, 308]);
const systemResolver: Resolver = (name) => lookUp(name, { all: true, verbatim: true });

type Answer = { statusCode: number; headers: Record<string, string | string[] | undefined>; body: Readable };

/** Opens the way out; the connections behind it are kept while they are used. */
export function openFetch(settings: FetchSettings): GuardedFetch {
  const judge = makeJudge(settings.allow);
  const resolve = settings.resolve ?? systemResolver;
  const folder = settings.spoolFolder ?? tmpdir();
  const makeAgent = (allowedOnly: boolean) =>
    new Agent({
      connect: { lookup: guardedLookup(resolve, judge, allowedOnly), timeout: 10_000 },
      keepAliveTimeout: 4_000,
      maxHeaderSize: 32_768,
      // HTTP/2 has other limits and timeouts; every server of sources speaks HTTP/1.1.
      allowH2: false,
    });
  const agents = { open: makeAgent(false), allowedOnly: makeAgent(true) };
  return async (address, ask = {}) => {
    const deadline = startDeadline(ask);
    try {
      let hop = firstHop(address, ask, settings.userAgent);
      for (let left = ask.redirects ?? 5; ; left -= 1) {
        // Over http anybody between could change what is read: only where the operator vouches for the way.
        const allowedOnly = hop.url.protocol === 'http:' && ask.insecure !== true;
        checkUrl(hop.url, judge, allowedOnly);
        const answer = await send(allowedOnly ? agents.allowedOnly : agents.open, hop, ask, deadline.signal);
        const location = redirecting.has(answer.statusCode) ? answer.headers.location : undefined;
        if (typeof location !== 'string') return present(answer, hop.url, ask, { deadline, folder });
        drop(answer.body);
        if (left <= 0) throw new FetchFailure('redirects', 'It redirects too often, or where it may not.');
        hop = nextHop(hop, location, answer.statusCode);
      }
    } catch (failure) {
      deadline.stop();
      throw explain(failure, deadline);
    }
  };
}

function send(agent: Agent, hop: Hop, ask: Ask, signal: AbortSignal): Promise<Answer> {
  const timeout = ask.timeoutMs ?? 10_000;
  const { url, method, headers, body = null } = hop;
  return new Promise((resolve, reject) => {
    // A connection that is being made is not given up by the signal at once; who asked is answered all the same.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const asked = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    });
    asked.then((answer) => resolve(answer as unknown as Answer), reject);
  });
}

type Presenting = { deadline: Deadline; folder: string };

function present(answer: Answer, url: URL, ask: Ask, { deadline, folder }: Presenting): Fetched {
  const { maxBytes = 5_000_000, method, spool = false } = ask;
  const headers = flatten(answer.headers);
  if (method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxBytes) {
    drop(answer.body);
    throw tooLarge(maxBytes);
  }
  const read = async function* () {
    try {
      const encoding = method === 'HEAD' ? undefined : headers['content-encoding'];
      yield* readContent(answer.body, {
        encoding,
        maxBytes,
        spoolFolder: spool ? folder : null,
        explain: (failure) => explain(failure, deadline),
      });
    } finally {
      deadline.stop();
    }
  };
  const body = read();
  const bytes = async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const text = async () => new TextDecoder().decode(await bytes());
  return {
    status: answer.statusCode,
    headers,
    url: url.href,
    body,
    bytes,
    text,
    json: async () => readJson(await text()),
    cancel: () => {
      deadline.stop();
      drop(answer.body);
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FetchFailure('unreadable', 'The answer is not JSON.');
  }
}

function flatten(headers: Answer['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && name !== 'set-cookie',
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** An answer that nobody reads: its connection is given up, and its end is no failure of ours. */
function drop(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
