-- Counts a batch of requests and decides each in the order of arrival, as access/sqlite-counting.ts does. Returns JSON
-- (`AdmitAnswer` in admit-answer.ts). A batch that is sent again with its number is not counted again.
--   credentials, owners: the keys and grants of the batch, and the place of each one's account in `account_ids`
--   who: the place in `credentials` of each request;   costs, channels: of each request
--   plans, windows, quotas: the default limits of the plans
CREATE OR REPLACE FUNCTION admit(
  lane TEXT, batch BIGINT, account_ids TEXT[], credentials TEXT[], owners INT[], who INT[], costs BIGINT[], channels TEXT[],
  plans TEXT[], windows BIGINT[], quotas BIGINT[], account_window_factor INT
) RETURNS TEXT LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  window_ms CONSTANT BIGINT := 60000;
  touch_ms CONSTANT BIGINT := 60000;
  r RECORD; result TEXT; now_at BIGINT; this_month TEXT; today TEXT; locked INT; i INT; c INT; a INT; n BIGINT;
  -- by credential
  good BOOLEAN[]; opened BIGINT[]; used BIGINT[]; counted BOOLEAN[]; last_used BIGINT[];
  -- by account
  plan TEXT[]; window_limit BIGINT[]; quota BIGINT[]; month_used BIGINT[]; added BIGINT[];
  account_opened BIGINT[]; account_used BIGINT[]; account_counted BOOLEAN[];
  -- by request
  outcome TEXT[]; request_used BIGINT[]; request_opened BIGINT[]; request_month BIGINT[]; request_account_used BIGINT[];
  request_account_opened BIGINT[];
BEGIN
  -- Waits for the same batch if that is still under way on a connection that broke.
  INSERT INTO counting_lanes AS l (id, seq, seen_ts) VALUES (lane, batch, now_ms())
    ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, seen_ts = excluded.seen_ts WHERE l.seq < excluded.seq;
  IF NOT FOUND THEN
    -- A write: its commit waits until the standby has all before it, the batch included.
    UPDATE counting_lanes l SET seen_ts = now_ms() WHERE l.id = lane AND l.seq = batch RETURNING l.answer INTO result;
    IF result IS NULL THEN RAISE EXCEPTION 'batch % of % is past', batch, lane; END IF;
    RETURN result;
  END IF;

  -- The row of the month is the lock of the account, taken in one order, so that batches cannot deadlock.
  LOOP
    this_month := to_char(to_timestamp(now_ms() / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM');
    PERFORM 1 FROM usage_months u WHERE u.account_id = ANY (account_ids) AND u.month = this_month ORDER BY u.account_id FOR UPDATE;
    GET DIAGNOSTICS locked = ROW_COUNT;
    IF locked < cardinality(account_ids) THEN
      INSERT INTO usage_months SELECT x.id, this_month, 0 FROM accounts x WHERE x.id = ANY (account_ids) ORDER BY x.id ON CONFLICT DO NOTHING;
      PERFORM 1 FROM usage_months u WHERE u.account_id = ANY (account_ids) AND u.month = this_month ORDER BY u.account_id FOR UPDATE;
    END IF;
    now_at := now_ms();
    EXIT WHEN this_month = to_char(to_timestamp(now_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM');
  END LOOP;
  today := to_char(to_timestamp(now_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD');

  FOR r IN
    SELECT w.place::int AS place, x.plan AS own_plan, x.suspended_ts, x.window_limit AS own_window, x.quota_limit AS own_quota,
      d.started_ts, d.used AS window_used, u.used AS month_used, p.window_limit AS set_window, p.quota_limit AS set_quota
    FROM unnest(account_ids) WITH ORDINALITY AS w (id, place)
    LEFT JOIN accounts x ON x.id = w.id
    LEFT JOIN rate_windows d ON d.credential_id = w.id
    LEFT JOIN usage_months u ON u.account_id = w.id AND u.month = this_month
    LEFT JOIN LATERAL (SELECT l.window_limit, l.quota_limit FROM plan_limits l
      WHERE l.plan = x.plan AND l.effective_ts <= now_at ORDER BY l.effective_ts DESC LIMIT 1) p ON true
  LOOP
    a := r.place; i := array_position(plans, r.own_plan);
    -- Null: the account does not exist or is suspended, and its credentials are refused.
    plan[a] := CASE WHEN r.suspended_ts IS NULL THEN r.own_plan END;
    window_limit[a] := coalesce(r.own_window, r.set_window, windows[i]);
    quota[a] := coalesce(r.own_quota, r.set_quota, quotas[i]);
    month_used[a] := coalesce(r.month_used, 0); added[a] := 0; account_counted[a] := false;
    -- The clock may be set back: a window that opened slightly in the future is still open.
    account_opened[a] := CASE WHEN abs(now_at - r.started_ts) < window_ms THEN r.started_ts END;
    account_used[a] := CASE WHEN account_opened[a] IS NULL THEN 0 ELSE r.window_used END;
  END LOOP;

  FOR r IN
    SELECT w.place::int AS place, coalesce(k.account_id, g.account_id) AS account_id, k.revoked_ts, k.expires_ts,
      coalesce(k.last_used_ts, g.last_used_ts) AS last_used_ts, d.started_ts, d.used AS window_used
    FROM unnest(credentials) WITH ORDINALITY AS w (id, place)
    LEFT JOIN api_keys k ON k.id = w.id
    LEFT JOIN oauth_grants g ON g.id = w.id
    LEFT JOIN rate_windows d ON d.credential_id = w.id
  LOOP
    c := r.place; a := owners[c];
    good[c] := coalesce(r.account_id = account_ids[a] AND plan[a] IS NOT NULL AND r.revoked_ts IS NULL
      AND (r.expires_ts IS NULL OR r.expires_ts > now_at), false);
    last_used[c] := r.last_used_ts; counted[c] := false;
    opened[c] := CASE WHEN abs(now_at - r.started_ts) < window_ms THEN r.started_ts END;
    used[c] := CASE WHEN opened[c] IS NULL THEN 0 ELSE r.window_used END;
  END LOOP;

  FOR i IN 1 .. cardinality(who) LOOP
    c := who[i]; a := owners[c]; n := greatest(1, costs[i]);
    IF NOT good[c] THEN outcome[i] := 'revoked';
    ELSIF used[c] + n > window_limit[a] THEN outcome[i] := 'window';
    ELSIF account_used[a] + n > window_limit[a] * account_window_factor THEN outcome[i] := 'account_window';
    ELSIF month_used[a] + n > quota[a] THEN outcome[i] := 'quota';
    ELSE
      outcome[i] := 'admitted';
      opened[c] := coalesce(opened[c], now_at); used[c] := used[c] + n; counted[c] := true;
      account_opened[a] := coalesce(account_opened[a], now_at); account_used[a] := account_used[a] + n; account_counted[a] := true;
      month_used[a] := month_used[a] + costs[i]; added[a] := added[a] + costs[i];
    END IF;
    request_used[i] := used[c]; request_opened[i] := opened[c]; request_month[i] := month_used[a];
    request_account_used[i] := account_used[a]; request_account_opened[i] := account_opened[a];
  END LOOP;

  INSERT INTO rate_windows
    SELECT x.id, x.started, x.n FROM unnest(credentials, opened, used, counted) x (id, started, n, is_counted) WHERE x.is_counted
    UNION ALL
    SELECT x.id, x.started, x.n FROM unnest(account_ids, account_opened, account_used, account_counted) x (id, started, n, is_counted) WHERE x.is_counted
    ON CONFLICT (credential_id) DO UPDATE SET started_ts = excluded.started_ts, used = excluded.used;
  UPDATE usage_months u SET used = u.used + x.n FROM unnest(account_ids, added) x (id, n)
    WHERE u.account_id = x.id AND u.month = this_month AND x.n > 0;
  INSERT INTO usage_days AS d
    SELECT account_ids[owners[x.c]], today, x.channel, sum(x.cost) FROM unnest(who, costs, channels, outcome) x (c, cost, channel, result)
    WHERE x.result = 'admitted' AND x.cost > 0 GROUP BY 1, 3
    ON CONFLICT (account_id, day, channel) DO UPDATE SET used = d.used + excluded.used;
  UPDATE api_keys k SET last_used_ts = now_at FROM unnest(credentials, counted, last_used) x (id, is_counted, at)
    WHERE k.id = x.id AND x.is_counted AND (x.at IS NULL OR abs(now_at - x.at) >= touch_ms);
  UPDATE oauth_grants g SET last_used_ts = now_at FROM unnest(credentials, counted, last_used) x (id, is_counted, at)
    WHERE g.id = x.id AND x.is_counted AND (x.at IS NULL OR abs(now_at - x.at) >= touch_ms);

  result := json_build_object('now', now_at, 'outcome', outcome, 'used', request_used, 'opened', request_opened,
    'month', request_month, 'accountUsed', request_account_used, 'accountOpened', request_account_opened,
    'plan', plan, 'window', window_limit, 'quota', quota,
    'head', (SELECT h.head FROM publication_head h WHERE h.id = 1))::text;
  UPDATE counting_lanes l SET answer = result WHERE l.id = lane;
  RETURN result;
END $$;
