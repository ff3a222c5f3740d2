/** Records that could not be taken, as people are told of them: a few on standard error, all of them in a file. */
import { closeSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { note, stripUnsafeCharacters } from './terminal.ts';

/** So many are told. */
const maxPrinted = 5;
/** The file ends with this many bytes: a broken feed may have any number of them. */
const maxFileBytes = 64 * 1024 * 1024;
const maxBufferLength = 65_536;

export class RejectionLog {
  readonly #name: string;
  readonly #prefix: string;
  readonly #writesFile: boolean;
  #count = 0;
  #buffer: string[] = [];
  #bufferLength = 0;
  #written = 0;
  #file: { path: string; descriptor: number } | null = null;

  /**
   * @param name of the source: the file is called so
   * @param options `prefix` stands before each that is told; `file` false: what is not told is only counted
   */
  constructor(name: string, { prefix = '', file = true }: { prefix?: string; file?: boolean } = {}) {
    this.#name = name;
    this.#prefix = prefix;
    this.#writesFile = file;
  }

  /** @param line where it stands, and why it could not be taken */
  add(line: string): void {
    this.#count++;
    if (this.#count <= maxPrinted) note(stripUnsafeCharacters(`${this.#prefix}${line}`));
    if (!this.#writesFile || this.#written > maxFileBytes) return;
    const text = `${stripUnsafeCharacters(line)}\n`;
    this.#buffer.push(text);
    this.#bufferLength += text.length;
    if (this.#bufferLength > maxBufferLength) this.#write();
  }

  /** Says how many more there are, and where. */
  end(): void {
    const more = this.#count - maxPrinted;
    if (more <= 0) return;
    this.#write();
    const told = `${this.#prefix}… and ${more.toLocaleString('en')} more rejected`;
    if (this.#file === null) note(stripUnsafeCharacters(`${told} (see --json)`));
    else {
      closeSync(this.#file.descriptor);
      const all =
        this.#written > maxFileBytes ? 'the first of them' : `all ${this.#count.toLocaleString('en')}`;
      note(stripUnsafeCharacters(`${told}; ${all} are in ${this.#file.path}`));
    }
  }

  #write(): void {
    if (!this.#writesFile) return;
    try {
      this.#file ??= this.#open();
      this.#written += writeSync(this.#file.descriptor, this.#buffer.join(''));
    } catch {
      // No room for it: what was written is there.
      this.#written = maxFileBytes + 1;
    }
    this.#buffer = [];
    this.#bufferLength = 0;
  }

  #open(): { path: string; descriptor: number } {
    const folder = mkdtempSync(join(tmpdir(), 'cratebase-rejected-'));
    const path = join(folder, `${this.#name.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80)}.txt`);
    return { path, descriptor: openSync(path, 'wx', 0o600) };
  }
}
