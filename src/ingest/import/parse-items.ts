/** Parses input items within a time limit, before the lock is taken. */
import { Failure } from '../../failure.ts';
import {
  groupAvailableItems,
  type InputItem,
  type RecordKey,
  readLineBatches,
} from '../../sources/common/input-items.ts';
import type { StatementScrubber } from '../removals/forgetting/scrubber.ts';
import type { RuleFilter, RuleVerdict } from '../rules/rule-filter.ts';
import type { ImportOptions } from './import-options.ts';
import { InvalidLine, type ParsedLine, type ParsedRecord, parseLine, parseRecord } from './parse-record.ts';
import { maxRecordMs, type RecordTimeLimit, TimeLimitExceeded } from './record-time-limit.ts';

/** Maximum number of slow records; after more the source counts as broken or malicious and the import ends. */
const maxSlowRecords = 10;

/** The reason for rejecting a record that exceeds the time limit. */
export const tooSlowReason = `takes longer than ${maxRecordMs / 1_000} s to be read and compared with the catalogue, so it was skipped`;

/** A record that a rule of its source skips. */
export class SkippedRecord {
  readonly record: ParsedRecord;
  readonly verdict: RuleVerdict;
  constructor(record: ParsedRecord, verdict: RuleVerdict) {
    this.record = record;
    this.verdict = verdict;
  }
}

/** An input item and its parsed line, or the reason why it is invalid or skipped. */
export type ParsedItem = { item: InputItem; result: ParsedLine | InvalidLine | SkippedRecord };

/** Parses the items of one import and applies the rules of their source. It counts slow records over the whole import. */
export class ItemParser {
  readonly #timeLimit: RecordTimeLimit;
  readonly #rules: RuleFilter;
  #slowCount = 0;

  /** @param rules the rules of the source, which are applied to each parsed record */
  constructor(guard: RecordTimeLimit, rules: RuleFilter) {
    this.#timeLimit = guard;
    this.#rules = rules;
  }

  /** Parses items; one that exceeds the time limit becomes an `InvalidLine`. Throws as `countSlow` does. */
  parse(inputItems: readonly InputItem[]): ParsedItem[] {
    const items: ParsedItem[] = [];
    /** The number of the item that exceeded the limit once: it is parsed again alone, because others may be to blame. */
    let suspect = -1;
    while (items.length < inputItems.length) {
      const at = items.length;
      if (this.#parseWithin(inputItems.slice(at, at === suspect ? at + 1 : undefined), items)) continue;
      const inputItem = inputItems[items.length];
      if (!this.#timeLimit.isTooSlow || inputItem === undefined) continue;
      if (items.length !== suspect) {
        suspect = items.length;
        continue;
      }
      this.countSlow();
      items.push({ item: inputItem, result: new InvalidLine(tooSlowReason, null) });
    }
    return items;
  }

  /** Parses items into `into`. Returns false if the time limit ended it; the item after the last in `into` was in work. */
  #parseWithin(inputItems: readonly InputItem[], into: ParsedItem[]): boolean {
    try {
      this.#timeLimit.run(() => {
        for (const item of inputItems) into.push({ item, result: applyRules(this.#rules, parseItem(item)) });
      });
      return true;
    } catch (failure) {
      if (!(failure instanceof TimeLimitExceeded)) throw failure;
      return false;
    }
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

function applyRules(
  rules: RuleFilter,
  result: ParsedLine | InvalidLine,
): ParsedLine | InvalidLine | SkippedRecord {
  if (result instanceof InvalidLine || 'into' in result) return result;
  const statement = rules.complete(result.kind, result.statement);
  const record = statement === result.statement ? result : { ...result, statement };
  const verdict = rules.judge(record);
  return verdict === null ? record : new SkippedRecord(record, verdict);
}

/** Takes forgotten artists out of the items of a source. */
export function scrubItems(items: ParsedItem[], scrubber: StatementScrubber, source: string): ParsedItem[] {
  if (scrubber.isIdle) return items;
  return items.map((one) =>
    one.result instanceof InvalidLine || one.result instanceof SkippedRecord
      ? one
      : { ...one, result: scrubber.scrub(one.result, source) },
  );
}

/** The key alone, so that the record itself does not stay in memory. */
export function keyOf(result: ParsedLine | SkippedRecord): RecordKey {
  const { kind, externalId } = result instanceof SkippedRecord ? result.record : result;
  return { kind, externalId };
}

/** The items of an import in groups that arrive together: the records of an adapter, otherwise the lines of a feed. */
export function inputItemsOf({ input, records }: ImportOptions): AsyncIterable<InputItem[]> {
  if (records) return groupAvailableItems(records);
  return input ? readLineBatches(input) : emptyInput();
}

async function* emptyInput(): AsyncGenerator<InputItem[]> {}
