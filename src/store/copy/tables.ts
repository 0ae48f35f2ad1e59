/** What is copied from one database to another, and by which columns its rows are told apart and put in order. */
import type { Tables } from '../schema/tables.ts';

/** Tables that are copied row by row, those that others refer to first. */
export const COPIED_TABLES = {
  projects: ['id'],
  otel_resources: ['id'],
  instrumentation_scopes: ['id'],
  sessions: ['id'],
  traces: ['id'],
  spans: ['id'],
  span_links: ['linked_trace_id', 'linked_span_id', 'span_row_id'],
  blocks: ['id'],
  span_locations: ['span_row_id'],
  log_record_blocks: ['id'],
  log_records: ['id'],
  span_segments: ['segment'],
  span_segment_columns: ['segment', 'name'],
  span_segment_changes: ['span_row_id'],
  unlisted_traces: ['trace_row_id'],
  retention_policies: ['id'],
  deletions: ['id'],
  project_retention: ['project_id'],
  model_prices: ['id'],
  compaction_queue: ['block_id'],
  normalizer_versions: ['from_span_row_id'],
  jobs: ['id'],
  ingest_ledger: ['hour_us', 'project_id', 'api_key_id', 'signal', 'outcome', 'reason'],
  row_ids: ['table_name'],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

/** One of them. */
export type CopiedTable = keyof typeof COPIED_TABLES;

/**
 * Tables of which each engine has its own, or which are made again from the others: words are indexed anew by the server that opens
 * the copy.
 */
export const OWN_TABLES = [
  'search_index',
  'search_spans',
  'search_parts',
  'search_queue',
  'search_progress',
  'schema_migrations',
] as const satisfies readonly (keyof Tables)[];

/** Columns that the database works out itself. */
export const WORKED_OUT: Readonly<Partial<Record<CopiedTable, readonly string[]>>> = {
  traces: ['latency_us'],
  spans: [
    'latency_us',
    'latency_step',
    'total_tokens',
    'prompt_tokens_step',
    'completion_tokens_step',
    'total_tokens_step',
  ],
};

/** Tables that number their rows themselves, whose next number must be beyond those that were copied. */
export const SELF_NUMBERED = [
  'projects',
  'otel_resources',
  'instrumentation_scopes',
  'deletions',
  'retention_policies',
  'model_prices',
  'jobs',
] as const satisfies readonly CopiedTable[];
