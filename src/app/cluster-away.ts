/** Failures that say that the PostgreSQL of a cluster is away. */
import { Failure } from '../failure.ts';

/** The code of a `Failure`: PostgreSQL does not answer now, and may later. */
export const awayCode = 'cluster_away';

/** Whether a failure says that PostgreSQL does not answer now. */
export const isClusterAway = (failure: unknown): boolean =>
  failure instanceof Failure && failure.details.code === awayCode;
