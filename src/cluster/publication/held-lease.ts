/** Holds the lease to change the catalogue while work is under way, and ends the work if the lease is lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { leaseMs } from '../lease.ts';
import type { Lease, PublicationDatabase } from './database.ts';
import { LeaseLost } from './publish.ts';
import { ChangeRefused } from './refusals.ts';

const renewEveryMs = 10_000;
const retryMs = 250;

/** Another node changes the catalogue now. */
export class LeaseTaken extends ChangeRefused {
  constructor() {
    super('lease_taken', 'Another node of the cluster changes the catalogue now. Try again in a minute.');
  }
}

export type HoldOptions = {
  /** How long to wait while another node has the lease, in ms. Default: 0. */
  waitMs?: number;
  /** Is called once if another node has the lease. */
  onWait?: () => void;
};

/**
 * Takes the lease, runs work, and ends the lease. It is renewed every 10 seconds.
 * @param work gets the lease, and a signal that aborts with LeaseLost when the lease is lost
 * @throws LeaseTaken if another node has it
 */
export async function holdLease<T>(
  database: PublicationDatabase,
  node: string,
  work: (lease: Lease, signal: AbortSignal) => Promise<T>,
  options: HoldOptions = {},
): Promise<T> {
  const lease = await takeInTime(database, node, options);
  const lost = new AbortController();
  let renewedAt = performance.now();
  const renew = async () => {
    const askedAt = performance.now();
    try {
      if (await database.renewLease(lease)) renewedAt = askedAt;
      else lost.abort(new LeaseLost());
    } catch {
      // PostgreSQL may be back before the lease runs out.
      if (performance.now() - renewedAt > leaseMs) lost.abort(new LeaseLost());
    }
  };
  const timer = setInterval(() => void renew(), renewEveryMs);
  try {
    return await work(lease, lost.signal);
  } finally {
    clearInterval(timer);
    // It ends by itself if PostgreSQL is away.
    await database.releaseLease(lease).catch(() => {});
  }
}

async function takeInTime(
  database: PublicationDatabase,
  node: string,
  { waitMs = 0, onWait }: HoldOptions,
): Promise<Lease> {
  const until = performance.now() + waitMs;
  for (let isNoted = false; ; isNoted = true) {
    let lease = await database.acquireLease(node);
    if (lease !== null) return lease;
    if (await database.freeLeaseOfEndedProcess()) lease = await database.acquireLease(node);
    if (lease !== null) return lease;
    if (!isNoted) onWait?.();
    if (performance.now() >= until) throw new LeaseTaken();
    await pause(retryMs);
  }
}
