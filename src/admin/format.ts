/** Sizes, dates and local times as the console shows them. */
import type { Messages } from '../pages/messages/messages.ts';

/** Returns the day of a timestamp or date: `3 Dec 2027`. */
export const formatDay = ({ formats }: Messages, text: string): string =>
  formats.shortDate(text.slice(0, 10));

/** Returns a local time as `3 Dec 2027, 23:00`, and a date alone as its day. */
export const formatLocalTime = (messages: Messages, text: string): string =>
  text.length < 16
    ? formatDay(messages, text)
    : messages.consoleReview.moment(formatDay(messages, text), text.slice(11, 16));
