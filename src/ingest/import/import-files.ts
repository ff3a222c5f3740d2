/** Imports files of any type while it holds the write lease (docs/spec/imports.md#sources). */
import type Database from 'better-sqlite3';
import type { ClosedVenueNotice, RejectedItem } from '../../contract/source-summaries.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import type { SourceType } from '../../sources/adapter.ts';
import type { AdapterItem } from '../../sources/common/input-items.ts';
import { InvalidInputLimit } from '../../sources/common/invalid-input-limit.ts';
import { readSource, type Skipped, SkippedItems } from '../../sources/read-source.ts';
import { genreCheck } from '../../store/resolution/genre-check.ts';
import { ScheduleStore } from '../../store/schedule/schedules.ts';
import { closedVenuesOf } from '../schedule/closed-venues.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { withWriteLease } from '../write-lock/write-lease.ts';
import { isCityName } from './city-check.ts';
import { type ImportOptions, type ImportReport, importFeed } from './import-feed.ts';

export type ImportFilesOptions = Pick<
  ImportOptions,
  | 'source'
  | 'type'
  | 'trust'
  | 'clock'
  | 'force'
  | 'now'
  | 'signal'
  | 'onProgress'
  | 'onRejected'
  | 'onMatched'
> & {
  complete?: boolean | undefined;
  /** Options of the adapter. */
  options: Readonly<Record<string, string>>;
  fetch: GuardedFetch;
  /** The bytes of a feed; adapters read other types from `files`. */
  input: AsyncIterable<Uint8Array>;
  files: readonly string[];
  onWait?: ((what: string) => void) | undefined;
};

/** An import report with the items that the adapter skipped on purpose. */
export type ImportFilesReport = ImportReport &
  ReturnType<SkippedItems['toReport']> & {
    /** Events of the source at venues that closed before. */
    closed_venues: ClosedVenueNotice;
  };

/**
 * Imports all files as one feed of the source; for a folder, its files of the source type.
 * @throws Failure if a file cannot be read; everything committed before stays
 */
export function importFiles(
  sqlite: Database.Database,
  options: ImportFilesOptions,
): Promise<ImportFilesReport> {
  const { source, type, complete = false, now, signal, onWait, files: _, options: __, ...given } = options;
  const skips = new SkippedItems();
  const common = { ...given, source, type, now, signal, onSkipped: (one: Skipped) => skips.add(one) };
  const what = `an import of ${source}`;
  const leaseOptions = { what, wait: true, isWatched: signal !== undefined, onWait, signal };
  return withWriteLease(sqlite, leaseOptions, async (lease) => {
    // The import may change records of pages that a sync considers unchanged.
    await new LockRetry(sqlite, signal).write(() => new ScheduleStore(sqlite).clearPages(source));
    if (type === 'feed') {
      const report = await importFeed(sqlite, { ...common, lease, complete, ...stopOnInvalidInput(options) });
      return { ...report, ...skips.toReport(), closed_venues: closedVenuesOf(sqlite, source, now) };
    }
    const runs = startReads(options, skips, genreCheck(sqlite));
    const report = await importFeed(sqlite, {
      ...common,
      lease,
      complete: () => complete && runs.every(({ end }) => end().ended === 'whole'),
      records: chainRecords(runs),
    });
    const cut = runs.map(({ end }) => end()).find(({ ended }) => ended === 'partial');
    const refused = report.refused ?? (cut?.ended === 'partial' ? cut.reason : null);
    const closed_venues = closedVenuesOf(sqlite, source, now);
    return { ...report, ...skips.toReport(), refused, closed_venues };
  });
}

/** Stops reading after too many invalid lines in a row (`sources/common/invalid-input-limit.ts`). */
function stopOnInvalidInput({ input, files, onRejected, onProgress }: ImportFilesOptions) {
  const [first = '-'] = files;
  const invalidInputLimit = new InvalidInputLimit(
    files.length > 1 ? 'The input' : first === '-' ? 'Standard input' : first,
  );
  let [rejected, good] = [0, 0];
  let end: { failure: unknown } | null = null;
  // Thrown while the input is read, so that the items before it are committed.
  async function* untilEnd(): AsyncGenerator<Uint8Array> {
    for await (const piece of invalidInputLimit.limitBytes(input)) {
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
        invalidInputLimit.countInvalid();
      } catch (failure) {
        end = { failure };
      }
    },
    onProgress: ({ lines }: { lines: number }) => {
      if (lines - rejected > good) {
        good = lines - rejected;
        invalidInputLimit.countValid();
      }
      onProgress?.({ lines });
    },
  };
}

type SourceRead = ReturnType<typeof readSource>;

/**
 * Starts one read per file, or one read for all files if the adapter needs them together (the line-up of a show decides
 * whether it is electronic music).
 */
function startReads(
  { files, type, complete = false, options, now, fetch }: ImportFilesOptions,
  skips: SkippedItems,
  isGenre: (name: string) => boolean,
): SourceRead[] {
  const common = { type: type as SourceType, complete, options, now, fetch, isGenre, isCity: isCityName };
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
