/** What an import or a sync did, by kind of record; and what a dry run would have done, record by record. */
import type { App, ChangeWithName, ImportFilesReport, ImportReport, MatchPreview } from '../../app.ts';
import { formatTable, note, stripUnsafeCharacters } from './terminal.ts';

/** A table; empty where nothing was read. */
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

/** What a dry run would have done. */
export type DryRunPreview = { changes: Omit<ChangeWithName, 'revision'>[]; matches: MatchPreview[] };

/** What a dry run did to its copy since a revision: which ones the catalogue will count is seen only when it is done. */
export const changesSince = (app: App, since: number): DryRunPreview['changes'] =>
  [...app.changesSince(since)].map(({ revision: _, ...change }) => change);

/** So many of each are shown; `--json` has all. */
const maxRows = 200;

/** Tables of what would be, and of what is found to be there already and why; empty where nothing would change. */
export function describePreview({ changes, matches }: DryRunPreview): string {
  const would = changes.map(({ what, kind, slug, name, fields, into }) => [
    what,
    kind,
    slug,
    name,
    into !== null ? `into ${into}` : fields.join(', '),
  ]);
  const found = matches.map(({ kind, slug, external_id, why }) => [external_id, kind, slug, why]);
  return [
    ...limitedTable(['WOULD BE', 'KIND', 'SLUG', 'NAME', 'WHAT'], would),
    ...limitedTable(['MATCHED', 'KIND', 'SLUG', 'WHY'], found),
  ].join('\n');
}

function limitedTable(titles: string[], rows: (string | null)[][]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - maxRows;
  const rest = more > 0 ? [`… and ${more.toLocaleString('en')} more (see --json)`] : [];
  return [formatTable(titles, rows.slice(0, maxRows)), ...rest];
}

/** A moment for people, to the minute; its zone stands in the title or behind it. */
export const formatMinute = (at: string | null): string | null => at?.slice(0, 16).replace('T', ' ') ?? null;

const maxListed = 5;

/** What was passed over on purpose, as people are told of it. */
export function noteSkipped({ skipped, skipped_count: count }: SkippedSummary, prefix = ''): void {
  for (const { where, reason } of skipped.slice(0, maxListed)) {
    note(stripUnsafeCharacters(`${prefix}${where}: skipped: ${reason}`));
  }
  if (count > maxListed) {
    note(
      stripUnsafeCharacters(
        `${prefix}… and ${(count - maxListed).toLocaleString('en')} more skipped (see --json)`,
      ),
    );
  }
}
type SkippedSummary = Pick<ImportFilesReport, 'skipped' | 'skipped_count'>;
