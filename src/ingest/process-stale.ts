/**
 * Processes the stale queue: rebuilds records whose dependencies changed, gives a new revision to the records that show
 * them, then recalculates search ranks.
 */
import type Database from 'better-sqlite3';
import { isRejection } from './import/savepoint.ts';
import { WriteBatches } from './write-lock/write-batches.ts';
import { WriteSession } from './write-session.ts';

/** Records per look-up. */
const pageSize = 200;
/** Maximum duration in ms between two turns of the event loop; each slice starts a thread (`record-time-limit.ts`). */
const maxSliceMs = 100;
/** Ranks recalculated between two checks of the time limit. */
const ranksPerBatch = 5;

export type StaleProcessing = {
  /** The current session; a new one replaces it after work was aborted by the time limit. */
  session: () => WriteSession;
  batches: WriteBatches;
  /** Begins a batch unless one is open. Returns false while another process holds the lock. */
  begin(): boolean;
  /** Begins a batch as soon as the lock is free. */
  beginWhenFree(): Promise<void>;
  end(): void;
  /** Runs work that only reads; the batch may end during it. */
  runReadOnly<T>(work: () => T): T;
  /**
   * Runs a slice of the work. Returns "slow" or "busy" if it exceeded the time limit and the open batch was rolled back:
   * because the work itself is too slow, or because a busy machine hardly ran it.
   */
  runSlice(work: () => void): 'done' | 'slow' | 'busy';
  /** Pauses so that other writers and the event loop can run. */
  yieldToOthers(): Promise<void>;
  /** Called for a record that is skipped because rebuilding it exceeds the time limit. */
  onSkipped(id: number): void;
};

/** Processes the stale queue without time limits, for a change made by an operator. */
export const processStale = (session: WriteSession, batches: WriteBatches): Promise<void> =>
  processStaleInSlices({
    session: () => session,
    batches,
    begin: () => batches.begin(),
    beginWhenFree: () => batches.beginWhenFree(),
    end: () => batches.end(),
    runReadOnly: (work) => work(),
    runSlice: (work) => {
      work();
      return 'done';
    },
    yieldToOthers: () => batches.pause(),
    onSkipped: () => {},
  });

/**
 * Finishes the work that a killed command or import left. The caller must hold the write lease.
 * @param now ms since 1970
 * @param signal stops the work at a committed transaction and throws the abort reason
 */
export async function finishInterruptedWork(
  sqlite: Database.Database,
  now: number,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const session = new WriteSession(sqlite, { now, onCreated: () => {} });
  session.writer.foreignKeys.staysOff = true;
  const batches = new WriteBatches(sqlite, session, { isAlone: false, signal });
  try {
    await processStale(session, batches);
  } finally {
    session.rollback();
    batches.close();
  }
}

/** Processes the stale queue in slices of limited time until it is empty. Must be called outside a transaction. */
export async function processStaleInSlices(work: StaleProcessing): Promise<void> {
  const { beginWhenFree, end, yieldToOthers, batches } = work;
  const stale = () => work.session().lookup.staleRecords(pageSize);
  /** The record that was in work when a slice was too slow. It gets a page of its own: others may be to blame. */
  let suspect: number | null = null;
  for (let ids = stale(); ids.length > 0; ids = stale()) {
    const pass: StalePage = new StalePage(work, splitAt(ids, suspect));
    while (!pass.isDone) {
      const outcome = work.runSlice(() => pass.processSlice());
      if (outcome === 'slow' && pass.inWork !== suspect) suspect = pass.inWork;
      else if (outcome === 'slow') await pass.skipCurrent();
      // The queue is read again, because the records of the rolled-back batch are still in it.
      if (outcome !== 'done') break;
      // The commit of a long batch is no part of the limited time.
      if (batches.isDue() || (!batches.isShared && batches.mustEndBeforeCompare)) end();
      await yieldToOthers();
    }
    end();
    await batches.pause();
  }
  await reviseStaleDocuments(work);
  for (let more = true; more; ) {
    await yieldToOthers();
    await beginWhenFree();
    batches.noteWrite('search ranks');
    do more = work.session().names.rerankStale(ranksPerBatch) > 0;
    while (more && !batches.isDue());
    end();
  }
  await batches.pause();
}

/** The records before `suspect`; if it is the first, only that one. */
function splitAt(ids: readonly number[], suspect: number | null): readonly number[] {
  const at = suspect === null ? -1 : ids.indexOf(suspect);
  return at < 0 ? ids : ids.slice(0, Math.max(at, 1));
}

/** Gives the records a new revision whose documents show a changed record. */
async function reviseStaleDocuments({
  session,
  batches,
  beginWhenFree,
  end,
  yieldToOthers,
}: StaleProcessing): Promise<void> {
  const queued = () => session().writer.staleDocuments.page(pageSize);
  for (let documents = queued(); documents.length > 0; documents = queued()) {
    for (const { id, kind } of documents) {
      if (!batches.isOpen) await beginWhenFree();
      batches.noteWrite(`record ${id}, new revision`);
      const { writer, now } = session();
      writer.staleDocuments.clear(id);
      writer.touch(kind, id, now);
      if (!batches.isDue()) continue;
      end();
      await yieldToOthers();
    }
    end();
    await batches.pause();
  }
}

/** Processes one page of stale records in order. */
class StalePage {
  readonly #work: StaleProcessing;
  readonly #ids: readonly number[];
  #next = 0;
  /** The record that is being rebuilt; null between two records. */
  inWork: number | null = null;
  #prepared: { write: () => void; epoch: number } | null = null;

  constructor(work: StaleProcessing, ids: readonly number[]) {
    this.#work = work;
    this.#ids = ids;
  }

  /** Whether all records of the page were processed. */
  get isDone(): boolean {
    return this.#next >= this.#ids.length;
  }

  /** Processes records for 100 ms, or until the batch is due or one must wait. */
  processSlice(): void {
    const until = performance.now() + maxSliceMs;
    for (
      let id = this.#ids[this.#next];
      id !== undefined && performance.now() < until;
      id = this.#ids[this.#next]
    ) {
      this.inWork = id;
      if (!this.#step(id)) return;
      this.inWork = null;
      this.#next++;
      if (this.#work.batches.isDue()) return;
    }
  }

  /** Processes one record. Returns false if it must wait for a pause or the lock. */
  #step(id: number): boolean {
    const { begin, end, batches, session } = this.#work;
    if (this.#prepared === null) {
      if (batches.mustEndBeforeCompare) {
        if (!batches.isShared) return false;
        end();
      }
      this.#prepared = this.#prepare(id);
    }
    if (batches.pauseLeftMs > 0 || !begin()) return false;
    batches.noteWrite(`record ${id}, rebuilt`);
    const isStale = this.#prepared.epoch !== session().epoch;
    // Not through `runReadOnly`: the batch must not end here.
    const write = isStale ? session().prepareRefresh(id) : this.#prepared.write;
    this.#prepared = null;
    session().lookup.clearStale(id);
    try {
      write();
    } catch (failure) {
      // Its source records contradict each other, such as two genres that are each below the other: it stays as it is.
      if (!isRejection(failure)) throw failure;
    }
    return true;
  }

  #prepare(id: number) {
    const session = this.#work.session();
    return { write: this.#work.runReadOnly(() => session.prepareRefresh(id)), epoch: session.epoch };
  }

  /** Skips the current record: keeps its row as it is. Records that were rolled back with it stay queued. */
  async skipCurrent(): Promise<void> {
    const { beginWhenFree, end, batches, session, onSkipped } = this.#work;
    const id = this.inWork;
    // The work was interrupted between two records.
    if (id === null) return;
    await batches.pause();
    await beginWhenFree();
    session().lookup.clearStale(id);
    end();
    onSkipped(id);
  }
}
