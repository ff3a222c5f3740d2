-- Publications of the catalogue (docs/decisions/43-publications.md). It uses now_ms() of ../schema.sql, and the tables
-- and functions of ../nodes.sql.

-- A publication is the state of the catalogue that all nodes serve. `objects` lists the objects with the pages that differ
-- from the parent, `base` those with the whole file; each is an array of {sha256, bytes, firstPage, pages}.
CREATE TABLE publications (
  number BIGINT PRIMARY KEY,
  parent BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  schema_version INTEGER NOT NULL,
  page_size INTEGER NOT NULL,
  page_count BIGINT NOT NULL,
  root TEXT COLLATE "C" NOT NULL,
  objects JSONB,
  object_bytes BIGINT,
  base JSONB,
  base_bytes BIGINT,
  base_ms BIGINT,
  term BIGINT NOT NULL,
  published_ms BIGINT NOT NULL,
  CHECK (number = parent + 1 AND (objects IS NOT NULL OR base IS NOT NULL))
);

-- `head` is the publication that nodes serve, 0 before the first; `next` is the one that they prepare.
CREATE TABLE publication_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  head BIGINT NOT NULL,
  next BIGINT,
  next_ms BIGINT
);
INSERT INTO publication_head (id, head) VALUES (1, 0);

CREATE TABLE publication_objects (
  name TEXT COLLATE "C" PRIMARY KEY,
  content BYTEA NOT NULL,
  stored_ms BIGINT NOT NULL
);
-- Objects are compressed and encrypted already.
ALTER TABLE publication_objects ALTER COLUMN content SET STORAGE EXTERNAL;

-- Whether the node still has the lease with this term. The row of the lease stays locked until the transaction ends, so that
-- no other node takes it before.
CREATE FUNCTION has_catalogue_lease(p_node TEXT, p_term BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_lease('catalogue', p_node, p_term);
  RETURN TRUE;
EXCEPTION WHEN SQLSTATE 'CB001' THEN RETURN FALSE;
END $$;

-- Inserts a publication and makes it the next one. False: the lease was lost, or the parent is not the head. A call whose
-- answer was lost may be repeated.
CREATE FUNCTION publish_catalogue(
  p_node TEXT, p_term BIGINT, p_parent BIGINT, p_revision BIGINT, p_schema INTEGER,
  p_page_size INTEGER, p_page_count BIGINT, p_root TEXT, p_objects JSONB, p_base JSONB
) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_catalogue_lease(p_node, p_term) THEN RETURN FALSE; END IF;
  PERFORM 1 FROM publications WHERE number = p_parent + 1 AND term = p_term AND root = p_root;
  IF FOUND THEN RETURN TRUE; END IF;
  UPDATE publication_head SET next = p_parent + 1, next_ms = now_ms()
    WHERE id = 1 AND head = p_parent AND next IS NULL;
  IF NOT FOUND THEN RETURN FALSE; END IF;
  INSERT INTO publications VALUES (
    p_parent + 1, p_parent, p_revision, p_schema, p_page_size, p_page_count, p_root,
    p_objects, (SELECT sum((o->>'bytes')::bigint) FROM jsonb_array_elements(p_objects) o),
    p_base, (SELECT sum((o->>'bytes')::bigint) FROM jsonb_array_elements(p_base) o),
    CASE WHEN p_base IS NULL THEN NULL ELSE now_ms() END, p_term, now_ms());
  RETURN TRUE;
END $$;

-- Makes the next publication the head if every live node that serves has prepared it or said that it cannot, or after the
-- patience. Returns the head, null if the lease was lost.
CREATE FUNCTION activate_publication(
  p_node TEXT, p_term BIGINT, p_patience_ms BIGINT, p_live_ms BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_catalogue_lease(p_node, p_term) THEN RETURN NULL; END IF;
  UPDATE publication_head SET head = next, next = NULL, next_ms = NULL
    WHERE id = 1 AND next IS NOT NULL AND (now_ms() - next_ms >= p_patience_ms OR NOT EXISTS (
      SELECT 1 FROM nodes n
      WHERE n.seen_ts > now_ms() - p_live_ms AND n.serving IS NOT NULL AND n.problem IS NULL
        AND n.prepared IS DISTINCT FROM next));
  RETURN (SELECT head FROM publication_head WHERE id = 1);
END $$;

-- Adds the whole file to a publication. False: the lease was lost, or the publication was deleted.
CREATE FUNCTION add_base(p_node TEXT, p_term BIGINT, p_number BIGINT, p_base JSONB)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_catalogue_lease(p_node, p_term) THEN RETURN FALSE; END IF;
  UPDATE publications SET base = p_base, base_ms = now_ms(),
      base_bytes = (SELECT sum((o->>'bytes')::bigint) FROM jsonb_array_elements(p_base) o)
    WHERE number = p_number;
  IF NOT FOUND THEN RETURN FALSE; END IF;
  UPDATE nodes SET wants_base = 0 WHERE wants_base <> 0;
  RETURN TRUE;
END $$;

-- Deletes publications older than `p_keep_ms`, but not the newest base up to the head and what follows it, and nodes that
-- were not seen for a day. Returns the number of deleted publications, null if the lease was lost.
CREATE FUNCTION prune_publications(p_node TEXT, p_term BIGINT, p_keep_ms BIGINT)
RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE deleted BIGINT;
BEGIN
  IF NOT has_catalogue_lease(p_node, p_term) THEN RETURN NULL; END IF;
  DELETE FROM nodes WHERE seen_ts < now_ms() - 86400000;
  DELETE FROM publications WHERE published_ms < now_ms() - p_keep_ms AND number < (
    SELECT max(number) FROM publications
    WHERE base IS NOT NULL AND number <= (SELECT head FROM publication_head WHERE id = 1));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;

-- Notes what a node serves and has prepared, and why it cannot prepare more. Returns the head and the next publication.
CREATE FUNCTION report_publication(
  p_node TEXT, p_serving BIGINT, p_prepared BIGINT, p_wants_base INTEGER, p_problem TEXT,
  OUT head BIGINT, OUT next BIGINT
) LANGUAGE plpgsql AS $$
BEGIN
  -- The rest of the row comes with report_node, from nodes that run a service.
  INSERT INTO nodes (id, machine, pid, url, version, schema_min, schema_max, revision, started_ts, seen_ts, serving, prepared, wants_base, problem)
    VALUES (p_node, '', 0, '', '', 0, 0, 0, now_ms(), now_ms(), p_serving, p_prepared, p_wants_base, p_problem)
    ON CONFLICT (id) DO UPDATE SET serving = excluded.serving, prepared = excluded.prepared,
      wants_base = excluded.wants_base, problem = excluded.problem, seen_ts = excluded.seen_ts;
  SELECT h.head, h.next INTO head, next FROM publication_head h WHERE h.id = 1;
END $$;
