/** Statistics of the catalogue. */
import type { VNode } from 'preact';
import { BarChart, barPath } from '../../pages/bar-chart.tsx';
import { Filled } from '../../pages/messages/filled.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import type { MonthCount } from '../cached-figures.ts';
import { PageSections } from '../components/parts.tsx';
import type { PageView } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';
import { CatalogueCounts } from './home.tsx';

/** The number of records of each kind, and a chart of events per month. */
export function statsPage(context: PageContext): PageView {
  const { figures, now, siteUrl, messages } = context;
  const { stats: words, formats, home } = messages;
  const { number } = formats;
  const stats = figures.stats(now);
  const months = figures.months(now);
  return {
    title: words.title,
    description: words.description(
      siteUrl.name,
      number(stats.events),
      number(stats.artists),
      number(stats.tracks),
    ),
    crumbs: [{ name: words.title, path: '/stats' }],
    children: (
      <>
        <h1>{words.title}</h1>
        <PageSections
          sides={[
            {
              title: home.inCatalogue,
              id: 'counts',
              content: (
                <>
                  <CatalogueCounts context={context} stats={stats} />
                  {stats.last_synced_at !== null && (
                    <p class="soft small">
                      <Filled
                        text={words.lastRead}
                        parts={{
                          date: (
                            <time datetime={stats.last_synced_at}>
                              {formats.shortDate(stats.last_synced_at.slice(0, 10))}
                            </time>
                          ),
                        }}
                      />
                    </p>
                  )}
                </>
              ),
            },
            {
              title: words.perMonth,
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
  const { stats: words, formats } = useMessages();
  const { number, monthName } = formats;
  const total = number(months.reduce((sum, { events }) => sum + events, 0));
  const [first = '', last = ''] = [months[0], months.at(-1)].map((count) =>
    monthName((count as MonthCount).month),
  );
  return (
    <BarChart
      class="flow months"
      heading={
        <>
          <span>
            <span class="figure">{total}</span>
            {words.inMonths(months.length)}
          </span>
          <span class="soft small">{words.highest(number(maxEvents))}</span>
        </>
      }
      description={words.drawing(first, last, total, number(maxEvents))}
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
              <title>{`${monthName(month)}: ${number(events)}`}</title>
            </path>
          )
        );
      })}
      ends={[first, last]}
      table={{
        caption: words.perMonth,
        columns: [{ title: words.month }, { title: words.events, number: true }],
        rows: months.map(({ month, events }) => [monthName(month), events]),
      }}
    />
  );
}
