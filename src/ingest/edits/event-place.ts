/** Keeps the venue, city and country of an edited event together. */
import type { FeedKind } from '../../contract/feed.ts';
import type { FieldState } from '../../contract/record-details.ts';
import { Failure } from '../../failure.ts';
import type { FieldEdits } from './change-set.ts';

/** The place of an event: a venue decides over a city that was set before. */
const placeFields = ['city', 'country'];

/**
 * A venue that is set without its place lies where the record is. It replaces a city that was set before.
 * @param edits the changed fields, which this completes
 * @throws Failure for a venue in another country without its city
 */
export function completePlace(
  kind: FeedKind,
  edits: Map<string, FieldEdits>,
  states: readonly FieldState[],
): void {
  if (kind !== 'event' && kind !== 'edition') return;
  const venue = edits.get('venue')?.set?.value as
    | { name: string; city?: string | null; country?: string | null }
    | null
    | undefined;
  if (venue == null) return;
  const shownValue = (field: string) => {
    const edited = edits.get(field)?.set;
    return (edited ? edited.value : states.find(({ name }) => name === field)?.value) as string | null;
  };
  if (venue.city == null) {
    const country = shownValue('country');
    if (venue.country != null && country != null && venue.country !== country && !edits.get('city')?.set)
      throw new Failure(
        `The venue is in ${venue.country}, and the ${kind} was in ${country}. Name the city of the venue as well. Nothing was changed.`,
        2,
        { field: 'venue', code: 'venue_city_missing' },
      );
    edits.set('venue', {
      added: new Map(),
      removed: new Map(),
      set: { value: { ...venue, city: shownValue('city'), country: venue.country ?? country } },
    });
    return;
  }
  for (const field of placeFields) {
    const isEdited = states.find(({ name }) => name === field)?.edit != null;
    if (isEdited && !edits.has(field)) edits.set(field, { set: null, added: new Map(), removed: new Map() });
  }
}
