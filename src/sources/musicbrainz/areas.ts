/** Areas of MusicBrainz: which city and which country a place lies in, through what contains what. */

import { countryCodes } from '../../contract/parameters.ts';
import type { JsonObject } from '../common/values.ts';
import { asObject, nonEmptyText, parseRelations } from './entity.ts';

type Area = { name: string; type: string; country: string | null; parent: string | null };

/** There are 120,000 areas; more are none. */
const maxAreas = 500_000;
/** Nothing on earth is contained in more. */
const maxDepth = 12;

export class AreaIndex {
  readonly #areas = new Map<string, Area>();

  /** Learns an area, and those it is part of. */
  add(value: JsonObject): void {
    const id = nonEmptyText(value.id);
    const name = nonEmptyText(value.name);
    if (id === undefined || name === undefined || this.#areas.size >= maxAreas) return;
    const parent = parseRelations(value).find(
      ({ type, target, direction, ended }) =>
        target === 'area' && type === 'part of' && direction === 'backward' && !ended,
    )?.entity;
    const known = this.#areas.get(id);
    this.#areas.set(id, {
      name,
      type: nonEmptyText(value.type) ?? known?.type ?? '',
      country: countryCodeOf(value) ?? known?.country ?? null,
      parent: nonEmptyText(parent?.id) ?? known?.parent ?? null,
    });
    if (parent) this.add({ ...parent, relations: [], 'relation-list': [] });
  }

  /** The country of an area: its own code, or that of what contains it. */
  countryOf(value: unknown): string | null {
    const area = asObject(value);
    if (area === null) return null;
    return (
      countryCodeOf(area) ?? this.#ancestors(area).find(({ country }) => country !== null)?.country ?? null
    );
  }

  /**
   * The name of the city that an area is, or lies in. Of an area that nobody knows to be one, the city that the address
   * names counts, then its own name; countries are no cities.
   */
  cityOf(value: unknown, written?: string | null): string | null {
    const area = asObject(value);
    const name = nonEmptyText(area?.name);
    if (area === null || name === undefined) return written ?? null;
    const above = this.#ancestors(area);
    const isCity = (type: string) => type === 'City' || type === 'Municipality';
    const type = nonEmptyText(area.type) ?? above[0]?.type ?? '';
    if (isCity(type)) return name;
    const city = above.find((each) => isCity(each.type));
    if (city) return city.name;
    const isLarge =
      /^(?:Country|Subdivision|County|Island)$/.test(type) || Array.isArray(area['iso-3166-1-codes']);
    return written ?? (isLarge ? null : name);
  }

  /** The region a city lies in: the first subdivision above it. */
  regionOf(value: unknown): string | null {
    const area = asObject(value);
    if (area === null) return null;
    return this.#ancestors(area).find(({ type }) => type === 'Subdivision')?.name ?? null;
  }

  /** The area as it is known, and those above it; containment that goes in circles ends. */
  #ancestors(area: JsonObject): Area[] {
    const found: Area[] = [];
    let id: string | null = nonEmptyText(area.id) ?? null;
    while (id !== null && found.length < maxDepth) {
      const known = this.#areas.get(id);
      if (known === undefined) break;
      found.push(known);
      id = known.parent;
    }
    return found;
  }
}

function countryCodeOf(area: JsonObject): string | null {
  const codes = [area['iso-3166-1-codes'], area['iso-3166-2-codes'], area['iso-3166-3-codes']]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((code) => (typeof code === 'string' ? code.slice(0, 2).toUpperCase() : ''));
  return codes.find((code) => countryCodes.has(code)) ?? null;
}
