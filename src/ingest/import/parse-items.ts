/** Parses input items within a time limit, before the lock is taken. */
import { Failure } from '../../failure.ts';
import { groupAvailableItems, type InputItem, readLineBatches } from '../../sources/common/input-items.ts';
import type { ImportOptions } from './import-options.ts';
import { InvalidLine, type ParsedLine, parseLine, parseRecord } from './parse-record.ts';
import { maxRecordMs, type RecordTimeLimit, TimeLimitExceeded } from './record-time-limit.ts';

/** Maximum number of slow records; after more the source counts as broken or malicious and the import ends. */
const maxSlowRecords = 10;

/** The reason for rejecting a record that exceeds the time limit. */
export const tooSlowReason = `takes longer than ${maxRecordMs / 1_000} s to be read and compared with the catalogue, so it was skipped`;

/** An input item and its parsed line, or the reason why it is invalid. */
export type ParsedItem = { item: InputItem; result: ParsedLine | InvalidLine };

export class ItemParser {
  readonly #timeLimit: RecordTimeLimit;
  #slowCount = 0;

  constructor(guard: RecordTimeLimit) {
    this.#timeLimit = guard;
  }

  /** Parses items; one that exceeds the time limit becomes an `InvalidLine`. Throws as `countSlow` does. */
  parse(inputItems: readonly InputItem[]): ParsedItem[] {
    const items: ParsedItem[] = [];
    while (items.length < inputItems.length) {
      try {
        this.#timeLimit.run(() => {
          for (const inputItem of inputItems.slice(items.length))
            items.push({ item: inputItem, result: parseItem(inputItem) });
        });
      } catch (failure) {
        if (!(failure instanceof TimeLimitExceeded)) throw failure;
        const inputItem = inputItems[items.length];
        if (this.#timeLimit.isTooSlow && inputItem) {
          this.countSlow();
          items.push({ item: inputItem, result: new InvalidLine(tooSlowReason, null) });
        }
      }
    }
    return items;
  }

  /** Counts a record that exceeded the time limit. Throws a `Failure` at the eleventh. */
  countSlow(): void {
    if (++this.#slowCount <= maxSlowRecords) return;
    throw new Failure(
      `${this.#slowCount} records took longer than ${maxRecordMs / 1_000} s each, so reading was stopped.`,
    );
  }
}

function parseItem(inputItem: InputItem): ParsedLine | InvalidLine {
  try {
    if ('text' in inputItem) return parseLine(inputItem.text);
    if ('record' in inputItem) return parseRecord(inputItem.record);
    return new InvalidLine(inputItem.problem, inputItem.subject);
  } catch (failure) {
    if (failure instanceof InvalidLine) return failure;
    throw failure;
  }
}

/** The input of an import in groups of items. */
export function inputItemsOf({ input, records }: ImportOptions): AsyncIterable<InputItem[]> {
  if (records) return groupAvailableItems(records);
  return input ? readLineBatches(input) : emptyInput();
}

async function* emptyInput(): AsyncGenerator<InputItem[]> {}
