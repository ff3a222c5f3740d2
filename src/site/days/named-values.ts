/** Filters that take several values, as in the API: `genre=techno,house` fits events of either. */

/** Letters of a filter that are read at most. */
export const maxFilterLength = 2_000;
const maxValues = 100;

/** One value of a filter. */
export type NamedValue<T> = {
  /** The value as the address has it. */
  text: string;
  /** What it names; null if it is unknown. */
  record: T | null;
};

/** Splits a filter at its commas; without the values that repeat another one. */
export const splitValues = (text: string): string[] => [
  ...new Set(
    text
      .split(',', maxValues)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
];

/** Reads the values of a filter. A text that is one name counts as one value, even if it has commas. */
export function readValues<T>(text: string, find: (value: string) => T | null): NamedValue<T>[] {
  if (text === '') return [];
  const whole = find(text);
  if (whole !== null || !text.includes(',')) return [{ text, record: whole }];
  return splitValues(text).map((value) => ({ text: value, record: find(value) }));
}

/** The records of a filter, each once. */
export const recordsOf = <T extends { id: number }>(values: readonly NamedValue<T>[]): T[] => [
  ...new Map(values.flatMap(({ record }) => (record === null ? [] : [[record.id, record]]))).values(),
];

/** The values that name no record. */
export const unknownValues = (values: readonly NamedValue<unknown>[]): string[] =>
  values.filter(({ record }) => record === null).map(({ text }) => text);
