/**
 * In front of all doors: requests without a good credential are answered one a turn of the event loop, the networks they
 * come from taking turns, and a network that has used up its share is refused (`access/visitor-limit.ts`). Requests with
 * a good credential pass by at once: their limits are their account's.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Problem } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import { clientAddress } from './client-address.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import { setRateLimitReason } from './metrics.ts';
import { sendProblem } from './problem-response.ts';
import { answerFailure, type RequestHandler } from './server.ts';

export type NetworkLimit = {
  /** How long an address has to wait, in ms; 0 where it need not. */
  waitMs(address: string): number;
  charge(address: string, ms: number): void;
  networkOf(address: string): string;
};

export type VisitorGateOptions = {
  limit: NetworkLimit;
  turns: FairScheduler;
  trustProxy: boolean;
  log: Log;
  /** Whether a request of the API or of the agent endpoint has a good credential. */
  hasValidCredential: (request: IncomingMessage, path: string) => Promise<boolean>;
  /** Answers a browser that has to wait, with a page; `seconds` from now. */
  sendPage: (response: ServerResponse, seconds: number) => void;
};

/** Who watches the service asks these: never limited. */
const monitoringPaths = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;
/** Answered by whether there is a credential. */
const credentialPaths = /^\/(?:api|mcp)(?:[/?]|$)/;
/** What a refusal of the API costs (ms of processing), the parsing of the request included. */
const refusalMs = 0.1;
/** The same of any page, beside what its making takes. */
const requestMs = 0.05;
/** What the sending of a body takes, which goes on in later turns: 1 ms a megabyte. */
const msPerByte = 1e-6;
/** Refusals are held back for some of this (ms): whoever asks again at once does so a few times a second. */
const refusalDelayMs = { least: 500, most: 1_000 };
/** So many are held back at once, of all networks and of one; further ones are answered, and hung up on. */
const maxDelayedRefusals = { all: 2_000, network: 500 };

const visitors = new WeakMap<IncomingMessage, { address: string; gate: VisitorGate }>();

/** `handler` behind the limit. */
export function limitVisitors(handler: RequestHandler, parts: VisitorGateOptions): RequestHandler {
  const gate = new VisitorGate(handler, parts);
  return (request, response) => gate.take(request, response);
}

/**
 * Runs a piece of a long answer when its turn comes, and books what it takes to whoever asked. A request that came by no
 * gate has its piece run in the next turn of the event loop.
 */
export function runInTurn<T>(request: IncomingMessage, piece: () => T): Promise<T> {
  const visitor = visitors.get(request);
  if (visitor) return visitor.gate.run(visitor.address, piece);
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

/** Books the sending of a long body to whoever asked for it. */
export function chargeBytes(request: IncomingMessage, bytes: number): void {
  const visitor = visitors.get(request);
  visitor?.gate.charge(visitor.address, bytes * msPerByte);
}

class VisitorGate {
  readonly #handler: RequestHandler;
  readonly #parts: VisitorGateOptions;
  readonly #held = new Map<string, number>();
  #allHeld = 0;

  constructor(handler: RequestHandler, parts: VisitorGateOptions) {
    this.#handler = handler;
    this.#parts = parts;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    if (monitoringPaths.test(path)) this.#handler(request, response);
    else if (credentialPaths.test(path)) this.#takeCall(request, response, path);
    else this.#takePage(request, response);
  }

  charge(address: string, ms: number): void {
    this.#parts.limit.charge(address, ms);
  }

  /** Runs a piece of work in the turn of its network, and books its time. */
  run<T>(address: string, piece: () => T): Promise<T> {
    const { limit, turns } = this.#parts;
    return turns.run(limit.networkOf(address), () => {
      const began = performance.now();
      try {
        return piece();
      } finally {
        limit.charge(address, performance.now() - began + requestMs);
      }
    });
  }

  #takePage(request: IncomingMessage, response: ServerResponse): void {
    const address = clientAddress(request, this.#parts.trustProxy);
    const wait = this.#parts.limit.waitMs(address);
    if (wait > 0) {
      this.#refuse(request, response, address, wait);
      return;
    }
    visitors.set(request, { address, gate: this });
    this.run(address, () => {
      if (response.destroyed) return;
      // Others of the network may have used up the rest while this one waited.
      const wait = this.#parts.limit.waitMs(address);
      if (wait > 0) this.#refuse(request, response, address, wait);
      else this.#answer(request, response);
    }).catch(() => this.#refuse(request, response, address, refusalDelayMs.most));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#handler(request, response);
    } catch (failure) {
      answerFailure(failure, response, this.#parts.log);
    }
  }

  /** A call without a good credential costs its network something; one with a good credential is none of our business. */
  #takeCall(request: IncomingMessage, response: ServerResponse, path: string): void {
    const { limit, trustProxy, hasValidCredential: isKnown } = this.#parts;
    const address = clientAddress(request, trustProxy);
    const wait = limit.waitMs(address);
    const pass = () => {
      response.once('finish', () => {
        if (freeRefusalStatuses.has(response.statusCode)) limit.charge(address, refusalMs);
      });
      this.#handler(request, response);
    };
    if (wait === 0) {
      pass();
    } else if (request.headers.authorization === undefined) {
      this.#refuse(request, response, address, wait);
    } else {
      isKnown(request, path).then(
        (isGood) =>
          isGood ? this.#handler(request, response) : this.#refuse(request, response, address, wait),
        // Then it is told as whatever it is by the door itself.
        () => this.#answer(request, response),
      );
    }
  }

  /** Answers 429, after a while: a program that does not wait is slowed down, at the price of a timer. */
  #refuse(request: IncomingMessage, response: ServerResponse, address: string, wait: number): void {
    const network = this.#parts.limit.networkOf(address);
    const held = this.#held.get(network) ?? 0;
    const seconds = Math.max(1, Math.ceil(wait / 1_000));
    // What was sent with it is of no use to anybody.
    request.resume();
    if (held >= maxDelayedRefusals.network || this.#allHeld >= maxDelayedRefusals.all) {
      this.#send(request, response, seconds, { Connection: 'close' });
      return;
    }
    this.#held.set(network, held + 1);
    this.#allHeld += 1;
    const release = () => {
      clearTimeout(timer);
      response.off('close', release);
      const left = (this.#held.get(network) ?? 1) - 1;
      if (left > 0) this.#held.set(network, left);
      else this.#held.delete(network);
      this.#allHeld -= 1;
    };
    const delay = refusalDelayMs.least + Math.random() * (refusalDelayMs.most - refusalDelayMs.least);
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
    if (isPage && /\btext\/html\b/.test(request.headers.accept ?? '')) {
      this.#parts.sendPage(response, seconds);
      return;
    }
    const message = `This network sent too many requests without a valid key. Wait ${seconds} s (Retry-After), or send a valid key: requests with a key have limits of their own.`;
    sendProblem(response, new Problem('rate_limited', message));
  }
}

/** Statuses of calls that cost nobody's quota. */
const freeRefusalStatuses = new Set([401, 404, 405]);
