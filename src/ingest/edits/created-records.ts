/**
 * Records that a change by hand created because it names them: a city with a typing error, an artist of a new line-up. The
 * report lists them, and the undo of an edit deletes those that no other record names.
 */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import type { RecordFinder } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import { toRecordSummary } from '../corrections/explain.ts';
import { RecordEraser } from '../removals/record-eraser.ts';
import type { WriteSession } from '../write-session.ts';

/** Collects the records that one change creates by name. `clear` begins the next change. */
export class CreatedRecords {
  #ids: string[] = [];

  /** Notes a record that was created by name; the callback of a `WriteSession`. */
  readonly note = (kind: FeedKind, id: number): void => {
    this.#ids.push(publicId(kind, id));
  };

  /** Begins the next change. */
  clear(): void {
    this.#ids = [];
  }

  /** The part of an entry of the audit log; empty if no record was created. */
  details(): { created?: readonly string[] } {
    return this.#ids.length === 0 ? {} : { created: this.#ids };
  }

  /** The records that were created since the last `clear`, as the open transaction shows them. */
  summaries(names: RecordFinder): RecordSummary[] {
    return this.#ids.flatMap((id) => {
      const record = names.byPublicId(id);
      return record === null ? [] : toRecordSummary(record);
    });
  }
}

/**
 * Deletes the records that an edit created, unless another record names them, a source states them, or they were merged
 * into another one. Must be called within a batch.
 * @param ids public ids, as `details` returned them
 */
export function eraseCreated(session: WriteSession, names: RecordFinder, ids: readonly string[]): void {
  const eraser = new RecordEraser(session, () => {});
  session.flush();
  for (const id of ids) {
    const record = names.byPublicId(id);
    if (record === null || publicId(record.kind, record.id) !== id) continue;
    eraser.eraseIfOrphan({ kind: record.kind, id: record.id });
  }
}
