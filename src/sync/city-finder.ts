/** Which city a line means by its name, its country, and what else it says of where it is. */
import type { LRUCache } from 'lru-cache';
import { fold } from '../store/fold.ts';
import type { Candidate, Lookup } from '../store/lookup.ts';
import type { Sources } from '../store/sources.ts';
import type { RowOf, Writer } from '../store/writer.ts';
import { isCalled } from './match/called.ts';
import { isNoPlace } from './match/no-place.ts';
import { townOf } from './match/words.ts';
import type { NameFinder } from './name-finder.ts';
import { type Chosen, Namesakes, type Whereabouts } from './namesakes.ts';
import { isRegion } from './region.ts';

/** A city by its name, as a line says it. */
export type Town = { city: string | null; country: string | null };

const cityKey = (folded: string, country: string): string => `city\0${country}\0${folded}`;
const theOnly = (id: number): Chosen => ({ id, isTold: false, among: [] });
/** In place of a city's id, where its name and country alone do not say which is meant. */
const several = -1;

export type CityTools = {
  writer: Writer;
  sources: Sources;
  lookup: Lookup;
  finder: NameFinder;
  /** What was found lately, of cities and of what lies in them; emptied when a name may mean another. */
  cache: LRUCache<string, number>;
  /** Puts a city on record under its name. */
  stub(name: string, more: RowOf): number;
};

export class CityFinder {
  readonly namesakes: Namesakes;
  readonly #writer: Writer;
  readonly #sources: Sources;
  readonly #lookup: Lookup;
  readonly #finder: NameFinder;
  readonly #cache: LRUCache<string, number>;
  readonly #stub: CityTools['stub'];

  constructor({ writer, sources, lookup, finder, cache, stub }: CityTools) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#finder = finder;
    this.#cache = cache;
    this.#stub = stub;
    this.namesakes = new Namesakes(writer, sources, lookup);
  }

  /**
   * The city of a name; without a country only one that is already known and the only one of its name. Of several of one
   * name the one that `where` says.
   */
  find(name: string | null, country: string | null, where: Whereabouts): number | null {
    return this.choose(name, country, where)?.id ?? null;
  }

  /** The same, and whether what is said tells it from others of its name. */
  choose(name: string | null, country: string | null, where: Whereabouts): Chosen | null {
    if (name === null || isNoPlace(name)) return null;
    const folded = fold(name);
    if (country === null) {
      const found = this.#lookup.byName('city', folded).map(({ id }) => id);
      if (found.length === 0) return null;
      if (found.length === 1) return theOnly(found[0] as number);
      const chosen = this.namesakes.choose(found, where);
      return chosen.isTold ? chosen : null;
    }
    const key = cityKey(folded, country);
    let id = this.#cache.get(key);
    if (id === undefined) {
      const among = this.namesakes.named(folded, country);
      id = among.length > 1 ? several : (among[0] ?? this.#named(name, country));
      this.#cache.set(key, id);
    }
    if (id !== several) return theOnly(id);
    return this.namesakes.choose(this.namesakes.named(folded, country), where);
  }

  /** Those of some cities of one name that a source may mean by what it says of one, the likeliest first. */
  likely(cities: Candidate[], said: Whereabouts): Candidate[] {
    const left = cities.filter(({ id }) => !this.namesakes.isAnother(id, said));
    if (left.length < 2) return left;
    const own = left.filter((one) => one.is_alias === 0);
    const ids = (own.length > 0 ? own : left).map(({ id }) => id);
    const { id: first } = this.namesakes.choose(ids, said);
    return left.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
  }

  /** The city in which a house is on record, by what is said of it; else by what is said of its shows. */
  ofHouse(house: number, { city, country }: Town, where: Whereabouts): number | null {
    const town = this.choose(city, country, where);
    if (town === null || town.isTold || town.among.length === 0) return town?.id ?? null;
    return this.namesakes.cityOfHouse(house, town.among);
  }

  /** A city was put on record, or what tells it from others of its name changed. */
  changed(city: number): void {
    const among = this.namesakes.of(city);
    if (among.length === 0) return;
    this.#cache.clear();
    this.namesakes.restale(among);
  }

  /** A house came into a city, or into another one: shows in those of its name may be meant for it. */
  houseMoved(house: number, city: number | null): void {
    const row = city === null ? undefined : this.#writer.row('city', city);
    if (row === undefined || city === null) return;
    const known = this.#cache.get(cityKey(row.folded as string, row.country as string));
    // The ordinary city is the only one of its name, and known to be.
    const among = known === city ? [] : this.namesakes.of(city);
    if (among.length === 0) return;
    this.#cache.clear();
    this.namesakes.restaleShows(this.#writer.nameOf('venue', house).name, among);
  }

  /** The city on record that a name means there; null where there is none. */
  onRecord(folded: string, country: string | null): number | null {
    const among = this.namesakes.named(folded, country);
    if (among.length > 1) return this.namesakes.choose(among, {}).id;
    return this.#finder.find('city', folded, (city) => city.country === country);
  }

  #named(name: string, country: string): number {
    return (
      this.#finder.find('city', fold(name), (city) => city.country === country) ??
      this.#former(name, country) ??
      this.#inRegion(name, country) ??
      this.#stub(name, { country, timezone: null })
    );
  }

  /** "Seattle, WA": the one city of this name whose region it is; not "Portland, ME" where Portland is in Oregon. */
  #inRegion(name: string, country: string): number | null {
    const town = townOf(name);
    const region = name.slice(town.length).replace(/^\s*,/, '');
    if (region.trim() === '') return null;
    const found = this.#lookup.byName('city', fold(town)).filter(({ id }) => {
      const city = this.#writer.row('city', id);
      return city?.country === country && isRegion(region, [city.region as string | null, country]);
    });
    return found.length === 1 ? (found[0] as Candidate).id : null;
  }

  /** A city that another one of this name and country went into. */
  #former(name: string, country: string): number | null {
    const folded = fold(name);
    const found = this.#lookup
      .byName('city', folded)
      .filter(({ id }) => isCalled(this.#lookup, this.#sources, id, { folded, place: country }));
    return found.length === 1 ? (found[0] as Candidate).id : null;
  }
}
