/** Inserts or updates the record of each feed line. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import { removedBySource } from '../../store/resolution/removed-records.ts';
import type { ParsedSourceRow, SourceRecordRow, SourceRow } from '../../store/resolution/source-records.ts';
import { readNamesAhead } from '../records/lineup-entries.ts';
import { RejectedRecord } from '../records/places.ts';
import type { PreparedAssignment } from '../resolution/assign-records.ts';
import { findEventOfSlug, findExactMatch } from '../resolution/exact-match.ts';
import type { WriteSession } from '../write-session.ts';
import type { ParsedLine, ParsedRecord, Tombstone } from './parse-record.ts';
import { hasLongArtistList, unknownArtists } from './prefetch-artists.ts';

/** The outcome of one line. */
export type UpsertOutcome = 'created' | 'updated' | 'unchanged' | 'matched' | 'withdrawn';

/** Always assigns a new record. */
const newRecordOnly: PreparedAssignment = () => ({ record: null, changed: [] });

/**
 * The plan for one line, made by reading only. Its functions must be called within a batch: first each of `newArtists`,
 * which may span several batches, then `write`.
 */
export type PreparedUpsert = {
  write: () => void;
  newArtists: (() => void)[];
  /** Whether the line must be planned again after `newArtists`, because its references were not looked up yet. */
  isUnread: boolean;
};

/** Plans and applies the lines of one run of a source. */
export class RecordUpserter {
  readonly #session: WriteSession;
  readonly #source: SourceRow;
  /** ms since 1970. */
  readonly #now: number;
  readonly #count: (kind: FeedKind, outcome: UpsertOutcome, externalId: string) => void;

  constructor(
    session: WriteSession,
    source: SourceRow,
    now: number,
    count: (kind: FeedKind, outcome: UpsertOutcome, externalId: string) => void,
  ) {
    this.#session = session;
    this.#source = source;
    this.#now = now;
    this.#count = count;
  }

  /** Whether the line equals the stored source record, so that nothing needs to be compared. */
  isUnchanged(line: ParsedLine): boolean {
    if ('into' in line) return true;
    const { kind, externalId, statement } = line;
    const row = this.#session.sources.find({ source: this.#source.id, kind, externalId });
    return row?.withdrawn_ts === null && row.content === JSON.stringify(statement);
  }

  /**
   * Plans one line by reading only, without the lock. The returned functions write and are valid as long as nothing
   * else was written. Planning and writing throw the reason if the line is rejected; all of it must then be rolled
   * back.
   */
  plan(line: ParsedLine): PreparedUpsert {
    this.#session.writer.beginSavepoint();
    if ('into' in line) return { write: () => this.#applyTombstone(line), newArtists: [], isUnread: false };
    const write = this.#prepareUpsert(line);
    const { kind, statement } = line;
    if (!hasLongArtistList(kind, statement) || this.isUnchanged(line))
      return { write, newArtists: [], isUnread: false };
    const newArtists = this.#newArtistsOf(line);
    const isUnread = kind === 'episode' && newArtists.length > 0;
    if (kind === 'episode' && !isUnread) this.#readTracks(line);
    return { write, newArtists, isUnread };
  }

  #readTracks({ kind, externalId, statement }: ParsedRecord): void {
    const row = this.#session.sources.find({ source: this.#source.id, kind, externalId });
    this.#session.readTracks(row?.record_id ?? null, statement as FeedRecordContent<'episode'>);
  }

  /** The artists of a record with long lists that do not exist yet. */
  #newArtistsOf(record: ParsedRecord): (() => void)[] {
    const { kind, statement } = record;
    const sourceRun = { sourceId: this.#source.id, run: this.#source.run_count };
    const { resolver } = this.#session;
    return unknownArtists(resolver, kind, statement, sourceRun).map(
      (one) => () => resolver.artist(one, sourceRun),
    );
  }

  /** Compares a source record with the stored one and prepares the write. */
  #prepareUpsert(record: ParsedRecord): () => void {
    const { kind, externalId, statement, slug } = record;
    const { sources, resolver } = this.#session;
    resolver.externalIdsAreSlugs = slug === externalId;
    const key = { source: this.#source.id, kind, externalId };
    const text = JSON.stringify(statement);
    const run = this.#source.run_count;
    const row = sources.find(key);
    if (row?.content === text && row.withdrawn_ts === null) {
      return () => {
        if (row.last_seen_run !== run) sources.markSeen(key, run);
        this.#count(kind, 'unchanged', externalId);
      };
    }
    // Otherwise the later line would win now and the earlier one at the next run, without end.
    if (row?.last_seen_run === run && row.content !== null) {
      throw new RejectedRecord(
        `differs from an earlier line for ${kind} ${JSON.stringify(externalId)}: each external_id may have one line only`,
      );
    }
    const removedId = this.#removedRecord(record, row);
    if (removedId !== null) return this.#prepareRemoved(record, text, removedId, row);
    if (kind === 'event') {
      const { lineup } = statement as FeedRecordContent<'event'>;
      readNamesAhead(lineup ?? []);
      resolver.prefetchArtists((lineup ?? []).map(({ name }) => name));
    }
    if (row && !this.#isRestored(record, row)) {
      const placement = this.#prepareReassignment(record, row);
      return () => this.#update(record, text, row, placement);
    }
    const placement = row ? newRecordOnly : this.#prepareNewAssignment(record);
    return () => this.#insert(record, text, row, placement);
  }

  /** The record that a person removed and that this source record belongs to; null if there is none. */
  #removedRecord(
    { kind, externalId, boundTo }: ParsedRecord,
    row: SourceRecordRow | undefined,
  ): number | null {
    const { removed } = this.#session.lookup;
    const id = row?.record_id ?? boundTo ?? removed.blockedRecord(kind, this.#source.name, externalId);
    return removed.isFixed(id) ? id : null;
  }

  /** Stores a source record of a removed record, which stays removed: nothing is matched again or rebuilt. */
  #prepareRemoved(
    record: ParsedRecord,
    text: string,
    id: number,
    row: SourceRecordRow | undefined,
  ): () => void {
    const { kind, externalId, statement } = record;
    return () => {
      const { matcher } = this.#session;
      matcher.unindexSourceRecord(kind, id, this.#source, externalId, row?.content ?? null);
      const placement = (): { record: number; changed: [] } => ({ record: id, changed: [] });
      if (row === undefined) this.#insert(record, text, row, placement);
      else {
        matcher.indexSourceRecord(kind, id, this.#source, externalId, statement);
        this.#update(record, text, row, placement);
      }
    };
  }

  /** Updates a source record that is stored, or bound by its id only. */
  #update(line: ParsedRecord, text: string, row: SourceRecordRow, placement: PreparedAssignment): void {
    const { kind, externalId } = line;
    const { sources, writer, lookup } = this.#session;
    const now = this.#now;
    const first = row.content === null;
    const isRelisted =
      row.withdrawn_ts !== null && !sources.isListed(row.record_id) && !lookup.removed.isFixed(row.record_id);
    sources.update({ source: this.#source.id, kind, externalId }, text, now, this.#source.run_count);
    const assignment = placement();
    this.#session.rebuild(kind, assignment.record ?? row.record_id);
    if (isRelisted) writer.touch(kind, assignment.record ?? row.record_id, now);
    for (const record of assignment.changed) this.#session.rebuild(kind, record);
    this.#count(kind, first ? 'matched' : 'updated', externalId);
  }

  /** Inserts a source record for the first time. */
  #insert(
    line: ParsedRecord,
    text: string,
    row: SourceRecordRow | undefined,
    placement: PreparedAssignment,
  ): void {
    const { kind, externalId, statement, slug } = line;
    const { sources, writer, matcher, lookup } = this.#session;
    const key = { source: this.#source.id, kind, externalId };
    const [now, run] = [this.#now, this.#source.run_count];
    const { record: match, changed } = placement();
    writer.requestSlug(match === null ? slug : null, row !== undefined);
    const id = match ?? writer.newRecord(kind);
    const others = this.#othersOf(id, match, row);
    if (row) {
      sources.move(key, id);
      sources.update(key, text, now, run);
    } else sources.bind(key, id, text, now, run);
    matcher.indexSourceRecord(kind, id, this.#source, externalId, statement);
    // A new listing of a removed record belongs to it from now on, also if the source is removed and read again.
    if (lookup.removed.isFixed(id)) lookup.removed.block(kind, this.#source.name, externalId, id);
    if (others === null) this.#session.rebuild(kind, id);
    else this.#session.rebuildFrom(kind, id, [...others.rows, this.#asSourceRow(line, others.settings)]);
    for (const record of changed) this.#session.rebuild(kind, record);
    this.#count(kind, match === null ? 'created' : 'matched', externalId);
  }

  /**
   * Prepares the record for a new source record. Records of another catalogue are found by slug and not matched again.
   */
  #prepareNewAssignment({ kind, externalId, statement, slug, boundTo }: ParsedRecord): PreparedAssignment {
    if (boundTo !== undefined) return () => ({ record: boundTo, changed: [] });
    const { matcher } = this.#session;
    if (slug === null) return matcher.place(kind, this.#source, externalId, statement);
    const sourceRun = { sourceId: this.#source.id, run: this.#source.run_count };
    const find = () =>
      kind === 'event'
        ? findEventOfSlug(this.#session, slug, statement as FeedRecordContent<'event'>, sourceRun)
        : findExactMatch(this.#session, kind, statement, sourceRun);
    return () => ({ record: find(), changed: [] });
  }

  /** Prepares the record for a source record that changed or was only referenced before. */
  #prepareReassignment(
    { kind, externalId, statement, slug }: ParsedRecord,
    row: SourceRecordRow,
  ): PreparedAssignment {
    const { matcher } = this.#session;
    const { record_id: record, content: before } = row;
    if (slug === null) {
      return matcher.prepareUpdate(kind, record, this.#source, externalId, statement, before);
    }
    return () => {
      matcher.unindexSourceRecord(kind, record, this.#source, externalId, before);
      matcher.indexSourceRecord(kind, record, this.#source, externalId, statement);
      return { record, changed: [] };
    };
  }

  /** Whether a merged record of another catalogue is separate there again. */
  #isRestored({ externalId, slug }: ParsedRecord, row: SourceRecordRow): boolean {
    return (
      slug === externalId &&
      row.content === null &&
      this.#session.sources.hasStatement(this.#source.id, row.record_id)
    );
  }

  /** Merges a record that was merged in the exporting catalogue; its slug redirects to the target. */
  #applyTombstone({ kind, externalId, into }: Tombstone): void {
    const { sources, writer, matcher } = this.#session;
    const key = { source: this.#source.id, kind, externalId };
    if (into === null) {
      this.#applyRemoval(key);
      return;
    }
    const target = sources.find({ ...key, externalId: into });
    if (!target) {
      throw new RejectedRecord(
        `into is "${into}", which no earlier line contains: the target of a merge must come first`,
      );
    }
    const { record_id: record } = target;
    const row = sources.find(key);
    this.#rejectCycle(externalId, into, row, target);
    if (row?.record_id === record && row.content === null) {
      if (row.last_seen_run !== this.#source.run_count) sources.markSeen(key, this.#source.run_count);
      this.#count(kind, 'unchanged', externalId);
      return;
    }
    if (row && row.record_id !== record) {
      if (row.content === null && sources.hasStatement(this.#source.id, row.record_id))
        this.#redirectMerged({ kind, externalId, into }, row.record_id, record);
      else matcher.merger.merge(kind, row.record_id, record);
    }
    // The line of the target now states what this record stated.
    if (row) sources.clearStatement(key, this.#source.run_count);
    else {
      sources.bind(key, record, null, this.#now, this.#source.run_count);
      writer.recordMerge(kind, writer.newRecord(kind), record, externalId);
    }
    matcher.unindexSourceRecord(kind, record, this.#source, externalId, row?.content ?? null);
    writer.addSlug(kind, externalId, record);
    this.#session.rebuild(kind, record);
    this.#count(kind, row ? 'updated' : 'matched', externalId);
  }

  /** Removes a record that was removed in the exporting catalogue, unless another source lists it. */
  #applyRemoval(key: { source: number; kind: FeedKind; externalId: string }): void {
    const { sources, lookup, remover } = this.#session;
    const { kind, externalId } = key;
    const run = this.#source.run_count;
    const row = sources.find(key);
    if (row === undefined || (row.withdrawn_ts !== null && lookup.removed.has(row.record_id))) {
      if (row !== undefined && row.last_seen_run !== run) sources.markSeen(key, run);
      this.#count(kind, 'unchanged', externalId);
      return;
    }
    const { record_id: record } = row;
    sources.withdraw(key, this.#now, run);
    if (sources.isListed(record)) this.#session.rebuild(kind, record);
    else
      remover.remove(kind, record, {
        state: 'deleted',
        by: removedBySource(this.#source.name),
        reason: null,
      });
    this.#count(kind, 'withdrawn', externalId);
  }

  /** A reference that was merged into a record with its own line moves to another target; that record stays. */
  #redirectMerged({ kind, externalId }: Tombstone, from: number, record: number): void {
    const { sources, writer, matcher } = this.#session;
    const former = matcher.merger.formerId(from, externalId);
    sources.move({ source: this.#source.id, kind, externalId }, record);
    if (writer.moveSlug(kind, externalId, from, record))
      writer.recordMerge(kind, former ?? writer.newRecord(kind), record, externalId);
    this.#session.rebuild(kind, from);
  }

  /** Rejects a line that would merge a record into itself, which would leave no source record for it. */
  #rejectCycle(
    externalId: string,
    into: string,
    row: SourceRecordRow | undefined,
    target: SourceRecordRow,
  ): void {
    if (into === externalId) throw new RejectedRecord(`into is "${into}", which is this record itself`);
    if (row === undefined || row.content === null) return;
    // Otherwise the next run would create and merge it again, without end.
    if (row.last_seen_run === this.#source.run_count) {
      throw new RejectedRecord(
        `into is "${into}", but an earlier line contains this record itself: each external_id may have one line only`,
      );
    }
    const isSaidHere = row.record_id === target.record_id && target.content === null;
    if (isSaidHere && this.#session.sources.countStatements(this.#source.id, row.record_id) < 2) {
      throw new RejectedRecord(`into is "${into}", which was merged into this record: the lines form a ring`);
    }
  }

  /**
   * The source records beside a new one that is about to be stored, and the settings of its source; null if all must be
   * read after it is stored.
   */
  #othersOf(id: number, match: number | null, row: SourceRecordRow | undefined) {
    if (match === null) return { rows: [], settings: this.#source };
    const rows = row === undefined ? this.#session.recentSourceRecordsOf(id) : null;
    // Precedence depends on the trust, which may have changed since the run began.
    const settings = rows && this.#session.sources.findSource(this.#source.name);
    return rows && settings ? { rows, settings } : null;
  }

  /** The new source record as it is stored. */
  #asSourceRow(
    { externalId, statement }: ParsedRecord,
    { trust, clock }: Pick<SourceRow, 'trust' | 'clock'>,
  ): ParsedSourceRow {
    const { id, name } = this.#source;
    return {
      source_id: id,
      source_name: name,
      trust,
      clock,
      external_id: externalId,
      content_updated_ts: this.#now,
      withdrawn_ts: null,
      statement,
    };
  }
}
