/** Finds what a removed record named: no rows refer to it any more, but its source records still have the names. */

import type { FeedKind } from '../../contract/feed.ts';
import { parseMembers } from '../../store/resolution/record-content.ts';
import type { RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { RecordReference } from '../../store/resolution/removal-store.ts';
import { fold } from '../../text/fold.ts';

/** The records that a source record names, by their names. */
export function namedIn(lookup: RecordLookup, content: string): RecordReference[] {
  const { lineup, artists, venue, festival } = parseMembers(content);
  // An event names the festival within its edition, an edition its festival.
  const festivalReference = festival != null && 'festival' in festival ? festival.festival : festival;
  const names: [FeedKind, string | undefined][] = [
    ...[...(lineup ?? []), ...(artists ?? [])].map(({ name }): [FeedKind, string] => ['artist', name]),
    ['venue', venue?.name],
    ['festival', festivalReference?.name],
  ];
  return names.flatMap(([kind, name]) =>
    name === undefined ? [] : lookup.byName(kind, fold(name)).map(({ id }) => ({ kind, id })),
  );
}
