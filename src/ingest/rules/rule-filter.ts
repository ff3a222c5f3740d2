/** Applies the rules of a source to its records, before they are matched. Reads no data file. */
import { dayMs } from '../../clock.ts';
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { SkippingRule } from '../../contract/source-summaries.ts';
import type { RecordKey } from '../../sources/common/input-items.ts';
import {
  compilePattern,
  findPattern,
  isListing,
  type Listing,
  nameOfListing,
  type Pattern,
} from './pattern.ts';
import type { SourceRules } from './source-rules.ts';

/** A record as the rules see it. */
export type RuledRecord = { kind: FeedKind; externalId: string; statement: FeedRecordContent<FeedKind> };
/** Why a rule skips a record, in a text that follows the record's name. */
export type RuleVerdict = { rule: SkippingRule; reason: string };

/** The rules of one source, compiled. */
export class RuleFilter {
  readonly #rules: SourceRules;
  readonly #include: readonly Pattern[];
  readonly #exclude: readonly Pattern[];
  /** Events that ended before this time (ms) are too old. */
  readonly #oldest: number;

  /** @param now ms since 1970 */
  constructor(rules: SourceRules, now: number) {
    this.#rules = rules;
    this.#include = (rules.include ?? []).map(compilePattern);
    this.#exclude = (rules.exclude ?? []).map(compilePattern);
    this.#oldest = rules.maxAgeMs === undefined ? Number.NEGATIVE_INFINITY : now - rules.maxAgeMs;
  }

  /** Whether new records wait for an editor. */
  get holds(): boolean {
    return this.#rules.hold === true;
  }

  /** Whether past events that a complete feed no longer lists stay listed. */
  get keepsPast(): boolean {
    return this.#rules.keepPast === true;
  }

  /** Whether patterns decide about records, so that stored ones may have to leave. */
  get hasPatterns(): boolean {
    return this.#include.length + this.#exclude.length > 0;
  }

  /** Returns why a record is skipped; null if it passes. */
  judge(record: RuledRecord): RuleVerdict | null {
    return this.judgeByPattern(record) ?? this.#judgeByAge(record);
  }

  /** Like `judge`, by the patterns alone. */
  judgeByPattern({ kind, externalId, statement }: RuledRecord): RuleVerdict | null {
    if (!this.hasPatterns || !isListing(kind)) return null;
    const listing = { kind, externalId, statement } as Listing;
    const excluded = findPattern(this.#exclude, listing);
    if (excluded) return { rule: 'exclude', reason: `excluded by the pattern ${excluded.text}` };
    if (this.#include.length === 0 || findPattern(this.#include, listing)) return null;
    return { rule: 'include', reason: 'no include pattern fits' };
  }

  #judgeByAge({ kind, statement }: RuledRecord): RuleVerdict | null {
    if (this.#oldest === Number.NEGATIVE_INFINITY || (kind !== 'event' && kind !== 'edition')) return null;
    const { start_at, end_at } = statement as FeedRecordContent<'edition'>;
    const day = (end_at ?? start_at)?.slice(0, 10);
    if (day === undefined) return null;
    // A day later: times of any zone on this date are then over.
    const isOld = Date.parse(day) + 2 * dayMs <= this.#oldest;
    return isOld ? { rule: 'max-age', reason: `past since ${day}, longer than the maximum age` } : null;
  }

  /** Returns the statement with the source's defaults for what it does not state. */
  complete(kind: FeedKind, statement: FeedRecordContent<FeedKind>): FeedRecordContent<FeedKind> {
    const { city, country, timezone, genres } = this.#rules;
    if (city === undefined && country === undefined && timezone === undefined && genres === undefined)
      return statement;
    if (kind === 'festival') return this.#completeFestival(statement as FeedRecordContent<'festival'>);
    if (kind !== 'event' && kind !== 'edition') return statement;
    const stated = statement as FeedRecordContent<'event'>;
    const completed = { ...stated, ...this.#placeFor(stated) };
    if (timezone !== undefined && isAbsent(stated.timezone)) completed.timezone = timezone;
    if (kind === 'event' && genres !== undefined && isEmpty(stated.genres)) completed.genres = [...genres];
    return completed;
  }

  #completeFestival(stated: FeedRecordContent<'festival'>): FeedRecordContent<'festival'> {
    const completed = { ...stated, ...this.#placeFor(stated) };
    if (this.#rules.genres !== undefined && isEmpty(stated.genres))
      completed.genres = [...this.#rules.genres];
    return completed;
  }

  /** A default city holds only in its own country: a record that states another country keeps it. */
  #placeFor(stated: StatedPlace): { city?: string; country?: string } {
    const { city, country } = this.#rules;
    const statedCity = stated.city ?? stated.venue?.city;
    const statedCountry = stated.country ?? stated.venue?.country;
    const isElsewhere = !isAbsent(statedCountry) && country !== undefined && statedCountry !== country;
    return {
      ...(city !== undefined && isAbsent(statedCity) && !isElsewhere ? { city } : {}),
      ...(country !== undefined && isAbsent(statedCountry) ? { country } : {}),
    };
  }
}

type StatedPlace = {
  city?: string | null | undefined;
  country?: string | null | undefined;
  venue?: { city?: string | null | undefined; country?: string | null | undefined } | null | undefined;
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isEmpty = (list: readonly unknown[] | null | undefined): boolean => !list || list.length === 0;

/** Describes a record for a report: `event 12 (Brain Break)`. */
export function describeRecord(
  { kind, externalId }: RecordKey,
  statement: FeedRecordContent<FeedKind>,
): string {
  const name = isListing(kind)
    ? nameOfListing({ kind, externalId, statement } as Listing)
    : (statement as { name: string }).name;
  return `${kind} ${externalId.slice(0, 200)} (${name.slice(0, 200)})`;
}
