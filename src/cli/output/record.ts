/** Text form of a record: its fields one per line, then its lists as tables. */
import { type Cell, formatFields, formatTable } from './terminal.ts';

type JsonObject = Record<string, unknown>;
/** The first entries of a list, and whether there are more. */
export type RecordList = { data: JsonObject[]; more: boolean };
export type RecordLists = Record<string, RecordList>;

/**
 * Returns a record as text: slug and name first, then its fields without empty ones, then a table for each list
 * that has entries.
 * @param record as the API shows it
 * @param lists by name; a field of the record with the same name is left out
 */
export function describeRecord(record: JsonObject, lists: RecordLists): string {
  const own = Object.entries(record)
    .filter(([name]) => !trailingFields.includes(name) && !(name in lists))
    .sort(([a], [b]) => leadingFields.indexOf(b) - leadingFields.indexOf(a));
  const end = trailingFields.map((name): [string, unknown] => [name, record[name] ?? null]);
  const pairs = [...own, ...end].map(([name, value]): [string, Cell] => [
    fieldTitle(name),
    formatField(name, value, record),
  ]);
  const tables = Object.entries(lists)
    .filter(([, { data }]) => data.length > 0)
    .map(([name, { data, more }]) => describeList(name, data, more));
  return [formatFields(pairs), ...tables].join('\n\n');
}

/** Last one first. */
const leadingFields = ['slug', 'name'];
const trailingFields = ['url', 'id', 'updated_at'];

const fieldTitles: Record<string, string> = {
  start_at: 'Starts',
  end_at: 'Ends',
  updated_at: 'Updated',
  published_at: 'Published',
  latest_episode_at: 'Latest',
  minimum_age: 'From age',
  url: 'Page',
  image_url: 'Image',
  audio_url: 'Audio',
  feed_url: 'Feed',
  external_ids: 'Elsewhere',
  upcoming_event_count: 'Upcoming events',
  closed_at: 'Closed',
  ended_at: 'Ended',
  duration_seconds: 'Duration',
};
const fieldTitle = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return fieldTitles[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
};

function formatField(name: string, value: unknown, record: JsonObject): Cell {
  if (value === null || value === undefined) return null;
  if (name === 'start_at' || name === 'end_at') return formatTime(value, record.timezone !== null);
  // A year, a month or a day.
  if (name === 'closed_at' || name === 'ended_at') return String(value);
  if (name.endsWith('_at')) return formatTime(value, true);
  if (name === 'duration_seconds') return formatDuration(value);
  if (name === 'location') return formatLocation(value as JsonObject);
  if (typeof value === 'number') return isCountField(name) ? value.toLocaleString('en') : value;
  if (Array.isArray(value)) return value.length === 0 ? null : formatList(value as unknown[]);
  return typeof value === 'object' ? formatEntry(value as JsonObject) : (value as Cell);
}

const isCountField = (name: string): boolean => /_count$|^(population|capacity)$/.test(name);

/** Puts references on lines of their own, and joins other values with commas. */
const formatList = (values: unknown[]): string =>
  values
    .map((value) =>
      typeof value === 'object' && value !== null ? formatEntry(value as JsonObject) : String(value),
    )
    .join(
      values.some((value) => typeof value === 'object' && value !== null && 'url' in value) ? '\n' : ', ',
    );

/** Formats a reference as name and slug, any other object as its fields; with a type or an id, without field names. */
function formatEntry(value: JsonObject): string | null {
  const { slug, name, city, country, ...rest } = value;
  if ('slug' in value && 'name' in value) {
    const where = [name, city, country].filter(Boolean).join(', ');
    return slug === null ? where || null : `${where} (${String(slug)})`;
  }
  if ('festival' in value) {
    const { festival, edition } = rest as { festival: JsonObject; edition: string };
    return `${String(festival.name)} ${edition} (${String(festival.slug)}/${edition})`;
  }
  const isTyped = 'type' in value || 'external_id' in value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const words = members.map(([member, inner]) => (isTyped ? String(inner) : `${member} ${String(inner)}`));
  return words.length === 0 ? null : words.join(isTyped ? '  ' : ', ');
}

function formatLocation({ address, postal_code: code, latitude, longitude }: JsonObject): string | null {
  const place = latitude === null || longitude === null ? null : `${String(latitude)}, ${String(longitude)}`;
  const words = [address, code, place].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(', ');
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Formats a local time: `Sat 2026-12-31 23:00`; the day alone if the time zone is unknown. */
function formatTime(value: unknown, trusted: boolean): string {
  const text = String(value);
  const date = text.slice(0, 10);
  const day = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
  const zone = text.endsWith('Z') ? ' UTC' : '';
  return trusted && text.length > 10 ? `${day} ${date} ${text.slice(11, 16)}${zone}` : `${day} ${date}`;
}

function formatDuration(value: unknown): string {
  const seconds = Number(value);
  const pad = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

type RecordColumn = readonly [title: string, cell: (row: JsonObject) => Cell];
const fieldColumn = (title: string, name: string): RecordColumn => [title, (row) => row[name] as Cell];
const referenceName = (value: unknown): Cell =>
  value === null || value === undefined ? null : ((value as JsonObject).name as string);
const cityAndCountry = (row: JsonObject): Cell => [row.city, row.country].filter(Boolean).join(', ') || null;
const startColumn: RecordColumn = [
  'WHEN',
  ({ start_at: start, timezone }) => (start ? formatTime(start, timezone !== null) : null),
];
const slugColumn = fieldColumn('SLUG', 'slug');
const nameColumn = fieldColumn('NAME', 'name');

/** The columns of each list. A column that is empty in every row is left out. */
const columns: Record<string, readonly RecordColumn[]> = {
  lineup: [
    nameColumn,
    fieldColumn('BILLING', 'billing'),
    fieldColumn('STAGE', 'stage'),
    ['SET', ({ set_start_at: from, set_end_at: to }) => formatTimeRange(from, to)],
    slugColumn,
  ],
  tickets: [
    fieldColumn('SELLER', 'seller'),
    ['PRICE', formatPrice],
    fieldColumn('AVAILABILITY', 'availability'),
    fieldColumn('URL', 'url'),
  ],
  events: [
    startColumn,
    nameColumn,
    ['WHERE', ({ venue }) => venuePlace(venue as JsonObject | null)],
    slugColumn,
  ],
  editions: [
    fieldColumn('EDITION', 'edition'),
    ['WHEN', formatEditionDays],
    ['WHERE', cityAndCountry],
    fieldColumn('STATUS', 'status'),
  ],
  roster: [nameColumn, fieldColumn('COUNTRY', 'country'), slugColumn],
  genres: [nameColumn, ['PARENT', ({ parent }) => referenceName(parent)], slugColumn],
  episodes: [
    ['WHEN', ({ published_at: at }) => (at ? String(at).slice(0, 10) : null)],
    fieldColumn('NUMBER', 'number'),
    nameColumn,
    slugColumn,
  ],
  tracklist: [
    fieldColumn('#', 'position'),
    ['AT', ({ start_seconds: at }) => (at === null ? null : formatDuration(at))],
    ['ARTIST', ({ artist_name: artist, identified }) => (artist ?? (identified ? null : 'ID')) as Cell],
    ['TITLE', ({ title, identified }) => (title ?? (identified ? null : 'ID')) as Cell],
    ['LABEL', ({ label_name: label }) => label as Cell],
  ],
};

function describeList(title: string, rows: JsonObject[], more: boolean): string {
  const all = columns[title] ?? [nameColumn, slugColumn];
  const usedColumns = all.filter(([, cell]) => rows.some((row) => (cell(row) ?? null) !== null));
  const table = formatTable(
    usedColumns.map(([column]) => column),
    rows.map((row) => usedColumns.map(([, cell]) => cell(row))),
  );
  const heading = title === 'events' ? 'Upcoming events' : fieldTitle(title === 'lineup' ? 'line-up' : title);
  return `${heading}\n${table}${more ? '\n… and more' : ''}`;
}

function venuePlace(venue: JsonObject | null): Cell {
  return venue === null ? null : [venue.name, venue.city, venue.country].filter(Boolean).join(', ') || null;
}

/** Formats the first and the last day of an edition. */
function formatEditionDays({ start_at: start, end_at: end }: JsonObject): Cell {
  if (start === null) return null;
  const [from, to] = [String(start).slice(0, 10), end === null ? null : String(end).slice(0, 10)];
  return to === null || to === from ? from : `${from} – ${to}`;
}

function formatTimeRange(from: unknown, to: unknown): Cell {
  if (from === null || from === undefined) return null;
  const [start, end] = [formatTime(from, true), to ? String(to).slice(11, 16) : ''];
  return end === '' ? start : `${start}–${end}`;
}

function formatPrice({ price_min: min, price_max: max, currency }: JsonObject): Cell {
  const [low, high] = [min ?? max, max ?? min];
  if (low === null || low === undefined) return null;
  const amount = low === high ? String(low) : `${String(low)}–${String(high)}`;
  return currency === null ? amount : `${amount} ${String(currency)}`;
}
