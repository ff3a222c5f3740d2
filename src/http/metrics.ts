/** Counts the responses of this process, for `/metrics` (`metrics-text.ts` writes it). */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { type EventLoopDelay, eventLoopDelay, worstDelay } from './event-loop.ts';
import { countResponse, type RequestHistory, requestHistory, sumHistories } from './request-history.ts';

/** Why a response is 429: which limit was exceeded. `fault_injection` is `serve --fail 429`. */
export const rateLimitReasons = [
  'account_window',
  'fault_injection',
  'key_window',
  'network',
  'oauth',
  'quota',
  'sign_in',
] as const;
export type RateLimitReason = (typeof rateLimitReasons)[number];

/** The parts of the service that are measured apart. */
type Surface = 'rest' | 'mcp' | 'oauth' | 'account' | 'site' | 'service';

/** The reason of a 429 for which the handler named none. */
const defaultReasons: Record<Surface, RateLimitReason> = {
  rest: 'fault_injection',
  mcp: 'fault_injection',
  oauth: 'oauth',
  account: 'sign_in',
  site: 'network',
  service: 'network',
};

/** The upper bounds of the buckets of request durations, in seconds. */
export const durationBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** The durations of the requests of one surface and status class. `buckets` has one more for what is longer than all bounds. */
export type DurationHistogram = { buckets: number[]; sumSeconds: number };

/** Events of signing in and up that are counted. */
export const accountEvents = [
  'sign_up_created',
  'sign_up_requested',
  'sign_up_refused',
  'sign_in_failed',
] as const;
export type AccountEvent = (typeof accountEvents)[number];

/** Counts of one process, or the sum of several. */
export type ProcessMetrics = {
  /** Responses by the first digit of their status. */
  answers: number[];
  /** Responses with status 429. */
  rateLimited: Partial<Record<RateLimitReason, number>>;
  /** By surface and status class, such as `rest 2xx`. */
  durations: Record<string, DurationHistogram>;
  /** By operation and status class, such as `listEvents 2xx`. */
  operations: Record<string, DurationHistogram>;
  /** Responses with status 401 and 403, by surface and reason, such as `rest credential`. */
  refused: Record<string, number>;
  /** Sign-ups and failed sign-ins. */
  accountEvents: Partial<Record<AccountEvent, number>>;
  eventLoop: EventLoopDelay;
  /** Resident memory, in bytes. */
  memory: number;
  processes: number;
  /** Requests by hour. */
  history: RequestHistory;
};

const emptyMetrics = (): ProcessMetrics => ({
  answers: [0, 0, 0, 0, 0, 0],
  rateLimited: {},
  durations: {},
  operations: {},
  refused: {},
  accountEvents: {},
  eventLoop: { p50: 0, p99: 0, max: 0 },
  memory: 0,
  processes: 0,
  history: {},
});

const counts = emptyMetrics();

const surfaces: Record<string, Surface> = {
  '.well-known': 'service',
  'changelog.json': 'service',
  'llms.txt': 'service',
  'openapi.json': 'service',
  account: 'account',
  admin: 'account',
  api: 'rest',
  healthz: 'service',
  mcp: 'mcp',
  metrics: 'service',
  oauth: 'oauth',
  readyz: 'service',
};

function surfaceOf(url = '/'): Surface {
  if (url.startsWith('/api/')) return 'rest';
  const [segment = ''] = /[^/?]+/.exec(url.slice(0, 50)) ?? [];
  return Object.hasOwn(surfaces, segment) ? (surfaces[segment] as Surface) : 'site';
}

function bucketOf(seconds: number): number {
  const index = durationBuckets.findIndex((bound) => seconds <= bound);
  return index === -1 ? durationBuckets.length : index;
}

const classKeys = new Map<string, string[]>();

/** The key of a status class, such as `rest 2xx`. Each is built once: a new text would be hashed at every look-up. */
function classKey(name: string, digit: number): string {
  let keys = classKeys.get(name);
  if (keys === undefined) {
    keys = [];
    classKeys.set(name, keys);
  }
  keys[digit] ??= `${name} ${digit}xx`;
  return keys[digit];
}

function addDuration(
  durations: Record<string, DurationHistogram>,
  key: string,
  seconds: number,
  bucket: number,
): void {
  durations[key] ??= { buckets: new Array<number>(durationBuckets.length + 1).fill(0), sumSeconds: 0 };
  const histogram = durations[key];
  histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
  histogram.sumSeconds += seconds;
}

const reasons = new WeakMap<ServerResponse, RateLimitReason>();

/** Names the limit that a 429 response is about; call it before the response ends. */
export function setRateLimitReason(response: ServerResponse, reason: RateLimitReason): void {
  reasons.set(response, reason);
}

/**
 * Names the operation that a response is for. There are few names: the operations of the REST API, the tools and the
 * methods of the MCP endpoint.
 */
export function setOperation(response: ServerResponse, name: string): void {
  if (response instanceof CountedResponse) response.operation = name;
}

/** Calls a listener when a response ends. It has one at most. */
export function listenToEnd(response: ServerResponse, listener: EndListener, clientAddress: string): void {
  if (response instanceof CountedResponse) {
    response.endListener = listener;
    response.clientAddress = clientAddress;
  } else response.once('finish', () => listener.ended(response.statusCode, clientAddress, response));
}

/** Counts a sign-up or a failed sign-in. */
export function countAccountEvent(event: AccountEvent): void {
  counts.accountEvents[event] = (counts.accountEvents[event] ?? 0) + 1;
}

/** What is called when a response ends, with its status and the address of the client. */
export type EndListener = { ended(status: number, clientAddress: string, response: ServerResponse): void };

/** A response that is counted when it ends: cheaper than a listener for each. */
export class CountedResponse extends ServerResponse {
  operation: string | null = null;
  endListener: EndListener | null = null;
  clientAddress = '';
  readonly #startMs = performance.now();
  readonly #surface: Surface;
  #counted = false;

  constructor(...args: ConstructorParameters<typeof ServerResponse<IncomingMessage>>) {
    super(...args);
    // Handlers rewrite the URL of the request.
    this.#surface = surfaceOf(args[0].url);
  }

  /** Whether the server takes no more requests: the connection ends with this response. */
  get isServerStopping(): boolean {
    return false;
  }

  override end(...parts: unknown[]): this {
    if (!this.#counted) {
      this.#counted = true;
      const digit = Math.trunc(this.statusCode / 100);
      countResponse(this.statusCode);
      counts.answers[digit] = (counts.answers[digit] ?? 0) + 1;
      const seconds = (performance.now() - this.#startMs) / 1_000;
      const bucket = bucketOf(seconds);
      addDuration(counts.durations, classKey(this.#surface, digit), seconds, bucket);
      if (this.operation !== null)
        addDuration(counts.operations, classKey(this.operation, digit), seconds, bucket);
      if (this.endListener !== null) this.endListener.ended(this.statusCode, this.clientAddress, this);
      if (this.statusCode === 401 || this.statusCode === 403) {
        const key = `${this.#surface} ${this.statusCode === 401 ? 'credential' : 'permission'}`;
        counts.refused[key] = (counts.refused[key] ?? 0) + 1;
      }
      if (this.statusCode === 429) {
        const reason = reasons.get(this) ?? defaultReasons[this.#surface];
        counts.rateLimited[reason] = (counts.rateLimited[reason] ?? 0) + 1;
      }
    }
    return super.end(...(parts as []));
  }
}

/** The counts of this process. */
export const processMetrics = (): ProcessMetrics => ({
  ...sumMetrics([counts]),
  eventLoop: eventLoopDelay(),
  memory: process.memoryUsage.rss(),
  processes: 1,
  history: requestHistory(),
});

/** Adds the counts of several processes. */
export function sumMetrics(all: readonly ProcessMetrics[]): ProcessMetrics {
  const sum = emptyMetrics();
  for (const { answers, rateLimited, refused, accountEvents: events, ...one } of all) {
    sum.answers = addArrays(sum.answers, answers);
    for (const reason of rateLimitReasons) {
      sum.rateLimited[reason] = (sum.rateLimited[reason] ?? 0) + (rateLimited[reason] ?? 0);
    }
    for (const [key, count] of Object.entries(refused)) sum.refused[key] = (sum.refused[key] ?? 0) + count;
    for (const event of accountEvents)
      sum.accountEvents[event] = (sum.accountEvents[event] ?? 0) + (events[event] ?? 0);
    addHistograms(sum.durations, one.durations);
    addHistograms(sum.operations, one.operations);
    sum.eventLoop = worstDelay(sum.eventLoop, one.eventLoop);
    sum.memory += one.memory;
    sum.processes += one.processes;
  }
  sum.history = sumHistories(all.map(({ history }) => history));
  return sum;
}

function addHistograms(
  sum: Record<string, DurationHistogram>,
  other: Record<string, DurationHistogram>,
): void {
  for (const [key, { buckets, sumSeconds }] of Object.entries(other)) {
    const before = sum[key] ?? { buckets: [], sumSeconds: 0 };
    sum[key] = {
      buckets: addArrays(before.buckets, buckets),
      sumSeconds: before.sumSeconds + sumSeconds,
    };
  }
}

const addArrays = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => (one[at] ?? 0) + (other[at] ?? 0));
