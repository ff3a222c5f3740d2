/** Opens what people change in the catalogue: decisions of matching, fields, removals; and how each is undone. */
import type { Clock } from '../clock.ts';
import type { Kind } from '../contract/fields.ts';
import type { Actor } from '../contract/roles.ts';
import type { Corrections } from '../ingest/corrections/corrections.ts';
import type { Edits } from '../ingest/edits/edits.ts';
import type { UndoActions } from '../ingest/edits/undo.ts';
import type { Removals } from '../ingest/removals/removals.ts';
import type { ReviewQueue } from '../ingest/review/queue.ts';
import type { Review } from '../ingest/review/review.ts';
import { readRevision } from '../store/file/maintenance.ts';
import type { Sqlite } from './connections.ts';

/** Called with the work of another writer, if a change has to wait for it. */
type OnWait = (writer: string) => void;

type ChangesOptions = {
  sqlite: Sqlite;
  clock: Clock;
  /** Returns a record as the API shows it. */
  record: (kind: Kind, slug: string) => Record<string, unknown>;
};

/**
 * Opens the parts of `ingest` that people change the catalogue with. Each call loads its module on first use; all
 * share one review queue.
 */
export class ManualChanges {
  readonly #parts: ChangesOptions;
  #reviewQueue: ReviewQueue | undefined;

  constructor(parts: ChangesOptions) {
    this.#parts = parts;
  }

  /** Opens the decisions of matching and their corrections (`ingest/corrections/corrections.ts`). */
  async corrections(onWait?: OnWait, actor?: Actor): Promise<Corrections> {
    const { Corrections } = await import('../ingest/corrections/corrections.ts');
    return new Corrections(this.#parts.sqlite, this.#parts.clock.now(), onWait, actor);
  }

  /** Opens the review of doubtful pairs (`ingest/review/review.ts`). */
  async review(actor: Actor, onWait?: OnWait): Promise<Review> {
    const [{ Review }, { ReviewQueue }, { ReviewStore }, { NearNames }] = await Promise.all([
      import('../ingest/review/review.ts'),
      import('../ingest/review/queue.ts'),
      import('../store/resolution/review-store.ts'),
      import('../ingest/review/near-names.ts'),
    ]);
    const store = new ReviewStore(this.#parts.sqlite);
    const nearNames = new NearNames(this.#parts.sqlite);
    this.#reviewQueue ??= new ReviewQueue(
      store,
      nearNames,
      () => readRevision(this.#parts.sqlite),
      () => this.#parts.clock.now(),
    );
    return new Review({
      sqlite: this.#parts.sqlite,
      store,
      queue: this.#reviewQueue,
      nearNames,
      now: this.#parts.clock.now(),
      actor,
      record: this.#parts.record,
      corrections: () => this.corrections(onWait, actor),
    });
  }

  /** Opens the removal of records and sources (`ingest/removals/removals.ts`). */
  async removals(actor: Actor, onWait?: OnWait, signal?: AbortSignal): Promise<Removals> {
    const { Removals } = await import('../ingest/removals/removals.ts');
    return new Removals(this.#parts.sqlite, { now: this.#parts.clock.now(), actor, onWait, signal });
  }

  /** Opens editors' corrections of fields, records by hand, the history of records and undo (`ingest/edits/edits.ts`). */
  async edits(actor: Actor, onWait?: OnWait): Promise<Edits> {
    const { Edits } = await import('../ingest/edits/edits.ts');
    const undoActions = this.#undoActions(actor, onWait);
    return new Edits(this.#parts.sqlite, {
      now: this.#parts.clock.now(),
      actor,
      undoActions,
      onWait,
      deleteAdded: async ({ kind, slug }, auditId) => {
        const removals = await this.removals(actor, onWait);
        const reason = `undo of entry ${auditId}`;
        const report = await removals.delete(`${kind}/${slug}`, { reason, undone: auditId });
        return { ...report, undone: auditId };
      },
    });
  }

  /** How the entries of the audit log are undone that other parts than the edits write, by their action. */
  #undoActions(actor: Actor, onWait?: OnWait): UndoActions {
    const undoDecision: UndoActions[string] = async ({ id }) => ({
      ...(await (await this.corrections(onWait, actor)).undo(id)),
      undone: id,
    });
    const undoRemoval: UndoActions[string] = async ({ id }) => ({
      ...(await (await this.removals(actor, onWait)).undo(id)),
      undone: id,
    });
    return {
      'record.merge': undoDecision,
      'record.never-merge': undoDecision,
      'record.split': undoDecision,
      'review.later': async ({ id }) => {
        const { audit_id } = await (await this.review(actor, onWait)).undo(id);
        return { undone: id, audit_id, record: null, revision: readRevision(this.#parts.sqlite) };
      },
      'record.hide': undoRemoval,
      'record.delete': undoRemoval,
      'record.restore': undoRemoval,
    };
  }
}
