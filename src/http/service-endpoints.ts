/** The endpoints around the API (docs/spec/service.md#addresses-around-the-api): health, metrics, the OpenAPI document, the changelog. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serviceChangelog } from '../contract/changelog.ts';
import { Problem } from '../contract/errors.ts';
import type { Identity, ReadIdentity } from '../contract/identity.ts';
import { openApiDocument } from '../contract/openapi.ts';
import type { PlansInForce } from '../contract/plans.ts';
import { isFileError } from '../log.ts';
import { equalsConstantTime } from './constant-time-equal.ts';
import { matchesETag, weakETag } from './etag.ts';
import type { ProcessMetrics } from './metrics.ts';
import {
  type BackupMetrics,
  type ExportMetrics,
  type FileHealth,
  type FileMetrics,
  metricsText,
  type SourceMetrics,
} from './metrics-text.ts';
import { hasRecentDamage, newRequestId, sendProblem } from './problem-response.ts';
import { encodeBody } from './response-cache.ts';

export type SourceState = {
  name: string;
  state: 'new' | 'ok' | 'failing';
  /** Consecutive failed runs. */
  failures: number;
  /** Records that the last run rejected. */
  rejected: number;
  /** ISO 8601, UTC. */
  last_success_at: string | null;
  next_run_at: string;
};

/** What a node of a cluster serves. */
export type PublicationState = {
  /** The number of the publication that it serves. */
  serving: number;
  /** That of the newest active one, as far as the node knows. */
  head: number;
  /** Whether it serves an older one although it had time to change. */
  isBehind: boolean;
  /** Whether it cannot prepare what is published or restore what it serves, such as with a full disk. */
  isFailing: boolean;
  /** The last check of its copy: when it ended (ms since 1970), null before the first; and what is damaged now. */
  checkedTs: number | null;
  damage: readonly string[];
};

export type ServiceEndpointOptions = {
  baseUrl: string;
  readIdentity: ReadIdentity;
  version: string;
  /** The token for /metrics and for the sources in /readyz; null disables both. */
  metricsToken: string | null;
  /** The catalogue's revision; throws if the data file cannot be read. */
  readRevision: () => number;
  /** Throws the error of SQLite if the data file cannot be written. */
  tryWrite: () => void;
  /** Whether another process has held the write lock of the file for over 5 s. */
  isLocked: () => boolean;
  /** The write-ahead log of the data file, and its last check. */
  fileState: () => FileHealth;
  /** Whether the accounts of a cluster can be reached; null: the data file has them. */
  areAccountsReachable: () => Promise<boolean | null>;
  /** Rights in PostgreSQL that a cluster lacks, such as "UPDATE on accounts". */
  missingRights: () => Promise<readonly string[]>;
  /** What this node of a cluster serves; null: it is no node. */
  publication: () => PublicationState | null;
  /** The state of each scheduled source. */
  sourceStates: () => SourceState[];
  /** The figures of each source, by name. */
  sourceMetrics: () => Promise<SourceMetrics[]>;
  /** The sizes of the data file and its disk. */
  fileMetrics: () => Promise<FileMetrics>;
  /** The number of pairs that wait for a decision. */
  undecidedPairs: () => number;
  /** The state of scheduled backups; null without any. */
  backupMetrics: () => BackupMetrics | null;
  /** The state of scheduled exports; null without any. */
  exportMetrics: () => ExportMetrics | null;
  /** The revision since which the change feed is complete. */
  changesFrom: () => number;
  /** The limits of the plans: the same object until they change. */
  plansInForce: () => Promise<PlansInForce>;
  /** Whether public documents are compressed for clients that accept it. */
  compress: boolean;
  /** The sum of the counts of all processes. */
  totals: () => Promise<ProcessMetrics>;
};

type EndpointResponse = {
  status: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
};
type EndpointHandler = (request: IncomingMessage) => EndpointResponse | Promise<EndpointResponse>;

const jsonResponse = (status: number, value: unknown): EndpointResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
  headers: { 'Cache-Control': 'no-store' },
});

/** What public documents are made of. */
type DocumentFacts = { limits: PlansInForce; identity: Identity };

/** Serves a public JSON document: built at the first request, and again when the limits or the identity changed. */
function publicDocument(
  { plansInForce, readIdentity, compress }: ServiceEndpointOptions,
  make: (facts: DocumentFacts) => unknown,
): EndpointHandler {
  let source: { limits: PlansInForce; version: string } | undefined;
  let document: Parameters<typeof encodeBody>[0] = { body: Buffer.alloc(0), compressed: {} };
  let tag = '';
  return async (request) => {
    const limits = await plansInForce();
    const identity = readIdentity();
    if (source?.limits !== limits || source.version !== identity.version) {
      document = { body: Buffer.from(JSON.stringify(make({ limits, identity }))), compressed: {} };
      tag = weakETag(document.body);
      source = { limits, version: identity.version };
    }
    const headers = {
      ETag: tag,
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
      ...(compress && { Vary: 'Accept-Encoding' }),
    };
    const type = 'application/json';
    if (matchesETag(request.headers['if-none-match'], tag)) return { status: 304, type, body: '', headers };
    const { body, coding } = encodeBody(document, compress ? request.headers['accept-encoding'] : undefined);
    return {
      status: 200,
      type,
      body,
      headers: { ...headers, ...(coding !== 'identity' && { 'Content-Encoding': coding }) },
    };
  };
}

/** How long the result of a test write is reused, in ms. */
const writeCheckIntervalMs = 3_000;

/** Tests whether the file can be written, once per interval: each API request is counted in it, so none works without. */
function throttled(attempt: () => void): () => void {
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let problem: Problem | null = null;
  return () => {
    if (performance.now() - attemptedAt > writeCheckIntervalMs) {
      problem = problemFrom(attempt);
      attemptedAt = performance.now();
    }
    if (problem !== null) throw problem;
  };
}

function problemFrom(attempt: () => void): Problem | null {
  try {
    attempt();
    return null;
  } catch (failure) {
    if (!isFileError(failure)) throw failure;
    return new Problem('unavailable', `The data file cannot be written: ${failure.message}.`);
  }
}

/** Whether the request has the header `Authorization: Bearer <token>`. */
function hasBearerToken({ headers }: IncomingMessage, token: string): boolean {
  const [, presented = ''] = /^Bearer +([^ ].*)$/i.exec(headers.authorization ?? '') ?? [];
  return equalsConstantTime(presented, token);
}

/** The endpoints by path. */
function endpointsOf(parts: ServiceEndpointOptions): Map<string, EndpointHandler> {
  const { baseUrl, version, metricsToken } = parts;
  const pages = new Map<string, EndpointHandler>([
    ['/healthz', () => jsonResponse(200, { status: 'ok' })],
    ['/readyz', readinessEndpoint(parts)],
    [
      '/openapi.json',
      publicDocument(parts, ({ limits: { plans }, identity }) =>
        openApiDocument({ ...identity, baseUrl, version, plans }),
      ),
    ],
    [
      '/changelog.json',
      publicDocument(parts, ({ limits: { announced } }) => ({ data: serviceChangelog(announced) })),
    ],
  ]);
  if (metricsToken !== null) pages.set('/metrics', metricsEndpoint(parts, metricsToken));
  return pages;
}

/** /readyz: whether this process can answer requests; with the metrics token, also the state of each source. */
function readinessEndpoint(parts: ServiceEndpointOptions): EndpointHandler {
  const checkWrites = throttled(parts.tryWrite);
  return async (request) => {
    parts.readRevision();
    checkWrites();
    const trouble = readinessTrouble(parts);
    if (trouble !== null) throw new Problem('unavailable', trouble);
    // A failing source does not make the service unready. Only the operator may see the sources.
    const isOperator = parts.metricsToken !== null && hasBearerToken(request, parts.metricsToken);
    // Pages go on without the accounts, and all nodes lack them at once: none may leave the load balancer.
    const isReachable = await parts.areAccountsReachable();
    const missingRights = isReachable === true ? await parts.missingRights() : [];
    return jsonResponse(200, {
      status: 'ok',
      ...(isReachable === null ? {} : { accounts: isReachable ? 'ok' : 'away' }),
      // All nodes have the same role.
      ...(missingRights.length > 0 ? { missing_rights: missingRights } : {}),
      // Most requests do not meet the damage, so the service stays ready.
      ...(parts.fileState().damage.length > 0 ? { file: 'damaged' } : {}),
      ...(isOperator ? { sources: parts.sourceStates() } : {}),
    });
  };
}

/** Why requests should go elsewhere, in a sentence; null: they need not. */
function readinessTrouble(parts: ServiceEndpointOptions): string | null {
  const publication = parts.publication();
  if (hasRecentDamage()) return describeDamage(publication !== null);
  if (parts.isLocked()) return 'The data file has been locked by another process for over 5 s.';
  if (publication?.isBehind)
    return `This node serves publication ${publication.serving}, and the cluster ${publication.head}.`;
  if (publication?.isFailing) return 'This node cannot take what is published. Its log says why.';
  return null;
}

/** /metrics, for requests with the token. */
const metricsEndpoint =
  (parts: ServiceEndpointOptions, token: string): EndpointHandler =>
  async (request) => {
    if (!hasBearerToken(request, token))
      throw new Problem('unauthorized', 'Send the metrics token: Authorization: Bearer <token>.');
    const facts = {
      uptime: process.uptime(),
      revision: parts.readRevision(),
      version: parts.version,
      log: parts.fileState(),
      sources: await parts.sourceMetrics(),
      file: await parts.fileMetrics(),
      undecidedPairs: parts.undecidedPairs(),
      backups: parts.backupMetrics(),
      exports: parts.exportMetrics(),
      changesFrom: parts.changesFrom(),
      areAccountsReachable: await parts.areAccountsReachable(),
      publication: parts.publication(),
    };
    return {
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: metricsText({ counts: await parts.totals(), ...facts }),
      headers: { 'Cache-Control': 'no-store' },
    };
  };

const describeDamage = (isNode: boolean): string =>
  isNode
    ? 'The copy of the catalogue on this node is damaged. It is replaced by what is published.'
    : 'The data file is damaged. The operator has to restore a backup.';

const allow = 'GET, HEAD, OPTIONS';

/** Returns the handler of all requests that match no other route. Rejects with a `Problem`. */
export function handleServiceEndpoints(
  parts: ServiceEndpointOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const pages = endpointsOf(parts);
  return async (request, response) => {
    if (!response.hasHeader('X-Request-Id')) response.setHeader('X-Request-Id', newRequestId());
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    const page = pages.get(path);
    if (!page) throw new Problem('not_found', notFound(parts.baseUrl, path));
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { Allow: allow }).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const problem = new Problem('method_not_allowed', `Use GET or HEAD on ${path}.`);
      sendProblem(response, problem, { Allow: allow });
      return;
    }
    send(request, response, await page(request));
  };
}

const notFound = (baseUrl: string, path: string): string =>
  path === '/'
    ? `The API is at ${baseUrl}/api/v1, and ${baseUrl}/openapi.json describes it.`
    : `No endpoint has this path. ${baseUrl}/openapi.json lists all endpoints.`;

function send(request: IncomingMessage, response: ServerResponse, answer: EndpointResponse): void {
  const { status, type, body, headers = {} } = answer;
  const content =
    status === 304 ? {} : { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...content, 'X-Content-Type-Options': 'nosniff', ...headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}
