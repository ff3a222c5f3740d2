/** Reads what pieces of a feed say, within a limit of time, before anything is locked. */
import { Failure } from '../failure.ts';
import { type Guard, longestMs } from './guard.ts';
import type { ImportOptions } from './import-options.ts';
import { gathered, lineBatches, type Piece } from './lines.ts';
import { BadLine, type ReadLine, readLine, readRecord } from './statement.ts';
import { TookTooLong } from './time-limit.ts';

/** So many lines may take too long before the import ends: its source is broken or hostile. */
const mostSlow = 10;

/** Why a record is rejected that takes longer than the guard allows. */
export const tooSlow = `takes longer than ${longestMs / 1_000} s to be read and compared with the catalogue: it was left out`;

/** A line that was read, or could not be. */
export type ReadPiece = { piece: Piece; read: ReadLine | BadLine };

export class Parser {
  readonly #guard: Guard;
  #slow = 0;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /** Reads pieces; one that takes too long is a `BadLine`. Throws as `countSlow` does. */
  parse(pieces: readonly Piece[]): ReadPiece[] {
    const items: ReadPiece[] = [];
    while (items.length < pieces.length) {
      try {
        this.#guard.run(() => {
          for (const piece of pieces.slice(items.length)) items.push({ piece, read: readPiece(piece) });
        });
      } catch (failure) {
        if (!(failure instanceof TookTooLong)) throw failure;
        const piece = pieces[items.length];
        if (this.#guard.isTooSlow && piece) {
          this.countSlow();
          items.push({ piece, read: new BadLine(tooSlow, null) });
        }
      }
    }
    return items;
  }

  /** Counts a record that took too long. Throws a `Failure` at the eleventh. */
  countSlow(): void {
    if (++this.#slow <= mostSlow) return;
    throw new Failure(
      `${this.#slow} records took longer than ${longestMs / 1_000} s each: reading was ended.`,
    );
  }
}

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

/** What an import is given, some pieces at a time. */
export function piecesOf({ input, records }: ImportOptions): AsyncIterable<Piece[]> {
  if (records) return gathered(records);
  return input ? lineBatches(input) : nothing();
}

async function* nothing(): AsyncGenerator<Piece[]> {}
