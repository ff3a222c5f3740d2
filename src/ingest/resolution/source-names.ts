/** Looks up names of records in their source records and among merged records. */

import { parseMembers } from '../../store/resolution/record-content.ts';
import type { InheritedName } from '../../store/resolution/record-lookup.ts';
import { fold } from '../../text/fold.ts';
import type { StoreContext } from '../store-context.ts';

/** A folded name and its place: the country of a city; null if the place does not matter. */
export type NameAndPlace = { folded: string; place: string | null };

/**
 * Whether a source gives a record this primary name, or a record of this name was merged into it. Aliases do not count,
 * because several records can share one.
 */
export function isNamedBySource(
  { lookup, sources }: StoreContext,
  id: number,
  { folded, place }: NameAndPlace,
): boolean {
  const isGiven = ({ name, place: at }: InheritedName) =>
    fold(name) === folded && (place === null || at === place);
  if (lookup.inheritedNamesWithPlace(id).some(isGiven)) return true;
  return sources.statementsOf(id).some(({ content }) => {
    const { name, country } = parseMembers(content);
    return name != null && fold(name) === folded && (place === null || country === place);
  });
}

/**
 * Whether a venue of this name is also placed in another city: by a source, or by a record that was merged into it.
 * @param isCity whether a city's name and country mean the given city
 */
export function isPlacedInCity(
  { lookup, sources }: StoreContext,
  id: number,
  {
    folded,
    city,
    isCity,
  }: { folded: string; city: number; isCity: (name: string, country: string | null) => boolean },
): boolean {
  const isGiven = ({ name, place }: InheritedName) =>
    fold(name) === folded && lookup.cityOfSlug(place) === city;
  if (lookup.inheritedNamesWithPlace(id).some(isGiven)) return true;
  return sources.statementsOf(id).some(({ content }) => {
    const { city: stated, country = null } = parseMembers(content);
    return typeof stated === 'string' && isCity(stated, country);
  });
}
