/** What is kept of a source's last run, and of what was rejected when it was last read. */

import { redactUrl } from '../../sources/common/redact.ts';
import type { RejectedItem } from '../import/import-feed.ts';

/** So many rejected records are kept, and so much of each reason. */
const maxKeptRejections = 100;
const maxReasonLength = 300;

/** What of a report says what could not be taken. */
export type StoredRejections = { rejected_count: number; rejected: RejectedItem[] };
type RunReport = StoredRejections & { outcome: string; skipped?: unknown };

/**
 * The report of a run as it is kept. What was rejected stays told until what holds it is read again without: of a source
 * that did not change, and of those of its pages that did not.
 * @param before what was kept of the run before
 * @param unchanged the pages that this run asked for and that did not change
 */
export function mergeRunReport<R extends RunReport>(
  report: R,
  before: string | null,
  unchanged: readonly string[],
): Omit<R, 'skipped'> {
  const { skipped: _, ...kept } = report;
  const known = readRejections(before);
  // Nothing was read: nothing is known of it but what was.
  if (report.outcome === 'unchanged' || (report.outcome === 'failed' && report.rejected.length === 0)) {
    return { ...kept, ...known };
  }
  const pages = new Set(unchanged.map((page) => redactUrl(page)));
  const old = known.rejected.filter(({ where }) => where !== undefined && isOnPage(pages, where));
  const rejected = [...report.rejected, ...old].slice(0, maxKeptRejections).map(truncateReason);
  return { ...kept, rejected_count: report.rejected_count + old.length, rejected };
}

/** What a kept report says could not be taken. */
export function readRejections(report: string | null): StoredRejections {
  const { rejected_count = 0, rejected = [] } = JSON.parse(report ?? '{}') as Partial<StoredRejections>;
  return { rejected_count, rejected };
}

/** Whether a place is a page, or in one: `page`, `page:12`, `page item 3`. */
const isOnPage = (pages: ReadonlySet<string>, where: string): boolean =>
  pages.has(where) || pages.has(where.replace(/(?::\d+| (?:item|line) \d.*)$/, ''));

const truncateReason = (one: RejectedItem): RejectedItem => ({
  ...one,
  reason: one.reason.slice(0, maxReasonLength),
});
