/** The query parameters `near`, `radius` and `bbox`: parsing, and their descriptions (docs/spec/lists.md#places). */
import { z } from 'zod';

/** Radius of `near` in km: the default, and the largest. */
export const radiusLimits = { default: 25, maximum: 500 } as const;
const kilometresPerMile = 1.609344;

const number = String.raw`[+-]?\d{1,3}(?:\.\d{1,15})?`;
const nearPattern = new RegExp(`^(${number})\\s*,\\s*(${number})$`);
const boxPattern = new RegExp(`^(${number})\\s*,\\s*(${number})\\s*,\\s*(${number})\\s*,\\s*(${number})$`);
const radiusPattern = /^(\d{1,4}(?:\.\d{1,9})?)\s*(km|mi)?$/i;

const isLatitude = (value: number): boolean => Math.abs(value) <= 90;
const isLongitude = (value: number): boolean => Math.abs(value) <= 180;

/** Parses `latitude,longitude` in degrees; null if it is not a position. */
function parsePosition(text: string): { latitude: number; longitude: number } | null {
  const match = nearPattern.exec(text);
  if (match === null) return null;
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  return isLatitude(latitude) && isLongitude(longitude) ? { latitude, longitude } : null;
}

/** Parses a distance such as `25km` or `15mi` to km; null if it is none, or beyond the largest radius. */
function parseRadius(text: string): number | null {
  const match = radiusPattern.exec(text);
  if (match === null) return null;
  const radius = Number(match[1]) * (match[2]?.toLowerCase() === 'mi' ? kilometresPerMile : 1);
  return radius > 0 && radius <= radiusLimits.maximum ? radius : null;
}

/** Parses `west,south,east,north` in degrees; null if it is not a box. West of east: it crosses the antimeridian. */
function parseBox(text: string): { west: number; south: number; east: number; north: number } | null {
  const match = boxPattern.exec(text);
  if (match === null) return null;
  const [west, south, east, north] = match.slice(1).map(Number) as [number, number, number, number];
  const isBox = isLongitude(west) && isLongitude(east) && isLatitude(south) && isLatitude(north);
  return isBox && south <= north ? { west, south, east, north } : null;
}

export const placeFilters = {
  near: {
    description: `Only what lies within \`radius\` of this position: latitude,longitude in degrees (WGS 84). The order stays that of the list.`,
    schema: z.string().meta({ examples: ['52.52,13.40'] }),
    read: parsePosition,
    error: 'near takes a position as latitude,longitude in degrees, such as 52.52,13.40.',
  },
  radius: {
    description: `Distance around \`near\`, in km or mi: more than 0, at most ${radiusLimits.maximum}km, ${radiusLimits.default}km if it is absent. Without \`near\` it has no meaning and is refused.`,
    schema: z.string().meta({ examples: ['25km', '15mi'] }),
    read: parseRadius,
    error: `radius takes a distance in km or mi, such as 25km or 15mi: more than 0, at most ${radiusLimits.maximum}km (310mi).`,
  },
  bbox: {
    description:
      'Only what lies in this box: west,south,east,north in degrees (WGS 84). A west greater than east crosses the antimeridian. The order stays that of the list.',
    schema: z.string().meta({ examples: ['13.0,52.3,13.8,52.7'] }),
    read: parseBox,
    error:
      'bbox takes a box as west,south,east,north in degrees, such as 13.0,52.3,13.8,52.7. South must not be greater than north.',
  },
} as const;
