/**
 * Imports a feed into the catalogue (docs/spec/imports.md#promises): streams it in short transactions, so that readers
 * and other writers do not wait. Importing the same feed twice changes nothing.
 */
export type { RejectedItem } from '../../contract/source-summaries.ts';

import { setFlagsFromString } from 'node:v8';
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { Interrupted } from '../../failure.ts';
import { describeReadError } from '../../store/database.ts';
import { type SourceRow, SourceStore } from '../../store/resolution/source-store.ts';
import { ImportState } from '../../store/schedule/import-state.ts';
import { processStaleInSlices } from '../process-stale.ts';
import { dropExcluded } from '../rules/drop-excluded.ts';
import { FlushingIterator } from '../write-lock/flush-before-wait.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { ItemApplier } from './apply-items.ts';
import type { ImportOptions, ImportReport } from './import-options.ts';
import { inputItemsOf, tooSlowReason } from './parse-items.ts';
import { Tally } from './tally.ts';
import { withdraw } from './withdraw.ts';

export type { AdapterItem } from '../../sources/common/input-items.ts';
export type { ImportOptions, ImportReport, KindCounts } from './import-options.ts';

/** Maximum interval between progress reports in ms. */
const progressMs = 1_000;

/**
 * Imports a whole feed.
 * @returns the report; `rejected` lines were skipped, all others are in the catalogue
 * @throws Failure if the source cannot be read to its end; everything committed before stays
 */
export async function importFeed(sqlite: Database.Database, options: ImportOptions): Promise<ImportReport> {
  // Parsed lines become garbage at once. Without this flag V8 lets up to 200 MB of it accumulate.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  const lockRetry = new LockRetry(sqlite, options.signal);
  const source = await new SourceStore(sqlite).open(options.source, options.type, options, {
    now: options.now,
    write: (work) => lockRetry.write(work),
  });
  return await new FeedImport(sqlite, options, source, lockRetry).run();
}

class FeedImport {
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: SourceRow;
  readonly #state: ImportState;
  readonly #lockRetry: LockRetry;
  readonly #tally: Tally;
  readonly #applier: ItemApplier;
  /** Lines read. */
  #lines = 0;

  constructor(sqlite: Database.Database, options: ImportOptions, source: SourceRow, lockRetry: LockRetry) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#lockRetry = lockRetry;
    this.#state = new ImportState(sqlite);
    this.#tally = new Tally(options);
    this.#applier = new ItemApplier(sqlite, options, { source, tally: this.#tally, state: this.#state });
    this.#tally.scrub = (text) => this.#applier.session.scrubber().scrubNote(text, source.name);
  }

  /** Runs the import once. Throws `Interrupted` with the number of lines read if the signal is aborted. */
  async run(): Promise<ImportReport> {
    const startedAt = performance.now();
    try {
      // Reads the current revision first; else the first record would be compared while the lock is held.
      await this.#applier.beginWhenFree();
      this.#applier.end();
      // Finishes the work of an import that was killed.
      await this.#processStale();
      await this.#dropExcluded();
      await this.#readAll();
      const { complete } = this.#options;
      const records = Math.max(0, this.#lines - this.#tally.rejectedCount);
      const isComplete = typeof complete === 'function' ? complete({ records }) : complete === true;
      const refused = isComplete ? await this.#withdraw() : null;
      await this.#dropHeld(isComplete && refused === null ? records : null);
      await this.#processStale();
      await this.#finish();
      return {
        source: this.#source.name,
        revision: this.#state.revision(),
        kinds: this.#tally.kinds,
        rejected: this.#tally.rejected,
        rejectedCount: this.#tally.rejectedCount,
        records,
        rules: this.#tally.rules,
        refused,
        seconds: Math.round(performance.now() - startedAt) / 1_000,
        lock: this.#applier.batches.lockTimes.report(),
      };
    } catch (failure) {
      if (failure instanceof Interrupted) throw this.#interrupted(failure);
      throw describeReadError(failure, this.#sqlite.name);
    } finally {
      this.#applier.session.rollback();
      this.#applier.batches.close();
    }
  }

  /** Commits the work so far and adds the counts to the failure. */
  #interrupted({ signal }: Interrupted): Interrupted {
    this.#applier.end();
    this.#state.shortenLockTimeout();
    const lines = this.#lines === 1 ? '1 record was' : `${this.#lines.toLocaleString('en')} records were`;
    const summary = `The reading of ${this.#source.name} was ended by ${signal}: ${lines} read`;
    return new Interrupted(
      signal,
      `${summary}, and their data is in the catalogue (revision ${this.#state.revision()}). Run it again to complete it.`,
      `${summary}. Nothing of it is published. Run it again.`,
    );
  }

  async #readAll(): Promise<void> {
    const { onProgress, signal } = this.#options;
    const applier = this.#applier;
    // Flushes before it waits for the source, so that the lock is not held meanwhile.
    let lastProgressAt = performance.now();
    const inputItems = new FlushingIterator(inputItemsOf(this.#options), () => applier.commit(), signal);
    try {
      for (let items = await inputItems.next(); items !== null; items = await inputItems.next()) {
        const before = this.#lines;
        await applier.apply(items, (count) => {
          this.#lines = before + count;
          if (performance.now() - lastProgressAt < progressMs) return;
          lastProgressAt = performance.now();
          onProgress?.({ lines: this.#lines });
        });
        // The source may work before the next item, so the batch is committed when others share the file.
        if (applier.batches.isShared) await applier.commit();
        await this.#lendLease();
        if (Math.floor(this.#lines / 100) > Math.floor(before / 100)) onProgress?.({ lines: this.#lines });
      }
    } catch (failure) {
      inputItems.cancel();
      throw failure;
    }
    await applier.commit();
    onProgress?.({ lines: this.#lines });
  }

  /** Lets short work that waits change the catalogue. No parsed lines are queued, which it could outdate. */
  async #lendLease(): Promise<void> {
    const { lease } = this.#options;
    if (lease?.isWanted() !== true) return;
    this.#applier.end();
    await lease.lendToOthers();
    // Clears the caches if the catalogue changed, before the next lines are parsed.
    await this.#applier.beginWhenFree();
    this.#applier.end();
  }

  #processStale(): Promise<void> {
    const applier = this.#applier;
    return processStaleInSlices({
      session: () => applier.session,
      batches: applier.batches,
      begin: () => applier.begin(),
      beginWhenFree: () => applier.beginWhenFree(),
      end: () => applier.end(),
      runReadOnly: (work) => applier.runReadOnly(work),
      yieldToOthers: () => applier.yieldToOthers(),
      runSlice: (work) => applier.runGuarded(work),
      onSkipped: (id) => this.#tally.reject({ number: 0, where: `record ${id}` }, tooSlowReason),
    });
  }

  /** Withdraws stored records that the patterns of the source exclude by now. */
  #dropExcluded(): Promise<unknown> {
    const { rules, session } = this.#applier;
    return dropExcluded(session, rules, { ...this.#withdrawal(), source: this.#source });
  }

  async #withdraw(): Promise<string | null> {
    const applier = this.#applier;
    const { id, run_count: run } = this.#source;
    // Past events that a complete feed no longer lists stay (docs/guides/source-rules.md#past-events).
    if (applier.rules.keepsPast && this.#options.dropsPast !== true)
      applier.session.sources.markPastSeen(id, { run, now: this.#options.now });
    return await withdraw(applier.session, {
      source: this.#source,
      force: this.#options.force === true,
      onMissing: this.#options.onMissing,
      unreadableLines: applier.unreadableLines,
      ...this.#withdrawal(),
    });
  }

  /**
   * Deletes records that need not wait for an editor any more: published ones, and those that a complete run no longer lists.
   * @param records the number of records of a complete run; null for another
   */
  async #dropHeld(records: number | null): Promise<void> {
    const { heldRecords, rules, unreadableLines } = this.#applier;
    const write = <T>(work: () => T): Promise<T> => this.#lockRetry.write(work);
    await heldRecords.deletePublished(write);
    if (records !== null && rules.holds && unreadableLines === 0)
      await heldRecords.deleteUnlisted(write, records);
  }

  /** How withdrawals share the lock, and are counted. */
  #withdrawal() {
    const applier = this.#applier;
    return {
      now: this.#options.now,
      beginWhenFree: () => applier.beginWhenFree(),
      noteWrite: (what: string) => applier.batches.noteWrite(what),
      endBatchIfDue: async (isEnd: boolean) => {
        if (isEnd || applier.batches.isDue()) await applier.commit();
        this.#options.signal?.throwIfAborted();
      },
      count: (kind: FeedKind) => this.#tally.count(kind, 'withdrawn'),
    };
  }

  async #finish(): Promise<void> {
    const { yieldToOthers, session, batches } = this.#applier;
    const write = <T>(work: () => T): Promise<T> => this.#lockRetry.write(work);
    for (let more = true; more; ) {
      await yieldToOthers();
      more = await write(() => this.#state.pruneHistory());
    }
    await write(() => this.#state.markSynced(this.#options.now));
    if (!session.names.isFragmented()) return;
    for (let isFirst = true, more = true; more; isFirst = false) {
      more = await write(() => session.names.mergeSegments(isFirst));
      batches.handOver();
      await yieldToOthers();
    }
  }
}
