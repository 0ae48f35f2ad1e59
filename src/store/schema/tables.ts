/** The tables of the relational engines, as Kysely sees them. The DDL is in migrations/; schema/sqlite.sql is its result. */
import type { Generated, GeneratedAlways } from 'kysely';

/** All tables. */
export interface Tables {
  projects: ProjectsTable;
  traces: TracesTable;
  sessions: SessionsTable;
  spans: SpansTable;
  span_locations: SpanLocationsTable;
  blocks: BlocksTable;
  compaction_queue: CompactionQueueTable;
  otel_resources: EnvelopesTable;
  instrumentation_scopes: EnvelopesTable;
  ingest_ledger: IngestLedgerTable;
  row_ids: RowIdsTable;
  schema_migrations: SchemaMigrationsTable;
}

/** Where an application's traces are collected. */
export interface ProjectsTable {
  id: Generated<number>;
  name: string;
  /** The name folded for search without regard to case. */
  name_folded: string;
  description: string | null;
  /** `#rrggbb`, both. */
  gradient_start_color: Generated<string>;
  gradient_end_color: Generated<string>;
  created_at_us: number;
  updated_at_us: number;
}

/** One row a trace, with sums over its spans. */
export interface TracesTable {
  id: number;
  trace_id: string;
  project_id: number;
  session_row_id: number | null;
  /** The span whose session the trace has: the earliest start of those that name one, then the lowest row id. */
  session_span_row_id: number | null;
  session_start_us: number | null;
  /** The earliest span without a parent here; null while every span has one (a cycle). */
  root_span_row_id: number | null;
  start_us: number;
  end_us: number;
  latency_us: GeneratedAlways<number>;
  span_count: number;
  error_count: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_nanousd: number;
}

/** One row a (project, session id), with sums over its traces. */
export interface SessionsTable {
  id: number;
  project_id: number;
  session_id: string;
  start_us: number;
  end_us: number;
  trace_count: number;
  error_count: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_nanousd: number;
}

/** The narrow row of a span: what lists, filters and sums need, and nothing of the original. */
export interface SpansTable {
  id: number;
  project_id: number;
  trace_row_id: number;
  span_id: string;
  parent_span_id: string | null;
  name: string;
  /** Index into SPAN_KINDS. */
  kind: number;
  /** Index into SPAN_STATUS_CODES. */
  status: number;
  start_us: number;
  /** Null while the span is open. */
  end_us: number | null;
  /** Null while the span is open. */
  latency_us: GeneratedAlways<number | null>;
  /** A coarse order of the numbers beside, for indexes: their length and first two digits. */
  latency_step: GeneratedAlways<number | null>;
  session_id: string | null;
  user_id: string | null;
  model_name: string | null;
  provider: string | null;
  /** Tokens as the span claims them. */
  prompt_tokens: number | null;
  completion_tokens: number | null;
  /** The sum of those two; null where neither is claimed. */
  total_tokens: GeneratedAlways<number | null>;
  /** As `latency_step`. */
  prompt_tokens_step: GeneratedAlways<number | null>;
  completion_tokens_step: GeneratedAlways<number | null>;
  total_tokens_step: GeneratedAlways<number | null>;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  /** Tokens that count in sums: zero on a wrapper that repeats its children. */
  counted_prompt_tokens: number;
  counted_completion_tokens: number;
  /** As the producer reports it. */
  cost_usd: number | null;
  counted_cost_nanousd: number;
  /** The beginning of the input; null where there is none, or where `attributes` holds `input.value` whole. */
  input_preview: string | null;
  /** As `input_preview`, of `output.value`. */
  output_preview: string | null;
  otel_resource_id: number;
  instrumentation_scope_id: number;
  /** One flat JSON object, dotted key → short scalar. */
  attributes: string;
  /** JSON list of what `attributes` leaves out: keys of long strings, and `prefix.` of indexed lists; null for nothing. */
  omitted_attributes: string | null;
  /** 1 where a bound cut, so that neither column is complete. */
  attributes_cut: number;
}

/** Where a span's original lies; a table of its own, so that compaction rewrites no span. */
export interface SpanLocationsTable {
  span_row_id: number;
  block_id: number;
  ordinal: number;
}

/** Originals of one trace, compressed together. */
export interface BlocksTable {
  id: number;
  trace_row_id: number;
  span_count: number;
  /** Spans that are still found here; a block without any is deleted. */
  live_count: number;
  raw_bytes: number;
  data: Uint8Array;
}

/** Blocks that may be packed together with others of their trace. */
export interface CompactionQueueTable {
  block_id: number;
  trace_row_id: number;
}

/** A resource or an instrumentation scope, once per distinct content. */
export interface EnvelopesTable {
  id: Generated<number>;
  hash: Uint8Array;
  envelope: Uint8Array;
}

/** What became of every span received, by hour. Received is the sum of the outcomes. */
export interface IngestLedgerTable {
  hour_us: number;
  /** 0 for spans that were rejected before they had a project. */
  project_id: number;
  /** 0 while nobody is asked for a key. */
  api_key_id: number;
  outcome: 'stored' | 'replaced' | 'duplicate' | 'rejected';
  /** Why, for rejected spans; else empty. */
  reason: string;
  span_count: number;
}

/** The next row id of the tables whose ids the writer gives; never falls, so that no id is used twice. */
export interface RowIdsTable {
  table_name: string;
  next_id: number;
}

/** Which migrations have run. */
export interface SchemaMigrationsTable {
  name: string;
  applied_at_us: number;
}
