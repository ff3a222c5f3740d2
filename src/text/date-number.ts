/** Calendar dates as numbers: 20270304 is 4 March 2027. */

/**
 * Returns midnight UTC of a date (yyyymmdd), in ms since 1970.
 * @param daysLater adds days
 */
export function midnightUtc(date: number, daysLater = 0): number {
  const midnight = new Date(0);
  // Date.UTC reads 0 to 99 as years of the 20th century.
  return midnight.setUTCFullYear(
    Math.trunc(date / 10_000),
    (Math.trunc(date / 100) % 100) - 1,
    (date % 100) + daysLater,
  );
}
