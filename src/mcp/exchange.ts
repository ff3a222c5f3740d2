/** A request as the SDK takes it: of the web's `Request`, what it asks of one whose body has been read already. */
import type { IncomingHttpHeaders } from 'node:http';

type Asked = Pick<Request, 'method' | 'url'> & { headers: Pick<Headers, 'get' | 'has'> };

const both = 'application/json, text/event-stream';

/** Whether an `Accept` admits both kinds of answer, also by wildcards and in capitals (RFC 9110, 12.5.1). */
function takesBoth(accept: string): boolean {
  const types = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';', 1)[0]?.trim());
  return both.split(', ').every((type) => {
    const [family] = type.split('/');
    return types.some((range) => range === type || range === `${family}/*` || range === '*/*');
  });
}

class Exchange implements Asked {
  readonly method = 'POST';
  readonly url: string;
  readonly headers: Asked['headers'];

  constructor(url: string, headers: IncomingHttpHeaders) {
    this.url = url;
    const get = (name: string): string | null => {
      const field = name.toLowerCase();
      const value = headers[field];
      if (typeof value !== 'string') return null;
      return field === 'accept' && takesBoth(value) ? both : value;
    };
    this.headers = { get, has: (name) => get(name) !== null };
  }
}

/**
 * Making a true `Request` costs more than everything the SDK then does with it (some 100 of 190 µs): a signal, a body, a
 * guarded list of headers, none of which is needed here. There is no signal because a call is answered at once. The
 * tests run every era through this; a release of the SDK that asks for more fails them.
 */
export const exchangeOf = (url: string, headers: IncomingHttpHeaders): Request =>
  new Exchange(url, headers) as Asked as Request;
