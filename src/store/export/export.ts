/**
 * The catalogue in the feed format (docs/spec/feed-format.md), a batch of records at a time, so that a million events take no more
 * memory than a hundred. A record's external id is its slug, and every reference gives it: read into an empty file
 * under one source, the lines make the same catalogue; and what an export since the last one says keeps it the same.
 */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { Failure } from '../../failure.ts';
import { Snapshot } from '../file/snapshot.ts';
import { ChangeLog } from '../records/change-log.ts';
import { artistReader, labelReader } from './artists-and-labels.ts';
import type { KindReader } from './feed-lines.ts';
import { editionReader, eventReader, festivalReader } from './festivals-and-events.ts';
import { cityReader, genreReader, venueReader } from './genres-and-places.ts';
import { episodeReader, podcastReader } from './podcasts.ts';

/** How each kind is read, in an order in which nothing is named before it is told. */
const readersByKind: Record<Kind, (sqlite: Database.Database) => KindReader> = {
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

/** What an export gives, batch by batch, and what is to be done while its reader is slow. */
export type FeedExport = {
  /** Ends with the revision that the lines lead to: the next export's `since`. */
  lines: Generator<string[], number>;
  /** To be called while the reader is waited for, between two batches: sees that the log does not grow meanwhile. */
  releaseLog(): Promise<void>;
};

/**
 * The lines of an export, in batches, as the catalogue stands at the first of them. Of each kind the records come first,
 * then those that went into another: `{"kind", "external_id", "slug", "change": "merged", "into"}`. With `since`, each
 * line also says at which `currentRevision` the record changed last and what happened (`change`), and of an update which
 * `fields` it concerned. Nobody else may use the connection until the last.
 * @throws Failure (at the first batch) where `since` is a revision that the file has not come to
 */
export function openExport(sqlite: Database.Database, options: ExportOptions): FeedExport {
  const source: { snapshot?: Snapshot } = {};
  return {
    lines: generateLines(sqlite, options, source),
    releaseLog: async () => source.snapshot?.releaseLog(),
  };
}

/** The lines alone, for who takes them as fast as they come. @returns the revision that they lead to */
export const exportLines = (sqlite: Database.Database, options: ExportOptions): Generator<string[], number> =>
  generateLines(sqlite, options, {});

function* generateLines(
  sqlite: Database.Database,
  options: ExportOptions,
  source: { snapshot?: Snapshot },
): Generator<string[], number> {
  const kinds = options.kind === undefined ? exportOrder : [options.kind];
  const snapshot = new Snapshot(sqlite);
  source.snapshot = snapshot;
  try {
    const revision = sqlite.prepare('SELECT revision FROM catalogue').pluck().get() as number;
    if (options.since > revision) throw revisionAheadFailure(revision, options.since);
    for (const kind of kinds) yield* kindLines(snapshot, kind, options.since);
    return revision;
  } finally {
    delete source.snapshot;
    snapshot.close();
  }
}

/** Who follows the file has seen what it does not know of: nothing says what of that still holds. */
const revisionAheadFailure = (revision: number, since: number): Failure =>
  new Failure(
    `The catalogue is at revision ${revision}, which is before ${since}: it was restored from a backup, or is another file. Start anew: \`cratebase export\` without --since, read into an empty file.`,
  );

function* kindLines(snapshot: Snapshot, kind: Kind, since: number): Generator<string[]> {
  let from: Database.Database | undefined;
  let read: KindReader = () => [];
  let changes: ChangeLog | undefined;
  for (let after = 0; ; ) {
    // The same state may be read elsewhere since the last batch.
    if (from !== snapshot.sqlite || changes === undefined) {
      from = snapshot.sqlite;
      read = readersByKind[kind](from);
      changes = new ChangeLog(from);
    }
    const known = changes;
    const told = read({ after, since, limit: batchSize });
    const last = told.at(-1);
    if (last === undefined) break;
    after = last.id;
    yield told.map(({ id, slug, revision, members }) => {
      const happened = since === 0 ? {} : { revision, ...known.summarize(id, since) };
      return JSON.stringify({ kind, external_id: slug, slug, ...happened, ...members });
    });
  }
  // Read at once: an open statement would hold the state that is read from.
  const merged = [...changes.mergesSince(kind, since)];
  for (let at = 0; at < merged.length; at += batchSize) {
    yield merged.slice(at, at + batchSize).map(({ slug, revision, into }) => {
      const when = since === 0 ? {} : { revision };
      return JSON.stringify({ kind, external_id: slug, slug, ...when, change: 'merged', into });
    });
  }
}
