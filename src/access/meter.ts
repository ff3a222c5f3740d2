/**
 * Counts requests against the limits (docs/spec/limits.md). All requests of one event loop turn are counted in one
 * transaction and answered after its commit. Counts are therefore exact across processes, and a change by another
 * process (a revocation, a plan) applies from the next request. The cost is one commit per turn.
 */
import type { AdmissionResult, ApiChannel, Counting, PendingRequest } from './counting.ts';
import type { Credential } from './credential.ts';

export class Meter {
  readonly #counting: Counting;
  readonly #onRevoked: (credential: Credential) => void;
  #waiting: PendingRequest[] = [];
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

  /** The same without a promise, for requests that are many. */
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
    batch?.forEach((request, index) => {
      const verdict = verdicts[index] as AdmissionResult;
      if (verdict.outcome === 'revoked') this.#onRevoked(request.credential);
      request.settled(verdict);
    });
  }

  #take(): PendingRequest[] {
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }
}
