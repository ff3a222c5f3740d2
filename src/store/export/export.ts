/**
 * Exports the catalogue in the feed format (docs/spec/feed-format.md). Records are read in batches, so memory use
 * does not depend on the size of the catalogue. A record's external id is its slug, and references use it.
 * Importing the lines into an empty file as one source gives the same catalogue; later exports with `since` keep
 * it up to date.
 */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { Failure } from '../../failure.ts';
import { Snapshot } from '../file/snapshot.ts';
import { ChangeLog } from '../records/change-log.ts';
import { artistReader, labelReader } from './artists-and-labels.ts';
import { CreditReader } from './credits.ts';
import type { KindReader } from './feed-lines.ts';
import { editionReader, eventReader, festivalReader } from './festivals-and-events.ts';
import { cityReader, genreReader, venueReader } from './genres-and-places.ts';
import { episodeReader, podcastReader } from './podcasts.ts';

/** The reader of each kind. Kinds that others refer to come first. */
export const readersByKind: Record<Kind, (sqlite: Database.Database) => KindReader> = {
  genre: genreReader,
  city: cityReader,
  venue: venueReader,
  artist: artistReader,
  label: labelReader,
  festival: festivalReader,
  edition: editionReader,
  event: eventReader,
  podcast: podcastReader,
  episode: episodeReader,
};
export const exportOrder = Object.keys(readersByKind) as readonly Kind[];

export type ExportOptions = {
  /** Only records of this kind. */
  kind?: Kind | undefined;
  /** Only records that changed after this revision of the catalogue; 0 for all. */
  since: number;
};

const batchSize = 500;

/** An export in batches, and the call to make while its consumer is slow. */
export type FeedExport = {
  /** Returns the revision that the lines lead to: the next export's `since`. */
  lines: Generator<string[], number>;
  /** Keeps the log from growing. Call it between two batches while waiting for the consumer. */
  releaseLog(): Promise<void>;
};

/**
 * Exports the state of the catalogue at the first batch. The records of each kind come first, then those merged
 * into another: `{"kind", "external_id", "slug", "change": "merged", "into"}`. With `since`, removed records come
 * before the merged ones: `{"kind", "external_id", "slug", "change": "hidden" or "deleted"}`, and each line also has
 * the `revision` of the last change, its `change` type, and for an update the changed `fields`. The connection
 * must not be used otherwise until the last batch.
 * @throws Failure (at the first batch) if the file has not reached the revision `since`
 */
export function openExport(sqlite: Database.Database, options: ExportOptions): FeedExport {
  const source: { snapshot?: Snapshot } = {};
  return {
    lines: generateLines(sqlite, options, source),
    releaseLog: async () => source.snapshot?.releaseLog(),
  };
}

/**
 * Exports without `releaseLog`, for consumers that are not slow, or a state that the caller reads and releases.
 * @returns the revision that the lines lead to
 */
export function* exportLines(
  from: Database.Database | Snapshot,
  options: ExportOptions,
): Generator<string[], number> {
  if (from instanceof Snapshot) return yield* snapshotLines(from, options);
  return yield* generateLines(from, options, {});
}

function* generateLines(
  sqlite: Database.Database,
  options: ExportOptions,
  source: { snapshot?: Snapshot },
): Generator<string[], number> {
  const snapshot = new Snapshot(sqlite);
  source.snapshot = snapshot;
  try {
    return yield* snapshotLines(snapshot, options);
  } finally {
    delete source.snapshot;
    snapshot.close();
  }
}

function* snapshotLines(snapshot: Snapshot, options: ExportOptions): Generator<string[], number> {
  const kinds = options.kind === undefined ? exportOrder : [options.kind];
  const revision =
    snapshot.sqlite.prepare<unknown[], number>('SELECT revision FROM catalogue').pluck().get() ?? 0;
  if (options.since > revision) throw revisionAheadFailure(revision, options.since);
  for (const kind of kinds) yield* kindLines(snapshot, kind, options.since);
  return revision;
}

/** A consumer at a later revision has seen changes that this file lacks, so increments cannot be trusted. */
const revisionAheadFailure = (revision: number, since: number): Failure =>
  new Failure(
    `The catalogue is at revision ${revision}, which is before ${since}: it was restored from a backup, or is another file. Start again: \`cratebase export\` without --since, read into an empty file.`,
  );

function* kindLines(snapshot: Snapshot, kind: Kind, since: number): Generator<string[]> {
  let from: Database.Database | undefined;
  let read: KindReader = () => [];
  let changes: ChangeLog | undefined;
  let credits: CreditReader | undefined;
  for (let after = 0; ; ) {
    // The snapshot may have moved to a copy since the last batch.
    if (from !== snapshot.sqlite || changes === undefined || credits === undefined) {
      from = snapshot.sqlite;
      read = readersByKind[kind](from);
      changes = new ChangeLog(from);
      credits = new CreditReader(from, kind);
    }
    const changeLog = changes;
    const lines = read({ after, since, limit: batchSize });
    const last = lines.at(-1);
    if (last === undefined) break;
    after = last.id;
    const creditsByRecord = credits.of(lines);
    yield lines.map(({ id, slug, revision, members }) => {
      const change = since === 0 ? {} : { revision, ...changeLog.summarize(id, since) };
      const sources = creditsByRecord.get(id);
      const credit = sources === undefined ? {} : { sources };
      return JSON.stringify({ kind, external_id: slug, slug, ...change, ...members, ...credit });
    });
  }
  // A whole export is read into an empty file, which needs no removals.
  const removals = since === 0 ? [] : changes.removalsSince(kind, since);
  for (let at = 0; at < removals.length; at += batchSize) {
    yield removals
      .slice(at, at + batchSize)
      .map(({ slug, revision, change }) =>
        JSON.stringify({ kind, external_id: slug, slug, revision, change }),
      );
  }
  // Read completely: an open statement would keep the state locked.
  const merges = [...changes.mergesSince(kind, since)];
  for (let at = 0; at < merges.length; at += batchSize) {
    yield merges.slice(at, at + batchSize).map(({ slug, revision, into }) => {
      const when = since === 0 ? {} : { revision };
      return JSON.stringify({ kind, external_id: slug, slug, ...when, change: 'merged', into });
    });
  }
}
