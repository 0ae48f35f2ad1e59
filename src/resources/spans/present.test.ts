import { describe, expect, it } from 'vitest';
import { JsonNumber, jsonInteger } from '#base/json';
import type { Span } from '#domain/span';
import type { OtlpSpan } from '#otlp/messages';
import type { StoredSpan } from '#store/spans/presenter';
import { presentOtlpSpan, presentSpan } from './present.ts';

const SPAN: Span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: null,
  name: 'answer',
  kind: 'LLM',
  otelKind: 3,
  startTimeUnixNano: 1_716_854_409_000_000_789n,
  endTimeUnixNano: 1_716_854_410_500_000_000n,
  isOpen: false,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes: {},
  reading: {},
  events: [],
  links: [],
  traceState: '',
  sessionId: null,
  userId: null,
  modelName: null,
  provider: null,
  responseId: null,
  tokenRemarks: [],
  tokenCounts: {
    prompt: null,
    completion: null,
    total: null,
    cacheRead: null,
    cacheWrite: null,
    reasoning: null,
    promptAudio: null,
    completionAudio: null,
  },
  reportedCostUsd: null,
  reportedPromptCostUsd: null,
  reportedCompletionCostUsd: null,
  input: null,
  output: null,
};

function stored(span: Partial<Span>, original: Partial<OtlpSpan> = {}): StoredSpan {
  const counts = { flags: 0, droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 };
  return {
    span: { ...SPAN, ...span, reading: span.reading ?? span.attributes ?? SPAN.attributes },
    row: { rowId: 9, startTimeUs: 1_716_854_409_000_000, endTimeUs: 1_716_854_410_500_000 },
    original: { ...counts, ...original },
  } as StoredSpan;
}

describe('presentSpan', () => {
  function present(span: Partial<Span>): Record<string, unknown> {
    return JSON.parse(presentSpan(stored(span))) as Record<string, unknown>;
  }

  it('has every field, also those that say nothing', () => {
    expect(present({})).toEqual({
      id: 'U3Bhbjo5',
      name: 'answer',
      context: { trace_id: SPAN.traceId, span_id: SPAN.spanId },
      span_kind: 'LLM',
      parent_id: null,
      start_time: '2024-05-28T00:00:09+00:00',
      end_time: '2024-05-28T00:00:10.500000+00:00',
      status_code: 'UNSET',
      status_message: '',
      attributes: {},
      events: [],
    });
  });

  it('flattens attributes: objects and lists of objects, not lists of scalars', () => {
    const attributes = {
      llm: { model_name: 'gpt-4', input_messages: [{ message: { role: 'user' } }, { message: { role: 'tool' } }] },
      tag: { tags: ['a', 'b'] },
      empty: {},
      'dotted.key': true,
    };
    expect(present({ attributes })['attributes']).toEqual({
      'llm.model_name': 'gpt-4',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.1.message.role': 'tool',
      'tag.tags': ['a', 'b'],
      empty: {},
      'dotted.key': true,
    });
  });

  it('keeps whole floats floats, and integers beyond 2^53 as their digits', () => {
    const attributes = {
      whole: new JsonNumber('1.0'),
      wide: jsonInteger(2n ** 60n),
      list: [jsonInteger(-(2n ** 60n)), 1],
      safe: 12,
    };
    expect(presentSpan(stored({ attributes }))).toContain(
      '"attributes":{"whole":1.0,"wide":"1152921504606846976","list":["-1152921504606846976",1],"safe":12}',
    );
  });

  it('has what was derived beside the attributes', () => {
    const attributes = { llm: { model_name: 'm', finish_reason: 'stop' } };
    const reading = { llm: { model_name: 'm', response: { model_name: 'm-1' } } };
    expect(present({ attributes, reading })).toMatchObject({
      attributes: { 'llm.model_name': 'm', 'llm.finish_reason': 'stop' },
      derived_attributes: { 'llm.response.model_name': 'm-1', 'llm.finish_reason': null },
    });
    expect(present({ attributes })).not.toHaveProperty('derived_attributes');
  });

  it('has the kind beside the attributes', () => {
    const span = present({ attributes: { openinference: { span: { kind: 'LLM' } }, x: 1 } });
    expect([span['span_kind'], span['attributes']]).toEqual(['LLM', { x: 1 }]);
  });

  it('keeps a kind that only the application knows', () => {
    const attributes = { openinference: { span: { kind: 'ROBOT' } } };
    expect(present({ kind: 'UNKNOWN', attributes })['span_kind']).toBe('ROBOT');
    expect(present({ kind: 'UNKNOWN' })['span_kind']).toBe('UNKNOWN');
  });

  it('writes the times of events to the microsecond', () => {
    const events = [
      {
        name: 'first',
        timeUnixNano: 1_716_854_409_000_000_999n,
        attributes: { 'a.b': 1, big: jsonInteger(2n ** 60n) },
      },
      { name: 'second', timeUnixNano: 1_716_854_409_123_456_789n, attributes: {} },
    ];
    expect(present({ events })['events']).toEqual([
      { name: 'first', timestamp: '2024-05-28T00:00:09+00:00', attributes: { 'a.b': 1, big: '1152921504606846976' } },
      { name: 'second', timestamp: '2024-05-28T00:00:09.123456+00:00', attributes: {} },
    ]);
  });

  it('has remarks on its token counts where there are any', () => {
    const tokenRemarks = [{ kind: 'total_differs' as const, message: 'The total is 9.' }];
    expect(present({ tokenRemarks })['token_count_remarks']).toEqual(tokenRemarks);
    expect(present({})).not.toHaveProperty('token_count_remarks');
  });

  it('cannot be made to write fields of its own by the names of attributes', () => {
    const attributes = JSON.parse('{"__proto__":{"polluted":1}}') as Span['attributes'];
    expect(presentSpan(stored({ attributes }))).toContain('"attributes":{"__proto__.polluted":1}');
  });
});

describe('presentOtlpSpan', () => {
  const NO_VALUE = {
    array_value: null,
    bool_value: null,
    bytes_value: null,
    double_value: null,
    int_value: null,
    kvlist_value: null,
    string_value: null,
  };

  function present(span: Partial<Span>, original?: Partial<OtlpSpan>): Record<string, unknown> {
    return JSON.parse(presentOtlpSpan(stored(span, original))) as Record<string, unknown>;
  }

  function presentValue(value: Span['attributes'][string]): unknown {
    const { attributes } = present({ attributes: { key: value } }) as { attributes: { value: unknown }[] };
    return attributes[0]?.value;
  }

  it('has every field, null where it says nothing', () => {
    expect(present({})).toEqual({
      trace_id: SPAN.traceId,
      span_id: SPAN.spanId,
      parent_span_id: null,
      name: 'answer',
      kind: 'SPAN_KIND_CLIENT',
      start_time_unix_nano: Number(SPAN.startTimeUnixNano),
      end_time_unix_nano: Number(SPAN.endTimeUnixNano),
      attributes: [],
      events: null,
      status: { code: 0, message: null },
      links: null,
      trace_state: null,
      flags: null,
      dropped_attributes_count: null,
      dropped_events_count: null,
      dropped_links_count: null,
    });
  });

  it('writes times as integers, to the nanosecond', () => {
    expect(presentOtlpSpan(stored({}))).toContain('"start_time_unix_nano":1716854409000000789,');
  });

  it('keeps what was said of links, state, flags and losses', () => {
    const link = { traceId: 'aa', spanId: 'bb', traceState: '', attributes: { 'a.b': true } };
    const counts = { flags: 257, droppedAttributesCount: 1, droppedEventsCount: 2, droppedLinksCount: 3 };
    expect(present({ links: [link], traceState: 'a=b' }, counts)).toMatchObject({
      links: [
        {
          trace_id: 'aa',
          span_id: 'bb',
          trace_state: null,
          attributes: [{ key: 'a.b', value: { ...NO_VALUE, bool_value: true } }],
        },
      ],
      trace_state: 'a=b',
      flags: 257,
      dropped_attributes_count: 1,
      dropped_events_count: 2,
      dropped_links_count: 3,
    });
  });

  it('writes the status as a number, with its message', () => {
    expect(present({ statusCode: 'OK' })['status']).toEqual({ code: 1, message: null });
    expect(present({ statusCode: 'ERROR', statusMessage: 'broken' })['status']).toEqual({ code: 2, message: 'broken' });
  });

  it('writes events with their attributes', () => {
    const events = [{ name: 'e', timeUnixNano: 1n, attributes: { 'a.b': 'x' } }];
    expect(present({ events })['events']).toEqual([
      {
        name: 'e',
        attributes: [{ key: 'a.b', value: { ...NO_VALUE, string_value: 'x' } }],
        time_unix_nano: 1,
        dropped_attributes_count: null,
      },
    ]);
  });

  it('flattens attributes and keeps the kind among them, as it has no other place', () => {
    const attributes = { openinference: { span: { kind: 'LLM' } }, documents: [{ id: 'x' }] };
    const { attributes: flat } = present({ attributes }) as { attributes: { key: string }[] };
    expect(flat.map(({ key }) => key)).toEqual(['openinference.span.kind', 'documents.0.id']);
  });

  it.each([
    ['text', { string_value: 'text' }],
    [false, { bool_value: false }],
    [3, { int_value: 3 }],
    [jsonInteger(2n ** 60n), { int_value: '1152921504606846976' }],
    [0.5, { double_value: 0.5 }],
    [new JsonNumber('1.0'), { double_value: 1 }],
    [{}, {}],
  ])('gives %j the value of its type', (value, expected) => {
    expect(presentValue(value)).toEqual({ ...NO_VALUE, ...expected });
  });

  it.each([
    [
      ['a', 'b'],
      [{ string_value: 'a' }, { string_value: 'b' }],
    ],
    [
      [0, 0.5],
      [{ int_value: 0 }, { double_value: 0.5 }],
    ],
    [[], []],
    [
      ['a', 1, null, [2]],
      [{ string_value: 'a' }, { string_value: '1' }, { string_value: 'null' }, { string_value: '[2]' }],
    ],
  ])('gives the list %j values of one type', (list, values) => {
    expect(presentValue(list)).toEqual({
      ...NO_VALUE,
      array_value: { values: values.map((value) => ({ ...NO_VALUE, ...value })) },
    });
  });

  it('gives values of a long list their own name alone', () => {
    expect(presentValue(Array(3000).fill(0.5))).toEqual({
      ...NO_VALUE,
      array_value: { values: Array(3000).fill({ double_value: 0.5 }) },
    });
  });

  it('writes long texts among short ones', () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 2100 }, (_, at) => [`k${at}`, 'x'.repeat(at === 1500 ? 20_000 : 1)]),
    );
    const { attributes: flat } = present({ attributes }) as {
      attributes: { key: string; value: { string_value: string } }[];
    };
    expect(flat.map(({ key, value }) => [key, value.string_value])).toEqual(Object.entries(attributes));
  });
});
