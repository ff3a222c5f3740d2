/** Why this node may not change the catalogue now. */
import { Failure } from '../../failure.ts';

/**
 * `lease_taken`: another node changes it. `lease_lost`: another node took the lease during the change. `older_nodes`:
 * live nodes cannot read the schema of this program.
 */
export type ChangeRefusal = 'lease_taken' | 'lease_lost' | 'older_nodes';

/** A change of the catalogue that this node may not make now. */
export class ChangeRefused extends Failure {
  readonly refusal: ChangeRefusal;

  constructor(refusal: ChangeRefusal, message: string) {
    super(message, 1, { code: refusal });
    this.refusal = refusal;
  }
}

/** Why a change was refused; null if it failed for another reason. */
export const refusalOf = (failure: unknown): ChangeRefusal | null =>
  failure instanceof ChangeRefused ? failure.refusal : null;

/** The code of a `Failure`: the copy of the catalogue on this node is not what was published. */
export const slotDamagedCode = 'slot_damaged';

/** Describes a slot that serves and is damaged. */
export const damagedSlot = (path: string): Failure =>
  new Failure(`The slot ${path} is damaged. It is replaced by a copy from the published objects.`, 1, {
    code: slotDamagedCode,
  });

/** The code of a `Failure`: objects are missing or damaged, and a node that serves the catalogue must store it whole. */
export const baseMissingCode = 'base_missing';
