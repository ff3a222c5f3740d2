/** Rejected records of one run: the first few on standard error, all of them in a file beside the data file. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { maxListed } from './import-report.ts';
import { note, stripUnsafeCharacters } from './terminal.ts';

/** No line is added to a file of this size: a broken feed may have any number of lines. */
const maxFileBytes = 64 * 1024 * 1024;
const maxBufferLength = 65_536;

/** The log of the records that one run rejected. Call `end` when the run is over, also after a failure. */
export class RejectionLog {
  readonly #path: string | null;
  readonly #prefix: string;
  #count = 0;
  /** Lines that wait to be printed; null: lines are printed at once. */
  #held: string[] | null = null;
  #buffer: string[] = [];
  #bufferLength = 0;
  #written = 0;
  #descriptor: number | null = null;

  /**
   * @param path file for the whole list, which replaces that of the run before; null: only the count is printed
   * @param prefix text before each printed line
   */
  constructor(path: string | null, prefix = '') {
    this.#path = path;
    this.#prefix = prefix;
    try {
      if (path !== null) rmSync(path, { force: true });
    } catch {
      // It belongs to another user: the import goes on, and only counts.
      this.#written = maxFileBytes + 1;
    }
  }

  /**
   * Adds a record: the first ones are printed, all are written to the file.
   * @param line location of the record and the reason of the rejection
   */
  add(line: string): void {
    this.#count++;
    if (this.#count <= maxListed) {
      const printed = `${this.#prefix}${line}`;
      if (this.#held === null) note(printed);
      else this.#held.push(printed);
    }
    if (this.#path === null || this.#written > maxFileBytes) return;
    const text = `${stripUnsafeCharacters(line)}\n`;
    this.#buffer.push(text);
    this.#bufferLength += text.length;
    if (this.#bufferLength > maxBufferLength) this.#write(this.#path);
  }

  /** Prints no line before `end`: whether the input has this format at all is known then. */
  hold(): void {
    this.#held ??= [];
  }

  /** Forgets all lines that were held, and removes their file. */
  discard(): void {
    if (this.#held === null) return;
    if (this.#descriptor !== null && this.#path !== null) {
      closeSync(this.#descriptor);
      rmSync(this.#path, { force: true });
    }
    [this.#held, this.#buffer, this.#descriptor] = [[], [], null];
    [this.#bufferLength, this.#written, this.#count] = [0, 0, 0];
  }

  /** Prints the lines that were held, how many more there are, and which file has them. */
  end(): void {
    for (const line of this.#held ?? []) note(line);
    const more = this.#count - maxListed;
    if (more > 0 && this.#path !== null && this.#buffer.length > 0) this.#write(this.#path);
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    if (more <= 0) return;
    const summary = `${this.#prefix}… and ${more.toLocaleString('en')} more rejected`;
    const part =
      this.#written > maxFileBytes ? 'the first of them' : `all ${this.#count.toLocaleString('en')}`;
    const place = this.#descriptor === null ? ' (see --json)' : `; ${part} are in ${this.#path}`;
    note(`${summary}${place}`);
  }

  #write(path: string): void {
    try {
      this.#descriptor ??= openSync(path, 'wx', 0o600);
      this.#written += writeSync(this.#descriptor, this.#buffer.join(''));
    } catch {
      // The disk is full, or the folder is read-only: the import goes on without the rest of the list.
      this.#written = maxFileBytes + 1;
    }
    this.#buffer = [];
    this.#bufferLength = 0;
  }
}

/** Returns the path of the list of a source: `cratebase.db.rejected-club.txt`. */
export function rejectionPath(dataFile: string, source: string): string {
  const name = source.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 40);
  // Two names that differ in other characters have two files.
  const suffix = name === source ? '' : `-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
  return `${dataFile}.rejected-${name}${suffix}.txt`;
}
