/**
 * Reading a feed into the catalogue (docs/spec/imports.md#promises): streamed, in short transactions, so that
 * readers and the meter never wait; the same feed twice changes nothing.
 */
import { setFlagsFromString } from 'node:v8';
import type Database from 'better-sqlite3';
import { Interrupted } from '../failure.ts';
import { readable } from '../store/database.ts';
import { ImportState } from '../store/import-state.ts';
import { type Source, Sources } from '../store/sources.ts';
import { drainAll } from './drain.ts';
import type { ImportOptions, ImportReport } from './import-options.ts';
import { piecesOf, tooSlow } from './parsing.ts';
import { Patience } from './patience.ts';
import { Prompt } from './prompt.ts';
import { Taking } from './taking.ts';
import { Tally } from './tally.ts';
import { withdraw } from './withdraw.ts';

export type { ImportOptions, ImportReport, KindCounts, Rejected } from './import-options.ts';
export type { Incoming } from './lines.ts';

/** Progress is reported at least this often, ms, also where a hundred records take long. */
const progressMs = 1_000;
/** After so many transactions the full-text index lies in many pieces, and is put together. */
const batchesWorthCompacting = 50;

/**
 * Reads a whole feed.
 * @returns what it did; `rejected` lines were skipped, the rest is in the catalogue
 * @throws Failure where the source cannot be read to its end; what was committed until then stays
 */
export async function importFeed(sqlite: Database.Database, options: ImportOptions): Promise<ImportReport> {
  // Lines are garbage as soon as they are read. V8 would let it pile up, to 200 MB more.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  const patience = new Patience(sqlite, options.signal);
  const source = await new Sources(sqlite).open(options.source, options.type, options, {
    now: options.now,
    write: (work) => patience.write(work),
  });
  return await new Import(sqlite, options, source, patience).run();
}

class Import {
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: Source;
  readonly #state: ImportState;
  readonly #patience: Patience;
  readonly #tally: Tally;
  readonly #taking: Taking;
  /** How many were read. */
  #lines = 0;

  constructor(sqlite: Database.Database, options: ImportOptions, source: Source, patience: Patience) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#patience = patience;
    this.#state = new ImportState(sqlite);
    this.#tally = new Tally(options.onRejected);
    this.#taking = new Taking(sqlite, options, { source, tally: this.#tally, state: this.#state });
    if (options.alone) this.#state.alone();
  }

  async run(): Promise<ImportReport> {
    const began = performance.now();
    try {
      // Has the tools see which revision the catalogue is at: else the first record would be compared with it locked.
      await this.#taking.opened();
      this.#taking.end();
      // What an import that died left half done is finished first.
      await this.#drain();
      await this.#readAll();
      const { complete } = this.#options;
      const isComplete = typeof complete === 'function' ? complete() : complete === true;
      const refused = isComplete ? await this.#withdraw() : null;
      await this.#drain();
      await this.#finish();
      return {
        source: this.#source.name,
        revision: this.#state.revision(),
        kinds: this.#tally.kinds,
        rejected: this.#tally.rejected,
        rejectedCount: this.#tally.rejectedCount,
        refused,
        seconds: Math.round(performance.now() - began) / 1_000,
        lock: this.#taking.batches.lockTimes.report(),
      };
    } catch (failure) {
      if (failure instanceof Interrupted) throw this.#interrupted(failure);
      throw readable(failure, this.#sqlite.name);
    } finally {
      this.#taking.bench.rollback();
    }
  }

  /** Commits what was done so far, and says so. */
  #interrupted({ signal }: Interrupted): Interrupted {
    this.#taking.end();
    this.#state.hurry();
    const lines = `${this.#lines.toLocaleString('en')} ${this.#lines === 1 ? 'record' : 'records'}`;
    return new Interrupted(
      signal,
      `The reading of ${this.#source.name} was ended by ${signal}: ${lines} were read, and what came of them is in the catalogue (revision ${this.#state.revision()}). Run it again to complete it.`,
    );
  }

  async #readAll(): Promise<void> {
    const { onProgress, signal } = this.#options;
    const taking = this.#taking;
    // Who waits for the source must not keep the file from others.
    let told = performance.now();
    const pieces = new Prompt(piecesOf(this.#options), () => taking.commit(), signal);
    try {
      for (let some = await pieces.next(); some !== null; some = await pieces.next()) {
        const before = this.#lines;
        await taking.take(some, (count) => {
          this.#lines = before + count;
          if (performance.now() - told < progressMs) return;
          told = performance.now();
          onProgress?.({ lines: this.#lines });
        });
        // Nor who has it work.
        if (taking.batches.isShared) await taking.commit();
        if (Math.floor(this.#lines / 100) > Math.floor(before / 100)) onProgress?.({ lines: this.#lines });
      }
    } catch (failure) {
      pieces.abandon();
      throw failure;
    }
    await taking.commit();
    onProgress?.({ lines: this.#lines });
  }

  #drain(): Promise<void> {
    const taking = this.#taking;
    return drainAll({
      bench: () => taking.bench,
      batches: taking.batches,
      begin: () => taking.begin(),
      opened: () => taking.opened(),
      end: () => taking.end(),
      reading: (work) => taking.reading(work),
      breathe: () => taking.breathe(),
      slice: (work) => taking.guarded(work),
      onLeft: (id) => this.#tally.reject({ number: 0, where: `record ${id}` }, tooSlow),
    });
  }

  #withdraw(): Promise<string | null> {
    const taking = this.#taking;
    return withdraw(taking.bench, {
      source: this.#source,
      now: this.#options.now,
      force: this.#options.force === true,
      unreadable: taking.unreadable,
      opened: () => taking.opened(),
      doing: (what) => taking.batches.doing(what),
      pause: async (isEnd) => {
        if (isEnd || taking.batches.isDue()) await taking.commit();
        this.#options.signal?.throwIfAborted();
      },
      count: (kind) => this.#tally.count(kind, 'withdrawn'),
    });
  }

  async #finish(): Promise<void> {
    const { breathe, batches, bench } = this.#taking;
    const write = <T>(work: () => T): Promise<T> => this.#patience.write(work);
    for (let more = true; more; ) {
      await breathe();
      more = await write(() => this.#state.dropOld());
    }
    await write(() => this.#state.finish(this.#options.now));
    if (batches.lockTimes.count <= batchesWorthCompacting) return;
    for (let more = await write(() => bench.names.compact(true)); more; ) {
      await breathe();
      more = await write(() => bench.names.compact(false));
    }
  }
}
