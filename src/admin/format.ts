/** Numbers, dates and local times as the console shows them. */
import type { Messages } from '../pages/messages/messages.ts';

const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** Returns a size with one decimal below 10: 980 B, 1.2 MB, 12 MB, 123 MB. @param locale of the decimal separator */
export function formatBytes(bytes: number, locale = 'en'): string {
  if (bytes < 1_000) return `${bytes} B`;
  let size = bytes / 1_000;
  let unit = 0;
  for (; size >= 999.5 && unit < units.length - 1; unit += 1) size /= 1_000;
  const digits = size < 10 ? 1 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return `${size.toLocaleString(locale, options)} ${units[unit]}`;
}

/** Returns the day of a timestamp or date: `3 Dec 2027`. */
export const formatDay = ({ formats }: Messages, text: string): string =>
  formats.shortDate(text.slice(0, 10));

/** Returns a local time as `3 Dec 2027, 23:00`, and a date alone as its day. */
export const formatLocalTime = (messages: Messages, text: string): string =>
  text.length < 16
    ? formatDay(messages, text)
    : messages.consoleReview.moment(formatDay(messages, text), text.slice(11, 16));
