/** A QR code as SVG. */
import type { VNode } from 'preact';
import { encode } from 'uqr';

const pixels = 224;

/** Returns the QR code of a text: dark on white in every colour scheme, because cameras need it. */
export function QrCode({ text, label }: { text: string; label: string }): VNode {
  const { data } = encode(text, { ecc: 'M', border: 3 });
  const size = data.length;
  return (
    <svg width={pixels} height={pixels} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(toRuns).join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** The dark modules of a row, as rectangles one unit high. */
function toRuns(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    path += `M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`;
  }
  return path;
}
