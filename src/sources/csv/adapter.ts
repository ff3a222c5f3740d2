/** Reads a table of events: a CSV file, or a spreadsheet that is published as CSV. Each row is an event. */
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome, RecordOf } from '../adapter.ts';
import { stableDigest } from '../address/place.ts';
import { toEventRecords, toPlaceFromAddress, toTimes } from '../common/api-event.ts';
import { readText } from '../common/charset.ts';
import { parsePriceRange } from '../common/prices.ts';
import { redactUrl } from '../common/redact.ts';
import { InvalidEventError, parseMinimumAge } from '../common/values.ts';
import { normalizeUrl, siteHost } from '../common/web-links.ts';
import { type Column, type Columns, recognizeColumns, unreadTitles } from './columns.ts';
import { parseTable, separatorOf, type TableRow } from './table.ts';
import { type DateOrder, dateOrderOf, timesOf } from './times.ts';

const maxTableBytes = 32 * 1024 * 1024;

/**
 * Reads a table. Its first row names the columns; `name` and `date` are required. Options: `timezone`, `venue`, `city`,
 * `country` for rows that state none.
 */
export const csv: Adapter = {
  async *read(context) {
    const ends: ReadOutcome[] = [];
    for (const file of await context.list(context.location)) ends.push(yield* readTable(context, file));
    return ends.find(({ ended }) => ended !== 'whole') ?? { ended: 'whole' };
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
  if (unread.length > 0) context.skip?.(`${where}:1`, `has columns that are not read: ${unread.join(', ')}`);
  const order = dateOrderOf(text, columns);
  const emitted = new Set<string>();
  let isWhole = true;
  for (const row of rows) {
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
      for (const record of toRecords(row, columns, order, context)) {
        const key = `${record.kind} ${record.external_id}`;
        if (record.kind === 'event' && emitted.has(key)) throw new InvalidEventError('is listed twice');
        if (emitted.has(key)) continue;
        emitted.add(key);
        context.setRecordLocation?.(`${where}:${row.line}`);
        yield record;
      }
    } catch (failure) {
      if (!(failure instanceof InvalidEventError)) throw failure;
      context.reject(`${where}:${row.line}`, failure.message);
    }
  }
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

const statuses: Readonly<Record<string, 'cancelled' | 'postponed' | 'scheduled'>> = {
  abgesagt: 'cancelled',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  postponed: 'postponed',
  verschoben: 'postponed',
};

function toRecords(
  { cells }: TableRow,
  columns: Columns,
  order: DateOrder,
  { options }: AdapterContext,
): FeedRecord[] {
  const cell = (column: Column): string | null => cells[columns.get(column) ?? -1] || null;
  const name = cell('name');
  const { start, end } = timesOf(cell('date'), cell('start'), cell('end'), order);
  const [city, country] = [cell('city') ?? options.city, cell('country') ?? options.country];
  const place = {
    ...options,
    ...(city ? { city } : {}),
    ...(country ? { country: country.toUpperCase() } : {}),
  };
  const url = normalizeUrl(cell('url') ?? '', null);
  const age = parseMinimumAge(cell('age') ?? '');
  return toEventRecords({
    id: cell('id') ?? stableDigest(name, start.slice(0, 10), cell('venue')),
    name,
    times: toTimes(start, end, null, options),
    place: toPlaceFromAddress({ name: cell('venue') }, place),
    description: cell('description'),
    url,
    imageUrl: cell('image'),
    status: statuses[(cell('status') ?? '').toLowerCase()] ?? null,
    genres: list(cell('genres')),
    artists: list(cell('artists')).map(toArtist),
    tickets: ticketsOf(url, cell('price'), place.country ?? null),
  }).map((record) => (record.kind === 'event' && age ? { ...record, minimum_age: age } : record));
}

/** The entries of a cell, divided by semicolons or line breaks, else by commas. */
const list = (text: string | null): string[] =>
  [
    ...new Set((text ?? '').split(/[;\n]/.test(text ?? '') ? /[;\n]/ : ',').map((part) => part.trim())),
  ].filter((part) => part !== '');

const toArtist = (name: string): RecordOf<'artist'> => ({
  kind: 'artist',
  external_id: `artist:${stableDigest(name)}`,
  name,
});

function ticketsOf(url: string | null, price: string | null, country: string | null) {
  const range = parsePriceRange(price, country);
  if (url === null || range === null || range.currency === null) return [];
  const { min, max, currency } = range;
  return [{ seller: siteHost(url), url, price_min: min, price_max: max, currency }];
}
