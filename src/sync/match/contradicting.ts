/** In what two records that an operator merges do not agree. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RowOf } from '../../store/writer.ts';

/** One thing that both state, as each has it. */
export type Contradiction = { what: 'date' | 'venue' | 'city' | 'country'; kept: string; merged: string };
type NameOf = (kind: 'venue' | 'city', id: number) => string | null;

const asked: Partial<Record<FeedKind, readonly Contradiction['what'][]>> = {
  event: ['date', 'venue', 'city'],
  venue: ['city'],
  city: ['country'],
};

/**
 * What two records of a kind contradict each other in: date and place. What one of them does not state contradicts nothing.
 * @param nameOf what a venue or city on record is called
 */
export function contradictionsOf(
  kind: FeedKind,
  kept: RowOf | undefined,
  merged: RowOf | undefined,
  nameOf: NameOf,
): Contradiction[] {
  return (asked[kind] ?? []).flatMap((what) => {
    const [one, two] = [stated(what, kept, nameOf), stated(what, merged, nameOf)];
    return one === null || two === null || one === two ? [] : [{ what, kept: one, merged: two }];
  });
}

function stated(what: Contradiction['what'], row: RowOf | undefined, nameOf: NameOf): string | null {
  if (row === undefined) return null;
  // As it is written, in the time of its place.
  if (what === 'date') return (row.start_at as string | undefined)?.slice(0, 10) ?? null;
  if (what === 'country') return (row.country ?? null) as string | null;
  const id = row[`${what}_id`] as number | null | undefined;
  return id == null ? null : nameOf(what, id);
}
