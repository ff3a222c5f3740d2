/** Reads a table of events: a CSV file, or a spreadsheet that is published as CSV. Each row is an event. */
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome, RecordOf } from '../adapter.ts';
import { stableDigest } from '../address/place.ts';
import { toEventRecords, toPlaceFromAddress, toTimes } from '../common/api-event.ts';
import { readText } from '../common/charset.ts';
import { redactUrl } from '../common/redact.ts';
import {
  InvalidEventError,
  parseClockTime,
  parseCurrency,
  parseDateTime,
  parsePrice,
} from '../common/values.ts';
import { normalizeUrl, siteHost } from '../common/web-links.ts';
import { type Column, type Columns, recognizeColumns } from './columns.ts';
import { parseTable, separatorOf, type TableRow } from './table.ts';

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
  const emitted = new Set<string>();
  for (const row of rows) {
    try {
      for (const record of toRecords(row, columns, context)) {
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
  return { ended: 'whole' };
}

const statuses: Readonly<Record<string, 'cancelled' | 'postponed' | 'scheduled'>> = {
  abgesagt: 'cancelled',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  postponed: 'postponed',
  verschoben: 'postponed',
};

function toRecords({ cells }: TableRow, columns: Columns, { options }: AdapterContext): FeedRecord[] {
  const cell = (column: Column): string | null => cells[columns.get(column) ?? -1] || null;
  const name = cell('name');
  const { start, end } = timesOf(cell('date'), cell('start'), cell('end'));
  const [city, country] = [cell('city') ?? options.city, cell('country') ?? options.country];
  const place = {
    ...options,
    ...(city ? { city } : {}),
    ...(country ? { country: country.toUpperCase() } : {}),
  };
  const url = normalizeUrl(cell('url') ?? '', null);
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
    tickets: ticketsOf(url, cell('price')),
  });
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

/** @throws InvalidEventError if a date or time cannot be read */
function timesOf(date: string | null, start: string | null, end: string | null) {
  const day = date === null ? null : parseDay(date);
  if (day === null)
    throw new InvalidEventError(
      date === null
        ? 'has no date'
        : `has a date that is ambiguous or none: ${date.slice(0, 60)}; write 2030-05-03`,
    );
  const clock = start === null ? null : clockOf(start);
  if (start !== null && clock === null && parseDateTime(start) === null)
    throw new InvalidEventError(`has a time that is none: ${start.slice(0, 60)}; write 23:00`);
  const startAt = day.length > 10 ? day : clock === null ? day : `${day}T${clock}`;
  return { start: startAt, end: endOf(startAt, end) };
}

/** Parses a clock time; "23 Uhr" and "23h" are full hours. */
const clockOf = (text: string): string | null =>
  parseClockTime(text.replace(/^(\d{1,2})\s?(?:uhr|h)$/i, '$1:00'));

/** Parses a date with or without a time. "3.5.2030" has one meaning; "3/5/2030" has two. */
function parseDay(text: string): string | null {
  const [, day = '', month = '', year] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? [];
  return parseDateTime(
    year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );
}

/** Returns the end. A clock time before the start is one of the next day. */
function endOf(start: string, text: string | null): string | null {
  if (text === null) return null;
  const full = parseDay(text);
  if (full !== null) return full;
  const clock = clockOf(text);
  if (clock === null || start.length !== 19) return null;
  const end = `${start.slice(0, 10)}T${clock}`;
  if (end > start) return end;
  return `${new Date(Date.parse(`${start.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)}T${clock}`;
}

function ticketsOf(url: string | null, price: string | null) {
  const amount = parsePrice(price);
  const currency = parseCurrency(price);
  if (url === null || amount === null || currency === null) return [];
  return [{ seller: siteHost(url), url, price_min: amount, price_max: amount, currency }];
}
