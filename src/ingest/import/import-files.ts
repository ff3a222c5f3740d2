/** `import`: files of any type into the catalogue, in its turn (docs/spec/imports.md#sources). */
import type Database from 'better-sqlite3';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import type { SourceType } from '../../sources/adapter.ts';
import type { AdapterItem, RecordKey } from '../../sources/common/input-items.ts';
import { InvalidInputLimit } from '../../sources/common/invalid-input-limit.ts';
import { readSource, type Skipped, SkippedItems } from '../../sources/read-source.ts';
import { ScheduleStore } from '../../store/schedule/schedules.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { withWriteLease } from '../write-lock/write-lease.ts';
import { type ImportReport, importFeed, type RejectedItem } from './import-feed.ts';

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
  /** Ends the work at a committed batch; aborted with an `Interrupted`. */
  signal?: AbortSignal | undefined;
  onWait?: ((what: string) => void) | undefined;
  onProgress?: ((progress: { lines: number }) => void) | undefined;
  onRejected?: ((rejected: RejectedItem) => void) | undefined;
  onMatched?: ((subject: RecordKey) => void) | undefined;
};

/** What an import did, and what it passed over on purpose. */
export type ImportFilesReport = ImportReport & ReturnType<SkippedItems['toReport']>;

/**
 * Reads all files as one feed of the source; of a folder, the files in it that are of the type.
 * @throws Failure where one cannot be read; what was committed until then stays
 */
export function importFiles(
  sqlite: Database.Database,
  options: ImportFilesOptions,
): Promise<ImportFilesReport> {
  const {
    source,
    type,
    trust,
    clock,
    complete = false,
    force,
    now,
    onProgress,
    onRejected,
    onMatched,
    signal,
  } = options;
  const common = { source, type, trust, clock, force, now, onProgress, onRejected, onMatched, signal };
  const skips = new SkippedItems();
  const turn = {
    what: `an import of ${source}`,
    wait: true,
    isWatched: signal !== undefined,
    onWait: options.onWait,
    signal,
  };
  return withWriteLease(sqlite, turn, async () => {
    // What a sync remembers of its pages, this may overrule.
    await new LockRetry(sqlite, signal).write(() => new ScheduleStore(sqlite).clearPages(source));
    if (type === 'feed') {
      const report = await importFeed(sqlite, { ...common, complete, ...stopOnInvalidInput(options) });
      return { ...report, ...skips.toReport() };
    }
    const runs = startReads(options, skips);
    const report = await importFeed(sqlite, {
      ...common,
      complete: () => complete && runs.every(({ end }) => end().ended === 'whole'),
      records: chainRecords(runs),
    });
    const cut = runs.map(({ end }) => end()).find(({ ended }) => ended === 'partial');
    const refused = report.refused ?? (cut?.ended === 'partial' ? cut.reason : null);
    return { ...report, ...skips.toReport(), refused };
  });
}

/** The input, left once it goes on without a line that can be taken (`sources/common/invalid-input-limit.ts`). */
function stopOnInvalidInput({ input, files, onRejected, onProgress }: ImportFilesOptions) {
  const [first = '-'] = files;
  const barren = new InvalidInputLimit(
    files.length > 1 ? 'The input' : first === '-' ? 'Standard input' : first,
  );
  let [rejected, good] = [0, 0];
  let end: { failure: unknown } | null = null;
  // Thrown where the input is read, so that what was taken before is kept.
  async function* untilEnd(): AsyncGenerator<Uint8Array> {
    for await (const piece of barren.limitBytes(input)) {
      if (end !== null) throw end.failure;
      yield piece;
    }
  }
  return {
    input: untilEnd(),
    onRejected: (one: RejectedItem) => {
      rejected++;
      if (end !== null) return;
      onRejected?.(one);
      try {
        barren.countInvalid();
      } catch (failure) {
        end = { failure };
      }
    },
    onProgress: ({ lines }: { lines: number }) => {
      if (lines - rejected > good) {
        good = lines - rejected;
        barren.countValid();
      }
      onProgress?.({ lines });
    },
  };
}

type SourceRead = ReturnType<typeof readSource>;

/** One for each file; of files that are told by each other (who plays at a show makes it one of electronic music), one. */
function startReads(
  { files, type, complete = false, options, now, fetch }: ImportFilesOptions,
  skips: SkippedItems,
): SourceRead[] {
  const common = { type: type as SourceType, complete, options, now, fetch };
  const onSkipped = (one: Skipped) => skips.add(one);
  const isJoint = type === 'musicbrainz' && files.length > 1;
  const locations = isJoint ? files.slice(0, 1) : files;
  return locations.map((location) =>
    readSource({ ...common, location, onSkipped, ...(isJoint ? { files } : {}) }),
  );
}

async function* chainRecords(runs: readonly SourceRead[]): AsyncGenerator<AdapterItem> {
  for (const run of runs) yield* run.records;
}
