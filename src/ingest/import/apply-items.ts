/**
 * Takes pieces of a feed into the catalogue, a slice at a time: each record is compared before its transaction, and what
 * a transaction did is done again where it is undone (docs/decisions/15-write-lock.md).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { InputItem, RecordKey } from '../../sources/common/input-items.ts';
import type { SourceRow } from '../../store/resolution/source-records.ts';
import type { ImportState } from '../../store/schedule/import-state.ts';
import { WriteBatches } from '../write-lock/write-batches.ts';
import { WriteSession } from '../write-session.ts';
import type { ImportOptions } from './import-options.ts';
import { ItemParser, tooSlowReason } from './parse-items.ts';
import { InvalidLine, type ParsedLine } from './parse-record.ts';
import { RecordTimeLimit } from './record-time-limit.ts';
import { isRejection, withSavepoint } from './savepoint.ts';
import type { CountsByKind, Tally } from './tally.ts';
import { TimeLimitExceeded } from './time-limit.ts';
import { type PreparedUpsert, RecordUpserter } from './upsert.ts';
import { type Item, WorkQueue } from './work-queue.ts';

/** No batch does more lines than this: all of them are kept in memory until it is over. */
const maxBatchLines = 2_500;
/** A slice of the work ends after so long, ms, so that signals are heard and the turn is renewed. */
const maxSliceMs = 20;

export class ItemApplier {
  readonly batches: WriteBatches;
  session: WriteSession;
  /** Lines of which not even the record they speak of could be read. */
  unreadableLines = 0;
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: SourceRow;
  readonly #state: ImportState;
  readonly #tally: Tally;
  readonly #timeLimit = new RecordTimeLimit();
  readonly #parser = new ItemParser(this.#timeLimit);
  #upserter: RecordUpserter;
  readonly #queue = new WorkQueue();
  /** What the item under way comes to, worked out as far as that goes without a lock. */
  #prepared: { told: PreparedUpsert; epoch: number } | null = null;
  /** The counts before the batch. */
  #countsBefore: CountsByKind = {};
  /** A line failed lately: each is all or nothing by itself, which takes longer. */
  #usesSavepoints = false;
  /** A line of the batch under way failed. */
  #hasFailedLine = false;
  /** The work under way only reads: the batch may end in its midst. */
  #isReading = false;

  constructor(
    sqlite: Database.Database,
    options: ImportOptions,
    { source, tally, state }: { source: SourceRow; tally: Tally; state: ImportState },
  ) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#tally = tally;
    this.#state = state;
    this.session = this.#newSession();
    this.#upserter = this.#newUpserter();
    this.batches = new WriteBatches(sqlite, this.session, { isAlone: options.alone, signal: options.signal });
  }

  #newSession(): WriteSession {
    const bench = new WriteSession(this.#sqlite, {
      now: this.#options.now,
      onCreated: (kind) => this.#tally.count(kind, 'created'),
    });
    bench.releaseLockIfDue = () => {
      if (this.#isReading && this.batches.isDue()) this.end();
    };
    return bench;
  }

  #newUpserter(): RecordUpserter {
    this.session.context.run = this.#source.run_count;
    return new RecordUpserter(this.session, this.#source, this.#options.now, (kind, what, externalId) => {
      this.#tally.count(kind, what);
      if (what === 'matched') this.#options.onMatched?.({ kind, externalId });
    });
  }

  /**
   * Takes pieces.
   * @param onApplied hears how many of them were taken so far; fewer than before where a batch was undone
   */
  async apply(inputItems: readonly InputItem[], onApplied: (count: number) => void): Promise<void> {
    this.#queue.fill(this.#parser.parse(inputItems));
    while (!this.#queue.isOver) {
      if (!this.#runSliceGuarded()) this.#skipSlowItem();
      if (this.#isBatchFull()) this.end();
      onApplied(Math.max(0, inputItems.length - this.#queue.left));
      if (!this.#queue.isOver) await this.yieldToOthers();
    }
    this.#queue.fill([]);
  }

  #isBatchFull(): boolean {
    return this.#queue.doneCount >= maxBatchLines || this.batches.isDue();
  }

  #runSliceGuarded(): boolean {
    try {
      this.#timeLimit.run(() => this.#applySlice());
      return true;
    } catch (failure) {
      if (!(failure instanceof TimeLimitExceeded)) throw failure;
      return false;
    }
  }

  /** Lets others have their turn, and signals be heard; ends the work where it is to end. */
  yieldToOthers = async (): Promise<void> => {
    await this.batches.rest();
    await nextTurn();
    if (this.#options.signal?.aborted) {
      this.end();
      throw this.#options.signal.reason;
    }
  };

  /** Does of what waits as much as goes without waiting for anything; then something is due, or the slice is over. */
  #applySlice(): void {
    const until = performance.now() + maxSliceMs;
    while (!this.#queue.isOver && performance.now() < until) {
      if (!this.#step(this.#queue.current)) return;
      this.#queue.advance();
      if (this.#isBatchFull()) return;
    }
  }

  /** One item; false where something has to be waited for first. */
  #step(item: Item): boolean {
    if ('listed' in item) return this.#markListed(item.listed);
    const { item: piece, result: read } = item;
    if (read instanceof InvalidLine) {
      if (this.#mustPause()) return false;
      if (read.recordKey !== null && !this.begin()) return false;
      this.#tally.reject(piece, read.message);
      return this.#markListed(read.recordKey);
    }
    try {
      if (this.#prepared === null) {
        if (this.batches.mustEndBeforeCompare && !this.#upserter.isUnchanged(read)) this.end();
        this.#prepared = {
          told: this.runReadOnly(() => this.#upserter.plan(read)),
          epoch: this.session.epoch,
        };
      }
      if (this.#mustPause() || !this.begin()) return false;
      this.batches.doing(read);
      if (!this.#createNewArtists(this.#prepared.told)) return false;
      // Whom it names is on record now: it is read again, without the lock.
      if (this.#prepared.told.isUnread) return this.#readAgain();
      // Somebody else changed the catalogue: what was worked out may be wrong. This time the batch must not end meanwhile.
      const isStale = this.#prepared.epoch !== this.session.epoch;
      const { write } = isStale ? this.#upserter.plan(read) : this.#prepared.told;
      this.#prepared = null;
      this.#queue.done(item);
      if (this.#usesSavepoints) this.#applyWithSavepoint(piece, read, write);
      else write();
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      const wasWriting = this.#queue.lastDone === item;
      this.#prepared = null;
      if (wasWriting) {
        // Without a savepoint, which costs as much as the work: the whole batch is done again, with one for each line.
        this.#usesSavepoints = true;
        this.#replayBatch();
        return true;
      }
      this.#tally.reject(piece, failure.message);
      this.#queue.current = { listed: read };
      return this.#markListed(read);
    }
    return true;
  }

  /** Puts those on record whom a record with long lists names; false where the transaction is to end before all are. */
  #createNewArtists({ newArtists: strangers }: PreparedUpsert): boolean {
    if (strangers.length === 0) return true;
    do strangers.shift()?.();
    while (strangers.length > 0 && !this.batches.isDue());
    return strangers.length === 0 && !this.batches.isDue();
  }

  #readAgain(): false {
    this.#prepared = null;
    this.end();
    return false;
  }

  #mustPause = (): boolean => this.batches.pauseLeftMs > 0;

  /** Does work that only reads: the batch may end in its midst. */
  runReadOnly<T>(work: () => T): T {
    this.#isReading = true;
    try {
      return work();
    } finally {
      this.#isReading = false;
    }
  }

  /** Does a slice of other work; false where it took too long, and the batch under way was undone. */
  runGuarded(work: () => void): boolean {
    try {
      this.#timeLimit.run(work);
      return true;
    } catch (failure) {
      if (!(failure instanceof TimeLimitExceeded)) throw failure;
      this.#discardBatch();
      return false;
    }
  }

  /** Begins a batch, unless one is under way; false where another process holds the lock. */
  begin(): boolean {
    if (this.batches.isOpen) return true;
    if (!this.batches.begin()) return false;
    this.#queue.clearDone();
    this.#hasFailedLine = false;
    this.#countsBefore = this.#tally.snapshot();
    return true;
  }

  /** The same as soon as nobody else holds the lock. */
  async beginWhenFree(): Promise<void> {
    while (!this.begin()) await this.yieldToOthers();
  }

  end(): void {
    if (!this.batches.isOpen) return;
    if (!this.#hasFailedLine) this.#usesSavepoints = false;
    this.#queue.clearDone();
    this.batches.end();
  }

  async commit(): Promise<void> {
    this.end();
    await this.batches.rest();
  }

  /** Undoes the batch under way; what it did waits again. */
  #replayBatch(): void {
    this.session.rollback();
    this.#tally.kinds = this.#countsBefore;
    this.#queue.undo();
    this.#prepared = null;
  }

  #applyWithSavepoint(piece: InputItem, read: ParsedLine, write: () => void): void {
    const tools = { bench: this.session, state: this.#state, tally: this.#tally };
    const rejection = withSavepoint(tools, write);
    if (rejection === null) return;
    this.#queue.undoLast();
    this.#hasFailedLine = true;
    this.#tally.reject(piece, rejection.message);
    this.#markListed(read);
  }

  /** What was being done takes too long: it is left out, and what the batch under way did is done again. */
  #skipSlowItem(): void {
    const item = this.#queue.current;
    const isOpen = this.batches.isOpen;
    this.#discardBatch();
    let instead: Item[] = [item];
    if (this.#timeLimit.isTooSlow && !('listed' in item)) {
      this.#parser.countSlow();
      this.#tally.reject(item.item, tooSlowReason);
      instead = item.result instanceof InvalidLine ? [] : [{ listed: item.result }];
    }
    this.#queue.replaceCurrent(instead, isOpen);
  }

  /** Undoes the batch under way, if there is one, after work was ended where it stood: that may have left tools half changed. */
  #discardBatch(): void {
    this.#isReading = false;
    if (this.batches.isOpen) this.#tally.kinds = this.#countsBefore;
    this.session.rollback();
    this.session = this.#newSession();
    this.batches.useSession(this.session);
    this.#upserter = this.#newUpserter();
    this.#prepared = null;
  }

  /** A line that was skipped still lists its record, as far as one can tell whose line it is. */
  #markListed(subject: RecordKey | null): boolean {
    if (subject === null) {
      this.unreadableLines++;
      return true;
    }
    if (this.#mustPause() || !this.begin()) return false;
    const { kind, externalId } = subject;
    this.#queue.done({ listed: subject });
    this.session.sources.markSeen({ source: this.#source.id, kind, externalId }, this.#source.run_count);
    return true;
  }
}
