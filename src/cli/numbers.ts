import { Failure } from '../failure.ts';

/** Parses a whole number of an option; undefined if the option is absent. Throws a `Failure` if it is not a whole number. */
export function parseWholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Failure(`${option} is a whole number, not ${JSON.stringify(text)}.`, 2);
}
