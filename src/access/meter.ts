/**
 * Counts requests against the limits (docs/spec/limits.md). All requests of one event loop turn are counted in one
 * transaction and answered after its commit. Counts are therefore exact across processes, and a change by another
 * process (a revocation, a plan) applies from the next request. The cost is one commit per turn.
 */
import type { AdmissionResult, ApiChannel, Counting, MeteredRequest } from './counting.ts';
import type { Credential } from './credential.ts';

type PendingRequest = MeteredRequest & {
  resolve: (verdict: AdmissionResult) => void;
  reject: (failure: unknown) => void;
};

export class Meter {
  readonly #counting: Counting;
  #waiting: PendingRequest[] = [];

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  /**
   * Counts a request and returns whether it is admitted. Cost 0 counts in the rate window only, but is refused too
   * once the monthly quota is used up. A higher cost is a batch of that many requests, which is admitted or refused
   * as a whole; a refused batch does not count. Rejects with `unavailable` if the counts cannot be written.
   */
  admit(credential: Credential, cost: number, door: ApiChannel): Promise<AdmissionResult> {
    return new Promise((resolve, reject) => {
      // Requests that arrive while a batch waits to be counted join that batch.
      if (this.#waiting.length === 0) setImmediate(() => void this.#settle());
      this.#waiting.push({ credential, cost, door, resolve, reject });
    });
  }

  async #settle(): Promise<void> {
    let batch: PendingRequest[] | undefined;
    const take = () => {
      batch ??= this.#take();
      return batch;
    };
    try {
      const verdicts = await this.#counting.count(take);
      batch?.forEach((request, index) => {
        request.resolve(verdicts[index] as AdmissionResult);
      });
    } catch (failure) {
      for (const request of take()) request.reject(failure);
    }
  }

  #take(): PendingRequest[] {
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }
}
