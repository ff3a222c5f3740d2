/**
 * Documents that apps put on their own hosts: metadata (draft-ietf-oauth-client-id-metadata-document) and keys. The
 * address is a stranger's choice, so all goes through the guarded fetch, and only so much of it at a time.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { GuardedFetch } from '../fetch/fetch.ts';
import { tidyMetadata } from './metadata.ts';

/** The part of the web's `fetch` that the library uses. */
export type WebFetch = (url: string | URL, options?: RequestInit) => Promise<Response>;

const mostBytes = 65_536;
/** A person waits for it, and so may whoever else is slow to answer. */
const longestMs = 5_000;
const kept = ['cache-control', 'expires', 'content-type'];
const withoutBody = new Set([204, 205, 304]);

/** A `fetch` for the library. Of a metadata document it gets what can be used here. */
export function documentFetch(fetch: GuardedFetch): WebFetch {
  return async (address, { redirect, signal } = {}) => {
    const answer = await fetch(address, {
      accept: 'application/json',
      maxBytes: mostBytes,
      timeoutMs: longestMs,
      totalMs: longestMs,
      // A document speaks for its own address alone.
      redirects: redirect === 'manual' ? 0 : 3,
      ...(signal ? { signal } : {}),
    });
    const headers = Object.entries(answer.headers).filter(([name]) => kept.includes(name));
    const { status } = answer;
    if (withoutBody.has(status)) return new Response(null, { status, headers });
    return new Response(tidyDocument(await answer.text()), { status, headers });
  };
}

/** Keys and what is no JSON stay as they are: the library says what is wrong with them. */
function tidyDocument(text: string): string {
  try {
    const given: unknown = JSON.parse(text);
    const isMetadata = typeof (given as { client_id?: unknown } | null)?.client_id === 'string';
    return isMetadata ? JSON.stringify(tidyMetadata(given)) : text;
  } catch {
    return text;
  }
}

const perMinute = 30;
const minuteMs = 60_000;

/** Whether one more document may be fetched for who asks: nobody is to use this service to flood another. */
export function fetchLimit(
  addressOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => boolean {
  const counts = new LRUCache<string, { count: number }>({ max: 10_000, ttl: minuteMs, noUpdateTTL: true });
  return (request) => {
    const address = addressOf(request);
    const counted = counts.get(address) ?? { count: 0 };
    counted.count += 1;
    counts.set(address, counted);
    return counted.count <= perMinute;
  };
}
