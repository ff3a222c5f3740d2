/** What a source tells of its records, line by line, against what it told before. */
import type { FeedKind, Statement } from '../contract/feed.ts';
import type { ProviderRow, Source } from '../store/sources.ts';
import { namesMany, strangersOf } from './long-lists.ts';
import type { Placement } from './match/rehome.ts';
import { matchRecord } from './match.ts';
import { RejectedStatement } from './records/places.ts';
import type { ReadLine, Spoken, Tombstone } from './statement.ts';
import type { Stated, Workbench } from './workbench.ts';

/** What became of a line's record. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'matched';

/** Of a record that is nobody else's. */
const apart: Placement = () => ({ record: null, changed: [] });

/**
 * What a line comes to, worked out by reading alone. Both are to be called within a batch: `strangers` put on record
 * whom the record names, each by itself and in batches before the one in which `write` writes the record.
 */
export type Told = {
  write: () => void;
  strangers: (() => void)[];
  /** With the strangers on record the line is to be worked out anew: what it names was not looked up yet. */
  isUnread: boolean;
};

export class Telling {
  readonly #bench: Workbench;
  readonly #source: Source;
  readonly #now: number;
  readonly #count: (kind: FeedKind, outcome: Outcome, externalId: string) => void;

  /** @param now ms since 1970 */
  constructor(
    bench: Workbench,
    source: Source,
    now: number,
    count: (kind: FeedKind, outcome: Outcome, externalId: string) => void,
  ) {
    this.#bench = bench;
    this.#source = source;
    this.#now = now;
    this.#count = count;
  }

  /** Whether a line says what its source said before: then there is nothing to be compared. */
  isKnown(read: ReadLine): boolean {
    if ('into' in read) return true;
    const { kind, externalId, statement } = read;
    const known = this.#bench.sources.find({ source: this.#source.id, kind, externalId });
    return known?.withdrawn_ts === null && known.statement === JSON.stringify(statement);
  }

  /**
   * Works out what a line comes to, by reading alone: nothing has to be locked for it. What it returns takes it into the
   * catalogue, within a batch, as long as nothing else was written meanwhile. Both throw what rejects the line; then all
   * of it has to be undone.
   */
  workOut(read: ReadLine): Told {
    this.#bench.writer.beginLine();
    if ('into' in read) return { write: () => this.#follow(read), strangers: [], isUnread: false };
    const write = this.#restate(read);
    const { kind, statement } = read;
    if (!namesMany(kind, statement) || this.isKnown(read)) return { write, strangers: [], isUnread: false };
    const strangers = this.#strangers(read);
    const isUnread = kind === 'episode' && strangers.length > 0;
    if (kind === 'episode' && !isUnread) this.#readTracks(read);
    return { write, strangers, isUnread };
  }

  #readTracks({ kind, externalId, statement }: Spoken): void {
    const known = this.#bench.sources.find({ source: this.#source.id, kind, externalId });
    this.#bench.readTracks(known?.record_id ?? null, statement as Statement<'episode'>);
  }

  /** Whom a record with long lists names and nobody knows. */
  #strangers(read: Spoken): (() => void)[] {
    const { kind, statement } = read;
    const speaker = { sourceId: this.#source.id, run: this.#source.runs };
    const { resolver } = this.#bench.context;
    return strangersOf(resolver, kind, statement, speaker).map((one) => () => resolver.artist(one, speaker));
  }

  /** What the source says of one record, against what it said before. */
  #restate(read: Spoken): () => void {
    const { kind, externalId, statement, slug } = read;
    const { sources, context } = this.#bench;
    context.resolver.idsAreSlugs = slug === externalId;
    const key = { source: this.#source.id, kind, externalId };
    const text = JSON.stringify(statement);
    const run = this.#source.runs;
    const known = sources.find(key);
    if (known?.statement === text && known.withdrawn_ts === null) {
      return () => {
        if (known.run !== run) sources.seen(key, run);
        this.#count(kind, 'unchanged', externalId);
      };
    }
    // The later line would win now, and the earlier one again at the next run: no end of changes.
    if (known?.run === run && known.statement !== null) {
      throw new RejectedStatement(
        `says something else of ${kind} ${JSON.stringify(externalId)} than an earlier line: one external_id, one line`,
      );
    }
    if (known && !this.#isBack(read, known)) {
      const placement = this.#settled(read, known);
      return () => this.#again(read, text, known, placement);
    }
    const placement = known ? apart : this.#placed(read);
    return () => this.#anew(read, text, known, placement);
  }

  /** Stores what a source now says of a record that it spoke of before, or named. */
  #again(read: Spoken, text: string, known: ProviderRow, placement: Placement): void {
    const { kind, externalId } = read;
    const { sources, writer } = this.#bench;
    const now = this.#now;
    const first = known.statement === null;
    const isRelisted = known.withdrawn_ts !== null && !sources.isListed(known.record_id);
    sources.restate({ source: this.#source.id, kind, externalId }, text, now, this.#source.runs);
    const settled = placement();
    this.#bench.rebuild(kind, settled.record ?? known.record_id);
    if (isRelisted) writer.touch(kind, settled.record ?? known.record_id, now);
    for (const record of settled.changed) this.#bench.rebuild(kind, record);
    this.#count(kind, first ? 'matched' : 'updated', externalId);
  }

  /** Stores what a source says for the first time of what it means. */
  #anew(read: Spoken, text: string, known: ProviderRow | undefined, placement: Placement): void {
    const { kind, externalId, statement, slug } = read;
    const { sources, writer, matching } = this.#bench;
    const key = { source: this.#source.id, kind, externalId };
    const [now, run] = [this.#now, this.#source.runs];
    const { record: match, changed } = placement();
    writer.wishSlug(match === null ? slug : null, known !== undefined);
    const id = match ?? writer.newRecord(kind);
    if (known) {
      sources.move(key, id);
      sources.restate(key, text, now, run);
    } else sources.bind(key, id, text, now, run);
    matching.bound(kind, id, this.#source, externalId, statement);
    if (match === null) this.#bench.build(kind, id, [this.#only(read)]);
    else this.#bench.rebuild(kind, id);
    for (const record of changed) this.#bench.rebuild(kind, record);
    this.#count(kind, match === null ? 'created' : 'matched', externalId);
  }

  /** Where a new statement belongs. Another catalogue has told its records apart already, and says so by their slugs. */
  #placed({ kind, externalId, statement, slug }: Spoken): Placement {
    const { matching, context, sources } = this.#bench;
    if (slug === null) return matching.place(kind, this.#source, externalId, statement);
    const speaker = { sourceId: this.#source.id, run: this.#source.runs };
    return () => ({ record: matchRecord(context, sources, kind, statement, speaker), changed: [] });
  }

  /** Where a statement belongs that was made again, or of what was only named before. */
  #settled({ kind, externalId, statement, slug }: Spoken, known: ProviderRow): Placement {
    const { matching } = this.#bench;
    const { record_id: record, statement: before } = known;
    if (slug === null) {
      return matching.restated(kind, record, this.#source, externalId, statement, before);
    }
    return () => {
      if (kind === 'event' && before !== null)
        matching.events.unfile(record, this.#source, externalId, JSON.parse(before));
      matching.bound(kind, record, this.#source, externalId, statement);
      return { record, changed: [] };
    };
  }

  /** Whether a record that went into another one is told apart from it again. */
  #isBack({ externalId, slug }: Spoken, known: ProviderRow): boolean {
    return (
      slug === externalId &&
      known.statement === null &&
      this.#bench.sources.states(this.#source.id, known.record_id)
    );
  }

  /** A record of another catalogue went into another one there: so it does here, and its slug answers with that one. */
  #follow({ kind, externalId, into }: Tombstone): void {
    const { sources, writer, matching } = this.#bench;
    const key = { source: this.#source.id, kind, externalId };
    const target = sources.find({ ...key, externalId: into });
    if (!target) {
      throw new RejectedStatement(
        `into is "${into}", and no line spoke of that: what a record goes into comes first`,
      );
    }
    const { record_id: record } = target;
    const known = sources.find(key);
    this.#checkPath(externalId, into, known, target);
    if (known?.record_id === record && known.statement === null) {
      if (known.run !== this.#source.runs) sources.seen(key, this.#source.runs);
      this.#count(kind, 'unchanged', externalId);
      return;
    }
    if (known && known.record_id !== record) {
      if (known.statement === null && sources.states(this.#source.id, known.record_id))
        this.#leadElsewhere({ kind, externalId, into }, known.record_id, record);
      else matching.merging.merge(kind, known.record_id, record);
    }
    // What it said of itself, the other's line says now.
    if (known) sources.unstate(key, this.#source.runs);
    else {
      sources.bind(key, record, null, this.#now, this.#source.runs);
      writer.noteMerged(kind, writer.newRecord(kind), record, externalId);
    }
    if (kind === 'event' && known?.statement != null) {
      matching.events.unfile(record, this.#source, externalId, JSON.parse(known.statement));
    }
    writer.addSlug(kind, externalId, record);
    this.#bench.rebuild(kind, record);
    this.#count(kind, known ? 'updated' : 'matched', externalId);
  }

  /** What went into a record that is told by itself went into another one: that record stays, the old name leaves it. */
  #leadElsewhere({ kind, externalId }: Tombstone, from: number, record: number): void {
    const { sources, writer, matching } = this.#bench;
    const former = matching.merging.formerId(from, externalId);
    sources.move({ source: this.#source.id, kind, externalId }, record);
    if (writer.moveSlug(kind, externalId, from, record))
      writer.noteMerged(kind, former ?? writer.newRecord(kind), record, externalId);
    this.#bench.rebuild(kind, from);
  }

  /** Rejects a line by which a record would go into itself: nothing would be left to say what it is. */
  #checkPath(externalId: string, into: string, known: ProviderRow | undefined, target: ProviderRow): void {
    if (into === externalId) throw new RejectedStatement(`into is "${into}", which is this record itself`);
    if (known === undefined || known.statement === null) return;
    // The next run would make it anew and merge it again: no end of changes.
    if (known.run === this.#source.runs) {
      throw new RejectedStatement(
        `into is "${into}", but an earlier line spoke of this record as one of its own: one external_id, one line`,
      );
    }
    const isSaidHere = known.record_id === target.record_id && target.statement === null;
    if (isSaidHere && this.#bench.sources.statements(this.#source.id, known.record_id) < 2) {
      throw new RejectedStatement(
        `into is "${into}", which went into this record itself: the lines lead in a ring`,
      );
    }
  }

  /** All that is said of a new record: what this source says now. */
  #only({ externalId, statement }: Spoken): Stated {
    const { id, name, trust, clock } = this.#source;
    return {
      source_id: id,
      source_name: name,
      trust,
      clock,
      external_id: externalId,
      stated_ts: this.#now,
      withdrawn_ts: null,
      statement,
    };
  }
}
