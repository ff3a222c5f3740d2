/** What an import or a sync did, by kind of record. */
import type { ImportReport } from '../app.ts';
import { table } from './terminal.ts';

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
