/** Reads a table of events: a CSV file, or a spreadsheet that is published as CSV. Each row is an event. */
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome, RecordOf } from '../adapter.ts';
import { stableDigest } from '../address/place.ts';
import { toEventRecords, toPlaceFromAddress, toTimes } from '../common/api-event.ts';
import { readText } from '../common/charset.ts';
import { parsePriceRange } from '../common/prices.ts';
import { readEach } from '../common/read-each.ts';
import { redactUrl } from '../common/redact.ts';
import { InvalidEventError, parseMinimumAge } from '../common/values.ts';
import { normalizeWrittenUrl, siteHost } from '../common/web-links.ts';
import { type Column, type Columns, recognizeColumns, unreadTitles } from './columns.ts';
import { maxRows, parseTable, separatorOf, type TableRow } from './table.ts';
import { type DateOrder, dateOrderOf, timesOf } from './times.ts';
import { type UnreadValue, UnreadValues } from './unread-values.ts';

const maxTableBytes = 32 * 1024 * 1024;

/**
 * Reads a table. Its first row names the columns; `name` and `date` are required. Options: `timezone`, `venue`, `city`,
 * `country` for rows that state none.
 */
export const csv: Adapter = {
  async *read(context) {
    const files = await context.list(context.location);
    return yield* readEach(context, files, (file) => readTable(context, file));
  },
};

async function* readTable(context: AdapterContext, file: string): AsyncGenerator<FeedRecord, ReadOutcome> {
  const resource = await context.open(file, {
    maxBytes: maxTableBytes,
    accept: 'text/csv, */*;q=0.5',
    conditional: true,
  });
  if (resource === null) return { ended: 'unchanged' };
  const text = await readText(resource);
  const rows = parseTable(text, separatorOf(text));
  const head = rows.next();
  const columns = recognizeColumns(head.done ? [] : head.value.cells);
  const where = redactUrl(file);
  if (!columns.has('name') || !columns.has('date')) {
    const reason = 'its first row must name the columns, "name" and "date" among them';
    context.reject(`${where}:1`, reason);
    return { ended: 'partial', reason };
  }
  const unread = unreadTitles(head.value.cells, columns);
  if (unread.length > 0) context.note?.(`${where}:1`, `has columns that are not read: ${unread.join(', ')}`);
  const order = dateOrderOf(text, columns);
  const emitted = new Set<string>();
  const unreadValues = new UnreadValues();
  let isWhole = true;
  let count = 1;
  for (const row of rows) {
    count += 1;
    if (count > maxRows) {
      const reason = `is behind the first ${maxRows} rows, and is not read, nor are those below it. Split the table`;
      context.reject(`${where}:${row.line}`, reason);
      isWhole = false;
      break;
    }
    if (row.openQuoteLine !== null) {
      const reason = 'has a quote (") that is not closed. The rows up to the next quote are not read';
      context.reject(`${where}:${row.openQuoteLine}`, reason);
      isWhole = false;
      continue;
    }
    if (isShifted(row, head.value.cells)) {
      const counts = `${row.cells.length} cells, ${head.value.cells.length} columns`;
      context.reject(
        `${where}:${row.line}`,
        `${counts}: put quotes around a value that contains the separator`,
      );
      continue;
    }
    try {
      const { records, unread } = readRow(row, columns, order, context);
      for (const record of records) {
        const key = `${record.kind} ${record.external_id}`;
        if (record.kind === 'event' && emitted.has(key)) throw new InvalidEventError('is listed twice');
        if (emitted.has(key)) continue;
        emitted.add(key);
        context.setRecordLocation?.(`${where}:${row.line}`);
        yield record;
      }
      unreadValues.add(row.line, unread);
    } catch (failure) {
      if (!(failure instanceof InvalidEventError)) throw failure;
      context.reject(`${where}:${row.line}`, failure.message);
    }
  }
  for (const { line, reason } of unreadValues.toReport()) context.note?.(`${where}:${line}`, reason);
  // Events of rows that were not read are not withdrawn.
  return isWhole ? { ended: 'whole' } : { ended: 'partial', reason: `${where}: not all rows could be read` };
}

/**
 * Whether a row has more cells than its table has columns. A value with an unquoted separator ("12,50 €") moves those
 * behind it, up to the last column that has a title. Spreadsheets add empty cells at the end.
 */
const isShifted = ({ cells }: TableRow, titles: readonly string[]): boolean =>
  cells.length > titles.length &&
  cells.slice(titles.findLastIndex((title) => title !== '') + 1).some(Boolean);

const statuses: ReadonlyMap<string, 'cancelled' | 'postponed' | 'scheduled'> = new Map([
  ['abgesagt', 'cancelled'],
  ['bestätigt', 'scheduled'],
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['confirmed', 'scheduled'],
  ['postponed', 'postponed'],
  ['scheduled', 'scheduled'],
  ['verschoben', 'postponed'],
]);

/**
 * Returns the records of a row, and its values that have no meaning.
 * @throws InvalidEventError if it has no name or no date, or a date or time that cannot be read
 */
function readRow(
  { cells }: TableRow,
  columns: Columns,
  order: DateOrder,
  { options }: AdapterContext,
): { records: FeedRecord[]; unread: UnreadValue[] } {
  const cell = (column: Column): string | null => cells[columns.get(column) ?? -1] || null;
  const unread: UnreadValue[] = [];
  /** Returns a part of a cell as it was read; null or undefined is reported, unless the cell has no word ("-"). */
  const noteUnread = <T>(part: T, value: string | null, problem: string, advice: string): T => {
    if (part == null && value !== null && /[\p{L}\p{N}]/u.test(value))
      unread.push({ problem, value, advice });
    return part;
  };
  const name = cell('name');
  const { start, end, writtenEnd } = timesOf(cell('date'), cell('start'), cell('end'), order);
  const times = toTimes(start, end, null, options);
  noteUnread(times.end_at, writtenEnd, 'an end that cannot be read or is not after its start', 'write 06:00');
  const [city, country] = [cell('city') ?? options.city, cell('country') ?? options.country];
  const place = {
    ...options,
    ...(city ? { city } : {}),
    ...(country ? { country: country.toUpperCase() } : {}),
  };
  const url = normalizeWrittenUrl(cell('url') ?? '');
  noteUnread(url, cell('url'), 'a link that is no web address', 'write https://club.example/1');
  // "flyer.jpg" is a file.
  const imageUrl = cell('image')?.includes('/') ? normalizeWrittenUrl(cell('image') ?? '') : null;
  noteUnread(imageUrl, cell('image'), 'an image that is no web address', 'write https://club.example/1.jpg');
  const age = parseMinimumAge(cell('age') ?? '');
  if (age === undefined) noteUnread(age, cell('age'), 'an age that cannot be read', 'write 18+ or all ages');
  const status = statuses.get((cell('status') ?? '').toLowerCase()) ?? null;
  noteUnread(status, cell('status'), 'a status that cannot be read', 'write cancelled or postponed');
  const { tickets, problem } = ticketsOf(url, cell('price'), place.country ?? null);
  if (problem !== null) noteUnread(null, cell('price'), ...problem);
  const records = toEventRecords({
    id: cell('id') ?? stableDigest(name, start.slice(0, 10), cell('venue')),
    name,
    times,
    place: toPlaceFromAddress({ name: cell('venue') }, place),
    description: cell('description'),
    url,
    imageUrl,
    status,
    genres: list(cell('genres')),
    acts: list(cell('artists')),
    tickets,
  }).map((record) => (record.kind === 'event' && age ? { ...record, minimum_age: age } : record));
  return { records, unread };
}

/** The entries of a cell, divided by semicolons or line breaks, else by commas. */
const list = (text: string | null): string[] =>
  [
    ...new Set((text ?? '').split(/[;\n]/.test(text ?? '') ? /[;\n]/ : ',').map((part) => part.trim())),
  ].filter((part) => part !== '');

type Tickets = {
  tickets: NonNullable<RecordOf<'event'>['tickets']>;
  problem: readonly [problem: string, advice: string] | null;
};

/** Returns the ticket of a row, or why its price cannot be stored. */
function ticketsOf(url: string | null, price: string | null, country: string | null): Tickets {
  const range = parsePriceRange(price, country);
  const without = (problem: string, advice: string): Tickets => ({ tickets: [], problem: [problem, advice] });
  if (range === null) return without('a price that cannot be read', 'write 12 EUR or free');
  const { min, max, currency } = range;
  if (currency === null)
    return without('a price without a currency', 'write 12 EUR, or the country of the event');
  if (url === null) return without('a price without a link', 'a price needs the address of the tickets');
  return {
    tickets: [{ seller: siteHost(url), url, price_min: min, price_max: max, currency }],
    problem: null,
  };
}
