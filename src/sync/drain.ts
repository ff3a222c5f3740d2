/** Working out what waits: records whose parts changed, then places in search. */
import type Database from 'better-sqlite3';
import { Batches } from './batches.ts';
import { Workbench } from './workbench.ts';

/** How many are looked up at a time. */
const some = 200;
/** Some work between two looks at the clock. */
const ranksAtOnce = 5;

export type Draining = {
  /** The tools; others after something took too long. */
  bench: () => Workbench;
  batches: Batches;
  /** Begins a batch, unless one is under way; false where another process holds the lock. */
  begin(): boolean;
  /** The same as soon as nobody else does. */
  opened(): Promise<void>;
  end(): void;
  /** Does some work that only reads: the batch may end in its midst. */
  reading<T>(work: () => T): T;
  /** Does a slice of the work; false where it took too long, and the batch under way was undone. */
  slice(work: () => void): boolean;
  /** Lets others have their turn. */
  breathe(): Promise<void>;
  /** Hears of a record that is left as it is, since working it out takes too long. */
  onLeft(id: number): void;
};

/** The same without limits of time: for a change made by hand. */
export const drain = (bench: Workbench, batches: Batches): Promise<void> =>
  drainAll({
    bench: () => bench,
    batches,
    begin: () => batches.begin(),
    opened: () => batches.opened(),
    end: () => batches.end(),
    reading: (work) => work(),
    slice: (work) => {
      work();
      return true;
    },
    breathe: () => batches.rest(),
    onLeft: () => {},
  });

/**
 * Works out what a command or an import that was killed has left. To be called by who has the turn of the catalogue.
 * @param now ms since 1970
 * @param signal ends the work at a committed transaction; what it is aborted with is thrown
 */
export async function drainLeft(
  sqlite: Database.Database,
  now: number,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const bench = new Workbench(sqlite, { now, created: () => {} });
  try {
    await drain(bench, new Batches(sqlite, bench, { isAlone: false, signal }));
  } finally {
    bench.rollback();
  }
}

/** Until nothing waits any more. To be called between transactions. */
export async function drainAll(work: Draining): Promise<void> {
  const { opened, end, breathe, batches } = work;
  const stale = () => work.bench().context.lookup.stale(some);
  for (let waiting = stale(); waiting.length > 0; waiting = stale()) {
    const pass = new Pass(work, waiting);
    while (!pass.isOver) {
      if (!work.slice(() => pass.slice())) {
        await pass.leave();
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
    do more = work.bench().names.drainStale(ranksAtOnce) > 0;
    while (more && !batches.isDue());
    end();
  }
  await batches.rest();
}

/** Some records, one after the other. */
class Pass {
  readonly #work: Draining;
  readonly #ids: readonly number[];
  #next = 0;
  #refresh: { write: () => void; epoch: number } | null = null;

  constructor(work: Draining, ids: readonly number[]) {
    this.#work = work;
    this.#ids = ids;
  }

  get isOver(): boolean {
    return this.#next >= this.#ids.length;
  }

  slice(): void {
    const until = performance.now() + 20;
    while (!this.isOver && performance.now() < until) {
      if (!this.#step()) return;
      this.#next++;
      if (this.#work.batches.isDue()) return;
    }
  }

  /** One record; false where others are to have their turn first. */
  #step(): boolean {
    const { begin, end, batches, bench } = this.#work;
    const id = this.#ids[this.#next] as number;
    if (this.#refresh === null) {
      if (batches.mustEndFirst) end();
      this.#refresh = this.#prepare(id);
    }
    if (batches.restLeft > 0 || !begin()) return false;
    batches.doing(`record ${id}, worked out again`);
    const isStale = this.#refresh.epoch !== bench().epoch;
    // Not as `reading`: the batch must not end meanwhile.
    const write = isStale ? bench().refreshing(id) : this.#refresh.write;
    this.#refresh = null;
    bench().context.lookup.clearStale(id);
    write();
    return true;
  }

  #prepare(id: number) {
    const bench = this.#work.bench();
    return { write: this.#work.reading(() => bench.refreshing(id)), epoch: bench.epoch };
  }

  /** The record under way stays as it is; what was undone with it still waits. */
  async leave(): Promise<void> {
    const { opened, end, batches, bench, onLeft } = this.#work;
    const id = this.#ids[this.#next] as number;
    this.#refresh = null;
    await batches.rest();
    await opened();
    bench().context.lookup.clearStale(id);
    end();
    onLeft(id);
  }
}
