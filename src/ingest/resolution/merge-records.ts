/** Merges two records, after a match or by an operator's decision. */
import type { FeedKind } from '../../contract/feed.ts';
import type { MergeStore } from '../../store/resolution/merge-store.ts';
import type { RowOf } from '../../store/writer.ts';
import type { WriteContext } from '../write-context.ts';

/** Kinds whose search rank depends on the records that reference them. */
const rankedKinds: readonly FeedKind[] = ['artist', 'venue', 'festival', 'label'];

/** Merges records, and keeps the names that a merge would lose. Its writes must be called within a batch. */
export class RecordMerger {
  readonly #context: WriteContext;
  readonly store: MergeStore;

  constructor(context: WriteContext, store: MergeStore) {
    this.#context = context;
    this.store = store;
  }

  /**
   * Merges `from` into `into`: source records, slugs and references. The caller rebuilds `into`; records that display
   * either are marked for rebuilding. A merge by an operator keeps names and slugs so that it can be split; the name of
   * a misread record is dropped.
   */
  merge(kind: FeedKind, from: number, into: number, { byOperator = false, isMisread = false } = {}): void {
    const { writer, names, sources, resolver, lookup, now } = this.#context;
    if (kind === 'festival') {
      for (const [one, two] of this.store.commonEditions(from, into)) this.merge('edition', one, two);
    }
    const row = writer.row(kind, from);
    writer.recordMerge(kind, from, into);
    if (lookup.removed.has(from)) lookup.removed.merge(from, into);
    const shownWith = this.store.dependents(kind, from);
    this.store.markDependents(kind, from);
    writer.staleDocuments.mark(kind, from);
    if (kind === 'event') this.#unrank(from, row?.venue_id);
    // A record known by name only: no source record would state the name again.
    if (sources.statementsOf(from).length === 0 && !isMisread) this.#giveRowName(into, kind, row, byOperator);
    if (sources.statementsOf(from).length > 0 || !byOperator) this.keepName(kind, into, byOperator);
    names.remove(from);
    this.store.merge(kind, from, into);
    // Their rows reference the survivor now.
    for (const one of shownWith) writer.evictRow(one);
    writer.evictRow(from);
    writer.evictRow(into);
    if (rankedKinds.includes(kind)) names.markStale(into);
    resolver.clearCache();
    lookup.clearGenreCache();
    // The operator decided about this pair only, so nearby records stay as they are.
    if (kind !== 'event' || !byOperator) writer.markStale(into);
    writer.touch(kind, into, now);
  }

  /**
   * Redirects some of the events that reference `from` to `into`, before a merge that would hold the lock for long with
   * all of them. They are marked for rebuilding, which restores the reference if the merge does not follow.
   * @returns whether there may be more
   */
  leadSome(kind: FeedKind, from: number, into: number, limit: number): boolean {
    this.#context.writer.changed = true;
    return this.store.leadSome(kind, from, into, limit);
  }

  /** Keeps the name of a record known by name only, before it gets source records. */
  keepName(kind: FeedKind, id: number, byOperator = false): void {
    if (this.#context.sources.statementsOf(id).length > 0) return;
    this.#giveRowName(id, kind, this.#context.writer.row(kind, id), byOperator);
  }

  /** Keeps the name if the first source record has another name or place. */
  keepFormerName(
    kind: FeedKind,
    id: number,
    { name, country }: { name?: string; country?: string | null },
  ): void {
    const row = this.#context.writer.row(kind, id);
    if (row === undefined || !('aliases' in row)) return;
    if (row.name !== name || (kind === 'city' && row.country !== country)) this.keepName(kind, id);
  }

  #giveRowName(id: number, kind: FeedKind, row: RowOf<FeedKind> | undefined, byOperator: boolean): void {
    if (typeof row?.name !== 'string') return;
    const slug = byOperator ? row.slug : '';
    this.store.addInheritedName(id, { name: row.name, place: this.placeOf(kind, row), slug });
  }

  /** The place of a name: venue and city names are not unique. */
  placeOf(kind: FeedKind, { country, city_id: city }: RowOf<FeedKind>): string {
    if (kind === 'city') return country ?? '';
    return kind === 'venue' && city != null ? (this.#context.writer.row('city', city)?.slug ?? '') : '';
  }

  /** The id of the record that was merged into this one while it had the slug; null if there was none. */
  formerId(into: number, slug: string): number | null {
    return this.store.findMergedId(into, slug);
  }

  /** Unbinds references without source records, so that they are resolved by name again. */
  unbindNamed(id: number): void {
    this.store.unbindReferences(id);
    this.#context.resolver.clearCache();
  }

  /** Marks the search ranks that counted an event as stale. */
  #unrank(event: number, venue: number | null | undefined): void {
    const { writer, names } = this.#context;
    for (const [, artist] of writer.childrenOf('lineups', event)) names.markStale(artist);
    if (venue != null) names.markStale(venue);
  }
}
