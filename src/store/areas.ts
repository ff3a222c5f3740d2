/**
 * Areas on the Earth for `near` and `bbox` (docs/decisions/31-near.md): boxes and circles, the SQL that tests a
 * position exactly, and the grid cells by which lists find events.
 */
import { type SqlBool, sql } from 'kysely';

export type Position = { latitude: number; longitude: number };
export type Box = { west: number; south: number; east: number; north: number };
/**
 * A box in degrees. It crosses the antimeridian if `west` is greater than `east`. With `circle`, the positions of the
 * box within `radius` kilometres of a centre.
 */
export type Area = Box & { circle?: Position & { radius: number } };

/** Mean radius of the Earth in km (IUGG). */
export const earthRadius = 6_371.0088;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;
/** Positions are compared by their exact distance; boxes and cells around circles are this much larger (degrees). */
const margin = 1e-7;

/** Returns the distance of two positions in km on a sphere (haversine). */
export function distanceBetween(a: Position, b: Position): number {
  const h = haversine(radians(b.latitude - a.latitude) / 2, radians(b.longitude - a.longitude) / 2, a, b);
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(h)));
}

const haversine = (halfLatitude: number, halfLongitude: number, a: Position, b: Position): number =>
  Math.sin(halfLatitude) ** 2 +
  Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(halfLongitude) ** 2;

/** Returns the circle of `radius` km around a position, with the smallest box around it. */
export function circleArea(center: Position, radius: number): Area {
  const circle = { ...center, radius };
  const reach = degrees(radius / earthRadius) + margin;
  const south = Math.max(-90, center.latitude - reach);
  const north = Math.min(90, center.latitude + reach);
  const half = south <= -90 || north >= 90 ? 180 : halfWidth(circle, south, north);
  if (half >= 180) return { west: -180, south, east: 180, north, circle };
  return { west: wrap(center.longitude - half), south, east: wrap(center.longitude + half), north, circle };
}

const wrap = (longitude: number): number =>
  longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude;

/** Returns the largest difference in longitude from the centre that a circle has between two latitudes (degrees). */
function halfWidth(
  { latitude, radius }: Position & { radius: number },
  south: number,
  north: number,
): number {
  const [center, angle] = [radians(latitude), radius / earthRadius];
  if (Math.abs(center) + angle >= Math.PI / 2) return 180;
  // A circle is widest at this latitude, and narrower the farther from it.
  const widest = Math.asin(Math.sin(center) / Math.cos(angle));
  const at = Math.min(radians(north), Math.max(radians(south), widest));
  const cosine = (Math.cos(angle) - Math.sin(at) * Math.sin(center)) / (Math.cos(at) * Math.cos(center));
  return degrees(Math.acos(Math.min(1, Math.max(-1, cosine)))) + margin;
}

/** Whether a position lies in the area. */
export function contains(area: Area, { latitude, longitude }: Position): boolean {
  if (latitude < area.south || latitude > area.north) return false;
  const crosses = area.west > area.east;
  const isInside = crosses
    ? longitude >= area.west || longitude <= area.east
    : longitude >= area.west && longitude <= area.east;
  if (!isInside) return false;
  return (
    area.circle === undefined || distanceBetween(area.circle, { latitude, longitude }) <= area.circle.radius
  );
}

// ------------------------------------------------------------------------------------------------------- SQL

/** The values of an area that its SQL binds. */
export type AreaParams = {
  west: number;
  south: number;
  east: number;
  north: number;
  centerLatitude: number;
  centerLongitude: number;
  centerCosine: number;
  maxHaversine: number;
};

/** Returns the shape of an area's SQL: each needs a statement of its own. */
export const areaShape = ({ west, east, circle }: Area): string =>
  `${west > east ? 'crossing' : 'box'}${circle === undefined ? '' : '-circle'}`;
export const areaShapes = ['box', 'crossing', 'box-circle', 'crossing-circle'] as const;

/** Returns the values that `areaCondition` binds. */
export function areaParams({ west, south, east, north, circle }: Area): Partial<AreaParams> {
  if (circle === undefined) return { west, south, east, north };
  return {
    ...{ west, south, east, north },
    centerLatitude: circle.latitude,
    centerLongitude: circle.longitude,
    centerCosine: Math.cos(radians(circle.latitude)),
    maxHaversine: Math.sin(circle.radius / earthRadius / 2) ** 2,
  };
}

/**
 * Returns the SQL condition that columns `latitude` and `longitude` of `table` lie in an area of a shape. Only with
 * `byIndex` an index of these columns is used.
 */
export function areaCondition(table: string, shape: string, p: AreaParams, byIndex = false) {
  const latitude = sql`${sql.raw(byIndex ? '' : '+')}${sql.ref(`${table}.latitude`)}`;
  const longitude = sql.ref(`${table}.longitude`);
  const between = shape.startsWith('crossing')
    ? sql`(${longitude} >= ${p.west} or ${longitude} <= ${p.east})`
    : sql`${longitude} between ${p.west} and ${p.east}`;
  const box = sql<SqlBool>`${latitude} between ${p.south} and ${p.north} and ${between}`;
  if (!shape.endsWith('circle')) return box;
  return sql<SqlBool>`${box} and
    pow(sin(radians(${latitude} - ${p.centerLatitude}) / 2), 2) + ${p.centerCosine} * cos(radians(${latitude}))
      * pow(sin(radians(${longitude} - ${p.centerLongitude}) / 2), 2) <= ${p.maxHaversine}`;
}

// ----------------------------------------------------------------------------------------------------- cells

/** Height of the cells of a grid in degrees. Cells are about as wide as high (km), also near the poles. */
export const gridSizes = { cell: 0.5, region: 9 } as const;
export type Grid = keyof typeof gridSizes;

/** More cells than this are too many lists to merge: the regions of the area are read instead. */
const maxCells = 160;

/** Returns the number of the grid cell that holds a position. */
export function cellOf(grid: Grid, { latitude, longitude }: Position): number {
  const row = rowOf(grid, latitude);
  return row * 1_000 + columnOf(grid, row, longitude);
}

const rowOf = (grid: Grid, latitude: number): number => {
  const size = gridSizes[grid];
  return Math.min(180 / size - 1, Math.max(0, Math.floor((latitude + 90) / size)));
};
const columnsOf = (grid: Grid, row: number): number => {
  const size = gridSizes[grid];
  return Math.max(1, Math.round((360 / size) * Math.cos(radians((row + 0.5) * size - 90))));
};
const columnOf = (grid: Grid, row: number, longitude: number): number => {
  const columns = columnsOf(grid, row);
  return Math.min(columns - 1, Math.max(0, Math.floor(((longitude + 180) / 360) * columns)));
};

/** Returns the cells that together hold all positions of an area: cells, or for a large area regions. */
export function coverArea(area: Area): { grid: Grid; cells: number[] } {
  const rows = (area.north - area.south) / gridSizes.cell;
  const cells = rows > maxCells ? null : cellsOf('cell', area, maxCells);
  return cells === null
    ? { grid: 'region', cells: cellsOf('region', area, Number.POSITIVE_INFINITY) ?? [] }
    : { grid: 'cell', cells };
}

/** Returns the cells of one grid that an area touches; null if there are more than `max`. */
function cellsOf(grid: Grid, area: Area, max: number): number[] | null {
  const cells: number[] = [];
  const last = rowOf(grid, area.north);
  for (let row = rowOf(grid, area.south); row <= last; row++) {
    for (const [west, east] of spansOf(grid, area, row)) {
      const end = columnOf(grid, row, east);
      for (let column = columnOf(grid, row, west); column <= end; column++) {
        const cell = row * 1_000 + column;
        if (!cells.includes(cell, Math.max(0, cells.length - 1_000))) cells.push(cell);
      }
      if (cells.length > max) return null;
    }
  }
  return cells;
}

/** Returns the ranges of longitude that an area has in a row of the grid. */
function spansOf(grid: Grid, area: Area, row: number): [number, number][] {
  let { west, east } = area;
  const { circle } = area;
  if (circle !== undefined) {
    const south = row * gridSizes[grid] - 90;
    const half = halfWidth(
      circle,
      Math.max(area.south, south),
      Math.min(area.north, south + gridSizes[grid]),
    );
    [west, east] = half >= 180 ? [-180, 180] : [wrap(circle.longitude - half), wrap(circle.longitude + half)];
  }
  return west <= east
    ? [[west, east]]
    : [
        [west, 180],
        [-180, east],
      ];
}
