/** Lists and places as rows of a form: line-up, tickets, links, aliases, and the venue of an event. */
import { Failure } from '../../failure.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { translatedCode } from '../refusals.ts';

/**
 * The inputs of a row by the type of its field; the first one of a list names the entry. `record` is hidden: it tells artists
 * of one name apart.
 */
export const columnsOfType = {
  acts: ['name', 'billing', 'stage', 'set_start_at', 'set_end_at', 'record'],
  artists: ['name', 'record'],
  names: ['name'],
  links: ['url', 'type'],
  tickets: ['seller', 'url', 'price_min', 'price_max', 'currency', 'availability'],
  place: ['name', 'city', 'country'],
} as const;
export type RowType = keyof typeof columnsOfType;
export type Column = (typeof columnsOfType)[RowType][number];
/** The texts of a row by the names of its inputs. */
export type Row = Readonly<Partial<Record<Column, string>>>;

/** Lists with more entries are edited as text: a page with thousands of inputs is slow. */
const maxShownRows = 100;
const maxRows = 300;
const emptyRows = 2;
export const moreRows = 5;

/** Returns the type of a field that is edited in rows; null if it is edited in another way. */
export function rowTypeOf({ type, value }: { type: string; value: unknown }): RowType | null {
  if (!Object.hasOwn(columnsOfType, type)) return null;
  return Array.isArray(value) && value.length > maxShownRows ? null : (type as RowType);
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

function rowOf(type: RowType, entry: unknown): Row {
  if (typeof entry === 'string') return { name: entry };
  const members = withRecord(entry);
  return Object.fromEntries(columnsOfType[type].map((column) => [column, textOf(members[column])]));
}

/** The ids of references are slugs of this catalogue. */
function withRecord(entry: unknown): Record<string, unknown> {
  const members = (entry ?? {}) as Record<string, unknown>;
  const slug = members.external_id;
  return typeof slug === 'string' ? { ...members, record: `artist/${slug}` } : members;
}

/** Returns the rows of a value. */
export function rowsOfValue(type: RowType, value: unknown): Row[] {
  if (type === 'place') return [rowOf(type, value)];
  return Array.isArray(value) ? value.map((entry) => rowOf(type, entry)) : [];
}

/** Adds empty rows to write into. */
export const withEmptyRows = (type: RowType, rows: readonly Row[], count = emptyRows): Row[] =>
  type === 'place' ? [...rows] : [...rows, ...Array.from({ length: count }, (): Row => ({}))];

/** Returns the rows of a form as they were sent, with empty ones; null if the form has none for the field. */
export function sentRows(form: URLSearchParams, field: string, type: RowType): Row[] | null {
  const count = Number(form.get(`rows.${field}`) ?? Number.NaN);
  if (!Number.isInteger(count) || count < 0) return null;
  return Array.from({ length: Math.min(count, maxRows) }, (_, at) =>
    Object.fromEntries(
      columnsOfType[type].map((column) => [column, (form.get(`${field}.${at}.${column}`) ?? '').trim()]),
    ),
  );
}

const isEmpty = (row: Row): boolean =>
  Object.entries(row).every(([column, text]) => text === '' || column === 'record');
const isSameRow = (one: Row, other: Row): boolean =>
  Object.entries({ ...one, ...other }).every(
    ([column]) => (one[column as Column] ?? '').trim() === (other[column as Column] ?? '').trim(),
  );

/** Whether rows differ from those of a value; empty rows do not count. */
export function areChanged(type: RowType, rows: readonly Row[], value: unknown): boolean {
  const [after, before] = [rows, rowsOfValue(type, value)].map((list) =>
    list.filter((row) => !isEmpty(row)),
  ) as [Row[], Row[]];
  return after.length !== before.length || after.some((row, at) => !isSameRow(row, before[at] as Row));
}

type Words = Messages['consoleRecords']['rows'];

/** Parses a price; undefined for none. */
function priceOf(text: string, problem: () => Failure): number | undefined {
  if (text === '') return undefined;
  if (!/^\d{1,9}(?:[.,]\d{1,2})?$/.test(text)) throw problem();
  return Number(text.replace(',', '.'));
}

/**
 * Returns the value of rows as the feed format has it; null for none. An entry whose name was there before keeps what the
 * form does not show, such as its id. Throws a `Failure` that names the input.
 * @param before the value that the form showed
 */
export function valueOfRows(
  { field, type, before }: { field: string; type: RowType; before: unknown },
  rows: readonly Row[],
  words: Words,
): unknown {
  const entriesBefore = Array.isArray(before) ? [...before] : before === null ? [] : [before];
  const entries = rows.flatMap((row, at) => {
    if (isEmpty(row)) return [];
    const invalid = (column: Column, text: string) =>
      new Failure(text, 2, { field: `${field}.${at}.${column}`, code: translatedCode });
    return [entryOf(type, row, at, { entriesBefore, invalid, words })];
  });
  if (type === 'place') return entries[0] ?? null;
  // Text, so that the type of a link without one is found by its host.
  return entries.length === 0 ? null : type === 'links' ? JSON.stringify(entries) : entries;
}

type RowContext = {
  /** The entries before; one that is used again is taken out. */
  entriesBefore: unknown[];
  invalid: (column: Column, text: string) => Failure;
  words: Words;
};

function entryOf(
  type: RowType,
  row: Row,
  at: number,
  { entriesBefore, invalid, words }: RowContext,
): unknown {
  const [key] = columnsOfType[type] as readonly [Column];
  const name = row[key] ?? '';
  if (name === '') {
    const text = type === 'place' ? words.venueMissing : words.nameMissing(at + 1);
    throw invalid(key, type === 'links' ? words.urlMissing(at + 1) : text);
  }
  if (type === 'names') return name;
  if (type === 'tickets' && (row.url ?? '') === '') throw invalid('url', words.urlMissing(at + 1));
  if (type === 'links' && (row.type ?? '') === '') return name;
  const isNamed = (entry: unknown) => (entry as Record<string, unknown> | null)?.[key] === name;
  const isChosen = (entry: unknown) => isNamed(entry) && withRecord(entry).record === row.record;
  const ownIndex = entriesBefore.findIndex(isChosen);
  const index = ownIndex < 0 ? entriesBefore.findIndex(isNamed) : ownIndex;
  const before = index < 0 ? {} : (entriesBefore.splice(index, 1)[0] as Record<string, unknown>);
  // The ids of the form are slugs of this catalogue, no ids of a source.
  const { external_id: _, ...members } = before as Record<string, unknown>;
  for (const column of columnsOfType[type]) {
    const text = row[column] ?? '';
    const isPrice = column === 'price_min' || column === 'price_max';
    const value = isPrice ? priceOf(text, () => invalid(column, words.price(at + 1))) : text;
    if (value === undefined || value === '') delete members[column];
    else members[column] = value;
  }
  // A name that was written over names another artist.
  if (ownIndex < 0) delete members.record;
  return members;
}
