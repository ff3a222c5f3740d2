/** Resolves areas of MusicBrainz to cities and countries, by their containment. */

import { countryCodes } from '../../contract/parameters.ts';
import type { JsonObject } from '../common/values.ts';
import { asObject, nonEmptyText, parseRelations } from './entity.ts';

type Area = { name: string; type: string; country: string | null; parent: string | null };

/** Above the 120,000 areas of MusicBrainz. */
const maxAreas = 500_000;
/** Max levels of containment. */
const maxDepth = 12;

/** The areas of a dump by id, up to 500,000, to find the country and the city of an area through those around it. */
export class AreaIndex {
  readonly #areas = new Map<string, Area>();

  /** Adds an area and its parent areas. */
  add(value: JsonObject): void {
    const id = nonEmptyText(value.id);
    const name = nonEmptyText(value.name);
    if (id === undefined || name === undefined || this.#areas.size >= maxAreas) return;
    const parent = parseRelations(value).find(
      ({ type, target, direction, ended }) =>
        target === 'area' && type === 'part of' && direction === 'backward' && !ended,
    )?.entity;
    const previous = this.#areas.get(id);
    this.#areas.set(id, {
      name,
      type: nonEmptyText(value.type) ?? previous?.type ?? '',
      country: countryCodeOf(value) ?? previous?.country ?? null,
      parent: nonEmptyText(parent?.id) ?? previous?.parent ?? null,
    });
    if (parent) this.add({ ...parent, relations: [], 'relation-list': [] });
  }

  /** Returns the country of an area: its own code, or that of an area that contains it. */
  countryOf(value: unknown): string | null {
    const area = asObject(value);
    if (area === null) return null;
    return (
      countryCodeOf(area) ?? this.#ancestors(area).find(({ country }) => country !== null)?.country ?? null
    );
  }

  /**
   * Returns the name of the city that an area is or lies in. For an area of unknown type, the city of the address has
   * priority over the name of the area. Countries are not cities.
   */
  cityOf(value: unknown, addressCity?: string | null): string | null {
    const area = asObject(value);
    const name = nonEmptyText(area?.name);
    if (area === null || name === undefined) return addressCity ?? null;
    const ancestors = this.#ancestors(area);
    const isCity = (type: string) => type === 'City' || type === 'Municipality';
    const type = nonEmptyText(area.type) ?? ancestors[0]?.type ?? '';
    if (isCity(type)) return name;
    const city = ancestors.find((each) => isCity(each.type));
    if (city) return city.name;
    const isLarge =
      /^(?:Country|Subdivision|County|Island)$/.test(type) || Array.isArray(area['iso-3166-1-codes']);
    return addressCity ?? (isLarge ? null : name);
  }

  /** Returns the region of a city: the first subdivision above it. */
  regionOf(value: unknown): string | null {
    const area = asObject(value);
    if (area === null) return null;
    return this.#ancestors(area).find(({ type }) => type === 'Subdivision')?.name ?? null;
  }

  /** Returns the area and the areas that contain it. Circular containment ends. */
  #ancestors(area: JsonObject): Area[] {
    const ancestors: Area[] = [];
    let id: string | null = nonEmptyText(area.id) ?? null;
    while (id !== null && ancestors.length < maxDepth) {
      const current = this.#areas.get(id);
      if (current === undefined) break;
      ancestors.push(current);
      id = current.parent;
    }
    return ancestors;
  }
}

function countryCodeOf(area: JsonObject): string | null {
  const codes = [area['iso-3166-1-codes'], area['iso-3166-2-codes'], area['iso-3166-3-codes']]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((code) => (typeof code === 'string' ? code.slice(0, 2).toUpperCase() : ''));
  return codes.find((code) => countryCodes.has(code)) ?? null;
}
