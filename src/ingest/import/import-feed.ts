/**
 * Reading a feed into the catalogue (docs/spec/imports.md#promises): streamed, in short transactions, so that
 * readers and the meter never wait; the same feed twice changes nothing.
 */
import { setFlagsFromString } from 'node:v8';
import type Database from 'better-sqlite3';
import { Interrupted } from '../../failure.ts';
import { describeReadError } from '../../store/database.ts';
import { SourceRecords, type SourceRow } from '../../store/resolution/source-records.ts';
import { ImportState } from '../../store/schedule/import-state.ts';
import { processAllStale } from '../process-stale.ts';
import { FlushingIterator } from '../write-lock/flush-before-wait.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { ItemApplier } from './apply-items.ts';
import type { ImportOptions, ImportReport } from './import-options.ts';
import { inputItemsOf, tooSlowReason } from './parse-items.ts';
import { Tally } from './tally.ts';
import { withdraw } from './withdraw.ts';

export type { AdapterItem } from '../../sources/common/input-items.ts';
export type { ImportOptions, ImportReport, KindCounts, RejectedItem } from './import-options.ts';

/** Progress is reported at least this often, ms, also where a hundred records take long. */
const progressMs = 1_000;
/** After so many transactions the full-text index lies in many pieces, and is put together. */
const minBatchesToCompact = 50;

/**
 * Reads a whole feed.
 * @returns what it did; `rejected` lines were skipped, the rest is in the catalogue
 * @throws Failure where the source cannot be read to its end; what was committed until then stays
 */
export async function importFeed(sqlite: Database.Database, options: ImportOptions): Promise<ImportReport> {
  // Lines are garbage as soon as they are read. V8 would let it pile up, to 200 MB more.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  const patience = new LockRetry(sqlite, options.signal);
  const source = await new SourceRecords(sqlite).openSource(options.source, options.type, options, {
    now: options.now,
    write: (work) => patience.write(work),
  });
  return await new FeedImport(sqlite, options, source, patience).run();
}

class FeedImport {
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: SourceRow;
  readonly #state: ImportState;
  readonly #lockRetry: LockRetry;
  readonly #tally: Tally;
  readonly #applier: ItemApplier;
  /** How many were read. */
  #lines = 0;

  constructor(sqlite: Database.Database, options: ImportOptions, source: SourceRow, patience: LockRetry) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#lockRetry = patience;
    this.#state = new ImportState(sqlite);
    this.#tally = new Tally(options.onRejected);
    this.#applier = new ItemApplier(sqlite, options, { source, tally: this.#tally, state: this.#state });
    if (options.alone) this.#state.allowLongLog();
  }

  async run(): Promise<ImportReport> {
    const began = performance.now();
    try {
      // Has the tools see which revision the catalogue is at: else the first record would be compared with it locked.
      await this.#applier.beginWhenFree();
      this.#applier.end();
      // What an import that died left half done is finished first.
      await this.#processStale();
      await this.#readAll();
      const { complete } = this.#options;
      const isComplete = typeof complete === 'function' ? complete() : complete === true;
      const refused = isComplete ? await this.#withdraw() : null;
      await this.#processStale();
      await this.#finish();
      return {
        source: this.#source.name,
        revision: this.#state.revision(),
        kinds: this.#tally.kinds,
        rejected: this.#tally.rejected,
        rejectedCount: this.#tally.rejectedCount,
        refused,
        seconds: Math.round(performance.now() - began) / 1_000,
        lock: this.#applier.batches.lockTimes.report(),
      };
    } catch (failure) {
      if (failure instanceof Interrupted) throw this.#interrupted(failure);
      throw describeReadError(failure, this.#sqlite.name);
    } finally {
      this.#applier.session.rollback();
    }
  }

  /** Commits what was done so far, and says so. */
  #interrupted({ signal }: Interrupted): Interrupted {
    this.#applier.end();
    this.#state.shortenLockTimeout();
    const lines = `${this.#lines.toLocaleString('en')} ${this.#lines === 1 ? 'record' : 'records'}`;
    return new Interrupted(
      signal,
      `The reading of ${this.#source.name} was ended by ${signal}: ${lines} were read, and what came of them is in the catalogue (revision ${this.#state.revision()}). Run it again to complete it.`,
    );
  }

  async #readAll(): Promise<void> {
    const { onProgress, signal } = this.#options;
    const taking = this.#applier;
    // Who waits for the source must not keep the file from others.
    let told = performance.now();
    const pieces = new FlushingIterator(inputItemsOf(this.#options), () => taking.commit(), signal);
    try {
      for (let some = await pieces.next(); some !== null; some = await pieces.next()) {
        const before = this.#lines;
        await taking.apply(some, (count) => {
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
      pieces.cancel();
      throw failure;
    }
    await taking.commit();
    onProgress?.({ lines: this.#lines });
  }

  #processStale(): Promise<void> {
    const taking = this.#applier;
    return processAllStale({
      session: () => taking.session,
      batches: taking.batches,
      begin: () => taking.begin(),
      beginWhenFree: () => taking.beginWhenFree(),
      end: () => taking.end(),
      runReadOnly: (work) => taking.runReadOnly(work),
      yieldToOthers: () => taking.yieldToOthers(),
      runSlice: (work) => taking.runGuarded(work),
      onSkipped: (id) => this.#tally.reject({ number: 0, where: `record ${id}` }, tooSlowReason),
    });
  }

  #withdraw(): Promise<string | null> {
    const taking = this.#applier;
    return withdraw(taking.session, {
      source: this.#source,
      now: this.#options.now,
      force: this.#options.force === true,
      unreadableLines: taking.unreadableLines,
      beginWhenFree: () => taking.beginWhenFree(),
      noteWrite: (what) => taking.batches.doing(what),
      endBatchIfDue: async (isEnd) => {
        if (isEnd || taking.batches.isDue()) await taking.commit();
        this.#options.signal?.throwIfAborted();
      },
      count: (kind) => this.#tally.count(kind, 'withdrawn'),
    });
  }

  async #finish(): Promise<void> {
    const { yieldToOthers: breathe, batches, session: bench } = this.#applier;
    const write = <T>(work: () => T): Promise<T> => this.#lockRetry.write(work);
    for (let more = true; more; ) {
      await breathe();
      more = await write(() => this.#state.pruneHistory());
    }
    await write(() => this.#state.markSynced(this.#options.now));
    if (batches.lockTimes.count <= minBatchesToCompact) return;
    for (let more = await write(() => bench.names.mergeSegments(true)); more; ) {
      await breathe();
      more = await write(() => bench.names.mergeSegments(false));
    }
  }
}
