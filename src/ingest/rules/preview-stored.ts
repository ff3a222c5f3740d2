/** Shows what rules would keep and drop of the records that a source lists. Only reads. */
import type Database from 'better-sqlite3';
import type { ListingKind, RulesPreview } from '../../contract/source-summaries.ts';
import { SourceRecords, type SourceRow } from '../../store/resolution/source-records.ts';
import { summarizeListing } from '../schedule/listing-summary.ts';
import { listedPages, toRuledRecord } from './drop-excluded.ts';
import { isListing } from './pattern.ts';
import { RuleFilter } from './rule-filter.ts';
import type { SourceRules } from './source-rules.ts';

/** Records listed on each side. */
export const maxListed = 20;

/**
 * Judges the records that a source lists by rules.
 * @param now ms since 1970
 */
export async function previewRules(
  sqlite: Database.Database,
  source: Pick<SourceRow, 'id' | 'name'>,
  rules: SourceRules,
  now: number,
): Promise<RulesPreview> {
  const filter = new RuleFilter(rules, now);
  const preview = emptyPreview(source.name);
  for await (const rows of listedPages({ sources: new SourceRecords(sqlite) }, source)) {
    for (const row of rows) {
      if (isListing(row.kind)) addRecord(preview, filter, toRuledRecord(row));
      else preview.other_records++;
    }
  }
  return preview;
}

/** A preview of no records, to which `addRecord` adds. */
export const emptyPreview = (source: string): RulesPreview => ({
  source,
  records: 0,
  kinds: {},
  other_records: 0,
  kept_count: 0,
  dropped_count: 0,
  rules: {},
  kept: [],
  dropped: [],
});

/** Judges one record and adds it to the side where it belongs. @param maxKept kept records that are listed */
export function addRecord(
  preview: RulesPreview,
  filter: RuleFilter,
  record: Parameters<RuleFilter['judge']>[0],
  maxKept = maxListed,
): void {
  const verdict = filter.judge(record);
  const summary = { ...summarizeListing(record.kind, record.externalId, record.statement) };
  preview.records++;
  const kind = record.kind as ListingKind;
  preview.kinds[kind] = (preview.kinds[kind] ?? 0) + 1;
  if (verdict === null) {
    preview.kept_count++;
    if (preview.kept.length < maxKept) preview.kept.push({ ...summary, rule: null, reason: null });
    return;
  }
  preview.dropped_count++;
  preview.rules[verdict.rule] = (preview.rules[verdict.rule] ?? 0) + 1;
  if (preview.dropped.length < maxListed) preview.dropped.push({ ...summary, ...verdict });
}
