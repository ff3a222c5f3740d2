/** The parts of a removal or restore that take several transactions. */
import type { FeedKind } from '../../contract/feed.ts';
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import type { RemovalState, RemovedRecord, RemovedRecords } from '../../store/resolution/removed-records.ts';
import { isRejection } from '../import/savepoint.ts';
import type { WriteBatches } from '../write-lock/write-batches.ts';
import type { WriteSession } from '../write-session.ts';

export type Removal = Exclude<RemovalState, 'forgotten'>;

/** Events that are detached from an artist or venue between two checks of the batch's age. */
const detachedPerStep = 50;

/** The steps of removals and restores by one person. */
export class RemovalSteps {
  readonly #session: WriteSession;
  readonly #actor: Actor;

  constructor(session: WriteSession, actor: Actor) {
    this.#session = session;
    this.#actor = actor;
  }

  get #removed(): RemovedRecords {
    return this.#session.lookup.removed;
  }

  /** Changes a hidden record to a deleted one, or keeps one deleted that no source listed any more. */
  changeState(before: RemovedRecord, state: Removal, reason: string | null): void {
    const { writer, remover, now } = this.#session;
    const actor = this.#actor;
    this.#removed.save({
      ...before,
      state,
      reason: reason ?? before.reason,
      removedBy: actor,
      removedTs: now,
    });
    remover.block(before.kind as FeedKind, before.id);
    writer.recordRemoval(before.kind, before.id, state, before.slug, now);
    for (const id of this.#removed.removedWith(before.id)) {
      const part = this.#removed.find(id);
      if (part !== null) this.#removed.save({ ...part, state, removedBy: actor, removedTs: now });
    }
  }

  /**
   * Does the work of a removal that would hold the lock for long with one transaction: events of an artist or venue,
   * episodes of a podcast. If the removal does not follow, recomputing the events reverts it.
   * @returns the number of removed editions or episodes
   */
  async removeAhead(
    batches: WriteBatches,
    { kind, id }: RecordIdentity,
    state: Removal,
    reason: string | null,
  ): Promise<number> {
    const { remover, writer } = this.#session;
    const parts = remover.store.partsOf(kind as FeedKind, id);
    for (const part of parts) {
      await batches.beginWhenFree();
      batches.noteWrite(`${part.kind} ${part.id}, ${state}`);
      writer.beginSavepoint();
      remover.removeOne(part.kind, part.id, { state, by: this.#actor, reason, parent: id });
      if (batches.isDue()) await batches.commit();
    }
    await batches.commit();
    if (kind === 'artist' || kind === 'venue') await this.#detachEvents(batches, kind, id);
    return parts.length;
  }

  async #detachEvents(batches: WriteBatches, kind: 'artist' | 'venue', id: number): Promise<void> {
    const { remover, writer } = this.#session;
    for (;;) {
      const events = remover.store.someEventsOf(kind, id, detachedPerStep);
      if (events.length < detachedPerStep) break;
      await batches.beginWhenFree();
      batches.noteWrite(`events of ${kind} ${id}`);
      this.#removed.addReferences(id, events);
      remover.store.detachEvents(kind, id, events);
      for (const event of events) writer.markStale(event);
      writer.changed = true;
      if (batches.isDue()) await batches.commit();
    }
    await batches.commit();
  }

  /** Restores a record. Throws a `Failure` if nothing is left of it, or if another record took its place. */
  restore(record: RecordIdentity): void {
    try {
      if (!this.#session.remover.restore(record.kind as FeedKind, record.id)) throw nothingLeft(record);
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      throw new Failure(`${record.kind}/${record.slug} stays removed: ${failure.message}.`, 1, {
        code: 'place_taken',
      });
    }
  }

  /**
   * Restores the editions of a festival or the episodes of a podcast. An edition whose place another one took stays
   * removed.
   */
  async restoreParts(batches: WriteBatches, parts: readonly number[]): Promise<void> {
    const { remover, lookup, writer } = this.#session;
    for (const id of parts) {
      const kind = lookup.kindOf(id) as FeedKind;
      await batches.beginWhenFree();
      writer.beginSavepoint();
      try {
        remover.restore(kind, id);
      } catch (failure) {
        if (!isRejection(failure)) throw failure;
        this.#session.rollback();
      }
      // A rollback must not take other editions back.
      if (kind === 'edition' || batches.isDue()) await batches.commit();
    }
    await batches.commit();
  }
}

const nothingLeft = ({ kind, slug }: RecordIdentity): Failure =>
  new Failure(
    `Nothing is left of ${kind}/${slug}: the sources that listed it were removed with all their records. It stays removed.`,
    1,
    { code: 'nothing_left' },
  );
