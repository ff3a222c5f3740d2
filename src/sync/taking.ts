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
import { Parser, type ReadPiece, tooSlow } from './parsing.ts';
import { RejectedStatement } from './records/places.ts';
import { BadLine, type ReadLine } from './statement.ts';
import type { Counts, Tally } from './tally.ts';
import { Telling, type Told } from './telling.ts';
import { TimeOutOfRange } from './time.ts';
import { TookTooLong } from './time-limit.ts';
import { Workbench } from './workbench.ts';

/** No batch does more lines than this: all of them are kept in memory until it is over. */
const mostLines = 2_500;
/** A slice of the work ends after so long, ms, so that signals are heard and the turn is renewed. */
const sliceMs = 20;

/** What is to be done: a line that was read, or could not be; or a record that a skipped line still lists. */
type Item = ReadPiece | { listed: Subject };

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
  /** What waits, from `#next` on; and what is being done of it, worked out as far as that goes without a lock. */
  #queue: Item[] = [];
  #next = 0;
  #told: { told: Told; epoch: number } | null = null;
  /** What the batch under way did, to be done again should it be undone; and the counts before it. */
  #done: Item[] = [];
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
    const { alone: isAlone, signal } = options;
    this.batches = new Batches(sqlite, this.bench, { isAlone, signal });
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
    this.#queue = this.#parser.parse(pieces);
    this.#next = 0;
    while (this.#next < this.#queue.length) {
      if (!this.#guardedSlice()) this.#setAside();
      if (this.#done.length >= mostLines || this.batches.isDue()) this.end();
      onTaken(Math.max(0, pieces.length - (this.#queue.length - this.#next)));
      if (this.#next < this.#queue.length) await this.breathe();
    }
    this.#queue = [];
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
    while (this.#next < this.#queue.length && performance.now() < until) {
      if (!this.#step(this.#queue[this.#next] as Item)) return;
      this.#next++;
      if (this.#done.length >= mostLines || this.batches.isDue()) return;
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
        this.#told = this.#prepare(read);
      }
      if (this.#mustRest() || !this.begin()) return false;
      this.batches.doing(read);
      if (!this.#introduce(this.#told.told)) return false;
      // Somebody else changed the catalogue: what was worked out may be wrong. This time the batch must not end meanwhile.
      const isStale = this.#told.epoch !== this.bench.epoch;
      const { write } = isStale ? this.#telling.workOut(read) : this.#told.told;
      this.#told = null;
      this.#done.push(item);
      if (this.#isCareful) this.#carefully(piece, read, write);
      else write();
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      const wasWriting = this.#done.at(-1) === item;
      this.#told = null;
      if (wasWriting) {
        // Without a savepoint, which costs as much as the work: the whole batch is done again, with one for each line.
        this.#isCareful = true;
        this.#undo();
        return true;
      }
      this.#tally.reject(piece, failure.message);
      this.#queue[this.#next] = { listed: read };
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

  #mustRest = (): boolean => this.batches.restLeft > 0;

  #prepare(read: ReadLine): { told: Told; epoch: number } {
    return { told: this.reading(() => this.#telling.workOut(read)), epoch: this.bench.epoch };
  }

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
    this.#done = [];
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
    this.#done = [];
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
    this.#queue = [...this.#done, ...this.#queue.slice(this.#next + 1)];
    this.#next = -1;
    this.#done = [];
    this.#told = null;
  }

  #carefully(piece: Piece, read: ReadLine, write: () => void): void {
    const { writer } = this.bench;
    const { changed } = writer;
    const kinds = this.#tally.snapshot();
    try {
      this.#state.line(() => {
        write();
        this.bench.settle();
      });
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      this.bench.undoLine();
      writer.changed = changed;
      this.#tally.kinds = kinds;
      this.#done.pop();
      this.#failed = true;
      this.#tally.reject(piece, failure.message);
      this.#stillListed(read);
    }
  }

  /** What was being done takes too long: it is left out, and what the batch under way did is done again. */
  #setAside(): void {
    const item = this.#queue[this.#next] as Item;
    const done = this.#abandonBatch().filter((one) => one !== item);
    const rest = this.#queue.slice(this.#next + 1);
    this.#next = 0;
    if (!this.#guard.isTooSlow || 'listed' in item) this.#queue = [...done, item, ...rest];
    else {
      this.#parser.countSlow();
      this.#tally.reject(item.piece, tooSlow);
      const listed = item.read instanceof BadLine ? [] : [{ listed: item.read }];
      this.#queue = [...done, ...listed, ...rest];
    }
  }

  /**
   * Undoes the batch under way, if there is one, after work was ended where it stood: that may have left tools half
   * changed. Returns what the batch had done.
   */
  #abandonBatch(): Item[] {
    this.#isReading = false;
    const done = this.batches.isOpen ? this.#done : [];
    if (this.batches.isOpen) this.#tally.kinds = this.#kindsBefore;
    this.bench.rollback();
    this.bench = this.#newBench();
    this.batches.use(this.bench);
    this.#telling = this.#newTelling();
    this.#done = [];
    this.#told = null;
    return done;
  }

  /** A line that was skipped still lists its record, as far as one can tell whose line it is. */
  #stillListed(subject: Subject | null): boolean {
    if (subject === null) {
      this.unreadable++;
      return true;
    }
    if (this.#mustRest() || !this.begin()) return false;
    const { kind, externalId } = subject;
    this.#done.push({ listed: subject });
    this.bench.sources.seen({ source: this.#source.id, kind, externalId }, this.#source.runs);
    return true;
  }
}

/** Whether what was thrown only concerns the line. */
const isRejection = (failure: unknown): failure is Error =>
  failure instanceof RejectedStatement || failure instanceof TimeOutOfRange;
