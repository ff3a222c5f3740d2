/** Parses numbers of options. */
import { Failure } from '../failure.ts';

/** Parses a whole number of an option; undefined if the option is absent. Throws a `Failure` if it is not a whole number. */
export function parseWholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Failure(`${option} is a whole number, not ${JSON.stringify(text)}.`, 2);
}

/** Entries of the audit log of a cluster have numbers above 1,000,000,000. */
const maxNumber = 9_999_999_999;

/**
 * Parses a whole number from 1 to `max`.
 * @param option the option that has it, for the message
 * @throws Failure (wrong usage) if it is another text
 */
export function parseLimit(text: string, option = '--limit', max = maxNumber): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= max) return number;
  const range = max === maxNumber ? 'from 1' : `from 1 to ${max}`;
  throw new Failure(`${option} must be a whole number ${range}, not ${JSON.stringify(text)}.`, 2);
}
