/**
 * Takes pieces of a feed into the catalogue, a slice at a time: each record is compared before its transaction, and what
 * a transaction did is done again where it is undone (docs/decisions/15-write-lock.md).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { ImportState } from '../store/import-state.ts';
import type { Source } from '../store/sources.ts';
import { Batches } from './batches.ts';
import { Guard } from './guard.ts';
import type { ImportOptions } from './import-options.ts';
import type { Piece, Subject } from './lines.ts';
import { Parser, tooSlow } from './parsing.ts';
import { isRejection, withSavepoint } from './savepoint.ts';
import { BadLine, type ReadLine } from './statement.ts';
import type { Counts, Tally } from './tally.ts';
import { Telling, type Told } from './telling.ts';
import { TookTooLong } from './time-limit.ts';
import { type Item, WorkQueue } from './work-queue.ts';
import { Workbench } from './workbench.ts';

/** No batch does more lines than this: all of them are kept in memory until it is over. */
const mostLines = 2_500;
/** A slice of the work ends after so long, ms, so that signals are heard and the turn is renewed. */
const sliceMs = 20;

export class Taking {
  readonly batches: Batches;
  bench: Workbench;
  /** Lines of which not even the record they speak of could be read. */
  unreadable = 0;
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: Source;
  readonly #state: ImportState;
  readonly #tally: Tally;
  readonly #guard = new Guard();
  readonly #parser = new Parser(this.#guard);
  #telling: Telling;
  readonly #queue = new WorkQueue();
  /** What the item under way comes to, worked out as far as that goes without a lock. */
  #told: { told: Told; epoch: number } | null = null;
  /** The counts before the batch. */
  #kindsBefore: Counts = {};
  /** A line failed lately: each is all or nothing by itself, which takes longer. */
  #isCareful = false;
  /** A line of the batch under way failed. */
  #failed = false;
  /** The work under way only reads: the batch may end in its midst. */
  #isReading = false;

  constructor(
    sqlite: Database.Database,
    options: ImportOptions,
    { source, tally, state }: { source: Source; tally: Tally; state: ImportState },
  ) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#tally = tally;
    this.#state = state;
    this.bench = this.#newBench();
    this.#telling = this.#newTelling();
    this.batches = new Batches(sqlite, this.bench, { isAlone: options.alone, signal: options.signal });
  }

  #newBench(): Workbench {
    const bench = new Workbench(this.#sqlite, {
      now: this.#options.now,
      created: (kind) => this.#tally.count(kind, 'created'),
    });
    bench.ease = () => {
      if (this.#isReading && this.batches.isDue()) this.end();
    };
    return bench;
  }

  #newTelling(): Telling {
    this.bench.context.run = this.#source.runs;
    return new Telling(this.bench, this.#source, this.#options.now, (kind, what, externalId) => {
      this.#tally.count(kind, what);
      if (what === 'matched') this.#options.onMatched?.({ kind, externalId });
    });
  }

  /**
   * Takes pieces.
   * @param onTaken hears how many of them were taken so far; fewer than before where a batch was undone
   */
  async take(pieces: readonly Piece[], onTaken: (count: number) => void): Promise<void> {
    this.#queue.fill(this.#parser.parse(pieces));
    while (!this.#queue.isOver) {
      if (!this.#guardedSlice()) this.#setAside();
      if (this.#isBatchFull()) this.end();
      onTaken(Math.max(0, pieces.length - this.#queue.left));
      if (!this.#queue.isOver) await this.breathe();
    }
    this.#queue.fill([]);
  }

  #isBatchFull(): boolean {
    return this.#queue.doneCount >= mostLines || this.batches.isDue();
  }

  #guardedSlice(): boolean {
    try {
      this.#guard.run(() => this.#slice());
      return true;
    } catch (failure) {
      if (!(failure instanceof TookTooLong)) throw failure;
      return false;
    }
  }

  /** Lets others have their turn, and signals be heard; ends the work where it is to end. */
  breathe = async (): Promise<void> => {
    await this.batches.rest();
    await nextTurn();
    if (this.#options.signal?.aborted) {
      this.end();
      throw this.#options.signal.reason;
    }
  };

  /** Does of what waits as much as goes without waiting for anything; then something is due, or the slice is over. */
  #slice(): void {
    const until = performance.now() + sliceMs;
    while (!this.#queue.isOver && performance.now() < until) {
      if (!this.#step(this.#queue.current)) return;
      this.#queue.advance();
      if (this.#isBatchFull()) return;
    }
  }

  /** One item; false where something has to be waited for first. */
  #step(item: Item): boolean {
    if ('listed' in item) return this.#stillListed(item.listed);
    const { piece, read } = item;
    if (read instanceof BadLine) {
      if (this.#mustRest()) return false;
      if (read.subject !== null && !this.begin()) return false;
      this.#tally.reject(piece, read.message);
      return this.#stillListed(read.subject);
    }
    try {
      if (this.#told === null) {
        if (this.batches.mustEndFirst && !this.#telling.isKnown(read)) this.end();
        this.#told = { told: this.reading(() => this.#telling.workOut(read)), epoch: this.bench.epoch };
      }
      if (this.#mustRest() || !this.begin()) return false;
      this.batches.doing(read);
      if (!this.#introduce(this.#told.told)) return false;
      // Whom it names is on record now: it is read again, without the lock.
      if (this.#told.told.isUnread) return this.#readAgain();
      // Somebody else changed the catalogue: what was worked out may be wrong. This time the batch must not end meanwhile.
      const isStale = this.#told.epoch !== this.bench.epoch;
      const { write } = isStale ? this.#telling.workOut(read) : this.#told.told;
      this.#told = null;
      this.#queue.done(item);
      if (this.#isCareful) this.#carefully(piece, read, write);
      else write();
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      const wasWriting = this.#queue.lastDone === item;
      this.#told = null;
      if (wasWriting) {
        // Without a savepoint, which costs as much as the work: the whole batch is done again, with one for each line.
        this.#isCareful = true;
        this.#undo();
        return true;
      }
      this.#tally.reject(piece, failure.message);
      this.#queue.current = { listed: read };
      return this.#stillListed(read);
    }
    return true;
  }

  /** Puts those on record whom a record with long lists names; false where the transaction is to end before all are. */
  #introduce({ strangers }: Told): boolean {
    if (strangers.length === 0) return true;
    do strangers.shift()?.();
    while (strangers.length > 0 && !this.batches.isDue());
    return strangers.length === 0 && !this.batches.isDue();
  }

  #readAgain(): false {
    this.#told = null;
    this.end();
    return false;
  }

  #mustRest = (): boolean => this.batches.restLeft > 0;

  /** Does work that only reads: the batch may end in its midst. */
  reading<T>(work: () => T): T {
    this.#isReading = true;
    try {
      return work();
    } finally {
      this.#isReading = false;
    }
  }

  /** Does a slice of other work; false where it took too long, and the batch under way was undone. */
  guarded(work: () => void): boolean {
    try {
      this.#guard.run(work);
      return true;
    } catch (failure) {
      if (!(failure instanceof TookTooLong)) throw failure;
      this.#abandonBatch();
      return false;
    }
  }

  /** Begins a batch, unless one is under way; false where another process holds the lock. */
  begin(): boolean {
    if (this.batches.isOpen) return true;
    if (!this.batches.begin()) return false;
    this.#queue.clearDone();
    this.#failed = false;
    this.#kindsBefore = this.#tally.snapshot();
    return true;
  }

  /** The same as soon as nobody else holds the lock. */
  async opened(): Promise<void> {
    while (!this.begin()) await this.breathe();
  }

  end(): void {
    if (!this.batches.isOpen) return;
    if (!this.#failed) this.#isCareful = false;
    this.#queue.clearDone();
    this.batches.end();
  }

  async commit(): Promise<void> {
    this.end();
    await this.batches.rest();
  }

  /** Undoes the batch under way; what it did waits again. */
  #undo(): void {
    this.bench.rollback();
    this.#tally.kinds = this.#kindsBefore;
    this.#queue.undo();
    this.#told = null;
  }

  #carefully(piece: Piece, read: ReadLine, write: () => void): void {
    const tools = { bench: this.bench, state: this.#state, tally: this.#tally };
    const rejection = withSavepoint(tools, write);
    if (rejection === null) return;
    this.#queue.undoLast();
    this.#failed = true;
    this.#tally.reject(piece, rejection.message);
    this.#stillListed(read);
  }

  /** What was being done takes too long: it is left out, and what the batch under way did is done again. */
  #setAside(): void {
    const item = this.#queue.current;
    const isOpen = this.batches.isOpen;
    this.#abandonBatch();
    let instead: Item[] = [item];
    if (this.#guard.isTooSlow && !('listed' in item)) {
      this.#parser.countSlow();
      this.#tally.reject(item.piece, tooSlow);
      instead = item.read instanceof BadLine ? [] : [{ listed: item.read }];
    }
    this.#queue.replaceCurrent(instead, isOpen);
  }

  /** Undoes the batch under way, if there is one, after work was ended where it stood: that may have left tools half changed. */
  #abandonBatch(): void {
    this.#isReading = false;
    if (this.batches.isOpen) this.#tally.kinds = this.#kindsBefore;
    this.bench.rollback();
    this.bench = this.#newBench();
    this.batches.use(this.bench);
    this.#telling = this.#newTelling();
    this.#told = null;
  }

  /** A line that was skipped still lists its record, as far as one can tell whose line it is. */
  #stillListed(subject: Subject | null): boolean {
    if (subject === null) {
      this.unreadable++;
      return true;
    }
    if (this.#mustRest() || !this.begin()) return false;
    const { kind, externalId } = subject;
    this.#queue.done({ listed: subject });
    this.bench.sources.seen({ source: this.#source.id, kind, externalId }, this.#source.runs);
    return true;
  }
}
