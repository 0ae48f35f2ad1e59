import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates the telemetry tables. Index names say the question that they answer. */
export const name = '0001-create-telemetry';

export function statements({ name: engine, define, nowUs }: SqlDialect): readonly string[] {
  return [...tables(STEP[engine], nowUs).map(define), ...OF_ENGINE[engine]];
}

/**
 * A number's place in a coarse order: its length and its first two digits; anything negative is with 0. An index of steps
 * has a few hundred places where entries are added, one of the numbers a place for each, and every page that a commit
 * touches costs.
 */
const STEP: Readonly<Record<SqlDialect['name'], (number: string) => string>> = {
  sqlite: (number) => `length(max(${number}, 0)) * 100 + substr(max(${number}, 0), 1, 2)`,
  postgres: (number) =>
    `CASE WHEN (${number}) IS NOT NULL THEN length(greatest(${number}, 0)::text) * 100 + left(greatest(${number}, 0)::text, 2)::bigint END`,
};

/** Blocks are compressed already. */
const OF_ENGINE: Readonly<Record<SqlDialect['name'], readonly string[]>> = {
  sqlite: [],
  postgres: ['blocks', 'log_record_blocks'].map(
    (table) => `ALTER TABLE ${table} ALTER COLUMN data SET STORAGE EXTERNAL`,
  ),
};

const TOTAL_TOKENS = 'coalesce(prompt_tokens + completion_tokens, prompt_tokens, completion_tokens)';

function tables(step: (number: string) => string, nowUs: string): readonly string[] {
  return [
    `CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    name_folded TEXT NOT NULL,
    description TEXT,
    gradient_start_color TEXT NOT NULL DEFAULT '#3f8f7b',
    gradient_end_color TEXT NOT NULL DEFAULT '#e0b354',
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL
  )`,
    // Clients expect the project that everything lands in when nothing names one.
    `INSERT INTO projects (name, name_folded, created_at_us, updated_at_us)
    VALUES ('default', 'default', ${nowUs}, ${nowUs})`,
    `CREATE TABLE otel_resources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,
    envelope BLOB NOT NULL
  )`,
    `CREATE TABLE instrumentation_scopes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,
    envelope BLOB NOT NULL
  )`,
    `CREATE TABLE traces (
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
  )`,
    'CREATE INDEX traces_by_start ON traces (project_id, start_us)',
    'CREATE INDEX traces_by_latency ON traces (project_id, latency_us)',
    'CREATE INDEX traces_of_session ON traces (session_row_id, start_us) WHERE session_row_id IS NOT NULL',
    `CREATE TABLE sessions (
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
  )`,
    'CREATE UNIQUE INDEX sessions_by_text ON sessions (session_id, project_id)',
    'CREATE INDEX sessions_by_arrival ON sessions (project_id, id)',
    `CREATE TABLE spans (
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
    latency_step INTEGER GENERATED ALWAYS AS (${step('end_us - start_us')}) VIRTUAL,
    session_id TEXT,
    user_id TEXT,
    model_name TEXT,
    provider TEXT,
    response_key INTEGER,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    total_tokens INTEGER GENERATED ALWAYS AS (${TOTAL_TOKENS}) VIRTUAL,
    prompt_tokens_step INTEGER GENERATED ALWAYS AS (${step('prompt_tokens')}) VIRTUAL,
    completion_tokens_step INTEGER GENERATED ALWAYS AS (${step('completion_tokens')}) VIRTUAL,
    total_tokens_step INTEGER GENERATED ALWAYS AS (${step(TOTAL_TOKENS)}) VIRTUAL,
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
  )`,
    'CREATE UNIQUE INDEX spans_by_identity ON spans (trace_row_id, span_id)',
    // Random ids, a part for each 32,768 rows: only the last part is written to.
    'CREATE INDEX spans_by_otel_id ON spans ((id >> 15), span_id)',
    'CREATE INDEX spans_of_trace ON spans (trace_row_id, start_us)',
    'CREATE INDEX spans_by_arrival ON spans (project_id, id)',
    'CREATE INDEX spans_by_start ON spans (project_id, start_us)',
    'CREATE INDEX root_spans_by_start ON spans (project_id, start_us) WHERE parent_span_id IS NULL',
    'CREATE INDEX spans_by_end ON spans (project_id, end_us) WHERE end_us IS NOT NULL',
    'CREATE INDEX spans_by_latency ON spans (project_id, latency_step) WHERE latency_step IS NOT NULL',
    'CREATE INDEX spans_by_prompt_tokens ON spans (project_id, prompt_tokens_step) WHERE prompt_tokens_step IS NOT NULL',
    `CREATE INDEX spans_by_completion_tokens ON spans (project_id, completion_tokens_step)
    WHERE completion_tokens_step IS NOT NULL`,
    'CREATE INDEX spans_by_total_tokens ON spans (project_id, total_tokens_step) WHERE total_tokens_step IS NOT NULL',
    `CREATE INDEX spans_near_calls ON spans (trace_row_id, parent_span_id, call_distance)
    WHERE parent_span_id IS NOT NULL AND call_distance IS NOT NULL`,
    // In parts of four seconds: keys are random, and only the pages of the newest part are written to.
    `CREATE INDEX calls_by_response ON spans ((start_us >> 22), response_key, project_id, start_us)
    WHERE response_key IS NOT NULL AND call_distance = 0`,
    `CREATE TABLE span_links (
    linked_trace_id TEXT NOT NULL,
    linked_span_id TEXT NOT NULL,
    span_row_id INTEGER NOT NULL,
    trace_row_id INTEGER NOT NULL,
    PRIMARY KEY (linked_trace_id, linked_span_id, span_row_id)
  ) WITHOUT ROWID`,
    'CREATE INDEX links_of_trace ON span_links (trace_row_id, span_row_id)',
    `CREATE TABLE span_locations (
    span_row_id INTEGER PRIMARY KEY,
    block_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL
  )`,
    `CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    trace_row_id INTEGER NOT NULL,
    span_count INTEGER NOT NULL,
    live_count INTEGER NOT NULL,
    raw_bytes INTEGER NOT NULL,
    data BLOB NOT NULL
  )`,
    'CREATE INDEX blocks_of_trace ON blocks (trace_row_id)',
    `CREATE TABLE compaction_queue (
    block_id INTEGER PRIMARY KEY,
    trace_row_id INTEGER NOT NULL
  )`,
    `CREATE TABLE log_records (
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
  )`,
    'CREATE UNIQUE INDEX log_records_by_identity ON log_records (time_us, digest)',
    'CREATE INDEX log_records_of_span ON log_records (span_row_id, time_us) WHERE span_row_id IS NOT NULL',
    `CREATE INDEX log_records_with_content ON log_records (span_row_id, time_us)
    WHERE span_row_id IS NOT NULL AND content_bytes IS NOT NULL`,
    `CREATE INDEX log_records_waiting ON log_records (trace_id, span_id)
    WHERE span_row_id IS NULL AND trace_id IS NOT NULL`,
    'CREATE INDEX log_records_unattached ON log_records (project_id, id) WHERE span_row_id IS NULL',
    'CREATE INDEX log_records_of_source ON log_records (source, time_us) WHERE source IS NOT NULL',
    `CREATE INDEX log_records_of_conversation ON log_records (conversation_id, time_us)
    WHERE conversation_id IS NOT NULL`,
    'CREATE INDEX log_records_expiring ON log_records (expires_us) WHERE expires_us IS NOT NULL',
    'CREATE INDEX log_records_in_block ON log_records (block_id)',
    `CREATE TABLE log_record_blocks (
    id INTEGER PRIMARY KEY,
    trace_id TEXT,
    record_count INTEGER NOT NULL,
    live_count INTEGER NOT NULL,
    raw_bytes INTEGER NOT NULL,
    data BLOB NOT NULL
  )`,
    'CREATE INDEX log_record_blocks_of_trace ON log_record_blocks (trace_id) WHERE trace_id IS NOT NULL',
    `CREATE TABLE normalizer_versions (
    from_span_row_id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
  )`,
    `CREATE TABLE reindex_job (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    first_span_row_id INTEGER NOT NULL,
    end_span_row_id INTEGER NOT NULL,
    next_span_row_id INTEGER NOT NULL,
    read_count INTEGER NOT NULL,
    changed_count INTEGER NOT NULL,
    failed_count INTEGER NOT NULL,
    started_at_us INTEGER NOT NULL,
    finished_at_us INTEGER
  )`,
    `CREATE TABLE ingest_ledger (
    hour_us INTEGER NOT NULL,
    project_id INTEGER NOT NULL,
    api_key_id INTEGER NOT NULL,
    signal TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    item_count INTEGER NOT NULL,
    PRIMARY KEY (hour_us, project_id, api_key_id, signal, outcome, reason)
  ) WITHOUT ROWID`,
    `CREATE TABLE row_ids (
    table_name TEXT PRIMARY KEY,
    next_id INTEGER NOT NULL
  ) WITHOUT ROWID`,
    `INSERT INTO row_ids (table_name, next_id) VALUES ('traces', 1), ('sessions', 1), ('spans', 1), ('blocks', 1), ('log_records', 1)`,
  ];
}
