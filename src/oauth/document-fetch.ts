/**
 * Documents that apps put on their own hosts: metadata (draft-ietf-oauth-client-id-metadata-document) and keys. The
 * address is a stranger's choice, so all goes through the guarded fetch, and only so much of it at a time.
 */
import { LRUCache } from 'lru-cache';
import { customerPrefix, networkPrefix } from '../access/access.ts';
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { normalizeClientMetadata } from './client-metadata.ts';
import { createRateLimit } from './rate-limit.ts';

/** The part of the web's `fetch` that the library uses. */
export type WebFetch = (url: string | URL, options?: RequestInit) => Promise<Response>;

const maxDocumentBytes = 65_536;
/** A person waits for it, and so may whoever else is slow to answer. */
const documentTimeoutMs = 5_000;
const keptHeaders = ['cache-control', 'expires', 'content-type'];
const statusesWithoutBody = new Set([204, 205, 304]);

/**
 * Documents for one network that asks, for one customer, and from one host, within a minute: nobody floods another
 * through this service.
 */
const maxPerNetwork = 30;
const maxPerCustomer = 60;
const maxPerHost = 100;
/** How long an answer is used again. A failure too: whoever is down, or was never there, is left alone. */
const cacheMs = 300_000;
const failureCacheMs = 120_000;

type CachedDocument =
  | { text: string | null; status: number; headers: [string, string][] }
  | { failure: unknown };
type DocumentFetchOptions = {
  fetch: GuardedFetch;
  /** The address of the caller whose request makes this necessary. */
  caller: () => string;
};

/**
 * A `fetch` for the library. Of a metadata document it gets what can be used here; what was fetched of late is not
 * fetched again, and of what fails it learns so from here for a while.
 */
export function documentFetch({ fetch, caller }: DocumentFetchOptions): WebFetch {
  const known = new LRUCache<string, CachedDocument>({
    max: 500,
    maxSize: 8_000_000,
    sizeCalculation: sizeOf,
  });
  const underway = new Map<string, Promise<CachedDocument>>();
  const good = new LRUCache<string, true>({ max: 500 });
  const mayAskAlone = createRateLimit(maxPerNetwork);
  const mayAskAround = createRateLimit(maxPerCustomer);
  const mayAsk = (address: string) =>
    mayAskAlone(networkPrefix(address)) && mayAskAround(customerPrefix(address));
  const mayBeAsked = createRateLimit(maxPerHost);
  return async (address, options = {}) => {
    const url = new URL(address);
    const found = known.get(url.href) ?? (await underway.get(url.href));
    if (found !== undefined) return toResponse(found);
    // What was good before is not held up by a flood of what is not: it is fetched rarely anyway.
    if (!mayAsk(caller()) || !(good.has(url.href) || mayBeAsked(url.hostname))) {
      throw new Error('too many documents were fetched of late');
    }
    const asked = fetchDocument(fetch, url, options).catch((failure: unknown) => ({ failure }));
    underway.set(url.href, asked);
    const answer = await asked;
    underway.delete(url.href);
    const isGood = !('failure' in answer) && answer.status === 200;
    if (isGood) good.set(url.href, true);
    known.set(url.href, answer, { ttl: isGood ? cacheMs : failureCacheMs });
    return toResponse(answer);
  };
}

async function fetchDocument(
  fetch: GuardedFetch,
  address: URL,
  { redirect, signal }: RequestInit,
): Promise<CachedDocument> {
  const answer = await fetch(address, {
    accept: 'application/json',
    maxBytes: maxDocumentBytes,
    timeoutMs: documentTimeoutMs,
    deadlineMs: documentTimeoutMs,
    // A document speaks for its own address alone.
    maxRedirects: redirect === 'manual' ? 0 : 3,
    ...(signal ? { signal } : {}),
  });
  const headers = Object.entries(answer.headers).filter(([name]) => keptHeaders.includes(name));
  const { status } = answer;
  if (statusesWithoutBody.has(status)) return { text: null, status, headers };
  return { text: normalizeDocument(await answer.text()), status, headers };
}

function toResponse(known: CachedDocument): Response {
  if ('failure' in known) throw known.failure;
  const { text, status, headers } = known;
  return new Response(text, { status, headers });
}

const sizeOf = (known: CachedDocument): number =>
  'failure' in known ? 500 : 500 + (known.text?.length ?? 0) * 2;

/** Keys and what is no JSON stay as they are: the library says what is wrong with them. */
function normalizeDocument(text: string): string {
  try {
    const given: unknown = JSON.parse(text);
    const isMetadata = typeof (given as { client_id?: unknown } | null)?.client_id === 'string';
    return isMetadata ? JSON.stringify(normalizeClientMetadata(given, 'document')) : text;
  } catch {
    return text;
  }
}
