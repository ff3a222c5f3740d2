/** Reads what a question says of the age: "18+", "ab 16", "under 18", "for 17 year olds", "all ages". */

/** The minimum age that events may have, from `min` to `max` in years. */
export type AgeLimit = {
  min: number;
  max: number;
  /** The words that say it. */
  text: string;
};

type Pattern = { pattern: RegExp; bounds: (age: number) => Omit<AgeLimit, 'text'> };

/** Events of this minimum age. */
const exactly = (age: number) => ({ min: age, max: age });
/** Events that somebody of this age may visit. */
const admitting = (age: number) => ({ min: 0, max: age });

/** Ages are between 12 and 21 here: other numbers are times, prices or parts of names. */
const patterns: readonly Pattern[] = [
  {
    pattern:
      /(?<!\p{L})(?:(?:for|with)\s+)?(?:all\s+ages|no\s+age\s+(?:limit|restriction)|alle\s+altersgruppen|ohne\s+altersbeschränkung|tous\s+(?:les\s+)?âges|todas\s+las\s+edades)(?!\p{L})/iu,
    bounds: () => admitting(0),
  },
  {
    pattern:
      /(?<![\p{L}\d.,])(?:for\s+|für\s+|pour\s+)?(?:people\s+|anyone\s+|leute\s+)?(?:under|unter|below|u[\s-]?)\s?(1[2-9]|2[01])(?:\s*(?:years?|jahren?|jährige|ans)(?:\s+old)?|s)?(?![\p{L}\d.,:€$£]|\s*(?:[€$£]|eur|usd|dollar|pound|quid|gbp|chf|frank|kr))/iu,
    bounds: (age) => admitting(age - 1),
  },
  {
    pattern:
      /(?<![\p{L}\d.,])(?:for\s+|für\s+|i(?:['’]m|\s+am)\s+|ich\s+bin\s+)?(?:an?\s+|einen?\s+)?(1[2-9]|2[01])[\s-]?(?:years?[\s-]olds?|year[\s-]olds?|y\/o|jährigen?|jahre\s+alt)(?!\p{L})/iu,
    bounds: admitting,
  },
  {
    pattern:
      /(?<![\p{L}\d.,+])(?:for\s+)?(1[2-9]|2[01])\s?(?:\+|plus(?!\p{L})|and\s+over(?!\p{L}))(?![\p{L}\d+])/iu,
    bounds: exactly,
  },
  {
    pattern:
      /(?<![\p{L}\d.,])(?:ab|dès|desde\s+los|over|über|ü)\s?(1[2-9]|2[01])\s?(?:years?(?:\s+old)?|jahren?|ans|años)(?!\p{L})/iu,
    bounds: exactly,
  },
  // Without "years", other numbers would be hours: "ab 21", "over 20".
  {
    pattern:
      /(?<![\p{L}\d.,])(?:ab|over|über|ü)\s?(16|18)(?![\p{L}\d.,:+]|\s*(?:uhr|h|o['’]clock|[€$£])(?!\p{L}))/iu,
    bounds: exactly,
  },
];

/**
 * Separates the age from a question. Call it after `splitPrice`, since "tickets under 20" is a price.
 * @returns the text without the age; `age` is null if there is none
 */
export function splitAge(text: string): { rest: string; age: AgeLimit | null } {
  for (const { pattern, bounds } of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { 0: written, 1: number = '0', index } = match;
    const rest = `${text.slice(0, index)} ${text.slice(index + written.length)}`.replace(/\s+/g, ' ').trim();
    // Alone, it is a name: there is an act called "18+".
    if (rest === '') continue;
    return { rest, age: { ...bounds(Number(number)), text: written.trim() } };
  }
  return { rest: text, age: null };
}

/** Whether the minimum age of an event is within a limit. An event that states none is not. */
export const isOfAge = (
  { min, max }: AgeLimit,
  { minimum_age: age }: { minimum_age: number | null },
): boolean => age !== null && age >= min && age <= max;
