/**
 * Documents that apps put on their own hosts: metadata (draft-ietf-oauth-client-id-metadata-document) and keys. The
 * address is a stranger's choice, so all goes through the guarded fetch, and only so much of it at a time.
 */
import { LRUCache } from 'lru-cache';
import { customer, network } from '../access/access.ts';
import type { GuardedFetch } from '../fetch/fetch.ts';
import { tidyMetadata } from './metadata.ts';
import { makeRate } from './rates.ts';

/** The part of the web's `fetch` that the library uses. */
export type WebFetch = (url: string | URL, options?: RequestInit) => Promise<Response>;

const mostBytes = 65_536;
/** A person waits for it, and so may whoever else is slow to answer. */
const longestMs = 5_000;
const kept = ['cache-control', 'expires', 'content-type'];
const withoutBody = new Set([204, 205, 304]);

/**
 * Documents for one network that asks, for one customer, and from one host, within a minute: nobody floods another
 * through this service.
 */
const mostForOne = 30;
const mostForCustomer = 60;
const mostFromHost = 100;
/** How long an answer is used again. A failure too: whoever is down, or was never there, is left alone. */
const keptMs = 300_000;
const failedMs = 120_000;

type Known = { text: string | null; status: number; headers: [string, string][] } | { failure: unknown };
type FetchParts = {
  fetch: GuardedFetch;
  /** The address of the caller whose request makes this necessary. */
  caller: () => string;
};

/**
 * A `fetch` for the library. Of a metadata document it gets what can be used here; what was fetched of late is not
 * fetched again, and of what fails it learns so from here for a while.
 */
export function documentFetch({ fetch, caller }: FetchParts): WebFetch {
  const known = new LRUCache<string, Known>({ max: 500, maxSize: 8_000_000, sizeCalculation: sizeOf });
  const underway = new Map<string, Promise<Known>>();
  const good = new LRUCache<string, true>({ max: 500 });
  const mayAskAlone = makeRate(mostForOne);
  const mayAskAround = makeRate(mostForCustomer);
  const mayAsk = (address: string) => mayAskAlone(network(address)) && mayAskAround(customer(address));
  const mayBeAsked = makeRate(mostFromHost);
  return async (address, options = {}) => {
    const url = new URL(address);
    const found = known.get(url.href) ?? (await underway.get(url.href));
    if (found !== undefined) return present(found);
    // What was good before is not held up by a flood of what is not: it is fetched rarely anyway.
    if (!mayAsk(caller()) || !(good.has(url.href) || mayBeAsked(url.hostname))) {
      throw new Error('too many documents were fetched of late');
    }
    const asked = fetchOne(fetch, url, options).catch((failure: unknown) => ({ failure }));
    underway.set(url.href, asked);
    const answer = await asked;
    underway.delete(url.href);
    const isGood = !('failure' in answer) && answer.status === 200;
    if (isGood) good.set(url.href, true);
    known.set(url.href, answer, { ttl: isGood ? keptMs : failedMs });
    return present(answer);
  };
}

async function fetchOne(
  fetch: GuardedFetch,
  address: URL,
  { redirect, signal }: RequestInit,
): Promise<Known> {
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
  if (withoutBody.has(status)) return { text: null, status, headers };
  return { text: tidyDocument(await answer.text()), status, headers };
}

function present(known: Known): Response {
  if ('failure' in known) throw known.failure;
  const { text, status, headers } = known;
  return new Response(text, { status, headers });
}

const sizeOf = (known: Known): number => ('failure' in known ? 500 : 500 + (known.text?.length ?? 0) * 2);

/** Keys and what is no JSON stay as they are: the library says what is wrong with them. */
function tidyDocument(text: string): string {
  try {
    const given: unknown = JSON.parse(text);
    const isMetadata = typeof (given as { client_id?: unknown } | null)?.client_id === 'string';
    return isMetadata ? JSON.stringify(tidyMetadata(given, 'document')) : text;
  } catch {
    return text;
  }
}
