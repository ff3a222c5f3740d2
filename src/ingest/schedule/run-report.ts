/** The stored report of a source's last run, with the records it rejected. */

import type { RejectedItem, StoredRejections } from '../../contract/source-summaries.ts';
import { redactUrl } from '../../sources/common/redact.ts';
import { parseRejections } from '../../store/schedule/schedules.ts';

/** Maximum number of stored rejections, and maximum length of each reason. */
const maxKeptRejections = 100;
const maxReasonLength = 300;

type RunReport = StoredRejections & { outcome: string; skipped?: unknown; closed_venues?: unknown };

/**
 * Merges the report of a run with the stored one. Rejections stay listed until their page is read again without them:
 * those of an unchanged source, and of its unchanged pages.
 * @param before the stored report of the previous run
 * @param unchanged pages that this run requested and that did not change
 */
export function mergeRunReport<R extends RunReport>(
  report: R,
  before: string | null,
  unchanged: readonly string[],
): Omit<R, 'skipped' | 'closed_venues'> {
  const { skipped: _, closed_venues: __, ...kept } = report;
  const previous = parseRejections(before);
  // Nothing was read, so the previous rejections still hold.
  if (report.outcome === 'unchanged' || (report.outcome === 'failed' && report.rejected.length === 0)) {
    return { ...kept, ...previous };
  }
  const pages = new Set(unchanged.map((page) => redactUrl(page)));
  const old = previous.rejected.filter(({ where }) => where !== undefined && isOnPage(pages, where));
  const rejected = [...report.rejected, ...old].slice(0, maxKeptRejections).map(truncateReason);
  return { ...kept, rejected_count: report.rejected_count + old.length, rejected };
}

/** Whether a place is one of the pages or inside one: `page`, `page:12`, `page item 3`. */
const isOnPage = (pages: ReadonlySet<string>, where: string): boolean =>
  pages.has(where) || pages.has(where.replace(/(?::\d+| (?:item|line) \d.*)$/, ''));

const truncateReason = (one: RejectedItem): RejectedItem => ({
  ...one,
  reason: one.reason.slice(0, maxReasonLength),
});
