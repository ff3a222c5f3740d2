/** The interface of `WriteSession` (`write-session.ts`) that rebuilding and matching use, so that they do not import it. */
import type { FeedKind } from '../contract/feed.ts';
import type { SavedRow } from '../store/writer.ts';
import type { RecordEdits } from './records/record-edits.ts';
import type { ReferenceResolver } from './resolution/reference-resolver.ts';
import type { StoreContext } from './store-context.ts';

/** Removes editions and episodes whose festival or podcast is removed (`removals/record-remover.ts`). */
export interface PartRemover {
  removePart(
    kind: 'edition' | 'episode',
    id: number,
    options: { parent: number; kept: SavedRow; slugs: () => string[] },
  ): void;
}

/** The part of a `WriteSession` that rebuilding and matching use. */
export interface WriteContext extends StoreContext {
  readonly resolver: ReferenceResolver;
  readonly remover: PartRemover;
  /** ms since 1970. */
  readonly now: number;
  /** The run of the importing source; 0 outside imports. */
  readonly run: number;
  /** The edits of a record; null if it has none. */
  editsOf(kind: FeedKind, id: number): RecordEdits | null;
  /** Called regularly by long reads: may commit the open transaction so that other processes can write. */
  releaseLockIfDue: () => void;
}
