/** Turns errors of a cluster into failures with advice, whose texts are loaded when they are needed. */
import type { ClusterAddress } from '../cluster/address.ts';

/** Runs work in PostgreSQL or the folder of a node, and turns its errors into a `Failure` with advice. */
export async function withAdvice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    const { describeClusterError } = await import('./cluster-errors.ts');
    throw describeClusterError(failure);
  }
}

/** Works with a PostgreSQL that can be used. Throws a `Failure` with advice if it cannot. */
export const onDatabase = <T>(address: ClusterAddress, work: () => Promise<T>): Promise<T> =>
  withAdvice(async () => {
    const { checkDatabase } = await import('../cluster/cluster-access.ts');
    await checkDatabase(address);
    return work();
  });
