/** Failures that say that a cluster cannot be used now, and may be later. */
import { baseMissingCode, slotDamagedCode } from '../cluster/publication/refusals.ts';
import { Failure } from '../failure.ts';

/** The code of a `Failure`: PostgreSQL does not answer now, and may later. */
export const awayCode = 'cluster_away';

/** Whether a failure says that PostgreSQL does not answer now. */
export const isClusterAway = (failure: unknown): boolean =>
  failure instanceof Failure && failure.details.code === awayCode;

/** Whether a failure says that the copy of the catalogue on this node is damaged. */
export const isSlotDamaged = (failure: unknown): boolean =>
  failure instanceof Failure && failure.details.code === slotDamagedCode;

/** Whether a failure says that the published objects are not enough to build the catalogue. */
export const isBaseMissing = (failure: unknown): boolean =>
  failure instanceof Failure && failure.details.code === baseMissingCode;
