/** Bounds how many answers of the change feed and the exports one key receives at a time. */
import type { Access, Credential } from '../access/access.ts';
import { Problem } from '../contract/errors.ts';
import { memoizeByObject } from '../memoize.ts';

/** Fewer than the turns that one key may wait for, so that an answer that began is never refused its next turn. */
export const maxOpenAnswers = 100;

const openByAccess = memoizeByObject((_: Access) => new Map<string, number>());

/**
 * Runs `answer` while fewer than `maxOpenAnswers` of the key are open.
 * @throws Problem `rate_limited` otherwise
 */
export async function whileOpen(
  access: Access,
  { id }: Credential,
  answer: () => Promise<void>,
): Promise<void> {
  const open = openByAccess(access);
  const count = open.get(id) ?? 0;
  if (count >= maxOpenAnswers)
    throw new Problem(
      'rate_limited',
      `This key receives ${maxOpenAnswers} answers at once. Wait until one of them ends.`,
    );
  open.set(id, count + 1);
  try {
    await answer();
  } finally {
    const left = (open.get(id) ?? 1) - 1;
    if (left === 0) open.delete(id);
    else open.set(id, left);
  }
}
