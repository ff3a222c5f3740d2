/** `import`: files of any type into the catalogue, in its turn (feed.md, Sources). */
import type Database from 'better-sqlite3';
import type { GuardedFetch } from '../fetch/fetch.ts';
import { type ImportReport, importFeed, type Rejected } from './import.ts';
import type { Incoming } from './lines.ts';
import type { SourceType } from './sources/adapter.ts';
import { readSource } from './sources/read-source.ts';
import { inTurn } from './turn.ts';

export type ImportFilesOptions = {
  source: string;
  type: string;
  trust?: number | undefined;
  clock?: 'instant' | 'local' | undefined;
  complete?: boolean | undefined;
  force?: boolean | undefined;
  /** What the adapter of the type may be told. */
  options: Readonly<Record<string, string>>;
  /** ms since 1970. */
  now: number;
  fetch: GuardedFetch;
  /** Feeds as bytes; other types are read from `files` by their adapter. */
  input: AsyncIterable<Uint8Array>;
  files: readonly string[];
  onWait?: ((what: string) => void) | undefined;
  onProgress?: ((progress: { lines: number }) => void) | undefined;
  onRejected?: ((rejected: Rejected) => void) | undefined;
};

/**
 * Reads all files as one feed of the source.
 * @throws Failure where one cannot be read; what was committed until then stays
 */
export function importFiles(sqlite: Database.Database, options: ImportFilesOptions): Promise<ImportReport> {
  const { source, type, trust, clock, complete = false, force, now, onProgress, onRejected } = options;
  const common = { source, type, trust, clock, force, now, onProgress, onRejected };
  const turn = { what: `an import of ${source}`, wait: true, onWait: options.onWait };
  return inTurn(sqlite, turn, async () => {
    if (type === 'feed') return await importFeed(sqlite, { ...common, complete, input: options.input });
    const runs = options.files.map((file) => runOf(file, options));
    const report = await importFeed(sqlite, {
      ...common,
      complete: () => complete && runs.every(({ end }) => end().ended === 'whole'),
      records: inTurnOf(runs),
    });
    const cut = runs.map(({ end }) => end()).find(({ ended }) => ended === 'partial');
    return cut?.ended === 'partial' && report.refused === null ? { ...report, refused: cut.reason } : report;
  });
}

type Run = ReturnType<typeof readSource>;

const runOf = (file: string, { type, complete = false, options, now, fetch }: ImportFilesOptions): Run =>
  readSource({ type: type as SourceType, location: file, complete, options, now, fetch });

async function* inTurnOf(runs: readonly Run[]): AsyncGenerator<Incoming> {
  for (const run of runs) yield* run.records;
}
