/**
 * Takes single records out of the catalogue and back. The source records of a removed record stay bound to it
 * (docs/decisions/17-removals.md). All functions must be called within a batch.
 */

import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { parseAliases } from '../../store/records/serialize.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { MergeStore } from '../../store/resolution/merge-store.ts';
import { RemovalStore } from '../../store/resolution/removal-store.ts';
import type { RemovalState, RemovedRecord } from '../../store/resolution/removed-records.ts';
import type { RowOf, SavedRow } from '../../store/values.ts';
import type { PartRemover, WriteContext } from '../write-context.ts';

export type RemovalOptions = {
  state: Exclude<RemovalState, 'forgotten'>;
  /** An actor, or `removedBySource` if no source lists the record any more. */
  by: string;
  reason: string | null;
  /** The record that this one was removed with: the festival of an edition, the podcast of an episode. */
  parent?: number;
  /** What to keep of a record that never had a row. */
  kept?: SavedRow;
};

/** What the removal of a record needs of a `WriteSession`. */
export type RemovalContext = Pick<
  WriteContext,
  'writer' | 'sources' | 'names' | 'lookup' | 'resolver' | 'now'
> & {
  readonly matcher: { readonly store: MatchStore; clearCache(): void };
  rebuild(kind: FeedKind, id: number): void;
};

/** Kinds whose search rank counts events. */
const rankedReferences: readonly FeedKind[] = ['artist', 'venue', 'festival', 'label'];

/** Removes and restores single records. */
export class RecordRemover implements PartRemover {
  readonly #context: RemovalContext;
  readonly #merges: MergeStore;
  readonly store: RemovalStore;

  constructor(context: RemovalContext, sqlite: Database.Database) {
    this.#context = context;
    this.#merges = new MergeStore(sqlite);
    this.store = new RemovalStore(sqlite);
  }

  /** Removes a record, and the editions or episodes that belong to it. Does nothing if it is removed already. */
  remove(kind: FeedKind, id: number, options: RemovalOptions): void {
    for (const part of this.store.partsOf(kind, id))
      this.removeOne(part.kind, part.id, { ...options, parent: id });
    this.removeOne(kind, id, options);
  }

  /** Removes a record that has no editions or episodes left. */
  removeOne(kind: FeedKind, id: number, { state, by, reason, parent, kept }: RemovalOptions): void {
    const { writer, lookup, now } = this.#context;
    if (lookup.removed.has(id)) return;
    const row = writer.row(kind, id);
    const keptRow = row === undefined ? (kept ?? null) : savedRow(kind, row);
    const slug = row?.slug ?? kept?.slug ?? '';
    this.takeAway(kind, id);
    lookup.removed.save({
      id,
      kind,
      state,
      slug,
      name: row?.name ?? kept?.name ?? '',
      saved: { row: keptRow, parent: parent ?? null },
      reason,
      removedBy: by,
      removedTs: now,
    });
    if (lookup.removed.isFixed(id)) this.block(kind, id);
    if (row !== undefined) writer.recordRemoval(kind, id, state, slug, now);
    this.#forgetCaches();
  }

  /** Removes an edition or episode whose festival or podcast is removed; they come back together. */
  removePart(
    kind: 'edition' | 'episode',
    id: number,
    { parent, kept, slugs }: { parent: number; kept: SavedRow; slugs: () => string[] },
  ): void {
    const { lookup, writer } = this.#context;
    const above = lookup.removed.find(parent);
    if (above === null) return;
    const isNew = writer.row(kind, id) === undefined;
    this.removeOne(kind, id, {
      state: above.state === 'hidden' ? 'hidden' : 'deleted',
      by: above.removedBy,
      reason: above.reason,
      parent,
      ...(isNew ? { kept: { ...kept, slug: writer.mintSlug(kind, id, slugs()) } } : {}),
    });
  }

  /** Deletes the rows of a record; records that show it are marked to be recomputed. */
  takeAway(kind: FeedKind, id: number): void {
    const { writer, names, lookup } = this.#context;
    const dependents = this.#merges.dependents(kind, id);
    lookup.removed.addReferences(id, dependents);
    this.#merges.markDependents(kind, id);
    writer.staleDocuments.mark(kind, id);
    for (const one of this.store.referencesOf(kind, id))
      if (rankedReferences.includes(one.kind)) names.markStale(one.id);
    names.remove(id);
    this.store.deleteRows(kind, id);
    for (const one of dependents) writer.evictRow(one);
    writer.evictRow(id);
  }

  /** Adds the identities of a removed record at its sources to the block list, and drops its possible matches. */
  block(kind: FeedKind, id: number): void {
    const { sources, lookup, matcher } = this.#context;
    for (const { source_name, external_id } of sources.externalIdsOf(id)) {
      lookup.removed.block(kind, source_name, external_id, id);
      matcher.store.removePossibleMatches(kind, source_name, external_id);
    }
  }

  /**
   * Brings a removed record back with its slug.
   * @returns false if nothing is left from which to rebuild it
   */
  restore(kind: FeedKind, id: number): boolean {
    const { sources, lookup, writer } = this.#context;
    const record = lookup.removed.find(id);
    if (record === null) return true;
    const hasStatement = sources.statementsOf(id).length > 0;
    if (!hasStatement && !isWholeRow(record.saved.row)) return false;
    this.clearRemoval(kind, record);
    if (hasStatement) this.#context.rebuild(kind, id);
    else this.#restoreRow(kind, record);
    // It may match other records now.
    writer.markStale(id);
    return true;
  }

  /** Ends a removal before the record is rebuilt. Records that name it are marked to be recomputed. */
  clearRemoval(kind: FeedKind, { id, slug }: Pick<RemovedRecord, 'id' | 'slug'>): void {
    const { lookup, writer, now } = this.#context;
    lookup.removed.delete(id);
    lookup.removed.releaseReferences(id);
    writer.recordRestore(kind, id, slug, now);
    this.#forgetCaches();
  }

  /** Restores a record that is known by name only. */
  #restoreRow(kind: FeedKind, { id, saved }: RemovedRecord): void {
    const { writer, names, now } = this.#context;
    const { id: _, checksum: __, ...row } = this.#withoutLostReferences(saved.row ?? {});
    const { slug = '', name = '', aliases } = row;
    writer.save(kind, id, row, () => [slug], now);
    if (aliases === undefined) return;
    const rank = { prominence: names.prominence(kind, id) };
    names.write(kind, id, name, parseAliases(aliases), rank, '', true);
  }

  /** Clears references to records that have no row any more. */
  #withoutLostReferences(row: SavedRow): SavedRow {
    const { writer, lookup } = this.#context;
    const copy = { ...row };
    for (const [column, kind] of referencedKinds) {
      const to = copy[column];
      if (typeof to !== 'number') continue;
      if (lookup.removed.has(to) || writer.row(kind, to) === undefined) copy[column] = null;
    }
    if ('parent_id' in copy) copy.parent_id = null;
    return copy;
  }

  #forgetCaches(): void {
    const { resolver, lookup, matcher } = this.#context;
    resolver.clearCache();
    lookup.clearGenreCache();
    lookup.onNamesChanged(null);
    matcher.clearCache();
  }
}

const referencedKinds = [
  ['city_id', 'city'],
  ['venue_id', 'venue'],
] as const;

/** Whether a saved row has all columns. */
const isWholeRow = (row: SavedRow | null): boolean => row !== null && 'updated_ts' in row;

/** What is kept of a row. Events are rebuilt from their source records; of episodes only the name is looked up. */
function savedRow(kind: FeedKind, row: RowOf<FeedKind>): SavedRow | null {
  if (kind === 'event') return null;
  if (kind !== 'episode') return row;
  const { podcast_id, name, folded, slug } = row as RowOf<'episode'>;
  return { podcast_id, name, folded, slug };
}
