/** Usage of an account: the quota of the month, and requests over time. */
import type { VNode } from 'preact';
import type { UsageReport } from '../access/access.ts';
import { quotaNotice } from '../contract/plans.ts';
import { DateTime, EmptyState, Notice } from '../pages/parts.tsx';
import { UsageChart } from '../pages/usage-chart.tsx';

const monthFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const shortMonth = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' });
const shortDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

export function Usage({ history }: { history: UsageReport }): VNode {
  const wasUsed = history.months.some(({ total }) => total > 0);
  return (
    <>
      <Quota history={history} />
      {wasUsed ? (
        <>
          <UsageChart
            id="per-day"
            title="Requests per day, the last 30 days"
            unit="Day (UTC)"
            points={history.days}
            label={(day) => shortDay.format(new Date(day))}
          />
          <UsageChart
            id="per-month"
            title="Requests per month, the last 12 months"
            unit="Month (UTC)"
            points={history.months}
            label={(month) => shortMonth.format(new Date(`${month}-01`))}
          />
        </>
      ) : (
        <EmptyState>No requests yet. The first one shows up here at once, REST and MCP apart.</EmptyState>
      )}
    </>
  );
}

/** A notice for the top of a page when 80 or 100 percent of the month are used; null before. */
export function QuotaNotice({ history }: { history: UsageReport }): VNode | null {
  const { used, quota, resetsTs } = history;
  const mark = quotaNotice(used, quota);
  if (mark === null) return null;
  const share = `${used.toLocaleString('en')} of ${quota.toLocaleString('en')} requests`;
  return (
    <div class="actions">
      {mark === 100 ? (
        <Notice tone="bad">
          The month is used up: {share}. Programs and agents get a 429 until <DateTime at={resetsTs} time />.
        </Notice>
      ) : (
        <Notice>
          At least 80 % of the month are used: {share}. The count begins anew on{' '}
          <DateTime at={resetsTs} time />.
        </Notice>
      )}
    </div>
  );
}

/** The quota of the month as a bar, with the day on which it resets. */
function Quota({ history }: { history: UsageReport }): VNode {
  const { used, quota, month, resetsTs } = history;
  const part = quota === 0 ? 1 : Math.min(1, used / quota);
  const name = monthFormat.format(new Date(`${month}-01`));
  const isOver = used >= quota;
  const text = `${used.toLocaleString('en')} of ${quota.toLocaleString('en')} requests`;
  return (
    <div class="flow">
      <p>
        <span class="figure">{text}</span> <span class="soft">in {name}</span>
      </p>
      <svg
        class="meter"
        viewBox="0 0 1000 14"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${text} used in ${name}`}
      >
        <rect class="all" width="1000" height="14" />
        <rect class={isOver ? 'over' : 'part'} width={Math.ceil(part * 1000)} height="14" />
      </svg>
      <p class="soft">
        {isOver ? 'The month is used up: requests are answered with 429 until it' : 'The count'} begins anew
        on <DateTime at={resetsTs} /> at 00:00 UTC. REST, MCP and all your keys and apps share it.
      </p>
    </div>
  );
}
