/** The outlines of the world's countries, packed by `pack.ts`: coasts and borders near a position. */
import { setImmediate } from 'node:timers/promises';
import { zstdDecompress } from 'node:zlib';

/** Steps of the grid per degree: about 300 m, half of the precision of the data. */
export const gridScale = 360;

/** A part of the world in degrees. */
export type Box = { west: number; south: number; east: number; north: number };
/** Longitudes and latitudes in turn, in degrees. */
export type Line = number[];

type Arc = { points: Int32Array; isBorder: boolean; box: Box };

/** Points decoded in one turn of the event loop. */
const pointsPerTurn = 40_000;

/** The lines of the world's coasts and borders, which can be clipped to a box. */
export class Outlines {
  readonly #arcs: readonly Arc[];
  readonly #rings: readonly Int32Array[];
  readonly #ringBoxes: readonly Box[];

  constructor(arcs: readonly Arc[], rings: readonly Int32Array[]) {
    this.#arcs = arcs;
    this.#rings = rings;
    this.#ringBoxes = rings.map((ring) => {
      const boxes = [...ring].map((arc) => this.#arc(arc).box);
      return {
        west: Math.min(...boxes.map(({ west }) => west)),
        south: Math.min(...boxes.map(({ south }) => south)),
        east: Math.max(...boxes.map(({ east }) => east)),
        north: Math.max(...boxes.map(({ north }) => north)),
      };
    });
  }

  /** The land within a box, as closed lines that run along the edges of the box where land goes on. */
  land(box: Box): Line[] {
    return this.#rings.flatMap((ring, index) => {
      if (!overlaps(this.#ringBoxes[index] as Box, box)) return [];
      const clipped = clipRing(this.#ringLine(ring, box), box);
      return clipped.length < 6 ? [] : [clipped];
    });
  }

  /** The borders between countries that have a point in a box; they may reach beyond it. */
  borders(box: Box): Line[] {
    return this.#arcs
      .filter((arc) => arc.isBorder && overlaps(arc.box, box))
      .map((arc) => toLine(arc.points))
      .filter((line) => hasPointIn(line, box));
  }

  #arc = (index: number): Arc => this.#arcs[index < 0 ? ~index : index] as Arc;

  /**
   * The points of a ring. A part that is entirely beyond one edge of the box counts as a straight line, which stays beyond
   * that edge: what is inside stays the same, and a continent is as quick as an island.
   */
  #ringLine(ring: Int32Array, box: Box): Line {
    const line: Line = [];
    for (const index of ring) {
      const arc = this.#arc(index);
      const points = toLine(overlaps(arc.box, box) ? arc.points : endsOf(arc.points));
      if (index >= 0) for (const value of points) line.push(value);
      else
        for (let at = points.length - 2; at >= 0; at -= 2)
          line.push(points[at] as number, points[at + 1] as number);
    }
    return line;
  }
}

const endsOf = (points: Int32Array): Int32Array =>
  Int32Array.of(points[0] as number, points[1] as number, points.at(-2) as number, points.at(-1) as number);

const toLine = (points: Int32Array): Line => Array.from(points, (value) => value / gridScale);

const overlaps = (one: Box, other: Box): boolean =>
  one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south;

function hasPointIn(line: Line, { west, south, east, north }: Box): boolean {
  for (let at = 0; at < line.length; at += 2) {
    const [x, y] = [line[at] as number, line[at + 1] as number];
    if (x >= west && x <= east && y >= south && y <= north) return true;
  }
  return false;
}

/** Clips a polygon to a box, one edge after the other (Sutherland and Hodgman). */
function clipRing(line: Line, { west, south, east, north }: Box): Line {
  let rest = clipEdge(line, 0, west, 1);
  rest = clipEdge(rest, 0, east, -1);
  rest = clipEdge(rest, 1, south, 1);
  return clipEdge(rest, 1, north, -1);
}

/** Keeps what is on one side of a line of longitude (axis 0) or latitude (axis 1). */
function clipEdge(line: Line, axis: 0 | 1, limit: number, side: 1 | -1): Line {
  const kept: Line = [];
  const count = line.length;
  for (let at = 0; at < count; at += 2) {
    const before = (at + count - 2) % count;
    const [x, y] = [line[at] as number, line[at + 1] as number];
    const [px, py] = [line[before] as number, line[before + 1] as number];
    const [value, previous] = axis === 0 ? [x, px] : [y, py];
    const [isIn, wasIn] = [(value - limit) * side >= 0, (previous - limit) * side >= 0];
    if (isIn !== wasIn) {
      const part = (limit - previous) / (value - previous);
      kept.push(px + (x - px) * part, py + (y - py) * part);
    }
    if (isIn) kept.push(x, y);
  }
  return kept;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) break;
      factor *= 128;
    }
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }
}

/** Opens a packed file: decompressed in another thread, and decoded in short turns of the event loop. */
export async function openOutlines(packed: Uint8Array): Promise<Outlines> {
  const bytes = await new Promise<Buffer>((resolve, reject) =>
    zstdDecompress(packed, (error, file) => (error ? reject(error) : resolve(file))),
  );
  const reader = new Reader(bytes);
  const arcs: Arc[] = [];
  let decoded = 0;
  for (let left = reader.next(); left > 0; left -= 1) {
    arcs.push(readArc(reader));
    decoded += (arcs.at(-1) as Arc).points.length / 2;
    if (decoded > pointsPerTurn) {
      decoded = 0;
      await setImmediate();
    }
  }
  const rings = Array.from({ length: reader.next() }, () =>
    Int32Array.from({ length: reader.next() }, () => reader.next()),
  );
  return new Outlines(arcs, rings);
}

function readArc(reader: Reader): Arc {
  const header = reader.next();
  const isBorder = header % 2 === 1;
  const points = new Int32Array(header - (isBorder ? 1 : 0));
  let [x, y] = [0, 0];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    x += reader.next();
    y += reader.next();
    points[at] = x;
    points[at + 1] = y;
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  const box = {
    west: west / gridScale,
    south: south / gridScale,
    east: east / gridScale,
    north: north / gridScale,
  };
  return { points, isBorder, box };
}
