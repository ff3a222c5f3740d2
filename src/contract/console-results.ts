/** Results of the actions of the console that have many members. `ingest` builds them, and the console shows them. */
import type { FeedKind } from './feed.ts';

/** The rules of a source as commands and pages show them. */
export type RulesSummary = {
  include: string[];
  exclude: string[];
  default_city: string | null;
  default_country: string | null;
  default_timezone: string | null;
  default_genres: string[];
  hold: boolean;
  license: string | null;
  attribution: string | null;
  attribution_url: string | null;
  max_age: string | null;
  keep_past: boolean;
  on_missing: string;
};

export type RecordSummary = { id: string; kind: FeedKind; slug: string; name: string };

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
