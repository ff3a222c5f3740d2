/**
 * Counts requests against the limits (docs/spec/limits.md). All requests of one event loop turn are counted in one
 * transaction and answered after its commit. Counts are therefore exact across processes, and a change by another
 * process (a revocation, a plan) applies from the next request. The cost is one commit per turn.
 */

import type { AdmissionResult, ApiChannel, Counting, PendingRequest } from './counting.ts';
import type { Credential } from './credential.ts';

/** Bounds for the answers of one turn of the event loop: each continues with sending a response. */
const maxPerTurn = 64;
const maxTurnMs = 4;

/** A batch that was counted, and how many of its requests know their result. */
type CountedBatch = {
  requests: readonly PendingRequest[];
  verdicts: readonly AdmissionResult[];
  settled: number;
};

/**
 * Collects the requests of a turn of the event loop, has them counted as one batch, and settles them over the next
 * turns.
 */
export class Meter {
  readonly #counting: Counting;
  readonly #onRevoked: (credential: Credential) => void;
  #waiting: PendingRequest[] = [];
  /** The first one is being settled. */
  readonly #counted: CountedBatch[] = [];
  readonly #settleBatch = () => void this.#settle();

  /** @param onRevoked is called with each credential that turns out to be revoked, before its request is settled */
  constructor(counting: Counting, onRevoked: (credential: Credential) => void = () => {}) {
    this.#counting = counting;
    this.#onRevoked = onRevoked;
  }

  /**
   * Counts a request and returns whether it is admitted. Cost 0 counts in the rate window only, but is refused too
   * once the monthly quota is used up. A higher cost is a batch of that many requests, which is admitted or refused
   * as a whole; a refused batch does not count. Rejects with `unavailable` if the counts cannot be written.
   */
  admit(credential: Credential, cost: number, channel: ApiChannel): Promise<AdmissionResult> {
    return new Promise((resolve, reject) => {
      this.enqueue({ credential, cost, channel, settled: resolve, failed: reject });
    });
  }

  /** Counts a request like `admit`, without a promise, for requests that are many. */
  enqueue(request: PendingRequest): void {
    // Requests that arrive while a batch waits to be counted join that batch.
    if (this.#waiting.length === 0) setImmediate(this.#settleBatch);
    this.#waiting.push(request);
  }

  async #settle(): Promise<void> {
    let batch: PendingRequest[] | undefined;
    const take = () => {
      batch ??= this.#take();
      return batch;
    };
    let verdicts: AdmissionResult[];
    try {
      verdicts = await this.#counting.count(take);
    } catch (failure) {
      for (const request of take()) request.failed(failure);
      return;
    }
    this.#counted.push({ requests: take(), verdicts, settled: 0 });
    // Otherwise a turn of its own is due for the batches before.
    if (this.#counted.length === 1) this.#release();
  }

  /** Settles counted requests, and the rest of them in later turns. */
  readonly #release = (): void => {
    const startedAt = performance.now();
    for (let count = 0; this.#counted.length > 0; count++) {
      if (count === maxPerTurn || performance.now() - startedAt > maxTurnMs) {
        setImmediate(this.#release);
        return;
      }
      const batch = this.#counted[0] as CountedBatch;
      const request = batch.requests[batch.settled] as PendingRequest;
      const verdict = batch.verdicts[batch.settled] as AdmissionResult;
      batch.settled += 1;
      if (batch.settled >= batch.requests.length) this.#counted.shift();
      if (verdict.outcome === 'revoked') this.#onRevoked(request.credential);
      request.settled(verdict);
    }
  };

  #take(): PendingRequest[] {
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }
}
