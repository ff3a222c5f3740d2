/** Sources as the actions `source.list`, `source.show` and `source.preview` return them. */
import type { ClosedVenueRow } from '../../store/schedule/closed-venues.ts';

export type Rules = {
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
export type Source = {
  name: string;
  type: string;
  scheduled: boolean;
  url: string | null;
  trust: number;
  clock: string;
  every: string | null;
  complete: boolean;
  records: number;
  last_run_at: string | null;
  last_success_at: string | null;
  next_run_at: string | null;
  paused_at: string | null;
  failures: number;
  last_error: string | null;
  rejected_count: number;
  closed_venues: ClosedVenues;
  rules: Rules;
};
/** Events at venues that closed before; `venues` has the first 20. */
export type ClosedVenues = {
  events: number;
  venue_count: number;
  venues: Omit<ClosedVenueRow, 'source'>[];
};
export type Run = {
  id: number;
  started_at: string;
  ended_at: string;
  outcome: string;
  records: number;
  rejected: number;
  skipped: number;
  error: string | null;
};
export type SourceDetails = Source & {
  usual_records: number | null;
  held: { waiting: number; rejected: number };
  contribution: { records: number; only: number; shared: number; is_complete: boolean };
  runs: Run[];
  rejections: Rejections | null;
};
export type Rejections = {
  rejected_count: number;
  rejected: { where?: string | null; line: number; reason: string }[];
};
/** A source record in one line. */
export type Listing = {
  kind: string;
  external_id: string;
  name: string;
  start_at: string | null;
  end_at: string | null;
  venue: string | null;
  city: string | null;
  /** Names in the line-up, and entries with a time; null without a line-up. */
  acts: number | null;
  sets: number | null;
};
export type HeldRecord = Listing & { url: string | null };
export type HeldList = { waiting: number; rejected: number; records: HeldRecord[] };
export type RulesPreview = {
  records: number;
  other_records: number;
  kept_count: number;
  dropped_count: number;
  kept: Listing[];
  /** `rule` is the code of the rule that drops the record. */
  dropped: (Listing & { rule: string | null })[];
};
export type PurgePreview = {
  source_records: number;
  removed: Record<string, number>;
  kept: Record<string, number>;
  /** Records that a person hid or deleted. */
  hidden: Record<string, number>;
};
export type Preview = {
  name: string;
  type: string;
  url: string;
  records: number;
  kinds: Record<string, number>;
  other_records: number;
  is_complete: boolean;
  stopped: string | null;
  kept: Listing[];
  kept_count: number;
  rejected_count: number;
  rejected: { where: string; reason: string }[];
  skipped_count: number;
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
  matches: { kind: string; slug: string; name: string; why: string }[] | null;
  match_count: number;
  /** The next events as the catalogue would show them; null if the file was too large to be compared. */
  next: { records: ShownEvent[]; areOver: boolean; without_city: number; without_zone: number } | null;
  /** Events whose line-up the source would replace by a shorter one. */
  shorter_lineups: { slug: string; name: string; date: string; missing: string[] }[] | null;
  /** Options of the type that name the place of events which state none. */
  place_options: string[];
};
export type ShownEvent = {
  slug: string;
  name: string;
  start_at: string;
  venue: string | null;
  city: string | null;
  artists: string[];
  is_known: boolean;
};
