/** Shows a source record in one line, as lists of held and previewed records do. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { ListingSummary } from '../../contract/source-summaries.ts';

/** Summarizes a parsed record. */
export function summarizeListing(
  kind: FeedKind,
  external_id: string,
  statement: FeedRecordContent<FeedKind>,
): ListingSummary {
  const stated = statement as Partial<FeedRecordContent<'event'> & FeedRecordContent<'edition'>>;
  const { venue, city, country, url, festival, lineup } = stated;
  const entries = lineup as { name: string; set_start_at?: string | null }[] | null | undefined;
  const name =
    stated.name ?? `${(festival as { name?: string } | undefined)?.name ?? ''} ${stated.edition ?? ''}`;
  return {
    kind,
    external_id,
    name: name.trim(),
    start_at: stated.start_at ?? (statement as FeedRecordContent<'episode'>).published_at ?? null,
    end_at: stated.end_at ?? null,
    venue: venue?.name ?? null,
    city: city ?? venue?.city ?? null,
    country: country ?? venue?.country ?? null,
    url: url ?? null,
    acts: entries == null ? null : new Set(entries.map((entry) => entry.name)).size,
    sets: entries == null ? null : entries.filter(({ set_start_at }) => set_start_at != null).length,
  };
}
