/** A source read by its adapter, as an import takes it: records and rejections in the order in which they were met. */
import { Failure } from '../failure.ts';
import type { AdapterContext, FeedRecord, ReadOutcome, SourceType } from './adapter.ts';
import { adapters } from './adapter-registry.ts';
import type { AdapterItem } from './common/input-items.ts';
import { makeOpener, type OpenerSettings } from './common/opener.ts';
import { redactUrl } from './common/redact.ts';

/** Longest place, and longest reason, of a rejection (UTF-16 units): identifiers of a source may be of any length. */
const maxReportedLength = 1_000;
const truncate = (text: string): string =>
  text.length > maxReportedLength ? `${text.slice(0, maxReportedLength)}…` : text;

type ReadSourceOptions = OpenerSettings & {
  type: SourceType;
  /** ms since 1970. */
  now: number;
  complete?: boolean;
  options?: Readonly<Record<string, string>>;
  /** Hears of what is nothing for the catalogue: no fault of the source's. */
  onSkipped?: ((skipped: Skipped) => void) | undefined;
};

/** An item that was passed over on purpose: where it stands, and why. */
export type Skipped = { where: string; reason: string };

/** So many of them a report lists. */
const maxListedSkips = 1_000;

/** What a run passed over. */
export class SkippedItems {
  readonly #listed: Skipped[] = [];
  #count = 0;

  add(skipped: Skipped): void {
    this.#count++;
    if (this.#listed.length < maxListedSkips) this.#listed.push(skipped);
  }

  /** For its report: some of them, and how many there were. */
  toReport(): { skipped: Skipped[]; skipped_count: number } {
    return { skipped: this.#listed, skipped_count: this.#count };
  }
}

/** So many in a row that cannot be taken wait in memory; then the source is left. */
const maxPendingRejections = 50_000;

/** Where a record stands of which its adapter does not say more. */
const describeRecord = (location: string, { kind, external_id: id }: FeedRecord): string =>
  `${location === '-' ? 'standard input' : redactUrl(location)}, ${kind} ${id}`;

/**
 * Reads a source. How it ended is known when the records are: only after `whole` may what was not listed be withdrawn.
 * @throws Failure where the records are read, when the source cannot be
 */
export function readSource(settings: ReadSourceOptions): {
  records: AsyncGenerator<AdapterItem>;
  end: () => ReadOutcome;
} {
  let end: ReadOutcome = { ended: 'partial', reason: 'it was not read to its end' };
  async function* records(): AsyncGenerator<AdapterItem> {
    const rejected: AdapterItem[] = [];
    let where: string | undefined;
    const context: AdapterContext = {
      ...makeOpener(settings),
      location: settings.location,
      now: settings.now,
      complete: settings.complete === true,
      options: settings.options ?? {},
      reject: (place, reason, subject) => {
        rejected.push({
          rejected: { where: truncate(place), reason: truncate(reason), subject: subject ?? null },
        });
        if (rejected.length <= maxPendingRejections) return;
        rejected.length = 0;
        const count = maxPendingRejections.toLocaleString('en');
        throw new Failure(
          `${place}: more than ${count} in a row cannot be read (${reason}). It was left there.`,
        );
      },
      skip: (place, reason) => settings.onSkipped?.({ where: place, reason }),
      setRecordLocation: (place) => {
        where = place;
      },
      ...(settings.signal === undefined ? {} : { signal: settings.signal }),
    };
    const reading = adapters[settings.type].read(context);
    try {
      for (let next = await reading.next(); ; next = await reading.next()) {
        yield* rejected.splice(0);
        if (next.done) {
          end = next.value ?? { ended: 'whole' };
          return;
        }
        yield { record: next.value, where: where ?? describeRecord(settings.location, next.value) };
        where = undefined;
      }
    } finally {
      await reading.return();
    }
  }
  return { records: records(), end: () => end };
}
