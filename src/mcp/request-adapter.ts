/** A minimal `Request` for the SDK, for a body that was already read. */
import type { IncomingHttpHeaders } from 'node:http';

type RequestLike = Pick<Request, 'method' | 'url'> & { headers: Pick<Headers, 'get' | 'has'> };

/** The longest message, in bytes. A call has a few hundred. */
export const maxBodyBytes = 1_048_576;

const bothMediaTypes = 'application/json, text/event-stream';

/** Returns whether `Accept` allows JSON and event streams, also by wildcards and in capitals (RFC 9110, 12.5.1). */
export function acceptsBoth(accept: string): boolean {
  const types = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';', 1)[0]?.trim());
  return bothMediaTypes.split(', ').every((type) => {
    const [family] = type.split('/');
    return types.some((range) => range === type || range === `${family}/*` || range === '*/*');
  });
}

class RequestAdapter implements RequestLike {
  readonly method = 'POST';
  readonly url: string;
  readonly headers: RequestLike['headers'];

  constructor(url: string, headers: IncomingHttpHeaders) {
    this.url = url;
    const get = (name: string): string | null => {
      const field = name.toLowerCase();
      const value = headers[field];
      if (typeof value !== 'string') return null;
      return field === 'accept' && acceptsBoth(value) ? bothMediaTypes : value;
    };
    this.headers = { get, has: (name) => get(name) !== null };
  }
}

/**
 * Returns the adapter as a `Request`. A real `Request` costs more than all the work of the SDK (about 100 of 190 µs): it
 * has a signal, a body and guarded headers, which are not needed. There is no signal because a call runs synchronously.
 * The tests cover every revision, and fail if a release of the SDK uses more of `Request`.
 */
export const adaptRequest = (url: string, headers: IncomingHttpHeaders): Request =>
  new RequestAdapter(url, headers) as RequestLike as Request;
