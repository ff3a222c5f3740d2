/** What is shown about sources and their records, in the terminal and the console; times are ISO 8601 in UTC. */
import type { FeedKind } from './feed.ts';
import type { SourceType } from './source-formats.ts';

/** A skipped record: the line of a feed, or the number of the record and its place in the input. */
export type RejectedItem = { line: number; where?: string; reason: string };
/** The number of records that the last run rejected, and the first of them. */
export type StoredRejections = { rejected_count: number; rejected: RejectedItem[] };

/** The rules of a source. */
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

/** The public description of a source. */
export type SourceSummary = StoredRejections & {
  name: string;
  type: string;
  /**
   * False for a source that was imported manually or removed: it never runs by itself, and `url`, `every` and
   * `next_run_at` are null.
   */
  scheduled: boolean;
  /** Without keys and passwords. */
  url: string | null;
  trust: number;
  clock: 'instant' | 'local';
  every: string | null;
  complete: boolean;
  options: Record<string, string>;
  /** Number of records it currently lists. */
  records: number;
  last_run_at: string | null;
  last_success_at: string | null;
  /** Null if it is paused. */
  next_run_at: string | null;
  /** When an editor paused it; null: it runs. */
  paused_at: string | null;
  /** Number of failures since the last success. */
  failures: number;
  last_error: string | null;
  rules: RulesSummary;
};

/** A venue that closed before events that a source lists there. */
export type ClosedVenue = {
  id: string;
  slug: string;
  name: string;
  city: string | null;
  closed_at: string;
  events: number;
  /** The local date of the next one, or of the last one if all are over. */
  next_date: string;
};
/** The events of one source at closed venues; `venues` has the first 20. */
export type ClosedVenueNotice = { events: number; venue_count: number; venues: ClosedVenue[] };

/** A source with what it lists at venues that closed before. */
export type ListedSource = SourceSummary & { closed_venues: ClosedVenueNotice };

/** A run of a source. */
export type SourceRunSummary = {
  id: number;
  started_at: string;
  ended_at: string;
  outcome: string;
  /** Valid records that the source listed. */
  records: number;
  kinds: Record<string, Record<string, number>>;
  rejected: number;
  skipped: number;
  /** Records that each rule of the source skipped. */
  rules: Record<string, number>;
  error: string | null;
};

/** How many of a source's records only it has. */
export type Contribution = {
  /** Records that the source lists, as far as they were counted. */
  records: number;
  /** Records that no other source lists. */
  only: number;
  shared: number;
  /** False if the source lists more records than are counted. */
  is_complete: boolean;
};

/** Everything about one source. */
export type SourceDetails = ListedSource & {
  /** The usual number of records of a complete read; null if it is not known yet. */
  usual_records: number | null;
  held: { waiting: number; rejected: number };
  contribution: Contribution;
  /** The last runs, newest first. */
  runs: SourceRunSummary[];
};
/** The same in the console; `rejections` is null for a source without a schedule. */
export type ShownSource = SourceDetails & { rejections: StoredRejections | null };

/** A source record in one line. */
export type ListingSummary = {
  kind: FeedKind;
  external_id: string;
  name: string;
  /** As the source states it. */
  start_at: string | null;
  end_at: string | null;
  venue: string | null;
  city: string | null;
  country: string | null;
  url: string | null;
  /** Names in the line-up, each once, and entries with a time; null for a record without a line-up. */
  acts: number | null;
  sets: number | null;
};

export type HeldState = 'waiting' | 'approved' | 'rejected';
/** A record that waits or was rejected. */
export type HeldRecord = ListingSummary & { state: HeldState; held_at: string };
export type HeldList = {
  source: string;
  /** Numbers of records in each state. `approved`: to be published by the next run of the schedule. */
  waiting: number;
  approved: number;
  rejected: number;
  records: HeldRecord[];
};

/** The kinds that patterns decide about. Artists, venues and other records always pass, because listings name them. */
export const listingKinds = ['event', 'edition', 'episode'] as const satisfies readonly FeedKind[];
export type ListingKind = (typeof listingKinds)[number];
export const skippingRules = ['include', 'exclude', 'max-age', 'hold'] as const;
export type SkippingRule = (typeof skippingRules)[number];
/** The number of records that each rule skipped. */
export type RuleCounts = Partial<Record<SkippingRule, number>>;
export type PreviewedRecord = ListingSummary & { rule: SkippingRule | null; reason: string | null };
/** What rules keep and drop of the records that a source lists. */
export type RulesPreview = {
  source: string;
  /** Events, festival editions and episodes that the source lists. */
  records: number;
  /** The number of them of each kind, if there are any: `{ event: 12, edition: 1 }`. */
  kinds: Partial<Record<ListingKind, number>>;
  /** Artists, venues and other records, which patterns never drop. */
  other_records: number;
  kept_count: number;
  dropped_count: number;
  /** The number of records that each rule drops. */
  rules: RuleCounts;
  /** The first of each. */
  kept: PreviewedRecord[];
  dropped: PreviewedRecord[];
};

/** The start of a source as it would be imported. */
export type SourcePreview = RulesPreview & {
  type: SourceType;
  /** Without keys and passwords. */
  url: string;
  /** Whether the source was read to its end. */
  is_complete: boolean;
  /** Why reading stopped; null at the end of the source. */
  stopped: string | null;
  rejected_count: number;
  rejected: { where: string; reason: string }[];
  skipped_count: number;
  skipped: { where: string; reason: string }[];
};

/** A record of the catalogue that a source has too, and why. */
export type MatchedRecord = { kind: string; slug: string; name: string; why: string };
/** An event as the catalogue would show it. */
export type ShownEvent = {
  slug: string;
  name: string;
  /** A date alone if the time zone is not known: then the catalogue does not trust the clock time. */
  start_at: string;
  venue: string | null;
  city: string | null;
  artists: string[];
  /** Whether the catalogue has the event already. */
  is_known: boolean;
};

export type PreviewedEvents = {
  /** The next events, the latest past ones where none is to come. */
  records: ShownEvent[];
  areOver: boolean;
  /** Events that the catalogue would have without a city. */
  without_city: number;
  /** Events whose source states a clock time that is not used, because their time zone is not known. */
  without_zone: number;
};

/** An event whose line-up the new source would replace by a shorter one. */
export type ShorterLineup = { slug: string; name: string; date: string; missing: string[] };

/** What an address is, with the start of it as it would be imported. */
export type AddressPreview = SourcePreview & {
  name: string;
  /** The address to add, with its keys; it may be another than the one that was typed. */
  address: string;
  /** Options of the type, each `name=value`. */
  options: string[];
  /** What the address is, in words. */
  label: string;
  /** Licence and credit that the service states. */
  license: string | null;
  attribution: string | null;
  /** The first records of the catalogue that the address has too; null if they were not looked up. */
  matches: MatchedRecord[] | null;
  match_count: number;
  /** The next events as the catalogue would show them; null if the file was too large to be compared. */
  next: PreviewedEvents | null;
  /** Events whose line-up the source would replace by a shorter one. */
  shorter_lineups: ShorterLineup[] | null;
  /** Options of the type that name the place of events which state none. */
  place_options: string[];
};

export type CountsByKind = Partial<Record<FeedKind, number>>;
/** What a purge deletes, and the records that stay because other sources or records have them. */
export type PurgeSummary = {
  source: string;
  source_records: number;
  removed: CountsByKind;
  kept: CountsByKind;
};
/** What a purge would delete, and the number of records that a person hid or deleted. */
export type PurgeForecast = PurgeSummary & { hidden: CountsByKind };
