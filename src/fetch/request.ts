/** What may be said of a fetch, and what is made of it at each redirect. */

import { encodings } from './body.ts';
import { FetchFailure } from './fetch-failure.ts';

export type FetchOptions = {
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
  deadlineMs?: number;
  /** How many redirects are followed; 5. With 0 a redirect is a failure. */
  maxRedirects?: number;
  /** http to public addresses too: for what the operator typed in himself. */
  allowHttp?: boolean;
  /**
   * The body is taken from the network as fast as it comes, whenever it is read: for readers that may be slow, in
   * processes that answer nobody (it is written to a file synchronously).
   */
  spool?: boolean;
  /** Ends it early. */
  signal?: AbortSignal;
};

export type RedirectHop = {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body: FetchOptions['body'];
};

/** Headers that mean something only to the host they were written for. */
const credentialHeaders = /^(?:authorization|cookie|proxy-|x-api-key$)/i;

/** What is asked for at first. */
export function initialHop(address: string | URL, ask: FetchOptions, userAgent: string): RedirectHop {
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
export function nextHop(hop: RedirectHop, location: string, status: number): RedirectHop {
  if (!URL.canParse(location, hop.url.href)) {
    throw new FetchFailure('redirects', 'It redirects to what is not an address.');
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
