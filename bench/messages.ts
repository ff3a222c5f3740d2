/** The messages between the processes of the benchmark. */

/**
 * Begins a parameter that no endpoint knows, in front of a number that no request had before: an address with it has
 * never been answered, and no cache of answers can help.
 */
export const serialMark = 'serial=';

/** One round of load. */
export type Round = {
  port: number;
  /** Name of the list of paths (sent by `paths`) that is requested in order, again and again. */
  list: string;
  /** Every request has an address of its own. */
  cold: boolean;
  connections: number;
  seconds: number;
};

export type RoundResult = {
  /** Answered within the time. */
  requests: number;
  /** Sent, those included that were answered when the time was up. */
  sent: number;
  perSecond: number;
  bytesPerAnswer: number;
  p50Ms: number;
  p99Ms: number;
  /** The share of the time in which the client's thread was busy: near 1 it is the client that is measured. */
  clientBusy: number;
};
