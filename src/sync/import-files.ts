/** `import`: files of any type into the catalogue, in its turn (docs/spec/imports.md#sources). */
import type Database from 'better-sqlite3';
import type { GuardedFetch } from '../fetch/fetch.ts';
import { Schedules } from '../store/schedules.ts';
import { type ImportReport, importFeed, type Rejected } from './import.ts';
import type { Incoming, Subject } from './lines.ts';
import { Patience } from './patience.ts';
import type { SourceType } from './sources/adapter.ts';
import { Barren } from './sources/barren.ts';
import { readSource, type Skipped, Skips } from './sources/read-source.ts';
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
  /** Ends the work at a committed batch; aborted with an `Interrupted`. */
  signal?: AbortSignal | undefined;
  onWait?: ((what: string) => void) | undefined;
  onProgress?: ((progress: { lines: number }) => void) | undefined;
  onRejected?: ((rejected: Rejected) => void) | undefined;
  onMatched?: ((subject: Subject) => void) | undefined;
};

/** What an import did, and what it passed over on purpose. */
export type ImportFilesReport = ImportReport & ReturnType<Skips['told']>;

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
  const skips = new Skips();
  const turn = {
    what: `an import of ${source}`,
    wait: true,
    isWatched: signal !== undefined,
    onWait: options.onWait,
    signal,
  };
  return inTurn(sqlite, turn, async () => {
    // What a sync remembers of its pages, this may overrule.
    await new Patience(sqlite, signal).write(() => new Schedules(sqlite).forgetPages(source));
    if (type === 'feed') {
      const report = await importFeed(sqlite, { ...common, complete, ...untilBarren(options) });
      return { ...report, ...skips.told() };
    }
    const runs = runsOf(options, skips);
    const report = await importFeed(sqlite, {
      ...common,
      complete: () => complete && runs.every(({ end }) => end().ended === 'whole'),
      records: inTurnOf(runs),
    });
    const cut = runs.map(({ end }) => end()).find(({ ended }) => ended === 'partial');
    const refused = report.refused ?? (cut?.ended === 'partial' ? cut.reason : null);
    return { ...report, ...skips.told(), refused };
  });
}

/** The input, left once it goes on without a line that can be taken (`sources/barren.ts`). */
function untilBarren({ input, files, onRejected, onProgress }: ImportFilesOptions) {
  const [first = '-'] = files;
  const barren = new Barren(files.length > 1 ? 'The input' : first === '-' ? 'Standard input' : first);
  let [rejected, good] = [0, 0];
  let end: { failure: unknown } | null = null;
  // Thrown where the input is read, so that what was taken before is kept.
  async function* untilEnd(): AsyncGenerator<Uint8Array> {
    for await (const piece of barren.watch(input)) {
      if (end !== null) throw end.failure;
      yield piece;
    }
  }
  return {
    input: untilEnd(),
    onRejected: (one: Rejected) => {
      rejected++;
      if (end !== null) return;
      onRejected?.(one);
      try {
        barren.bad();
      } catch (failure) {
        end = { failure };
      }
    },
    onProgress: ({ lines }: { lines: number }) => {
      if (lines - rejected > good) {
        good = lines - rejected;
        barren.good();
      }
      onProgress?.({ lines });
    },
  };
}

type Run = ReturnType<typeof readSource>;

/** One for each file; of files that are told by each other (who plays at a show makes it one of electronic music), one. */
function runsOf(
  { files, type, complete = false, options, now, fetch }: ImportFilesOptions,
  skips: Skips,
): Run[] {
  const common = { type: type as SourceType, complete, options, now, fetch };
  const onSkipped = (one: Skipped) => skips.add(one);
  const isJoint = type === 'musicbrainz' && files.length > 1;
  const locations = isJoint ? files.slice(0, 1) : files;
  return locations.map((location) =>
    readSource({ ...common, location, onSkipped, ...(isJoint ? { files } : {}) }),
  );
}

async function* inTurnOf(runs: readonly Run[]): AsyncGenerator<Incoming> {
  for (const run of runs) yield* run.records;
}
