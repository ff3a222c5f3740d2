/** Finds conflicts between two records that an operator merges. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordRow } from '../../store/writer.ts';

/** A property that both records state differently. */
export type MergeConflict = { what: 'date' | 'venue' | 'city' | 'country'; kept: string; merged: string };
type PlaceNameOf = (kind: 'venue' | 'city', id: number) => string | null;

const comparedFields: Partial<Record<FeedKind, readonly MergeConflict['what'][]>> = {
  event: ['date', 'venue', 'city'],
  venue: ['city'],
  city: ['country'],
};

/**
 * Compares date and place of two records of a kind; a missing value is no conflict.
 * @param nameOf returns the name of a venue or city
 */
export function findConflicts(
  kind: FeedKind,
  kept: RecordRow | undefined,
  merged: RecordRow | undefined,
  nameOf: PlaceNameOf,
): MergeConflict[] {
  return (comparedFields[kind] ?? []).flatMap((what) => {
    const [one, two] = [fieldText(what, kept, nameOf), fieldText(what, merged, nameOf)];
    return one === null || two === null || one === two ? [] : [{ what, kept: one, merged: two }];
  });
}

function fieldText(
  what: MergeConflict['what'],
  row: RecordRow | undefined,
  nameOf: PlaceNameOf,
): string | null {
  if (row === undefined) return null;
  // The local date as stated.
  if (what === 'date') return (row.start_at as string | undefined)?.slice(0, 10) ?? null;
  if (what === 'country') return (row.country ?? null) as string | null;
  const id = row[`${what}_id`] as number | null | undefined;
  return id == null ? null : nameOf(what, id);
}
