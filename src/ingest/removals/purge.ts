/**
 * Removes a source with all its records. Records that another source describes stay and are rebuilt; records that only
 * it named go, also artists, venues, labels and cities that nothing else names. Each record is one step, so that an
 * interrupted purge can be repeated.
 */

import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { CountsByKind } from '../../contract/source-summaries.ts';
import { idsOf } from '../../matching/external-ids.ts';
import { type ContentMembers, parseMembers } from '../../store/resolution/record-content.ts';
import { type PurgedRow, SourcePurgeStore } from '../../store/resolution/source-purge.ts';
import type { SourceRow } from '../../store/resolution/source-records.ts';
import { clearOwnChildren } from '../records/artists.ts';
import type { NameOnlyKind } from '../records/placeholder-records.ts';
import { defaultEditionRow } from '../records/row-defaults.ts';
import type { WriteBatches } from '../write-lock/write-batches.ts';
import type { WriteSession } from '../write-session.ts';
import { namedIn } from './named-records.ts';
import { RecordEraser } from './record-eraser.ts';

/** Records that name others come before those that they name. */
export const purgeOrder: readonly FeedKind[] = [
  'event',
  'episode',
  'edition',
  'podcast',
  'festival',
  'label',
  'artist',
  'venue',
  'genre',
  'city',
];
const pageSize = 200;

/** Purges one source. `removed` and `kept` count what was done so far. */
export class SourcePurge {
  readonly #session: WriteSession;
  readonly #source: SourceRow;
  readonly #store: SourcePurgeStore;
  readonly #eraser: RecordEraser;
  /** Records that were deleted, and records of other sources that were rebuilt. */
  readonly removed: CountsByKind = {};
  readonly kept: CountsByKind = {};

  constructor(sqlite: Database.Database, session: WriteSession, source: SourceRow) {
    this.#session = session;
    this.#source = source;
    this.#store = new SourcePurgeStore(sqlite);
    this.#eraser = new RecordEraser(session, (kind) => add(this.removed, kind));
  }

  /**
   * Deletes the source records and the source in transactions of milliseconds. A crash between two of them leaves a
   * consistent catalogue.
   */
  async run(
    batches: WriteBatches,
    { onProgress, signal }: { onProgress?: (records: number) => void; signal?: AbortSignal | undefined },
  ): Promise<void> {
    let count = 0;
    for (const kind of purgeOrder) {
      for (let ids = this.#page(kind); ids.length > 0; ids = this.#page(kind)) {
        for (const id of ids) {
          await batches.beginWhenFree();
          batches.noteWrite(`${kind} ${id}, purged`);
          this.#session.writer.beginSavepoint();
          this.#purgeRecord(kind, id);
          onProgress?.(++count);
          if (!batches.isDue()) continue;
          await batches.commit();
          signal?.throwIfAborted();
        }
        await batches.commit();
        signal?.throwIfAborted();
      }
    }
    for (let isMore = true; isMore; ) {
      await batches.beginWhenFree();
      isMore = this.#store.deleteSomeLists(this.#source.id);
      if (!isMore) this.#store.deleteSource(this.#source.id);
      await batches.commit();
    }
  }

  #page(kind: FeedKind): number[] {
    return this.#store.records(this.#source.id, kind, pageSize);
  }

  #purgeRecord(kind: FeedKind, id: number): void {
    const { lookup, remover, writer } = this.#session;
    const references = remover.store.referencesOf(kind, id);
    const rows = this.#store.rowsOf(this.#source.id, id);
    this.#unindex(kind, id, rows);
    this.#store.deleteRows(this.#source.id, id);
    const others = this.#store.othersOf(this.#source.id, id);
    if (lookup.removed.has(id)) {
      this.#purgeRemoved(kind, id, others);
      for (const { content } of rows) if (content !== null) references.push(...namedIn(lookup, content));
    } else if (others === 'content') {
      this.#session.rebuild(kind, id);
      // Its remaining source records may match others now.
      writer.markStale(id);
      add(this.kept, kind);
    } else if (kind === 'event' || kind === 'episode' || !this.#isNeeded(kind, id, others))
      this.#eraser.erase(kind, id);
    else if (rows.some(({ content }) => content !== null)) {
      this.#reduceToName(kind, id);
      add(this.kept, kind);
    }
    for (const one of references) this.#eraser.eraseIfOrphan(one);
  }

  #isNeeded(kind: FeedKind, id: number, others: 'id' | 'nothing'): boolean {
    return others === 'id' || this.#session.remover.store.isReferenced(kind, id);
  }

  /** A record that a person removed stays on the block list, but nothing of it is kept. */
  #purgeRemoved(kind: FeedKind, id: number, others: 'content' | 'id' | 'nothing'): void {
    const { removed } = this.#session.lookup;
    const record = removed.find(id);
    if (record === null || others === 'content') return;
    if (removed.isUnlisted(id)) this.#eraser.eraseRemoved(kind, id);
    else removed.save({ ...record, saved: { ...record.saved, row: null } });
  }

  /** Removes a record from the indexes under what this source states, unless another source states it too. */
  #unindex(kind: FeedKind, id: number, rows: readonly PurgedRow[]): void {
    const { matcher } = this.#session;
    const { name: source } = this.#source;
    for (const { external_id, content } of rows) {
      matcher.store.removePossibleMatches(kind, source, external_id);
      matcher.store.setUncomparedCount(kind, source, external_id, 0);
      if (content === null) continue;
      matcher.unindexSourceRecord(kind, id, this.#source, external_id, content);
      if (kind !== 'event') this.#unindexIds(kind, id, external_id, parseMembers(content));
    }
    if (rows.length > 0 && kind !== 'event') this.#reindexOthers(kind, id);
  }

  #unindexIds(kind: FeedKind, id: number, externalId: string, statement: ContentMembers): void {
    const { store } = this.#session.matcher;
    for (const [service, value] of idsOf({ source: this.#source.name, externalId }, statement))
      store.removeExternalId(kind, service, value, id);
  }

  #reindexOthers(kind: FeedKind, id: number): void {
    if (this.#store.othersOf(this.#source.id, id) === 'content') this.#session.matcher.reindex(kind, id);
  }

  /** Reduces a record that other records need to its name: only the purged source described it. */
  #reduceToName(kind: FeedKind, id: number): void {
    const { writer, resolver, lookup, matcher, now } = this.#session;
    if (kind === 'edition') {
      const row = writer.row(kind, id);
      if (row === undefined) return;
      const defaults = defaultEditionRow(row.festival_id, row.edition, row.name);
      writer.save('edition', id, defaults, () => [], now);
      for (const table of ['lineups', 'tickets'] as const) writer.saveChildren(table, id, []);
      return;
    }
    const row = writer.row(kind, id);
    if (row === undefined) return;
    clearOwnChildren(this.#session, kind, id);
    const place = matcher.merger.placeOf(kind, row);
    resolver.reduceToName(kind as NameOnlyKind, id, { name: row.name, place, slug: '' });
    resolver.clearCache();
    if (kind === 'city' || kind === 'venue') lookup.markDependents(kind, id);
  }
}

const add = (counts: CountsByKind, kind: FeedKind): void => {
  counts[kind] = (counts[kind] ?? 0) + 1;
};
