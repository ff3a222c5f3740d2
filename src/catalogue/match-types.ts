/** How names match a query. */
import type { NameHit } from '../store/search/search-index.ts';

/** How a name matched: entirely, at its beginning, in some words, or after spelling correction. */
export type MatchType = 'name' | 'alias' | 'beginning' | 'words' | 'guess' | 'part of a guess';

/** Returns how a query, normalized by `normalizeForSearch`, matched a name. */
export function matchTypeOf(
  query: string,
  nameHit: Pick<NameHit, 'words' | 'terms' | 'is_alias'>,
): MatchType {
  const withoutSpaces = (words: string) => words.replaceAll(' ', '');
  if (withoutSpaces(nameHit.words) === withoutSpaces(query)) return nameHit.is_alias ? 'alias' : 'name';
  if (nameHit.words.startsWith(query)) return 'beginning';
  const own = nameHit.terms.split(' ');
  const queryWords = query.split(' ');
  const last = queryWords.pop() as string;
  if (queryWords.every((word) => own.includes(word)) && own.some((word) => word.startsWith(last)))
    return 'words';
  return nameHit.words.split(' ').length === queryWords.length + 1 ? 'guess' : 'part of a guess';
}
