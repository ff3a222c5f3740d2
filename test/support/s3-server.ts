/**
 * S3-compatible storage on loopback for tests: put, get, head, delete and list (version 2) in one bucket. It verifies
 * signatures as the reference "Authenticating Requests (AWS Signature Version 4)" says, with its own code.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type StoredObject = { content: Buffer; storedMs: number };
/** Answers before a request is handled: a status, `hang`, or null to handle it. */
type Fault = (request: IncomingMessage) => number | 'hang' | null;

const pageLength = 3;
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

export class S3Server {
  readonly bucket = 'music';
  readonly region = 'eu-test-1';
  readonly accessKeyId = 'AKIATEST';
  readonly secretAccessKey = 'the/secret+of=tests';
  /** By key, which includes the prefix. */
  readonly objects = new Map<string, StoredObject>();
  fault: Fault = () => null;
  requests = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Starts the server, and returns its address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return this.endpoint;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The variables with which a program finds this server. */
  get env(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL: this.endpoint,
      AWS_REGION: this.region,
      AWS_ACCESS_KEY_ID: this.accessKeyId,
      AWS_SECRET_ACCESS_KEY: this.secretAccessKey,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const fault = this.fault(request);
    if (fault === 'hang') return;
    try {
      const body = await buffer(request);
      if (fault !== null) throw new Refusal(fault, 'InternalError');
      this.#verify(request, body);
      this.#handle(request, response, body);
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure;
      response.writeHead(failure.status, { 'content-type': 'application/xml' });
      response.end(
        request.method === 'HEAD' ? '' : `<?xml version="1.0"?><Error><Code>${failure.code}</Code></Error>`,
      );
    }
  }

  #verify(request: IncomingMessage, body: Buffer): void {
    const pattern =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
    const match = pattern.exec(String(request.headers.authorization));
    if (match === null) throw new Refusal(403, 'AccessDenied');
    const [, id, day, region, names = '', signature = ''] = match as unknown as string[];
    if (id !== this.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
    if (region !== this.region) throw new Refusal(400, 'AuthorizationHeaderMalformed');
    const date = String(request.headers['x-amz-date']);
    const sentMs = Date.parse(
      date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    );
    if (!(Math.abs(Date.now() - sentMs) < 900_000)) throw new Refusal(403, 'RequestTimeTooSkewed');
    const signed = names.split(';');
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
      throw new Refusal(403, 'AccessDenied');
    const contentHash = String(request.headers['x-amz-content-sha256']);
    if (contentHash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
    const url = new URL(String(request.url), this.endpoint);
    const query = [...url.searchParams].map((pair) => pair.map(encode).join('=')).sort();
    const canonical = [
      request.method,
      decodeURIComponent(url.pathname).split('/').map(encode).join('/'),
      query.join('&'),
      ...signed.map((name) => `${name}:${String(request.headers[name]).trim()}`),
      '',
      names,
      contentHash,
    ].join('\n');
    const scope = `${day}/${region}/s3/aws4_request`;
    const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
    const key = hmac(
      hmac(hmac(hmac(`AWS4${this.secretAccessKey}`, String(day)), String(region)), 's3'),
      'aws4_request',
    );
    if (!timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex')))
      throw new Refusal(403, 'SignatureDoesNotMatch');
  }

  #handle(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const url = new URL(String(request.url), this.endpoint);
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== this.bucket) throw new Refusal(404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '') {
      response.end(this.#list(url.searchParams));
      return;
    }
    const found = this.objects.get(key);
    if (request.method === 'PUT') this.objects.set(key, { content: body, storedMs: Date.now() });
    else if (request.method === 'DELETE') {
      this.objects.delete(key);
      response.statusCode = 204;
    } else if (found === undefined) throw new Refusal(404, 'NoSuchKey');
    else response.setHeader('last-modified', new Date(found.storedMs).toUTCString());
    response.end(request.method === 'GET' ? found?.content : undefined);
  }

  /** Pages of three objects, with tokens that need escaping. */
  #list(query: URLSearchParams): string {
    if (query.get('list-type') !== '2') throw new Refusal(400, 'InvalidArgument');
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token')?.slice('<&'.length) ?? '';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after && !key.slice(prefix.length).includes('/'))
      .sort();
    const page = keys.slice(0, pageLength);
    const contents = page.map((key) => {
      const { content, storedMs } = this.objects.get(key) as StoredObject;
      return `<Contents><Key>${key}</Key><LastModified>${new Date(storedMs).toISOString()}</LastModified><Size>${content.length}</Size></Contents>`;
    });
    const token =
      keys.length > page.length
        ? `<NextContinuationToken>&lt;&amp;${page.at(-1)}</NextContinuationToken>`
        : '';
    return `<?xml version="1.0"?><ListBucketResult>${token}${contents.join('')}</ListBucketResult>`;
  }
}
