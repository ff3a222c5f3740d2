/**
 * Sends signed requests to S3-compatible storage, bounded in time and size, and repeats those that failed for a
 * moment.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { Failure } from '../../../failure.ts';
import { nameOf } from '../seal.ts';
import type { S3Place } from './address.ts';

export type S3Request = {
  method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  /** The name of the object, after the prefix; empty: the bucket. */
  name: string;
  query?: Record<string, string>;
  body?: Uint8Array;
};
export type S3Response = { status: number; headers: Dispatcher.ResponseData['headers']; body: Buffer };
export type S3Limits = {
  /** How long one attempt may take, in ms. */
  timeoutMs: number;
  attempts: number;
  /** The first pause between two attempts, in ms. It doubles each time. */
  retryMs: number;
};

const defaultLimits: S3Limits = { timeoutMs: 60_000, attempts: 4, retryMs: 200 };
const connectTimeoutMs = 5_000;
const maxConnections = 8;
/** The largest object has 8 MB, and a list of 1,000 objects less than 1 MB. */
const maxResponseBytes = 16 << 20;
const emptyHash = nameOf(new Uint8Array());

/** What to do about an error of the storage, by its code. */
const advice: Record<string, string> = {
  InvalidAccessKeyId: 'Correct AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Correct AWS_SECRET_ACCESS_KEY.',
  AccessDenied:
    'Give the key the rights to list the bucket, and to get, put and delete objects below the prefix.',
  RequestTimeTooSkewed: 'Synchronize the clock of this machine with a time server.',
  NoSuchBucket: 'Create the bucket, or correct its name in --objects.',
  AuthorizationHeaderMalformed: 'Set AWS_REGION to the region of the bucket.',
  PermanentRedirect: 'Set AWS_REGION to the region of the bucket.',
  ExpiredToken: 'Renew AWS_SESSION_TOKEN.',
};

/** The storage refused a request, or did not answer in time. */
export class S3Failure extends Failure {}
/** An answer that may be another one a moment later. */
class PassingFailure extends Error {}

/** The requests to one bucket, over at most 8 connections, which `close` ends. */
export class S3Requests {
  readonly #place: S3Place;
  readonly #limits: S3Limits;
  readonly #keys = new Map<string, ArrayBuffer>();
  readonly #agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    connections: maxConnections,
    pipelining: 1,
  });

  constructor(place: S3Place, limits: Partial<S3Limits> = {}) {
    this.#place = place;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /**
   * Sends a request, and repeats it while the storage does not answer or is overloaded. Returns the answers 2xx, and
   * 404 for an object that does not exist.
   * @throws S3Failure with advice
   */
  async send(s3Request: S3Request): Promise<S3Response> {
    const { attempts, retryMs } = this.#limits;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(s3Request);
      } catch (failure) {
        if (failure instanceof S3Failure) throw failure;
        if (attempt >= attempts) throw this.#describe(failure);
      }
      await pause(retryMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #attempt({ method, name, query = {}, body }: S3Request): Promise<S3Response> {
    const { bucket, prefix, endpoint, ...login } = this.#place;
    const url = new URL(`${endpoint}/${bucket}${name === '' ? '' : `/${prefix}${name}`}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const hash = body === undefined ? emptyHash : nameOf(body);
    const signer = new AwsV4Signer({
      ...{ ...login, method, service: 's3', cache: this.#keys },
      ...{ url: url.href, headers: { 'x-amz-content-sha256': hash } },
    });
    const { headers } = await signer.sign();
    const response = await request(url, {
      method,
      headers: Object.fromEntries(headers),
      body: body ?? null,
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(this.#limits.timeoutMs),
    });
    const content = await readBody(response.body);
    return check({ status: response.statusCode, headers: response.headers, body: content }, name);
  }

  #describe(failure: unknown): S3Failure {
    const { name, message, code } = failure as Error & { code?: unknown };
    const isLate = name === 'TimeoutError' || String(code).startsWith('UND_ERR_');
    const what = isLate ? 'it does not answer in time' : message || String(code);
    return new S3Failure(
      `The storage ${this.#place.endpoint} cannot be used: ${what}. Check that it runs, and the address in AWS_ENDPOINT_URL.`,
    );
  }
}

/** Reads a body of bounded length. */
async function readBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxResponseBytes) throw new S3Failure('The storage sent an answer of more than 16 MB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function check(response: S3Response, name: string): S3Response {
  const { status, body } = response;
  if (status >= 200 && status < 300) return response;
  const code = textBetween(body.toString('utf8', 0, 4_000), '<Code>', '</Code>') ?? '';
  // The answer to HEAD has no code.
  if (status === 404 && name !== '' && (code === 'NoSuchKey' || body.length === 0)) return response;
  if (status >= 500 || status === 429 || status === 408)
    throw new PassingFailure(`it answers ${status}${code === '' ? '' : ` (${code.slice(0, 60)})`}`);
  const codeText = /^\w{1,60}$/.test(code) ? ` (${code})` : '';
  throw new S3Failure(
    `The storage refused a request: ${status}${codeText}. ${advice[code] ?? 'Check bucket, region and credentials.'}`,
  );
}

/** Returns the text between two marks of XML; null if they are not there. */
export function textBetween(text: string, start: string, end: string): string | null {
  const from = text.indexOf(start);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  return to < 0 ? null : text.slice(from + start.length, to);
}
