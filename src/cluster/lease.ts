/**
 * A lease: the right of one node of the cluster at a time to do some work. It ends unless it is renewed, by the clock
 * of PostgreSQL. Each holder has a higher term than the one before; `require_lease` refuses writes that name an old
 * term.
 */
import type pg from 'pg';

/** After this time without a renewal, another node may have the lease. */
export const leaseMs = 60_000;
const leaseOverCode = 'CB001';

/** A lease that a node has taken. */
export type Lease = { readonly name: string; readonly node: string; readonly term: number };

/** A connection, or a pool that runs each statement on one of its own. */
type Connection = {
  query<R extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<{ rows: R[] }>;
};

/** Takes a lease if it is free or has run out; null: another node has it. */
export async function acquireLease(
  connection: Connection,
  name: string,
  node: string,
  durationMs: number = leaseMs,
): Promise<Lease | null> {
  const { rows } = await connection.query<{ term: number | null }>(
    'SELECT acquire_lease($1, $2, $3) AS term',
    [name, node, durationMs],
  );
  const term = rows[0]?.term ?? null;
  return term === null ? null : { name, node, term };
}

/** Extends a lease. False: it is over, and its work must stop. */
export async function renewLease(
  connection: Connection,
  { name, node, term }: Lease,
  durationMs: number = leaseMs,
): Promise<boolean> {
  const text = 'SELECT renew_lease($1, $2, $3, $4) AS renewed';
  const { rows } = await connection.query<{ renewed: boolean }>(text, [name, node, term, durationMs]);
  return rows[0]?.renewed === true;
}

/**
 * Rejects unless the lease still holds (`isLeaseOver`). Until the end of its transaction, no other node can take it.
 */
export async function requireLease(connection: Connection, { name, node, term }: Lease): Promise<void> {
  await connection.query('SELECT require_lease($1, $2, $3)', [name, node, term]);
}

/** Ends a lease, so that the next node need not wait. */
export async function releaseLease(connection: Connection, { name, node, term }: Lease): Promise<void> {
  await connection.query('SELECT release_lease($1, $2, $3)', [name, node, term]);
}

/** Whether an error says that the lease of a write is over. */
export const isLeaseOver = (failure: unknown): boolean =>
  (failure as { code?: unknown } | null)?.code === leaseOverCode;
