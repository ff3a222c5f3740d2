/** Deletes records for good. Their slugs become free; their ids are not used again. Must be called within a batch. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordReference } from '../../store/resolution/removal-store.ts';
import type { WriteSession } from '../write-session.ts';

/** Kinds that exist because other records name them. */
const namedKinds: ReadonlySet<FeedKind> = new Set([
  'artist',
  'venue',
  'label',
  'festival',
  'edition',
  'podcast',
  'city',
  'genre',
]);

/** Deletes records and what only they named. */
export class RecordEraser {
  readonly #session: WriteSession;
  readonly #onErased: (kind: FeedKind) => void;

  constructor(session: WriteSession, onErased: (kind: FeedKind) => void) {
    this.#session = session;
    this.#onErased = onErased;
  }

  /** Deletes a record, and then the records that only it named. */
  erase(kind: FeedKind, id: number): void {
    const { writer, remover, resolver, lookup, now } = this.#session;
    const slug = writer.row(kind, id)?.slug;
    if (slug === undefined) return;
    const references = remover.store.referencesOf(kind, id);
    writer.recordRemoval(kind, id, 'deleted', slug, now);
    remover.takeAway(kind, id);
    lookup.removed.releaseReferences(id);
    remover.store.eraseTraces(id);
    resolver.clearCache();
    lookup.clearGenreCache();
    this.#onErased(kind);
    for (const one of references) this.eraseIfOrphan(one);
  }

  /** Deletes what is left of a removed record. */
  eraseRemoved(kind: FeedKind, id: number): void {
    const { removed } = this.#session.lookup;
    removed.delete(id);
    removed.releaseReferences(id);
    this.#session.remover.store.eraseTraces(id);
    this.#onErased(kind);
  }

  /** Deletes a record that no source lists or names any more and that no record shows. */
  eraseIfOrphan({ kind, id }: RecordReference): void {
    if (!namedKinds.has(kind) || !this.isOrphan(kind, id)) return;
    this.erase(kind, id);
  }

  /** Whether no source lists or names a record and no record shows it; false for a removed record. */
  isOrphan(kind: FeedKind, id: number): boolean {
    const { sources, remover, lookup } = this.#session;
    if (lookup.removed.has(id) || sources.externalIdsOf(id).length > 0) return false;
    return !remover.store.isReferenced(kind, id);
  }
}
