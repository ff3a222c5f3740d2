/** Finds festivals by name: the tools list events, but people also ask for festivals. */
import { normalizeForSearch } from '../text/fold.ts';
import type { Catalogue } from './request.ts';

export type FestivalMatch = { slug: string; name: string; city: string | null; country: string | null };

const festivalWords = /(?:^|\s)(?:the\s+)?(?:festivals?|fest|festivali|edition|line-?up|20\d{2})(?=\s|$)/giu;

/** Returns the festivals whose name equals one of the texts, ignoring the word "festival" and a year. */
export function findFestivals({ reader, search }: Catalogue, texts: readonly string[]): FestivalMatch[] {
  const names = new Set(
    texts.flatMap((text) => [text.trim(), text.replace(festivalWords, ' ').trim()]).filter(Boolean),
  );
  const festivals = new Map<number, FestivalMatch>();
  for (const text of names) {
    // Only exact names: search would also return corrected spellings.
    if (normalizeForSearch(text).length < 3 || !reader.namedRecords.hasName('festival', text)) continue;
    for (const { id, slug, name, city, country, how } of search.findByName('festival', text, 3)) {
      if (how === 'name' || how === 'alias') festivals.set(id, { slug, name, city, country });
    }
  }
  return [...festivals.values()];
}
