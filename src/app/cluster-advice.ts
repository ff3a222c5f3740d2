/** Turns errors of a cluster into failures with advice, whose texts are loaded when they are needed. */

/** Runs work in PostgreSQL or the folder of a node, and turns its errors into a `Failure` with advice. */
export async function withAdvice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    const { describeClusterError } = await import('./cluster-errors.ts');
    throw describeClusterError(failure);
  }
}
