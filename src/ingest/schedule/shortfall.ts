/**
 * Recognises a run that brings far fewer records than usual: a broken page or an expired login, not an empty programme
 * (docs/decisions/19-source-rules.md#a-run-with-far-fewer-records).
 */
import { shellQuote } from '../../shell-quote.ts';
import type { SourceRunRow } from '../../store/schedule/source-runs.ts';

/** Good runs that the usual number comes from, and the number of them that is required. */
const maxCompared = 10;
const minCompared = 3;
/** A source that usually lists fewer records may list none. */
const minUsual = 4;
/** A run fails below this share of the usual number. */
const minShare = 0.25;

/**
 * Returns the usual number of records of a source: the median of its last good, complete reads.
 * @param runs newest first
 * @returns null if there are too few such runs
 */
export function usualRecords(runs: readonly SourceRunRow[]): number | null {
  const good = runs.filter(({ outcome, report }) => outcome === 'done' && report.isFullRead === true);
  // A number that an editor accepted replaces everything before.
  const acceptedAt = good.findIndex(({ report }) => report.isAccepted === true);
  const compared = (acceptedAt === -1 ? good : good.slice(0, acceptedAt + 1)).slice(0, maxCompared);
  if (compared.length < minCompared) return null;
  const counts = compared.map(({ records }) => records).sort((a, b) => a - b);
  const middle = Math.floor(counts.length / 2);
  const [low, high] = [counts[counts.length % 2 === 0 ? middle - 1 : middle], counts[middle]] as [
    number,
    number,
  ];
  return Math.round((low + high) / 2);
}

/** Whether a complete read brought far fewer records than usual. */
export const isShortfall = (records: number, usual: number | null): usual is number =>
  usual !== null && usual >= minUsual && records < usual * minShare;

/** The error of such a run. */
export const shortfallMessage = (source: string, records: number, usual: number): string =>
  `It lists ${records.toLocaleString('en')} of usually ${usual.toLocaleString('en')} records: nothing was withdrawn. If that is right, run \`cratebase sync ${shellQuote(source)} --force\`.`;
