/** Which API keys can be replaced, and the terms of their successors (docs/spec/credentials.md). */
import { Failure } from '../failure.ts';
import type { ApiKeyRow } from '../store/access/api-keys.ts';
import type { Tx } from '../store/engine/engine.ts';
import { hasExpired, type KeyTerms } from './key-terms.ts';
import type { Base } from './parts.ts';

/** Why a key cannot be replaced, as the end of a sentence. */
type RotationProblem = 'was revoked' | 'has expired' | 'was replaced';
type Parts = Pick<Base, 'keys' | 'audit' | 'clock'>;

/** A key cannot be replaced. */
export class NotRotatable extends Error {
  readonly problem: RotationProblem;

  constructor(problem: RotationProblem) {
    super(`The key ${problem}.`);
    this.problem = problem;
  }
}

/** Returns why a key is not active at `now` (ms), as the end of a sentence; null if it is. */
export function endOf(row: ApiKeyRow, now: number): 'was revoked' | 'has expired' | null {
  if (row.revoked_ts !== null) return 'was revoked';
  return hasExpired(row, now) ? 'has expired' : null;
}

/** Returns why a key cannot be replaced; null if it can. */
export async function rotationProblem(parts: Parts, tx: Tx, row: ApiKeyRow): Promise<RotationProblem | null> {
  return endOf(row, parts.clock.now()) ?? ((await isReplaced(parts, tx, row)) ? 'was replaced' : null);
}

/** Throws `NotRotatable` if a key cannot be replaced. */
export async function assertRotatable(parts: Parts, tx: Tx, row: ApiKeyRow): Promise<void> {
  const problem = await rotationProblem(parts, tx, row);
  if (problem !== null) throw new NotRotatable(problem);
}

/**
 * Whether the audit log has an earlier rotation of a key. The end of a replaced key is that of the overlap: a successor
 * with this lifetime would end at once.
 */
async function isReplaced({ keys, audit }: Parts, tx: Tx, old: ApiKeyRow): Promise<boolean> {
  if (old.expires_ts === null) return false;
  for (const { id, name, created_ts } of await keys.ofAccountId(tx, old.account_id)) {
    if (id === old.id || name !== old.name || created_ts < old.created_ts) continue;
    const filter = { subjectKind: 'key', subject: id, action: 'key.rotate', limit: 1 };
    const [rotation] = await audit.list(tx, filter);
    if (rotation?.details.replaces === old.id) return true;
  }
  return false;
}

/** Returns the terms of the key that replaces another one: the same scope, and the same lifetime. */
export const successorTerms = (old: ApiKeyRow, now: number): KeyTerms => ({
  expiresTs: old.expires_ts === null ? null : now + old.expires_ts - old.created_ts,
  scope: old.scope,
});

/** Returns the failure of a rotation in the terminal. */
export const rotationFailure = ({ id, email }: ApiKeyRow, problem: RotationProblem): Failure =>
  new Failure(
    problem === 'was replaced'
      ? `The key ${id} was replaced; rotate its successor. \`cratebase keys list\` shows it.`
      : `The key ${id} ${problem}. Create another one: \`cratebase keys create ${email} --name NAME\``,
  );
