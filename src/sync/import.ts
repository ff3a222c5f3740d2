/**
 * Reading a feed into the catalogue (docs/spec/imports.md#promises): streamed, in short transactions, so that
 * readers and the meter never wait; the same feed twice changes nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type Database from 'better-sqlite3';
import type { FeedKind } from '../contract/feed.ts';
import { Failure, Interrupted } from '../failure.ts';
import { readable } from '../store/database.ts';
import { ImportState } from '../store/import-state.ts';
import type { Source } from '../store/sources.ts';
import { Batches } from './batches.ts';
import { drainAll } from './drain.ts';
import { Guard, longestMs } from './guard.ts';
import { gathered, type Incoming, lineBatches, type Piece, type Subject } from './lines.ts';
import type { LockReport } from './lock-times.ts';
import { Prompt } from './prompt.ts';
import { RejectedStatement } from './records/places.ts';
import { BadLine, type ReadLine, readLine, readRecord } from './statement.ts';
import { Telling, type Told } from './telling.ts';
import { TimeOutOfRange } from './time.ts';
import { TookTooLong } from './time-limit.ts';
import { withdraw } from './withdraw.ts';
import { Workbench } from './workbench.ts';

export type { Incoming } from './lines.ts';

export type ImportOptions = {
  source: string;
  type: string;
  trust?: number | undefined;
  clock?: 'instant' | 'local' | undefined;
  /**
   * What was read is all that the source lists: what it no longer lists is withdrawn. A function is asked when all was
   * read.
   */
  complete?: boolean | (() => boolean) | undefined;
  /** Withdraw even more than half. */
  force?: boolean | undefined;
  /** ms since 1970. */
  now: number;
  /**
   * Nobody else can use the file: long transactions, no rests between them. Where it is not said, see `Batches`; false
   * says that others do.
   */
  alone?: boolean | undefined;
  /** Ends the work at a committed batch; what it is aborted with is thrown. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { lines: number }) => void) | undefined;
  onRejected?: ((rejected: Rejected) => void) | undefined;
  /** Hears of what went into a record that was there; of the same thing perhaps twice. */
  onMatched?: ((subject: Subject) => void) | undefined;
  /** A feed as bytes; or `records`. */
  input?: AsyncIterable<Uint8Array> | undefined;
  /** What an adapter makes of another format; takes the place of `input`. */
  records?: AsyncIterable<Incoming> | undefined;
};

/** What was skipped: the line of a feed, or the number of the record and where its adapter found it. */
export type Rejected = { line: number; where?: string; reason: string };
export type KindCounts = {
  created: number;
  updated: number;
  unchanged: number;
  matched: number;
  withdrawn: number;
};
export type ImportReport = {
  source: string;
  /** The catalogue's revision afterwards. */
  revision: number;
  kinds: Partial<Record<FeedKind, KindCounts>>;
  /** At most `mostRejected` of the rejected lines; all of them went through `onRejected`. */
  rejected: Rejected[];
  rejectedCount: number;
  /** Why a complete feed withdrew nothing, where it did not. */
  refused: string | null;
  seconds: number;
  /** How long it held the file's write lock. */
  lock: LockReport;
};

/** How many rejected lines a report lists: a feed of millions of bad lines must not fill the memory. */
const mostRejected = 10_000;
/** No batch does more lines than this: all of them are kept in memory until it is over. */
const mostLines = 2_500;
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
  return await new Import(sqlite, options).run();
}

/** What is to be done: a line that was read, or could not be; or a record that a skipped line still lists. */
type Item = { piece: Piece; read: ReadLine | BadLine } | { listed: Subject };

/** A slice of the work ends after so long, ms, so that signals are heard and the turn is renewed. */
const sliceMs = 20;
/** So many lines may take too long before the import ends: its source means no good. */
const mostSlow = 10;

class Import {
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: Source;
  readonly #batches: Batches;
  readonly #state: ImportState;
  readonly #guard = new Guard();
  #bench: Workbench;
  #telling: Telling;
  readonly #rejected: Rejected[] = [];
  #kinds: Partial<Record<FeedKind, KindCounts>> = {};
  #rejectedCount = 0;
  /** How many were read. */
  #lines = 0;
  #slow = 0;
  /** Lines of which not even the record they speak of could be read. */
  #unreadable = 0;
  /** What waits, from `#next` on; and what is being done of it, worked out as far as that goes without a lock. */
  #queue: Item[] = [];
  #next = 0;
  #told: { write: Told; epoch: number } | null = null;
  /** What the batch under way did, to be done again should it be undone; and the counts before it. */
  #done: Item[] = [];
  #kindsBefore: Partial<Record<FeedKind, KindCounts>> = {};
  /** A line failed lately: each is all or nothing by itself, which takes longer. */
  #isCareful = false;
  /** A line of the batch under way failed. */
  #failed = false;
  /** The work under way only reads: the batch may end in its midst. */
  #isReading = false;

  constructor(sqlite: Database.Database, options: ImportOptions) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#state = new ImportState(sqlite);
    this.#bench = this.#newBench();
    this.#source = this.#bench.sources.open(options.source, options.type, options, options.now);
    this.#telling = this.#newTelling();
    if (options.alone) this.#state.alone();
    const { alone: isAlone, signal } = options;
    this.#batches = new Batches(sqlite, this.#bench, { isAlone, signal });
  }

  #newBench(): Workbench {
    const bench = new Workbench(this.#sqlite, {
      now: this.#options.now,
      created: (kind) => this.#count(kind, 'created'),
    });
    bench.ease = () => {
      if (this.#isReading && this.#batches.isDue()) this.#end();
    };
    return bench;
  }

  #newTelling(): Telling {
    this.#bench.context.run = this.#source.runs;
    return new Telling(this.#bench, this.#source, this.#options.now, (kind, what, externalId) => {
      this.#count(kind, what);
      if (what === 'matched') this.#options.onMatched?.({ kind, externalId });
    });
  }

  async run(): Promise<ImportReport> {
    const began = performance.now();
    try {
      this.#meet();
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
        kinds: this.#kinds,
        rejected: this.#rejected,
        rejectedCount: this.#rejectedCount,
        refused,
        seconds: Math.round(performance.now() - began) / 1_000,
        lock: this.#batches.lockTimes.report(),
      };
    } catch (failure) {
      if (failure instanceof Interrupted) throw this.#interrupted(failure);
      throw readable(failure, this.#sqlite.name);
    } finally {
      this.#bench.rollback();
    }
  }

  /** Commits what was done so far, and says so. */
  #interrupted({ signal }: Interrupted): Interrupted {
    this.#end();
    this.#state.hurry();
    const lines = `${this.#lines.toLocaleString('en')} ${this.#lines === 1 ? 'record' : 'records'}`;
    return new Interrupted(
      signal,
      `The reading of ${this.#source.name} was ended by ${signal}: ${lines} were read, and what came of them is in the catalogue (revision ${this.#state.revision()}). Run it again to complete it.`,
    );
  }

  async #readAll(): Promise<void> {
    const { onProgress, signal } = this.#options;
    // Who waits for the source must not keep the file from others.
    const pieces = new Prompt(piecesOf(this.#options), () => this.#commit(), signal);
    try {
      for (let some = await pieces.next(); some !== null; some = await pieces.next()) {
        const before = this.#lines;
        await this.#takeAll(some);
        // Nor who has it work.
        if (this.#batches.isShared) await this.#commit();
        if (Math.floor(this.#lines / 100) > Math.floor(before / 100)) onProgress?.({ lines: this.#lines });
      }
    } catch (failure) {
      pieces.abandon();
      throw failure;
    }
    await this.#commit();
    onProgress?.({ lines: this.#lines });
  }

  /** Takes pieces, a slice at a time. */
  async #takeAll(pieces: readonly Piece[]): Promise<void> {
    const before = this.#lines;
    this.#queue = this.#parse(pieces);
    this.#next = 0;
    while (this.#next < this.#queue.length) {
      try {
        this.#guard.run(() => this.#slice());
      } catch (failure) {
        if (!(failure instanceof TookTooLong)) throw failure;
        this.#setAside();
      }
      if (this.#done.length >= mostLines || this.#batches.isDue()) this.#end();
      // What was undone is done again, so this may fall.
      this.#lines = before + Math.max(0, pieces.length - (this.#queue.length - this.#next));
      if (this.#next < this.#queue.length) await this.#breathe();
    }
    this.#queue = [];
  }

  /** Lets others have their turn, and signals be heard; ends the work where it is to end. */
  async #breathe(): Promise<void> {
    await this.#batches.rest();
    await nextTurn();
    if (this.#options.signal?.aborted) {
      this.#end();
      throw this.#options.signal.reason;
    }
  }

  /** Reads what pieces say, before anything is locked. */
  #parse(pieces: readonly Piece[]): Item[] {
    const items: Item[] = [];
    while (items.length < pieces.length) {
      try {
        this.#guard.run(() => {
          for (const piece of pieces.slice(items.length)) items.push({ piece, read: readPiece(piece) });
        });
      } catch (failure) {
        if (!(failure instanceof TookTooLong)) throw failure;
        const piece = pieces[items.length];
        if (this.#guard.isTooSlow && piece) {
          this.#countSlow();
          items.push({ piece, read: new BadLine(tooSlow, null) });
        }
      }
    }
    return items;
  }

  #countSlow(): void {
    if (++this.#slow <= mostSlow) return;
    throw new Failure(
      `${this.#slow} records took longer than ${longestMs / 1_000} s each: reading was ended.`,
    );
  }

  /** Does of what waits as much as goes without waiting for anything; then something is due, or the slice is over. */
  #slice(): void {
    const until = performance.now() + sliceMs;
    while (this.#next < this.#queue.length && performance.now() < until) {
      if (!this.#step(this.#queue[this.#next] as Item)) return;
      this.#next++;
      if (this.#done.length >= mostLines || this.#batches.isDue()) return;
    }
  }

  /** One item; false where something has to be waited for first. */
  #step(item: Item): boolean {
    if ('listed' in item) return this.#stillListed(item.listed);
    const { piece, read } = item;
    if (read instanceof BadLine) {
      if (this.#mustRest()) return false;
      this.#reject(piece, read.message);
      return this.#stillListed(read.subject);
    }
    try {
      if (this.#told === null) {
        if (this.#batches.mustEndFirst && !this.#telling.isKnown(read)) this.#end();
        this.#told = this.#prepare(read);
      }
      if (this.#mustRest()) return false;
      this.#begin();
      // Somebody else changed the catalogue: what was worked out may be wrong. This time the batch must not end meanwhile.
      const isStale = this.#told.epoch !== this.#bench.epoch;
      const write = isStale ? this.#telling.workOut(read) : this.#told.write;
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
      this.#reject(piece, failure.message);
      this.#queue[this.#next] = { listed: read };
      return this.#stillListed(read);
    }
    return true;
  }

  #mustRest = (): boolean => this.#batches.restLeft > 0;

  #prepare(read: ReadLine): { write: Told; epoch: number } {
    return { write: this.#reading(() => this.#telling.workOut(read)), epoch: this.#bench.epoch };
  }

  #reading<T>(work: () => T): T {
    this.#isReading = true;
    try {
      return work();
    } finally {
      this.#isReading = false;
    }
  }

  #begin(): void {
    if (!this.#batches.begin()) return;
    this.#done = [];
    this.#failed = false;
    this.#kindsBefore = structuredClone(this.#kinds);
  }

  #end(): void {
    if (!this.#batches.isOpen) return;
    if (!this.#failed) this.#isCareful = false;
    this.#done = [];
    this.#batches.end();
  }

  async #commit(): Promise<void> {
    this.#end();
    await this.#batches.rest();
  }

  /** Undoes the batch under way; what it did waits again. */
  #undo(): void {
    this.#bench.rollback();
    this.#kinds = this.#kindsBefore;
    this.#queue = [...this.#done, ...this.#queue.slice(this.#next + 1)];
    this.#next = -1;
    this.#done = [];
    this.#told = null;
  }

  #carefully(piece: Piece, read: ReadLine, write: Told): void {
    const { writer } = this.#bench;
    const { changed } = writer;
    const kinds = structuredClone(this.#kinds);
    try {
      this.#state.line(() => {
        write();
        this.#bench.settle();
      });
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      this.#bench.undoLine();
      writer.changed = changed;
      this.#kinds = kinds;
      this.#done.pop();
      this.#failed = true;
      this.#reject(piece, failure.message);
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
      this.#countSlow();
      this.#reject(item.piece, tooSlow);
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
    const done = this.#batches.isOpen ? this.#done : [];
    if (this.#batches.isOpen) this.#kinds = this.#kindsBefore;
    this.#bench.rollback();
    this.#bench = this.#newBench();
    this.#batches.use(this.#bench);
    this.#telling = this.#newTelling();
    this.#done = [];
    this.#told = null;
    return done;
  }

  /** Has the tools see which revision the catalogue is at: else the first record would be compared with it locked. */
  #meet(): void {
    this.#begin();
    this.#end();
  }

  /** A line that was skipped still lists its record, as far as one can tell whose line it is. */
  #stillListed(subject: Subject | null): boolean {
    if (subject === null) {
      this.#unreadable++;
      return true;
    }
    if (this.#mustRest()) return false;
    const { kind, externalId } = subject;
    this.#begin();
    this.#done.push({ listed: subject });
    this.#bench.sources.seen({ source: this.#source.id, kind, externalId }, this.#source.runs);
    return true;
  }

  #drain(): Promise<void> {
    return drainAll({
      bench: () => this.#bench,
      batches: this.#batches,
      begin: () => this.#begin(),
      end: () => this.#end(),
      reading: (work) => this.#reading(work),
      breathe: () => this.#breathe(),
      slice: (work) => {
        try {
          this.#guard.run(work);
          return true;
        } catch (failure) {
          if (!(failure instanceof TookTooLong)) throw failure;
          this.#abandonBatch();
          return false;
        }
      },
      onLeft: (id) => this.#reject({ number: 0, where: `record ${id}` }, tooSlow),
    });
  }

  #withdraw(): Promise<string | null> {
    return withdraw(this.#bench, {
      source: this.#source,
      now: this.#options.now,
      force: this.#options.force === true,
      unreadable: this.#unreadable,
      begin: () => this.#begin(),
      pause: async (isEnd) => {
        if (isEnd || this.#batches.isDue()) await this.#commit();
        this.#options.signal?.throwIfAborted();
      },
      count: (kind) => this.#count(kind, 'withdrawn'),
    });
  }

  async #finish(): Promise<void> {
    for (let more = true; more; ) {
      await this.#breathe();
      more = this.#state.dropOld();
    }
    this.#state.finish(this.#options.now);
    if (this.#batches.lockTimes.count <= batchesWorthCompacting) return;
    for (let more = this.#bench.names.compact(true); more; ) {
      await this.#breathe();
      more = this.#bench.names.compact(false);
    }
  }

  #count(kind: FeedKind, what: keyof KindCounts): void {
    this.#kinds[kind] ??= { created: 0, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    this.#kinds[kind][what]++;
  }

  #reject({ number: line, where }: { number: number; where?: string }, reason: string): void {
    this.#rejectedCount++;
    const rejected = where === undefined ? { line, reason } : { line, where, reason };
    this.#options.onRejected?.(rejected);
    if (this.#rejected.length < mostRejected) this.#rejected.push(rejected);
  }
}

/** Whether what was thrown only concerns the line. */
const isRejection = (failure: unknown): failure is Error =>
  failure instanceof RejectedStatement || failure instanceof TimeOutOfRange;

const tooSlow = `takes longer than ${longestMs / 1_000} s to be read and compared with the catalogue: it was left out`;

function readPiece(piece: Piece): ReadLine | BadLine {
  try {
    if ('text' in piece) return readLine(piece.text);
    if ('record' in piece) return readRecord(piece.record);
    return new BadLine(piece.problem, piece.subject);
  } catch (failure) {
    if (failure instanceof BadLine) return failure;
    throw failure;
  }
}

/** What is given, some at a time. */
function piecesOf({ input, records }: ImportOptions): AsyncIterable<Piece[]> {
  if (records) return gathered(records);
  return input ? lineBatches(input) : nothing();
}

async function* nothing(): AsyncGenerator<Piece[]> {}
