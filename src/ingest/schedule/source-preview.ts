/**
 * Reads the start of a source and shows its records as they would be imported (`sources preview --url`). Nothing is
 * written; time, bytes and records are limited.
 */

import { Readable } from 'node:stream';
import type Database from 'better-sqlite3';
import type { PreviewedRecord, RulesPreview, SourcePreview } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import type { SourceType } from '../../sources/adapter.ts';
import type { AdapterItem } from '../../sources/common/input-items.ts';
import { redactUrl } from '../../sources/common/redact.ts';
import { readSource, SkippedItems } from '../../sources/read-source.ts';
import { SourceStore } from '../../store/resolution/source-store.ts';
import { ScheduleStore } from '../../store/schedule/schedules.ts';
import { isCityName } from '../import/city-check.ts';
import { importFeed } from '../import/import-feed.ts';
import type { ImportOptions } from '../import/import-options.ts';
import { InvalidLine, parseRecord } from '../import/parse-record.ts';
import { TimeLimitExceeded, withTimeLimit } from '../import/record-time-limit.ts';
import { isListing } from '../rules/pattern.ts';
import { addRecord, emptyPreview, maxListed } from '../rules/preview-stored.ts';
import { RuleFilter } from '../rules/rule-filter.ts';
import type { SourceRules } from '../rules/source-rules.ts';

/** Limits of a preview. */
const maxRecords = 500;
const defaultMaxMs = 30_000;
const maxBytes = 20 * 1024 * 1024;
/** Max ms for parsing one record. */
const maxParseMs = 1_500;
const maxListedProblems = 20;

export type SourcePreviewOptions = {
  name: string;
  type: SourceType;
  location: string;
  options: Readonly<Record<string, string>>;
  rules: SourceRules;
  fetch: GuardedFetch;
  /** Whether a word is a genre of the catalogue. */
  isGenre: (name: string) => boolean;
  /** Time to read it, in ms; by default 30 s. */
  maxMs?: number | undefined;
  /** Waits between retries; by default some seconds. */
  pause?: (ms: number) => Promise<unknown>;
  /** ms since 1970. */
  now: number;
};

/** Reads the first records of a source. Returns them with the preview, for a dry run of the import. */
export async function previewSource(
  options: SourcePreviewOptions,
): Promise<{ preview: SourcePreview; records: AdapterItem[] }> {
  const { maxMs = defaultMaxMs } = options;
  const skips = new SkippedItems();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Failure(timeoutReason(maxMs))), maxMs);
  const reading = readSource({
    type: options.type,
    location: options.location,
    options: options.options,
    now: options.now,
    fetch: options.fetch,
    maxBytes,
    maxTotalWaitMs: maxMs,
    ...(options.pause === undefined ? {} : { pause: options.pause }),
    onSkipped: (one) => skips.add(one),
    isGenre: options.isGenre,
    isCity: isCityName,
    signal: abort.signal,
  });
  const collector = new PreviewCollector(options);
  let stopped: string | null = null;
  try {
    stopped = await collector.collect(reading.records, abort.signal);
  } catch (failure) {
    const reason = abort.signal.aborted ? abort.signal.reason : failure;
    if (!(reason instanceof Failure)) throw reason;
    // Without a record the error is the answer.
    if (collector.records.length === 0) throw reason;
    stopped = reason.message;
  } finally {
    clearTimeout(timer);
  }
  const end = reading.end();
  if (stopped === null && end.ended === 'partial') stopped = end.reason;
  const { skipped, skipped_count, notes } = skips.toReport();
  const preview = {
    ...collector.preview,
    kept: nextFirst(collector.preview.kept, options.now).slice(0, maxListed),
    type: options.type,
    url: redactUrl(options.location),
    is_complete: stopped === null,
    stopped,
    rejected_count: collector.rejectedCount,
    rejected: collector.rejected,
    skipped_count: skipped_count + notes.length,
    skipped: [...skipped, ...notes].slice(0, maxListedProblems),
  };
  return { preview, records: collector.records };
}

/** Returns the records with those of today and later first, the next one at the top, then the latest past ones. */
function nextFirst(records: readonly PreviewedRecord[], now: number): PreviewedRecord[] {
  const today = new Date(now).toISOString().slice(0, 10);
  const isComing = ({ start_at }: PreviewedRecord): boolean => start_at !== null && start_at >= today;
  const startOf = ({ start_at }: PreviewedRecord): string => start_at ?? '';
  const coming = records.filter(isComing).toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
  const others = records.filter((record) => !isComing(record));
  return [...coming, ...others.toSorted((a, b) => (startOf(a) > startOf(b) ? -1 : 1))];
}

const timeoutReason = (maxMs: number): string =>
  `It takes longer than ${Math.ceil(maxMs / 1_000)} s to read, so the preview ended there.`;
const recordsReason = `The preview ends after ${maxRecords} records.`;

class PreviewCollector {
  readonly records: AdapterItem[] = [];
  readonly rejected: { where: string; reason: string }[] = [];
  rejectedCount = 0;
  readonly preview: RulesPreview;
  readonly #filter: RuleFilter;

  constructor({ name, rules, now }: SourcePreviewOptions) {
    this.preview = emptyPreview(name);
    this.#filter = new RuleFilter(rules, now);
  }

  /** Collects records until the limit. Returns why it stopped before the end; null at the end. */
  async collect(items: AsyncGenerator<AdapterItem>, signal: AbortSignal): Promise<string | null> {
    for await (const item of items) {
      signal.throwIfAborted();
      if ('rejected' in item) this.#reject(item.rejected.where, item.rejected.reason);
      else this.#add(item);
      if (this.records.length >= maxRecords || this.rejectedCount >= maxRecords) return recordsReason;
    }
    return null;
  }

  #add(item: { record: unknown; where?: string }): void {
    try {
      const record = withTimeLimit(maxParseMs, () => parseRecord(item.record));
      this.records.push(item);
      if ('into' in record || !isListing(record.kind)) this.preview.other_records++;
      else {
        const statement = this.#filter.complete(record.kind, record.statement);
        addRecord(this.preview, this.#filter, { ...record, statement }, maxRecords);
      }
    } catch (failure) {
      const isSlow = failure instanceof TimeLimitExceeded;
      if (!isSlow && !(failure instanceof InvalidLine)) throw failure;
      this.#reject(item.where ?? '', isSlow ? 'takes too long to read' : failure.message);
    }
  }

  #reject(where: string, reason: string): void {
    this.rejectedCount++;
    if (this.rejected.length < maxListedProblems) this.rejected.push({ where, reason });
  }
}

/** Imports previewed records, without holding them back, into a copy of the data file. */
export async function importPreviewedRecords(
  sqlite: Database.Database,
  {
    rules,
    records,
    ...options
  }: Omit<ImportOptions, 'records'> & { rules: SourceRules; records: AdapterItem[] },
): Promise<void> {
  const { hold: _, ...filters } = rules;
  const { type, source, now } = options;
  await importFeed(sqlite, { source, type, now });
  const { id } = new SourceStore(sqlite).find(source) as { id: number };
  new ScheduleStore(sqlite).setSource(id, { rules: JSON.stringify(filters) });
  await importFeed(sqlite, { ...options, records: Readable.from(records) });
}
