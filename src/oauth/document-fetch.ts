/**
 * Fetches documents of clients from their hosts: metadata (draft-ietf-oauth-client-id-metadata-document) and keys. An
 * unauthenticated caller chooses the address, so requests go through the guarded fetch and are limited.
 */
import { LRUCache } from 'lru-cache';
import { customerPrefix, networkPrefix } from '../access/access.ts';
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { normalizeClientMetadata } from './client-metadata.ts';
import { createRateLimit } from './rate-limit.ts';

/** The part of the `fetch` API that the library uses. */
export type WebFetch = (url: string | URL, options?: RequestInit) => Promise<Response>;

const maxDocumentBytes = 65_536;
const documentTimeoutMs = 5_000;
const keptHeaders = ['cache-control', 'expires', 'content-type'];
const statusesWithoutBody = new Set([204, 205, 304]);

/** Documents per minute for one network, for one customer and from one host, so that the service cannot be used for floods. */
const maxPerNetwork = 30;
const maxPerCustomer = 60;
const maxPerHost = 100;
/** How long a response is cached; and a failure, so that a host that is down gets few requests. */
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

/** Returns a `fetch` for the library. It normalizes metadata documents and caches responses and failures. */
export function documentFetch({ fetch, caller }: DocumentFetchOptions): WebFetch {
  const cache = new LRUCache<string, CachedDocument>({
    max: 500,
    maxSize: 8_000_000,
    sizeCalculation: sizeOf,
  });
  const pendingFetches = new Map<string, Promise<CachedDocument>>();
  const fetchedBefore = new LRUCache<string, true>({ max: 500 });
  const networkLimit = createRateLimit(maxPerNetwork);
  const customerLimit = createRateLimit(maxPerCustomer);
  const isWithinCallerLimits = (address: string) =>
    networkLimit(networkPrefix(address)) && customerLimit(customerPrefix(address));
  const hostLimit = createRateLimit(maxPerHost);
  return async (address, options = {}) => {
    const url = new URL(address);
    const cached = cache.get(url.href) ?? (await pendingFetches.get(url.href));
    if (cached !== undefined) return toResponse(cached);
    // A document that was valid before is exempt from the limit of its host, which a flood of invalid ones may use up.
    if (!isWithinCallerLimits(caller()) || !(fetchedBefore.has(url.href) || hostLimit(url.hostname))) {
      throw new Error('too many documents were fetched recently');
    }
    const promise = fetchDocument(fetch, url, options).catch((failure: unknown) => ({ failure }));
    pendingFetches.set(url.href, promise);
    const document = await promise;
    pendingFetches.delete(url.href);
    const isOk = !('failure' in document) && document.status === 200;
    if (isOk) fetchedBefore.set(url.href, true);
    cache.set(url.href, document, { ttl: isOk ? cacheMs : failureCacheMs });
    return toResponse(document);
  };
}

async function fetchDocument(
  fetch: GuardedFetch,
  address: URL,
  { redirect, signal }: RequestInit,
): Promise<CachedDocument> {
  const response = await fetch(address, {
    accept: 'application/json',
    maxBytes: maxDocumentBytes,
    timeoutMs: documentTimeoutMs,
    deadlineMs: documentTimeoutMs,
    // Metadata is valid for its own address only.
    maxRedirects: redirect === 'manual' ? 0 : 3,
    ...(signal ? { signal } : {}),
  });
  const headers = Object.entries(response.headers).filter(([name]) => keptHeaders.includes(name));
  const { status } = response;
  if (statusesWithoutBody.has(status)) return { text: null, status, headers };
  return { text: normalizeDocument(await response.text()), status, headers };
}

function toResponse(document: CachedDocument): Response {
  if ('failure' in document) throw document.failure;
  const { text, status, headers } = document;
  return new Response(text, { status, headers });
}

const sizeOf = (document: CachedDocument): number =>
  'failure' in document ? 500 : 500 + (document.text?.length ?? 0) * 2;

/** Normalizes metadata. Keys and invalid JSON stay: the library reports their errors. */
function normalizeDocument(text: string): string {
  try {
    const document: unknown = JSON.parse(text);
    const isMetadata = typeof (document as { client_id?: unknown } | null)?.client_id === 'string';
    return isMetadata ? JSON.stringify(normalizeClientMetadata(document, 'document')) : text;
  } catch {
    return text;
  }
}
