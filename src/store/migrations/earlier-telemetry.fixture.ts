/** Telemetry, and what is derived of it, as earlier versions left it. */
import { NOON_US, type Row, type VersionContent } from './version-content.fixture.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

function trace(id: number, more: Row): Row {
  return {
    id,
    trace_id: String(id).padStart(32, '0'),
    project_id: 2,
    start_us: NOON_US + id * 1_000_000,
    end_us: NOON_US + id * 1_000_000 + 850_000,
    span_count: 2,
    error_count: 0,
    prompt_tokens: 1200,
    completion_tokens: 80,
    cost_nanousd: 250_000_000,
    ...more,
  };
}

function span(id: number, more: Row): Row {
  return {
    id,
    project_id: 2,
    trace_row_id: Math.ceil(id / 2),
    span_id: String(id).padStart(16, '0'),
    name: `step ${id}`,
    kind: 1,
    status: 0,
    start_us: NOON_US + id * 1000,
    end_us: NOON_US + id * 1000 + 730_000,
    counted_prompt_tokens: 0,
    counted_completion_tokens: 0,
    counted_cost_nanousd: 0,
    otel_resource_id: 1,
    instrumentation_scope_id: 1,
    attributes: '{}',
    attributes_cut: 0,
    ...more,
  };
}

/** By the name of the migration that the version brought. */
export const EARLIER_TELEMETRY: Readonly<Record<string, VersionContent>> = {
  '0001-create-telemetry': {
    rows: {
      projects: [
        {
          id: 2,
          name: 'Straße',
          name_folded: 'strasse',
          description: 'shop\nwindow',
          created_at_us: NOON_US,
          updated_at_us: NOON_US + 1,
        },
      ],
      otel_resources: [{ id: 1, hash: bytes('resource hash'), envelope: bytes('resource') }],
      instrumentation_scopes: [{ id: 1, hash: bytes('scope hash'), envelope: bytes('scope') }],
      traces: [
        trace(1, { session_row_id: 1, session_span_row_id: 1, session_start_us: NOON_US, root_span_row_id: 1 }),
        trace(2, { error_count: 1, root_span_row_id: 3, revision: 4 }),
      ],
      sessions: [
        {
          id: 1,
          project_id: 2,
          session_id: 'visitor 7',
          start_us: NOON_US,
          end_us: NOON_US + 850_000,
          trace_count: 1,
          error_count: 0,
          prompt_tokens: 1200,
          completion_tokens: 80,
          cost_nanousd: 250_000_000,
        },
      ],
      spans: [
        span(1, { session_id: 'visitor 7', user_id: 'ann', input_preview: 'How much?', output_preview: '7 €' }),
        span(2, {
          parent_span_id: '0000000000000001',
          kind: 3,
          model_name: 'gpt-4o',
          provider: 'openai',
          response_key: 123_456_789,
          prompt_tokens: 1200,
          completion_tokens: 80,
          call_distance: 0,
          counted_prompt_tokens: 1200,
          counted_completion_tokens: 80,
          cost_usd: 0.25,
          counted_cost_nanousd: 250_000_000,
          attributes: '{"llm.model_name":"gpt-4o","llm.token_count.prompt_details.audio":12,"odd":"\\u0000"}',
          omitted_attributes: '["input.value"]',
        }),
        span(3, {
          status: 2,
          cost_usd: -1,
          attributes:
            '{"llm.token_count.completion_details.audio":"12","said":",\\"llm.token_count.prompt_details.audio\\":7,"}',
        }),
        span(4, {
          parent_span_id: '0000000000000003',
          end_us: null,
          attributes: '{"llm.token_count.completion_details.audio":3}',
          attributes_cut: 1,
        }),
      ],
      span_links: [
        {
          linked_trace_id: '1'.padStart(32, '0'),
          linked_span_id: '2'.padStart(16, '0'),
          span_row_id: 3,
          trace_row_id: 2,
        },
      ],
      span_locations: [1, 2, 3, 4].map((id) => ({
        span_row_id: id,
        block_id: Math.ceil(id / 2),
        ordinal: (id + 1) % 2,
      })),
      blocks: [1, 2].map((id) => ({
        id,
        trace_row_id: id,
        span_count: 2,
        live_count: 2,
        raw_bytes: 900,
        data: bytes(`block ${id}`),
      })),
      compaction_queue: [{ block_id: 2, trace_row_id: 2 }],
      log_records: [
        {
          id: 1,
          project_id: 2,
          trace_id: '1'.padStart(32, '0'),
          span_id: '2'.padStart(16, '0'),
          span_row_id: 2,
          event_name: 'gen_ai.user.message',
          content_bytes: 40,
          time_us: NOON_US + 5,
          otel_resource_id: 1,
          instrumentation_scope_id: 1,
          digest: 'digest of a record',
          block_id: 3,
          ordinal: 0,
        },
      ],
      log_record_blocks: [
        {
          id: 3,
          trace_id: '1'.padStart(32, '0'),
          record_count: 1,
          live_count: 1,
          raw_bytes: 90,
          data: bytes('records'),
        },
      ],
      normalizer_versions: [{ from_span_row_id: 1, version: 1 }],
      reindex_job: [
        {
          id: 1,
          version: 1,
          first_span_row_id: 1,
          end_span_row_id: 3,
          next_span_row_id: 3,
          read_count: 2,
          changed_count: 1,
          failed_count: 0,
          started_at_us: NOON_US,
          finished_at_us: NOON_US + 9,
        },
      ],
      ingest_ledger: [
        {
          hour_us: NOON_US,
          project_id: 2,
          api_key_id: 0,
          signal: 'traces',
          outcome: 'stored',
          reason: '',
          item_count: 4,
        },
      ],
    },
    statements: [
      `UPDATE row_ids SET next_id = CASE table_name WHEN 'spans' THEN 5 WHEN 'blocks' THEN 4 WHEN 'traces' THEN 3 ELSE 2 END`,
    ],
  },
  '0002-add-columns': {
    rows: {
      span_segments: [
        {
          segment: 0,
          build: 1,
          format: '1',
          is_due: 0,
          row_count: 4,
          min_start_us: NOON_US + 1000,
          max_start_us: NOON_US + 4000,
          project_ids: '[2]',
        },
      ],
      span_segment_columns: [{ segment: 0, name: 'status', build: 1, data: bytes('0020') }],
    },
  },
  '0003-add-search': {
    rows: {
      search_spans: [{ span_row_id: 1, trace_row_id: 1, introduced: bytes('a'), held: bytes('b') }],
      search_parts: [{ project_id: 2, part: 0, min_start_us: NOON_US + 1000, max_start_us: NOON_US + 4000 }],
      search_queue: [{ id: 1, span_row_id: 4 }],
    },
    statements: ['UPDATE search_progress SET tokenizer_version = 1, next_span_row_id = 4'],
  },
  '0004-add-costs': {
    rows: {
      model_prices: [
        {
          id: 1,
          name: 'ours',
          name_pattern: '^ours',
          prices: '{"input":1}',
          created_at_us: NOON_US,
          updated_at_us: NOON_US,
        },
      ],
      pricing_job: [
        {
          id: 1,
          name_pattern: 'a "name"',
          start_us: null,
          end_us: NOON_US,
          first_span_row_id: 1,
          end_span_row_id: 5,
          next_span_row_id: 5,
          read_count: 4,
          changed_count: 1,
          failed_count: 0,
          started_at_us: NOON_US,
          finished_at_us: NOON_US + 1,
        },
      ],
    },
    statements: [
      `UPDATE spans SET claimed_cost_nanousd = 250000000, prompt_audio_tokens = 12, counted_prompt_cost_nanousd = 200000000,
        counted_completion_cost_nanousd = 50000000, input_cost_nanousd = 200000000 WHERE id = 2`,
      'UPDATE traces SET prompt_cost_nanousd = 200000000, completion_cost_nanousd = 50000000 WHERE id = 1',
    ],
  },
  '0005-add-deletion': {
    rows: {
      deletions: [
        {
          id: 1,
          project_id: 2,
          project_name: 'Straße',
          reason: 'request',
          state: 'erasing',
          trace_count: 1,
          span_count: 2,
          erased_span_count: 0,
          started_at_us: NOON_US,
        },
      ],
      unlisted_traces: [{ trace_row_id: 2, deletion_id: 1 }],
      retention_policies: [
        { id: 1, name: 'month', cron: '0 3 * * *', max_days: 30.5, max_count: null, looked_at_us: NOON_US },
      ],
      project_retention: [{ project_id: 2, policy_id: 1 }],
    },
  },
  '0006-add-write-turn': {
    ofEngine: { sqlite: [], postgres: ["UPDATE write_turn SET server_id = 'a server', turn = 41"] },
  },
  '0011-add-jobs': {
    rows: {
      jobs: [
        {
          kind: 'reindex',
          input: '{"version":1}',
          state: 'done',
          progress: '{"firstRowId":1,"endRowId":3,"nextRowId":3,"readCount":2,"changedCount":1,"failedCount":0}',
          result: '{"done":1,"skipped":1,"failed":0}',
          started_at_us: NOON_US,
          finished_at_us: NOON_US + 9,
        },
        {
          kind: 'repricing',
          input: `{"namePattern":"a \\"name\\"","startUs":null,"endUs":${NOON_US}}`,
          state: 'done',
          progress: '{"firstRowId":1,"endRowId":5,"nextRowId":5,"readCount":4,"changedCount":1,"failedCount":0}',
          result: '{"done":1,"skipped":3,"failed":0}',
          started_at_us: NOON_US,
          finished_at_us: NOON_US + 1,
        },
      ],
    },
  },
  '0021-add-vocabularies': {
    rows: {
      search_spans: [{ span_row_id: 2, trace_row_id: 1, introduced: bytes('a'), held: bytes('b'), doubts: 2 }],
      search_vocabularies: [{ part: 0, number: 1, size: 10, words: bytes('how much') }],
    },
  },
  '0025-add-block-dictionaries': {
    rows: {
      block_dictionaries: [{ id: 1, project_id: 1, made_at_block_id: 2, data: bytes('in common') }],
      block_pieces: [{ block_id: 2, place: 0, data: bytes('piece') }],
    },
    statements: ['UPDATE blocks SET dictionary_id = 1 WHERE id = 2'],
  },
  '0030-sum-spans-of-statements': {
    ofEngine: {
      sqlite: ['INSERT INTO span_sums (project_id, quarter, span_count) VALUES (2, 1960656, 4)'],
      postgres: [],
    },
  },
};
