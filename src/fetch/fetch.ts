/**
 * The one way out of the service, for addresses that strangers or sources choose (issue of people's agents: client
 * metadata documents; feed.md: sources). Public addresses only, looked at after the name was resolved and connected to
 * as they were looked at; https unless the caller says otherwise; redirects followed by hand under the same rules; no
 * cookies; caps on size and time.
 */
import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, errors } from 'undici';
import { type Judge, makeJudge } from './addresses.ts';
import { encodings, readContent, tooLarge } from './body.ts';
import { FetchFailure } from './failure.ts';

export { FetchFailure, type FetchReason } from './failure.ts';

/** Every address that a name stands for. */
export type Resolver = (name: string) => Promise<{ address: string; family: number }[]>;

export type FetchSettings = {
  /** Addresses and CIDR ranges beside the public ones that may be fetched from, also over http (`--fetch-allow`). */
  allow: readonly string[];
  /** How the service names itself: `cratebase/0.1.0 (+https://music.example.org)`. */
  userAgent: string;
  /** The system's, unless a test has its own. */
  resolve?: Resolver;
};

export type Ask = {
  method?: 'GET' | 'HEAD' | 'POST';
  /** `Authorization` and the like go to the first host alone, and to another origin never. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  accept?: string;
  /** Most bytes of the answer, as sent and decoded; 5 MB. */
  maxBytes?: number;
  /** Longest wait for the connection, for the headers, and between two pieces of the body; 10 s. */
  timeoutMs?: number;
  /** Longest time from the call to the last byte; 30 s. */
  totalMs?: number;
  /** How many redirects are followed; 5. With 0 a redirect is a failure. */
  redirects?: number;
  /** http to public addresses too: for what the operator typed in himself. */
  insecure?: boolean;
  /** Ends it early. */
  signal?: AbortSignal;
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
/** Headers that mean something only to the host they were written for. */
const personal = /^(?:authorization|cookie|proxy-|x-api-key$)/i;
const systemResolver: Resolver = (name) => lookUp(name, { all: true, verbatim: true });

type Hop = { url: URL; method: 'GET' | 'HEAD' | 'POST'; headers: Record<string, string>; body: Ask['body'] };
type Answer = { statusCode: number; headers: Record<string, string | string[] | undefined>; body: Readable };

/** Opens the way out; the connections behind it are kept while they are used. */
export function openFetch(settings: FetchSettings): GuardedFetch {
  const judge = makeJudge(settings.allow);
  const resolve = settings.resolve ?? systemResolver;
  const makeAgent = (allowedOnly: boolean) =>
    new Agent({
      connect: { lookup: guardedLookup(resolve, judge, allowedOnly), timeout: 10_000 },
      keepAliveTimeout: 4_000,
      maxHeaderSize: 32_768,
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
        if (typeof location !== 'string') return present(answer, hop.url, ask, deadline);
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

/** Node resolves a name with this when it connects: what is checked here is what is connected to. */
function guardedLookup(resolve: Resolver, judge: Judge, allowedOnly: boolean): LookupFunction {
  return (name, options, callback) => {
    const fail = (failure: unknown) => callback(failure as NodeJS.ErrnoException, '', 0);
    resolve(name).then((found) => {
      if (found.length === 0) return fail(new FetchFailure('unreachable', 'Its name has no address.'));
      // One good address among bad ones makes a name no better.
      if (!found.every(({ address }) => mayConnect(judge(address), allowedOnly))) {
        return fail(refused(allowedOnly));
      }
      const fitting = found.filter(({ family }) => !options.family || options.family === family);
      const first = fitting[0];
      if (first === undefined) return fail(new FetchFailure('unreachable', 'Its name has no address.'));
      if (options.all) callback(null, fitting);
      else callback(null, first.address, first.family);
    }, fail);
  };
}

const mayConnect = (standing: ReturnType<Judge>, allowedOnly: boolean): boolean =>
  standing === 'allowed' || (standing === 'public' && !allowedOnly);

const refused = (allowedOnly: boolean): FetchFailure =>
  new FetchFailure(
    'refused',
    allowedOnly
      ? 'It is not https. Only addresses that --fetch-allow names are fetched without.'
      : 'It is not a public address. Private ones are fetched only where --fetch-allow names them.',
  );

function firstHop(address: string | URL, ask: Ask, userAgent: string): Hop {
  if (!URL.canParse(String(address))) throw new FetchFailure('refused', 'It is not an address.');
  return {
    url: new URL(address),
    method: ask.method ?? 'GET',
    headers: {
      ...ask.headers,
      accept: ask.accept ?? '*/*',
      'accept-encoding': encodings,
      'user-agent': userAgent,
    },
    body: ask.body,
  };
}

/** RFC 9110, 15.4: a 303, and by custom a 301 or 302 of a POST, is asked for with GET. */
function nextHop(hop: Hop, location: string, status: number): Hop {
  if (!URL.canParse(location, hop.url.href)) {
    throw new FetchFailure('redirects', 'It redirects to what is not an address.');
  }
  const url = new URL(location, hop.url);
  const toGet = status === 303 || (hop.method === 'POST' && status < 303);
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => url.origin === hop.url.origin || !personal.test(name)),
  );
  if (toGet && hop.method === 'POST')
    return { url, method: 'GET', headers: withoutType(headers), body: undefined };
  return { ...hop, url, headers };
}

const withoutType = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)));

/** What can be told from the address alone. A host in figures is not resolved, so it is judged here. */
function checkUrl(url: URL, judge: Judge, allowedOnly: boolean): void {
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new FetchFailure('refused', 'It is neither https nor http.');
  }
  if (username !== '' || password !== '') {
    throw new FetchFailure('refused', 'It has a name or password in it. Leave them out.');
  }
  if (hostname === '' || hostname.endsWith('.')) throw new FetchFailure('refused', 'Its host is not a name.');
  // URL has made one form of decimal, octal, hexadecimal and shortened addresses.
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayConnect(judge(host), allowedOnly)) throw refused(allowedOnly);
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

type Deadline = { signal: AbortSignal; passed: boolean; stop: () => void };

function startDeadline({ totalMs = 30_000, signal }: Ask): Deadline {
  const controller = new AbortController();
  const end = () => controller.abort();
  const deadline: Deadline = {
    signal: controller.signal,
    passed: false,
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    },
  };
  const timer = setTimeout(() => {
    deadline.passed = true;
    end();
  }, totalMs).unref();
  if (signal?.aborted) end();
  else signal?.addEventListener('abort', end, { once: true });
  return deadline;
}

function present(answer: Answer, url: URL, ask: Ask, deadline: Deadline): Fetched {
  const { maxBytes = 5_000_000, method } = ask;
  const headers = flatten(answer.headers);
  if (method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxBytes) {
    drop(answer.body);
    throw tooLarge(maxBytes);
  }
  const read = async function* () {
    try {
      const encoding = method === 'HEAD' ? undefined : headers['content-encoding'];
      yield* readContent(answer.body, encoding, maxBytes, (failure) => explain(failure, deadline));
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

/** In our words: what a library or the system says may tell what only the operator should know. */
function explain(failure: unknown, deadline: Deadline): unknown {
  if (failure instanceof FetchFailure) return failure;
  if (deadline.passed || isTimeout(failure))
    return new FetchFailure('timeout', 'It took too long to answer.');
  const code = String((failure as { code?: unknown }).code);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new FetchFailure('unreachable', 'Its name is not known.');
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return new FetchFailure('unreachable', 'Its certificate is not valid.');
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT') || code.startsWith('ERR_BROTLI')) {
    return new FetchFailure('unreadable', 'The answer is not encoded as it says.');
  }
  return new FetchFailure('unreachable', 'It could not be connected to, or broke off.');
}

const isTimeout = (failure: unknown): boolean =>
  failure instanceof errors.ConnectTimeoutError ||
  failure instanceof errors.HeadersTimeoutError ||
  failure instanceof errors.BodyTimeoutError;
