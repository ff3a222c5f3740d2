/** What an import or a sync did, by kind of record; and what a dry run would have done, record by record. */
import type { App, ImportFilesReport, ImportReport, NamedChange, NamedMatch } from '../app.ts';
import { harmless, note, table } from './terminal.ts';

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
    : table(['', 'CREATED', 'UPDATED', 'UNCHANGED', 'MATCHED', 'WITHDRAWN'], rows);
}

/** What a dry run would have done. */
export type Preview = { changes: Omit<NamedChange, 'revision'>[]; matches: NamedMatch[] };

/** What a dry run did to its copy since a revision: which ones the catalogue will count is seen only when it is done. */
export const changesIn = (app: App, since: number): Preview['changes'] =>
  [...app.changesSince(since)].map(({ revision: _, ...change }) => change);

/** So many of each are shown; `--json` has all. */
const mostShown = 200;

/** Tables of what would be, and of what is found to be there already and why; empty where nothing would change. */
export function describePreview({ changes, matches }: Preview): string {
  const would = changes.map(({ what, kind, slug, name, fields, into }) => [
    what,
    kind,
    slug,
    name,
    into !== null ? `into ${into}` : fields.join(', '),
  ]);
  const found = matches.map(({ kind, slug, external_id, why }) => [external_id, kind, slug, why]);
  return [
    ...shortened(['WOULD BE', 'KIND', 'SLUG', 'NAME', 'WHAT'], would),
    ...shortened(['MATCHED', 'KIND', 'SLUG', 'WHY'], found),
  ].join('\n');
}

function shortened(titles: string[], rows: (string | null)[][]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - mostShown;
  const rest = more > 0 ? [`… and ${more.toLocaleString('en')} more (see --json)`] : [];
  return [table(titles, rows.slice(0, mostShown)), ...rest];
}

/** A moment for people, to the minute; its zone stands in the title or behind it. */
export const minute = (at: string | null): string | null => at?.slice(0, 16).replace('T', ' ') ?? null;

const mostTold = 5;

/** What was passed over on purpose, as people are told of it. */
export function noteSkipped({ skipped, skipped_count: count }: Skipping, prefix = ''): void {
  for (const { where, reason } of skipped.slice(0, mostTold)) {
    note(harmless(`${prefix}${where}: skipped: ${reason}`));
  }
  if (count > mostTold) {
    note(harmless(`${prefix}… and ${(count - mostTold).toLocaleString('en')} more skipped (see --json)`));
  }
}
type Skipping = Pick<ImportFilesReport, 'skipped' | 'skipped_count'>;
