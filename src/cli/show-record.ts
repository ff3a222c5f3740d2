/** A record as people read it: its members below each other, then what belongs to it as tables. */
import { type Cell, fields, table } from './terminal.ts';

type Member = Record<string, unknown>;
/** One of the record's lists: its beginning, and whether there is more. */
export type List = { data: Member[]; more: boolean };
export type Lists = Record<string, List>;

export function describeRecord(record: Member, lists: Lists): string {
  const own = Object.entries(record)
    .filter(([name]) => !last.includes(name) && !(name in lists))
    .sort(([a], [b]) => first.indexOf(b) - first.indexOf(a));
  const end = last.map((name): [string, unknown] => [name, record[name] ?? null]);
  const pairs = [...own, ...end].map(([name, value]): [string, Cell] => [
    titleOf(name),
    textOf(name, value, record),
  ]);
  const tables = Object.entries(lists)
    .filter(([, { data }]) => data.length > 0)
    .map(([name, { data, more }]) => describeList(name, data, more));
  return [fields(pairs), ...tables].join('\n\n');
}

/** In the reverse of their order. */
const first = ['slug', 'name'];
const last = ['url', 'id', 'updated_at'];

const titles: Record<string, string> = {
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
  duration_seconds: 'Duration',
};
const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return titles[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
};

function textOf(name: string, value: unknown, record: Member): Cell {
  if (value === null || value === undefined) return null;
  if (name === 'start_at' || name === 'end_at') return moment(value, record.timezone !== null);
  if (name.endsWith('_at')) return moment(value, true);
  if (name === 'duration_seconds') return duration(value);
  if (name === 'location') return location(value as Member);
  if (typeof value === 'number')
    return typeof value === 'number' && isCount(name) ? value.toLocaleString('en') : value;
  if (Array.isArray(value)) return value.length === 0 ? null : listed(value as unknown[]);
  return typeof value === 'object' ? entry(value as Member) : (value as Cell);
}

const isCount = (name: string): boolean => /_count$|^(population|capacity)$/.test(name);

/** References in one line, all else one below the other. */
const listed = (values: unknown[]): string =>
  values
    .map((value) => (typeof value === 'object' && value !== null ? entry(value as Member) : String(value)))
    .join(
      values.some((value) => typeof value === 'object' && value !== null && 'url' in value) ? '\n' : ', ',
    );

/** A reference by its name and slug; anything else by its members, without their names where they speak for themselves. */
function entry(value: Member): string | null {
  const { slug, name, city, country, ...rest } = value;
  if ('slug' in value && 'name' in value) {
    const where = [name, city, country].filter(Boolean).join(', ');
    return slug === null ? where || null : `${where} (${String(slug)})`;
  }
  if ('festival' in value) {
    const { festival, edition } = rest as { festival: Member; edition: string };
    return `${String(festival.name)} ${edition} (${String(festival.slug)}/${edition})`;
  }
  const named = 'type' in value || 'external_id' in value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const words = members.map(([member, inner]) => (named ? String(inner) : `${member} ${String(inner)}`));
  return words.length === 0 ? null : words.join(named ? '  ' : ', ');
}

function location({ address, postal_code: code, latitude, longitude }: Member): string | null {
  const place = latitude === null || longitude === null ? null : `${String(latitude)}, ${String(longitude)}`;
  const words = [address, code, place].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(', ');
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Sat 2026-12-31 23:00`, on the clock of the place; of an untrusted clock the day alone. */
function moment(value: unknown, trusted: boolean): string {
  const text = String(value);
  const date = text.slice(0, 10);
  const day = days[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
  const zone = text.endsWith('Z') ? ' UTC' : '';
  return trusted && text.length > 10 ? `${day} ${date} ${text.slice(11, 16)}${zone}` : `${day} ${date}`;
}

function duration(value: unknown): string {
  const seconds = Number(value);
  const pad = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

type Column = readonly [title: string, cell: (row: Member) => Cell];
const plain = (title: string, name: string): Column => [title, (row) => row[name] as Cell];
const nameOf = (value: unknown): Cell =>
  value === null || value === undefined ? null : ((value as Member).name as string);
const placeOf = (row: Member): Cell => [row.city, row.country].filter(Boolean).join(', ') || null;
const when: Column = [
  'WHEN',
  ({ start_at: start, timezone }) => (start ? moment(start, timezone !== null) : null),
];
const slug = plain('SLUG', 'slug');
const name = plain('NAME', 'name');

/** The columns of each list; of those that are empty in every row nothing is shown. */
const columns: Record<string, readonly Column[]> = {
  lineup: [
    name,
    plain('BILLING', 'billing'),
    plain('STAGE', 'stage'),
    ['SET', ({ set_start_at: from, set_end_at: to }) => span(from, to)],
    slug,
  ],
  tickets: [
    plain('SELLER', 'seller'),
    ['PRICE', price],
    plain('AVAILABILITY', 'availability'),
    plain('URL', 'url'),
  ],
  events: [when, name, ['WHERE', ({ venue }) => place(venue as Member | null)], slug],
  editions: [
    plain('EDITION', 'edition'),
    ['WHEN', editionDays],
    ['WHERE', placeOf],
    plain('STATUS', 'status'),
  ],
  roster: [name, plain('COUNTRY', 'country'), slug],
  genres: [name, ['PARENT', ({ parent }) => nameOf(parent)], slug],
  episodes: [
    ['WHEN', ({ published_at: at }) => (at ? String(at).slice(0, 10) : null)],
    plain('NUMBER', 'number'),
    name,
    slug,
  ],
  tracklist: [
    plain('#', 'position'),
    ['AT', ({ start_seconds: at }) => (at === null ? null : duration(at))],
    ['ARTIST', ({ artist_name: artist, identified }) => (artist ?? (identified ? null : 'ID')) as Cell],
    ['TITLE', ({ title, identified }) => (title ?? (identified ? null : 'ID')) as Cell],
    ['LABEL', ({ label_name: label }) => label as Cell],
  ],
};

function describeList(title: string, rows: Member[], more: boolean): string {
  const all = columns[title] ?? [name, slug];
  const used = all.filter(([, cell]) => rows.some((row) => (cell(row) ?? null) !== null));
  const shown = table(
    used.map(([column]) => column),
    rows.map((row) => used.map(([, cell]) => cell(row))),
  );
  const heading = title === 'events' ? 'Upcoming events' : titleOf(title === 'lineup' ? 'line-up' : title);
  return `${heading}\n${shown}${more ? '\n… and more' : ''}`;
}

function place(venue: Member | null): Cell {
  return venue === null ? null : [venue.name, venue.city, venue.country].filter(Boolean).join(', ') || null;
}

/** The days of an edition, as far as they are known. */
function editionDays({ start_at: start, end_at: end }: Member): Cell {
  if (start === null) return null;
  const [from, to] = [String(start).slice(0, 10), end === null ? null : String(end).slice(0, 10)];
  return to === null || to === from ? from : `${from} – ${to}`;
}

function span(from: unknown, to: unknown): Cell {
  if (from === null || from === undefined) return null;
  const [start, end] = [moment(from, true), to ? String(to).slice(11, 16) : ''];
  return end === '' ? start : `${start}–${end}`;
}

function price({ price_min: least, price_max: most, currency }: Member): Cell {
  const [low, high] = [least ?? most, most ?? least];
  if (low === null || low === undefined) return null;
  const amount = low === high ? String(low) : `${String(low)}–${String(high)}`;
  return currency === null ? amount : `${amount} ${String(currency)}`;
}
