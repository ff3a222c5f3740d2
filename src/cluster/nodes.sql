-- The nodes of a cluster, and their leases. Times are those of PostgreSQL (now_ms), in ms since 1970.

-- One row for each `serve` with its workers.
CREATE TABLE nodes (
  id TEXT COLLATE "C" PRIMARY KEY,
  machine TEXT COLLATE "C" NOT NULL,
  pid BIGINT NOT NULL,
  url TEXT COLLATE "C" NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  -- The schemas of data files that the program reads: from the oldest to the newest, to which it upgrades.
  schema_min BIGINT NOT NULL,
  schema_max BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  started_ts BIGINT NOT NULL,
  seen_ts BIGINT NOT NULL,
  -- How far the node's clock is ahead; NULL before the second message.
  clock_ahead_ms BIGINT,
  -- The publications that it serves and has ready (publication/schema.sql); NULL: none yet.
  serving BIGINT,
  prepared BIGINT,
  wants_base INTEGER NOT NULL DEFAULT 0,
  -- Why it cannot prepare a publication; NULL: it can. Publications do not wait for it meanwhile.
  problem TEXT COLLATE "C"
) WITH (fillfactor = 50);

-- Says that a node lives. Returns the time of PostgreSQL, from which the node computes the difference of the clocks.
CREATE FUNCTION report_node(
  node TEXT, on_machine TEXT, its_pid BIGINT, its_url TEXT, its_version TEXT, its_min BIGINT, its_max BIGINT,
  its_revision BIGINT, ahead_ms BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  now_at BIGINT := now_ms();
BEGIN
  INSERT INTO nodes AS n (id, machine, pid, url, version, schema_min, schema_max, revision, started_ts, seen_ts, clock_ahead_ms)
    VALUES (node, on_machine, its_pid, its_url, its_version, its_min, its_max, its_revision, now_at, now_at, ahead_ms)
    ON CONFLICT (id) DO UPDATE SET machine = excluded.machine, pid = excluded.pid, url = excluded.url,
      version = excluded.version, schema_min = excluded.schema_min, schema_max = excluded.schema_max,
      revision = excluded.revision, seen_ts = excluded.seen_ts, clock_ahead_ms = excluded.clock_ahead_ms;
  RETURN now_at;
END $$;

-- The right of one node at a time to do some work. `term` rises with each change of the holder, and never falls. A write
-- under a lease names its term; an old one is refused.
CREATE TABLE leases (
  name TEXT COLLATE "C" PRIMARY KEY,
  holder TEXT COLLATE "C",
  term BIGINT NOT NULL,
  until_ts BIGINT NOT NULL
);

-- Takes a lease that is free or has run out. Returns its term; NULL: another node has it.
CREATE FUNCTION acquire_lease(lease TEXT, node TEXT, lease_ms BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  result BIGINT;
BEGIN
  INSERT INTO leases AS t (name, holder, term, until_ts) VALUES (lease, node, 1, now_ms() + lease_ms)
    ON CONFLICT (name) DO UPDATE SET holder = node, term = t.term + 1, until_ts = now_ms() + lease_ms
      WHERE t.holder IS NULL OR t.holder = node OR t.until_ts <= now_ms()
    RETURNING term INTO result;
  RETURN result;
END $$;

-- Extends a lease. False: it has run out, even if no other node took it, or another node has it.
CREATE FUNCTION renew_lease(lease TEXT, node TEXT, its_term BIGINT, lease_ms BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  UPDATE leases t SET until_ts = now_ms() + lease_ms
    WHERE t.name = lease AND t.holder = node AND t.term = its_term AND t.until_ts > now_ms();
  RETURN FOUND;
END $$;

-- Fails unless the node has the lease. Call it in the transaction that writes: until its commit, no other node can take the lease.
CREATE FUNCTION require_lease(lease TEXT, node TEXT, its_term BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM leases t
    WHERE t.name = lease AND t.holder = node AND t.term = its_term AND t.until_ts > now_ms() FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the lease % of term % is over', lease, its_term USING ERRCODE = 'CB001'; END IF;
END $$;

-- Ends a lease before its time.
CREATE FUNCTION release_lease(lease TEXT, node TEXT, its_term BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  UPDATE leases t SET holder = NULL, until_ts = 0 WHERE t.name = lease AND t.holder = node AND t.term = its_term;
  RETURN FOUND;
END $$;
