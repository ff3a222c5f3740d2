/** A single request to a service that may not run. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure.ts';

export type ProbeResponse = { status: number; date: string | null; location: string | null; body: string };

/** No program answered; `code` is the error code of Node, if it has one. */
export class NoResponse extends Failure {
  readonly code: string | null;
  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/** Node's codes of untrusted and invalid certificates, with the end of the message. */
const untrustedCertificates: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is signed by an unknown authority',
};
const invalidCertificates: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

/** Whether an error code of Node says that the authority of a certificate is not trusted. */
export const isUntrustedCertificate = (code: string | null): boolean =>
  code !== null && code in untrustedCertificates;
/** Whether an error code of Node says that a certificate is expired, not valid yet, or for another host. */
export const isInvalidCertificate = (code: string | null): boolean =>
  code !== null && code in invalidCertificates;

function describeNoResponse(url: string, code: string | undefined, message: string): string {
  if (code !== undefined && code in untrustedCertificates) {
    return `The certificate of ${url} is not trusted: ${untrustedCertificates[code]} (${code}).`;
  }
  if (code !== undefined && code in invalidCertificates)
    return `The certificate of ${url} ${invalidCertificates[code]} (${code}).`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `${url} does not answer: the name ${new URL(url).hostname} cannot be resolved (${code}).`;
  }
  if (code === 'ECONNREFUSED')
    return `${url} does not answer: no program listens at that port (ECONNREFUSED).`;
  return `${url} does not answer (${code ?? message}).`;
}

const timeoutMs = 5_000;
const maxBodyLength = 10_000;

/** Requests an address; throws `NoResponse` if no program answers in time. */
export async function probe(url: string): Promise<ProbeResponse> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  try {
    return await new Promise((resolve, reject) => {
      const options = { signal: AbortSignal.timeout(timeoutMs), agent: false };
      get(url, options, (response) => readResponse(response).then(resolve, reject)).on('error', reject);
    });
  } catch (failure) {
    const { name, code } = failure as NodeJS.ErrnoException;
    const isTimeout = name === 'TimeoutError' || code === 'ABORT_ERR';
    if (isTimeout) throw new NoResponse(`${url} does not answer within ${timeoutMs / 1000} s.`, null);
    throw new NoResponse(describeNoResponse(url, code, (failure as Error).message), code ?? null);
  }
}

async function readResponse(response: IncomingMessage): Promise<ProbeResponse> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    body += chunk;
    if (body.length > maxBodyLength) break;
  }
  const { date = null, location = null } = response.headers;
  return { status: response.statusCode ?? 0, date, location, body };
}
