/**
 * Fetches addresses that clients or sources choose (docs/decisions/06-oauth.md: client metadata documents;
 * docs/spec/imports.md#fetching). Only public addresses are allowed. They are checked after the name was resolved, and
 * the connection uses the checked address. HTTPS is required unless the caller allows HTTP. Redirects follow the same
 * rules. There are no cookies. Size and time are limited.
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

export type { FetchOptions } from './request.ts';
export type { HostResolver } from './ssrf-guard.ts';

export type FetchSettings = {
  /** Addresses and CIDR ranges that may be fetched from besides the public ones, also over http (`--fetch-allow`). */
  allow: readonly string[];
  /** User-Agent of the service: `cratebase/0.1.0 (+https://music.example.org)`. */
  userAgent: string;
  /** DNS resolver; the default is the system's. */
  resolve?: HostResolver;
  /**
   * Folder for bodies that arrive faster than they are read (`spool`); the default is the system's temporary folder.
   */
  spoolFolder?: string;
};

export type FetchResponse = {
  status: number;
  /** Values by lower-case name; repeated headers are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** The final address, after redirects. */
  url: string;
  /** Chunks of the body. Read it once, or call `cancel`. */
  body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  /** Reads the body as UTF-8. */
  text(): Promise<string>;
  /** Parses the body. Rejects with `unreadable` where it is not JSON. */
  json(): Promise<unknown>;
  /** Ends the transfer without reading the rest. */
  cancel(): void;
};

/** Fetches an address. Rejects with a `FetchFailure`; an error status is a response, not a failure. */
export type GuardedFetch = (url: string | URL, options?: FetchOptions) => Promise<FetchResponse>;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const systemResolver: HostResolver = (name) => lookUp(name, { all: true, verbatim: true });

type UndiciResponse = {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
};

/** Creates the fetch function. Its connections are kept alive between calls. */
export function createGuardedFetch(settings: FetchSettings): GuardedFetch {
  const classify = createAddressPolicy(settings.allow);
  const resolve = settings.resolve ?? systemResolver;
  const folder = settings.spoolFolder ?? tmpdir();
  const makeAgent = (allowedOnly: boolean) =>
    new Agent({
      connect: { lookup: guardedLookup(resolve, classify, allowedOnly), timeout: 10_000 },
      keepAliveTimeout: 4_000,
      maxHeaderSize: 32_768,
      // HTTP/2 has other limits and timeouts; every server of sources speaks HTTP/1.1.
      allowH2: false,
    });
  const agents = { open: makeAgent(false), allowedOnly: makeAgent(true) };
  return async (address, options = {}) => {
    const deadline = startDeadline(options);
    try {
      let hop = initialHop(address, options, settings.userAgent);
      for (let left = options.maxRedirects ?? 5; ; left -= 1) {
        // Plain http can be altered in transit, so it needs the operator's permission.
        const allowedOnly = hop.url.protocol === 'http:' && options.allowHttp !== true;
        checkUrl(hop.url, classify, allowedOnly);
        const response = await sendRequest(
          allowedOnly ? agents.allowedOnly : agents.open,
          hop,
          options,
          deadline.signal,
        );
        const location = redirectStatuses.has(response.statusCode) ? response.headers.location : undefined;
        if (typeof location !== 'string')
          return toFetchResponse(response, hop.url, options, { deadline, folder });
        discardBody(response.body);
        if (left <= 0)
          throw new FetchFailure('redirects', 'It redirects too often, or redirects are not followed here.');
        hop = nextHop(hop, location, response.statusCode);
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
  options: FetchOptions,
  signal: AbortSignal,
): Promise<UndiciResponse> {
  const timeout = options.timeoutMs ?? 10_000;
  const { url, method, headers, body = null } = hop;
  return new Promise((resolve, reject) => {
    // The signal does not abort a pending connection at once, but the caller must not wait for it.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const pending = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    });
    pending.then(resolve, reject);
  });
}

type ResponseContext = { deadline: FetchDeadline; folder: string };

function toFetchResponse(
  response: UndiciResponse,
  url: URL,
  options: FetchOptions,
  { deadline, folder }: ResponseContext,
): FetchResponse {
  const { maxBytes = 5_000_000, method, spool = false } = options;
  const headers = flattenHeaders(response.headers);
  if (method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxBytes) {
    discardBody(response.body);
    throw tooLargeFailure(maxBytes);
  }
  const read = async function* () {
    try {
      const encoding = method === 'HEAD' ? undefined : headers['content-encoding'];
      yield* readBody(response.body, {
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
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const text = async () => new TextDecoder().decode(await bytes());
  return {
    status: response.statusCode,
    headers,
    url: url.href,
    body,
    bytes,
    text,
    json: async () => parseJsonBody(await text()),
    cancel: () => {
      deadline.stop();
      discardBody(response.body);
    },
  };
}

function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FetchFailure('unreadable', 'The response is not JSON.');
  }
}

function flattenHeaders(headers: UndiciResponse['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && name !== 'set-cookie',
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** Ends an unread response. Errors of its stream are ignored. */
function discardBody(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
