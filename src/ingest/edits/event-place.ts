/** Keeps the venue, city and country of an edited event together. */
import type { FeedKind } from '../../contract/feed.ts';
import type { FieldState } from '../../contract/record-details.ts';
import type { FieldEdits } from './change-set.ts';

/** The place of an event: a venue decides over a city that was set before. */
const placeFields = ['city', 'country'];

/** A venue that is set without its place lies where the record is. It replaces a city that was set before. */
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
  const shown = (field: string) => {
    const edited = edits.get(field)?.set;
    return (edited ? edited.value : states.find(({ name }) => name === field)?.value) as string | null;
  };
  if (venue.city == null) {
    edits.set('venue', {
      added: new Map(),
      removed: new Map(),
      set: { value: { ...venue, city: shown('city'), country: venue.country ?? shown('country') } },
    });
    return;
  }
  for (const field of placeFields) {
    const isEdited = states.find(({ name }) => name === field)?.edit != null;
    if (isEdited && !edits.has(field)) edits.set(field, { set: null, added: new Map(), removed: new Map() });
  }
}
