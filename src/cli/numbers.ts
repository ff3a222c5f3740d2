/** Parses numbers of options. */
import { Failure } from '../failure.ts';

/** Parses a whole number of an option; undefined if the option is absent. Throws a `Failure` if it is not a whole number. */
export function parseWholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Failure(`${option} is a whole number, not ${JSON.stringify(text)}.`, 2);
}

/** Entries of the audit log of a cluster have numbers above 1,000,000,000. */
const maxLimit = 9_999_999_999;

/** Parses a positive whole number. Throws a `Failure` (wrong usage) that names the option. */
export function parseLimit(text: string, option = '--limit'): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxLimit) return number;
  throw new Failure(`${option} is a whole number from 1, not ${JSON.stringify(text)}.`, 2);
}
