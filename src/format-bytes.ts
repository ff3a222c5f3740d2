/** Sizes of files for people, in the terminal and in the console. */
const units = ['KB', 'MB', 'GB', 'TB'] as const;

/**
 * Returns a size in decimal units, with one decimal below 10: 980 B, 1.2 MB, 10 MB, 123 MB.
 * @param locale of the decimal separator
 */
export function formatBytes(bytes: number, locale = 'en'): string {
  if (bytes < 1_000) return `${bytes} B`;
  let size = bytes / 1_000;
  let unit = 0;
  // Rounding comes first: 999,999 bytes are 1.0 MB, not 1000 KB, and 9,999 bytes 10 KB, not 10.0 KB.
  for (; size >= 999.5 && unit < units.length - 1; unit += 1) size /= 1_000;
  const digits = size < 9.95 ? 1 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return `${size.toLocaleString(locale, options)} ${units[unit]}`;
}
