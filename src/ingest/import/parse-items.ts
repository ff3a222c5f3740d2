/** Reads what pieces of a feed say, within a limit of time, before anything is locked. */
import { Failure } from '../../failure.ts';
import { groupAvailableItems, type InputItem, readLineBatches } from '../../sources/common/input-items.ts';
import type { ImportOptions } from './import-options.ts';
import { InvalidLine, type ParsedLine, parseLine, parseRecord } from './parse-record.ts';
import { maxRecordMs, type RecordTimeLimit } from './record-time-limit.ts';
import { TimeLimitExceeded } from './time-limit.ts';

/** So many lines may take too long before the import ends: its source is broken or hostile. */
const maxSlowRecords = 10;

/** Why a record is rejected that takes longer than the guard allows. */
export const tooSlowReason = `takes longer than ${maxRecordMs / 1_000} s to be read and compared with the catalogue: it was left out`;

/** A line that was read, or could not be. */
export type ParsedItem = { item: InputItem; result: ParsedLine | InvalidLine };

export class ItemParser {
  readonly #timeLimit: RecordTimeLimit;
  #slowCount = 0;

  constructor(guard: RecordTimeLimit) {
    this.#timeLimit = guard;
  }

  /** Reads pieces; one that takes too long is a `InvalidLine`. Throws as `countSlow` does. */
  parse(inputItems: readonly InputItem[]): ParsedItem[] {
    const items: ParsedItem[] = [];
    while (items.length < inputItems.length) {
      try {
        this.#timeLimit.run(() => {
          for (const piece of inputItems.slice(items.length))
            items.push({ item: piece, result: parseItem(piece) });
        });
      } catch (failure) {
        if (!(failure instanceof TimeLimitExceeded)) throw failure;
        const piece = inputItems[items.length];
        if (this.#timeLimit.isTooSlow && piece) {
          this.countSlow();
          items.push({ item: piece, result: new InvalidLine(tooSlowReason, null) });
        }
      }
    }
    return items;
  }

  /** Counts a record that took too long. Throws a `Failure` at the eleventh. */
  countSlow(): void {
    if (++this.#slowCount <= maxSlowRecords) return;
    throw new Failure(
      `${this.#slowCount} records took longer than ${maxRecordMs / 1_000} s each: reading was ended.`,
    );
  }
}

function parseItem(piece: InputItem): ParsedLine | InvalidLine {
  try {
    if ('text' in piece) return parseLine(piece.text);
    if ('record' in piece) return parseRecord(piece.record);
    return new InvalidLine(piece.problem, piece.subject);
  } catch (failure) {
    if (failure instanceof InvalidLine) return failure;
    throw failure;
  }
}

/** What an import is given, some pieces at a time. */
export function inputItemsOf({ input, records }: ImportOptions): AsyncIterable<InputItem[]> {
  if (records) return groupAvailableItems(records);
  return input ? readLineBatches(input) : emptyInput();
}

async function* emptyInput(): AsyncGenerator<InputItem[]> {}
