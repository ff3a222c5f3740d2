/**
 * Ends a run that makes little progress, so that the other sources are read: a source may list records that are costly to
 * compare (docs/decisions/57-turns-of-sources.md).
 */

import { RecentTexts } from '../../recent-texts.ts';
import type { AdapterItem } from '../../sources/common/input-items.ts';

/**
 * Processor time of a run in ms: what each has, and what each record adds. An ordinary record takes 1 to 5 ms. A record that
 * the source repeats adds none: an archive of a few megabytes may repeat one for hours.
 */
const baseMs = 5 * 60_000;
const perRecordMs = 20;
/** Places for records that were read, of four bytes each. */
const rememberedRecords = 1_048_576;

/** Returns the processor time of this process in ms. */
export type ProcessorTime = () => number;
const processorTime: ProcessorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The limit of one run; the processor time counts from its construction. */
export class WorkLimit {
  readonly #now: ProcessorTime;
  readonly #beganMs: number;
  readonly #seen = new RecentTexts(rememberedRecords);
  #records = 0;
  #different = 0;
  /** Why the run was ended; null if it was not. */
  reason: string | null = null;

  /** @param now the processor time; only tests replace it */
  constructor(now: ProcessorTime = processorTime) {
    this.#now = now;
    this.#beganMs = now();
  }

  /** Yields records until the limit is reached; `reason` is set then. */
  async *limit(records: AsyncIterable<AdapterItem>): AsyncGenerator<AdapterItem> {
    for await (const item of records) {
      yield item;
      this.#records++;
      if (this.#isNew(item)) this.#different++;
      const spentMs = this.#now() - this.#beganMs;
      if (spentMs <= baseMs + perRecordMs * this.#different) continue;
      const [count, seconds] = [this.#records.toLocaleString('en'), Math.round(spentMs / 1_000)];
      this.reason = `Reading was stopped after ${count} records, because they took ${seconds.toLocaleString('en')} s of processor time. What was read is in the catalogue, and the next run continues.`;
      return;
    }
  }

  /** Whether an item is a record that this run has not read before. */
  #isNew(item: AdapterItem): boolean {
    if ('rejected' in item) return false;
    const { kind, external_id: id } = (item.record ?? {}) as { kind?: unknown; external_id?: unknown };
    return !this.#seen.add(`${String(kind)} ${String(id)}`);
  }
}
