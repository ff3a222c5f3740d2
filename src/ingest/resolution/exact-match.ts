/**
 * Which record a source's new statement of a city, genre, podcast, edition or episode speaks of: by folded name and
 * parent. Shows, venues, artists, labels and festivals are weighed (match/).
 */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { NameMatch } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import { fold } from '../../text/fold.ts';
import type { RebuildContext } from '../records/rebuild-context.ts';
import type { SourceRun } from './reference-resolver.ts';
import { isNamedBySource } from './source-names.ts';

/** The record that is meant, of those that the source does not know under another id already; null where it is a new one. */
export function findExactMatch(
  context: RebuildContext,
  sources: SourceRecords,
  kind: FeedKind,
  statement: FeedRecordContent<FeedKind>,
  sourceRun: SourceRun,
): number | null {
  const isFree = (id: number) => !sources.hasRecord(sourceRun.sourceId, kind, id);
  switch (kind) {
    case 'edition': {
      const { festival, edition } = statement as FeedRecordContent<'edition'>;
      return context.lookup.edition(context.resolver.festival(festival, sourceRun), edition);
    }
    case 'episode': {
      const { podcast, name } = statement as FeedRecordContent<'episode'>;
      const found = context.lookup.episodes(context.resolver.podcast(podcast, sourceRun), fold(name));
      return found.find(isFree) ?? null;
    }
    default: {
      const { name, country = null } = statement as { name: string; country?: string | null };
      const folded = fold(name);
      const place = kind === 'city' ? country : null;
      const known = context.lookup.byName(kind, folded).filter(({ id }) => isFree(id));
      const free =
        kind === 'city'
          ? context.resolver.cities.rankCandidates(known, statement as FeedRecordContent<'city'>)
          : known;
      const isOwn = (one: NameMatch) => one.is_alias === 0 && (kind !== 'city' || one.country === country);
      const own = free.find(isOwn);
      // What went into another record is that one, under its name and at its place.
      return (
        (own ?? free.find(({ id }) => isNamedBySource(context.lookup, sources, id, { folded, place })))?.id ??
        null
      );
    }
  }
}
