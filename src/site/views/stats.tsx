/** Statistics of the catalogue. */
import type { VNode } from 'preact';
import { BarChart, barPath } from '../../pages/bar-chart.tsx';
import type { MonthCount } from '../cached-figures.ts';
import { monthName, shortDate } from '../components/dates.tsx';
import { PageSections } from '../components/parts.tsx';
import type { PageView } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';
import { CatalogueCounts } from './home.tsx';

/** The number of records of each kind, and a chart of events per month. */
export function statsPage(context: PageContext): PageView {
  const { figures, now } = context;
  const stats = figures.stats(now);
  const months = figures.months(now);
  return {
    title: 'Statistics',
    description: `Statistics of ${context.siteUrl.name}: ${stats.events.toLocaleString('en')} events by month, ${stats.artists.toLocaleString('en')} artists, ${stats.tracks.toLocaleString('en')} tracks.`,
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
                      Sources were last read on{' '}
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

const maxBarHeight = 120;

function MonthsChart({ months, now }: { months: readonly MonthCount[]; now: string }): VNode {
  const maxEvents = Math.max(1, ...months.map(({ events }) => events));
  const total = months.reduce((sum, { events }) => sum + events, 0).toLocaleString('en');
  const [first = '', last = ''] = [months[0], months.at(-1)].map((count) =>
    monthName((count as MonthCount).month),
  );
  return (
    <BarChart
      class="flow months"
      heading={
        <>
          <span>
            <span class="figure">{total}</span> events in {months.length} months
          </span>
          <span class="soft small">highest bar: {maxEvents.toLocaleString('en')}</span>
        </>
      }
      description={`Events per month from ${first} to ${last}: ${total} in all, at most ${maxEvents.toLocaleString('en')} in one. The figures follow as a table.`}
      count={months.length}
      height={maxBarHeight + 2}
      axis={maxBarHeight}
      bars={months.map(({ month, events }, index) => {
        const height = Math.max(1, Math.round((events / maxEvents) * maxBarHeight));
        return (
          events > 0 && (
            <path
              class={month === now ? 'bar-now' : 'bar-one'}
              d={barPath(index, maxBarHeight, height)}
              key={month}
            >
              <title>{`${monthName(month)}: ${events.toLocaleString('en')}`}</title>
            </path>
          )
        );
      })}
      ends={[first, last]}
      table={{
        caption: 'Events per month',
        columns: [{ title: 'Month' }, { title: 'Events', number: true }],
        rows: months.map(({ month, events }) => [monthName(month), events]),
      }}
    />
  );
}
