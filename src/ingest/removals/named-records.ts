/** Finds what a removed record named: no rows refer to it any more, but its source records still have the names. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { RecordReference } from '../../store/resolution/removal-store.ts';
import { fold } from '../../text/fold.ts';

/** The members of events, editions and episodes that name other records. */
type NamingContent = {
  lineup?: { name: string }[] | null;
  artists?: { name: string }[] | null;
  venue?: { name: string } | null;
  festival?: { name?: string; festival?: { name: string } } | null;
};

/** The records that a source record names, by their names. */
export function namedIn(lookup: RecordLookup, content: string): RecordReference[] {
  const { lineup, artists, venue, festival } = JSON.parse(content) as NamingContent;
  const festivalName = festival?.festival?.name ?? festival?.name;
  const names: [FeedKind, string | undefined][] = [
    ...[...(lineup ?? []), ...(artists ?? [])].map(({ name }): [FeedKind, string] => ['artist', name]),
    ['venue', venue?.name],
    ['festival', festivalName],
  ];
  return names.flatMap(([kind, name]) =>
    name === undefined ? [] : lookup.byName(kind, fold(name)).map(({ id }) => ({ kind, id })),
  );
}
