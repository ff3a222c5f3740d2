/**
 * Dates of partial precision: a year, a month or a day, as the prefix of an ISO 8601 date ("2016", "2016-03",
 * "2016-03-12"). They say when a venue or label closed, and when an artist or festival ended.
 */
import { parseDate } from './parameters.ts';

const partialDatePattern = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;

/** Whether a text is a year, a month or a day that exists. */
export const isPartialDate = (text: string): boolean =>
  partialDatePattern.test(text) && parseDate(`${text}-01-01`.slice(0, 10)) !== null;

/**
 * Whether a partial date has begun, by the UTC calendar: "2016" has from 1 January 2016 on.
 * @param now ms since 1970
 */
export const hasBegun = (date: string, now: number): boolean =>
  date <= new Date(now).toISOString().slice(0, date.length);

/** The status of a venue. */
export const venueStatusOf = (closedAt: string | null, now: number): 'open' | 'closed' =>
  closedAt !== null && hasBegun(closedAt, now) ? 'closed' : 'open';
/** The status of a label. */
export const labelStatusOf = (closedAt: string | null, now: number): 'active' | 'closed' =>
  closedAt !== null && hasBegun(closedAt, now) ? 'closed' : 'active';
/** The status of an artist or festival. */
export const lifeStatusOf = (endedAt: string | null, now: number): 'active' | 'ended' =>
  endedAt !== null && hasBegun(endedAt, now) ? 'ended' : 'active';
