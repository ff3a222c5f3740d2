/** Looks up places of the world by name or position in the packed file, without unpacking its records. */
import { zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { normalizeForSearch } from '../text/fold.ts';
import { degrees, maxNameBytes, type PackedHeader, padded, type Section, sections } from './format.ts';

/** A city, town or district as GeoNames knows it. */
export type Place = {
  /** Rank by population, from 0; identifies the place within one version of the program. */
  rank: number;
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** English or local name of the first-level region; null if unknown. */
  region: string | null;
  latitude: number;
  longitude: number;
  population: number | null;
  timezone: string;
  /** Whether it is a part of a city ("Kreuzberg"). */
  isDistrict: boolean;
};

/** A place with a name; `isAlternative` if it is only one of its other names. */
export type NamedPlace = { place: Place; isAlternative: boolean };

/** Maximum number of places that share a name. */
const maxNamesakes = 400;
/** Above all ranks. */
const maxPlaces = 2 ** 20;
/** Longer texts are no names of places. */
const maxNameLength = 100;

/** The index of places. It reads the file in place and keeps no records. */
export class PlaceIndex {
  readonly #header: PackedHeader;
  readonly #latitude: Int32Array;
  readonly #longitude: Int32Array;
  readonly #population: Uint32Array;
  readonly #region: Uint16Array;
  readonly #zone: Uint16Array;
  readonly #country: Uint8Array;
  readonly #isDistrict: Uint8Array;
  readonly #names: Buffer;
  readonly #nameStarts: Uint32Array;
  readonly #keys: Buffer;
  readonly #keyStarts: Uint32Array;
  readonly #keyPlaces: Uint32Array;

  /** @param file the decompressed file in the format of `format.ts` */
  constructor(file: Buffer) {
    const headerLength = file.readUInt32LE(0);
    this.#header = JSON.parse(file.toString('utf8', 4, 4 + headerLength)) as PackedHeader;
    let start = 4 + padded(headerLength);
    const parts = {} as Record<Section, Buffer>;
    for (const name of Object.keys(sections) as Section[]) {
      parts[name] = file.subarray(start, start + this.#header.bytes[name]);
      start += padded(this.#header.bytes[name]);
    }
    const words = ({ buffer, byteOffset, length }: Buffer) => new Uint32Array(buffer, byteOffset, length / 4);
    const signed = ({ buffer, byteOffset, length }: Buffer) => new Int32Array(buffer, byteOffset, length / 4);
    const halves = ({ buffer, byteOffset, length }: Buffer) =>
      new Uint16Array(buffer, byteOffset, length / 2);
    this.#latitude = signed(parts.latitude);
    this.#longitude = signed(parts.longitude);
    this.#population = words(parts.population);
    this.#region = halves(parts.region);
    this.#zone = halves(parts.zone);
    this.#country = parts.country;
    this.#isDistrict = parts.isDistrict;
    this.#names = parts.name;
    this.#nameStarts = startsOf(parts.nameLength);
    this.#keys = parts.key;
    this.#keyStarts = startsOf(parts.keyLength);
    this.#keyPlaces = words(parts.keyPlace);
  }

  /** The number of places. */
  get size(): number {
    return this.#latitude.length;
  }

  /** The place of a rank, which must be below `size`. */
  at(rank: number): Place {
    const { countries, regions, zones } = this.#header;
    return {
      rank,
      name: this.#names.toString('utf8', this.#nameStarts[rank], this.#nameStarts[rank + 1]),
      country: countries[this.#country[rank] as number] as string,
      region: regions[this.#region[rank] as number] || null,
      latitude: (this.#latitude[rank] as number) / degrees,
      longitude: (this.#longitude[rank] as number) / degrees,
      population: this.#population[rank] || null,
      timezone: zones[this.#zone[rank] as number] as string,
      isDistrict: this.#isDistrict[rank] === 1,
    };
  }

  /** The places with this name in any spelling and language, in any country if none is given; no order is promised. */
  named(name: string, country: string | null = null): NamedPlace[] {
    if (name.length > maxNameLength) return [];
    const key = Buffer.from(normalizeForSearch(name));
    if (key.length === 0 || key.length > maxNameBytes) return [];
    const code = country === null ? -1 : this.#header.countries.indexOf(country);
    const places: NamedPlace[] = [];
    for (let at = this.#firstKeyFrom(key); this.#compareKey(at, key) === 0; at++) {
      const value = this.#keyPlaces[at] as number;
      const rank = value >>> 1;
      if (country !== null && this.#country[rank] !== code) continue;
      places.push({ place: this.at(rank), isAlternative: value % 2 === 1 });
      if (places.length === maxNamesakes) break;
    }
    return places;
  }

  /**
   * The places whose names start with a text, the best known first.
   * @param fits further conditions
   */
  startingWith(prefix: string, limit: number, fits: (place: Place) => boolean = () => true): Place[] {
    if (prefix.length > maxNameLength || limit < 1) return [];
    const key = Buffer.from(normalizeForSearch(prefix));
    if (key.length === 0) return [];
    const ranked: number[] = [];
    // No text in UTF-8 has this byte, so all keys that start with the prefix are before it.
    const end = this.#firstKeyFrom(Buffer.concat([key, Buffer.from([0xff])]));
    for (let at = this.#firstKeyFrom(key); at < end; at++) {
      const value = this.#keyPlaces[at] as number;
      const rank = value >>> 1;
      const isAlternative = value % 2 === 1;
      const length = (this.#keyStarts[at + 1] as number) - (this.#keyStarts[at] as number);
      // Of the names of Mumbai in all languages, one starts with "mün".
      if (isAlternative && length > key.length * 2) continue;
      ranked.push((isAlternative ? rank * 4 + 200 : rank) * maxPlaces + rank);
    }
    const places = new Map<number, Place>();
    for (const value of Float64Array.from(ranked).sort()) {
      const place = this.at(value % maxPlaces);
      if (!places.has(place.rank) && fits(place)) places.set(place.rank, place);
      if (places.size === limit) break;
    }
    return [...places.values()];
  }

  /** The place nearest to a position within `maxKm`; null if there is none. */
  nearest(latitude: number, longitude: number, maxKm: number): Place | null {
    const [north, east] = [latitude * degrees, longitude * degrees];
    const width = Math.cos((latitude * Math.PI) / 180);
    const max = (maxKm / kmPerDegree) * degrees;
    let [nearest, least] = [-1, max * max];
    for (let rank = 0; rank < this.#latitude.length; rank++) {
      const dy = (this.#latitude[rank] as number) - north;
      if (dy > max || dy < -max) continue;
      const turn = Math.abs((this.#longitude[rank] as number) - east);
      const dx = Math.min(turn, 360 * degrees - turn) * width;
      const square = dx * dx + dy * dy;
      if (square < least) [nearest, least] = [rank, square];
    }
    return nearest < 0 ? null : this.at(nearest);
  }

  /** The best known places within a box in degrees, which may not cross the 180th meridian. */
  within(box: { west: number; south: number; east: number; north: number }, limit: number): Place[] {
    const [west, south, east, north] = [box.west, box.south, box.east, box.north].map(
      (value) => value * degrees,
    ) as [number, number, number, number];
    const places: Place[] = [];
    for (let rank = 0; rank < this.#latitude.length && places.length < limit; rank++) {
      const [y, x] = [this.#latitude[rank] as number, this.#longitude[rank] as number];
      if (y >= south && y <= north && x >= west && x <= east) places.push(this.at(rank));
    }
    return places;
  }

  /** The position of the first key that is not before this one. */
  #firstKeyFrom(key: Buffer): number {
    let [low, high] = [0, this.#keyPlaces.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareKey(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compareKey(at: number, key: Buffer): number {
    if (at >= this.#keyPlaces.length) return 1;
    return this.#keys.compare(key, 0, key.length, this.#keyStarts[at], this.#keyStarts[at + 1]);
  }
}

const kmPerDegree = 111.2;

/** The start of each part, and the end of the last. */
function startsOf(lengths: Uint8Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++)
    starts[at + 1] = (starts[at] as number) + (lengths[at] as number);
  return starts;
}

/** Opens a packed file; about 20 ms. */
export const openPlaceIndex = (packed: Uint8Array): PlaceIndex =>
  new PlaceIndex(aligned(zstdDecompressSync(packed)));

/** Like `openPlaceIndex`, but decompresses in another thread. */
export function openPlaceIndexAsync(packed: Uint8Array): Promise<PlaceIndex> {
  return new Promise((resolve, reject) =>
    zstdDecompress(packed, (error, file) => (error ? reject(error) : resolve(new PlaceIndex(aligned(file))))),
  );
}

/** Typed arrays need an address that is a multiple of four. */
const aligned = (file: Buffer): Buffer =>
  file.byteOffset % 4 === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
