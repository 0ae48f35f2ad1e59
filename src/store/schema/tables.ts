/** The tables of the relational engines, as Kysely sees them. The DDL is in migrations/; schema/sqlite.sql and schema/postgres.sql are its result. */
import type { DefaultTab } from '#domain/project';
import type { Generated, GeneratedAlways } from 'kysely';
import type {
  ApiKeyProjectsTable,
  ApiKeysTable,
  AuditEventsTable,
  PasswordResetTokensTable,
  SecretsTable,
  SignInAttemptsTable,
  SignInsTable,
  SignInTokensTable,
  SpentStatesTable,
  UsersTable,
} from './account-tables.ts';
import type {
  AnnotationConfigsTable,
  AnnotationsTable,
  ArrivedTargetsTable,
  CarriedAnnotationsTable,
  ProjectAnnotationConfigsTable,
  WaitingAnnotationsTable,
} from './annotation-tables.ts';
import type { BlockDictionariesTable, BlockPiecesTable, BlocksTable, CompactionQueueTable } from './block-tables.ts';
import type { Oauth2ClientsTable, Oauth2CodesTable, Oauth2GrantsTable } from './oauth2-tables.ts';
import type {
  AnnotationQueueConfigsTable,
  AnnotationQueueItemsTable,
  AnnotationQueueReviewsTable,
  AnnotationQueueRulesTable,
  AnnotationQueuesTable,
} from './queue-tables.ts';
import type {
  SearchLeavesTable,
  SearchPartsTable,
  SearchProgressTable,
  SearchQueueTable,
  SearchSpansTable,
  SearchSuspectPartsTable,
  SearchSegmentsTable,
} from './search-tables.ts';
import type { SpanSumsTable, TraceLatenciesTable, TraceSumsTable } from './sum-tables.ts';
import type { OwnDefaultViewsTable, SavedViewsTable } from './view-tables.ts';

/** All tables. */
export interface Tables {
  projects: ProjectsTable;
  traces: TracesTable;
  sessions: SessionsTable;
  spans: SpansTable;
  span_sums: SpanSumsTable;
  trace_sums: TraceSumsTable;
  trace_latencies: TraceLatenciesTable;
  span_segments: SpanSegmentsTable;
  span_segment_columns: SpanSegmentColumnsTable;
  span_segment_changes: SpanSegmentChangesTable;
  span_links: SpanLinksTable;
  span_locations: SpanLocationsTable;
  blocks: BlocksTable;
  block_dictionaries: BlockDictionariesTable;
  block_pieces: BlockPiecesTable;
  compaction_queue: CompactionQueueTable;
  log_records: LogRecordsTable;
  log_record_blocks: LogRecordBlocksTable;
  otel_resources: EnvelopesTable;
  instrumentation_scopes: EnvelopesTable;
  normalizer_versions: NormalizerVersionsTable;
  ingest_ledger: IngestLedgerTable;
  deletions: DeletionsTable;
  unlisted_traces: UnlistedTracesTable;
  retention_policies: RetentionPoliciesTable;
  project_retention: ProjectRetentionTable;
  model_prices: ModelPricesTable;
  users: UsersTable;
  spent_states: SpentStatesTable;
  sign_ins: SignInsTable;
  sign_in_tokens: SignInTokensTable;
  password_reset_tokens: PasswordResetTokensTable;
  sign_in_attempts: SignInAttemptsTable;
  api_keys: ApiKeysTable;
  api_key_projects: ApiKeyProjectsTable;
  oauth2_clients: Oauth2ClientsTable;
  oauth2_codes: Oauth2CodesTable;
  oauth2_grants: Oauth2GrantsTable;
  secrets: SecretsTable;
  audit_events: AuditEventsTable;
  jobs: JobsTable;
  job_items: JobItemsTable;
  annotation_configs: AnnotationConfigsTable;
  project_annotation_configs: ProjectAnnotationConfigsTable;
  annotations: AnnotationsTable;
  waiting_annotations: WaitingAnnotationsTable;
  carried_annotations: CarriedAnnotationsTable;
  arrived_targets: ArrivedTargetsTable;
  saved_views: SavedViewsTable;
  own_default_views: OwnDefaultViewsTable;
  annotation_queues: AnnotationQueuesTable;
  annotation_queue_configs: AnnotationQueueConfigsTable;
  annotation_queue_items: AnnotationQueueItemsTable;
  annotation_queue_reviews: AnnotationQueueReviewsTable;
  annotation_queue_rules: AnnotationQueueRulesTable;
  search_segments: SearchSegmentsTable;
  search_leaves: SearchLeavesTable;
  search_spans: SearchSpansTable;
  search_parts: SearchPartsTable;
  search_queue: SearchQueueTable;
  search_suspect_parts: SearchSuspectPartsTable;
  search_progress: SearchProgressTable;
  row_ids: RowIdsTable;
  schema_migrations: SchemaMigrationsTable;
}

/** Tables whose rows have a number of their own. */
export type NumberedTable = {
  readonly [Table in keyof Tables]: Tables[Table] extends { readonly id: number | Generated<number> } ? Table : never;
}[keyof Tables];

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
  /** One of `DEFAULT_TABS`; null opens the table that each browser used last. */
  default_tab: DefaultTab | null;
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
  /** Of both sides, and of what is known of no side. */
  cost_nanousd: number;
  /** Grows whenever anything of the trace changes. */
  revision: Generated<number>;
  prompt_cost_nanousd: Generated<number>;
  completion_cost_nanousd: Generated<number>;
  /** As that of spans. */
  latency_step: GeneratedAlways<number>;
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
  prompt_cost_nanousd: Generated<number>;
  completion_cost_nanousd: Generated<number>;
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
  /** Stands for the provider's id of the answer, of a model call: 48 bits of its digest. */
  response_key: number | null;
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
  /** How far below the nearest claim of a model call is: `CallDistance` of `derive/usage.ts`. */
  call_distance: number | null;
  /** Tokens that count in sums: zero where another span's stand for them. */
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
  /** One flat JSON object, dotted key → short scalar, packed by `derive/narrow-codes.ts`. */
  attributes: string;
  /** JSON list, packed likewise, of what `attributes` leaves out: keys of long strings, and `prefix.` of indexed lists; null for nothing. */
  omitted_attributes: string | null;
  /** 1 where a bound cut, so that neither column is complete. */
  attributes_cut: number;
  prompt_audio_tokens: number | null;
  completion_audio_tokens: number | null;
  /** What the call cost: as reported, else as computed; null where neither is known. */
  claimed_cost_nanousd: number | null;
  /** Of each side; null where only the whole is known. */
  claimed_prompt_cost_nanousd: number | null;
  claimed_completion_cost_nanousd: number | null;
  counted_prompt_cost_nanousd: Generated<number>;
  counted_completion_cost_nanousd: Generated<number>;
  /** As computed from the price table, each token in one part; null where there is no price, or no such tokens. */
  input_cost_nanousd: number | null;
  cache_read_cost_nanousd: number | null;
  cache_write_cost_nanousd: number | null;
  prompt_audio_cost_nanousd: number | null;
  output_cost_nanousd: number | null;
  reasoning_cost_nanousd: number | null;
  completion_audio_cost_nanousd: number | null;
}

/** Spans of 4,096 consecutive row ids, kept column by column, too: what is known of them as a whole. */
export interface SpanSegmentsTable {
  /** A row id divided by 4,096. */
  segment: number;
  /** How often it was built; 0 where it was not yet. */
  build: number;
  /** Which columns there are, and how they are written. */
  format: string;
  /** 1 where it is to be built. */
  is_due: number;
  /** Rows when it was built. */
  row_count: number;
  /** Null where it has no rows. */
  min_start_us: number | null;
  max_start_us: number | null;
  /** JSON list of the projects of its rows; null for too many. */
  project_ids: string | null;
}

/** A column of a segment. */
export interface SpanSegmentColumnsTable {
  segment: number;
  name: string;
  /** That of the segment. */
  build: number;
  data: Uint8Array;
}

/** A row of a segment that changed, or vanished, since the segment was built; a trigger notes it. */
export interface SpanSegmentChangesTable {
  span_row_id: number;
  /** How often it did. */
  version: number;
}

/** A pointer from a span to another one, which may be stored or not. */
export interface SpanLinksTable {
  linked_trace_id: string;
  linked_span_id: string;
  /** The span that has the link. */
  span_row_id: number;
  trace_row_id: number;
}

/** Where a span's original lies; a table of its own, so that compaction rewrites no span. */
export interface SpanLocationsTable {
  span_row_id: number;
  block_id: number;
  ordinal: number;
}

/** A log record: what finds its span, and where its original lies. */
export interface LogRecordsTable {
  id: number;
  /** Chosen when it arrived; a record in a trace that is stored belongs to the project of the trace. */
  project_id: number;
  /** Null where it names none. */
  trace_id: string | null;
  /** Null where it names none; only beside a trace id. */
  span_id: string | null;
  /** The stored span that it belongs to; null while it is unattached. */
  span_row_id: number | null;
  /** Null for a plain log record. */
  event_name: string | null;
  /** How large it is, where it is an event of an LLM application, which may tell what its span did; null for any other. */
  content_bytes: number | null;
  /** 0 where it tells none. */
  time_us: number;
  /** Its service and scope, which with its time may tell its span; null where that is not looked for. */
  source: string | null;
  /** The conversation that it names, for the same purpose. */
  conversation_id: string | null;
  /** The call that it is about, beside the span that it names. */
  request_id: string | null;
  request_span_row_id: number | null;
  /** When it is given up unless its trace is stored by then; null where it is kept. */
  expires_us: number | null;
  otel_resource_id: number;
  instrumentation_scope_id: number;
  /** Of the record with its resource and scope: a record has no id that would tell a repetition. Unique beside the time. */
  digest: string;
  block_id: number;
  ordinal: number;
}

/** Originals of log records of one trace, compressed together; ids are unique among those of all blocks. */
export interface LogRecordBlocksTable {
  id: number;
  /** Null where the records name none. */
  trace_id: string | null;
  record_count: number;
  /** Records that are still found here; a block without any is deleted. */
  live_count: number;
  raw_bytes: number;
  data: Uint8Array;
}

/** A resource or an instrumentation scope, once per distinct content. */
export interface EnvelopesTable {
  id: Generated<number>;
  hash: Uint8Array;
  envelope: Uint8Array;
}

/** By which rules spans were read when they were stored: those of a row id and after it, up to the next row. */
export interface NormalizerVersionsTable {
  from_span_row_id: number;
  version: number;
}

/** What models cost, as people say; what comes with the product is not here. */
export interface ModelPricesTable {
  id: Generated<number>;
  name: string;
  /** Null for any. */
  provider: string | null;
  name_pattern: string;
  /** Calls before it have another price; null where it holds for all. */
  start_us: number | null;
  /** JSON of `Prices` in `derive/cost/rates.ts`. */
  prices: string;
  created_at_us: number;
  updated_at_us: number;
  /** Null while it holds. */
  deleted_at_us: number | null;
}

/** What takes longer than a request: standing jobs, one row each, and jobs that end. */
export interface JobsTable {
  id: Generated<number>;
  /** One that is not over at a time, but for bulk actions. */
  kind:
    | 'compaction'
    | 'columns'
    | 'search'
    | 'removal'
    | 'retention'
    | 'verification'
    | 'reindex'
    | 'repricing'
    | 'bulk';
  /** JSON of what was asked for. */
  input: string;
  /** `running` is also one that waits for a server. */
  state: 'running' | 'paused' | 'done' | 'failed' | 'cancelled';
  /** JSON of how far it is; a step holds while it is as the step found it. */
  progress: string;
  /** JSON of amounts by unit; null for no bound. */
  budget: string | null;
  spent: string | null;
  /** JSON of what was done, skipped and failed; null unless it is over. */
  result: string | null;
  error: string | null;
  /** Which server works on it, until its lease is over, by the clock of the database; of a data file there is one server. */
  owner: string | null;
  leased_until_us: number;
  started_at_us: number;
  /** Null until it is over. */
  finished_at_us: number | null;
  /** Whose it is; null of the server's own, and of those of all projects. */
  project_id: Generated<number | null>;
}

/** A row that a job has yet to do something with. */
export interface JobItemsTable {
  job_id: number;
  row_id: number;
}

/** What became of every span, log record and data point received, by hour. Received is the sum of the outcomes but `expired`. */
export interface IngestLedgerTable {
  hour_us: number;
  /** 0 for what was rejected or dropped before it had a project. */
  project_id: number;
  /** The key that it was sent with, which may be deleted by now; 0 for none. */
  api_key_id: number;
  signal: 'traces' | 'logs' | 'metrics' | 'annotations';
  /** `expired`: stored before, and given up. */
  outcome: 'stored' | 'replaced' | 'duplicate' | 'rejected' | 'dropped' | 'expired';
  /** Why, for what is not stored; else empty. */
  reason: string;
  /** Spans, log records, data points or annotations. */
  item_count: number;
}

/** What was taken away from a project, and how far erasing it has come. */
export interface DeletionsTable {
  id: Generated<number>;
  /** The project, which is gone itself where all of it was deleted. */
  project_id: number;
  project_name: string;
  reason: 'request' | 'retention';
  /** Whose rule it was; null for a request, and after the policy was deleted. */
  policy_id: number | null;
  /** Which traces, as JSON; null for the whole project. */
  selection: string | null;
  /** Nothing can be found from `erasing` on. */
  state: 'hiding' | 'erasing' | 'shrinking' | 'finished';
  /** What it took away; of a whole project what was erased so far. */
  trace_count: number;
  span_count: number;
  erased_span_count: number;
  started_at_us: number;
  hidden_at_us: number | null;
  finished_at_us: number | null;
  /** The job that says which traces; null for what is said at once. While that job goes on, nobody else hides any. */
  job_id: Generated<number | null>;
}

/** Traces whose spans are left out of lists by project. */
export interface UnlistedTracesTable {
  trace_row_id: number;
  /** The deletion that erases it; null while its spans follow it to another project. */
  deletion_id: number | null;
}

/** For how long traces are kept; 0 is the policy of projects that have none of their own. */
export interface RetentionPoliciesTable {
  id: Generated<number>;
  name: string;
  /** Hours and weekdays in UTC. */
  cron: string;
  /** 0 for ever; null where age does not matter. */
  max_days: number | null;
  /** 0 for any number; null where the number does not matter. */
  max_count: number | null;
  /** Scheduled times up to it are over. */
  looked_at_us: number;
}

/** Projects with a retention policy of their own. */
export interface ProjectRetentionTable {
  project_id: number;
  policy_id: number;
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
