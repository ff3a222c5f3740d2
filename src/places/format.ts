/**
 * The packed file of the world's places: what the build writes (`pack.ts`) and the look-up reads (`place-index.ts`).
 * Compressed with zstd: four bytes with the length of the header in UTF-8 JSON, the header, then the sections in its order,
 * each at a multiple of four bytes. Numbers are little-endian.
 */

/** Sections and the bytes of one number in them. Places are sorted by population, the largest first. */
export const sections = {
  /** Degrees times 1,000. */
  latitude: 4,
  longitude: 4,
  population: 4,
  /** Indexes into the lists of the header. */
  region: 2,
  zone: 2,
  country: 1,
  /** 1: a part of a city ("Kreuzberg"). */
  isDistrict: 1,
  /** Lengths of the names in bytes, then the names themselves. */
  nameLength: 1,
  name: 1,
  /** Names as `normalizeForSearch` returns them, sorted by bytes, and for each its place times two, plus 1 for an alternative name. */
  keyLength: 1,
  keyPlace: 4,
  key: 1,
} as const;

export type Section = keyof typeof sections;

export type PackedHeader = {
  countries: string[];
  /** English names of first-level regions; the first is empty. */
  regions: string[];
  zones: string[];
  /** Bytes of each section, without its padding. */
  bytes: Record<Section, number>;
};

/** Longer names are no names of places. */
export const maxNameBytes = 100;
export const degrees = 1_000;
/** Bytes from one multiple of four to the next. */
export const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;
