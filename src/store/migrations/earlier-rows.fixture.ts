/** What databases of earlier versions hold: written down row by row, so that nothing of today has a part in it. */
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import { MIGRATIONS } from './list.ts';

type Row = Readonly<Record<string, ColumnValue>>;

interface FilledDatabase extends Pick<TestEngine, 'db' | 'dialect'> {
  readonly exec: (statement: string) => Promise<void>;
}

/** Fills a database that has the first so many migrations, as a server of that version leaves it. */
export async function fillAsOf(versions: number, { db, dialect, exec }: FilledDatabase) {
  const names = MIGRATIONS.slice(0, versions).map(({ name }) => name);
  for (const name of names) {
    const { rows = {}, statements = [], ofEngine } = CONTENT[name] ?? {};
    for (const [table, list] of Object.entries(rows)) {
      if (names.includes(REMOVED_BY[table] ?? '')) continue;
      // One by one: those that leave a column out have its default.
      for (const row of list)
        await db
          .insertInto(table as 'spans')
          .values(row as never)
          .execute();
    }
    for (const statement of [...statements, ...(ofEngine?.[dialect.name] ?? [])]) await exec(statement);
  }
}

/** Tables that are gone since, and the change that removed them. */
export const REMOVED_BY: Readonly<Record<string, string>> = {
  reindex_job: '0011-add-jobs',
  pricing_job: '0011-add-jobs',
};

/** What servers of a version wrote beside what those before it did. */
interface VersionContent {
  readonly rows?: Readonly<Record<string, readonly Row[]>>;
  readonly statements?: readonly string[];
  readonly ofEngine?: Readonly<Record<'sqlite' | 'postgres', readonly string[]>>;
}

const NOON_US = 1_764_590_400_000_000;

const bytes = (text: string): Buffer => Buffer.from(text);

function user(id: number, more: Row): Row {
  return {
    id,
    auth_method: 'LOCAL',
    password_hash: 'aGFzaA==',
    password_salt: 'c2FsdA==',
    password_algorithm: 'argon2id:m=65536,t=2,p=1',
    created_at_us: NOON_US,
    updated_at_us: NOON_US,
    ...more,
  };
}

function annotation(id: number, more: Row): Row {
  return {
    id,
    target_row_id: 1,
    document_position: -1,
    project_id: 2,
    name: 'correctness',
    identifier: '',
    annotator_kind: 'HUMAN',
    label: null,
    score: null,
    explanation: null,
    metadata: '{}',
    source: 'API',
    user_id: null,
    created_at_us: NOON_US,
    updated_at_us: NOON_US,
    ...more,
  };
}

function apiKey(id: number, more: Row): Row {
  return { id, hash: `hash ${id}`, name: `key ${id}`, created_at_us: NOON_US, expires_at_us: NOON_US + 9, ...more };
}

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

const CONTENT: Readonly<Record<string, VersionContent>> = {
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
    ofEngine: {
      sqlite: ["INSERT INTO search_index (rowid, words, parts) VALUES (4096, 'how much', '0')"],
      postgres: ["INSERT INTO search_index VALUES (4096, 0, 2, 'how:1 much:2')"],
    },
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
  '0012-add-accounts': {
    rows: {
      users: [
        user(1, { username: 'system', email: 'system@localhost', role: 'SYSTEM' }),
        user(2, { username: 'admin', email: 'admin@localhost', role: 'ADMIN', password_needs_reset: 1 }),
        user(3, { username: 'ada', email: 'ada@example.com', role: 'MEMBER', was_made_while_open: 1 }),
      ],
      sign_ins: [{ id: 1, user_id: 3, created_at_us: NOON_US, expires_at_us: NOON_US + 9 }],
      sign_in_tokens: [
        { hash: 'access', sign_in_id: 1, kind: 'access', expires_at_us: NOON_US + 5, spent_at_us: null },
        { hash: 'refresh', sign_in_id: 1, kind: 'refresh', expires_at_us: NOON_US + 9, spent_at_us: NOON_US },
      ],
      password_reset_tokens: [{ user_id: 3, hash: 'reset', expires_at_us: NOON_US + 9 }],
      sign_in_attempts: [
        { subject: 'email:ada', attempt_count: 5, last_attempt_us: NOON_US, locked_until_us: NOON_US + 9 },
      ],
      api_keys: [
        apiKey(1, { user_id: 3, created_by: 3, description: 'of a person' }),
        apiKey(2, { user_id: null, created_by: 2, operations: 'ingest', is_limited_to_projects: 1 }),
      ],
      api_key_projects: [{ api_key_id: 2, project_id: 2 }],
      secrets: [
        {
          name: 'OPENAI_API_KEY',
          value: 'c2VhbGVk',
          key_id: 'abcd',
          user_id: 2,
          created_at_us: NOON_US,
          updated_at_us: NOON_US,
        },
      ],
      audit_events: [
        {
          id: 1,
          occurred_at_us: NOON_US,
          outcome: 'done',
          operation: 'users.create',
          caller_kind: 'user',
          caller_row_id: 2,
          caller_name: 'admin',
          key_row_id: 1,
          key_name: 'sender',
          address: '192.0.2.1',
          object_type: 'User',
          object_id: '3',
          object_name: 'ada',
          project_row_id: null,
          changes: '["username"]',
        },
      ],
    },
  },
  '0014-add-annotations': {
    rows: {
      annotation_configs: [
        {
          id: 2,
          name: 'correctness',
          kind: 'CONTINUOUS',
          description: 'How much of it is true.',
          optimization_direction: 'MAXIMIZE',
          content: '{"lowerBound":0,"upperBound":1}',
          is_strict: 1,
        },
      ],
      project_annotation_configs: [{ project_id: 2, config_id: 2 }],
      annotations: [
        annotation(1, { target: 'span', label: 'correct', score: 0.5, user_id: 3, identifier: 'px-app:3' }),
        annotation(2, { target: 'document', document_position: 0, name: 'relevance', annotator_kind: 'LLM', score: 1 }),
        annotation(3, { target: 'trace', name: 'note', identifier: 'px-trace-note:1', explanation: 'looked at' }),
      ],
      waiting_annotations: [
        {
          id: 1,
          target: 'span',
          target_key: 'abcdef0123456789',
          document_position: -1,
          name: 'correctness',
          identifier: '',
          content: '{"label":"correct"}',
          user_id: 3,
          is_carried: 0,
          at_us: NOON_US,
          received_at_us: NOON_US,
          digest: 'b5bb9d8014a0f9b1d61e21e796d78dcc',
        },
      ],
    },
  },
  '0015-add-saved-views': {
    rows: {
      saved_views: [
        {
          id: 1,
          project_id: 2,
          table_name: 'spans',
          name: 'Slow calls',
          owner_id: 3,
          seen_by_id: 3,
          content: '{"filter":"latency_ms > 1000"}',
          created_at_us: NOON_US,
          updated_at_us: NOON_US,
        },
        {
          id: 2,
          project_id: 2,
          table_name: 'spans',
          name: 'Errors',
          owner_id: null,
          seen_by_id: null,
          content: '{}',
          is_default: 1,
          created_at_us: NOON_US,
          updated_at_us: NOON_US,
        },
      ],
      own_default_views: [{ user_id: 3, project_id: 2, table_name: 'spans', view_id: 1 }],
    },
  },
  '0016-add-annotation-queues': {
    rows: {
      annotation_queues: [
        {
          id: 1,
          name: 'Tone check',
          instructions: 'Is the answer **polite**?',
          target: 'trace',
          reviews_per_item: 2,
          is_blind: 1,
          hold_minutes: 15,
          created_by_id: 3,
          created_at_us: NOON_US,
          updated_at_us: NOON_US,
        },
      ],
      annotation_queue_configs: [{ queue_id: 1, config_id: 1, position: 0 }],
      annotation_queue_items: [
        {
          id: 1,
          queue_id: 1,
          target: 'trace',
          target_row_id: 1,
          completed_count: 1,
          held_by: 'browser:a1b2',
          held_until_us: NOON_US,
          added_by_id: 3,
          added_at_us: NOON_US,
        },
      ],
      annotation_queue_reviews: [
        { item_id: 1, reviewer: 'user:3', queue_id: 1, user_id: 3, outcome: 'completed', at_us: NOON_US },
      ],
      annotation_queue_rules: [
        {
          id: 1,
          queue_id: 1,
          project_id: 2,
          filter: 'error_count > 0',
          sample_percent: 10,
          after_row_id: 0,
          before_row_id: 1,
          created_at_us: NOON_US,
        },
      ],
    },
  },
  '0020-add-grants': {
    rows: {
      oauth2_clients: [
        {
          id: 1,
          client_id: 'px_dcr_abcdefghijklmnopqrstuv',
          name: 'Agent',
          redirect_uris: '["http://127.0.0.1/callback"]',
          registered_from: '192.0.2.1',
          created_at_us: NOON_US,
          last_used_at_us: NOON_US,
        },
      ],
      oauth2_codes: [
        {
          hash: 'code 1',
          sign_in_id: 1,
          client_id: 'px_dcr_abcdefghijklmnopqrstuv',
          client_name: 'Agent',
          redirect_uri: 'http://127.0.0.1:5000/callback',
          challenge: 'challenge 1',
          audience: 'server',
          expires_at_us: NOON_US,
        },
      ],
      oauth2_grants: [
        {
          sign_in_id: 1,
          client_id: 'px_dcr_abcdefghijklmnopqrstuv',
          client_name: 'Agent',
          audience: 'mcp',
          code_hash: 'code 2',
          challenge: 'challenge 2',
          last_used_at_us: NOON_US,
        },
      ],
    },
  },
};
