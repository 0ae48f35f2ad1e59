import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluate } from '#filter/evaluate';
import { parseFilter } from '#filter/parse-filter';
import { type PlainRow, plainSubject } from '#filter/plain-subject.fixture';
import type { FilterGrain } from '#filter/tree';
import { FILTER_EXAMPLES } from './filter-docs/examples.ts';
import { FILTER_DOCS_URL, formatFilterDocs } from './generate-filter-docs.ts';

it('docs/filter-language.md is what the catalogues say', () => {
  expect(readFileSync(FILTER_DOCS_URL, 'utf8')).toBe(formatFilterDocs());
});

const COSTS: readonly PlainRow[] = [
  { fields: { token_type: 'input', is_prompt: true, tokens: 900, cost: 0.15 } },
  { fields: { token_type: 'cache_read', is_prompt: true, tokens: 100, cost: 0.01 } },
];
const AGENT = { fields: { name: 'agent', span_kind: 'AGENT', status_code: 'OK', latency_ms: 2000 } };
const LLM = { fields: { name: 'chat', span_kind: 'LLM', status_code: 'ERROR', latency_ms: 900 }, parent: AGENT.fields };
const TOOL = { fields: { name: 'search', span_kind: 'TOOL', status_code: 'OK', latency_ms: 50 }, parent: LLM.fields };
const SPANS: readonly PlainRow[] = [
  { ...AGENT, collections: { children: [LLM] } },
  { ...LLM, collections: { children: [TOOL] } },
  TOOL,
];

const ROWS: Readonly<Record<FilterGrain, PlainRow>> = {
  span: {
    fields: {
      name: 'chat',
      span_kind: 'LLM',
      status_code: 'OK',
      latency_ms: 900,
      start_time: 1_790_000_000_000_000,
      total_cost: 0.16,
    },
    attributes: {
      llm: { model_name: 'gpt-4o', token_count: { total: 1200 } },
      output: { value: 'A Timeout occurred' },
      metadata: { topic: 'programming', retries: '3' },
      tag: { tags: ['prod', 'eu'] },
    },
    annotations: {
      'span correctness': [
        { label: 'correct', score: 1 },
        { label: 'incorrect', score: 0.2, identifier: 'reviewer-1' },
      ],
      'span note': [{ explanation: 'Retry with a larger model' }],
      'document relevance': [{ score: 0.9 }, { score: 0.1 }],
      'trace quality': [{ score: 0.9 }],
    },
    collections: {
      cost_details: COSTS,
      annotations: [{ fields: { name: 'correctness', score: 0.2 } }],
      document_annotations: [0.9, 0.1].map((score) => ({ fields: { name: 'relevance', score } })),
    },
  },
  trace: {
    fields: { error_count: 1, latency_ms: 2000, input: 'Where is my Refund?' },
    attributes: { user: { id: 'u-17' }, metadata: { plan: 'pro' } },
    annotations: { 'trace quality': [{ label: 'good' }] },
    collections: {
      spans: SPANS,
      span_cost_details: COSTS,
      span_annotations: [{ fields: { name: 'hallucination', score: 0.8 } }],
    },
  },
  session: {
    fields: { num_traces: 8, num_traces_with_error: 2, total_cost: 0.7, last_output: 'Bye', duration_ms: 90_000 },
    annotations: { 'session satisfaction': [{ score: 0.2 }] },
    collections: {
      traces: [{ collections: { spans: SPANS } }],
      root_spans: [{ fields: { input: 'a refund, please' } }],
    },
  },
};

describe.each(['span', 'trace', 'session'] as const)('the examples of %ss', (grain) => {
  it.each(FILTER_EXAMPLES[grain])('$text', ({ text, holds }) => {
    const { condition, diagnostics } = parseFilter(grain, text);
    expect(diagnostics).toEqual([]);
    expect(condition !== null && evaluate(condition, plainSubject(ROWS[grain]))).toBe(holds);
  });
});

it('the examples in the text can be read', () => {
  const blocks = [...formatFilterDocs().matchAll(/```\n([^`]+)\n```/g)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(2);
  expect(parseFilter('span', blocks[0] ?? '').diagnostics).toEqual([]);
  expect(parseFilter('trace', blocks[1] ?? '').diagnostics).toEqual([]);
});
