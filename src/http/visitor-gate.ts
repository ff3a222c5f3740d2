/**
 * Limits requests without a valid credential. Networks take turns, one request per turn of the event loop, and a network
 * over its processing time gets 429 (`access/visitor-limit.ts`). Requests with a valid credential pass at once: the
 * limits of their account apply. Style sheets and scripts have a small budget of their own, so that pages sent before
 * the limit was reached, and the page that explains it, look as they should.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { Problem } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import { clientAddress } from './client-address.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import { listenToEnd, setRateLimitReason } from './metrics.ts';
import { acceptsHtml, sendProblem } from './problem-response.ts';
import { answerFailure, type RequestHandler } from './server.ts';

export type NetworkLimit = {
  /** How long an address has to wait, in ms; 0 if it is below its limit. */
  waitMs(address: string): number;
  charge(address: string, ms: number): void;
  networkOf(address: string): string;
};

export type VisitorGateOptions = {
  limit: NetworkLimit;
  /** The budget of assets. Those beyond it are charged to `limit`, as pages are. */
  assetLimit: NetworkLimit;
  turns: FairScheduler;
  trustProxy: boolean;
  log: Log;
  /** Whether a request of the API, the change feed, the exports or the MCP endpoint has a valid credential. */
  hasValidCredential: (request: IncomingMessage, path: string) => Promise<boolean>;
  /** Whether a slow digest may have to be compared to tell whether an `Authorization` header has a valid key. */
  needsComparison: (authorization: string | undefined) => boolean;
  /** Whether such a comparison was made for this header, in vain, since the last call for it. */
  takeComparison: (authorization: string | undefined) => boolean;
  /** Whether a request has a session of an editor or operator: they are never locked out of the console. */
  hasConsoleSession: (request: IncomingMessage) => Promise<boolean>;
  /** Sends the 429 page to a browser; `seconds` is how long it has to wait. */
  sendPage: (response: ServerResponse, seconds: number) => void;
};

/** Never limited: monitoring requests these. */
const monitoringPaths = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;
/** These require a credential. */
const credentialPaths = /^\/(?:api|mcp|changes|exports)(?:[/?]|$)/;
/** The console, the pages that an operator needs to sign in and out, and their styles. */
const consolePaths = /^\/(?:admin|account|assets)(?:[/?]|$)/;
/** Style sheets, scripts and icons of the pages and of the documentation. */
const assetPaths = /^\/(?:docs\/)?assets\//;
/** The cost of refusing an API request, in ms of processing, with the parsing of the request. */
const refusalMs = 0.1;
/** The cost of comparing a forged key with the digest of the true one, in ms. */
const comparisonMs = 8;
/** A network over its limit may have a key compared this often, in ms: one that is valid passes, and is known then. */
const comparisonIntervalMs = 1_000;
/** The cost of any page in addition to its rendering, in ms. */
const requestMs = 0.05;
/** The cost of sending a body, which continues in later turns: 1 ms per megabyte. */
const msPerByte = 1e-6;
/** Refusals are delayed by a random time in this range, in ms. This slows down clients that retry at once. */
const refusalDelayMs = { min: 500, max: 1_000 };
/** How many refusals are delayed at once. Further ones are sent at once, and their connections closed. */
const maxDelayedRefusals = { all: 2_000, network: 500 };

type Visitor = { address: string; gate: VisitorGate; limit: NetworkLimit };
const visitors = new WeakMap<IncomingMessage, Visitor>();

/** Wraps `handler` with the limit. */
export function limitVisitors(handler: RequestHandler, parts: VisitorGateOptions): RequestHandler {
  const gate = new VisitorGate(handler, parts);
  return (request, response) => gate.take(request, response);
}

/**
 * Runs a part of a long response when the turn of its network comes, and charges its time. A request without a gate runs
 * the part in the next turn of the event loop.
 * @param isContinued whether the part precedes other requests of the network, and is not rejected
 */
export function runInTurn<T>(request: IncomingMessage, piece: () => T, isContinued = false): Promise<T> {
  const visitor = visitors.get(request);
  if (visitor) return visitor.gate.run(visitor, piece, isContinued);
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(piece());
      } catch (failure) {
        reject(failure);
      }
    });
  });
}

/** Charges the client's network for sending a long body. */
export function chargeBytes(request: IncomingMessage, bytes: number): void {
  const visitor = visitors.get(request);
  visitor?.limit.charge(visitor.address, bytes * msPerByte);
}

/** Charges the client's network for work that another thread did. @param ms how long it took */
export function chargeTime(request: IncomingMessage, ms: number): void {
  const visitor = visitors.get(request);
  visitor?.limit.charge(visitor.address, ms);
}

class VisitorGate {
  readonly #handler: RequestHandler;
  readonly #parts: VisitorGateOptions;
  readonly #delayed = new Map<string, number>();
  #allDelayed = 0;
  /** When a network over its limit had a key compared last. */
  readonly #comparedAt = new LRUCache<string, number>({ max: 10_000 });

  constructor(handler: RequestHandler, parts: VisitorGateOptions) {
    this.#handler = handler;
    this.#parts = parts;
  }

  /** Handles a request, or refuses it if its network is over its limit. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    if (monitoringPaths.test(path)) this.#handler(request, response);
    else if (credentialPaths.test(path)) this.#takeCall(request, response, path);
    else this.#takePage(request, response, this.#limitOf(request, path));
  }

  /** Assets use their own budget first. */
  #limitOf(request: IncomingMessage, path: string): NetworkLimit {
    const { limit, assetLimit, trustProxy } = this.#parts;
    const isFree = assetPaths.test(path) && assetLimit.waitMs(clientAddress(request, trustProxy)) === 0;
    return isFree ? assetLimit : limit;
  }

  /** Charges an API request that was refused without a valid credential. */
  ended(status: number, address: string, response: ServerResponse): void {
    if (!freeRefusalStatuses.has(status)) return;
    const { limit, takeComparison } = this.#parts;
    const isCompared = status === 401 && takeComparison(response.req.headers.authorization);
    limit.charge(address, refusalMs + (isCompared ? comparisonMs : 0));
  }

  /** Whether the key of a network over its limit is checked now. */
  #mayCheck(authorization: string, address: string): boolean {
    const { limit, needsComparison } = this.#parts;
    if (!needsComparison(authorization)) return true;
    const [network, now] = [limit.networkOf(address), performance.now()];
    if (now - (this.#comparedAt.get(network) ?? Number.NEGATIVE_INFINITY) < comparisonIntervalMs)
      return false;
    this.#comparedAt.set(network, now);
    return true;
  }

  /** Runs work in the turn of its network, and charges its time. */
  run<T>({ address, limit }: Visitor, piece: () => T, isContinued = false): Promise<T> {
    const { assetLimit, turns } = this.#parts;
    const network = limit.networkOf(address);
    // Pages that wait do not delay assets, nor fill their queue.
    const chargedPiece = () => {
      const startedAt = performance.now();
      try {
        return piece();
      } finally {
        // Further parts belong to a request that was charged.
        limit.charge(address, performance.now() - startedAt + (isContinued ? 0 : requestMs));
      }
    };
    return turns.run(limit === assetLimit ? `assets ${network}` : network, chargedPiece, isContinued);
  }

  #takePage(request: IncomingMessage, response: ServerResponse, limit: NetworkLimit): void {
    const address = clientAddress(request, this.#parts.trustProxy);
    const wait = limit.waitMs(address);
    if (wait > 0) {
      void this.#refusePage(request, response, address, wait);
      return;
    }
    const visitor: Visitor = { address, gate: this, limit };
    visitors.set(request, visitor);
    this.run(visitor, () => {
      if (response.destroyed) return;
      // The network may have reached its limit while this request waited.
      const wait = limit.waitMs(address);
      if (wait > 0) void this.#refusePage(request, response, address, wait);
      else this.#answer(request, response);
    }).catch(() => this.#refusePage(request, response, address, refusalDelayMs.max));
  }

  /** Refuses a page, unless it belongs to the console and an editor or operator is signed in. */
  async #refusePage(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    wait: number,
  ): Promise<void> {
    const mayPass = consolePaths.test(request.url ?? '/') && request.headers.cookie !== undefined;
    // A session that cannot be read now is none: the answer is 429.
    const isPassed = mayPass && (await this.#parts.hasConsoleSession(request).catch(() => false));
    if (isPassed) this.#answer(request, response);
    else this.#refuse(request, response, address, wait);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#handler(request, response);
    } catch (failure) {
      answerFailure(failure, response, this.#parts.log);
    }
  }

  /** Charges an API request without a valid credential to its network; one with a valid credential passes. */
  #takeCall(request: IncomingMessage, response: ServerResponse, path: string): void {
    const { limit, trustProxy, hasValidCredential } = this.#parts;
    const address = clientAddress(request, trustProxy);
    const wait = limit.waitMs(address);
    if (wait === 0) {
      listenToEnd(response, this, address);
      this.#handler(request, response);
    } else if (
      request.headers.authorization === undefined ||
      !this.#mayCheck(request.headers.authorization, address)
    ) {
      this.#refuse(request, response, address, wait);
    } else {
      hasValidCredential(request, path).then(
        (isValid) =>
          isValid ? this.#handler(request, response) : this.#refuse(request, response, address, wait),
        // The handler fails in the same way, and answers with the error.
        () => this.#answer(request, response),
      );
    }
  }

  /** Answers 429 after a random delay; at once, and closing the connection, if many refusals are delayed already. */
  #refuse(request: IncomingMessage, response: ServerResponse, address: string, wait: number): void {
    const network = this.#parts.limit.networkOf(address);
    const delayed = this.#delayed.get(network) ?? 0;
    const seconds = Math.max(1, Math.ceil(wait / 1_000));
    request.resume();
    if (delayed >= maxDelayedRefusals.network || this.#allDelayed >= maxDelayedRefusals.all) {
      this.#send(request, response, seconds, { Connection: 'close' });
      return;
    }
    this.#delayed.set(network, delayed + 1);
    this.#allDelayed += 1;
    const release = () => {
      clearTimeout(timer);
      response.off('close', release);
      const rest = (this.#delayed.get(network) ?? 1) - 1;
      if (rest > 0) this.#delayed.set(network, rest);
      else this.#delayed.delete(network);
      this.#allDelayed -= 1;
    };
    const delay = refusalDelayMs.min + Math.random() * (refusalDelayMs.max - refusalDelayMs.min);
    const timer = setTimeout(() => {
      release();
      this.#send(request, response, seconds, {});
    }, delay);
    response.once('close', release);
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    seconds: number,
    headers: Record<string, string>,
  ): void {
    if (response.destroyed || response.headersSent) return;
    setRateLimitReason(response, 'network');
    for (const [name, value] of Object.entries({ ...headers, 'Retry-After': String(seconds) })) {
      response.setHeader(name, value);
    }
    const isPage = !credentialPaths.test(request.url ?? '/');
    if (isPage && acceptsHtml(request)) {
      this.#parts.sendPage(response, seconds);
      return;
    }
    const message = `This network sent too many requests without a valid key. Wait ${seconds} s (Retry-After), or send a valid key: requests with a key have limits of their own.`;
    sendProblem(response, new Problem('rate_limited', message));
  }
}

/** Statuses of API responses that no quota pays for. */
const freeRefusalStatuses = new Set([401, 404, 405]);
