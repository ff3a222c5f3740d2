/**
 * Chart of requests over time: REST above the line, MCP below it, with one scale. Position distinguishes the two, not
 * only colour, and a table has the figures.
 */
import type { VNode } from 'preact';
import type { UsagePoint } from '../access/access.ts';
import { Table } from '../pages/parts.tsx';

export type UsageChartProps = {
  id: string;
  title: string;
  /** Title of the first column of the table. */
  unit: string;
  points: readonly UsagePoint[];
  /** Formats a period ('2026-11-20', '2026-11'). */
  label: (period: string) => string;
};

const stepWidth = 20;
const barWidth = 14;
/** Height of the longest bar. */
const maxBarHeight = 100;

export function UsageChart({ id, title, unit, points, label }: UsageChartProps): VNode {
  const maxCount = Math.max(1, ...points.flatMap(({ rest, mcp }) => [rest, mcp]));
  const sum = (door: 'rest' | 'mcp') => points.reduce((total, point) => total + point[door], 0);
  const [rest, mcp] = [sum('rest').toLocaleString('en'), sum('mcp').toLocaleString('en')];
  const [first, last] = [points[0] as UsagePoint, points.at(-1) as UsagePoint];
  return (
    <figure class="flow" aria-labelledby={id}>
      <figcaption class="chart-head">
        <h3 id={id}>{title}</h3>
        <span class="soft small">scale: {maxCount.toLocaleString('en')}</span>
      </figcaption>
      <Waveform
        points={points}
        maxCount={maxCount}
        label={label}
        description={`${title}: ${rest} REST requests above the line, ${mcp} MCP requests below it. The figures follow as a table.`}
      />
      <div class="ends label" aria-hidden="true">
        <span>{label(first.period)}</span>
        <span>{label(last.period)}</span>
      </div>
      <Legend rest={rest} mcp={mcp} />
      <details>
        <summary>Figures</summary>
        <Table
          caption={title}
          columns={[
            { title: unit },
            { title: 'REST', number: true },
            { title: 'MCP', number: true },
            { title: 'Together', number: true },
          ]}
          rows={points.map((point) => [label(point.period), point.rest, point.mcp, point.total]).reverse()}
        />
      </details>
    </figure>
  );
}

type WaveformProps = Pick<UsageChartProps, 'points' | 'label'> & { maxCount: number; description: string };

function Waveform({ points, maxCount, label, description }: WaveformProps): VNode {
  const width = points.length * stepWidth;
  /** A single request stays visible beside a million. */
  const height = (used: number) =>
    used === 0 ? 0 : Math.max(2, Math.round((used / maxCount) * maxBarHeight));
  const top = Math.max(0, ...points.map(({ rest }) => height(rest)));
  const bottom = Math.max(maxBarHeight / 50, top + Math.max(0, ...points.map(({ mcp }) => height(mcp))));
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${width} ${bottom}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={description}
    >
      {points.map(({ period, rest, mcp }, index) => {
        const [x, up, down] = [index * stepWidth + (stepWidth - barWidth) / 2, height(rest), height(mcp)];
        return (
          <g key={period}>
            <title>{`${label(period)}: REST ${rest}, MCP ${mcp}`}</title>
            <path d={`M${index * stepWidth} 0h${stepWidth}v${bottom}h-${stepWidth}z`} fill="transparent" />
            {up > 0 && <path class="one" d={`M${x} ${top}v-${up}h${barWidth}v${up}z`} />}
            {down > 0 && <path class="two" d={`M${x} ${top}v${down}h${barWidth}v-${down}z`} />}
          </g>
        );
      })}
      <path class="axis" d={`M0 ${top}H${width}`} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

function Legend({ rest, mcp }: { rest: string; mcp: string }): VNode {
  return (
    <p class="legend">
      <span>
        <svg width="12" height="12" aria-hidden="true">
          <rect class="one" width="12" height="12" />
        </svg>
        REST, above: {rest}
      </span>
      <span>
        <svg width="12" height="12" aria-hidden="true">
          <rect class="two" width="12" height="12" />
        </svg>
        MCP, below: {mcp}
      </span>
    </p>
  );
}
