CREATE FUNCTION note_changed_spans() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO span_segment_changes (span_row_id, version)
        SELECT id, 1 FROM old_spans WHERE EXISTS (SELECT 1 FROM span_segments WHERE segment = old_spans.id >> 12)
        ON CONFLICT (span_row_id) DO UPDATE SET version = span_segment_changes.version + 1;
      RETURN NULL;
    END $$;

CREATE FUNCTION queue_changed_span() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO search_queue (span_row_id) VALUES (NEW.id);
      RETURN NULL;
    END $$;

CREATE FUNCTION queue_deleted_spans() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO search_queue (span_row_id) SELECT id FROM old_spans;
      RETURN NULL;
    END $$;

CREATE FUNCTION span_sums_after_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO span_sums (project_id, quarter, span_count)
        SELECT project_id, start_us / 900000000, sum(sign * 1) FROM (SELECT -1 AS sign, project_id, start_us FROM old_rows) AS changed
        WHERE project_id > 0 GROUP BY 1, 2 HAVING sum(sign * 1) <> 0
        ON CONFLICT (project_id, quarter) DO UPDATE SET span_count = span_sums.span_count + excluded.span_count;
      DELETE FROM span_sums USING (SELECT DISTINCT project_id AS project_id, start_us / 900000000 AS quarter FROM old_rows) AS gone
        WHERE span_sums.project_id = gone.project_id AND span_sums.quarter = gone.quarter AND span_sums.span_count = 0;
      RETURN NULL;
    END $$;

CREATE FUNCTION span_sums_after_insert() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO span_sums (project_id, quarter, span_count)
        SELECT project_id, start_us / 900000000, sum(sign * 1) FROM (SELECT 1 AS sign, project_id, start_us FROM new_rows) AS changed
        WHERE project_id > 0 GROUP BY 1, 2 HAVING sum(sign * 1) <> 0
        ON CONFLICT (project_id, quarter) DO UPDATE SET span_count = span_sums.span_count + excluded.span_count;
      RETURN NULL;
    END $$;

CREATE FUNCTION span_sums_after_update() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO span_sums (project_id, quarter, span_count)
        SELECT project_id, start_us / 900000000, sum(sign * 1) FROM (SELECT 1 AS sign, new_rows.project_id, new_rows.start_us FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id WHERE new_rows.project_id <> old_rows.project_id OR new_rows.start_us / 900000000 <> old_rows.start_us / 900000000
          UNION ALL SELECT -1, old_rows.project_id, old_rows.start_us FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id WHERE new_rows.project_id <> old_rows.project_id OR new_rows.start_us / 900000000 <> old_rows.start_us / 900000000) AS changed
        WHERE project_id > 0 GROUP BY 1, 2 HAVING sum(sign * 1) <> 0
        ON CONFLICT (project_id, quarter) DO UPDATE SET span_count = span_sums.span_count + excluded.span_count;
      DELETE FROM span_sums USING (SELECT DISTINCT project_id AS project_id, start_us / 900000000 AS quarter FROM old_rows) AS gone
        WHERE span_sums.project_id = gone.project_id AND span_sums.quarter = gone.quarter AND span_sums.span_count = 0;
      RETURN NULL;
    END $$;

CREATE FUNCTION trace_latencies_after_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO trace_latencies (project_id, stretch, latency_step, trace_count)
        SELECT project_id, start_us / 43200000000, latency_step, sum(sign * 1) FROM (SELECT -1 AS sign, project_id, start_us, latency_step FROM old_rows) AS changed
        WHERE project_id > 0 GROUP BY 1, 2, 3 HAVING sum(sign * 1) <> 0
        ON CONFLICT (project_id, stretch, latency_step) DO UPDATE SET trace_count = trace_latencies.trace_count + excluded.trace_count;
      DELETE FROM trace_latencies USING (SELECT DISTINCT project_id AS project_id, start_us / 43200000000 AS stretch, latency_step AS latency_step FROM old_rows) AS gone
        WHERE trace_latencies.project_id = gone.project_id AND trace_latencies.stretch = gone.stretch AND trace_latencies.latency_step = gone.latency_step AND trace_latencies.trace_count = 0;
      RETURN NULL;
    END $$;

CREATE FUNCTION trace_latencies_after_insert() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO trace_latencies (project_id, stretch, latency_step, trace_count)
        SELECT project_id, start_us / 43200000000, latency_step, sum(sign * 1) FROM (SELECT 1 AS sign, project_id, start_us, latency_step FROM new_rows) AS changed
        WHERE project_id > 0 GROUP BY 1, 2, 3 HAVING sum(sign * 1) <> 0
        ON CONFLICT (project_id, stretch, latency_step) DO UPDATE SET trace_count = trace_latencies.trace_count + excluded.trace_count;
      RETURN NULL;
    END $$;

CREATE FUNCTION trace_latencies_after_update() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO trace_latencies (project_id, stretch, latency_step, trace_count)
        SELECT project_id, start_us / 43200000000, latency_step, sum(sign * 1) FROM (SELECT 1 AS sign, new_rows.project_id, new_rows.start_us, new_rows.latency_step FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id WHERE new_rows.project_id <> old_rows.project_id OR new_rows.start_us / 43200000000 <> old_rows.start_us / 43200000000 OR new_rows.latency_step <> old_rows.latency_step
          UNION ALL SELECT -1, old_rows.project_id, old_rows.start_us, old_rows.latency_step FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id WHERE new_rows.project_id <> old_rows.project_id OR new_rows.start_us / 43200000000 <> old_rows.start_us / 43200000000 OR new_rows.latency_step <> old_rows.latency_step) AS changed
        WHERE project_id > 0 GROUP BY 1, 2, 3 HAVING sum(sign * 1) <> 0
        ON CONFLICT (project_id, stretch, latency_step) DO UPDATE SET trace_count = trace_latencies.trace_count + excluded.trace_count;
      DELETE FROM trace_latencies USING (SELECT DISTINCT project_id AS project_id, start_us / 43200000000 AS stretch, latency_step AS latency_step FROM old_rows) AS gone
        WHERE trace_latencies.project_id = gone.project_id AND trace_latencies.stretch = gone.stretch AND trace_latencies.latency_step = gone.latency_step AND trace_latencies.trace_count = 0;
      RETURN NULL;
    END $$;

CREATE FUNCTION trace_sums_after_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO trace_sums (project_id, quarter, trace_count, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd)
        SELECT project_id, start_us / 900000000, sum(sign * 1), sum(sign * prompt_tokens), sum(sign * completion_tokens), sum(sign * cost_nanousd), sum(sign * prompt_cost_nanousd), sum(sign * completion_cost_nanousd) FROM (SELECT -1 AS sign, project_id, start_us, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd FROM old_rows) AS changed
        WHERE project_id > 0 GROUP BY 1, 2 HAVING sum(sign * 1) <> 0 OR sum(sign * prompt_tokens) <> 0 OR sum(sign * completion_tokens) <> 0 OR sum(sign * cost_nanousd) <> 0 OR sum(sign * prompt_cost_nanousd) <> 0 OR sum(sign * completion_cost_nanousd) <> 0
        ON CONFLICT (project_id, quarter) DO UPDATE SET trace_count = trace_sums.trace_count + excluded.trace_count, prompt_tokens = trace_sums.prompt_tokens + excluded.prompt_tokens, completion_tokens = trace_sums.completion_tokens + excluded.completion_tokens, cost_nanousd = trace_sums.cost_nanousd + excluded.cost_nanousd, prompt_cost_nanousd = trace_sums.prompt_cost_nanousd + excluded.prompt_cost_nanousd, completion_cost_nanousd = trace_sums.completion_cost_nanousd + excluded.completion_cost_nanousd;
      DELETE FROM trace_sums USING (SELECT DISTINCT project_id AS project_id, start_us / 900000000 AS quarter FROM old_rows) AS gone
        WHERE trace_sums.project_id = gone.project_id AND trace_sums.quarter = gone.quarter AND trace_sums.trace_count = 0;
      RETURN NULL;
    END $$;

CREATE FUNCTION trace_sums_after_insert() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO trace_sums (project_id, quarter, trace_count, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd)
        SELECT project_id, start_us / 900000000, sum(sign * 1), sum(sign * prompt_tokens), sum(sign * completion_tokens), sum(sign * cost_nanousd), sum(sign * prompt_cost_nanousd), sum(sign * completion_cost_nanousd) FROM (SELECT 1 AS sign, project_id, start_us, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd FROM new_rows) AS changed
        WHERE project_id > 0 GROUP BY 1, 2 HAVING sum(sign * 1) <> 0 OR sum(sign * prompt_tokens) <> 0 OR sum(sign * completion_tokens) <> 0 OR sum(sign * cost_nanousd) <> 0 OR sum(sign * prompt_cost_nanousd) <> 0 OR sum(sign * completion_cost_nanousd) <> 0
        ON CONFLICT (project_id, quarter) DO UPDATE SET trace_count = trace_sums.trace_count + excluded.trace_count, prompt_tokens = trace_sums.prompt_tokens + excluded.prompt_tokens, completion_tokens = trace_sums.completion_tokens + excluded.completion_tokens, cost_nanousd = trace_sums.cost_nanousd + excluded.cost_nanousd, prompt_cost_nanousd = trace_sums.prompt_cost_nanousd + excluded.prompt_cost_nanousd, completion_cost_nanousd = trace_sums.completion_cost_nanousd + excluded.completion_cost_nanousd;
      RETURN NULL;
    END $$;

CREATE FUNCTION trace_sums_after_update() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO trace_sums (project_id, quarter, trace_count, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd)
        SELECT project_id, start_us / 900000000, sum(sign * 1), sum(sign * prompt_tokens), sum(sign * completion_tokens), sum(sign * cost_nanousd), sum(sign * prompt_cost_nanousd), sum(sign * completion_cost_nanousd) FROM (SELECT 1 AS sign, new_rows.project_id, new_rows.start_us, new_rows.prompt_tokens, new_rows.completion_tokens, new_rows.cost_nanousd, new_rows.prompt_cost_nanousd, new_rows.completion_cost_nanousd FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id WHERE new_rows.project_id <> old_rows.project_id OR new_rows.start_us / 900000000 <> old_rows.start_us / 900000000 OR new_rows.prompt_tokens <> old_rows.prompt_tokens OR new_rows.completion_tokens <> old_rows.completion_tokens OR new_rows.cost_nanousd <> old_rows.cost_nanousd OR new_rows.prompt_cost_nanousd <> old_rows.prompt_cost_nanousd OR new_rows.completion_cost_nanousd <> old_rows.completion_cost_nanousd
          UNION ALL SELECT -1, old_rows.project_id, old_rows.start_us, old_rows.prompt_tokens, old_rows.completion_tokens, old_rows.cost_nanousd, old_rows.prompt_cost_nanousd, old_rows.completion_cost_nanousd FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id WHERE new_rows.project_id <> old_rows.project_id OR new_rows.start_us / 900000000 <> old_rows.start_us / 900000000 OR new_rows.prompt_tokens <> old_rows.prompt_tokens OR new_rows.completion_tokens <> old_rows.completion_tokens OR new_rows.cost_nanousd <> old_rows.cost_nanousd OR new_rows.prompt_cost_nanousd <> old_rows.prompt_cost_nanousd OR new_rows.completion_cost_nanousd <> old_rows.completion_cost_nanousd) AS changed
        WHERE project_id > 0 GROUP BY 1, 2 HAVING sum(sign * 1) <> 0 OR sum(sign * prompt_tokens) <> 0 OR sum(sign * completion_tokens) <> 0 OR sum(sign * cost_nanousd) <> 0 OR sum(sign * prompt_cost_nanousd) <> 0 OR sum(sign * completion_cost_nanousd) <> 0
        ON CONFLICT (project_id, quarter) DO UPDATE SET trace_count = trace_sums.trace_count + excluded.trace_count, prompt_tokens = trace_sums.prompt_tokens + excluded.prompt_tokens, completion_tokens = trace_sums.completion_tokens + excluded.completion_tokens, cost_nanousd = trace_sums.cost_nanousd + excluded.cost_nanousd, prompt_cost_nanousd = trace_sums.prompt_cost_nanousd + excluded.prompt_cost_nanousd, completion_cost_nanousd = trace_sums.completion_cost_nanousd + excluded.completion_cost_nanousd;
      DELETE FROM trace_sums USING (SELECT DISTINCT project_id AS project_id, start_us / 900000000 AS quarter FROM old_rows) AS gone
        WHERE trace_sums.project_id = gone.project_id AND trace_sums.quarter = gone.quarter AND trace_sums.trace_count = 0;
      RETURN NULL;
    END $$;

CREATE TABLE annotation_configs (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  optimization_direction text COLLATE "C",
  content text COLLATE "C" NOT NULL,
  is_strict bigint NOT NULL DEFAULT 0,
  CHECK (kind = ANY (ARRAY['CATEGORICAL'::text, 'CONTINUOUS'::text, 'FREEFORM'::text])),
  CHECK (optimization_direction = ANY (ARRAY['MINIMIZE'::text, 'MAXIMIZE'::text, 'NONE'::text])),
  PRIMARY KEY (id)
);

CREATE TABLE annotation_queue_configs (
  queue_id bigint NOT NULL,
  config_id bigint NOT NULL,
  position bigint NOT NULL,
  FOREIGN KEY (config_id) REFERENCES annotation_configs(id) ON DELETE CASCADE,
  FOREIGN KEY (queue_id) REFERENCES annotation_queues(id) ON DELETE CASCADE,
  PRIMARY KEY (queue_id, config_id)
);

CREATE TABLE annotation_queue_items (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  queue_id bigint NOT NULL,
  target text COLLATE "C" NOT NULL,
  target_row_id bigint NOT NULL,
  completed_count bigint NOT NULL DEFAULT 0,
  is_done bigint NOT NULL DEFAULT 0,
  held_by text COLLATE "C",
  held_until_us bigint NOT NULL DEFAULT 0,
  added_by_id bigint,
  added_at_us bigint NOT NULL,
  CHECK (target = ANY (ARRAY['span'::text, 'trace'::text, 'session'::text])),
  FOREIGN KEY (added_by_id) REFERENCES users(id) ON DELETE SET NULL,
  FOREIGN KEY (queue_id) REFERENCES annotation_queues(id) ON DELETE CASCADE,
  PRIMARY KEY (id)
);

CREATE TABLE annotation_queue_reviews (
  item_id bigint NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  queue_id bigint NOT NULL,
  user_id bigint,
  outcome text COLLATE "C" NOT NULL,
  at_us bigint NOT NULL,
  item_is_done bigint NOT NULL DEFAULT 0,
  CHECK (outcome = ANY (ARRAY['completed'::text, 'skipped'::text])),
  FOREIGN KEY (item_id) REFERENCES annotation_queue_items(id) ON DELETE CASCADE,
  FOREIGN KEY (queue_id) REFERENCES annotation_queues(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  PRIMARY KEY (item_id, reviewer)
);

CREATE TABLE annotation_queue_rules (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  queue_id bigint NOT NULL,
  project_id bigint NOT NULL,
  filter text COLLATE "C",
  sample_percent double precision NOT NULL,
  after_row_id bigint NOT NULL,
  before_row_id bigint NOT NULL,
  added_count bigint NOT NULL DEFAULT 0,
  error text COLLATE "C",
  created_at_us bigint NOT NULL,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (queue_id) REFERENCES annotation_queues(id) ON DELETE CASCADE,
  PRIMARY KEY (id)
);

CREATE TABLE annotation_queues (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  instructions text COLLATE "C",
  target text COLLATE "C" NOT NULL,
  reviews_per_item bigint NOT NULL,
  is_blind bigint NOT NULL,
  hold_minutes bigint NOT NULL,
  created_by_id bigint,
  created_at_us bigint NOT NULL,
  updated_at_us bigint NOT NULL,
  CHECK (target = ANY (ARRAY['span'::text, 'trace'::text, 'session'::text])),
  FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE SET NULL,
  PRIMARY KEY (id)
);

CREATE TABLE annotations (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  target text COLLATE "C" NOT NULL,
  target_row_id bigint NOT NULL,
  document_position bigint NOT NULL DEFAULT '-1'::integer,
  project_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL DEFAULT ''::text,
  annotator_kind text COLLATE "C" NOT NULL,
  label text COLLATE "C",
  score double precision,
  explanation text COLLATE "C",
  metadata text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  user_id bigint,
  created_at_us bigint NOT NULL,
  updated_at_us bigint NOT NULL,
  is_carried bigint NOT NULL DEFAULT 0,
  CHECK ((target = 'document'::text) = (document_position >= 0)),
  CHECK (annotator_kind = ANY (ARRAY['HUMAN'::text, 'LLM'::text, 'CODE'::text])),
  CHECK (source = ANY (ARRAY['API'::text, 'APP'::text])),
  CHECK (target = ANY (ARRAY['span'::text, 'trace'::text, 'session'::text, 'document'::text])),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  PRIMARY KEY (id)
);

CREATE TABLE api_key_projects (
  api_key_id bigint NOT NULL,
  project_id bigint NOT NULL,
  FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY (api_key_id, project_id)
);

CREATE TABLE api_keys (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  hash text COLLATE "C" NOT NULL,
  user_id bigint,
  created_by bigint,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  operations text COLLATE "C",
  is_limited_to_projects bigint NOT NULL DEFAULT 0,
  created_at_us bigint NOT NULL,
  expires_at_us bigint,
  last_used_at_us bigint,
  CHECK (operations = ANY (ARRAY['read'::text, 'ingest'::text])),
  FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  PRIMARY KEY (id)
);

CREATE TABLE arrived_targets (
  target text COLLATE "C" NOT NULL,
  target_key text COLLATE "C" NOT NULL,
  CHECK (target = ANY (ARRAY['span'::text, 'trace'::text, 'session'::text, 'document'::text])),
  PRIMARY KEY (target, target_key)
);

CREATE TABLE audit_events (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  occurred_at_us bigint NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  event_count bigint NOT NULL DEFAULT 1,
  caller_kind text COLLATE "C" NOT NULL,
  caller_row_id bigint,
  caller_name text COLLATE "C",
  key_row_id bigint,
  key_name text COLLATE "C",
  address text COLLATE "C",
  object_type text COLLATE "C",
  object_id text COLLATE "C",
  object_name text COLLATE "C",
  project_row_id bigint,
  changes text COLLATE "C",
  CHECK (outcome = ANY (ARRAY['done'::text, 'refused'::text])),
  PRIMARY KEY (id)
);

CREATE TABLE block_dictionaries (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  project_id bigint NOT NULL,
  made_at_block_id bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE block_pieces (
  block_id bigint NOT NULL,
  place bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (block_id, place)
);

CREATE TABLE blocks (
  id bigint NOT NULL,
  trace_row_id bigint NOT NULL,
  span_count bigint NOT NULL,
  live_count bigint NOT NULL,
  raw_bytes bigint NOT NULL,
  data bytea STORAGE EXTERNAL NOT NULL,
  dictionary_id bigint,
  PRIMARY KEY (id)
);

CREATE TABLE carried_annotations (
  span_row_id bigint NOT NULL,
  digests text COLLATE "C" NOT NULL,
  PRIMARY KEY (span_row_id)
);

CREATE TABLE compaction_queue (
  block_id bigint NOT NULL,
  trace_row_id bigint NOT NULL,
  PRIMARY KEY (block_id)
);

CREATE TABLE deletions (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  project_id bigint NOT NULL,
  project_name text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  policy_id bigint,
  selection text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  trace_count bigint NOT NULL,
  span_count bigint NOT NULL,
  erased_span_count bigint NOT NULL,
  started_at_us bigint NOT NULL,
  hidden_at_us bigint,
  finished_at_us bigint,
  job_id bigint,
  FOREIGN KEY (policy_id) REFERENCES retention_policies(id) ON DELETE SET NULL,
  PRIMARY KEY (id)
);

CREATE TABLE ingest_ledger (
  hour_us bigint NOT NULL,
  project_id bigint NOT NULL,
  api_key_id bigint NOT NULL,
  signal text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  item_count bigint NOT NULL,
  PRIMARY KEY (hour_us, project_id, api_key_id, signal, outcome, reason)
);

CREATE TABLE instrumentation_scopes (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  hash bytea NOT NULL,
  envelope bytea NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (hash)
);

CREATE TABLE job_items (
  job_id bigint NOT NULL,
  row_id bigint NOT NULL,
  FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  PRIMARY KEY (job_id, row_id)
);

CREATE TABLE jobs (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  kind text COLLATE "C" NOT NULL,
  input text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  progress text COLLATE "C" NOT NULL,
  budget text COLLATE "C",
  spent text COLLATE "C",
  result text COLLATE "C",
  error text COLLATE "C",
  owner text COLLATE "C",
  leased_until_us bigint NOT NULL DEFAULT 0,
  started_at_us bigint NOT NULL,
  finished_at_us bigint,
  project_id bigint,
  PRIMARY KEY (id)
);

CREATE TABLE log_record_blocks (
  id bigint NOT NULL,
  trace_id text COLLATE "C",
  record_count bigint NOT NULL,
  live_count bigint NOT NULL,
  raw_bytes bigint NOT NULL,
  data bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE log_records (
  id bigint NOT NULL,
  project_id bigint NOT NULL,
  trace_id text COLLATE "C",
  span_id text COLLATE "C",
  span_row_id bigint,
  event_name text COLLATE "C",
  content_bytes bigint,
  time_us bigint NOT NULL,
  source text COLLATE "C",
  conversation_id text COLLATE "C",
  expires_us bigint,
  otel_resource_id bigint NOT NULL,
  instrumentation_scope_id bigint NOT NULL,
  digest text COLLATE "C" NOT NULL,
  block_id bigint NOT NULL,
  ordinal bigint NOT NULL,
  request_id text COLLATE "C",
  request_span_row_id bigint,
  PRIMARY KEY (id)
);

CREATE TABLE model_prices (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text COLLATE "C" NOT NULL,
  provider text COLLATE "C",
  name_pattern text COLLATE "C" NOT NULL,
  start_us bigint,
  prices text COLLATE "C" NOT NULL,
  created_at_us bigint NOT NULL,
  updated_at_us bigint NOT NULL,
  deleted_at_us bigint,
  PRIMARY KEY (id)
);

CREATE TABLE normalizer_versions (
  from_span_row_id bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (from_span_row_id)
);

CREATE TABLE oauth2_clients (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  client_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  redirect_uris text COLLATE "C" NOT NULL,
  registered_from text COLLATE "C" NOT NULL,
  created_at_us bigint NOT NULL,
  last_used_at_us bigint,
  PRIMARY KEY (id)
);

CREATE TABLE oauth2_codes (
  hash text COLLATE "C" NOT NULL,
  sign_in_id bigint NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_name text COLLATE "C" NOT NULL,
  redirect_uri text COLLATE "C" NOT NULL,
  challenge text COLLATE "C" NOT NULL,
  audience text COLLATE "C" NOT NULL,
  expires_at_us bigint NOT NULL,
  CHECK (audience = ANY (ARRAY['server'::text, 'mcp'::text])),
  FOREIGN KEY (sign_in_id) REFERENCES sign_ins(id) ON DELETE CASCADE,
  PRIMARY KEY (hash)
);

CREATE TABLE oauth2_grants (
  sign_in_id bigint NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_name text COLLATE "C" NOT NULL,
  audience text COLLATE "C" NOT NULL,
  code_hash text COLLATE "C" NOT NULL,
  challenge text COLLATE "C" NOT NULL,
  last_used_at_us bigint NOT NULL,
  CHECK (audience = ANY (ARRAY['server'::text, 'mcp'::text])),
  FOREIGN KEY (sign_in_id) REFERENCES sign_ins(id) ON DELETE CASCADE,
  PRIMARY KEY (sign_in_id)
);

CREATE TABLE otel_resources (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  hash bytea NOT NULL,
  envelope bytea NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (hash)
);

CREATE TABLE own_default_views (
  user_id bigint NOT NULL,
  project_id bigint NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  view_id bigint NOT NULL,
  CHECK (table_name = ANY (ARRAY['traces'::text, 'spans'::text, 'sessions'::text])),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  FOREIGN KEY (view_id) REFERENCES saved_views(id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, project_id, table_name)
);

CREATE TABLE password_reset_tokens (
  user_id bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  expires_at_us bigint NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  PRIMARY KEY (user_id)
);

CREATE TABLE project_annotation_configs (
  project_id bigint NOT NULL,
  config_id bigint NOT NULL,
  FOREIGN KEY (config_id) REFERENCES annotation_configs(id) ON DELETE CASCADE,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, config_id)
);

CREATE TABLE project_retention (
  project_id bigint NOT NULL,
  policy_id bigint NOT NULL,
  FOREIGN KEY (policy_id) REFERENCES retention_policies(id) ON DELETE CASCADE,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY (project_id)
);

CREATE TABLE projects (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text COLLATE "C" NOT NULL,
  name_folded text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  gradient_start_color text COLLATE "C" NOT NULL DEFAULT '#3f8f7b'::text,
  gradient_end_color text COLLATE "C" NOT NULL DEFAULT '#e0b354'::text,
  created_at_us bigint NOT NULL,
  updated_at_us bigint NOT NULL,
  default_tab text COLLATE "C",
  PRIMARY KEY (id),
  UNIQUE (name)
);

CREATE TABLE record_turn (
  id bigint NOT NULL,
  turn bigint NOT NULL,
  CHECK (id = 1),
  PRIMARY KEY (id)
) WITH (fillfactor=10, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE TABLE retention_policies (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text COLLATE "C" NOT NULL,
  cron text COLLATE "C" NOT NULL,
  max_days double precision,
  max_count bigint,
  looked_at_us bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE row_ids (
  table_name text COLLATE "C" NOT NULL,
  next_id bigint NOT NULL,
  PRIMARY KEY (table_name)
);

CREATE TABLE saved_views (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  project_id bigint NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  owner_id bigint,
  seen_by_id bigint,
  content text COLLATE "C" NOT NULL,
  is_default bigint NOT NULL DEFAULT 0,
  created_at_us bigint NOT NULL,
  updated_at_us bigint NOT NULL,
  CHECK (table_name = ANY (ARRAY['traces'::text, 'spans'::text, 'sessions'::text])),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (seen_by_id) REFERENCES users(id) ON DELETE CASCADE,
  PRIMARY KEY (id)
);

CREATE TABLE schema_migrations (
  name text COLLATE "C" NOT NULL,
  applied_at_us bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE search_leaves (
  part bigint NOT NULL,
  number bigint NOT NULL,
  first_word text COLLATE "C" NOT NULL,
  lists bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (part, number, first_word)
);

CREATE TABLE search_parts (
  project_id bigint NOT NULL,
  part bigint NOT NULL,
  min_start_us bigint NOT NULL,
  max_start_us bigint NOT NULL,
  PRIMARY KEY (project_id, part)
);

CREATE TABLE search_progress (
  id bigint NOT NULL,
  tokenizer_version bigint NOT NULL,
  next_span_row_id bigint NOT NULL,
  rebuild_next_span_row_id bigint,
  rebuild_end_span_row_id bigint,
  failed_count bigint NOT NULL,
  change_count bigint NOT NULL DEFAULT 0,
  next_segment_number bigint NOT NULL DEFAULT 1,
  CHECK (id = 1),
  PRIMARY KEY (id)
);

CREATE TABLE search_queue (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  span_row_id bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE search_segments (
  part bigint NOT NULL,
  number bigint NOT NULL,
  text_count bigint NOT NULL,
  size bigint NOT NULL,
  vocabulary_size bigint NOT NULL,
  removed_count bigint NOT NULL,
  removed_ms bigint,
  removed bytea STORAGE EXTERNAL,
  texts bytea STORAGE EXTERNAL NOT NULL,
  lengths bytea STORAGE EXTERNAL NOT NULL,
  vocabulary bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (part, number)
);

CREATE TABLE search_spans (
  span_row_id bigint NOT NULL,
  trace_row_id bigint NOT NULL,
  introduced bytea NOT NULL,
  held bytea NOT NULL,
  doubts bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (span_row_id)
);

CREATE TABLE search_suspect_parts (
  part bigint NOT NULL,
  PRIMARY KEY (part)
);

CREATE TABLE secrets (
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  user_id bigint,
  created_at_us bigint NOT NULL,
  updated_at_us bigint NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  PRIMARY KEY (name)
);

CREATE TABLE sessions (
  id bigint NOT NULL,
  project_id bigint NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  start_us bigint NOT NULL,
  end_us bigint NOT NULL,
  trace_count bigint NOT NULL,
  error_count bigint NOT NULL,
  prompt_tokens double precision NOT NULL,
  completion_tokens double precision NOT NULL,
  cost_nanousd double precision NOT NULL,
  prompt_cost_nanousd double precision NOT NULL DEFAULT 0,
  completion_cost_nanousd double precision NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
);

CREATE TABLE sign_in_attempts (
  subject text COLLATE "C" NOT NULL,
  attempt_count bigint NOT NULL,
  last_attempt_us bigint NOT NULL,
  locked_until_us bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subject)
);

CREATE TABLE sign_in_tokens (
  hash text COLLATE "C" NOT NULL,
  sign_in_id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  expires_at_us bigint NOT NULL,
  spent_at_us bigint,
  CHECK (kind = ANY (ARRAY['access'::text, 'refresh'::text])),
  FOREIGN KEY (sign_in_id) REFERENCES sign_ins(id) ON DELETE CASCADE,
  PRIMARY KEY (hash)
);

CREATE TABLE sign_ins (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  user_id bigint NOT NULL,
  created_at_us bigint NOT NULL,
  expires_at_us bigint NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  PRIMARY KEY (id)
);

CREATE TABLE span_links (
  linked_trace_id text COLLATE "C" NOT NULL,
  linked_span_id text COLLATE "C" NOT NULL,
  span_row_id bigint NOT NULL,
  trace_row_id bigint NOT NULL,
  PRIMARY KEY (linked_trace_id, linked_span_id, span_row_id)
);

CREATE TABLE span_locations (
  span_row_id bigint NOT NULL,
  block_id bigint NOT NULL,
  ordinal bigint NOT NULL,
  PRIMARY KEY (span_row_id)
);

CREATE TABLE span_segment_changes (
  span_row_id bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (span_row_id)
);

CREATE TABLE span_segment_columns (
  segment bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  build bigint NOT NULL,
  data bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (segment, name)
);

CREATE TABLE span_segments (
  segment bigint NOT NULL,
  build bigint NOT NULL,
  format text COLLATE "C" NOT NULL,
  is_due bigint NOT NULL,
  row_count bigint NOT NULL,
  min_start_us bigint,
  max_start_us bigint,
  project_ids text COLLATE "C",
  PRIMARY KEY (segment)
);

CREATE TABLE span_sums (
  project_id bigint NOT NULL,
  quarter bigint NOT NULL,
  span_count bigint NOT NULL,
  PRIMARY KEY (project_id, quarter)
);

CREATE TABLE spans (
  id bigint NOT NULL,
  project_id bigint NOT NULL,
  trace_row_id bigint NOT NULL,
  span_id text COLLATE "C" NOT NULL,
  parent_span_id text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  kind bigint NOT NULL,
  status bigint NOT NULL,
  start_us bigint NOT NULL,
  end_us bigint,
  latency_us bigint GENERATED ALWAYS AS (end_us - start_us) STORED,
  latency_step bigint GENERATED ALWAYS AS (
CASE
    WHEN (end_us - start_us) IS NOT NULL THEN length(GREATEST(end_us - start_us, 0::bigint)::text) * 100 + "left"(GREATEST(end_us - start_us, 0::bigint)::text, 2)::bigint
    ELSE NULL::bigint
END) STORED,
  session_id text COLLATE "C",
  user_id text COLLATE "C",
  model_name text COLLATE "C",
  provider text COLLATE "C",
  response_key bigint,
  prompt_tokens bigint,
  completion_tokens bigint,
  total_tokens bigint GENERATED ALWAYS AS (COALESCE(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens)) STORED,
  prompt_tokens_step bigint GENERATED ALWAYS AS (
CASE
    WHEN prompt_tokens IS NOT NULL THEN length(GREATEST(prompt_tokens, 0::bigint)::text) * 100 + "left"(GREATEST(prompt_tokens, 0::bigint)::text, 2)::bigint
    ELSE NULL::bigint
END) STORED,
  completion_tokens_step bigint GENERATED ALWAYS AS (
CASE
    WHEN completion_tokens IS NOT NULL THEN length(GREATEST(completion_tokens, 0::bigint)::text) * 100 + "left"(GREATEST(completion_tokens, 0::bigint)::text, 2)::bigint
    ELSE NULL::bigint
END) STORED,
  total_tokens_step bigint GENERATED ALWAYS AS (
CASE
    WHEN COALESCE(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens) IS NOT NULL THEN length(GREATEST(COALESCE(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens), 0::bigint)::text) * 100 + "left"(GREATEST(COALESCE(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens), 0::bigint)::text, 2)::bigint
    ELSE NULL::bigint
END) STORED,
  cache_read_tokens bigint,
  cache_write_tokens bigint,
  reasoning_tokens bigint,
  call_distance bigint,
  counted_prompt_tokens bigint NOT NULL,
  counted_completion_tokens bigint NOT NULL,
  cost_usd double precision,
  counted_cost_nanousd bigint NOT NULL,
  input_preview text COLLATE "C",
  output_preview text COLLATE "C",
  otel_resource_id bigint NOT NULL,
  instrumentation_scope_id bigint NOT NULL,
  attributes text COLLATE "C" NOT NULL,
  omitted_attributes text COLLATE "C",
  attributes_cut bigint NOT NULL,
  prompt_audio_tokens bigint,
  completion_audio_tokens bigint,
  claimed_cost_nanousd bigint,
  claimed_prompt_cost_nanousd bigint,
  claimed_completion_cost_nanousd bigint,
  counted_prompt_cost_nanousd bigint NOT NULL DEFAULT 0,
  counted_completion_cost_nanousd bigint NOT NULL DEFAULT 0,
  input_cost_nanousd bigint,
  cache_read_cost_nanousd bigint,
  cache_write_cost_nanousd bigint,
  prompt_audio_cost_nanousd bigint,
  output_cost_nanousd bigint,
  reasoning_cost_nanousd bigint,
  completion_audio_cost_nanousd bigint,
  PRIMARY KEY (id)
);

CREATE TABLE spent_states (
  hash text COLLATE "C" NOT NULL,
  expires_at_us bigint NOT NULL,
  PRIMARY KEY (hash)
);

CREATE TABLE trace_latencies (
  project_id bigint NOT NULL,
  stretch bigint NOT NULL,
  latency_step bigint NOT NULL,
  trace_count bigint NOT NULL,
  PRIMARY KEY (project_id, stretch, latency_step)
);

CREATE TABLE trace_sums (
  project_id bigint NOT NULL,
  quarter bigint NOT NULL,
  trace_count bigint NOT NULL,
  prompt_tokens double precision NOT NULL,
  completion_tokens double precision NOT NULL,
  cost_nanousd double precision NOT NULL,
  prompt_cost_nanousd double precision NOT NULL,
  completion_cost_nanousd double precision NOT NULL,
  PRIMARY KEY (project_id, quarter)
);

CREATE TABLE traces (
  id bigint NOT NULL,
  trace_id text COLLATE "C" NOT NULL,
  project_id bigint NOT NULL,
  session_row_id bigint,
  session_span_row_id bigint,
  session_start_us bigint,
  root_span_row_id bigint,
  start_us bigint NOT NULL,
  end_us bigint NOT NULL,
  latency_us bigint GENERATED ALWAYS AS (end_us - start_us) STORED,
  span_count bigint NOT NULL,
  error_count bigint NOT NULL,
  prompt_tokens double precision NOT NULL,
  completion_tokens double precision NOT NULL,
  cost_nanousd double precision NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  prompt_cost_nanousd double precision NOT NULL DEFAULT 0,
  completion_cost_nanousd double precision NOT NULL DEFAULT 0,
  latency_step bigint GENERATED ALWAYS AS (length(GREATEST(end_us - start_us, 0::bigint)::text) * 100 + "left"(GREATEST(end_us - start_us, 0::bigint)::text, 2)::bigint) STORED,
  PRIMARY KEY (id),
  UNIQUE (trace_id)
);

CREATE TABLE unlisted_traces (
  trace_row_id bigint NOT NULL,
  deletion_id bigint,
  PRIMARY KEY (trace_row_id)
);

CREATE TABLE users (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  username text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  role text COLLATE "C" NOT NULL,
  auth_method text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C",
  password_salt text COLLATE "C",
  password_algorithm text COLLATE "C",
  password_needs_reset bigint NOT NULL DEFAULT 0,
  profile_picture_url text COLLATE "C",
  oauth2_issuer text COLLATE "C",
  oauth2_client_id text COLLATE "C",
  oauth2_user_id text COLLATE "C",
  ldap_unique_id text COLLATE "C",
  was_made_while_open bigint NOT NULL DEFAULT 0,
  created_at_us bigint NOT NULL,
  updated_at_us bigint NOT NULL,
  CHECK ((auth_method = 'LOCAL'::text) = (password_hash IS NOT NULL)),
  CHECK ((password_hash IS NULL) = (password_salt IS NULL) AND (password_hash IS NULL) = (password_algorithm IS NULL)),
  CHECK (auth_method = 'LDAP'::text OR ldap_unique_id IS NULL),
  CHECK (auth_method = 'OAUTH2'::text OR oauth2_issuer IS NULL AND oauth2_client_id IS NULL AND oauth2_user_id IS NULL),
  CHECK (auth_method = ANY (ARRAY['LOCAL'::text, 'OAUTH2'::text, 'LDAP'::text])),
  CHECK (email IS NOT NULL OR auth_method = 'LDAP'::text AND ldap_unique_id IS NOT NULL),
  CHECK (role = ANY (ARRAY['SYSTEM'::text, 'ADMIN'::text, 'MEMBER'::text, 'VIEWER'::text])),
  PRIMARY KEY (id)
);

CREATE TABLE waiting_annotations (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  target text COLLATE "C" NOT NULL,
  target_key text COLLATE "C" NOT NULL,
  document_position bigint NOT NULL DEFAULT '-1'::integer,
  name text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL DEFAULT ''::text,
  content text COLLATE "C" NOT NULL,
  user_id bigint,
  is_carried bigint NOT NULL,
  at_us bigint NOT NULL,
  received_at_us bigint NOT NULL,
  digest text COLLATE "C" NOT NULL,
  CHECK (target = ANY (ARRAY['span'::text, 'trace'::text, 'session'::text, 'document'::text])),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  PRIMARY KEY (id)
);

CREATE TABLE write_turn (
  id bigint NOT NULL,
  server_id text,
  previous text,
  turn bigint NOT NULL,
  CHECK (id = 1),
  PRIMARY KEY (id)
) WITH (fillfactor=10, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE UNIQUE INDEX annotation_configs_by_name ON annotation_configs USING btree (name);

CREATE INDEX annotation_queue_items_added_by ON annotation_queue_items USING btree (added_by_id);

CREATE INDEX annotation_queue_items_by_state ON annotation_queue_items USING btree (queue_id, is_done, id);

CREATE INDEX annotation_queue_items_held ON annotation_queue_items USING btree (queue_id, held_by) WHERE held_by IS NOT NULL;

CREATE UNIQUE INDEX annotation_queue_items_of_queue ON annotation_queue_items USING btree (queue_id, target_row_id);

CREATE INDEX annotation_queue_items_of_target ON annotation_queue_items USING btree (target, target_row_id);

CREATE INDEX annotation_queue_reviews_of_reviewer ON annotation_queue_reviews USING btree (queue_id, reviewer, item_is_done, item_id, at_us, outcome);

CREATE INDEX annotation_queue_reviews_of_user ON annotation_queue_reviews USING btree (user_id);

CREATE INDEX annotation_queue_rules_of_project ON annotation_queue_rules USING btree (project_id);

CREATE INDEX annotation_queue_rules_of_queue ON annotation_queue_rules USING btree (queue_id);

CREATE UNIQUE INDEX annotation_queues_by_name ON annotation_queues USING btree (name);

CREATE INDEX annotation_queues_of_config ON annotation_queue_configs USING btree (config_id);

CREATE INDEX annotation_queues_of_creator ON annotation_queues USING btree (created_by_id);

CREATE INDEX annotations_of_identifier ON annotations USING btree (target, identifier, id) WHERE identifier <> ''::text;

CREATE INDEX annotations_of_name ON annotations USING btree (target, name, target_row_id, project_id, score, label);

CREATE INDEX annotations_of_project ON annotations USING btree (project_id, target, name, id);

CREATE UNIQUE INDEX annotations_of_target ON annotations USING btree (target, target_row_id, name, identifier, document_position);

CREATE INDEX annotations_of_user ON annotations USING btree (user_id);

CREATE UNIQUE INDEX api_keys_by_hash ON api_keys USING btree (hash);

CREATE INDEX api_keys_by_maker ON api_keys USING btree (created_by);

CREATE INDEX api_keys_of_project ON api_key_projects USING btree (project_id);

CREATE INDEX api_keys_of_user ON api_keys USING btree (user_id, id);

CREATE INDEX audit_events_by_time ON audit_events USING btree (occurred_at_us, id);

CREATE INDEX audit_events_of_caller ON audit_events USING btree (caller_kind, caller_row_id, occurred_at_us, id);

CREATE INDEX audit_events_of_object ON audit_events USING btree (object_type, object_id, occurred_at_us, id) WHERE object_id IS NOT NULL;

CREATE INDEX audit_events_of_operation ON audit_events USING btree (operation, occurred_at_us, id);

CREATE INDEX block_dictionaries_of_project ON block_dictionaries USING btree (project_id, id);

CREATE INDEX blocks_of_dictionary ON blocks USING btree (dictionary_id) WHERE dictionary_id IS NOT NULL;

CREATE INDEX blocks_of_trace ON blocks USING btree (trace_row_id);

CREATE INDEX calls_by_response ON spans USING btree ((start_us >> 22), response_key, project_id, start_us) WHERE response_key IS NOT NULL AND call_distance = 0;

CREATE INDEX deletions_of_policy ON deletions USING btree (policy_id, id) WHERE policy_id IS NOT NULL;

CREATE INDEX deletions_of_project ON deletions USING btree (project_id, id);

CREATE INDEX deletions_unfinished ON deletions USING btree (id) WHERE state <> 'finished'::text;

CREATE UNIQUE INDEX jobs_alone ON jobs USING btree (kind) WHERE finished_at_us IS NULL AND kind <> 'bulk'::text;

CREATE INDEX jobs_of_kind ON jobs USING btree (kind, id);

CREATE INDEX jobs_of_project ON jobs USING btree (project_id, id) WHERE project_id IS NOT NULL;

CREATE INDEX jobs_unfinished ON jobs USING btree (kind) WHERE finished_at_us IS NULL;

CREATE INDEX links_of_trace ON span_links USING btree (trace_row_id, span_row_id);

CREATE INDEX log_record_blocks_of_trace ON log_record_blocks USING btree (trace_id) WHERE trace_id IS NOT NULL;

CREATE UNIQUE INDEX log_records_by_identity ON log_records USING btree (time_us, digest);

CREATE INDEX log_records_expiring ON log_records USING btree (expires_us) WHERE expires_us IS NOT NULL;

CREATE INDEX log_records_in_block ON log_records USING btree (block_id);

CREATE INDEX log_records_naming_request ON log_records USING btree (trace_id, request_id) WHERE request_id IS NOT NULL;

CREATE INDEX log_records_of_conversation ON log_records USING btree (conversation_id, time_us) WHERE conversation_id IS NOT NULL;

CREATE INDEX log_records_of_request ON log_records USING btree (request_span_row_id, time_us) WHERE request_span_row_id IS NOT NULL;

CREATE INDEX log_records_of_source ON log_records USING btree (source, time_us) WHERE source IS NOT NULL;

CREATE INDEX log_records_of_span ON log_records USING btree (span_row_id, time_us) WHERE span_row_id IS NOT NULL;

CREATE INDEX log_records_unattached ON log_records USING btree (project_id, id) WHERE span_row_id IS NULL;

CREATE INDEX log_records_waiting ON log_records USING btree (trace_id, span_id) WHERE span_row_id IS NULL AND trace_id IS NOT NULL;

CREATE INDEX log_records_with_content ON log_records USING btree (span_row_id, time_us) WHERE span_row_id IS NOT NULL AND content_bytes IS NOT NULL;

CREATE UNIQUE INDEX model_prices_by_name ON model_prices USING btree (name, COALESCE(start_us, '-1'::integer::bigint)) WHERE deleted_at_us IS NULL;

CREATE UNIQUE INDEX model_prices_by_pattern ON model_prices USING btree (name_pattern, COALESCE(provider, ''::text), COALESCE(start_us, '-1'::integer::bigint)) WHERE deleted_at_us IS NULL;

CREATE INDEX oauth2_clients_by_age ON oauth2_clients USING btree (created_at_us);

CREATE UNIQUE INDEX oauth2_clients_by_client_id ON oauth2_clients USING btree (client_id);

CREATE INDEX oauth2_clients_by_origin ON oauth2_clients USING btree (registered_from, created_at_us);

CREATE INDEX oauth2_codes_by_expiry ON oauth2_codes USING btree (expires_at_us);

CREATE INDEX oauth2_codes_of_sign_in ON oauth2_codes USING btree (sign_in_id);

CREATE UNIQUE INDEX oauth2_grants_by_code ON oauth2_grants USING btree (code_hash);

CREATE INDEX oauth2_grants_of_client ON oauth2_grants USING btree (client_id);

CREATE UNIQUE INDEX one_system_user ON users USING btree (role) WHERE role = 'SYSTEM'::text;

CREATE INDEX own_default_views_of_project ON own_default_views USING btree (project_id);

CREATE INDEX own_default_views_of_view ON own_default_views USING btree (view_id);

CREATE UNIQUE INDEX password_reset_tokens_by_hash ON password_reset_tokens USING btree (hash);

CREATE INDEX projects_of_annotation_config ON project_annotation_configs USING btree (config_id);

CREATE INDEX projects_of_policy ON project_retention USING btree (policy_id, project_id);

CREATE INDEX root_spans_by_start ON spans USING btree (project_id, start_us) WHERE parent_span_id IS NULL;

CREATE UNIQUE INDEX saved_views_by_default ON saved_views USING btree (project_id, table_name) WHERE is_default = 1;

CREATE UNIQUE INDEX saved_views_by_name ON saved_views USING btree (project_id, table_name, owner_id, name);

CREATE INDEX saved_views_of_owner ON saved_views USING btree (owner_id);

CREATE INDEX saved_views_seen_by ON saved_views USING btree (seen_by_id);

CREATE INDEX search_segments_with_removed ON search_segments USING btree (removed_ms) WHERE removed_count > 0;

CREATE INDEX search_spans_in_doubt ON search_spans USING btree (span_row_id) WHERE doubts <> 0;

CREATE INDEX search_spans_of_trace ON search_spans USING btree (trace_row_id, span_row_id);

CREATE INDEX secrets_by_maker ON secrets USING btree (user_id);

CREATE INDEX sessions_by_arrival ON sessions USING btree (project_id, id);

CREATE UNIQUE INDEX sessions_by_text ON sessions USING btree (session_id, project_id);

CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts USING btree (last_attempt_us);

CREATE INDEX sign_ins_by_expiry ON sign_ins USING btree (expires_at_us);

CREATE INDEX sign_ins_of_user ON sign_ins USING btree (user_id);

CREATE INDEX spans_by_arrival ON spans USING btree (project_id, id);

CREATE INDEX spans_by_completion_tokens ON spans USING btree (project_id, completion_tokens_step) WHERE completion_tokens_step IS NOT NULL;

CREATE INDEX spans_by_end ON spans USING btree (project_id, end_us) WHERE end_us IS NOT NULL;

CREATE UNIQUE INDEX spans_by_identity ON spans USING btree (trace_row_id, span_id);

CREATE INDEX spans_by_latency ON spans USING btree (project_id, latency_step) WHERE latency_step IS NOT NULL;

CREATE INDEX spans_by_otel_id ON spans USING btree ((id >> 15), span_id);

CREATE INDEX spans_by_prompt_tokens ON spans USING btree (project_id, prompt_tokens_step) WHERE prompt_tokens_step IS NOT NULL;

CREATE INDEX spans_by_start ON spans USING btree (project_id, start_us);

CREATE INDEX spans_by_total_tokens ON spans USING btree (project_id, total_tokens_step) WHERE total_tokens_step IS NOT NULL;

CREATE INDEX spans_near_calls ON spans USING btree (trace_row_id, parent_span_id, call_distance) WHERE parent_span_id IS NOT NULL AND call_distance IS NOT NULL;

CREATE INDEX spans_of_trace ON spans USING btree (trace_row_id, start_us);

CREATE INDEX spent_states_by_expiry ON spent_states USING btree (expires_at_us);

CREATE INDEX tokens_of_sign_in ON sign_in_tokens USING btree (sign_in_id);

CREATE INDEX traces_being_moved ON unlisted_traces USING btree (trace_row_id) WHERE deletion_id IS NULL;

CREATE INDEX traces_by_latency ON traces USING btree (project_id, latency_us);

CREATE INDEX traces_by_latency_step ON traces USING btree (project_id, latency_step, start_us, latency_us);

CREATE INDEX traces_by_start ON traces USING btree (project_id, start_us);

CREATE INDEX traces_of_session ON traces USING btree (session_row_id, start_us) WHERE session_row_id IS NOT NULL;

CREATE UNIQUE INDEX users_by_email ON users USING btree (email);

CREATE UNIQUE INDEX users_by_identity ON users USING btree (oauth2_issuer, oauth2_user_id) WHERE oauth2_issuer IS NOT NULL;

CREATE UNIQUE INDEX users_by_ldap_id ON users USING btree (ldap_unique_id) WHERE ldap_unique_id IS NOT NULL;

CREATE INDEX users_by_prepared_identity ON users USING btree (oauth2_user_id) WHERE oauth2_issuer IS NULL AND oauth2_user_id IS NOT NULL;

CREATE UNIQUE INDEX users_by_username ON users USING btree (username);

CREATE UNIQUE INDEX waiting_annotations_by_digest ON waiting_annotations USING btree (digest);

CREATE INDEX waiting_annotations_by_time ON waiting_annotations USING btree (received_at_us, id);

CREATE INDEX waiting_annotations_of_target ON waiting_annotations USING btree (target, target_key);

CREATE INDEX waiting_annotations_of_user ON waiting_annotations USING btree (user_id, is_carried);

CREATE TRIGGER search_notes_changed_spans AFTER UPDATE OF attributes, project_id ON spans FOR EACH ROW EXECUTE FUNCTION queue_changed_span();

CREATE TRIGGER search_notes_deleted_spans AFTER DELETE ON spans REFERENCING OLD TABLE AS old_spans FOR EACH STATEMENT EXECUTE FUNCTION queue_deleted_spans();

CREATE TRIGGER span_sums_by_delete AFTER DELETE ON spans REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION span_sums_after_delete();

CREATE TRIGGER span_sums_by_insert AFTER INSERT ON spans REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION span_sums_after_insert();

CREATE TRIGGER span_sums_by_update AFTER UPDATE ON spans REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION span_sums_after_update();

CREATE TRIGGER spans_changed_by_delete AFTER DELETE ON spans REFERENCING OLD TABLE AS old_spans FOR EACH STATEMENT EXECUTE FUNCTION note_changed_spans();

CREATE TRIGGER spans_changed_by_update AFTER UPDATE ON spans REFERENCING OLD TABLE AS old_spans FOR EACH STATEMENT EXECUTE FUNCTION note_changed_spans();

CREATE TRIGGER trace_latencies_by_delete AFTER DELETE ON traces REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION trace_latencies_after_delete();

CREATE TRIGGER trace_latencies_by_insert AFTER INSERT ON traces REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION trace_latencies_after_insert();

CREATE TRIGGER trace_latencies_by_update AFTER UPDATE ON traces REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION trace_latencies_after_update();

CREATE TRIGGER trace_sums_by_delete AFTER DELETE ON traces REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION trace_sums_after_delete();

CREATE TRIGGER trace_sums_by_insert AFTER INSERT ON traces REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION trace_sums_after_insert();

CREATE TRIGGER trace_sums_by_update AFTER UPDATE ON traces REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION trace_sums_after_update();
