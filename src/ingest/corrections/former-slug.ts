/** Which of the slugs that lead to a record was that of what is parted from it. */
import type { FeedKind } from '../../contract/feed.ts';
import { slugOf } from '../../text/slug.ts';

/** The slug that these statements' record had before it went into another one, if it reads like their name; taken out of `former`. */
export function takeFormerSlug(kind: FeedKind, contents: readonly string[], former: string[]): string | null {
  for (const content of contents) {
    const stem = slugOf((JSON.parse(content) as { name?: string }).name ?? '', kind);
    const at = former.findIndex((slug) => slug === stem || slug.startsWith(`${stem}-`));
    if (at >= 0) return former.splice(at, 1)[0] as string;
  }
  return null;
}
