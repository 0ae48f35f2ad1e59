/** What people and programs had made with earlier versions. */
import { NOON_US, type Row, type VersionContent } from './version-content.fixture.ts';

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

/** By the name of the migration that the version brought. */
export const EARLIER_RECORDS: Readonly<Record<string, VersionContent>> = {
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
  '0017-add-default-tab': { statements: ["UPDATE projects SET default_tab = 'metrics' WHERE id = 2"] },
  '0018-mend-annotations': {
    rows: {
      annotations: [annotation(4, { target: 'span', label: 'correct', identifier: 'carried', is_carried: 1 })],
      carried_annotations: [{ span_row_id: 1, digests: '["b5bb9d8014a0f9b1"]' }],
      arrived_targets: [{ target: 'span', target_key: 'abcdef0123456789' }],
    },
  },
  '0019-add-identities': {
    rows: {
      users: [
        {
          ...user(5, { username: 'Kay', email: 'kay@example.com', role: 'MEMBER' }),
          auth_method: 'OAUTH2',
          password_hash: null,
          password_salt: null,
          password_algorithm: null,
          oauth2_issuer: 'https://id.example.com',
          oauth2_client_id: 'cairn',
          oauth2_user_id: 'subject 5',
        },
      ],
      spent_states: [{ hash: 'state', expires_at_us: NOON_US }],
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
