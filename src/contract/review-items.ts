/** What is shown about doubtful pairs, in the terminal and the console; docs/guides/reviewing.md describes the review. */
import type { FeedKind } from './feed.ts';

export type RecordSummary = { id: string; kind: FeedKind; slug: string; name: string };
/** Evidence as it is stored, shown and sent. */
export type ExplainedEvidence = { evidence: string; weight: number; text: string };

/** One record of a pair. Members that its kind does not have are null or empty. */
export type ReviewSide = RecordSummary & {
  start_at: string | null;
  end_at: string | null;
  status: string | null;
  venue: string | null;
  city: string | null;
  country: string | null;
  lineup: string[];
  genres: string[];
  aliases: string[];
  links: string[];
  /** As `service:id`. */
  external_ids: string[];
  /** The number of events, editions or artists of the record. */
  counts: Record<string, number>;
  sources: {
    source: string;
    external_id: string;
    name: string | null;
    url: string | null;
    withdrawn: boolean;
  }[];
};

/** What merging the pair gives. */
export type MergeForecast = {
  stays: RecordSummary;
  merged: RecordSummary;
  /** The name of the merged record, and the source that provides it; null if no source does. */
  name: string;
  name_from: string | null;
  /** Properties that the two state differently, so that a merge is probably wrong or one source is. */
  conflicts: { what: string; stays: string; merged: string }[];
};

/** A doubtful pair. `a` is the older record; it stays if the two are merged. */
export type ReviewItem = {
  /** Names the pair for `decide`: both ids. */
  pair: string;
  kind: FeedKind;
  score: number;
  rule: string;
  is_upcoming: boolean;
  /** The evidence, strongest first; a positive weight speaks for one record. */
  reasons: ExplainedEvidence[];
  a: ReviewSide;
  b: ReviewSide;
  merge: MergeForecast;
};
/** Open pairs in the order of review. `after` continues behind the last one; null at the end. */
export type ReviewPage = { data: ReviewItem[]; total: number; after: string | null };
export type ReviewCounts = { total: number; upcoming: number; kinds: Partial<Record<FeedKind, number>> };
