/** Reads a source through its adapter and yields records and rejections in order. */

import { Failure } from '../failure.ts';
import { wellFormed } from '../well-formed.ts';
import type { AdapterContext, FeedRecord, ReadOutcome, SourceType } from './adapter.ts';
import { adapters } from './adapter-registry.ts';
import type { AdapterItem } from './common/input-items.ts';
import { makeOpener, type OpenerSettings } from './common/opener.ts';
import { redactUrl } from './common/redact.ts';
import { stated } from './common/values.ts';

/**
 * Max length of the place and of the reason of a rejection (UTF-16 units). Identifiers of a source can have any length.
 */
const maxReportedLength = 1_000;
/** Cuts a text of a report. Adapters cut the titles in it, which may leave half of an emoji. */
const truncate = (text: string): string =>
  wellFormed(text.length > maxReportedLength ? `${text.slice(0, maxReportedLength)}…` : text);

type ReadSourceOptions = OpenerSettings & {
  type: SourceType;
  /** ms since 1970. */
  now: number;
  complete?: boolean;
  options?: Readonly<Record<string, string>>;
  /** Receives items that are valid but not for the catalogue, and notes about values that are left out. */
  onSkipped?: ((skipped: Skipped) => void) | undefined;
  /** Whether the catalogue has a genre with this name or alias. */
  isGenre?: ((name: string) => boolean) | undefined;
  isCity?: ((name: string, country: string | null) => boolean) | undefined;
};

/** A skipped item: where it was found, and why it was skipped. `isNote`: only a value or a column was left out. */
export type Skipped = { where: string; reason: string; isNote?: true };

/** Max skipped items in a report. */
const maxListedSkips = 1_000;

/** Collects the items that a run skipped, and its notes. */
export class SkippedItems {
  readonly #listed: Skipped[] = [];
  readonly #notes: Skipped[] = [];
  #count = 0;

  add({ isNote, ...skipped }: Skipped): void {
    if (!isNote) this.#count++;
    const list = isNote ? this.#notes : this.#listed;
    if (list.length < maxListedSkips) list.push(skipped);
  }

  /** Returns the first skipped items and their total count, and the first notes about values that were left out. */
  toReport(): { skipped: Skipped[]; skipped_count: number; notes: Skipped[] } {
    return { skipped: this.#listed, skipped_count: this.#count, notes: this.#notes };
  }
}

/** Max rejections in a row. They wait in memory; beyond this the source is abandoned. */
const maxPendingRejections = 50_000;

/** Describes a record whose adapter sets no location. */
const describeRecord = (location: string, { kind, external_id: id }: FeedRecord): string =>
  `${location === '-' ? 'standard input' : redactUrl(location)}, ${kind} ${id}`;

/**
 * Starts to read a source.
 * @returns `records`, and `end`: how the source ended, valid after the last record. Records that are no longer listed
 * may be withdrawn only after `whole`.
 * @throws Failure from `records`, where the source cannot be read
 */
export function readSource(settings: ReadSourceOptions): {
  records: AsyncGenerator<AdapterItem>;
  end: () => ReadOutcome;
} {
  let end: ReadOutcome = { ended: 'partial', reason: 'it was not read to its end' };
  async function* records(): AsyncGenerator<AdapterItem> {
    const rejections: AdapterItem[] = [];
    let where: string | undefined;
    const context: AdapterContext = {
      ...makeOpener(settings),
      location: settings.location,
      now: settings.now,
      complete: settings.complete === true,
      options: settings.options ?? {},
      reject: (place, reason, subject) => {
        rejections.push({
          rejected: { where: truncate(place), reason: truncate(reason), subject: subject ?? null },
        });
        if (rejections.length <= maxPendingRejections) return;
        rejections.length = 0;
        const count = maxPendingRejections.toLocaleString('en');
        throw new Failure(
          `${place}: more than ${count} in a row cannot be read (${reason}). Reading stopped there.`,
        );
      },
      skip: (place, reason) => settings.onSkipped?.({ where: wellFormed(place), reason: wellFormed(reason) }),
      note: (place, text) =>
        settings.onSkipped?.({ where: wellFormed(place), reason: wellFormed(text), isNote: true }),
      setRecordLocation: (place) => {
        where = place;
      },
      ...stated({ signal: settings.signal, isGenre: settings.isGenre, isCity: settings.isCity }),
    };
    const reading = adapters[settings.type].read(context);
    try {
      for (let next = await reading.next(); ; next = await reading.next()) {
        yield* rejections.splice(0);
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
