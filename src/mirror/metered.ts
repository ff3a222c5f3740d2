/** Answers requests of the change feed and the exports: method, credential, plan, limits, then the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access, Credential } from '../access/access.ts';
import { Problem } from '../contract/errors.ts';
import { preflightHeaders } from '../http/cors.ts';
import { headersOfProblem, unauthorized, wrongScope } from '../http/credential-problems.ts';
import { type InjectedFault, injectFault } from '../http/fault-injection.ts';
import { setOperation, setRateLimitReason } from '../http/metrics.ts';
import {
  corsHeaders,
  newRequestId,
  noSniffHeader,
  sendProblem,
  toProblem,
} from '../http/problem-response.ts';
import { exceededLimit, limitHeaderPairs, overLimitProblem } from '../http/rate-limit-headers.ts';
import { describeFailure, type Log } from '../log.ts';
import { MirrorError, sendMirrorError } from './mirror-error.ts';
import { whileOpen } from './open-answers.ts';

/** An answer, and the number of requests as which it counts. Headers are names and values in turn. */
export type MeteredAnswer = {
  cost: number;
  status: number;
  headers: string[];
  /** Sends the body; without it, there is none. */
  send?: (response: ServerResponse, queueKey: string) => Promise<void>;
};

export type MeterParts = { access: Access; log: Log; fail: readonly InjectedFault[] };

const allowedMethods = 'GET, HEAD, OPTIONS';
const commonHeaders = [...Object.entries(corsHeaders), ...Object.entries(noSniffHeader)].flat();

/** A request whose credential is valid and may read the catalogue as a whole. */
type AdmittedRequest = { credential: Credential; requestId: string };

/** Answers a request with what `answer` returns, if its key may have it. `queueKey` of its turns names the key. */
export async function answerMetered(
  parts: MeterParts,
  operation: string,
  request: IncomingMessage,
  response: ServerResponse,
  answer: (queueKey: string) => Promise<MeteredAnswer> | MeteredAnswer,
): Promise<void> {
  const requestId = newRequestId();
  response.setHeader('X-Request-Id', requestId);
  setOperation(response, operation);
  try {
    if (request.method === 'OPTIONS') {
      const allowedHeaders = 'Authorization, If-None-Match, If-Range, Range';
      response.writeHead(204, [...preflightHeaders(allowedMethods, allowedHeaders), ...commonHeaders]).end();
      return;
    }
    const credential = await admittedCredential(parts, request);
    await whileOpen(parts.access, credential, () =>
      answerCredential(parts, { credential, requestId }, request, response, answer),
    );
  } catch (failure) {
    refuse(parts.log, failure, response, requestId);
  }
}

/** The credential of a request that may have an answer. */
async function admittedCredential({ access }: MeterParts, request: IncomingMessage): Promise<Credential> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new Problem('method_not_allowed', `This address takes ${allowedMethods}.`);
  const { authorization } = request.headers;
  const credential = await access.authenticate(authorization);
  if (credential === null) throw unauthorized(access.credentialKind(authorization));
  return credential;
}

async function answerCredential(
  parts: MeterParts,
  { credential, requestId }: AdmittedRequest,
  request: IncomingMessage,
  response: ServerResponse,
  answer: (queueKey: string) => Promise<MeteredAnswer> | MeteredAnswer,
): Promise<void> {
  const { access, fail } = parts;
  let found: MeteredAnswer | null = null;
  let refusal: unknown = null;
  try {
    if (credential.scope === 'agents') throw wrongScope();
    if (!(await access.exports.allows(credential))) throw wrongPlan;
    injectFault(fail);
    found = await answer(credential.id);
  } catch (failure) {
    refusal = failure;
  }
  const verdict = await access.admit(credential, found?.cost ?? costOfRefusal(refusal), 'rest');
  if (verdict.outcome === 'revoked') throw unauthorized('key');
  const limits = limitHeaderPairs(verdict.limits);
  if (verdict.outcome !== 'admitted') {
    setRateLimitReason(response, exceededLimit(verdict));
    const problem = overLimitProblem(verdict.outcome, verdict.retryAfter, verdict.accountWindow);
    sendProblem(response, problem, { ...pairsToObject(limits), 'Retry-After': String(verdict.retryAfter) });
    return;
  }
  if (found === null) {
    refuse(parts.log, refusal, response, requestId, limits);
    return;
  }
  const headers = [...found.headers, ...limits, ...commonHeaders, 'X-Request-Id', requestId];
  response.removeHeader('X-Request-Id');
  response.writeHead(found.status, headers);
  if (request.method === 'HEAD' || found.send === undefined) response.end();
  else await sendWhileAllowed(parts, credential, response, found.send);
}

/** How often the right to read is checked while a body is sent, in ms. A slow client takes hours for one. */
const recheckMs = 2_000;

/** Sends a body. Disconnects the client when its key is revoked, its account suspended or its plan loses the right. */
async function sendWhileAllowed(
  { access, log }: MeterParts,
  credential: Credential,
  response: ServerResponse,
  send: NonNullable<MeteredAnswer['send']>,
): Promise<void> {
  const check = async () => {
    const { outcome } = await access.admit(credential, 0, 'rest');
    if (outcome !== 'revoked' && (await access.exports.allows(credential))) return;
    if (!response.destroyed) log('info', 'a stream ended: its key may not read it any more');
    response.destroy();
  };
  // While the data file cannot be read, a stream goes on; the next check may find it readable.
  const timer = setInterval(() => void check().catch(() => {}), recheckMs);
  timer.unref();
  try {
    await send(response, credential.id);
  } finally {
    clearInterval(timer);
  }
}

/** Refused requests count as one, failures of the service do not. */
const costOfRefusal = (refusal: unknown): number => {
  if (refusal instanceof MirrorError) return 1;
  const { type } = toProblem(refusal);
  return type === 'internal_error' || type === 'unavailable' || type === 'rate_limited' ? 0 : 1;
};

const wrongPlan = new Problem(
  'forbidden',
  'The plan of this account does not include the change feed and the exports. Ask the operator of the service.',
);

/** Sends an error. Once the body has begun, the connection is closed: the last line is missing then. */
function refuse(
  log: Log,
  failure: unknown,
  response: ServerResponse,
  requestId: string,
  headers: readonly string[] = [],
): void {
  if (response.headersSent) {
    if (!response.destroyed)
      log('warn', 'a stream ended early', { request_id: requestId, ...describeFailure(failure) });
    response.destroy();
    return;
  }
  if (failure instanceof MirrorError) {
    sendMirrorError(response, failure, requestId, headers);
    return;
  }
  const problem = toProblem(failure);
  if (!(failure instanceof Problem))
    log('error', 'a request failed', { request_id: requestId, ...describeFailure(failure) });
  const ownHeaders = headersOfProblem(problem, { allowedMethods, busyRetryAfter: 1 });
  sendProblem(response, problem, { ...pairsToObject([...headers, ...ownHeaders]), ...corsHeaders });
}

/** Names and values in turn as an object. */
function pairsToObject(pairs: readonly string[]): Record<string, string> {
  const result: Record<string, string> = {};
  for (let at = 0; at < pairs.length; at += 2) result[pairs[at] as string] = pairs[at + 1] as string;
  return result;
}
