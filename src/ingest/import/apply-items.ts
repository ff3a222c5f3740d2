/** Applies feed items to the catalogue in slices (docs/decisions/15-write-lock.md). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { InputItem, RecordKey } from '../../sources/common/input-items.ts';
import { SeenRecords } from '../../store/resolution/seen-records.ts';
import type { SourceRow } from '../../store/resolution/source-records.ts';
import type { ImportState } from '../../store/schedule/import-state.ts';
import { HeldRecords } from '../rules/held-records.ts';
import { describeRecord, RuleFilter, type RuleVerdict } from '../rules/rule-filter.ts';
import { parseStoredRules } from '../rules/source-rules.ts';
import { WriteBatches } from '../write-lock/write-batches.ts';
import { WriteSession } from '../write-session.ts';
import type { ImportOptions } from './import-options.ts';
import { ItemParser, keyOf, SkippedRecord, scrubItems, tooSlowReason } from './parse-items.ts';
import { InvalidLine, type ParsedLine, type ParsedRecord } from './parse-record.ts';
import { RecordTimeLimit, TimeLimitExceeded } from './record-time-limit.ts';
import { isRejection, withSavepoint } from './savepoint.ts';
import type { CountsByKind, Tally } from './tally.ts';
import { type PreparedUpsert, RecordUpserter } from './upsert.ts';
import { type Item, type ListedItem, WorkQueue } from './work-queue.ts';

/** Maximum items per batch; all of them stay in memory until the batch ends. */
const maxBatchLines = 2_500;
/**
 * Maximum duration of a slice in ms, so that signals are handled and the write lease is renewed. Each slice starts a
 * thread that watches it (`record-time-limit.ts`), which costs about half a millisecond.
 */
const maxSliceMs = 100;

/** Applies the items of one import. Compares each record before its transaction, and replays one that was rolled back. */
export class ItemApplier {
  readonly batches: WriteBatches;
  session: WriteSession;
  /** Lines whose record key could not be read. */
  unreadableLines = 0;
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: SourceRow;
  readonly #state: ImportState;
  readonly #tally: Tally;
  readonly #seen: SeenRecords;
  readonly #timeLimit: RecordTimeLimit;
  readonly rules: RuleFilter;
  readonly #parser: ItemParser;
  readonly heldRecords: HeldRecords;
  #upserter: RecordUpserter;
  readonly #queue = new WorkQueue();
  /** The plan for the current item, prepared without the lock. */
  #prepared: { plan: PreparedUpsert; epoch: number } | null = null;
  /** The counts before the batch. */
  #countsBefore: CountsByKind = {};
  /** Whether each line gets a savepoint of its own, which is slower; true after a line failed. */
  #usesSavepoints = false;
  /** Whether a line of the current batch failed. */
  #hasFailedLine = false;
  /** Whether the open batch must be rolled back and replayed after the slice. */
  #mustReplay = false;
  /** The item that is being applied; null between two items. */
  #inWork: Item | null = null;
  /** Whether the current work only reads, so that the batch may end during it. */
  #isReading = false;
  /** Whether the open batch must end before the next slice: a long commit is no part of the limited time. */
  #mustEnd = false;
  /**
   * The item that exceeded the time limit once. It is applied again in a slice of its own: the time may have gone to
   * other items, a commit, a checkpoint or garbage collection.
   */
  #suspect: Item | null = null;

  constructor(
    sqlite: Database.Database,
    options: ImportOptions,
    { source, tally, state }: { source: SourceRow; tally: Tally; state: ImportState },
  ) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#seen = new SeenRecords({ sqlite, source: source.id });
    this.#tally = tally;
    this.#state = state;
    this.rules = new RuleFilter(parseStoredRules(source.name, source.rules), options.now);
    this.#timeLimit = new RecordTimeLimit(options.maxRecordMs);
    this.#parser = new ItemParser(this.#timeLimit, this.rules);
    this.heldRecords = new HeldRecords(sqlite, source.id, options.now);
    this.session = this.#newSession();
    this.#upserter = this.#newUpserter();
    this.batches = new WriteBatches(sqlite, this.session, { isAlone: options.alone, signal: options.signal });
  }

  #newSession(): WriteSession {
    const onCreated = (kind: FeedKind) => this.#tally.count(kind, 'created');
    const session = new WriteSession(this.#sqlite, { now: this.#options.now, onCreated }, this.#seen);
    session.writer.foreignKeys.staysOff = true;
    session.releaseLockIfDue = () => {
      if (this.#isReading && this.batches.isDue()) this.end();
    };
    return session;
  }

  #newUpserter(): RecordUpserter {
    this.session.run = this.#source.run_count;
    return new RecordUpserter(this.session, this.#source, this.#options.now, (kind, what, externalId) => {
      this.#tally.count(kind, what);
      if (what === 'matched') this.#options.onMatched?.({ kind, externalId });
    });
  }

  /**
   * Applies items.
   * @param onApplied receives the number of items applied so far; it can decrease after a rollback
   */
  async apply(inputItems: readonly InputItem[], onApplied: (count: number) => void): Promise<void> {
    this.#queue.fill(scrubItems(this.#parser.parse(inputItems), this.session.scrubber(), this.#source.name));
    while (!this.#queue.isOver) {
      if (this.#isSuspectNext()) this.end();
      if (!this.#runSliceGuarded()) this.#skipSlowItem();
      else if (this.#mustReplay) this.#replayBatch();
      if (this.#mustEnd || this.#isBatchFull()) this.end();
      onApplied(Math.max(0, inputItems.length - this.#queue.left));
      if (!this.#queue.isOver) await this.yieldToOthers();
    }
    this.#queue.fill([]);
  }

  #isBatchFull(): boolean {
    return this.#queue.doneCount >= maxBatchLines || this.batches.isDue();
  }

  #isSuspectNext(): boolean {
    return this.#suspect !== null && this.#queue.current === this.#suspect;
  }

  #runSliceGuarded(): boolean {
    try {
      this.#timeLimit.run(() => this.#applySlice());
    } catch (failure) {
      if (failure instanceof TimeLimitExceeded) return false;
      this.#queue.deliverReports();
      throw failure;
    }
    this.#queue.deliverReports();
    return true;
  }

  /** Pauses so that other writers and the event loop can run. Throws the abort reason if the signal is aborted. */
  yieldToOthers = async (): Promise<void> => {
    await this.batches.pause();
    await nextTurn();
    if (this.#options.signal?.aborted) {
      this.end();
      throw this.#options.signal.reason;
    }
  };

  /** Applies items until it would have to wait, the batch is due, or the slice ends. */
  #applySlice(): void {
    const until = performance.now() + maxSliceMs;
    for (let item = this.#queue.current; item !== undefined; item = this.#queue.current) {
      if (performance.now() >= until) return;
      this.#inWork = item;
      if (!this.#step(item)) return;
      this.#inWork = null;
      this.#queue.advance();
      if (this.#suspect !== null && (item === this.#suspect || this.#isSuspectNext())) return;
      if (!this.#isBatchFull()) continue;
      // The commit of a long batch is no part of the limited time.
      if (!this.batches.isShared) return;
      this.end();
    }
  }

  /** Applies one item. Returns false if it must wait first. */
  #step(item: Item): boolean {
    if ('listed' in item) return this.#markListed(item);
    const { item: inputItem, result } = item;
    if (result instanceof InvalidLine) {
      if (this.#mustPause()) return false;
      return this.#reject(inputItem, result.recordKey, result.message);
    }
    if (result instanceof SkippedRecord) {
      const { record, verdict } = result;
      return this.#replaceWithListed(keyOf(record), () =>
        this.#tally.skip(describeRecord(record, record.statement), verdict),
      );
    }
    const verdict = this.#prepared === null ? this.#judgeHold(result) : null;
    if (verdict !== null) return this.#hold(result, verdict);
    try {
      if (this.#prepared === null) {
        if (this.batches.mustEndBeforeCompare && !this.#upserter.isUnchanged(result)) {
          if (!this.batches.isShared) return this.#endFirst();
          this.end();
        }
        this.#prepared = {
          plan: this.runReadOnly(() => this.#upserter.plan(result)),
          epoch: this.session.epoch,
        };
      }
      if (this.#mustPause() || !this.begin()) return false;
      this.batches.noteWrite(result);
      if (!this.#createNewArtists(this.#prepared.plan)) return false;
      // The new artists exist now; the item is planned again without the lock.
      if (this.#prepared.plan.isUnread) return this.#readAgain();
      // Another process wrote since the plan was made, so it may be outdated. The batch must not end during
      // the new plan.
      const isStale = this.#prepared.epoch !== this.session.epoch;
      const { write } = isStale ? this.#upserter.plan(result) : this.#prepared.plan;
      this.#prepared = null;
      this.#queue.done(item);
      if (this.#usesSavepoints) return this.#applyWithSavepoint(inputItem, result, write);
      write();
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      const wasWriting = this.#queue.lastDone === item;
      this.#prepared = null;
      if (wasWriting) {
        // Savepoints cost as much as the work itself, so only a batch with a failing line is replayed with
        // one per line.
        this.#usesSavepoints = true;
        this.#mustReplay = true;
        return false;
      }
      return this.#reject(inputItem, keyOf(result), failure.message);
    }
    return true;
  }

  /** Returns why the record is held back; a merge is held back with its target. */
  #judgeHold(line: ParsedLine): RuleVerdict | null {
    const key = 'into' in line ? { kind: line.kind, externalId: line.into ?? line.externalId } : line;
    return this.rules.holds ? this.heldRecords.judge(this.session.sources, key) : null;
  }

  #hold(line: ParsedLine, verdict: RuleVerdict): boolean {
    const isMerge = 'into' in line;
    const where = isMerge ? `${line.kind} ${line.externalId}` : describeRecord(line, line.statement);
    // What is left of a forgotten artist is not worth an editor's approval.
    const held = isMerge || line.boundTo !== undefined ? undefined : line;
    return this.#replaceWithListed(keyOf(line), () => this.#tally.skip(where, verdict), held);
  }

  #reject(inputItem: InputItem, key: RecordKey | null, reason: string): boolean {
    return this.#replaceWithListed(key, () => {
      if (key === null) this.unreadableLines++;
      this.#tally.reject(inputItem, reason);
    });
  }

  /** Replaces the current item, so that it is not reported again after a pause or a rollback. */
  #replaceWithListed(listed: RecordKey | null, report: () => void, held?: ParsedRecord): boolean {
    const item = { listed, held };
    this.#queue.settle(item, report);
    return this.#markListed(item);
  }

  /**
   * Creates the new artists of a record with long lists. Returns false if the transaction must end before all exist.
   */
  #createNewArtists({ newArtists }: PreparedUpsert): boolean {
    if (newArtists.length === 0) return true;
    do newArtists.shift()?.();
    while (newArtists.length > 0 && !this.batches.isDue());
    return newArtists.length === 0 && !this.batches.isDue();
  }

  /** Leaves the slice, so that the open batch ends outside of the limited time. */
  #endFirst(): false {
    this.#mustEnd = true;
    return false;
  }

  #readAgain(): false {
    this.#prepared = null;
    this.end();
    return false;
  }

  #mustPause = (): boolean => this.batches.pauseLeftMs > 0;

  /** Runs work that only reads; the batch may end during it. */
  runReadOnly<T>(work: () => T): T {
    this.#isReading = true;
    try {
      return work();
    } finally {
      this.#isReading = false;
    }
  }

  /** Runs a slice of other work within the time limit; if it exceeds the limit, the open batch is rolled back. */
  runGuarded(work: () => void): 'done' | 'slow' | 'busy' {
    try {
      this.#timeLimit.run(work);
      return 'done';
    } catch (failure) {
      if (!(failure instanceof TimeLimitExceeded)) throw failure;
      this.#discardBatch();
      return this.#timeLimit.isTooSlow ? 'slow' : 'busy';
    }
  }

  /** Begins a batch unless one is open. Returns false while another process holds the lock. */
  begin(): boolean {
    if (this.batches.isOpen) return true;
    // First, because the time limit may interrupt the work after the transaction began.
    this.#queue.clearDone();
    this.#hasFailedLine = false;
    this.#countsBefore = this.#tally.snapshot();
    return this.batches.begin();
  }

  /** Begins a batch as soon as the lock is free. */
  async beginWhenFree(): Promise<void> {
    while (!this.begin()) await this.yieldToOthers();
  }

  /** Commits the open batch, if any. The pause that is due then is left to the caller. */
  end(): void {
    this.#mustEnd = false;
    if (!this.batches.isOpen) return;
    if (!this.#hasFailedLine) this.#usesSavepoints = false;
    // Last, because the items must be replayed if the time limit interrupts the commit.
    this.batches.end();
    this.#queue.clearDone();
  }

  /** Commits the open batch, if any, and waits for the pause that is due. */
  async commit(): Promise<void> {
    this.end();
    await this.batches.pause();
  }

  /** Rolls back the open batch and queues its items again. */
  #replayBatch(): void {
    const { current } = this.#queue;
    this.session.rollback();
    this.#tally.kinds = this.#countsBefore;
    this.#queue.replay(current === undefined ? [] : [current], true);
    this.#prepared = null;
    this.#mustReplay = false;
  }

  #applyWithSavepoint(inputItem: InputItem, record: ParsedLine, write: () => void): boolean {
    const tools = { session: this.session, state: this.#state, tally: this.#tally };
    const rejection = withSavepoint(tools, write);
    if (rejection === null) return true;
    this.#queue.undoLast();
    this.#hasFailedLine = true;
    return this.#reject(inputItem, keyOf(record), rejection.message);
  }

  /**
   * Replays the batch after a slice exceeded the time limit. The item that was in work is skipped if it exceeded the
   * limit in a slice of its own, too.
   */
  #skipSlowItem(): void {
    const { current: item } = this.#queue;
    const isOpen = this.batches.isOpen;
    // The work may have been interrupted after the item, or after the last one.
    const isInWork = item !== undefined && item === this.#inWork;
    this.#discardBatch();
    this.#queue.deliverReports();
    let instead = item === undefined ? [] : [item];
    const isSuspected = item === this.#suspect;
    if (this.#timeLimit.isTooSlow && isInWork && !isSuspected) this.#suspect = item;
    else if (this.#timeLimit.isTooSlow && isInWork && !('listed' in item)) {
      this.#suspect = null;
      this.#parser.countSlow();
      this.#tally.reject(item.item, tooSlowReason);
      instead = item.result instanceof InvalidLine ? [] : [{ listed: keyOf(item.result) }];
    }
    this.#queue.replay(instead, isOpen);
  }

  /** Rolls back the open batch and replaces the session: aborted work may have left its caches inconsistent. */
  #discardBatch(): void {
    this.#isReading = false;
    this.#inWork = null;
    this.#mustReplay = false;
    if (this.batches.isOpen) this.#tally.kinds = this.#countsBefore;
    this.session.rollback();
    this.session = this.#newSession();
    this.batches.useSession(this.session);
    this.#upserter = this.#newUpserter();
    this.#prepared = null;
  }

  /** Marks the record of a skipped line as still listed, if its key is known, and saves one that waits for an editor. */
  #markListed(item: ListedItem): boolean {
    const { listed, held } = item;
    if (listed === null) return true;
    if (this.#mustPause() || !this.begin()) return false;
    this.#queue.done(item);
    if (held !== undefined) this.heldRecords.put(held);
    if (this.rules.holds) this.heldRecords.noteListed(listed);
    this.session.sources.markSeen({ source: this.#source.id, ...listed }, this.#source.run_count);
    return true;
  }
}
