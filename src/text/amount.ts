/** Parses amounts of money as people write them. */

/**
 * An amount: "12", "12,50", "1.234,50", "1 200". Three digits behind a separator are thousands, unless a single 0 is before
 * it.
 */
export const amountPattern =
  /[1-9]\d{0,2}(?:[.,'’ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,12})?/;

/** The number of a text that `amountPattern` matches as a whole. */
export function amountOf(text: string): number {
  const isWhole = /[.,]\d{3}$/.test(text) && !/^0[.,]/.test(text);
  const [whole = '', fraction = '0'] = isWhole ? [text] : text.split(/[.,](?=\d*$)/);
  return Number(`${whole.replace(/\D/g, '')}.${fraction}`);
}
