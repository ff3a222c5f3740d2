/**
 * The patterns of `include` and `exclude` rules (docs/guides/source-rules.md#patterns): words, or `*` and `?` in place of
 * any text. They are not regular expressions, so no pattern and no text can make an import hang
 * (docs/decisions/19-source-rules.md).
 */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import { type ListingKind, listingKinds } from '../../contract/source-summaries.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';

/** Limits of one list of patterns. */
export const maxPatterns = 100;
export const maxPatternLength = 200;
/** Longer values are compared by their start only. */
const maxValueLength = 1_000;

/** The parts of a listing that a pattern can name, as in `venue:Salon*`. */
export const patternFields = ['name', 'venue', 'city', 'country', 'artist', 'genre', 'url', 'id'] as const;
export type PatternField = (typeof patternFields)[number];

/** Whether patterns apply to a kind: events, editions and episodes. */
export const isListing = (kind: FeedKind): kind is ListingKind =>
  (listingKinds as readonly FeedKind[]).includes(kind);

export type Pattern = { text: string; field: PatternField; matches: (value: string) => boolean };

/** Compiles a pattern such as `Brain Break*` or `venue:Salon`. Case and accents do not matter. */
export function compilePattern(text: string): Pattern {
  const [field, value] = splitField(text);
  return { text, field, matches: /[*?]/.test(value) ? globTest(value, field) : wordTest(value) };
}

/** Whether a pattern names a field and no text, such as `venue:`: it fits nothing. */
export const isFieldOnly = (text: string): boolean => text.trim() !== '' && splitField(text)[1] === '';

/** Returns the field and the rest of a pattern; the field is `name` unless the pattern names one. */
function splitField(text: string): [PatternField, string] {
  const at = text.indexOf(':');
  const field = patternFields.find((name) => name === text.slice(0, at).trim().toLowerCase());
  return field === undefined ? ['name', text.trim()] : [field, text.slice(at + 1).trim()];
}

/** Tests whether the words of the pattern occur in the value, whole and in this order. */
function wordTest(pattern: string): (value: string) => boolean {
  const words = normalizeForSearch(pattern);
  // "!!!" has no words: such a name must be equal.
  if (words === '') return (value) => fold(value).trim() === fold(pattern);
  return (value) => ` ${normalizeForSearch(value)} `.includes(` ${words} `);
}

/** Tests whether the whole value fits a pattern with `*` (any text) and `?` (one character). */
function globTest(pattern: string, field: PatternField): (value: string) => boolean {
  const tidy = (text: string) => (field === 'url' ? fold(text) : fold(text).replace(/\s+/g, ' ').trim());
  const glob = [...tidy(pattern).replace(/\*+/g, '*')];
  return (value) => fitsGlob([...tidy(value)], glob);
}

/**
 * Compares a text with a glob. After a mismatch only the last `*` takes one character more, so the time is at most the
 * product of both lengths.
 */
function fitsGlob(text: readonly string[], glob: readonly string[]): boolean {
  let [at, next, star, starAt] = [0, 0, -1, 0];
  while (at < text.length) {
    if (next < glob.length && glob[next] === '*') {
      star = next++;
      starAt = at;
    } else if (next < glob.length && (glob[next] === '?' || glob[next] === text[at])) {
      at++;
      next++;
    } else if (star !== -1) {
      next = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (glob[next] === '*') next++;
  return next === glob.length;
}

/** Returns the first pattern that fits a listing; undefined if none does. */
export const findPattern = (patterns: readonly Pattern[], listing: Listing): Pattern | undefined =>
  patterns.find(({ field, matches }) =>
    valuesOf(listing, field).some((value) => matches(value.slice(0, maxValueLength))),
  );

export type Listing = { kind: ListingKind; externalId: string; statement: FeedRecordContent<ListingKind> };

/** Returns the name of a listing as people know it. */
export function nameOfListing({ kind, statement }: Listing): string {
  if (kind !== 'edition') return (statement as { name: string }).name;
  const { name, festival, edition } = statement as FeedRecordContent<'edition'>;
  return name ?? `${festival.name} ${edition}`;
}

function valuesOf(listing: Listing, field: PatternField): string[] {
  const { kind, externalId, statement } = listing;
  if (field === 'name') return [nameOfListing(listing)];
  if (field === 'id') return [externalId];
  if (kind === 'episode') return episodeValues(statement as FeedRecordContent<'episode'>, field);
  const { venue, city, country, lineup } = statement as FeedRecordContent<'event' | 'edition'>;
  const { genres, url } = statement as Partial<FeedRecordContent<'event'>>;
  if (field === 'venue') return stated(venue?.name);
  if (field === 'city') return stated(city, venue?.city);
  if (field === 'country') return stated(country, venue?.country);
  if (field === 'artist') return (lineup ?? []).map(({ name }) => name);
  return field === 'genre' ? (genres ?? []) : stated(url);
}

function episodeValues({ artists, audio_url }: FeedRecordContent<'episode'>, field: PatternField): string[] {
  if (field === 'artist') return (artists ?? []).map(({ name }) => name);
  return field === 'url' ? stated(audio_url) : [];
}

const stated = (...values: (string | null | undefined)[]): string[] =>
  values.filter((value) => typeof value === 'string');
