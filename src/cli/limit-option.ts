/** The option that limits a list. */
import { Failure } from '../failure.ts';

/** Entries of the audit log of a cluster have numbers above 1,000,000,000. */
const maxLimit = 9_999_999_999;

/** Parses a positive whole number. Throws a `Failure` (wrong usage) that names the option. */
export function parseLimit(text: string, option = '--limit'): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxLimit) return number;
  throw new Failure(`${option} is a whole number from 1, not ${JSON.stringify(text)}.`, 2);
}
