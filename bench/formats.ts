/**
 * Reads recorded answers of services with every type of source that may fit, and prints a Markdown table: formats ×
 * recorded files × records × rejected. `npm run bench:formats -- FOLDER… [--why]`. The recorded files are not part of the
 * repository; without a folder, those beside it are read.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGuardedFetch } from '../src/fetch/guarded-fetch.ts';
import { isCityName } from '../src/ingest/import/city-check.ts';
import { parseLine } from '../src/ingest/import/parse-record.ts';
import type { SourceType } from '../src/sources/adapter.ts';
import { readSource } from '../src/sources/read-source.ts';
import { readBenchOptions } from './options.ts';

const recorded = fileURLToPath(new URL('../../shared/data/', import.meta.url));

/** Types that may fit a file, by the end of its name. Of several, the one with the most records counts. */
const typesByEnd: Readonly<Record<string, readonly SourceType[]>> = {
  '.atom': ['podcast'],
  '.csv': ['csv'],
  '.gz': ['discogs', 'musicbrainz', 'feed'],
  '.html': ['jsonld'],
  '.ics': ['ical'],
  '.json': [
    ...(['ticketmaster', 'musicbrainz', 'wordpress', 'gancio', 'mobilizon', 'squarespace'] as const),
    ...(['eventbrite', 'tickettailor', 'seatgeek', 'wikidata', 'openstreetmap', 'jsonld'] as const),
  ],
  '.ndjson': ['feed', 'musicbrainz'],
  '.rss': ['podcast'],
  '.tsv': ['csv'],
  '.xml': ['podcast', 'discogs'],
};

/** Options that read everything: records outside of the catalogue's subject test a parser as well. */
const optionsOf: Readonly<Partial<Record<SourceType, Record<string, string>>>> = {
  musicbrainz: { genres: 'all' },
  ticketmaster: { segment: '*' },
  // Files need no key; only its absence is refused.
  eventbrite: { apikey: 'none' },
  seatgeek: { apikey: 'none' },
  tickettailor: { apikey: 'none' },
};

type Rejection = { where: string; reason: string };
type Reading = {
  type: SourceType;
  /** Records by kind. */
  kinds: Map<string, number>;
  count: number;
  rejected: Rejection[];
  skipped: number;
  /** Why the file is not of the type, or why it was not read whole. */
  problem: string | null;
};

/** Reads a file as a source of a type. A failure is a result. */
async function readAs(type: SourceType, path: string): Promise<Reading> {
  const reading: Reading = { type, kinds: new Map(), count: 0, rejected: [], skipped: 0, problem: null };
  const { records, end } = readSource({
    type,
    location: path,
    now: statSync(path).mtimeMs,
    options: { pause: '0', ...optionsOf[type] },
    fetch: createGuardedFetch({ allow: [], userAgent: 'cratebase-formats' }),
    onSkipped: () => reading.skipped++,
    isCity: isCityName,
  });
  try {
    for await (const item of records) {
      if ('rejected' in item) reading.rejected.push(item.rejected);
      else takeRecord(item, reading);
    }
    const ended = end();
    reading.problem = ended.ended === 'partial' ? ended.reason : null;
  } catch (failure) {
    reading.problem = failure instanceof Error ? (failure.message.split('\n')[0] ?? '') : String(failure);
  }
  return reading;
}

/** Counts a record, or why the import would reject it. */
function takeRecord({ record, where = '' }: { record: unknown; where?: string }, reading: Reading): void {
  try {
    const { kind } = parseLine(JSON.stringify(record));
    reading.kinds.set(kind, (reading.kinds.get(kind) ?? 0) + 1);
    reading.count++;
  } catch (failure) {
    reading.rejected.push({ where, reason: (failure as Error).message });
  }
}

/** Reads a file as what it fits best; null if no type is known for its name. */
async function readBest(path: string): Promise<Reading | null> {
  const types = typesByEnd[extname(path).toLowerCase()] ?? [];
  const readings: Reading[] = [];
  for (const type of types) readings.push(await readAs(type, path));
  // A file that fits nothing has no rejected records, unless its ending allows one type only.
  if (types.length > 1 && readings.every(({ count }) => count === 0)) return null;
  return (
    readings.toSorted((a, b) => b.count - a.count || a.rejected.length - b.rejected.length).at(0) ?? null
  );
}

/** The files of a folder and the folders in it, sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

type Row = {
  files: number;
  withRecords: number;
  kinds: Map<string, number>;
  rejected: number;
  skipped: number;
};
const rows = new Map<string, Row>();
const notes: string[] = [];

function addTo(row: Row, reading: Reading): void {
  row.files++;
  row.withRecords += reading.count > 0 ? 1 : 0;
  row.rejected += reading.rejected.length;
  row.skipped += reading.skipped;
  for (const [kind, count] of reading.kinds) row.kinds.set(kind, (row.kinds.get(kind) ?? 0) + count);
}

async function readFolder(folder: string): Promise<void> {
  for (const path of filesIn(folder)) {
    const reading = await readBest(path);
    const where = path.slice(folder.length).replace(/^\//, '');
    const format = reading === null ? `(${extname(path) || 'no ending'})` : reading.type;
    const group = where.includes('/') ? where.slice(0, where.indexOf('/')) : (folder.split('/').at(-1) ?? '');
    const key = reading !== null && reading.count > 0 ? `${format} | ${group}` : `– | ${group}`;
    const row = rows.get(key) ?? { files: 0, withRecords: 0, kinds: new Map(), rejected: 0, skipped: 0 };
    rows.set(key, row);
    if (reading === null) {
      row.files++;
      continue;
    }
    addTo(row, reading);
    for (const { reason } of reading.rejected) notes.push(`${where} (${reading.type}): ${reason}`);
    if (reading.problem !== null && reading.count > 0)
      notes.push(`${where} (${reading.type}): not whole: ${reading.problem}`);
  }
}

const usage = `npm run bench:formats -- [FOLDER…] [--why]
  FOLDER  recorded answers to read (those beside the repository)
  --why   also list why records and files are rejected`;
const { values, positionals: folders } = readBenchOptions(usage, {
  allowPositionals: true,
  options: { why: { type: 'boolean', default: false } },
});
if (folders.length === 0 && !existsSync(recorded)) throw new Error(`name a folder; ${recorded} is not here`);
for (const folder of folders.length > 0 ? folders : [recorded]) await readFolder(folder.replace(/\/$/, ''));

const total = [...rows.values()].reduce((sum, { files }) => sum + files, 0);
console.log(
  '| Format | Folder | Files | With records | Records | Rejected | Skipped |\n|---|---|---|---|---|---|---|',
);
for (const [key, { files, withRecords, kinds, rejected, skipped }] of [...rows].sort()) {
  const byKind = [...kinds].map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`).join(', ');
  console.log(`| ${key} | ${files} | ${withRecords} | ${byKind || '0'} | ${rejected} | ${skipped} |`);
}
console.log(`\n${total} files.`);
if (values.why) console.log(`\n${notes.map((note) => `- ${note.slice(0, 300)}`).join('\n')}`);
