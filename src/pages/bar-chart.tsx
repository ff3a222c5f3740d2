/** Bar charts, drawn as SVG. */
import type { ComponentChildren, ComponentProps, VNode } from 'preact';
import { useMessages } from './messages/messages.ts';
import { Table } from './parts.tsx';

const stepWidth = 20;
const barWidth = 14;

export type BarChartProps = {
  class: string;
  /** Element id of the heading; without it, the figure has no label of its own. */
  labelledBy?: string;
  heading: ComponentChildren;
  /** Text of the drawing for screen readers. */
  description: string;
  /** Number of bars, and the height of the drawing with the position of its axis, in units of the drawing. */
  count: number;
  height: number;
  axis: number;
  bars: ComponentChildren;
  /** Labels of the first and the last bar. */
  ends: readonly [string, string];
  legend?: VNode;
  table: ComponentProps<typeof Table>;
};

/** A bar chart: heading, bars with their axis and the labels of both ends, a legend, and a table of the figures that opens. */
export function BarChart(props: BarChartProps): VNode {
  const width = props.count * stepWidth;
  return (
    <figure class={props.class} aria-labelledby={props.labelledBy}>
      <figcaption class="chart-head">{props.heading}</figcaption>
      <svg
        class="plot"
        viewBox={`0 0 ${width} ${props.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={props.description}
      >
        {props.bars}
        <path class="axis" d={`M0 ${props.axis}H${width}`} vector-effect="non-scaling-stroke" />
      </svg>
      <div class="ends label" aria-hidden="true">
        <span>{props.ends[0]}</span>
        <span>{props.ends[1]}</span>
      </div>
      {props.legend}
      <details>
        <summary>{useMessages().common.figures}</summary>
        <Table {...props.table} />
      </details>
    </figure>
  );
}

/** The path of the bar at `index`, starting at the axis; a negative height draws it downwards. */
export const barPath = (index: number, axis: number, height: number): string =>
  `M${index * stepWidth + (stepWidth - barWidth) / 2} ${axis}v${-height}h${barWidth}v${height}z`;

/** The path of the whole column at `index`: shows the bar's title wherever the pointer is. */
export const columnPath = (index: number, height: number): string =>
  `M${index * stepWidth} 0h${stepWidth}v${height}h-${stepWidth}z`;
