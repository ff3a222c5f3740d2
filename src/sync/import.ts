/**
 * Reading a feed into the catalogue (feed.md, What an import promises): streamed, in short transactions, so that
 * readers and the meter never wait; the same feed twice changes nothing.
 */
import { setFlagsFromString } from 'node:v8';
import type Database from 'better-sqlite3';
import type { FeedKind } from '../contract/feed.ts';
import { readable } from '../store/database.ts';
import { ImportState } from '../store/import-state.ts';
import type { Source } from '../store/sources.ts';
import { Batches } from './batches.ts';
import { drain } from './drain.ts';
import { type Incoming, lineBatches, numbered, type Piece, type Subject } from './lines.ts';
import { Prompt } from './prompt.ts';
import { RejectedStatement } from './records/places.ts';
import { BadLine, type ReadLine, readLine, readRecord } from './statement.ts';
import { Telling } from './telling.ts';
import { TimeOutOfRange } from './time.ts';
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
   * Nobody else writes to the file: long transactions, no pauses between them. Unless it is said, so it is where the file
   * has no accounts: nobody can ask anything then that is counted.
   */
  alone?: boolean | undefined;
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

/** What a batch did, to be done again line by line should one of them fail: a line that was read, or whose it is. */
type Done = { piece: Piece } | { listed: Subject };

class Import {
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: Source;
  readonly #bench: Workbench;
  readonly #batches: Batches;
  readonly #telling: Telling;
  readonly #state: ImportState;
  readonly #rejected: Rejected[] = [];
  #kinds: Partial<Record<FeedKind, KindCounts>> = {};
  #rejectedCount = 0;
  /** Lines of which not even the record they speak of could be read. */
  #unreadable = 0;
  /** What the batch under way did, and the counts before it. */
  #done: Done[] = [];
  #kindsBefore: Partial<Record<FeedKind, KindCounts>> = {};
  /** A line failed lately: each is all or nothing by itself, which takes longer. */
  #isCareful = false;
  /** A line of the batch under way failed. */
  #failed = false;

  constructor(sqlite: Database.Database, options: ImportOptions) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#state = new ImportState(sqlite);
    const bench = new Workbench(sqlite, {
      now: options.now,
      created: (kind) => this.#count(kind, 'created'),
    });
    this.#bench = bench;
    this.#source = bench.sources.open(options.source, options.type, options, options.now);
    bench.context.run = this.#source.runs;
    this.#telling = new Telling(bench, this.#source, options.now, (kind, what, externalId) => {
      this.#count(kind, what);
      if (what === 'matched') options.onMatched?.({ kind, externalId });
    });
    const isAlone = options.alone ?? !this.#state.hasAccounts();
    if (isAlone) this.#state.alone();
    this.#batches = new Batches(sqlite, bench, isAlone);
  }

  async run(): Promise<ImportReport> {
    const began = performance.now();
    try {
      // What an import that died left half done is finished first.
      await drain(this.#bench, this.#batches);
      await this.#readAll();
      const { complete } = this.#options;
      const isComplete = typeof complete === 'function' ? complete() : complete === true;
      const refused = isComplete ? await this.#withdraw() : null;
      await drain(this.#bench, this.#batches);
      this.#finish();
      return {
        source: this.#source.name,
        revision: this.#state.revision(),
        kinds: this.#kinds,
        rejected: this.#rejected,
        rejectedCount: this.#rejectedCount,
        refused,
        seconds: Math.round(performance.now() - began) / 1_000,
      };
    } catch (failure) {
      throw readable(failure, this.#sqlite.name);
    } finally {
      this.#bench.rollback();
    }
  }

  async #readAll(): Promise<void> {
    let lines = 0;
    // Who waits for the source must not keep the file from others.
    const pieces = new Prompt(piecesOf(this.#options), () => this.#commit());
    for (let some = await pieces.next(); some !== null; some = await pieces.next()) {
      for (const piece of some) {
        this.#begin();
        this.#take(piece);
        if (this.#done.length >= mostLines || this.#batches.isDue()) await this.#commit();
        if (++lines % 100 === 0) this.#options.onProgress?.({ lines });
      }
    }
    await this.#commit();
    this.#options.onProgress?.({ lines });
  }

  #begin(): void {
    if (!this.#batches.begin()) return;
    this.#done = [];
    this.#failed = false;
    this.#kindsBefore = structuredClone(this.#kinds);
  }

  async #commit(): Promise<void> {
    if (this.#sqlite.inTransaction && !this.#failed) this.#isCareful = false;
    this.#done = [];
    await this.#batches.commit();
  }

  /** One piece, all or nothing. */
  #take(piece: Piece): void {
    let read: ReadLine;
    try {
      read = this.#read(piece);
    } catch (failure) {
      if (!(failure instanceof BadLine)) throw failure;
      this.#reject(piece, failure.message);
      this.#stillListed(failure.subject);
      return;
    }
    this.#done.push({ piece });
    if (this.#isCareful) this.#carefully(piece, read);
    else this.#boldly(read);
  }

  #read(piece: Piece): ReadLine {
    if ('text' in piece) return readLine(piece.text);
    if ('record' in piece) return readRecord(piece.record);
    throw new BadLine(piece.problem, piece.subject);
  }

  /** Without a savepoint, which costs as much as the work: should the line fail, its whole batch is done again. */
  #boldly(read: ReadLine): void {
    try {
      this.#bench.writer.beginLine();
      this.#telling.tell(read);
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      this.#again();
    }
  }

  /** Does the batch under way again from its beginning, each line with a savepoint. */
  #again(): void {
    const done = this.#done;
    this.#bench.rollback();
    this.#kinds = this.#kindsBefore;
    this.#isCareful = true;
    this.#begin();
    for (const one of done) {
      this.#done.push(one);
      if ('listed' in one)
        this.#bench.sources.seen({ source: this.#source.id, ...one.listed }, this.#source.runs);
      else this.#carefully(one.piece, this.#read(one.piece));
    }
  }

  #carefully(piece: Piece, read: ReadLine): void {
    const { writer } = this.#bench;
    const { changed } = writer;
    const kinds = structuredClone(this.#kinds);
    try {
      this.#state.line(() => {
        writer.beginLine();
        this.#telling.tell(read);
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

  /** A line that was skipped still lists its record, as far as one can tell whose line it is. */
  #stillListed(subject: Subject | null): void {
    if (subject === null) {
      this.#unreadable++;
      return;
    }
    const { kind, externalId } = subject;
    this.#done.push({ listed: { kind, externalId } });
    this.#bench.sources.seen({ source: this.#source.id, kind, externalId }, this.#source.runs);
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
      },
      count: (kind) => this.#count(kind, 'withdrawn'),
    });
  }

  #finish(): void {
    this.#state.finish(this.#options.now);
    if (this.#batches.count > batchesWorthCompacting) this.#bench.names.compact();
  }

  #count(kind: FeedKind, what: keyof KindCounts): void {
    this.#kinds[kind] ??= { created: 0, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    this.#kinds[kind][what]++;
  }

  #reject({ number: line, where }: Piece, reason: string): void {
    this.#rejectedCount++;
    const rejected = where === undefined ? { line, reason } : { line, where, reason };
    this.#options.onRejected?.(rejected);
    if (this.#rejected.length < mostRejected) this.#rejected.push(rejected);
  }
}

/** Whether what was thrown only concerns the line. */
const isRejection = (failure: unknown): failure is Error =>
  failure instanceof RejectedStatement || failure instanceof TimeOutOfRange;

/** What is given, some at a time. */
async function* piecesOf({ input, records }: ImportOptions): AsyncGenerator<Piece[]> {
  if (records) for await (const piece of numbered(records)) yield [piece];
  else if (input) yield* lineBatches(input);
}
