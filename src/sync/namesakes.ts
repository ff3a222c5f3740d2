/**
 * Cities of one name in one country ("Portland" in Oregon and in Maine), told apart by what a line says of where it is:
 * its coordinates, else its time zone, else the region in its address.
 */
import { fold, searchWords } from '../store/fold.ts';
import type { Lookup } from '../store/lookup.ts';
import type { Sources } from '../store/sources.ts';
import type { RowOf, Writer } from '../store/writer.ts';
import { distanceBetween } from './match/location.ts';
import { isWritten } from './region.ts';
import { offsetAt } from './zones.ts';

/** What a line says of where it is, beside the name of the city. */
export type Whereabouts = {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  timezone?: string | null | undefined;
  address?: string | null | undefined;
};
/** The city that is meant, whether the line says so (else it is the largest of the name), and among which it is. */
export type Chosen = { id: number; isTold: boolean; among: readonly number[] };

/** A house further away than this is not in the city, m. */
const farthest = 150_000;

export class Namesakes {
  readonly #writer: Writer;
  readonly #sources: Sources;
  readonly #lookup: Lookup;

  constructor(writer: Writer, sources: Sources, lookup: Lookup) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
  }

  /** The cities on record whose own name it is; of any country, where none is given. */
  named(folded: string, country: string | null): number[] {
    return this.#lookup
      .byName('city', folded)
      .filter((city) => city.is_alias === 0 && (country === null || city.country === country))
      .map(({ id }) => id);
  }

  /** A city and the others of its name and country; none where it is the only one. */
  of(city: number): number[] {
    const row = this.#writer.row('city', city);
    const found = row ? this.named(row.folded as string, row.country as string) : [];
    return found.length > 1 ? found : [];
  }

  /** Which of several cities is meant; the same one whichever of them came first. */
  choose(cities: readonly number[], where: Whereabouts): Chosen {
    const rows = cities.map((id) => ({ id, row: this.#writer.row('city', id) as RowOf }));
    for (const narrow of [byDistance, byZone, byRegion]) {
      const left = narrow(rows, where);
      if (left.length === 1) return { id: (left[0] as Town).id, isTold: true, among: cities };
      // Of two in one zone, that zone still rules out all others.
      if (left.length > 0 && left.length < rows.length) rows.splice(0, rows.length, ...left);
    }
    return { id: this.#foremost(rows), isTold: rows.length < cities.length, among: cities };
  }

  /** Whether what is said of a city cannot be said of this one of its name: it lies elsewhere, or has other clocks. */
  isAnother(city: number, said: Whereabouts): boolean {
    const row = this.#writer.row('city', city) as RowOf;
    const metres = away(said, row);
    if (metres !== null) return metres > farthest;
    const zone = row.timezone as string | null;
    return zone !== null && said.timezone != null && !sameClocks(zone, said.timezone);
  }

  /** The one that most people live in; of those of which that is not known the one that a source names first. */
  #foremost(towns: readonly Town[]): number {
    const ranked = towns.map(({ id, row }) => {
      const [first] = this.#sources.anchors(id);
      const anchor = first ? `${first.source_name}\0${first.external_id}` : '\uffff';
      return { id, people: (row.population as number | null) ?? -1, anchor };
    });
    return ranked.reduce((a, b) =>
      b.people > a.people || (b.people === a.people && b.anchor < a.anchor) ? b : a,
    ).id;
  }

  /**
   * The city of a house of which no line of its own says more than the name: the one that its shows say, where they are
   * agreed; else the foremost.
   */
  cityOfHouse(house: number, cities: readonly number[]): number {
    const told = this.#toldOf(house, cities);
    return told.size === 1 ? ([...told][0] as number) : this.choose(cities, {}).id;
  }

  /** Whether nothing keeps a house in the city of this name where it stands: no line of its own, and none of its shows. */
  isLoose(house: number): boolean {
    const city = this.#writer.row('venue', house)?.city_id as number | null | undefined;
    if (city == null || !this.isUnplaced(house)) return false;
    return !this.#toldOf(house, this.of(city)).has(city);
  }

  /** Whether a house stands in one of several cities of a name, and no line of its own says in which. */
  isUnplaced(house: number): boolean {
    const city = this.#writer.row('venue', house)?.city_id as number | null | undefined;
    const cities = city == null ? [] : this.of(city);
    if (cities.length === 0) return false;
    return !this.#sources
      .said(house)
      .some(({ statement }) => this.choose(cities, JSON.parse(statement) as Whereabouts).isTold);
  }

  /** The cities that the shows in a house say. */
  #toldOf(house: number, cities: readonly number[]): Set<number> {
    const told = new Set<number>();
    for (const show of this.#lookup.dependents('venue', house)) {
      for (const { statement } of this.#sources.said(show)) {
        const { timezone } = JSON.parse(statement) as Whereabouts;
        const { id, isTold } = this.choose(cities, { timezone });
        if (isTold) told.add(id);
      }
    }
    return told;
  }

  /** Has all that names one of these cities worked out again: another of them may be meant now. */
  restale(cities: readonly number[]): void {
    for (const city of cities) this.#lookup.markDependents('city', city);
  }

  /** The same of the shows in houses of this name in these cities. */
  restaleShows(name: string, cities: readonly number[]): void {
    for (const { id, city_id: city } of this.#lookup.byName('venue', fold(name))) {
      if (city === null || !cities.includes(city)) continue;
      this.#lookup.markDependents('venue', id);
    }
  }
}

type Town = { id: number; row: RowOf };

const pointOf = ({ latitude, longitude }: Whereabouts | RowOf) =>
  ({ latitude, longitude }) as { latitude: number | null; longitude: number | null };

const away = (where: Whereabouts, row: RowOf): number | null =>
  distanceBetween({ name: '', ...pointOf(where) }, { name: '', ...pointOf(row) });

/** The nearest; where all that are known to lie anywhere are far away, those of which nobody knows where they lie. */
function byDistance(towns: readonly Town[], where: Whereabouts): readonly Town[] {
  const distances = towns.map((town) => ({ town, metres: away(where, town.row) }));
  const known = distances.filter((one): one is typeof one & { metres: number } => one.metres !== null);
  if (known.length === 0) return towns;
  const nearest = known.reduce((a, b) => (b.metres < a.metres ? b : a));
  if (nearest.metres <= farthest || known.length === towns.length) return [nearest.town];
  return distances.filter(({ metres }) => metres === null).map(({ town }) => town);
}

/** Those whose clocks are this zone's, the year round; where none has them, those of which nobody knows. */
function byZone(towns: readonly Town[], { timezone }: Whereabouts): readonly Town[] {
  if (timezone == null) return towns;
  const zoned = (fits: (zone: string | null) => boolean) =>
    towns.filter(({ row }) => fits(row.timezone as string | null));
  const same = zoned((zone) => zone === timezone);
  if (same.length > 0) return same;
  const alike = zoned((zone) => zone !== null && sameClocks(zone, timezone));
  return alike.length > 0 ? alike : zoned((zone) => zone === null);
}

const winter = Date.UTC(2026, 0, 15);
const summer = Date.UTC(2026, 6, 15);

/** Whether two zones show the same clock, in winter and in summer. */
const sameClocks = (a: string, b: string): boolean =>
  [winter, summer].every((ts) => offsetAt(a, ts) === offsetAt(b, ts));

/** Those whose region stands in a part of the address that is not its first: "1 Ash St, Portland, OR 97214". */
function byRegion(towns: readonly Town[], { address }: Whereabouts): readonly Town[] {
  const parts = (address ?? '')
    .split(/[,\n]/)
    .slice(1)
    .map((part) => searchWords(part.replace(/[\d-]+/g, ' ')))
    .filter((part) => part !== '');
  if (parts.length === 0) return towns;
  return towns.filter(({ row }) => {
    const region = searchWords((row.region as string | null) ?? '');
    return region !== '' && parts.some((part) => isWritten(part, region) || isWritten(region, part));
  });
}
