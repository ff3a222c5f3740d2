/** Builds full-text expressions (FTS5) for words of names. */
import type { SearchIndex } from '../store/search/search-index.ts';

/** Quotes a text for FTS5; quoted text contains no operators. */
export const quoteFts = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Joins alternatives, each once. */
export const anyOf = (expressions: Iterable<string>): string => {
  const all = [...new Set(expressions)];
  return all.length === 1 ? (all[0] as string) : `(${all.join(' OR ')})`;
};

/**
 * The expressions for a phrase whose last word may go on; empty if no word begins so. They name the words that begin
 * so: for a prefix, FTS5 would collect all their names before it returns the first.
 */
export function prefixExpressions(index: SearchIndex, phrase: string): string[] {
  const at = phrase.lastIndexOf(' ') + 1;
  const words = index.completions(phrase.slice(at));
  if (words === null) return [`${quoteFts(phrase)} *`];
  return words.map((word) => quoteFts(phrase.slice(0, at) + word));
}

/** `prefixExpressions` as one expression; null if no word begins so. */
export function prefixExpression(index: SearchIndex, phrase: string): string | null {
  const expressions = prefixExpressions(index, phrase);
  return expressions.length === 0 ? null : anyOf(expressions);
}
