/** Working out what waits: records whose parts changed, then places in search. */
import type Database from 'better-sqlite3';
import { WriteBatches } from './write-lock/write-batches.ts';
import { WriteSession } from './write-session.ts';

/** How many are looked up at a time. */
const pageSize = 200;
/** Some work between two looks at the clock. */
const ranksPerBatch = 5;

export type StaleProcessing = {
  /** The tools; others after something took too long. */
  session: () => WriteSession;
  batches: WriteBatches;
  /** Begins a batch, unless one is under way; false where another process holds the lock. */
  begin(): boolean;
  /** The same as soon as nobody else does. */
  beginWhenFree(): Promise<void>;
  end(): void;
  /** Does some work that only reads: the batch may end in its midst. */
  runReadOnly<T>(work: () => T): T;
  /** Does a slice of the work; false where it took too long, and the batch under way was undone. */
  runSlice(work: () => void): boolean;
  /** Lets others have their turn. */
  yieldToOthers(): Promise<void>;
  /** Hears of a record that is left as it is, since working it out takes too long. */
  onSkipped(id: number): void;
};

/** The same without limits of time: for a change made by hand. */
export const processStale = (bench: WriteSession, batches: WriteBatches): Promise<void> =>
  processAllStale({
    session: () => bench,
    batches,
    begin: () => batches.begin(),
    beginWhenFree: () => batches.beginWhenFree(),
    end: () => batches.end(),
    runReadOnly: (work) => work(),
    runSlice: (work) => {
      work();
      return true;
    },
    yieldToOthers: () => batches.rest(),
    onSkipped: () => {},
  });

/**
 * Works out what a command or an import that was killed has left. To be called by who has the turn of the catalogue.
 * @param now ms since 1970
 * @param signal ends the work at a committed transaction; what it is aborted with is thrown
 */
export async function finishInterruptedWork(
  sqlite: Database.Database,
  now: number,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const bench = new WriteSession(sqlite, { now, onCreated: () => {} });
  try {
    await processStale(bench, new WriteBatches(sqlite, bench, { isAlone: false, signal }));
  } finally {
    bench.rollback();
  }
}

/** Until nothing waits any more. To be called between transactions. */
export async function processAllStale(work: StaleProcessing): Promise<void> {
  const { beginWhenFree: opened, end, yieldToOthers: breathe, batches } = work;
  const stale = () => work.session().context.lookup.staleRecords(pageSize);
  for (let waiting = stale(); waiting.length > 0; waiting = stale()) {
    const pass = new StalePage(work, waiting);
    while (!pass.isDone) {
      if (!work.runSlice(() => pass.processSlice())) {
        await pass.skipCurrent();
        break;
      }
      if (batches.isDue()) end();
      await breathe();
    }
    end();
    await batches.rest();
  }
  for (let more = true; more; ) {
    await breathe();
    await opened();
    batches.doing('places in search');
    do more = work.session().names.rerankStale(ranksPerBatch) > 0;
    while (more && !batches.isDue());
    end();
  }
  await batches.rest();
}

/** Some records, one after the other. */
class StalePage {
  readonly #work: StaleProcessing;
  readonly #ids: readonly number[];
  #next = 0;
  #prepared: { write: () => void; epoch: number } | null = null;

  constructor(work: StaleProcessing, ids: readonly number[]) {
    this.#work = work;
    this.#ids = ids;
  }

  get isDone(): boolean {
    return this.#next >= this.#ids.length;
  }

  processSlice(): void {
    const until = performance.now() + 20;
    while (!this.isDone && performance.now() < until) {
      if (!this.#step()) return;
      this.#next++;
      if (this.#work.batches.isDue()) return;
    }
  }

  /** One record; false where others are to have their turn first. */
  #step(): boolean {
    const { begin, end, batches, session: bench } = this.#work;
    const id = this.#ids[this.#next] as number;
    if (this.#prepared === null) {
      if (batches.mustEndBeforeCompare) end();
      this.#prepared = this.#prepare(id);
    }
    if (batches.pauseLeftMs > 0 || !begin()) return false;
    batches.doing(`record ${id}, worked out again`);
    const isStale = this.#prepared.epoch !== bench().epoch;
    // Not as `runReadOnly`: the batch must not end meanwhile.
    const write = isStale ? bench().prepareRefresh(id) : this.#prepared.write;
    this.#prepared = null;
    bench().context.lookup.clearStale(id);
    write();
    return true;
  }

  #prepare(id: number) {
    const bench = this.#work.session();
    return { write: this.#work.runReadOnly(() => bench.prepareRefresh(id)), epoch: bench.epoch };
  }

  /** The record under way stays as it is; what was undone with it still waits. */
  async skipCurrent(): Promise<void> {
    const { beginWhenFree: opened, end, batches, session: bench, onSkipped: onLeft } = this.#work;
    const id = this.#ids[this.#next] as number;
    this.#prepared = null;
    await batches.rest();
    await opened();
    bench().context.lookup.clearStale(id);
    end();
    onLeft(id);
  }
}
