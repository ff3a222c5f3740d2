/**
 * Which source records a run has contained so far. They are kept in memory, not in their rows: a run whose records did
 * not change writes none of them. A run that is interrupted withdraws nothing, and is repeated as a whole.
 */

import type Database from 'better-sqlite3';
import { AddedRows } from './added-rows.ts';

const blockSize = 1 << 16;

/** A set of the rowids of source records, one bit for each. A rollback does not change it: the lines were read. */
export class SeenRecords {
  /** The number of the run; 0 before the first record. */
  run = 0;
  /** What the run added; undefined outside of imports. */
  readonly added: AddedRows | undefined;
  readonly #blocks = new Map<number, Uint8Array>();

  /** @param run the source that an import reads */
  constructor(run?: { sqlite: Database.Database; source: number }) {
    this.added = run && new AddedRows(run.sqlite, run.source);
  }

  /** Adds a source record, and starts over if it is of another run. */
  add(rowid: number, run: number): void {
    if (run !== this.run) this.#blocks.clear();
    this.run = run;
    const at = Math.floor(rowid / blockSize);
    const block = this.#blocks.get(at) ?? new Uint8Array(blockSize / 8);
    this.#blocks.set(at, block);
    const bit = rowid % blockSize;
    block[bit >> 3] = (block[bit >> 3] as number) | (1 << (bit & 7));
  }

  has(rowid: number): boolean {
    const bit = rowid % blockSize;
    const byte = this.#blocks.get(Math.floor(rowid / blockSize))?.[bit >> 3] ?? 0;
    return (byte & (1 << (bit & 7))) !== 0;
  }
}
