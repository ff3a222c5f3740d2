/** Schema 7. */
/**
 * Standard names for tables, columns and indexes; and a separate table for counts of candidates that were not
 * compared.
 */
export const standardNames = `
CREATE TABLE uncompared_counts (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, source, external_id)
) WITHOUT ROWID, STRICT;
INSERT INTO uncompared_counts (kind, source, external_id, count)
  SELECT kind, a_source, a_external, cast(reasons AS INTEGER) FROM match_doubts WHERE rule = 'left out';
DELETE FROM match_doubts WHERE rule = 'left out';
CREATE INDEX uncompared_counts_by_count ON uncompared_counts (count);
DROP INDEX settings_whole;
DROP INDEX changes_by_into;
DROP INDEX moves_by_record;
DROP INDEX former_lists_by_revision;
DROP INDEX sources_whole;
DROP INDEX schedules_whole;
DROP INDEX source_pages_whole;
DROP INDEX provider_records_by_record;
DROP INDEX match_decisions_whole;
DROP INDEX given_names_whole;
DROP INDEX match_doubts_by_second;
DROP INDEX match_doubts_by_score;
DROP INDEX editions_by_over;
DROP INDEX events_by_over;
DROP INDEX accounts_whole;
DROP INDEX pending_accounts_whole;
DROP INDEX api_keys_whole;
DROP INDEX sessions_whole;
DROP INDEX former_usage_whole;
DROP INDEX oauth_clients_whole;
DROP INDEX oauth_grants_whole;
DROP INDEX oauth_items_whole;
ALTER TABLE catalogue RENAME COLUMN longest_ms TO max_event_duration_ms;
ALTER TABLE changes RENAME COLUMN what TO change_type;
ALTER TABLE changes RENAME COLUMN into_id TO merged_into_id;
ALTER TABLE moves RENAME COLUMN old_key TO previous_sort_key;
ALTER TABLE former_lists RENAME COLUMN list TO list_name;
ALTER TABLE sources RENAME COLUMN runs TO run_count;
ALTER TABLE schedules RENAME COLUMN every_ms TO interval_ms;
ALTER TABLE schedules RENAME COLUMN complete TO is_full_feed;
ALTER TABLE schedules RENAME COLUMN ok_ts TO last_success_ts;
ALTER TABLE schedules RENAME COLUMN error TO last_error;
ALTER TABLE schedules RENAME COLUMN report TO last_report;
ALTER TABLE turns RENAME COLUMN what TO purpose;
ALTER TABLE turns RENAME COLUMN until_ts TO expires_ts;
ALTER TABLE provider_records RENAME COLUMN statement TO content;
ALTER TABLE provider_records RENAME COLUMN stated_ts TO content_updated_ts;
ALTER TABLE provider_records RENAME COLUMN run TO last_seen_run;
ALTER TABLE match_keys RENAME COLUMN tag TO scope;
ALTER TABLE match_keys_new RENAME COLUMN tag TO scope;
ALTER TABLE external_keys RENAME COLUMN value TO external_id;
ALTER TABLE match_decisions RENAME COLUMN a_external TO a_external_id;
ALTER TABLE match_decisions RENAME COLUMN b_external TO b_external_id;
ALTER TABLE match_doubts RENAME COLUMN a_external TO a_external_id;
ALTER TABLE match_doubts RENAME COLUMN b_external TO b_external_id;
ALTER TABLE given_names RENAME COLUMN slug TO merged_slug;
ALTER TABLE editions RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE events RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE event_artists RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE event_genres RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE event_genres RENAME COLUMN direct TO is_direct;
ALTER TABLE artist_genres RENAME COLUMN direct TO is_direct;
ALTER TABLE rate_windows RENAME COLUMN opened_ts TO started_ts;
ALTER TABLE usage_days RENAME COLUMN door TO channel;
ALTER TABLE events RENAME COLUMN item TO item_json;
ALTER TABLE event_details RENAME COLUMN rest TO detail_json;
ALTER TABLE sessions RENAME COLUMN used_ts TO last_used_ts;
ALTER TABLE attempts RENAME COLUMN free_ts TO next_allowed_ts;
ALTER TABLE oauth_clients RENAME COLUMN used_ts TO last_used_ts;
ALTER TABLE moves RENAME TO sort_key_history;
ALTER TABLE former_lists RENAME TO list_history;
ALTER TABLE stale_names RENAME TO stale_name_ranks;
ALTER TABLE turns RENAME TO write_leases;
ALTER TABLE provider_records RENAME TO source_records;
ALTER TABLE match_keys RENAME TO blocking_keys;
ALTER TABLE match_keys_new RENAME TO recent_blocking_keys;
ALTER TABLE external_keys RENAME TO external_ids;
ALTER TABLE given_names RENAME TO inherited_names;
ALTER TABLE match_doubts RENAME TO possible_matches;
ALTER TABLE former_usage RENAME TO retained_usage;
CREATE INDEX settings_integrity ON settings (value);
CREATE INDEX changes_by_merged_into ON changes (merged_into_id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX sort_key_history_by_record ON sort_key_history (record_id);
CREATE INDEX list_history_by_revision ON list_history (revision);
CREATE INDEX sources_integrity ON sources (type, trust, clock, run_count, last_run_ts, created_ts);
CREATE INDEX schedules_integrity ON schedules (url, interval_ms, is_full_feed, options, next_ts, last_success_ts, failures, last_error, last_report);
CREATE INDEX source_pages_integrity ON source_pages (etag, last_modified);
CREATE INDEX source_records_by_record ON source_records (record_id);
CREATE INDEX match_decisions_integrity ON match_decisions (verdict, decided_ts);
CREATE INDEX inherited_names_integrity ON inherited_names (merged_slug);
CREATE INDEX possible_matches_by_second ON possible_matches (kind, b_source, b_external_id);
CREATE INDEX possible_matches_by_score ON possible_matches (score);
CREATE INDEX editions_by_end ON editions (ends_ts);
CREATE INDEX events_by_end ON events (ends_ts);
CREATE INDEX accounts_integrity ON accounts (plan, password_hash, window_limit, quota_limit, created_ts);
CREATE INDEX pending_accounts_integrity ON pending_accounts (password_hash, address, region);
CREATE INDEX api_keys_integrity ON api_keys (name, secret_hash, last_four, revoked_ts);
CREATE INDEX sessions_integrity ON sessions (address, user_agent, created_ts);
CREATE INDEX retained_usage_integrity ON retained_usage (month, used);
CREATE INDEX oauth_clients_integrity ON oauth_clients (metadata, origin, region, last_used_ts);
CREATE INDEX oauth_grants_integrity ON oauth_grants (payload, name, uri, host, verified, scopes);
CREATE INDEX oauth_items_integrity ON oauth_items (payload, consumed_ts, origin, region);
`;
