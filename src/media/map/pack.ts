/**
 * Packs the outlines of the world's countries (Natural Earth 1:10m, public domain, from the package world-atlas) for
 * `outlines.ts`. Lines are differences of grid coordinates in variable-length integers, compressed with Zstandard.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, zstdCompressSync } from 'node:zlib';
import { gridScale } from './outlines.ts';

type Topology = {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: {
    countries: { geometries: { arcs: unknown }[] };
    land: { geometries: { type: string; arcs: number[][][] }[] };
  };
};

class Bytes {
  readonly #bytes: number[] = [];

  /** Adds an integer: seven bits per byte, the sign in the lowest bit. */
  add(value: number): void {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) + 128);
    this.#bytes.push(rest);
  }

  toBuffer = (): Buffer => Buffer.from(this.#bytes);
}

/**
 * Packs the outlines of the installed package world-atlas. Returns the content of the file that `outlines.ts` reads.
 */
export function packInstalledOutlines(): Buffer {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-10m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology;
  const borders = borderArcs(topology);
  const bytes = new Bytes();
  bytes.add(topology.arcs.length);
  topology.arcs.forEach((arc, index) => {
    packArc(bytes, toGrid(topology, arc), borders.has(index));
  });
  const rings = topology.objects.land.geometries.flatMap(({ arcs }) => arcs.flat());
  bytes.add(rings.length);
  for (const ring of rings) {
    bytes.add(ring.length);
    for (const arc of ring) bytes.add(arc);
  }
  const params = { [constants.ZSTD_c_compressionLevel]: 19 };
  return zstdCompressSync(bytes.toBuffer(), { params });
}

/** The indices of the lines that two countries share. */
function borderArcs({ objects }: Topology): Set<number> {
  const users = new Map<number, number>();
  for (const { arcs } of objects.countries.geometries) {
    const own = new Set([arcs].flat(4).map((arc) => (Number(arc) < 0 ? ~Number(arc) : Number(arc))));
    for (const arc of own) users.set(arc, (users.get(arc) ?? 0) + 1);
  }
  return new Set([...users].flatMap(([arc, count]) => (count > 1 ? [arc] : [])));
}

/** The points of a line in steps of the grid. */
function toGrid({ transform: { scale, translate } }: Topology, arc: [number, number][]): [number, number][] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    [x, y] = [x + dx, y + dy];
    return [
      Math.round((x * scale[0] + translate[0]) * gridScale),
      Math.round((y * scale[1] + translate[1]) * gridScale),
    ];
  });
}

function packArc(bytes: Bytes, points: [number, number][], isBorder: boolean): void {
  bytes.add(points.length * 2 + (isBorder ? 1 : 0));
  let [x, y] = [0, 0];
  for (const [px, py] of points) {
    bytes.add(px - x);
    bytes.add(py - y);
    [x, y] = [px, py];
  }
}
