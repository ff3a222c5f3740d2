/** The interface of the counter of requests (docs/spec/limits.md), and the results that it returns. */
import type { Plan } from '../contract/plans.ts';
import type { Credential } from './credential.ts';

export type ApiChannel = 'rest' | 'mcp';
/** The values of `limitHeaders` (contract/plans.ts), in the same order; both resets are Unix seconds. */
export type LimitHeaderValues = [
  windowLimit: number,
  windowRemaining: number,
  windowReset: number,
  quotaLimit: number,
  quotaRemaining: number,
  quotaReset: number,
];
/** Whether a request is admitted. `retryAfter` is in seconds, at least 1. */
export type AdmissionResult =
  | { outcome: 'admitted'; plan: Plan; limits: LimitHeaderValues }
  | {
      outcome: 'rate_limited' | 'quota_exceeded';
      plan: Plan;
      limits: LimitHeaderValues;
      retryAfter: number;
      /** The window of the whole account, if that is the exceeded limit. */
      accountWindow?: { limit: number; remaining: number };
    }
  | { outcome: 'revoked'; limits: null };

/** A request to be counted. `cost` as for `Meter.admit`. */
export type MeteredRequest = { credential: Credential; cost: number; channel: ApiChannel };

/** A request that waits for its result. Either `settled` or `failed` is called, once. Both must not throw. */
export type PendingRequest = MeteredRequest & {
  settled(verdict: AdmissionResult): void;
  /** The request could not be counted. */
  failed(failure: unknown): void;
};

/** Counts requests against the limits: in SQLite, or in the database of a cluster. */
export type Counting = {
  /**
   * Counts a batch of requests in one transaction, and returns a result for each once that is committed. Rejects with
   * `unavailable` if the data cannot be written at present; then none of them is counted.
   *
   * @param take returns the batch, the same at each call; it is called as late as possible, so that the batch grows
   */
  count(take: () => readonly MeteredRequest[]): Promise<AdmissionResult[]>;
};
