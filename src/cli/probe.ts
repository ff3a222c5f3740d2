/** One request to a service that may not be there. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure.ts';

export type Answer = { status: number; date: string | null; location: string | null; body: string };

/** Nothing answered, for a reason that is known by its code. */
export class Unanswered extends Failure {
  readonly code: string | null;
  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/** Node's codes for a certificate that it does not believe, and what they come to. */
const untrusted: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is signed by an unknown authority',
};
const wrong: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

export const isUntrusted = (code: string | null): boolean => code !== null && code in untrusted;
export const isWrongCertificate = (code: string | null): boolean => code !== null && code in wrong;

function describeSilence(url: string, code: string | undefined, message: string): string {
  if (code !== undefined && code in untrusted) {
    return `The certificate of ${url} is not trusted: ${untrusted[code]} (${code}).`;
  }
  if (code !== undefined && code in wrong) return `The certificate of ${url} ${wrong[code]} (${code}).`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `${url} does not answer: the name ${new URL(url).hostname} cannot be resolved (${code}).`;
  }
  if (code === 'ECONNREFUSED')
    return `${url} does not answer: no program listens at that port (ECONNREFUSED).`;
  return `${url} does not answer (${code ?? message}).`;
}

const patienceMs = 5_000;
const longest = 10_000;

/** Asks for an address; throws `Unanswered` where nothing answers in time. */
export async function probe(url: string): Promise<Answer> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  try {
    return await new Promise((resolve, reject) => {
      const options = { signal: AbortSignal.timeout(patienceMs), agent: false };
      get(url, options, (response) => readAnswer(response).then(resolve, reject)).on('error', reject);
    });
  } catch (failure) {
    const { name, code } = failure as NodeJS.ErrnoException;
    const late = name === 'TimeoutError' || code === 'ABORT_ERR';
    if (late) throw new Unanswered(`${url} does not answer within ${patienceMs / 1000} s.`, null);
    throw new Unanswered(describeSilence(url, code, (failure as Error).message), code ?? null);
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    body += chunk;
    if (body.length > longest) break;
  }
  const { date = null, location = null } = response.headers;
  return { status: response.statusCode ?? 0, date, location, body };
}
