import { describe, expect, it } from 'vitest';
import { flattenAttributes } from '#domain/attributes';
import type { Span } from '#domain/span';
import type { AnyValue, OtlpSpanEvent } from '#otlp/messages';
import { readSpan, spanRecord } from '../../../test/support/dialect-span.ts';
import { otlpEvent, otlpMap, otlpResource, otlpScope, otlpSpan } from '../../../test/support/otlp-span.ts';
import { normalizeSpan } from '../normalize-span.ts';

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' };

describe('an event for each message', () => {
  it('gives input and output messages in the order of the events', () => {
    const span = read(CHAT, [
      otlpEvent('gen_ai.system.message', { content: 'Be brief.' }),
      otlpEvent('gen_ai.user.message', { content: 'Weather?' }),
      otlpEvent('gen_ai.assistant.message', {
        tool_calls: '[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]',
      }),
      otlpEvent('gen_ai.tool.message', { content: 'sunny', id: 'c' }),
      otlpEvent('gen_ai.choice', {
        index: 0n,
        finish_reason: 'stop',
        message: otlpMap({ role: 'assistant', content: 'Sunny.' }),
      }),
    ]);
    expect(messages(span, 'llm.input_messages')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }] },
      { role: 'tool', content: 'sunny', tool_call_id: 'c' },
    ]);
    expect(messages(span, 'llm.output_messages')).toEqual([
      { role: 'assistant', content: 'Sunny.', finish_reason: 'stop' },
    ]);
    expect(span.output).toEqual({ value: 'Sunny.', mimeType: 'text/plain' });
  });

  it('may hold parts as JSON text', () => {
    const content = '[{"text":"a"},{"toolResult":{"toolUseId":"c","content":[{"text":"b"}]}}]';
    expect(messages(read(CHAT, [otlpEvent('gen_ai.user.message', { content })]), 'llm.input_messages')).toEqual([
      { role: 'tool', tool_call_id: 'c', content: 'b' },
      { role: 'user', content: 'a' },
    ]);
  });

  it('may hold its body as one JSON text', () => {
    const event = otlpEvent('gen_ai.choice', {
      'gen_ai.event.content': '{"message":{"content":"hi"},"finish_reason":"stop"}',
    });
    expect(messages(read(CHAT, [event]), 'llm.output_messages')).toEqual([
      { role: 'assistant', content: 'hi', finish_reason: 'stop' },
    ]);
  });

  it('makes a span that names no operation a model call', () => {
    expect(read({}, [otlpEvent('gen_ai.user.message', { content: 'a' })]).kind).toBe('LLM');
    expect(read({}, [otlpEvent('gen_ai.evaluation.result', { 'gen_ai.evaluation.name': 'x' })]).kind).toBe('UNKNOWN');
  });

  it('tells what a tool was given and what it gave on a tool’s own span', () => {
    const span = read(TOOL, [
      otlpEvent('gen_ai.tool.message', { role: 'tool', content: '{"city": "Paris"}', id: 'c' }),
      otlpEvent('gen_ai.choice', { message: '[{"text": "18 degrees"}]', id: 'c' }),
    ]);
    expect(span).toMatchObject({
      kind: 'TOOL',
      input: { value: '{"city": "Paris"}', mimeType: 'application/json' },
      output: { value: '18 degrees', mimeType: 'text/plain' },
    });
    expect(messages(span, 'llm.input_messages')).toEqual([]);
  });
});

describe('a log record for each message', () => {
  it.each([
    ['a map', { content: 'Weather?' }],
    ['JSON text', '{"content":"Weather?"}'],
    ['text', 'Weather?'],
    ['a map of Gemini', { content: { role: 'user', parts: [{ text: 'Weather?' }] } }],
  ])('may have %s for its body', (_what, body) => {
    const span = readSpan({
      attributes: CHAT,
      records: [spanRecord('gen_ai.user.message', { 'gen_ai.system': 's' }, body)],
    });
    expect(messages(span, 'llm.input_messages')).toEqual([{ role: 'user', content: 'Weather?' }]);
  });

  it('keeps JSON that somebody said a text', () => {
    const said = '{"role":"x","content":"[1]"}';
    const records = [spanRecord('gen_ai.user.message', {}, { content: said })];
    expect(messages(readSpan({ attributes: CHAT, records }), 'llm.input_messages')).toEqual([
      { role: 'user', content: said },
    ]);
    const event = otlpEvent('gen_ai.user.message', { content: '{"a":1}' });
    expect(messages(read(CHAT, [event]), 'llm.input_messages')).toEqual([{ role: 'user', content: '{"a":1}' }]);
  });

  it('says nothing where the span has the events itself', () => {
    const records = [spanRecord('gen_ai.user.message', {}, { content: 'a' })];
    const events = [otlpEvent('gen_ai.user.message', { content: 'a' })];
    expect(messages(readSpan({ attributes: CHAT, events, records }), 'llm.input_messages')).toHaveLength(1);
  });

  it('gives the vectors of an embedding', () => {
    const records = [
      spanRecord('gen_ai.user.message', {}, { content: 'a' }),
      spanRecord('gen_ai.choice', {}, { index: 0, message: { content: [0.5, -1] } }),
      spanRecord('gen_ai.choice', {}, { index: 1, message: { content: 'no vector' } }),
    ];
    const span = readSpan({ attributes: { 'gen_ai.operation.name': 'embeddings' }, records });
    expect(span.attributes).toMatchObject({
      embedding: { embeddings: [{ embedding: { text: 'a', vector: [0.5, -1] } }] },
    });
  });

  it('gives texts to embed on the span of an embedding', () => {
    const records = ['a', 'b'].map((content) => spanRecord('gen_ai.user.message', {}, { content }));
    const attributes = { 'gen_ai.operation.name': 'embeddings' };
    const span = readSpan({ attributes, records: [...records, spanRecord('gen_ai.choice', {}, { index: 0 })] });
    expect(span.input?.value).toBe('["a","b"]');
    expect(messages(span, 'llm.input_messages')).toEqual([]);
  });
});

describe('an event of an evaluation', () => {
  it('is kept with what it says', () => {
    const event = otlpEvent('gen_ai.evaluation.result', {
      'gen_ai.evaluation.name': 'Relevance',
      'gen_ai.evaluation.score.value': 0.5,
      'gen_ai.evaluation.score.label': 'so-so',
    });
    expect(flattenAttributes(read({}, [event]).attributes)).toEqual([
      ['evaluations.0.evaluation.name', 'Relevance'],
      ['evaluations.0.evaluation.label', 'so-so'],
      ['evaluations.0.evaluation.score', 0.5],
    ]);
  });
});

describe('an event for prompt and completion', () => {
  it('gives messages from JSON text or plain text', () => {
    const span = read(CHAT, [
      otlpEvent('gen_ai.content.prompt', {
        'gen_ai.prompt': '[{"role":"system","content":"s"},{"role":"user","content":"u"}]',
      }),
      otlpEvent('gen_ai.content.completion', { 'gen_ai.completion': 'done' }),
    ]);
    expect(messages(span, 'llm.input_messages')).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ]);
    expect(messages(span, 'llm.output_messages')).toEqual([{ role: 'assistant', content: 'done' }]);
  });
});

describe('an event with the details of the operation', () => {
  const DETAILS = 'gen_ai.client.inference.operation.details';

  it('is read as if its attributes were the span’s', () => {
    const span = read({}, [
      otlpEvent(DETAILS, {
        ...CHAT,
        'gen_ai.usage.input_tokens': 5n,
        'gen_ai.system_instructions': [otlpMap({ type: 'text', content: 's' })],
        'gen_ai.input.messages': [otlpMap({ role: 'user', parts: [otlpMap({ type: 'text', content: 'u' })] })],
      }),
    ]);
    expect(span).toMatchObject({ kind: 'LLM', modelName: 'm', tokenCounts: { prompt: 5 }, input: { value: 'u' } });
    expect(messages(span, 'llm.input_messages')).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ]);
  });

  it('may come in pieces, whose messages follow one another', () => {
    const span = read(CHAT, [
      otlpEvent(DETAILS, { 'gen_ai.system_instructions': '[{"type":"text","content":"s"}]' }),
      otlpEvent(DETAILS, { 'gen_ai.input.messages': '[{"role":"user","content":"a"}]' }),
      otlpEvent(DETAILS, { 'gen_ai.input.messages': '[{"role":"user","content":"b"}]' }),
      otlpEvent(DETAILS, { 'gen_ai.output.messages': '[{"role":"assistant","content":"c"}]' }),
    ]);
    expect(messages(span, 'llm.input_messages').map(({ content }) => content)).toEqual(['s', 'a', 'b']);
    expect(messages(span, 'llm.output_messages')).toEqual([{ role: 'assistant', content: 'c' }]);
  });

  it('adds nothing where the span itself carries messages', () => {
    const sent = { ...CHAT, 'gen_ai.input.messages': '[{"role":"user","content":"mine"}]' };
    const span = read(sent, [otlpEvent(DETAILS, { 'gen_ai.input.messages': '[{"role":"user","content":"other"}]' })]);
    expect(messages(span, 'llm.input_messages')).toEqual([{ role: 'user', content: 'mine' }]);
    expect(span.input?.value).toBe('mine');
  });

  // A second on a machine that does nothing else.
  it('takes 50,000 events, which would take minutes if each copied the list', { timeout: 30_000 }, () => {
    const events = Array.from({ length: 50_000 }, (_, n) =>
      otlpEvent(DETAILS, { 'gen_ai.input.messages': `[{"content":"${n}"}]` }),
    );
    expect(messages(read(CHAT, events), 'llm.input_messages')).toHaveLength(50_000);
  });
});

function read(attributes: Readonly<Record<string, AnyValue>>, events: readonly OtlpSpanEvent[]): Span {
  return normalizeSpan(otlpSpan({ attributes, events }), otlpScope(), otlpResource(), 0n);
}

function messages(span: Span, key: 'llm.input_messages' | 'llm.output_messages'): Record<string, unknown>[] {
  const llm = span.attributes['llm'] as Record<string, unknown> | undefined;
  const list = (llm?.[key.replace('llm.', '')] ?? []) as { message: Record<string, unknown> }[];
  expect(flattenAttributes(span.attributes).every(([path]) => !path.startsWith(`${key}.`))).toBe(list.length === 0);
  return list.map(({ message }) => message);
}
