/** Options of a fetch, and the request of each redirect hop. */

import { encodings } from './body.ts';
import { FetchFailure } from './fetch-failure.ts';

export type FetchOptions = {
  method?: 'GET' | 'HEAD' | 'POST';
  /** Request headers. `Authorization`, cookies and keys are never sent to another origin. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  accept?: string;
  /** Max bytes of the body, both encoded and decoded; default 5 MB. */
  maxBytes?: number;
  /** Max wait in ms for the connection, for the headers, and between two chunks of the body; default 10 s. */
  timeoutMs?: number;
  /** Max time in ms from the call to the last byte; default 30 s. */
  deadlineMs?: number;
  /** Max redirects; default 5. With 0 a redirect is a failure. */
  maxRedirects?: number;
  /** Allows http to public addresses: for addresses that the operator entered. */
  allowHttp?: boolean;
  /**
   * Reads the body from the network as fast as it arrives, independent of the reader. For slow readers in processes
   * that serve no requests, because it is written to a file synchronously.
   */
  spool?: boolean;
  signal?: AbortSignal;
};

export type RedirectHop = {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body: FetchOptions['body'];
};

/** Headers with credentials for one origin. */
const credentialHeaders = /^(?:authorization|cookie|proxy-|x-api-key$)/i;

/**
 * Builds the first request.
 * @throws FetchFailure where the address is not a URL
 */
export function initialHop(address: string | URL, options: FetchOptions, userAgent: string): RedirectHop {
  if (!URL.canParse(String(address))) throw new FetchFailure('refused', 'It is not a valid address.');
  return {
    url: new URL(address),
    method: options.method ?? 'GET',
    headers: {
      ...options.headers,
      accept: options.accept ?? '*/*',
      'accept-encoding': encodings,
      'user-agent': userAgent,
    },
    body: options.body,
  };
}

/**
 * Builds the request of a redirect. A 303, and by convention a 301 or 302 of a POST, becomes a GET (RFC 9110, section
 * 15.4).
 * @throws FetchFailure where the location is not a URL
 */
export function nextHop(hop: RedirectHop, location: string, status: number): RedirectHop {
  if (!URL.canParse(location, hop.url.href)) {
    throw new FetchFailure('redirects', 'It redirects to an invalid address.');
  }
  const url = new URL(location, hop.url);
  const toGet = status === 303 || (hop.method === 'POST' && status < 303);
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(
      ([name]) => url.origin === hop.url.origin || !credentialHeaders.test(name),
    ),
  );
  if (toGet && hop.method === 'POST')
    return { url, method: 'GET', headers: withoutContentHeaders(headers), body: undefined };
  return { ...hop, url, headers };
}

const withoutContentHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)));
