/** Usage of an account: the quota of the month, and requests over time. */
import type { VNode } from 'preact';
import type { UsageReport } from '../access/access.ts';
import { quotaNotice } from '../contract/plans.ts';
import { useMessages } from '../pages/messages/messages.ts';
import { DatedText, EmptyState, Notice } from '../pages/parts.tsx';
import { UsageChart } from '../pages/usage-chart.tsx';

/**
 * The quota of the month and the charts of requests per day and month; without any request, a note instead of
 * charts.
 */
export function Usage({ history }: { history: UsageReport }): VNode {
  const { account, formats } = useMessages();
  const words = account.usage;
  const wasUsed = history.months.some(({ total }) => total > 0);
  return (
    <>
      <Quota history={history} />
      {wasUsed ? (
        <>
          <UsageChart
            id="per-day"
            title={words.perDay}
            unit={words.day}
            points={history.days}
            label={formats.dayMonth}
          />
          <UsageChart
            id="per-month"
            title={words.perMonth}
            unit={words.month}
            points={history.months}
            label={formats.shortMonth}
          />
        </>
      ) : (
        <EmptyState>{words.none}</EmptyState>
      )}
    </>
  );
}

/** A notice for the top of a page when 80 or 100 percent of the month are used; null before. */
export function QuotaNotice({ history }: { history: UsageReport }): VNode | null {
  const { account, formats } = useMessages();
  const words = account.usage;
  const { used, quota, resetsTs } = history;
  const mark = quotaNotice(used, quota);
  if (mark === null) return null;
  const share = [formats.number(used), formats.number(quota)] as const;
  return (
    <div class="actions">
      {mark === 100 ? (
        <Notice tone="bad">
          <DatedText text={words.noticeFull(...share)} at={resetsTs} time />
        </Notice>
      ) : (
        <Notice>
          <DatedText text={words.noticeMuch(...share)} at={resetsTs} time />
        </Notice>
      )}
    </div>
  );
}

/** The quota of the month as a bar, with the day on which it resets. */
function Quota({ history }: { history: UsageReport }): VNode {
  const { account, formats } = useMessages();
  const words = account.usage;
  const { used, quota, month, resetsTs } = history;
  const part = quota === 0 ? 1 : Math.min(1, used / quota);
  const name = formats.monthName(month);
  const isOver = used >= quota;
  const share = [formats.number(used), formats.number(quota)] as const;
  return (
    <div class="flow">
      <p>
        <span class="figure">{words.share(...share)}</span> <span class="soft">{words.inMonth(name)}</span>
      </p>
      <svg
        class="meter"
        viewBox="0 0 1000 14"
        preserveAspectRatio="none"
        role="img"
        aria-label={words.meter(...share, name)}
      >
        <rect class="all" width="1000" height="14" />
        <rect class={isOver ? 'over' : 'part'} width={Math.ceil(part * 1000)} height="14" />
      </svg>
      <p class="soft">
        <DatedText text={isOver ? words.usedUp : words.resets} at={resetsTs} />
      </p>
    </div>
  );
}
