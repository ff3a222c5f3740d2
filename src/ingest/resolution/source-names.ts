/** What records are called besides their own name: by other statements of them, and by records that went into them. */

import type { InheritedName, RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import { fold } from '../../text/fold.ts';

/** A name, folded, and where it is meant: the country of a city; null where that does not matter. */
export type NameAndPlace = { folded: string; place: string | null };
type NameStatement = { name?: string; city?: string | null; country?: string | null };

/**
 * Whether one of the record's sources gives it this very name as its own, or a record of this name went into it. An alias
 * that a source lists is less: other records may have it as well.
 */
export function isNamedBySource(
  lookup: RecordLookup,
  sources: SourceRecords,
  id: number,
  { folded, place }: NameAndPlace,
): boolean {
  const isGiven = ({ name, place: at }: InheritedName) =>
    fold(name) === folded && (place === null || at === place);
  if (lookup.inheritedNamesWithPlace(id).some(isGiven)) return true;
  return sources.statementsOf(id).some(({ content: statement }) => {
    const { name, country } = JSON.parse(statement) as NameStatement;
    return name !== undefined && fold(name) === folded && (place === null || country === place);
  });
}

/**
 * Whether a house of this name is meant in another city than its record's: another source puts it there, or a record went
 * into it that stood there.
 * @param isCity whether a city's name and country mean the one that is asked for
 */
export function isPlacedInCity(
  lookup: RecordLookup,
  sources: SourceRecords,
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
  return sources.statementsOf(id).some(({ content: statement }) => {
    const stated = JSON.parse(statement) as NameStatement;
    return typeof stated.city === 'string' && isCity(stated.city, stated.country ?? null);
  });
}
