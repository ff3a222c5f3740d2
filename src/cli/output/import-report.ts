/** Reports of `import` and `sync`: counts by kind, and the preview of a dry run by record. */
import type { App, ChangeWithName, ImportFilesReport, ImportReport, MatchPreview } from '../../app.ts';
import { formatTable, note } from './terminal.ts';

/** Returns the counts as a table; empty if no record was read. */
export function describeCounts(kinds: ImportReport['kinds']): string {
  const rows = Object.entries(kinds).map(([kind, counts]) => [
    kind,
    counts.created,
    counts.updated,
    counts.unchanged,
    counts.matched,
    counts.withdrawn,
  ]);
  return rows.length === 0
    ? ''
    : formatTable(['', 'CREATED', 'UPDATED', 'UNCHANGED', 'MATCHED', 'WITHDRAWN'], rows);
}

export type DryRunPreview = { changes: Omit<ChangeWithName, 'revision'>[]; matches: MatchPreview[] };

/** Returns the changes that a dry run made to its copy. Their revisions would differ in the real file and are left out. */
export const changesSince = (app: App, since: number): DryRunPreview['changes'] =>
  [...app.changesSince(since)].map(({ revision: _, ...change }) => change);

/** Rows of a preview table; --json has all. */
const maxRows = 200;

/** Returns tables of the changes and of the matches with their reasons; empty if nothing would change. */
export function describePreview({ changes, matches }: DryRunPreview): string {
  const changeRows = changes.map(({ what, kind, slug, name, fields, into }) => [
    what,
    kind,
    slug,
    name,
    into !== null ? `into ${into}` : fields.join(', '),
  ]);
  const matchRows = matches.map(({ kind, slug, external_id, why }) => [external_id, kind, slug, why]);
  return [
    ...limitedTable(['WOULD BE', 'KIND', 'SLUG', 'NAME', 'WHAT'], changeRows),
    ...limitedTable(['MATCHED', 'KIND', 'SLUG', 'WHY'], matchRows),
  ].join('\n');
}

function limitedTable(titles: string[], rows: (string | null)[][]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - maxRows;
  const rest = more > 0 ? [`… and ${more.toLocaleString('en')} more (see --json)`] : [];
  return [formatTable(titles, rows.slice(0, maxRows)), ...rest];
}

/** Formats a timestamp to the minute. The caller names the time zone. */
export const formatMinute = (at: string | null): string | null => at?.slice(0, 16).replace('T', ' ') ?? null;

/** Returns how many records were skipped, and by which rules of the source: `, 4 skipped (exclude 3)`. */
export function describeSkipped({
  skipped_count,
  rules,
}: Pick<ImportFilesReport, 'skipped_count' | 'rules'>): string {
  if (skipped_count === 0) return '';
  const byRule = Object.entries(rules).map(([rule, count]) => `${rule} ${count.toLocaleString('en')}`);
  return `, ${skipped_count.toLocaleString('en')} skipped${byRule.length === 0 ? '' : ` (${byRule.join(', ')})`}`;
}

/** Skipped or rejected records that are printed; --json has more. */
export const maxListed = 5;

/** Prints the values that were left out, and the first skipped records. */
export function noteSkipped({ skipped, skipped_count: count, notes }: SkippedSummary, prefix = ''): void {
  for (const { where, reason } of notes) note(`${prefix}${where}: note: ${reason}`);
  for (const { where, reason } of skipped.slice(0, maxListed)) {
    note(`${prefix}${where}: skipped: ${reason}`);
  }
  if (count > maxListed) {
    note(`${prefix}… and ${(count - maxListed).toLocaleString('en')} more skipped (see --json)`);
  }
}
type SkippedSummary = Pick<ImportFilesReport, 'skipped' | 'skipped_count' | 'notes'>;
