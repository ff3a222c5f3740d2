/** What the catalogue holds, and how many events each month has. */
import type { VNode } from 'preact';
import { Table } from '../../pages/parts.tsx';
import type { MonthCount } from '../cached-figures.ts';
import { monthName, shortDate } from '../components/dates.tsx';
import { PageSections } from '../components/parts.tsx';
import type { PageView } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';
import { CatalogueCounts } from './home.tsx';

/** Counts, and a plot of events per month. */
export function statsPage(context: PageContext): PageView {
  const { figures, now } = context;
  const stats = figures.stats(now);
  const months = figures.months(now);
  return {
    title: 'Statistics',
    description: `What ${context.siteUrl.name} holds: ${stats.events.toLocaleString('en')} events and how they spread over the months, ${stats.artists.toLocaleString('en')} artists, ${stats.tracks.toLocaleString('en')} tracks.`,
    crumbs: [{ name: 'Statistics', path: '/stats' }],
    children: (
      <>
        <h1>Statistics</h1>
        <PageSections
          sides={[
            {
              title: 'In the catalogue',
              id: 'counts',
              content: (
                <>
                  <CatalogueCounts context={context} stats={stats} />
                  {stats.last_synced_at !== null && (
                    <p class="soft small">
                      A source was last read on{' '}
                      <time datetime={stats.last_synced_at}>
                        {shortDate(stats.last_synced_at.slice(0, 10))}
                      </time>
                      .
                    </p>
                  )}
                </>
              ),
            },
            {
              title: 'Events per month',
              id: 'months',
              content: <MonthsChart months={months} now={new Date(now).toISOString().slice(0, 7)} />,
            },
          ]}
        />
      </>
    ),
  };
}

const stepWidth = 20;
const barWidth = 14;
const maxBarHeight = 120;

function MonthsChart({ months, now }: { months: readonly MonthCount[]; now: string }): VNode {
  const most = Math.max(1, ...months.map(({ events }) => events));
  const total = months.reduce((sum, { events }) => sum + events, 0);
  const [first, last] = [months[0] as MonthCount, months.at(-1) as MonthCount];
  const said = `Events per month from ${monthName(first.month)} to ${monthName(last.month)}: ${total.toLocaleString('en')} in all, at most ${most.toLocaleString('en')} in one. The figures follow as a table.`;
  return (
    <figure class="flow months">
      <figcaption class="chart-head">
        <span>
          <span class="figure">{total.toLocaleString('en')}</span> events in {months.length} months
        </span>
        <span class="soft small">highest bar: {most.toLocaleString('en')}</span>
      </figcaption>
      <svg
        class="plot"
        viewBox={`0 0 ${months.length * stepWidth} ${maxBarHeight + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={said}
      >
        {months.map(({ month, events }, index) => {
          const height = events === 0 ? 0 : Math.max(1, Math.round((events / most) * maxBarHeight));
          const x = index * stepWidth + (stepWidth - barWidth) / 2;
          return (
            height > 0 && (
              <path
                class={month === now ? 'bar-now' : 'bar-one'}
                d={`M${x} ${maxBarHeight}v-${height}h${barWidth}v${height}z`}
                key={month}
              >
                <title>{`${monthName(month)}: ${events.toLocaleString('en')}`}</title>
              </path>
            )
          );
        })}
        <path
          class="axis"
          d={`M0 ${maxBarHeight}H${months.length * stepWidth}`}
          vector-effect="non-scaling-stroke"
        />
      </svg>
      <div class="ends label" aria-hidden="true">
        <span>{monthName(first.month)}</span>
        <span>{monthName(last.month)}</span>
      </div>
      <details>
        <summary>Figures</summary>
        <Table
          caption="Events per month"
          columns={[{ title: 'Month' }, { title: 'Events', number: true }]}
          rows={months.map(({ month, events }) => [monthName(month), events])}
        />
      </details>
    </figure>
  );
}
