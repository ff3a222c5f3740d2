/** A request as the SDK takes it: of the web's `MeteredRequest`, what it asks of one whose body has been read already. */
import type { IncomingHttpHeaders } from 'node:http';

type RequestLike = Pick<Request, 'method' | 'url'> & { headers: Pick<Headers, 'get' | 'has'> };

/** The longest message, in bytes. A call has a few hundred. */
export const maxBodyBytes = 1_048_576;

const bothMediaTypes = 'application/json, text/event-stream';

/** Whether an `Accept` admits both kinds of answer, also by wildcards and in capitals (RFC 9110, 12.5.1). */
function acceptsBoth(accept: string): boolean {
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
 * Making a true `MeteredRequest` costs more than everything the SDK then does with it (some 100 of 190 µs): a signal, a body, a
 * guarded list of headers, none of which is needed here. There is no signal because a call is answered at once. The
 * tests run every era through this; a release of the SDK that asks for more fails them.
 */
export const adaptRequest = (url: string, headers: IncomingHttpHeaders): Request =>
  new RequestAdapter(url, headers) as RequestLike as Request;
