/** Festivals by name: the tools list events, and people ask them for festivals. */
import { searchWords } from '../store/fold.ts';
import type { Catalogue } from './answers.ts';

export type FestivalNamed = { slug: string; name: string; city: string | null; country: string | null };

const kindOf = /(?:^|\s)(?:the\s+)?(?:festivals?|fest|festivali|edition|line-?up|20\d{2})(?=\s|$)/giu;

/** The festivals that are called just as one of the texts, with the word "festival" or a year or without. */
export function festivalsNamed({ reader, search }: Catalogue, texts: readonly string[]): FestivalNamed[] {
  const asked = new Set(
    texts.flatMap((text) => [text.trim(), text.replace(kindOf, ' ').trim()]).filter(Boolean),
  );
  const found = new Map<number, FestivalNamed>();
  for (const text of asked) {
    // Only what is called just so: search itself would look for what may be meant.
    if (searchWords(text).length < 3 || !reader.named.isCalled('festival', text)) continue;
    for (const { id, slug, name, city, country, how } of search.named('festival', text, 3)) {
      if (how === 'name' || how === 'alias') found.set(id, { slug, name, city, country });
    }
  }
  return [...found.values()];
}
