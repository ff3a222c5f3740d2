/** Imports the labelled records of venues, artists, labels and festivals (bench/listings) and counts which became one record. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { openDatabase } from '../src/store/database.ts';
import type { Judged } from './matching-figures.ts';
import { pairsOf, seedCities } from './matching-listings.ts';
import { importLines } from './matching-whole.ts';

export const recordFiles = ['records', 'directories', 'registers'] as const;
export type RecordFile = (typeof recordFiles)[number];

type RecordLine = { kind: string; external_id: string; name: string } & Record<string, unknown>;
/** A source record: the number of its record in the scene, and its source. */
type LabelledRecord = { thing: number; source: string; record: RecordLine };
type RecordScene = {
  scene: string;
  tag: string;
  records: LabelledRecord[];
  /** Events that refer to the records. */
  events?: { source: string; event: object }[];
};

/** The scenes of a file. */
export function readRecordScenes(file: RecordFile): RecordScene[] {
  const path = fileURLToPath(new URL(`listings/${file}.ndjson`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: it belongs to the source tree`);
  return linesOf(path).map((line) => JSON.parse(line) as RecordScene);
}

const linesOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/**
 * Imports the scenes into a fresh file, source by source (the last first, if `reversed`).
 * @returns every pair of records of one kind and scene, and every pair that was matched across scenes
 */
export async function importRecords(scenes: readonly RecordScene[], reversed = false): Promise<Judged[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-records-'));
  const sqlite = openDatabase(join(folder, 'records.db'), { create: true });
  try {
    const feeds = [...feedsOf(scenes)].sort(([a], [b]) => (a < b ? -1 : 1));
    if (reversed) feeds.reverse();
    await importLines(sqlite, 'cities', linesOf(seedCities));
    for (const [source, lines] of feeds) await importLines(sqlite, source, lines);
    return judged(scenes, recordOf(sqlite));
  } finally {
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function feedsOf(scenes: readonly RecordScene[]): Map<string, string[]> {
  const feeds = new Map<string, string[]>();
  const add = (source: string, line: object) =>
    feeds.set(source, [...(feeds.get(source) ?? []), JSON.stringify(line)]);
  for (const { records, events = [] } of scenes) {
    for (const { source, record } of records) add(source, record);
    for (const { source, event } of events) add(source, event);
  }
  return feeds;
}

type RecordOf = (labelled: LabelledRecord) => number;

function recordOf(sqlite: Database.Database): RecordOf {
  const find = sqlite
    .prepare(
      `SELECT p.record_id FROM source_records p JOIN sources s ON s.id = p.source_id
       WHERE s.name = ? AND p.kind = ? AND p.external_id = ?`,
    )
    .pluck();
  return ({ source, record }) => find.get(source, record.kind, record.external_id) as number;
}

function judged(scenes: readonly RecordScene[], record: RecordOf): Judged[] {
  const within = scenes.flatMap(({ scene, tag, records }) =>
    pairsOf(records)
      .filter(([a, b]) => a.record.kind === b.record.kind)
      .map(([a, b]) => pairOf(`${scene} ${tag}`, a, b, a.thing === b.thing, record)),
  );
  const all = scenes.flatMap(({ scene, records }) => records.map((one) => ({ scene, one })));
  const across = pairsOf(all)
    .filter(([a, b]) => a.scene !== b.scene && record(a.one) === record(b.one))
    .map(([a, b]) => pairOf(`${a.scene} and ${b.scene}`, a.one, b.one, false, record));
  return [...within, ...across];
}

function pairOf(
  where: string,
  a: LabelledRecord,
  b: LabelledRecord,
  same: boolean,
  record: RecordOf,
): Judged {
  return {
    tag: a.record.kind,
    same,
    found: record(a) === record(b),
    describe: () => `${where}\n  ${brief(a)}\n  ${brief(b)}`,
  };
}

const brief = ({ source, record }: LabelledRecord): string => `${source} ${JSON.stringify(record)}`;
