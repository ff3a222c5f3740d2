/** What is kept of a source's last run, and of what was rejected when it was last read. */
import type { Rejected } from './import.ts';
import { shown } from './sources/shown.ts';

/** So many rejected records are kept, and so much of each reason. */
const mostKept = 100;
const longestReason = 300;

/** What of a report says what could not be taken. */
export type Faults = { rejected_count: number; rejected: Rejected[] };
type Report = Faults & { outcome: string; skipped?: unknown };

/**
 * The report of a run as it is kept. What was rejected stays told until what holds it is read again without: of a source
 * that did not change, and of those of its pages that did not.
 * @param before what was kept of the run before
 * @param unchanged the pages that this run asked for and that did not change
 */
export function keptReport<R extends Report>(
  report: R,
  before: string | null,
  unchanged: readonly string[],
): Omit<R, 'skipped'> {
  const { skipped: _, ...kept } = report;
  const known = readFaults(before);
  // Nothing was read: nothing is known of it but what was.
  if (report.outcome === 'unchanged' || (report.outcome === 'failed' && report.rejected.length === 0)) {
    return { ...kept, ...known };
  }
  const pages = new Set(unchanged.map((page) => shown(page)));
  const old = known.rejected.filter(({ where }) => where !== undefined && isOn(pages, where));
  const rejected = [...report.rejected, ...old].slice(0, mostKept).map(shortened);
  return { ...kept, rejected_count: report.rejected_count + old.length, rejected };
}

/** What a kept report says could not be taken. */
export function readFaults(report: string | null): Faults {
  const { rejected_count = 0, rejected = [] } = JSON.parse(report ?? '{}') as Partial<Faults>;
  return { rejected_count, rejected };
}

/** Whether a place is a page, or in one: `page`, `page:12`, `page item 3`. */
const isOn = (pages: ReadonlySet<string>, where: string): boolean =>
  pages.has(where) || pages.has(where.replace(/(?::\d+| (?:item|line) \d.*)$/, ''));

const shortened = (one: Rejected): Rejected => ({ ...one, reason: one.reason.slice(0, longestReason) });
