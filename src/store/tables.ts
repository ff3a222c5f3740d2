/** The tables of schema.sql as Kysely sees them. A test compares the two. */
import type { Generated, Selectable } from 'kysely';

/** A row of a table, as it is read. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** Columns of records that have a name of their own and are listed by it. */
type NamedColumns = {
  id: number;
  slug: string;
  name: string;
  folded: string;
  aliases: Generated<string>;
  updated_ts: number;
  checksum: number | null;
};

/** The key of a pair of source records. */
type PairColumns = {
  kind: string;
  a_source: string;
  a_external_id: string;
  b_source: string;
  b_external_id: string;
};

/** When an event takes place: its own row, and the rows by which it is found. */
type EventTimeColumns = {
  start_ts: number;
  start_date: number;
  ends_ts: number;
};

export type Tables = {
  settings: {
    key: string;
    value: string;
  };
  catalogue: {
    id: number;
    revision: Generated<number>;
    max_event_duration_ms: Generated<number>;
    last_synced_ts: number | null;
  };
  records: {
    id: Generated<number>;
    kind: string;
    revision: number;
    created_revision: Generated<number>;
  };
  creation_times: {
    first_id: number;
    created_ts: number;
  };
  changes: {
    revision: number;
    record_id: number;
    change_type: string;
    fields: string | null;
    slug: string | null;
    merged_into_id: number | null;
    checksum: number | null;
  };
  slugs: {
    kind: string;
    slug: string;
    record_id: number;
  };
  names: {
    id: number;
    kind: string;
    record_id: number;
    name: string;
    is_alias: number;
    folded: string;
    words: string;
    terms: string;
    checksum: number | null;
  };
  name_search: {
    rowid: number;
    terms: string;
  };
  search_terms: {
    term: string;
    doc: number;
    cnt: number;
  };
  stale_records: {
    record_id: number;
  };
  stale_documents: {
    record_id: number;
  };
  stale_name_ranks: {
    record_id: number;
  };
  sort_key_history: {
    kind: string;
    revision: number;
    record_id: number;
    previous_sort_key: string;
    checksum: number | null;
  };
  list_history: {
    record_id: number;
    list_name: string;
    revision: number;
    entries: string;
    checksum: number | null;
  };
  sources: {
    id: Generated<number>;
    name: string;
    type: string;
    trust: number;
    clock: string;
    run_count: Generated<number>;
    last_run_ts: number | null;
    created_ts: number;
    rules: Generated<string>;
  };
  schedules: {
    source_id: number;
    url: string;
    interval_ms: number;
    is_full_feed: number;
    options: string;
    next_ts: number;
    last_success_ts: number | null;
    failures: Generated<number>;
    last_error: string | null;
    last_report: string | null;
    paused_ts: number | null;
  };
  source_pages: {
    source_id: number;
    page: string;
    etag: string | null;
    last_modified: string | null;
  };
  write_leases: {
    name: string;
    holder: string;
    purpose: string;
    expires_ts: number;
  };
  source_records: {
    source_id: number;
    kind: string;
    external_id: string;
    record_id: number;
    content: string | null;
    content_updated_ts: number;
    last_seen_run: number;
    withdrawn_ts: number | null;
    checksum: number | null;
  };
  blocking_keys: {
    key: number;
    record_id: number;
    scope: number;
    checksum: number | null;
  };
  recent_blocking_keys: {
    key: number;
    record_id: number;
    scope: number;
    checksum: number | null;
  };
  external_ids: {
    kind: string;
    service: string;
    external_id: string;
    record_id: number;
    checksum: number | null;
  };
  match_decisions: PairColumns & {
    verdict: string;
    decided_ts: number;
  };
  inherited_names: {
    record_id: number;
    name: string;
    place: Generated<string>;
    merged_slug: Generated<string>;
  };
  possible_matches: PairColumns & {
    score: number;
    rule: string;
    reasons: string;
    checksum: number | null;
  };
  postponed_matches: PairColumns & {
    a_digest: number;
    b_digest: number;
    postponed_ts: number;
  };
  uncompared_counts: {
    kind: string;
    source: string;
    external_id: string;
    count: number;
  };
  cities: NamedColumns & {
    country: string;
    region: string | null;
    latitude: number | null;
    longitude: number | null;
    timezone: string | null;
    population: number | null;
  };
  venues: NamedColumns & {
    city_id: number | null;
    city: string | null;
    country: string | null;
    timezone: string | null;
    address: string | null;
    postal_code: string | null;
    latitude: number | null;
    longitude: number | null;
    capacity: number | null;
    website: string | null;
    image_url: string | null;
    closed_at: string | null;
    links: Generated<string>;
    external_ids: Generated<string>;
  };
  genres: NamedColumns & {
    parent_id: number | null;
    description: string | null;
  };
  artists: NamedColumns & {
    country: string | null;
    image_url: string | null;
    real_name: string | null;
    biography: string | null;
    ended_at: string | null;
    links: Generated<string>;
    external_ids: Generated<string>;
  };
  labels: NamedColumns & {
    parent_id: number | null;
    country: string | null;
    founded_year: number | null;
    description: string | null;
    website: string | null;
    image_url: string | null;
    closed_at: string | null;
    links: Generated<string>;
    external_ids: Generated<string>;
  };
  label_artists: {
    label_id: number;
    artist_id: number;
  };
  festivals: NamedColumns & {
    city_id: number | null;
    city: string | null;
    country: string | null;
    image_url: string | null;
    description: string | null;
    website: string | null;
    ended_at: string | null;
    links: Generated<string>;
    external_ids: Generated<string>;
  };
  editions: {
    id: number;
    slug: string;
    festival_id: number;
    edition: string;
    name: string;
    start_ts: number | null;
    ends_ts: number | null;
    sort_ts: number;
    start_at: string | null;
    end_at: string | null;
    timezone: string | null;
    status: string | null;
    venue_id: number | null;
    venue_name: string | null;
    city_id: number | null;
    city: string | null;
    country: string | null;
    description: string | null;
    image_url: string | null;
    updated_ts: number;
    checksum: number | null;
  };
  events: EventTimeColumns & {
    id: number;
    slug: string;
    country: string | null;
    city_folded: string | null;
    venue_id: number | null;
    city_id: number | null;
    item_json: string;
    name: string;
    start_at: string;
    end_at: string | null;
    timezone: string | null;
    status: string | null;
    venue_name: string | null;
    city: string | null;
    edition_id: number | null;
    description: string | null;
    image_url: string | null;
    minimum_age: number | null;
    updated_ts: number;
    checksum: number | null;
  };
  event_details: {
    event_id: number;
    detail_json: string;
    checksum: number | null;
  };
  lineups: {
    record_id: number;
    position: number;
    artist_id: number;
    billing: string | null;
    stage: string | null;
    set_start_at: string | null;
    set_end_at: string | null;
    set_position: number | null;
    checksum: number | null;
  };
  tickets: {
    record_id: number;
    seller: string;
    url: string;
    price_min: number | null;
    price_max: number | null;
    currency: string | null;
    availability: string | null;
    updated_ts: number | null;
    checksum: number | null;
  };
  event_artists: EventTimeColumns & {
    artist_id: number;
    event_id: number;
  };
  event_genres: EventTimeColumns & {
    genre_id: number;
    event_id: number;
    is_direct: number;
  };
  event_places: EventTimeColumns & {
    event_id: number;
    cell: number;
    region: number;
    latitude: number;
    longitude: number;
    status: number | null;
    has_tickets: number;
    country: string | null;
  };
  event_sales: EventTimeColumns & {
    event_id: number;
  };
  artist_genres: {
    genre_id: number;
    artist_id: number;
    is_direct: number;
  };
  festival_genres: {
    festival_id: number;
    genre_id: number;
  };
  podcasts: NamedColumns & {
    publisher: string | null;
    description: string | null;
    website: string | null;
    feed_url: string | null;
    image_url: string | null;
    links: Generated<string>;
  };
  episodes: {
    id: number;
    slug: string;
    podcast_id: number;
    name: string;
    folded: string;
    number: number | null;
    published_ts: number;
    published_at: string | null;
    duration_seconds: number | null;
    description: string | null;
    audio_url: string | null;
    image_url: string | null;
    updated_ts: number;
    checksum: number | null;
  };
  episode_artists: {
    episode_id: number;
    position: number;
    artist_id: number;
  };
  tracks: {
    episode_id: number;
    position: number;
    start_seconds: number | null;
    artist_name: string | null;
    title: string | null;
    label_name: string | null;
    label_id: number | null;
    identified: number;
    checksum: number | null;
  };
  track_artists: {
    episode_id: number;
    position: number;
    ordinal: number;
    artist_id: number;
  };
  accounts: {
    id: string;
    email: string;
    plan: string;
    password_hash: string | null;
    window_limit: number | null;
    quota_limit: number | null;
    created_ts: number;
    role: Generated<string>;
    suspended_ts: number | null;
    verified_ts: number | null;
  };
  api_keys: {
    id: string;
    account_id: string;
    public_id: string;
    name: string;
    secret_hash: string;
    last_four: string;
    created_ts: number;
    last_used_ts: number | null;
    revoked_ts: number | null;
    expires_ts: number | null;
    scope: Generated<string>;
  };
  rate_windows: {
    credential_id: string;
    started_ts: number;
    used: number;
  };
  usage_months: {
    account_id: string;
    month: string;
    used: number;
  };
  usage_days: {
    account_id: string;
    day: string;
    channel: string;
    used: number;
  };
  sessions: {
    id: string;
    token_hash: string;
    account_id: string;
    address: string;
    user_agent: string;
    created_ts: number;
    last_used_ts: number;
  };
  pending_accounts: {
    email: string;
    password_hash: string;
    address: string;
    region: string;
    created_ts: number;
  };
  attempts: {
    subject: string;
    failed: number;
    last_ts: number;
    next_allowed_ts: number;
  };
  retained_usage: {
    digest: string;
    month: string;
    used: number;
  };
  oauth_clients: {
    id: string;
    metadata: string;
    origin: string;
    region: string;
    created_ts: number;
    last_used_ts: number | null;
  };
  oauth_grants: {
    id: string;
    account_id: string;
    client_id: string;
    payload: string;
    name: string;
    uri: string | null;
    host: string | null;
    verified: number;
    scopes: string;
    created_ts: number;
    last_used_ts: number | null;
  };
  oauth_items: {
    kind: string;
    id: string;
    grant_id: string | null;
    payload: string;
    expires_ts: number;
    consumed_ts: number | null;
    origin: string | null;
    region: string | null;
  };
  removed_records: {
    record_id: number;
    kind: string;
    state: string;
    slug: string;
    name: string;
    saved: string | null;
    reason: string | null;
    removed_by: string;
    removed_ts: number;
  };
  blocked_source_records: {
    kind: string;
    source: string;
    external_id: string;
    record_id: number;
  };
  removed_references: {
    removed_id: number;
    record_id: number;
  };
  forgotten_names: {
    digest: string;
    kind: string;
    record_id: number;
    created_ts: number;
  };
  edits: {
    kind: string;
    source: string;
    external_id: string;
    field: string;
    record_id: number;
    value: string;
    edited_by: string;
    edited_ts: number;
  };
  audit_log: {
    id: Generated<number>;
    created_ts: number;
    actor: string;
    action: string;
    subject_kind: string;
    subject: string;
    record_id: number | null;
    details: string;
    undone_by: number | null;
  };
  source_runs: {
    id: Generated<number>;
    source_id: number;
    started_ts: number;
    ended_ts: number;
    outcome: string;
    records: number;
    report: string;
  };
  held_source_records: {
    source_id: number;
    kind: string;
    external_id: string;
    content: string;
    state: string;
    held_ts: number;
  };
  plan_limits: {
    plan: string;
    effective_ts: number;
    window_limit: number;
    quota_limit: number;
    note: Generated<string>;
    created_ts: number;
  };
  one_time_links: {
    token_hash: string;
    purpose: string;
    account_id: string | null;
    payload: string | null;
    created_ts: number;
    expires_ts: number;
  };
  external_logins: {
    issuer: string;
    subject: string;
    account_id: string;
    email: string;
    created_ts: number;
    last_used_ts: number | null;
  };
  passkeys: {
    id: string;
    account_id: string;
    name: string;
    public_key: string;
    sign_count: number;
    transports: string;
    created_ts: number;
    last_used_ts: number | null;
  };
  totp_secrets: {
    account_id: string;
    secret: string;
    confirmed_ts: number | null;
    last_step: Generated<number>;
    created_ts: number;
  };
  recovery_codes: {
    account_id: string;
    code_hash: string;
    used_ts: number | null;
  };
};
