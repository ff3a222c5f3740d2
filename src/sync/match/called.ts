/** What records are called besides their own name: by other statements of them, and by records that went into them. */
import { fold } from '../../store/fold.ts';
import type { GivenName, Lookup } from '../../store/lookup.ts';
import type { Sources } from '../../store/sources.ts';

/** A name, folded, and where it is meant: the country of a city; null where that does not matter. */
export type Called = { folded: string; place: string | null };
type Stated = { name?: string; city?: string | null; country?: string | null };

/**
 * Whether one of the record's sources gives it this very name as its own, or a record of this name went into it. An alias
 * that a source lists is less: other records may have it as well.
 */
export function isCalled(lookup: Lookup, sources: Sources, id: number, { folded, place }: Called): boolean {
  const isGiven = ({ name, place: at }: GivenName) =>
    fold(name) === folded && (place === null || at === place);
  if (lookup.given(id).some(isGiven)) return true;
  return sources.said(id).some(({ statement }) => {
    const { name, country } = JSON.parse(statement) as Stated;
    return name !== undefined && fold(name) === folded && (place === null || country === place);
  });
}

/**
 * Whether a house of this name is meant in another city than its record's: another source puts it there, or a record went
 * into it that stood there.
 * @param isCity whether a city's name and country mean the one that is asked for
 */
export function isAlsoIn(
  lookup: Lookup,
  sources: Sources,
  id: number,
  {
    folded,
    city,
    isCity,
  }: { folded: string; city: number; isCity: (name: string, country: string | null) => boolean },
): boolean {
  const isGiven = ({ name, place }: GivenName) => fold(name) === folded && lookup.cityOfSlug(place) === city;
  if (lookup.given(id).some(isGiven)) return true;
  return sources.said(id).some(({ statement }) => {
    const stated = JSON.parse(statement) as Stated;
    return typeof stated.city === 'string' && isCity(stated.city, stated.country ?? null);
  });
}
