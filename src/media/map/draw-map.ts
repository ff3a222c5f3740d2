/** Draws maps as SVG: land and water, borders, towns with their names, a marker and a scale bar. No request leaves the service. */

import { escapeXml } from '../../escape-xml.ts';
import type { Place } from '../../places/place-index.ts';
import { type MapArea, type MapPosition, type MapScale, mapArea, mapSize } from './area.ts';
import type { Box, Line, Outlines } from './outlines.ts';

/** What maps are drawn from. */
export type MapData = {
  outlines: Pick<Outlines, 'land' | 'borders'>;
  places: { within(box: Box, limit: number): Place[] };
};

/** A map, and how long the drawing took, in ms; 0 if it was kept. */
export type DrawnMap = { svg: string; ms: number };

/** Places looked at, and names drawn, at most. */
const maxPlaces = { venue: 80, city: 100 };
const maxNames = { venue: 14, city: 12 };
/** Lines are drawn a little beyond the edge, so that no edge of a clipped shape shows. */
const margin = 0.05;
/** Points nearer than this to the one before are left out, in pixels. */
const minStep = 0.7;

const style = `.w{fill:#dfe5e4}.l{fill:#f8f5ee;stroke:#b9bdb5;stroke-width:1;stroke-linejoin:round}.b{fill:none;stroke:#b3aa99;stroke-width:1.2;stroke-dasharray:5 4}text{fill:#5c564b;font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans','DejaVu Sans',sans-serif;paint-order:stroke;stroke:#f8f5ee;stroke-width:3px;stroke-linejoin:round}.big{font-weight:600;fill:#1a1814}.d{fill:#857e70}.s{fill:none;stroke:#5c564b;stroke-width:1.5}.m{fill:#ad2e0a;stroke:#fffdf8;stroke-width:2.5}.r{fill:#ad2e0a;opacity:.14}
@media(max-width:480px){text{font-size:22px}.x{display:none}}
@media(prefers-color-scheme:dark){.w{fill:#1a2124}.l{fill:#201e1b;stroke:#45423b}.b{stroke:#5d584e}text{fill:#aaa395;stroke:#201e1b}.big{fill:#ece8de}.d{fill:#837c6f}.s{stroke:#aaa395}.m{fill:#ff8d60;stroke:#131211}.r{fill:#ff8d60}}`;

/** Draws a map with a position at its centre. Returns it as SVG, with colours for light and dark pages. */
export function drawMap(data: MapData, { latitude, longitude, scale }: MapPosition): string {
  const { width, height } = mapSize;
  const area = mapArea(latitude, longitude, scale);
  const box = widened(area.box);
  const land = data.outlines.land(box).map((line) => `${pathOf(area, line)}z`);
  const borders = data.outlines.borders(box).map((line) => pathOf(area, line));
  const places = data.places.within(area.box, maxPlaces[scale]);
  const [x, y] = [width / 2, height / 2];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><style>${style}</style>`,
    `<rect class="w" width="${width}" height="${height}"/>`,
    land.length > 0 ? `<path class="l" d="${land.join('')}"/>` : '',
    borders.length > 0 ? `<path class="b" d="${borders.join('')}"/>` : '',
    placeNames(area, places, scale),
    scaleBar(area),
    scale === 'venue' ? `<circle class="r" cx="${x}" cy="${y}" r="22"/>` : '',
    `<circle class="m" cx="${x}" cy="${y}" r="7"/></svg>`,
  ].join('');
}

function widened({ west, south, east, north }: Box): Box {
  const [dx, dy] = [(east - west) * margin, (north - south) * margin];
  return { west: west - dx, south: south - dy, east: east + dx, north: north + dy };
}

/** Returns the path of a line; parts far beyond the picture are left out. */
function pathOf({ x, y }: MapArea, line: Line): string {
  const parts: string[] = [];
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  let wasFar = false;
  for (let at = 0; at < line.length; at += 2) {
    const [px, py] = [x(line[at] as number), y(line[at + 1] as number)];
    const isLast = at + 2 >= line.length;
    if (!isLast && Math.abs(px - lastX) < minStep && Math.abs(py - lastY) < minStep) continue;
    const isFar = isBeyond(px, py);
    if (isFar && wasFar && !isLast && isBeyond(lastX, lastY) && sameSide(px, py, lastX, lastY)) {
      [lastX, lastY] = [px, py];
      parts[parts.length - 1] = `${parts.length === 1 ? 'M' : 'L'}${round(px)} ${round(py)}`;
      continue;
    }
    parts.push(`${parts.length === 0 ? 'M' : 'L'}${round(px)} ${round(py)}`);
    [lastX, lastY, wasFar] = [px, py, isFar];
  }
  return parts.join('');
}

const far = 60;
const isBeyond = (x: number, y: number): boolean =>
  x < -far || y < -far || x > mapSize.width + far || y > mapSize.height + far;
/** Whether two points are beyond the same edge, so that the line between them is too. */
const sameSide = (x: number, y: number, otherX: number, otherY: number): boolean =>
  (x < -far && otherX < -far) ||
  (x > mapSize.width + far && otherX > mapSize.width + far) ||
  (y < -far && otherY < -far) ||
  (y > mapSize.height + far && otherY > mapSize.height + far);

const round = (value: number): number => Math.round(value * 10) / 10;

type Rect = { left: number; top: number; right: number; bottom: number };

const touches = (one: Rect, other: Rect): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

/** Size of the letters, on a phone too: there the map is half as wide, and shows fewer names. */
const fontSize = { wide: 13, narrow: 22 };

/** Names of places, the best known first; names that would cover another one or the marker are left out. */
function placeNames(area: MapArea, places: readonly Place[], scale: MapScale): string {
  const { width, height } = mapSize;
  const marker = {
    left: width / 2 - 14,
    right: width / 2 + 14,
    top: height / 2 - 14,
    bottom: height / 2 + 14,
  };
  const bar = { left: 0, right: 150, top: height - 50, bottom: height };
  const taken = { wide: [marker, bar], narrow: [marker, bar] };
  const drawn: string[] = [];
  for (const place of places) {
    if (drawn.length === maxNames[scale]) break;
    const [x, y] = [area.x(place.longitude), area.y(place.latitude)];
    // The map of a city shows its neighbours; the page names the city itself.
    if (scale === 'city' && (place.isDistrict || Math.hypot(x - width / 2, y - height / 2) < 16)) continue;
    const name = place.name.length > 40 ? `${place.name.slice(0, 39)}…` : place.name;
    const rects = (size: number) => labelRects(x, y, name.length, size);
    const isFree = (rect: Rect, others: readonly Rect[]) =>
      isInside(rect) && !others.some((other) => touches(rect, other));
    const side = rects(fontSize.wide).findIndex((rect) => isFree(rect, taken.wide));
    if (side < 0) continue;
    taken.wide.push(rects(fontSize.wide)[side] as Rect);
    const narrow = rects(fontSize.narrow)[side] as Rect;
    const isAlways = isFree(narrow, taken.narrow);
    if (isAlways) taken.narrow.push(narrow);
    drawn.push(drawName(place, x, y, name, { isBefore: side === 1, isAlways }));
  }
  return drawn.join('');
}

/** The space of a name to the right and to the left of its place. */
const labelRects = (x: number, y: number, letters: number, size: number): Rect[] => {
  const length = letters * size * 0.56 + 6;
  return [x + 7, x - 7 - length].map((left) => ({
    left,
    right: left + length,
    top: y - size * 0.75,
    bottom: y + size * 0.65,
  }));
};

const isInside = ({ left, right, top, bottom }: Rect): boolean =>
  left >= 4 && right <= mapSize.width - 4 && top >= 4 && bottom <= mapSize.height - 4;

function drawName(
  { isDistrict, population }: Place,
  x: number,
  y: number,
  name: string,
  { isBefore, isAlways }: { isBefore: boolean; isAlways: boolean },
): string {
  const isBig = !isDistrict && (population ?? 0) >= 100_000;
  const classes = [isBig && 'big', !isAlways && 'x'].filter(Boolean).join(' ');
  const dot = `<circle class="d${isAlways ? '' : ' x'}" cx="${round(x)}" cy="${round(y)}" r="${isBig ? 3.5 : 2.5}"/>`;
  return `${dot}<text${classes === '' ? '' : ` class="${classes}"`}${isBefore ? ' text-anchor="end"' : ''} x="${round(isBefore ? x - 7 : x + 7)}" y="${round(y)}" dy=".35em">${escapeXml(name)}</text>`;
}

const barLengthsKm = [1, 2, 5, 10, 20, 50, 100];

/** A bar of a round length, at most a fifth of the width. */
function scaleBar({ pixelsPerKm }: MapArea): string {
  const km = barLengthsKm.findLast((length) => length * pixelsPerKm <= mapSize.width / 5) ?? 1;
  const [left, bottom, length] = [16, mapSize.height - 16, km * pixelsPerKm];
  return `<path class="s" d="M${left} ${bottom - 5}v5h${round(length)}v-5"/><text x="${left}" y="${bottom - 10}">${km} km</text>`;
}
