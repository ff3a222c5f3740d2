/** Whether pages are in one language. */
import assert from 'node:assert/strict';
import type { load } from 'cheerio/slim';
import type * as en from '../../src/pages/messages/en.ts';

/** All texts of a language by path; functions with their parameters as places. */
export function textsOf(value: unknown, path: string): Map<string, string> {
  if (path === '.formats') return new Map();
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value === 'function') {
    const places = Array.from({ length: value.length }, (_, index) => `«${index}»`);
    return new Map([[path, String(value(...places))]]);
  }
  return new Map(
    Object.entries(value as object).flatMap(([name, member]) => [...textsOf(member, `${path}.${name}`)]),
  );
}

/** Words and sentences of one language that the other one does not have. */
export function textsOnlyIn(own: typeof en, other: typeof en): RegExp[] {
  const others = [...textsOf(other, '').values()].join('\n').toLowerCase();
  const pieces = [...textsOf(own, '').values()]
    .flatMap((text) => text.split(/«\d»|\{[a-z]+\}|[“”„:,.]/))
    .map((piece) => piece.trim())
    .filter((piece) => /^\p{L}[\p{L} '’-]{3,}$/u.test(piece) && !others.includes(piece.toLowerCase()));
  assert.ok(pieces.length > 200);
  return [...new Set(pieces)].map((piece) => new RegExp(`(?<![\\p{L}-])${piece}(?![\\p{L}-])`, 'u'));
}

/** What a visitor reads, without names and texts of the catalogue. */
export function visibleText($: ReturnType<typeof load>): string {
  $('script, style, q, p.about, .foot [hreflang]').remove();
  const attributes = $('[aria-label], [placeholder]')
    .toArray()
    .map((one) => `${$(one).attr('aria-label') ?? ''} ${$(one).attr('placeholder') ?? ''}`);
  const head = $('meta[name=description], meta[property="og:title"]')
    .toArray()
    .map((one) => $(one).attr('content') ?? '');
  const texts = $('body *, title')
    .contents()
    .toArray()
    .filter(({ type }) => type === 'text')
    .map((one) => $(one).text());
  return [...texts, ...attributes, ...head].join('\n');
}
