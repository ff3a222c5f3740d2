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
import { createAddressPolicy } from './address-policy.ts';
import { readBody, tooLargeFailure } from './body.ts';
import { type FetchDeadline, startDeadline, toFetchFailure } from './deadline.ts';
import { FetchFailure } from './fetch-failure.ts';
import { type FetchOptions, initialHop, nextHop, type RedirectHop } from './request.ts';
import { checkUrl, guardedLookup, type HostResolver } from './ssrf-guard.ts';

export { FetchFailure, type FetchFailureReason } from './fetch-failure.ts';
export type { FetchOptions } from './request.ts';
export type { HostResolver } from './ssrf-guard.ts';

export type FetchSettings = {
  /** Addresses and CIDR ranges beside the public ones that may be fetched from, also over http (`--fetch-allow`). */
  allow: readonly string[];
  /** How the service names itself: `cratebase/0.1.0 (+https://music.example.org)`. */
  userAgent: string;
  /** The system's, unless a test has its own. */
  resolve?: HostResolver;
  /** Where bodies wait that arrive faster than they are read (`spool`); the system's folder for such. */
  spoolFolder?: string;
};

export type FetchResponse = {
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
export type GuardedFetch = (url: string | URL, ask?: FetchOptions) => Promise<FetchResponse>;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const systemResolver: HostResolver = (name) => lookUp(name, { all: true, verbatim: true });

type UndiciResponse = {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
};

/** Opens the way out; the connections behind it are kept while they are used. */
export function createGuardedFetch(settings: FetchSettings): GuardedFetch {
  const judge = createAddressPolicy(settings.allow);
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
      let hop = initialHop(address, ask, settings.userAgent);
      for (let left = ask.maxRedirects ?? 5; ; left -= 1) {
        // Over http anybody between could change what is read: only where the operator vouches for the way.
        const allowedOnly = hop.url.protocol === 'http:' && ask.allowHttp !== true;
        checkUrl(hop.url, judge, allowedOnly);
        const answer = await sendRequest(
          allowedOnly ? agents.allowedOnly : agents.open,
          hop,
          ask,
          deadline.signal,
        );
        const location = redirectStatuses.has(answer.statusCode) ? answer.headers.location : undefined;
        if (typeof location !== 'string') return toFetchResponse(answer, hop.url, ask, { deadline, folder });
        discardBody(answer.body);
        if (left <= 0) throw new FetchFailure('redirects', 'It redirects too often, or where it may not.');
        hop = nextHop(hop, location, answer.statusCode);
      }
    } catch (failure) {
      deadline.stop();
      throw toFetchFailure(failure, deadline);
    }
  };
}

function sendRequest(
  agent: Agent,
  hop: RedirectHop,
  ask: FetchOptions,
  signal: AbortSignal,
): Promise<UndiciResponse> {
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
    asked.then((answer) => resolve(answer as unknown as UndiciResponse), reject);
  });
}

type ResponseContext = { deadline: FetchDeadline; folder: string };

function toFetchResponse(
  answer: UndiciResponse,
  url: URL,
  ask: FetchOptions,
  { deadline, folder }: ResponseContext,
): FetchResponse {
  const { maxBytes = 5_000_000, method, spool = false } = ask;
  const headers = flattenHeaders(answer.headers);
  if (method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxBytes) {
    discardBody(answer.body);
    throw tooLargeFailure(maxBytes);
  }
  const read = async function* () {
    try {
      const encoding = method === 'HEAD' ? undefined : headers['content-encoding'];
      yield* readBody(answer.body, {
        encoding,
        maxBytes,
        spoolFolder: spool ? folder : null,
        explain: (failure) => toFetchFailure(failure, deadline),
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
    json: async () => parseJsonBody(await text()),
    cancel: () => {
      deadline.stop();
      discardBody(answer.body);
    },
  };
}

function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FetchFailure('unreadable', 'The answer is not JSON.');
  }
}

function flattenHeaders(headers: UndiciResponse['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && name !== 'set-cookie',
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** An answer that nobody reads: its connection is given up, and its end is no failure of ours. */
function discardBody(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
