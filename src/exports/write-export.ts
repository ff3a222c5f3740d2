/**
 * Writes an export: files of all records of one state of the catalogue, with a manifest. They appear together by
 * renaming a folder; a process killed meanwhile leaves no half file (docs/decisions/33-changes-and-exports.md).
 */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { recordLine } from '../catalogue/mirror/change-walk.ts';
import { documentFormat, RecordDocuments } from '../catalogue/mirror/documents.ts';
import type { Kind } from '../contract/fields.ts';
import { CreditReader } from '../store/export/credits.ts';
import { exportLines, exportOrder } from '../store/export/export.ts';
import { fsyncFile, fsyncParentDirectory } from '../store/file/fsync.ts';
import { readRevision } from '../store/file/maintenance.ts';
import { createScratchDirectory } from '../store/file/scratch-directory.ts';
import { Snapshot } from '../store/file/snapshot.ts';
import { ChangedRecords } from '../store/mirror/changed-records.ts';
import { readEpoch } from '../store/mirror/epoch.ts';
import { ExportedRecords } from '../store/mirror/exported-records.ts';
import { RecordReferences } from '../store/mirror/record-references.ts';
import { openCatalogueReader } from '../store/reader.ts';
import { withBaseUrl } from '../store/records/serialize.ts';
import { SourceCredits } from '../store/resolution/source-credits.ts';
import { type ExportedFile, type ExportManifest, manifestName } from './manifest.ts';
import { ParquetSink } from './parquet-sink.ts';
import { CsvSink, type ExportFormat, LineSink, type Sink, type WrittenFile } from './sinks.ts';

export type WriteExportOptions = {
  formats: readonly ExportFormat[];
  name: string;
  /** ms since 1970. */
  now: number;
  baseUrl: string;
  service: string;
  attribution: string | null;
  onRecords?: (count: number) => void;
};

const batchSize = 500;

/**
 * Writes an export to the folder `target`, which must not exist; its parent must.
 * @param sqlite a connection that is used for nothing else meanwhile
 */
export async function writeExport(
  sqlite: Database.Database,
  target: string,
  parent: string,
  options: WriteExportOptions,
): Promise<ExportManifest> {
  const scratch = createScratchDirectory(parent, 'export');
  try {
    const draft = join(scratch.path, 'files');
    mkdirSync(draft, { mode: 0o755 });
    const { written, ...state } = await writeFiles(sqlite, draft, options);
    const files: ExportedFile[] = [];
    for (const file of written) files.push({ ...file, ...(await describeFile(join(draft, file.name))) });
    const manifest: ExportManifest = {
      manifest_version: 1,
      export: options.name,
      revision: state.revision,
      epoch: state.epoch,
      created_at: new Date(options.now).toISOString(),
      base_url: options.baseUrl,
      service: options.service,
      attribution: options.attribution,
      sources: state.sources,
      records: state.records,
      files,
    };
    const path = join(draft, manifestName);
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o644 });
    for (const { name } of [...files, { name: manifestName }]) fsyncFile(join(draft, name));
    fsyncParentDirectory(path);
    renameSync(draft, target);
    fsyncParentDirectory(target);
    return manifest;
  } finally {
    scratch.remove();
  }
}

type WrittenState = Pick<ExportManifest, 'revision' | 'epoch' | 'sources' | 'records'> & {
  written: WrittenFile[];
};

async function writeFiles(
  sqlite: Database.Database,
  folder: string,
  options: WriteExportOptions,
): Promise<WrittenState> {
  const { formats } = options;
  const snapshot = new Snapshot(sqlite);
  const sinks: Sink[] = [];
  try {
    const revision = readRevision(snapshot.sqlite);
    const epoch = readEpoch(snapshot.sqlite, documentFormat);
    const metadata = { revision: String(revision), epoch, base_url: options.baseUrl };
    const lines = formats.includes('ndjson') ? new LineSink(folder, 'ndjson') : null;
    if (lines !== null) sinks.push(lines);
    if (formats.includes('csv')) sinks.push(new CsvSink(folder));
    if (formats.includes('parquet')) sinks.push(new ParquetSink(folder, metadata));
    const records = await writeRecords(snapshot, sinks, options);
    await lines?.writeEnd(JSON.stringify({ change: 'end', revision, epoch, has_more: false }));
    const sources = new SourceCredits(snapshot.sqlite).list();
    if (formats.includes('feed')) {
      const feed = new LineSink(folder, 'feed');
      sinks.push(feed);
      await writeFeed(snapshot, feed);
    }
    const written: WrittenFile[] = [];
    for (const sink of sinks) written.push(...(await sink.close()));
    return { revision, epoch, sources, records, written };
  } catch (failure) {
    for (const sink of sinks) sink.abandon();
    throw failure;
  } finally {
    snapshot.close();
  }
}

/** Writes the records of all kinds to the sinks, and returns their numbers. */
async function writeRecords(
  snapshot: Snapshot,
  sinks: readonly Sink[],
  { baseUrl, onRecords }: WriteExportOptions,
): Promise<Partial<Record<Kind, number>>> {
  const counts: Partial<Record<Kind, number>> = {};
  let total = 0;
  for (const kind of exportOrder) {
    counts[kind] = 0;
    for (const sink of sinks) await sink.write(kind, []);
    let from: Database.Database | null = null;
    let readBatch: BatchReader = () => [];
    for (let after = 0; ; ) {
      // The snapshot may have moved to a copy since the last batch.
      if (from !== snapshot.sqlite) readBatch = batchReader(snapshot.sqlite, kind);
      from = snapshot.sqlite;
      const batch = readBatch(after);
      const last = batch.at(-1);
      if (last === undefined) break;
      after = last.id;
      const lines = batch.map(({ line }) => withBaseUrl(line, baseUrl));
      for (const sink of sinks) await sink.write(kind, lines);
      await snapshot.releaseLog();
      counts[kind] += lines.length;
      total += lines.length;
      onRecords?.(total);
    }
  }
  return counts;
}

type BatchReader = (after: number) => { id: number; line: string }[];

/** Reads the lines of the next records of a kind, with the credited listings of each. */
function batchReader(sqlite: Database.Database, kind: Kind): BatchReader {
  const ids = new ExportedRecords(sqlite, kind);
  const credits = new CreditReader(sqlite, kind);
  const documents = new RecordDocuments(openCatalogueReader(sqlite), new RecordReferences(sqlite));
  const mirror = { records: new ChangedRecords(sqlite), documents };
  return (after) => {
    const batch = ids.page(after, batchSize);
    const sources = credits.of(batch);
    return batch.map((record) => {
      const line = recordLine(mirror, { ...record, kind });
      const credited = sources.get(record.id);
      // Events have their listings in `data`.
      if (credited === undefined || kind === 'event') return { id: record.id, line };
      return { id: record.id, line: `${line.slice(0, -1)},"sources":${JSON.stringify(credited)}}` };
    });
  };
}

/** Writes the catalogue in the feed format, which another cratebase can import, from the same state. */
async function writeFeed(snapshot: Snapshot, feed: LineSink): Promise<void> {
  for (const lines of exportLines(snapshot, { since: 0 })) {
    await feed.write(null, lines);
    await snapshot.releaseLog();
  }
}

/** The size and the digest of a file. */
async function describeFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return { bytes: statSync(path).size, sha256: hash.digest('hex') };
}
