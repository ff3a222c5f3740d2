/** Says what a purge of a source would delete, without writing. */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { CountsByKind } from '../../contract/source-summaries.ts';
import type { RecordLookup } from '../../store/resolution/record-lookup.ts';
import { type RecordReference, RemovalStore } from '../../store/resolution/removal-store.ts';
import { SourcePurgeStore } from '../../store/resolution/source-purge.ts';
import { SourceRecords } from '../../store/resolution/source-records.ts';
import { fold } from '../../text/fold.ts';
import { namedIn } from './named-records.ts';
import { purgeOrder } from './purge.ts';

/** Kinds that exist only as long as a source lists them. */
const isListedKind = (kind: FeedKind): boolean => kind === 'event' || kind === 'episode';

/** Counts what a purge of one source would delete and keep. Holds all affected ids in memory; use it once. */
export class PurgePreview {
  readonly #removals: RemovalStore;
  readonly #purge: SourcePurgeStore;
  readonly #sources: SourceRecords;
  readonly #lookup: RecordLookup;
  readonly #source: number;
  readonly #gone = new Map<number, FeedKind>();
  readonly #candidates = new Map<number, FeedKind>();
  readonly #kept: CountsByKind = {};
  readonly #hidden: CountsByKind = {};
  /** What other sources state about the records that they keep, folded. */
  readonly #otherTexts = new Map<number, string>();

  constructor(sqlite: Database.Database, source: number, lookup: RecordLookup) {
    this.#removals = new RemovalStore(sqlite);
    this.#purge = new SourcePurgeStore(sqlite);
    this.#sources = new SourceRecords(sqlite);
    this.#lookup = lookup;
    this.#source = source;
  }

  /** Counts the records that would go, those that other sources or records keep, and those that a person removed. */
  count(): { removed: CountsByKind; kept: CountsByKind; hidden: CountsByKind } {
    for (const kind of purgeOrder)
      for (const id of this.#purge.allRecords(this.#source, kind)) this.#consider(kind, id);
    this.#settle();
    const removed: CountsByKind = {};
    for (const kind of this.#gone.values()) removed[kind] = (removed[kind] ?? 0) + 1;
    return { removed, kept: this.#kept, hidden: this.#hidden };
  }

  #consider(kind: FeedKind, id: number): void {
    if (this.#lookup.removed.has(id)) this.#considerRemoved(kind, id);
    else if (this.#purge.othersOf(this.#source, id) !== 'nothing') {
      this.#kept[kind] = (this.#kept[kind] ?? 0) + 1;
      const others = this.#sources.statementsOf(id).filter((row) => row.source_id !== this.#source);
      if (others.length > 0) this.#otherTexts.set(id, fold(others.map(({ content }) => content).join('\n')));
      this.#addNamed(kind, id);
    } else if (isListedKind(kind)) this.#leave(kind, id);
    else this.#candidates.set(id, kind);
  }

  /** A record that no source listed any more is deleted for good; one that a person removed stays removed. */
  #considerRemoved(kind: FeedKind, id: number): void {
    const isUnlisted = this.#lookup.removed.isUnlisted(id);
    if (isUnlisted && this.#purge.othersOf(this.#source, id) !== 'content') this.#gone.set(id, kind);
    else if (!isUnlisted) this.#hidden[kind] = (this.#hidden[kind] ?? 0) + 1;
    for (const { content } of this.#purge.rowsOf(this.#source, id))
      if (content !== null) this.#addCandidates(namedIn(this.#lookup, content));
  }

  #leave(kind: FeedKind, id: number): void {
    this.#gone.set(id, kind);
    this.#addNamed(kind, id);
  }

  /** Adds the records that a record names and that no other source has. */
  #addNamed(kind: FeedKind, id: number): void {
    this.#addCandidates(this.#removals.referencesOf(kind, id));
  }

  #addCandidates(references: readonly RecordReference[]): void {
    for (const one of references) {
      if (this.#lookup.removed.has(one.id)) continue;
      if (this.#gone.has(one.id) || this.#candidates.has(one.id) || isListedKind(one.kind)) continue;
      const isOwn = this.#sources.externalIdsOf(one.id).every(({ source_id }) => source_id === this.#source);
      if (isOwn) this.#candidates.set(one.id, one.kind);
    }
  }

  #namesOf(kind: FeedKind, id: number): string[] {
    return this.#sources.namesOf(kind, id).map(fold);
  }

  /** Whether a record that stays names another one in what is left of it. */
  #stillNames(referrer: number, names: readonly string[]): boolean {
    const text = this.#otherTexts.get(referrer);
    return text === undefined || names.some((name) => text.includes(name));
  }

  /** Lets candidates go that only leaving records name, until none is left. */
  #settle(): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const [id, kind] of this.#candidates) {
        const names = this.#namesOf(kind, id);
        const leaves = (referrer: number) => this.#gone.has(referrer) || !this.#stillNames(referrer, names);
        if (!this.#removals.areReferrers(kind, id, leaves)) continue;
        this.#candidates.delete(id);
        this.#leave(kind, id);
        isChanged = true;
      }
    }
    for (const [id, kind] of this.#candidates)
      if (this.#sources.statementsOf(id).length > 0) this.#kept[kind] = (this.#kept[kind] ?? 0) + 1;
  }
}
