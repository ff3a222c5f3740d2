/**
 * Notices that the data file was overwritten by another copy of itself: some pages of the file are remembered, and may
 * change only to what the write-ahead log has for them. A copy from before the last checkpoint has others there, and the
 * connections of a service would mix its pages with those that they have read.
 *
 * https://sqlite.org/walformat.html, section 4.3; https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { hash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { blockFor } from './block-for.ts';
import { frameHeaderBytes, logFramesOf, logHeaderBytes, readLog, readLogHeader } from './log-files.ts';

/** How many pages are remembered: first those of small tables that change often, later the last that were checkpointed. */
const maxPages = 32;
/** So many pages are learned of each checkpoint: the last ones, in which every earlier copy differs. */
const pagesPerCheckpoint = 16;
/** So many frames of a log that was restarted are searched for such pages. */
const maxFormerFrames = 500;
/** A page that is read while a checkpoint writes it may be half old. It is not in the next reading, some ms later. */
const readings = 3;
const betweenReadingsMs = 2;
/** A file that was changed longer ago than this, in ms, is not being written. */
const settledMs = 1_000;

/** Pages of tables that almost every change of accounts, keys and counts writes. */
const firstPages = `SELECT pageno FROM dbstat
  WHERE name IN ('catalogue', 'settings', 'api_keys', 'rate_windows', 'usage_months', 'usage_days') ORDER BY pageno DESC LIMIT ${maxPages}`;

/**
 * The generation of the log, which ends when it is restarted: its salts, the first of which counts restarts. The number of
 * its frames, and how many of them the data file has.
 */
type LogState = { salts: Buffer; frames: number; checkpointed: number };

/** A frame of the log, the first of which is at 0. Its salts and content hold until the next one is visited. */
type Frame = { at: number; page: number; salts: Buffer; readContent: () => Buffer };

/** Whether a log is the one after another. */
const isRestart = (last: LogState, log: LogState): boolean =>
  log.salts.readUInt32BE() === (last.salts.readUInt32BE() + 1) % 2 ** 32;

/**
 * Remembers up to 32 pages of a data file to notice that the file was overwritten. Reading them blocks the thread, and
 * a call of `areOverwritten` that returns false learns the present state, with which the next call compares.
 */
export class CheckpointedPages {
  readonly #sqlite: Database.Database;
  readonly #file: number;
  readonly #pageBytes: number;
  /** Digests of pages of the file by page number, the last learned at the end. */
  readonly #pages = new Map<number, string>();
  #log: LogState | null = null;
  #stamp: string | null = null;

  /** @param file a handle of the data file, which stays open */
  constructor(sqlite: Database.Database, file: number, pageBytes: number) {
    this.#sqlite = sqlite;
    this.#file = file;
    this.#pageBytes = pageBytes;
    const first = sqlite.prepare<[], number>(firstPages).pluck().all();
    this.#learn(first, this.#logState(), this.#stampOf());
  }

  /** Whether the file was changed by something else than a checkpoint. Throws SQLite's error if that cannot be seen now. */
  areOverwritten(): boolean {
    for (let reading = 1; ; reading++) {
      if (!this.#seemOverwritten()) return false;
      if (reading === readings) return true;
      blockFor(betweenReadingsMs);
    }
  }

  #seemOverwritten(): boolean {
    const stamp = this.#stampOf();
    const log = this.#logState();
    const isSame = log !== null && this.#log?.salts.equals(log.salts) === true;
    if (stamp !== null && stamp === this.#stamp && isSame && log.checkpointed === this.#log?.checkpointed)
      return false;
    const isOther = log !== null && (this.#hasOtherPages(log, isSame) || this.#lacksFormerPages(log));
    if (isOther && this.#logState()?.salts.equals(log.salts)) return true;
    const more = log === null || log.checkpointed === 0 ? [] : this.#lastPages(log.checkpointed);
    this.#learn(more, log, stamp);
    return false;
  }

  /** Whether a remembered page has a content that the log does not have for it. @param isSame the log of the last look */
  #hasOtherPages(log: LogState, isSame: boolean): boolean {
    if (!isSame && !this.#isNext(log)) return false;
    const pages = this.#changedPages();
    return pages.size > 0 && !this.#isInLog(pages);
  }

  /**
   * Whether the log is the one after that of the last look, and that one was in the file as a whole then. Otherwise it may
   * have written pages to the file that are no longer in the log.
   */
  #isNext(log: LogState): boolean {
    const last = this.#log;
    if (last === null || !isRestart(last, log)) return false;
    if (last.checkpointed < last.frames || log.frames > last.frames) return false;
    // A frame that was appended to the last one would still be behind it.
    let isLonger = false;
    this.#visitFrames(last.frames + 1, ({ salts }) => {
      isLonger = salts.equals(last.salts);
      return false;
    });
    return !isLonger;
  }

  /**
   * Whether the file lacks pages of the log before this one. A log is restarted when the file has all of it, and its last
   * frames stay behind the new ones until those reach them, unless the log was longer than SQLite leaves it
   * (`journal_size_limit`). The file must have a content that these frames, or the new log, have for the page. Any of them
   * is accepted, not the last one alone: a process that is killed in a commit leaves frames that were never committed.
   */
  #lacksFormerPages(log: LogState): boolean {
    const last = this.#log;
    if (last === null || !isRestart(last, log) || this.#isShortened(last)) return false;
    const missingPages = new Map<number, string>();
    const first = Math.max(log.frames, last.frames - maxFormerFrames);
    this.#visitFrames(last.frames, ({ at, page, salts }) => {
      if (at < first) return false;
      const isNew = salts.equals(last.salts) && !missingPages.has(page);
      const digest = isNew ? this.#digestInFile(page) : null;
      if (digest !== null) missingPages.set(page, digest);
      return missingPages.size < pagesPerCheckpoint;
    });
    this.#visitFrames(Number.POSITIVE_INFINITY, ({ page, salts, readContent }) => {
      const digest = missingPages.get(page);
      const counts = salts.equals(last.salts) || salts.equals(log.salts);
      if (digest !== undefined && counts && digest === digestOf(readContent())) missingPages.delete(page);
      return missingPages.size > 0;
    });
    return missingPages.size > 0;
  }

  /** Whether the end of the log before this one is no longer in its file. SQLite's limit is not at the end of a frame. */
  #isShortened({ frames }: LogState): boolean {
    const frameBytes = frameHeaderBytes + this.#pageBytes;
    const bytes = readLog(this.#sqlite.name, (file) => fstatSync(file).size - logHeaderBytes) ?? 0;
    return bytes < frames * frameBytes || bytes % frameBytes !== 0;
  }

  /** When the file was last changed, and its size; null if a write may not have ended, which may change no time at its end. */
  #stampOf(): string | null {
    const { mtimeNs, size } = fstatSync(this.#file, { bigint: true });
    const isSettled = Math.abs(Date.now() - Number(mtimeNs) / 1e6) > settledMs;
    return isSettled ? `${mtimeNs} ${size}` : null;
  }

  /** The state of the log; null if it is empty. */
  #logState(): LogState | null {
    const { log, checkpointed } = logFramesOf(this.#sqlite);
    if (log <= 0) return null;
    return readLog(this.#sqlite.name, (file) => {
      const header = readLogHeader(file);
      return header === null ? null : { salts: header.salts, frames: log, checkpointed };
    });
  }

  /** Remembers pages as they are in the file now. */
  #learn(pages: readonly number[], log: LogState | null, stamp: string | null): void {
    for (const page of pages) {
      this.#pages.delete(page);
      this.#pages.set(page, '');
    }
    for (const page of [...this.#pages.keys()].slice(0, -maxPages)) this.#pages.delete(page);
    for (const page of this.#pages.keys()) {
      const digest = this.#digestInFile(page);
      // Beyond the end of a file that became shorter.
      if (digest === null) this.#pages.delete(page);
      else this.#pages.set(page, digest);
    }
    this.#log = log;
    this.#stamp = stamp;
  }

  /** The remembered pages that are others now, with their digests. */
  #changedPages(): Map<number, string> {
    const digests = new Map<number, string>();
    for (const [page, before] of this.#pages) {
      const digest = this.#digestInFile(page);
      if (digest !== null && digest !== before) digests.set(page, digest);
    }
    return digests;
  }

  #digestInFile(page: number): string | null {
    const content = Buffer.allocUnsafe(this.#pageBytes);
    const bytes = readSync(this.#file, content, 0, this.#pageBytes, (page - 1) * this.#pageBytes);
    return bytes < this.#pageBytes ? null : digestOf(content);
  }

  /** Whether the log has a frame with the digest of each page. */
  #isInLog(pages: ReadonlyMap<number, string>): boolean {
    const missingPages = new Map(pages);
    this.#visitFrames(logFramesOf(this.#sqlite).log, (frame) => {
      const digest = missingPages.get(frame.page);
      if (digest !== undefined && digest === digestOf(frame.readContent())) missingPages.delete(frame.page);
      return missingPages.size > 0;
    });
    return missingPages.size === 0;
  }

  /** The pages of the last frames before `end`. */
  #lastPages(end: number): number[] {
    const pages = new Set<number>();
    this.#visitFrames(end, ({ page }) => pages.add(page).size < pagesPerCheckpoint);
    return [...pages].reverse();
  }

  /** Calls `visit` with each frame before `end`, or the end of the file, from the last to the first, while it returns true. */
  #visitFrames(end: number, visit: (frame: Frame) => boolean): void {
    readLog(this.#sqlite.name, (file) => {
      const header = Buffer.allocUnsafe(frameHeaderBytes);
      const content = Buffer.allocUnsafe(this.#pageBytes);
      const frameBytes = header.length + content.length;
      const frames = Math.floor((fstatSync(file).size - logHeaderBytes) / frameBytes);
      for (let at = Math.min(end, frames) - 1; at >= 0; at--) {
        const start = logHeaderBytes + at * frameBytes;
        if (readSync(file, header, 0, header.length, start) < header.length) return;
        const readContent = () => {
          readSync(file, content, 0, content.length, start + header.length);
          return content;
        };
        if (!visit({ at, page: header.readUInt32BE(0), salts: header.subarray(8, 16), readContent })) return;
      }
    });
  }
}

const digestOf = (content: Buffer): string => hash('sha256', content, 'base64');
