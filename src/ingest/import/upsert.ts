/** What a source tells of its records, line by line, against what it told before. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { SourceRecordRow, SourceRow } from '../../store/resolution/source-records.ts';
import { RejectedRecord } from '../records/places.ts';
import type { PreparedAssignment } from '../resolution/assign-records.ts';
import { findExactMatch } from '../resolution/exact-match.ts';
import type { ParsedSourceRow, WriteSession } from '../write-session.ts';
import type { ParsedLine, ParsedRecord, Tombstone } from './parse-record.ts';
import { hasLongArtistList, unknownArtists } from './prefetch-artists.ts';

/** What became of a line's record. */
export type UpsertOutcome = 'created' | 'updated' | 'unchanged' | 'matched';

/** Of a record that is nobody else's. */
const newRecordOnly: PreparedAssignment = () => ({ record: null, changed: [] });

/**
 * What a line comes to, worked out by reading alone. Both are to be called within a batch: `newArtists` put on record
 * whom the record names, each by itself and in batches before the one in which `write` writes the record.
 */
export type PreparedUpsert = {
  write: () => void;
  newArtists: (() => void)[];
  /** With the strangers on record the line is to be worked out anew: what it names was not looked up yet. */
  isUnread: boolean;
};

export class RecordUpserter {
  readonly #session: WriteSession;
  readonly #source: SourceRow;
  readonly #now: number;
  readonly #count: (kind: FeedKind, outcome: UpsertOutcome, externalId: string) => void;

  /** @param now ms since 1970 */
  constructor(
    bench: WriteSession,
    source: SourceRow,
    now: number,
    count: (kind: FeedKind, outcome: UpsertOutcome, externalId: string) => void,
  ) {
    this.#session = bench;
    this.#source = source;
    this.#now = now;
    this.#count = count;
  }

  /** Whether a line says what its source said before: then there is nothing to be compared. */
  isUnchanged(line: ParsedLine): boolean {
    if ('into' in line) return true;
    const { kind, externalId, statement } = line;
    const known = this.#session.sources.find({ source: this.#source.id, kind, externalId });
    return known?.withdrawn_ts === null && known.content === JSON.stringify(statement);
  }

  /**
   * Works out what a line comes to, by reading alone: nothing has to be locked for it. What it returns takes it into the
   * catalogue, within a batch, as long as nothing else was written meanwhile. Both throw what rejects the line; then all
   * of it has to be undone.
   */
  plan(line: ParsedLine): PreparedUpsert {
    this.#session.writer.beginSavepoint();
    if ('into' in line) return { write: () => this.#applyTombstone(line), newArtists: [], isUnread: false };
    const write = this.#prepareUpsert(line);
    const { kind, statement } = line;
    if (!hasLongArtistList(kind, statement) || this.isUnchanged(line))
      return { write, newArtists: [], isUnread: false };
    const strangers = this.#strangers(line);
    const isUnread = kind === 'episode' && strangers.length > 0;
    if (kind === 'episode' && !isUnread) this.#readTracks(line);
    return { write, newArtists: strangers, isUnread };
  }

  #readTracks({ kind, externalId, statement }: ParsedRecord): void {
    const known = this.#session.sources.find({ source: this.#source.id, kind, externalId });
    this.#session.readTracks(known?.record_id ?? null, statement as FeedRecordContent<'episode'>);
  }

  /** Whom a record with long lists names and nobody knows. */
  #strangers(read: ParsedRecord): (() => void)[] {
    const { kind, statement } = read;
    const speaker = { sourceId: this.#source.id, run: this.#source.run_count };
    const { resolver } = this.#session.context;
    return unknownArtists(resolver, kind, statement, speaker).map(
      (one) => () => resolver.artist(one, speaker),
    );
  }

  /** What the source says of one record, against what it said before. */
  #prepareUpsert(read: ParsedRecord): () => void {
    const { kind, externalId, statement, slug } = read;
    const { sources, context } = this.#session;
    context.resolver.externalIdsAreSlugs = slug === externalId;
    const key = { source: this.#source.id, kind, externalId };
    const text = JSON.stringify(statement);
    const run = this.#source.run_count;
    const known = sources.find(key);
    if (known?.content === text && known.withdrawn_ts === null) {
      return () => {
        if (known.last_seen_run !== run) sources.markSeen(key, run);
        this.#count(kind, 'unchanged', externalId);
      };
    }
    // The later line would win now, and the earlier one again at the next run: no end of changes.
    if (known?.last_seen_run === run && known.content !== null) {
      throw new RejectedRecord(
        `says something else of ${kind} ${JSON.stringify(externalId)} than an earlier line: one external_id, one line`,
      );
    }
    if (known && !this.#isRestored(read, known)) {
      const placement = this.#settled(read, known);
      return () => this.#update(read, text, known, placement);
    }
    const placement = known ? newRecordOnly : this.#prepareNewAssignment(read);
    return () => this.#insert(read, text, known, placement);
  }

  /** Stores what a source now says of a record that it spoke of before, or named. */
  #update(read: ParsedRecord, text: string, known: SourceRecordRow, placement: PreparedAssignment): void {
    const { kind, externalId } = read;
    const { sources, writer } = this.#session;
    const now = this.#now;
    const first = known.content === null;
    const isRelisted = known.withdrawn_ts !== null && !sources.isListed(known.record_id);
    sources.update({ source: this.#source.id, kind, externalId }, text, now, this.#source.run_count);
    const settled = placement();
    this.#session.rebuild(kind, settled.record ?? known.record_id);
    if (isRelisted) writer.touch(kind, settled.record ?? known.record_id, now);
    for (const record of settled.changed) this.#session.rebuild(kind, record);
    this.#count(kind, first ? 'matched' : 'updated', externalId);
  }

  /** Stores what a source says for the first time of what it means. */
  #insert(
    read: ParsedRecord,
    text: string,
    known: SourceRecordRow | undefined,
    placement: PreparedAssignment,
  ): void {
    const { kind, externalId, statement, slug } = read;
    const { sources, writer, matcher: matching } = this.#session;
    const key = { source: this.#source.id, kind, externalId };
    const [now, run] = [this.#now, this.#source.run_count];
    const { record: match, changed } = placement();
    writer.requestSlug(match === null ? slug : null, known !== undefined);
    const id = match ?? writer.newRecord(kind);
    if (known) {
      sources.move(key, id);
      sources.update(key, text, now, run);
    } else sources.bind(key, id, text, now, run);
    matching.indexSourceRecord(kind, id, this.#source, externalId, statement);
    if (match === null) this.#session.rebuildFrom(kind, id, [this.#asOnlySource(read)]);
    else this.#session.rebuild(kind, id);
    for (const record of changed) this.#session.rebuild(kind, record);
    this.#count(kind, match === null ? 'created' : 'matched', externalId);
  }

  /** Where a new statement belongs. Another catalogue has told its records apart already, and says so by their slugs. */
  #prepareNewAssignment({ kind, externalId, statement, slug }: ParsedRecord): PreparedAssignment {
    const { matcher: matching, context, sources } = this.#session;
    if (slug === null) return matching.place(kind, this.#source, externalId, statement);
    const speaker = { sourceId: this.#source.id, run: this.#source.run_count };
    return () => ({ record: findExactMatch(context, sources, kind, statement, speaker), changed: [] });
  }

  /** Where a statement belongs that was made again, or of what was only named before. */
  #settled({ kind, externalId, statement, slug }: ParsedRecord, known: SourceRecordRow): PreparedAssignment {
    const { matcher: matching } = this.#session;
    const { record_id: record, content: before } = known;
    if (slug === null) {
      return matching.prepareUpdate(kind, record, this.#source, externalId, statement, before);
    }
    return () => {
      if (kind === 'event' && before !== null)
        matching.events.unindex(record, this.#source, externalId, JSON.parse(before));
      matching.indexSourceRecord(kind, record, this.#source, externalId, statement);
      return { record, changed: [] };
    };
  }

  /** Whether a record that went into another one is told apart from it again. */
  #isRestored({ externalId, slug }: ParsedRecord, known: SourceRecordRow): boolean {
    return (
      slug === externalId &&
      known.content === null &&
      this.#session.sources.hasStatement(this.#source.id, known.record_id)
    );
  }

  /** A record of another catalogue went into another one there: so it does here, and its slug answers with that one. */
  #applyTombstone({ kind, externalId, into }: Tombstone): void {
    const { sources, writer, matcher: matching } = this.#session;
    const key = { source: this.#source.id, kind, externalId };
    const target = sources.find({ ...key, externalId: into });
    if (!target) {
      throw new RejectedRecord(
        `into is "${into}", and no line spoke of that: what a record goes into comes first`,
      );
    }
    const { record_id: record } = target;
    const known = sources.find(key);
    this.#rejectCycle(externalId, into, known, target);
    if (known?.record_id === record && known.content === null) {
      if (known.last_seen_run !== this.#source.run_count) sources.markSeen(key, this.#source.run_count);
      this.#count(kind, 'unchanged', externalId);
      return;
    }
    if (known && known.record_id !== record) {
      if (known.content === null && sources.hasStatement(this.#source.id, known.record_id))
        this.#redirectMerged({ kind, externalId, into }, known.record_id, record);
      else matching.merger.merge(kind, known.record_id, record);
    }
    // What it said of itself, the other's line says now.
    if (known) sources.clearStatement(key, this.#source.run_count);
    else {
      sources.bind(key, record, null, this.#now, this.#source.run_count);
      writer.recordMerge(kind, writer.newRecord(kind), record, externalId);
    }
    if (kind === 'event' && known?.content != null) {
      matching.events.unindex(record, this.#source, externalId, JSON.parse(known.content));
    }
    writer.addSlug(kind, externalId, record);
    this.#session.rebuild(kind, record);
    this.#count(kind, known ? 'updated' : 'matched', externalId);
  }

  /** What went into a record that is told by itself went into another one: that record stays, the old name leaves it. */
  #redirectMerged({ kind, externalId }: Tombstone, from: number, record: number): void {
    const { sources, writer, matcher: matching } = this.#session;
    const former = matching.merger.formerId(from, externalId);
    sources.move({ source: this.#source.id, kind, externalId }, record);
    if (writer.moveSlug(kind, externalId, from, record))
      writer.recordMerge(kind, former ?? writer.newRecord(kind), record, externalId);
    this.#session.rebuild(kind, from);
  }

  /** Rejects a line by which a record would go into itself: nothing would be left to say what it is. */
  #rejectCycle(
    externalId: string,
    into: string,
    known: SourceRecordRow | undefined,
    target: SourceRecordRow,
  ): void {
    if (into === externalId) throw new RejectedRecord(`into is "${into}", which is this record itself`);
    if (known === undefined || known.content === null) return;
    // The next run would make it anew and merge it again: no end of changes.
    if (known.last_seen_run === this.#source.run_count) {
      throw new RejectedRecord(
        `into is "${into}", but an earlier line spoke of this record as one of its own: one external_id, one line`,
      );
    }
    const isSaidHere = known.record_id === target.record_id && target.content === null;
    if (isSaidHere && this.#session.sources.countStatements(this.#source.id, known.record_id) < 2) {
      throw new RejectedRecord(
        `into is "${into}", which went into this record itself: the lines lead in a ring`,
      );
    }
  }

  /** All that is said of a new record: what this source says now. */
  #asOnlySource({ externalId, statement }: ParsedRecord): ParsedSourceRow {
    const { id, name, trust, clock } = this.#source;
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
