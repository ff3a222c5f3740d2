/** The part of the world that a map shows, and where its points are drawn. */
import type { Box } from './outlines.ts';

/** Size of a map in pixels. */
export const mapSize = { width: 640, height: 360 } as const;
/** Widths of maps in kilometres: around a venue, and around a city. */
export const mapWidthsKm = { venue: 36, city: 200 } as const;
export type MapScale = keyof typeof mapWidthsKm;

/** What a map shows: the surroundings of a position in degrees. */
export type MapPosition = { latitude: number; longitude: number; scale: MapScale };

const kmPerDegree = 111.2;

/** An area around a position, in a projection that keeps distances near its centre. */
export type MapArea = {
  box: Box;
  pixelsPerKm: number;
  /** Converts degrees to pixels. */
  x: (longitude: number) => number;
  y: (latitude: number) => number;
};

/** Whether a map of a position can be drawn: not near the poles, where the projection has no width. */
export const isMappable = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 80 && Math.abs(longitude) <= 180;

/** Returns the area around a position. */
export function mapArea(latitude: number, longitude: number, scale: MapScale): MapArea {
  const { width, height } = mapSize;
  const pixelsPerKm = width / mapWidthsKm[scale];
  const [perDegreeY, perDegreeX] = [
    pixelsPerKm * kmPerDegree,
    pixelsPerKm * kmPerDegree * Math.cos((latitude * Math.PI) / 180),
  ];
  const box = {
    west: longitude - width / 2 / perDegreeX,
    east: longitude + width / 2 / perDegreeX,
    south: latitude - height / 2 / perDegreeY,
    north: latitude + height / 2 / perDegreeY,
  };
  return {
    box,
    pixelsPerKm,
    x: (degrees) => width / 2 + (degrees - longitude) * perDegreeX,
    y: (degrees) => height / 2 - (degrees - latitude) * perDegreeY,
  };
}

/** The path of a map below the site URL: rounded to 100 m for a venue, to a kilometre for a city. */
export function mapPath(latitude: number, longitude: number, scale: MapScale): string | null {
  if (!isMappable(latitude, longitude)) return null;
  const digits = scale === 'venue' ? 3 : 2;
  return `/media/map/1-${latitude.toFixed(digits)},${longitude.toFixed(digits)}-${scale}.svg`;
}

/** Parses the path of a map; null if it is not one. Only the spelling that `mapPath` writes is accepted. */
export function parseMapPath(path: string): MapPosition | null {
  const match = /^\/media\/map\/1-(-?\d{1,2}\.\d{2,3}),(-?\d{1,3}\.\d{2,3})-(venue|city)\.svg$/.exec(path);
  if (match === null) return null;
  const place = {
    latitude: Number(match[1]),
    longitude: Number(match[2]),
    scale: match[3] as MapScale,
  };
  return mapPath(place.latitude, place.longitude, place.scale) === path ? place : null;
}
