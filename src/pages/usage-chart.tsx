/** The chart of an account's requests. */
import type { VNode } from 'preact';
import { BarChart, barPath, columnPath } from './bar-chart.tsx';
import { useMessages } from './messages/messages.ts';

/** The requests of a period. */
export type UsagePoint = { period: string; total: number; rest: number; mcp: number };

export type UsageChartProps = {
  id: string;
  title: string;
  /** Title of the first column of the table. */
  unit: string;
  points: readonly UsagePoint[];
  /** Formats a period ('2026-11-20', '2026-11'). */
  label: (period: string) => string;
};

/** Height of the longest bar. */
const maxBarHeight = 100;

/**
 * A chart of requests over time: REST above the line, MCP below it, with one scale. Position distinguishes the two, not
 * only colour, and a table has the figures. There is at least one point.
 */
export function UsageChart({ id, title, unit, points, label }: UsageChartProps): VNode {
  const { formats, controls } = useMessages();
  const words = controls.requests;
  const maxCount = Math.max(1, ...points.flatMap(({ rest, mcp }) => [rest, mcp]));
  const sum = (service: 'rest' | 'mcp') =>
    formats.number(points.reduce((total, point) => total + point[service], 0));
  const [rest, mcp] = [sum('rest'), sum('mcp')];
  // A single request stays visible beside a million.
  const height = (count: number) =>
    count === 0 ? 0 : Math.max(2, Math.round((count / maxCount) * maxBarHeight));
  const top = Math.max(0, ...points.map((point) => height(point.rest)));
  const bottom = Math.max(maxBarHeight / 50, top + Math.max(0, ...points.map((point) => height(point.mcp))));
  return (
    <BarChart
      class="flow"
      labelledBy={id}
      heading={
        <>
          <h3 id={id}>{title}</h3>
          <span class="soft small">{words.highest(formats.number(maxCount))}</span>
        </>
      }
      description={words.description(title, rest, mcp)}
      count={points.length}
      height={bottom}
      axis={top}
      bars={points.map((point, index) => {
        const [up, down] = [height(point.rest), height(point.mcp)];
        return (
          <g key={point.period}>
            <title>{`${label(point.period)}: REST ${formats.number(point.rest)}, MCP ${formats.number(point.mcp)}`}</title>
            <path d={columnPath(index, bottom)} fill="transparent" />
            {up > 0 && <path class="one" d={barPath(index, top, up)} />}
            {down > 0 && <path class="two" d={barPath(index, top, -down)} />}
          </g>
        );
      })}
      ends={[label((points[0] as UsagePoint).period), label((points.at(-1) as UsagePoint).period)]}
      legend={<Legend rest={rest} mcp={mcp} />}
      table={{
        caption: title,
        columns: [
          { title: unit },
          { title: 'REST', number: true },
          { title: 'MCP', number: true },
          { title: words.together, number: true },
        ],
        rows: points.map((point) => [label(point.period), point.rest, point.mcp, point.total]).reverse(),
      }}
    />
  );
}

function Legend({ rest, mcp }: { rest: string; mcp: string }): VNode {
  const words = useMessages().controls.requests;
  return (
    <p class="legend">
      <span>
        <svg width="12" height="12" aria-hidden="true">
          <rect class="one" width="12" height="12" />
        </svg>
        {words.rest(rest)}
      </span>
      <span>
        <svg width="12" height="12" aria-hidden="true">
          <rect class="two" width="12" height="12" />
        </svg>
        {words.mcp(mcp)}
      </span>
    </p>
  );
}
