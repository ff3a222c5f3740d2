import type { FeedKind } from '../../contract/feed.ts';
import { slugOf } from '../../text/slug.ts';

/**
 * Removes and returns the redirecting slug that resembles the name of these source records, which was their record's
 * slug before it was merged.
 */
export function takeFormerSlug(
  kind: FeedKind,
  rows: readonly { statement: string }[],
  former: string[],
): string | null {
  for (const { statement } of rows) {
    const stem = slugOf((JSON.parse(statement) as { name?: string }).name ?? '', kind);
    const at = former.findIndex((slug) => slug === stem || slug.startsWith(`${stem}-`));
    if (at >= 0) return former.splice(at, 1)[0] as string;
  }
  return null;
}
