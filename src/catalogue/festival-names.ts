/** Festivals by name: the tools list events, and people ask them for festivals. */
import { normalizeForSearch } from '../text/fold.ts';
import type { Catalogue } from './handlers.ts';

export type FestivalMatch = { slug: string; name: string; city: string | null; country: string | null };

const festivalWords = /(?:^|\s)(?:the\s+)?(?:festivals?|fest|festivali|edition|line-?up|20\d{2})(?=\s|$)/giu;

/** The festivals that are called just as one of the texts, with the word "festival" or a year or without. */
export function findFestivals({ reader, search }: Catalogue, texts: readonly string[]): FestivalMatch[] {
  const asked = new Set(
    texts.flatMap((text) => [text.trim(), text.replace(festivalWords, ' ').trim()]).filter(Boolean),
  );
  const found = new Map<number, FestivalMatch>();
  for (const text of asked) {
    // Only what is called just so: search itself would look for what may be meant.
    if (normalizeForSearch(text).length < 3 || !reader.namedRecords.hasName('festival', text)) continue;
    for (const { id, slug, name, city, country, how } of search.findByName('festival', text, 3)) {
      if (how === 'name' || how === 'alias') found.set(id, { slug, name, city, country });
    }
  }
  return [...found.values()];
}
