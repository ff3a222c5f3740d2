/** Reads the date and the times of a row, as spreadsheets of several countries write them. */
import { InvalidEventError, parseClockTime, parseDateTime } from '../common/values.ts';
import type { Columns } from './columns.ts';
import { parseTable, separatorOf } from './table.ts';

/** What the first number of "3/5/2030" is in a table; null if no row shows it. */
export type DateOrder = 'day' | 'month' | null;

const slashDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const dottedDate = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
/** "9pm-2am", "22:00 – 06:00", "23 Uhr bis 5 Uhr": a start and an end in one cell. */
const timeRange = /^([^-–—]{1,20}?)\s{0,3}(?:[-–—]|\bbis\b|\bto\b)\s{0,3}([^-–—]{1,20})$/i;

/**
 * Finds the order of dates such as "10/23/2030" in a whole table: one row with a number over 12 decides for all. Rows
 * that contradict each other decide nothing.
 */
export function dateOrderOf(text: string, columns: Columns): DateOrder {
  const index = columns.get('date') ?? -1;
  const orders = new Set<DateOrder>();
  for (const { cells } of parseTable(text, separatorOf(text))) {
    const [, first, second] = slashDate.exec(cells[index] ?? '') ?? [];
    if (Number(first) > 12) orders.add('day');
    if (Number(second) > 12) orders.add('month');
  }
  return orders.size === 1 ? ([...orders][0] ?? null) : null;
}

/**
 * Returns the start and the end of a row, and the end as it is written.
 * @throws InvalidEventError if a date or time cannot be read
 */
export function timesOf(date: string | null, start: string | null, end: string | null, order: DateOrder) {
  const day = date === null ? null : parseDay(date, order);
  if (day === null)
    throw new InvalidEventError(
      date === null
        ? 'has no date'
        : slashDate.test(date)
          ? `has a date whose day and month cannot be told apart: ${shown(date)}; write it as 2030-05-03`
          : `has a date that cannot be read: ${shown(date)}; write it as 2030-05-03`,
    );
  const [, from = start, until = null] = (start === null ? null : timeRange.exec(start)) ?? [];
  const clock = from === null ? null : clockOf(from);
  if (start !== null && clock === null && parseDateTime(start) === null)
    throw new InvalidEventError(`has a time that cannot be read: ${shown(start)}; write it as 23:00`);
  const startAt = day.length > 10 ? day : clock === null ? day : `${day}T${clock}`;
  const writtenEnd = end ?? until;
  return { start: startAt, end: endOf(startAt, writtenEnd, order), writtenEnd };
}

/** The start of a value, for messages. */
const shown = (value: string): string => value.slice(0, 60);

/** Parses a clock time; "23 Uhr" and "23h" are full hours. */
const clockOf = (text: string): string | null =>
  parseClockTime(text.trim().replace(/^(\d{1,2})\s?(?:uhr|h)$/i, '$1:00'));

/** Parses a date with or without a time. "3.5.2030" has one meaning; "3/5/2030" has the one that its table shows. */
function parseDay(text: string, order: DateOrder): string | null {
  const dotted = dottedDate.exec(text);
  const slashed = order === null ? null : slashDate.exec(text);
  const [, first = '', second = '', year] = dotted ?? slashed ?? [];
  if (year === undefined) return parseDateTime(text);
  const [day, month] = dotted || order === 'day' ? [first, second] : [second, first];
  return parseDateTime(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

/** Returns the end. A clock time before the start is one of the next day. */
function endOf(start: string, text: string | null, order: DateOrder): string | null {
  if (text === null) return null;
  const full = parseDay(text, order);
  if (full !== null) return full;
  const clock = clockOf(text);
  if (clock === null || start.length !== 19) return null;
  const end = `${start.slice(0, 10)}T${clock}`;
  if (end > start) return end;
  return `${new Date(Date.parse(`${start.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)}T${clock}`;
}
