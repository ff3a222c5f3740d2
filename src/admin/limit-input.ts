/** Limits of accounts and plans, as people write them in forms. */

/** Digits alone, or in groups of three behind the first with one kind of separator: 50000, 50,000, 50.000, 50 000, 50'000. */
const wholeNumber = /^(?:\d+|\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:\s\d{3})+|(?:['’]\d{3})+))$/;
const maxDigits = 15;

/** Parses a whole number that may have separators of thousands; null if it is none: "1.5" is not 15. */
export function parseLimit(text: string): number | null {
  const number = text.trim();
  if (number.length > 2 * maxDigits || !wholeNumber.test(number)) return null;
  const digits = number.replace(/\D/g, '');
  return digits.length <= maxDigits ? Number(digits) : null;
}
