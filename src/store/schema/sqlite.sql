CREATE TRIGGER search_notes_changed_spans AFTER UPDATE OF attributes, project_id ON spans
  BEGIN
    INSERT INTO search_queue (span_row_id) VALUES (NEW.id);
  END;

CREATE TRIGGER search_notes_deleted_spans AFTER DELETE ON spans
  BEGIN
    INSERT INTO search_queue (span_row_id) VALUES (OLD.id);
  END;

CREATE TRIGGER span_sums_by_delete AFTER DELETE ON spans
  BEGIN
    UPDATE span_sums SET span_count = span_count - 1
    WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000;
    DELETE FROM span_sums WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000 AND span_count = 0;
  END;

CREATE TRIGGER span_sums_by_move AFTER UPDATE OF project_id, start_us ON spans
  WHEN NEW.project_id <> OLD.project_id OR NEW.start_us / 900000000 <> OLD.start_us / 900000000
  BEGIN
    INSERT INTO span_sums (project_id, quarter, span_count)
    SELECT NEW.project_id, NEW.start_us / 900000000, 1 WHERE NEW.project_id > 0
    ON CONFLICT (project_id, quarter) DO UPDATE SET span_count = span_count + excluded.span_count;
    UPDATE span_sums SET span_count = span_count - 1
    WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000;
    DELETE FROM span_sums WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000 AND span_count = 0;
  END;

CREATE TRIGGER spans_changed_by_delete AFTER DELETE ON spans
  WHEN EXISTS (SELECT 1 FROM span_segments WHERE segment = OLD.id >> 12)
  BEGIN
    INSERT INTO span_segment_changes (span_row_id, version) VALUES (OLD.id, 1)
    ON CONFLICT (span_row_id) DO UPDATE SET version = version + 1;
  END;

CREATE TRIGGER spans_changed_by_update AFTER UPDATE ON spans
  WHEN EXISTS (SELECT 1 FROM span_segments WHERE segment = OLD.id >> 12)
  BEGIN
    INSERT INTO span_segment_changes (span_row_id, version) VALUES (OLD.id, 1)
    ON CONFLICT (span_row_id) DO UPDATE SET version = version + 1;
  END;

CREATE TRIGGER trace_latencies_by_delete AFTER DELETE ON traces
  BEGIN
    UPDATE trace_latencies SET trace_count = trace_count - 1
    WHERE project_id = OLD.project_id AND stretch = OLD.start_us / 43200000000 AND latency_step = OLD.latency_step;
    DELETE FROM trace_latencies WHERE project_id = OLD.project_id AND stretch = OLD.start_us / 43200000000 AND latency_step = OLD.latency_step AND trace_count = 0;
  END;

CREATE TRIGGER trace_latencies_by_insert AFTER INSERT ON traces
  BEGIN
    INSERT INTO trace_latencies (project_id, stretch, latency_step, trace_count)
    SELECT NEW.project_id, NEW.start_us / 43200000000, NEW.latency_step, 1 WHERE NEW.project_id > 0
    ON CONFLICT (project_id, stretch, latency_step) DO UPDATE SET trace_count = trace_count + excluded.trace_count;
  END;

CREATE TRIGGER trace_latencies_by_move AFTER UPDATE OF project_id, start_us, end_us ON traces
  WHEN NEW.project_id <> OLD.project_id OR NEW.start_us / 43200000000 <> OLD.start_us / 43200000000 OR NEW.latency_step <> OLD.latency_step
  BEGIN
    INSERT INTO trace_latencies (project_id, stretch, latency_step, trace_count)
    SELECT NEW.project_id, NEW.start_us / 43200000000, NEW.latency_step, 1 WHERE NEW.project_id > 0
    ON CONFLICT (project_id, stretch, latency_step) DO UPDATE SET trace_count = trace_count + excluded.trace_count;
    UPDATE trace_latencies SET trace_count = trace_count - 1
    WHERE project_id = OLD.project_id AND stretch = OLD.start_us / 43200000000 AND latency_step = OLD.latency_step;
    DELETE FROM trace_latencies WHERE project_id = OLD.project_id AND stretch = OLD.start_us / 43200000000 AND latency_step = OLD.latency_step AND trace_count = 0;
  END;

CREATE TRIGGER trace_sums_by_change AFTER UPDATE OF project_id, start_us, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd ON traces
  WHEN NOT (NEW.project_id <> OLD.project_id OR NEW.start_us / 900000000 <> OLD.start_us / 900000000) AND (NEW.prompt_tokens <> OLD.prompt_tokens OR NEW.completion_tokens <> OLD.completion_tokens OR NEW.cost_nanousd <> OLD.cost_nanousd OR NEW.prompt_cost_nanousd <> OLD.prompt_cost_nanousd OR NEW.completion_cost_nanousd <> OLD.completion_cost_nanousd)
  BEGIN
    UPDATE trace_sums SET prompt_tokens = prompt_tokens + NEW.prompt_tokens - OLD.prompt_tokens, completion_tokens = completion_tokens + NEW.completion_tokens - OLD.completion_tokens, cost_nanousd = cost_nanousd + NEW.cost_nanousd - OLD.cost_nanousd, prompt_cost_nanousd = prompt_cost_nanousd + NEW.prompt_cost_nanousd - OLD.prompt_cost_nanousd, completion_cost_nanousd = completion_cost_nanousd + NEW.completion_cost_nanousd - OLD.completion_cost_nanousd
    WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000;
  END;

CREATE TRIGGER trace_sums_by_delete AFTER DELETE ON traces
  BEGIN
    UPDATE trace_sums SET trace_count = trace_count - 1, prompt_tokens = prompt_tokens - OLD.prompt_tokens, completion_tokens = completion_tokens - OLD.completion_tokens, cost_nanousd = cost_nanousd - OLD.cost_nanousd, prompt_cost_nanousd = prompt_cost_nanousd - OLD.prompt_cost_nanousd, completion_cost_nanousd = completion_cost_nanousd - OLD.completion_cost_nanousd
    WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000;
    DELETE FROM trace_sums WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000 AND trace_count = 0;
  END;

CREATE TRIGGER trace_sums_by_insert AFTER INSERT ON traces
  BEGIN
    INSERT INTO trace_sums (project_id, quarter, trace_count, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd)
    SELECT NEW.project_id, NEW.start_us / 900000000, 1, NEW.prompt_tokens, NEW.completion_tokens, NEW.cost_nanousd, NEW.prompt_cost_nanousd, NEW.completion_cost_nanousd WHERE NEW.project_id > 0
    ON CONFLICT (project_id, quarter) DO UPDATE SET trace_count = trace_count + excluded.trace_count, prompt_tokens = prompt_tokens + excluded.prompt_tokens, completion_tokens = completion_tokens + excluded.completion_tokens, cost_nanousd = cost_nanousd + excluded.cost_nanousd, prompt_cost_nanousd = prompt_cost_nanousd + excluded.prompt_cost_nanousd, completion_cost_nanousd = completion_cost_nanousd + excluded.completion_cost_nanousd;
  END;

CREATE TRIGGER trace_sums_by_move AFTER UPDATE OF project_id, start_us, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd ON traces
  WHEN NEW.project_id <> OLD.project_id OR NEW.start_us / 900000000 <> OLD.start_us / 900000000
  BEGIN
    INSERT INTO trace_sums (project_id, quarter, trace_count, prompt_tokens, completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd)
    SELECT NEW.project_id, NEW.start_us / 900000000, 1, NEW.prompt_tokens, NEW.completion_tokens, NEW.cost_nanousd, NEW.prompt_cost_nanousd, NEW.completion_cost_nanousd WHERE NEW.project_id > 0
    ON CONFLICT (project_id, quarter) DO UPDATE SET trace_count = trace_count + excluded.trace_count, prompt_tokens = prompt_tokens + excluded.prompt_tokens, completion_tokens = completion_tokens + excluded.completion_tokens, cost_nanousd = cost_nanousd + excluded.cost_nanousd, prompt_cost_nanousd = prompt_cost_nanousd + excluded.prompt_cost_nanousd, completion_cost_nanousd = completion_cost_nanousd + excluded.completion_cost_nanousd;
    UPDATE trace_sums SET trace_count = trace_count - 1, prompt_tokens = prompt_tokens - OLD.prompt_tokens, completion_tokens = completion_tokens - OLD.completion_tokens, cost_nanousd = cost_nanousd - OLD.cost_nanousd, prompt_cost_nanousd = prompt_cost_nanousd - OLD.prompt_cost_nanousd, completion_cost_nanousd = completion_cost_nanousd - OLD.completion_cost_nanousd
    WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000;
    DELETE FROM trace_sums WHERE project_id = OLD.project_id AND quarter = OLD.start_us / 900000000 AND trace_count = 0;
  END;

CREATE TABLE annotation_configs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('CATEGORICAL', 'CONTINUOUS', 'FREEFORM')),
  description TEXT,
  optimization_direction TEXT CHECK (optimization_direction IN ('MINIMIZE', 'MAXIMIZE', 'NONE')),
  content TEXT NOT NULL,
  is_strict INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE annotation_queue_configs (
  queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
  config_id INTEGER NOT NULL REFERENCES annotation_configs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (queue_id, config_id)
);

CREATE TABLE annotation_queue_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
  target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session')),
  target_row_id INTEGER NOT NULL,
  completed_count INTEGER NOT NULL DEFAULT 0,
  is_done INTEGER NOT NULL DEFAULT 0,
  held_by TEXT,
  held_until_us INTEGER NOT NULL DEFAULT 0,
  added_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  added_at_us INTEGER NOT NULL
);

CREATE TABLE annotation_queue_reviews (
  item_id INTEGER NOT NULL REFERENCES annotation_queue_items (id) ON DELETE CASCADE,
  reviewer TEXT NOT NULL,
  queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('completed', 'skipped')),
  at_us INTEGER NOT NULL,
  item_is_done INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (item_id, reviewer)
);

CREATE TABLE annotation_queue_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  filter TEXT,
  sample_percent REAL NOT NULL,
  after_row_id INTEGER NOT NULL,
  before_row_id INTEGER NOT NULL,
  added_count INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  created_at_us INTEGER NOT NULL
);

CREATE TABLE annotation_queues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  description TEXT,
  instructions TEXT,
  target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session')),
  reviews_per_item INTEGER NOT NULL,
  is_blind INTEGER NOT NULL,
  hold_minutes INTEGER NOT NULL,
  created_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL
);

CREATE TABLE annotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session', 'document')),
  target_row_id INTEGER NOT NULL,
  document_position INTEGER NOT NULL DEFAULT -1,
  project_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  identifier TEXT NOT NULL DEFAULT '',
  annotator_kind TEXT NOT NULL CHECK (annotator_kind IN ('HUMAN', 'LLM', 'CODE')),
  label TEXT,
  score REAL,
  explanation TEXT,
  metadata TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('API', 'APP')),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL, is_carried INTEGER NOT NULL DEFAULT 0,
  CHECK ((target = 'document') = (document_position >= 0))
);

CREATE TABLE api_key_projects (
  api_key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (api_key_id, project_id)
);

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  description TEXT,
  operations TEXT CHECK (operations IN ('read', 'ingest')),
  is_limited_to_projects INTEGER NOT NULL DEFAULT 0,
  created_at_us INTEGER NOT NULL,
  expires_at_us INTEGER,
  last_used_at_us INTEGER
);

CREATE TABLE arrived_targets (
  target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session', 'document')),
  target_key TEXT NOT NULL,
  PRIMARY KEY (target, target_key)
);

CREATE TABLE audit_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  occurred_at_us INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
  operation TEXT NOT NULL,
  event_count INTEGER NOT NULL DEFAULT 1,
  caller_kind TEXT NOT NULL,
  caller_row_id INTEGER,
  caller_name TEXT,
  key_row_id INTEGER,
  key_name TEXT,
  address TEXT,
  object_type TEXT,
  object_id TEXT,
  object_name TEXT,
  project_row_id INTEGER,
  changes TEXT
);

CREATE TABLE block_dictionaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id INTEGER NOT NULL,
    made_at_block_id INTEGER NOT NULL,
    data BLOB NOT NULL
);

CREATE TABLE block_pieces (
    block_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (block_id, place)
) WITHOUT ROWID;

CREATE TABLE blocks (
  id INTEGER PRIMARY KEY,
  trace_row_id INTEGER NOT NULL,
  span_count INTEGER NOT NULL,
  live_count INTEGER NOT NULL,
  raw_bytes INTEGER NOT NULL,
  data BLOB NOT NULL
  , dictionary_id INTEGER);

CREATE TABLE carried_annotations (span_row_id INTEGER PRIMARY KEY, digests TEXT NOT NULL);

CREATE TABLE compaction_queue (
  block_id INTEGER PRIMARY KEY,
  trace_row_id INTEGER NOT NULL
);

CREATE TABLE deletions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  project_name TEXT NOT NULL,
  reason TEXT NOT NULL,
  policy_id INTEGER REFERENCES retention_policies (id) ON DELETE SET NULL,
  selection TEXT,
  state TEXT NOT NULL,
  trace_count INTEGER NOT NULL,
  span_count INTEGER NOT NULL,
  erased_span_count INTEGER NOT NULL,
  started_at_us INTEGER NOT NULL,
  hidden_at_us INTEGER,
  finished_at_us INTEGER
  , job_id INTEGER);

CREATE TABLE ingest_ledger (
  hour_us INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  api_key_id INTEGER NOT NULL,
  signal TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  item_count INTEGER NOT NULL,
  PRIMARY KEY (hour_us, project_id, api_key_id, signal, outcome, reason)
) WITHOUT ROWID;

CREATE TABLE instrumentation_scopes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL UNIQUE,
  envelope BLOB NOT NULL
);

CREATE TABLE job_items (
  job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (job_id, row_id)
);

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  input TEXT NOT NULL,
  state TEXT NOT NULL,
  progress TEXT NOT NULL,
  budget TEXT,
  spent TEXT,
  result TEXT,
  error TEXT,
  owner TEXT,
  leased_until_us INTEGER NOT NULL DEFAULT 0,
  started_at_us INTEGER NOT NULL,
  finished_at_us INTEGER
  , project_id INTEGER);

CREATE TABLE log_record_blocks (
  id INTEGER PRIMARY KEY,
  trace_id TEXT,
  record_count INTEGER NOT NULL,
  live_count INTEGER NOT NULL,
  raw_bytes INTEGER NOT NULL,
  data BLOB NOT NULL
);

CREATE TABLE log_records (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  trace_id TEXT,
  span_id TEXT,
  span_row_id INTEGER,
  event_name TEXT,
  content_bytes INTEGER,
  time_us INTEGER NOT NULL,
  source TEXT,
  conversation_id TEXT,
  expires_us INTEGER,
  otel_resource_id INTEGER NOT NULL,
  instrumentation_scope_id INTEGER NOT NULL,
  digest TEXT NOT NULL,
  block_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL
  , request_id TEXT, request_span_row_id INTEGER);

CREATE TABLE model_prices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  provider TEXT,
  name_pattern TEXT NOT NULL,
  start_us INTEGER,
  prices TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL,
  deleted_at_us INTEGER
);

CREATE TABLE normalizer_versions (
  from_span_row_id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL
);

CREATE TABLE oauth2_clients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  registered_from TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  last_used_at_us INTEGER
);

CREATE TABLE oauth2_codes (
  hash TEXT PRIMARY KEY,
  sign_in_id INTEGER NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  audience TEXT NOT NULL CHECK (audience IN ('server', 'mcp')),
  expires_at_us INTEGER NOT NULL
);

CREATE TABLE oauth2_grants (
  sign_in_id INTEGER PRIMARY KEY REFERENCES sign_ins (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  audience TEXT NOT NULL CHECK (audience IN ('server', 'mcp')),
  code_hash TEXT NOT NULL,
  challenge TEXT NOT NULL,
  last_used_at_us INTEGER NOT NULL
);

CREATE TABLE otel_resources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL UNIQUE,
  envelope BLOB NOT NULL
);

CREATE TABLE own_default_views (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  table_name TEXT NOT NULL CHECK (table_name IN ('traces', 'spans', 'sessions')),
  view_id INTEGER NOT NULL REFERENCES saved_views (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, project_id, table_name)
);

CREATE TABLE password_reset_tokens (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  expires_at_us INTEGER NOT NULL
);

CREATE TABLE project_annotation_configs (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  config_id INTEGER NOT NULL REFERENCES annotation_configs (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, config_id)
);

CREATE TABLE project_retention (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  policy_id INTEGER NOT NULL REFERENCES retention_policies (id) ON DELETE CASCADE
);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  name_folded TEXT NOT NULL,
  description TEXT,
  gradient_start_color TEXT NOT NULL DEFAULT '#3f8f7b',
  gradient_end_color TEXT NOT NULL DEFAULT '#e0b354',
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL
  , default_tab TEXT);

CREATE TABLE retention_policies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  cron TEXT NOT NULL,
  max_days REAL,
  max_count INTEGER,
  looked_at_us INTEGER NOT NULL
);

CREATE TABLE row_ids (
  table_name TEXT PRIMARY KEY,
  next_id INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  table_name TEXT NOT NULL CHECK (table_name IN ('traces', 'spans', 'sessions')),
  name TEXT NOT NULL,
  owner_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  seen_by_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL
);

CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at_us INTEGER NOT NULL);

CREATE TABLE search_leaves (
  part INTEGER NOT NULL,
  number INTEGER NOT NULL,
  first_word TEXT NOT NULL,
  lists BLOB NOT NULL,
  PRIMARY KEY (part, number, first_word)
);

CREATE TABLE search_parts (
  project_id INTEGER NOT NULL,
  part INTEGER NOT NULL,
  min_start_us INTEGER NOT NULL,
  max_start_us INTEGER NOT NULL,
  PRIMARY KEY (project_id, part)
) WITHOUT ROWID;

CREATE TABLE search_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  tokenizer_version INTEGER NOT NULL,
  next_span_row_id INTEGER NOT NULL,
  rebuild_next_span_row_id INTEGER,
  rebuild_end_span_row_id INTEGER,
  failed_count INTEGER NOT NULL
  , change_count BIGINT NOT NULL DEFAULT 0, next_segment_number BIGINT NOT NULL DEFAULT 1);

CREATE TABLE search_queue (
  id INTEGER PRIMARY KEY,
  span_row_id INTEGER NOT NULL
);

CREATE TABLE search_segments (
  part INTEGER NOT NULL,
  number INTEGER NOT NULL,
  text_count INTEGER NOT NULL,
  size INTEGER NOT NULL,
  vocabulary_size INTEGER NOT NULL,
  removed_count INTEGER NOT NULL,
  removed_ms INTEGER,
  removed BLOB,
  texts BLOB NOT NULL,
  lengths BLOB NOT NULL,
  vocabulary BLOB NOT NULL,
  PRIMARY KEY (part, number)
);

CREATE TABLE search_spans (
  span_row_id INTEGER PRIMARY KEY,
  trace_row_id INTEGER NOT NULL,
  introduced BLOB NOT NULL,
  held BLOB NOT NULL
  , doubts INTEGER NOT NULL DEFAULT 0);

CREATE TABLE search_suspect_parts (part INTEGER PRIMARY KEY);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  key_id TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL
);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  start_us INTEGER NOT NULL,
  end_us INTEGER NOT NULL,
  trace_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  cost_nanousd INTEGER NOT NULL
  , prompt_cost_nanousd INTEGER NOT NULL DEFAULT 0, completion_cost_nanousd INTEGER NOT NULL DEFAULT 0);

CREATE TABLE sign_in_attempts (
  subject TEXT PRIMARY KEY,
  attempt_count INTEGER NOT NULL,
  last_attempt_us INTEGER NOT NULL,
  locked_until_us INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE sign_in_tokens (
  hash TEXT PRIMARY KEY,
  sign_in_id INTEGER NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at_us INTEGER NOT NULL,
  spent_at_us INTEGER
);

CREATE TABLE sign_ins (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at_us INTEGER NOT NULL,
  expires_at_us INTEGER NOT NULL
);

CREATE TABLE span_links (
  linked_trace_id TEXT NOT NULL,
  linked_span_id TEXT NOT NULL,
  span_row_id INTEGER NOT NULL,
  trace_row_id INTEGER NOT NULL,
  PRIMARY KEY (linked_trace_id, linked_span_id, span_row_id)
) WITHOUT ROWID;

CREATE TABLE span_locations (
  span_row_id INTEGER PRIMARY KEY,
  block_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL
);

CREATE TABLE span_segment_changes (
  span_row_id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL
);

CREATE TABLE span_segment_columns (
  segment INTEGER NOT NULL,
  name TEXT NOT NULL,
  build INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (segment, name)
);

CREATE TABLE span_segments (
  segment INTEGER PRIMARY KEY,
  build INTEGER NOT NULL,
  format TEXT NOT NULL,
  is_due INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  min_start_us INTEGER,
  max_start_us INTEGER,
  project_ids TEXT
);

CREATE TABLE span_sums (
  project_id INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  span_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, quarter)
) WITHOUT ROWID;

CREATE TABLE spans (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  trace_row_id INTEGER NOT NULL,
  span_id TEXT NOT NULL,
  parent_span_id TEXT,
  name TEXT NOT NULL,
  kind INTEGER NOT NULL,
  status INTEGER NOT NULL,
  start_us INTEGER NOT NULL,
  end_us INTEGER,
  latency_us INTEGER GENERATED ALWAYS AS (end_us - start_us) VIRTUAL,
  latency_step INTEGER GENERATED ALWAYS AS (length(max(end_us - start_us, 0)) * 100 + substr(max(end_us - start_us, 0), 1, 2)) VIRTUAL,
  session_id TEXT,
  user_id TEXT,
  model_name TEXT,
  provider TEXT,
  response_key INTEGER,
  prompt_tokens INTEGER,
  completion_tokens INTEGER,
  total_tokens INTEGER GENERATED ALWAYS AS (coalesce(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens)) VIRTUAL,
  prompt_tokens_step INTEGER GENERATED ALWAYS AS (length(max(prompt_tokens, 0)) * 100 + substr(max(prompt_tokens, 0), 1, 2)) VIRTUAL,
  completion_tokens_step INTEGER GENERATED ALWAYS AS (length(max(completion_tokens, 0)) * 100 + substr(max(completion_tokens, 0), 1, 2)) VIRTUAL,
  total_tokens_step INTEGER GENERATED ALWAYS AS (length(max(coalesce(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens), 0)) * 100 + substr(max(coalesce(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens), 0), 1, 2)) VIRTUAL,
  cache_read_tokens INTEGER,
  cache_write_tokens INTEGER,
  reasoning_tokens INTEGER,
  call_distance INTEGER,
  counted_prompt_tokens INTEGER NOT NULL,
  counted_completion_tokens INTEGER NOT NULL,
  cost_usd REAL,
  counted_cost_nanousd INTEGER NOT NULL,
  input_preview TEXT,
  output_preview TEXT,
  otel_resource_id INTEGER NOT NULL,
  instrumentation_scope_id INTEGER NOT NULL,
  attributes TEXT NOT NULL,
  omitted_attributes TEXT,
  attributes_cut INTEGER NOT NULL
  , prompt_audio_tokens INTEGER, completion_audio_tokens INTEGER, claimed_cost_nanousd INTEGER, claimed_prompt_cost_nanousd INTEGER, claimed_completion_cost_nanousd INTEGER, counted_prompt_cost_nanousd INTEGER NOT NULL DEFAULT 0, counted_completion_cost_nanousd INTEGER NOT NULL DEFAULT 0, input_cost_nanousd INTEGER, cache_read_cost_nanousd INTEGER, cache_write_cost_nanousd INTEGER, prompt_audio_cost_nanousd INTEGER, output_cost_nanousd INTEGER, reasoning_cost_nanousd INTEGER, completion_audio_cost_nanousd INTEGER);

CREATE TABLE spent_states (
  hash TEXT PRIMARY KEY,
  expires_at_us INTEGER NOT NULL
);

CREATE TABLE trace_latencies (
  project_id INTEGER NOT NULL,
  stretch INTEGER NOT NULL,
  latency_step INTEGER NOT NULL,
  trace_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, stretch, latency_step)
) WITHOUT ROWID;

CREATE TABLE trace_sums (
  project_id INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  trace_count INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  cost_nanousd INTEGER NOT NULL,
  prompt_cost_nanousd INTEGER NOT NULL,
  completion_cost_nanousd INTEGER NOT NULL,
  PRIMARY KEY (project_id, quarter)
) WITHOUT ROWID;

CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  trace_id TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL,
  session_row_id INTEGER,
  session_span_row_id INTEGER,
  session_start_us INTEGER,
  root_span_row_id INTEGER,
  start_us INTEGER NOT NULL,
  end_us INTEGER NOT NULL,
  latency_us INTEGER GENERATED ALWAYS AS (end_us - start_us) VIRTUAL,
  span_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  cost_nanousd INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0
  , prompt_cost_nanousd INTEGER NOT NULL DEFAULT 0, completion_cost_nanousd INTEGER NOT NULL DEFAULT 0, latency_step INTEGER GENERATED ALWAYS AS (length(max(end_us - start_us, 0)) * 100 + substr(max(end_us - start_us, 0), 1, 2)) VIRTUAL);

CREATE TABLE unlisted_traces (
  trace_row_id INTEGER PRIMARY KEY,
  deletion_id INTEGER
);

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL,
  email TEXT,
  role TEXT NOT NULL CHECK (role IN ('SYSTEM', 'ADMIN', 'MEMBER', 'VIEWER')),
  auth_method TEXT NOT NULL CHECK (auth_method IN ('LOCAL', 'OAUTH2', 'LDAP')),
  password_hash TEXT,
  password_salt TEXT,
  password_algorithm TEXT,
  password_needs_reset INTEGER NOT NULL DEFAULT 0,
  profile_picture_url TEXT,
  oauth2_issuer TEXT,
  oauth2_client_id TEXT,
  oauth2_user_id TEXT,
  ldap_unique_id TEXT,
  was_made_while_open INTEGER NOT NULL DEFAULT 0,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL,
  CHECK ((auth_method = 'LOCAL') = (password_hash IS NOT NULL)),
  CHECK ((password_hash IS NULL) = (password_salt IS NULL) AND (password_hash IS NULL) = (password_algorithm IS NULL)),
  CHECK (auth_method = 'OAUTH2' OR (oauth2_issuer IS NULL AND oauth2_client_id IS NULL AND oauth2_user_id IS NULL)),
  CHECK (auth_method = 'LDAP' OR ldap_unique_id IS NULL),
  CHECK (email IS NOT NULL OR (auth_method = 'LDAP' AND ldap_unique_id IS NOT NULL))
);

CREATE TABLE waiting_annotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session', 'document')),
  target_key TEXT NOT NULL,
  document_position INTEGER NOT NULL DEFAULT -1,
  name TEXT NOT NULL,
  identifier TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  is_carried INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  received_at_us INTEGER NOT NULL,
  digest TEXT NOT NULL
);

CREATE UNIQUE INDEX annotation_configs_by_name ON annotation_configs (name);

CREATE INDEX annotation_queue_items_added_by ON annotation_queue_items (added_by_id);

CREATE INDEX annotation_queue_items_by_state ON annotation_queue_items (queue_id, is_done, id);

CREATE INDEX annotation_queue_items_held ON annotation_queue_items (queue_id, held_by) WHERE held_by IS NOT NULL;

CREATE UNIQUE INDEX annotation_queue_items_of_queue ON annotation_queue_items (queue_id, target_row_id);

CREATE INDEX annotation_queue_items_of_target ON annotation_queue_items (target, target_row_id);

CREATE INDEX annotation_queue_reviews_of_reviewer
  ON annotation_queue_reviews (queue_id, reviewer, item_is_done, item_id, at_us, outcome);

CREATE INDEX annotation_queue_reviews_of_user ON annotation_queue_reviews (user_id);

CREATE INDEX annotation_queue_rules_of_project ON annotation_queue_rules (project_id);

CREATE INDEX annotation_queue_rules_of_queue ON annotation_queue_rules (queue_id);

CREATE UNIQUE INDEX annotation_queues_by_name ON annotation_queues (name);

CREATE INDEX annotation_queues_of_config ON annotation_queue_configs (config_id);

CREATE INDEX annotation_queues_of_creator ON annotation_queues (created_by_id);

CREATE INDEX annotations_of_identifier ON annotations (target, identifier, id) WHERE identifier <> '';

CREATE INDEX annotations_of_name ON annotations (target, name, target_row_id, project_id, score, label);

CREATE INDEX annotations_of_project ON annotations (project_id, target, name, id);

CREATE UNIQUE INDEX annotations_of_target ON annotations (target, target_row_id, name, identifier, document_position);

CREATE INDEX annotations_of_user ON annotations (user_id);

CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);

CREATE INDEX api_keys_by_maker ON api_keys (created_by);

CREATE INDEX api_keys_of_project ON api_key_projects (project_id);

CREATE INDEX api_keys_of_user ON api_keys (user_id, id);

CREATE INDEX audit_events_by_time ON audit_events (occurred_at_us, id);

CREATE INDEX audit_events_of_caller ON audit_events (caller_kind, caller_row_id, occurred_at_us, id);

CREATE INDEX audit_events_of_object ON audit_events (object_type, object_id, occurred_at_us, id) WHERE object_id IS NOT NULL;

CREATE INDEX audit_events_of_operation ON audit_events (operation, occurred_at_us, id);

CREATE INDEX block_dictionaries_of_project ON block_dictionaries (project_id, id);

CREATE INDEX blocks_of_dictionary ON blocks (dictionary_id) WHERE dictionary_id IS NOT NULL;

CREATE INDEX blocks_of_trace ON blocks (trace_row_id);

CREATE INDEX calls_by_response ON spans ((start_us >> 22), response_key, project_id, start_us)
  WHERE response_key IS NOT NULL AND call_distance = 0;

CREATE INDEX deletions_of_policy ON deletions (policy_id, id) WHERE policy_id IS NOT NULL;

CREATE INDEX deletions_of_project ON deletions (project_id, id);

CREATE INDEX deletions_unfinished ON deletions (id) WHERE state <> 'finished';

CREATE UNIQUE INDEX jobs_alone ON jobs (kind) WHERE finished_at_us IS NULL AND kind <> 'bulk';

CREATE INDEX jobs_of_kind ON jobs (kind, id);

CREATE INDEX jobs_of_project ON jobs (project_id, id) WHERE project_id IS NOT NULL;

CREATE INDEX jobs_unfinished ON jobs (kind) WHERE finished_at_us IS NULL;

CREATE INDEX links_of_trace ON span_links (trace_row_id, span_row_id);

CREATE INDEX log_record_blocks_of_trace ON log_record_blocks (trace_id) WHERE trace_id IS NOT NULL;

CREATE UNIQUE INDEX log_records_by_identity ON log_records (time_us, digest);

CREATE INDEX log_records_expiring ON log_records (expires_us) WHERE expires_us IS NOT NULL;

CREATE INDEX log_records_in_block ON log_records (block_id);

CREATE INDEX log_records_naming_request ON log_records (trace_id, request_id) WHERE request_id IS NOT NULL;

CREATE INDEX log_records_of_conversation ON log_records (conversation_id, time_us)
  WHERE conversation_id IS NOT NULL;

CREATE INDEX log_records_of_request ON log_records (request_span_row_id, time_us)
    WHERE request_span_row_id IS NOT NULL;

CREATE INDEX log_records_of_source ON log_records (source, time_us) WHERE source IS NOT NULL;

CREATE INDEX log_records_of_span ON log_records (span_row_id, time_us) WHERE span_row_id IS NOT NULL;

CREATE INDEX log_records_unattached ON log_records (project_id, id) WHERE span_row_id IS NULL;

CREATE INDEX log_records_waiting ON log_records (trace_id, span_id)
  WHERE span_row_id IS NULL AND trace_id IS NOT NULL;

CREATE INDEX log_records_with_content ON log_records (span_row_id, time_us)
  WHERE span_row_id IS NOT NULL AND content_bytes IS NOT NULL;

CREATE UNIQUE INDEX model_prices_by_name ON model_prices (name, coalesce(start_us, -1)) WHERE deleted_at_us IS NULL;

CREATE UNIQUE INDEX model_prices_by_pattern ON model_prices
  (name_pattern, coalesce(provider, ''), coalesce(start_us, -1)) WHERE deleted_at_us IS NULL;

CREATE INDEX oauth2_clients_by_age ON oauth2_clients (created_at_us);

CREATE UNIQUE INDEX oauth2_clients_by_client_id ON oauth2_clients (client_id);

CREATE INDEX oauth2_clients_by_origin ON oauth2_clients (registered_from, created_at_us);

CREATE INDEX oauth2_codes_by_expiry ON oauth2_codes (expires_at_us);

CREATE INDEX oauth2_codes_of_sign_in ON oauth2_codes (sign_in_id);

CREATE UNIQUE INDEX oauth2_grants_by_code ON oauth2_grants (code_hash);

CREATE INDEX oauth2_grants_of_client ON oauth2_grants (client_id);

CREATE UNIQUE INDEX one_system_user ON users (role) WHERE role = 'SYSTEM';

CREATE INDEX own_default_views_of_project ON own_default_views (project_id);

CREATE INDEX own_default_views_of_view ON own_default_views (view_id);

CREATE UNIQUE INDEX password_reset_tokens_by_hash ON password_reset_tokens (hash);

CREATE INDEX projects_of_annotation_config ON project_annotation_configs (config_id);

CREATE INDEX projects_of_policy ON project_retention (policy_id, project_id);

CREATE INDEX root_spans_by_start ON spans (project_id, start_us) WHERE parent_span_id IS NULL;

CREATE UNIQUE INDEX saved_views_by_default ON saved_views (project_id, table_name) WHERE is_default = 1;

CREATE UNIQUE INDEX saved_views_by_name ON saved_views (project_id, table_name, owner_id, name);

CREATE INDEX saved_views_of_owner ON saved_views (owner_id);

CREATE INDEX saved_views_seen_by ON saved_views (seen_by_id);

CREATE INDEX search_segments_with_removed ON search_segments (removed_ms) WHERE removed_count > 0;

CREATE INDEX search_spans_in_doubt ON search_spans (span_row_id) WHERE doubts <> 0;

CREATE INDEX search_spans_of_trace ON search_spans (trace_row_id, span_row_id);

CREATE INDEX secrets_by_maker ON secrets (user_id);

CREATE INDEX sessions_by_arrival ON sessions (project_id, id);

CREATE UNIQUE INDEX sessions_by_text ON sessions (session_id, project_id);

CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (last_attempt_us);

CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at_us);

CREATE INDEX sign_ins_of_user ON sign_ins (user_id);

CREATE INDEX spans_by_arrival ON spans (project_id, id);

CREATE INDEX spans_by_completion_tokens ON spans (project_id, completion_tokens_step)
  WHERE completion_tokens_step IS NOT NULL;

CREATE INDEX spans_by_end ON spans (project_id, end_us) WHERE end_us IS NOT NULL;

CREATE UNIQUE INDEX spans_by_identity ON spans (trace_row_id, span_id);

CREATE INDEX spans_by_latency ON spans (project_id, latency_step) WHERE latency_step IS NOT NULL;

CREATE INDEX spans_by_otel_id ON spans ((id >> 15), span_id);

CREATE INDEX spans_by_prompt_tokens ON spans (project_id, prompt_tokens_step) WHERE prompt_tokens_step IS NOT NULL;

CREATE INDEX spans_by_start ON spans (project_id, start_us);

CREATE INDEX spans_by_total_tokens ON spans (project_id, total_tokens_step) WHERE total_tokens_step IS NOT NULL;

CREATE INDEX spans_near_calls ON spans (trace_row_id, parent_span_id, call_distance)
  WHERE parent_span_id IS NOT NULL AND call_distance IS NOT NULL;

CREATE INDEX spans_of_trace ON spans (trace_row_id, start_us);

CREATE INDEX spent_states_by_expiry ON spent_states (expires_at_us);

CREATE INDEX tokens_of_sign_in ON sign_in_tokens (sign_in_id);

CREATE INDEX traces_being_moved ON unlisted_traces (trace_row_id) WHERE deletion_id IS NULL;

CREATE INDEX traces_by_latency ON traces (project_id, latency_us);

CREATE INDEX traces_by_latency_step ON traces (project_id, latency_step, start_us, latency_us);

CREATE INDEX traces_by_start ON traces (project_id, start_us);

CREATE INDEX traces_of_session ON traces (session_row_id, start_us) WHERE session_row_id IS NOT NULL;

CREATE UNIQUE INDEX users_by_email ON users (email);

CREATE UNIQUE INDEX users_by_identity ON users (oauth2_issuer, oauth2_user_id) WHERE oauth2_issuer IS NOT NULL;

CREATE UNIQUE INDEX users_by_ldap_id ON users (ldap_unique_id) WHERE ldap_unique_id IS NOT NULL;

CREATE INDEX users_by_prepared_identity ON users (oauth2_user_id) WHERE oauth2_issuer IS NULL AND oauth2_user_id IS NOT NULL;

CREATE UNIQUE INDEX users_by_username ON users (username);

CREATE UNIQUE INDEX waiting_annotations_by_digest ON waiting_annotations (digest);

CREATE INDEX waiting_annotations_by_time ON waiting_annotations (received_at_us, id);

CREATE INDEX waiting_annotations_of_target ON waiting_annotations (target, target_key);

CREATE INDEX waiting_annotations_of_user ON waiting_annotations (user_id, is_carried);
