/** The chart of requests on the overview of the console. */
import type { VNode } from 'preact';
import { BarChart, barPath, columnPath } from '../../pages/bar-chart.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import type { HourCount } from '../service-reader.ts';

/** Height of the longest bar, and of the space below the axis if there are no errors. */
const maxBarHeight = 100;
const minBelow = 2;

const timeFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
const hourLabel = (ts: number): string => `${timeFormat.format(ts)} UTC`;

/**
 * The chart of the last 24 hours: requests above the line, server errors (5xx) below it, with one scale.
 * @param hours at least one, oldest first
 */
export function RequestChart({ hours }: { hours: readonly HourCount[] }): VNode {
  const { chart } = useMessages().consoleOverview;
  const most = Math.max(1, ...hours.map(({ requests }) => requests));
  const sum = (of: 'requests' | 'errors') => hours.reduce((total, hour) => total + hour[of], 0);
  const [requests, errors] = [sum('requests'), sum('errors')];
  const height = (count: number) =>
    count === 0 ? 0 : Math.max(2, Math.round((count / most) * maxBarHeight));
  const top = Math.max(0, ...hours.map((hour) => height(hour.requests)));
  const bottom = top + Math.max(minBelow, ...hours.map((hour) => height(hour.errors)));
  const [hour, ofRequests, ofErrors] = chart.columns;
  return (
    <BarChart
      class="flow"
      heading={
        <>
          <h3>{chart.heading}</h3>
          <span class="soft small">{chart.highest(most)}</span>
        </>
      }
      description={chart.description(requests, errors)}
      count={hours.length}
      height={bottom}
      axis={top}
      bars={hours.map((hour, index) => (
        <g key={hour.hourTs}>
          <title>{chart.hour(hourLabel(hour.hourTs), hour.requests, hour.errors)}</title>
          <path d={columnPath(index, bottom)} fill="transparent" />
          {hour.requests > 0 && <path class="one" d={barPath(index, top, height(hour.requests))} />}
          {hour.errors > 0 && <path class="two" d={barPath(index, top, -height(hour.errors))} />}
        </g>
      ))}
      ends={[hourLabel((hours[0] as HourCount).hourTs), hourLabel((hours.at(-1) as HourCount).hourTs)]}
      legend={
        <p class="legend">
          <span>{chart.above(requests)}</span>
          <span>{chart.below(errors)}</span>
          <span class="soft">{chart.since}</span>
        </p>
      }
      table={{
        caption: chart.caption,
        columns: [{ title: hour }, { title: ofRequests, number: true }, { title: ofErrors, number: true }],
        rows: hours.map((hour) => [hourLabel(hour.hourTs), hour.requests, hour.errors]).reverse(),
      }}
    />
  );
}
