import { describe, expect, it } from 'vitest';
import { flattenAttributes } from '#domain/attributes';
import type { AnyValue } from '#otlp/messages';
import { otlpResource, otlpScope, otlpSpan } from '../../../test/support/otlp-span.ts';
import { normalizeSpan } from '../normalize-span.ts';

describe('token counts', () => {
  it.each<[AnyValue, unknown]>([
    ['12', 12],
    [12, 12],
    [12.7, 12],
    [true, 1],
    ['many', 'many'],
  ])('sent as %j are stored as %j', (sent, stored) => {
    expect(read({ 'llm.token_count.prompt': sent })).toEqual({ 'llm.token_count.prompt': stored });
  });

  it('keep their details as sent', () => {
    const key = 'llm.token_count.prompt_details.cache_read';
    expect(read({ [key]: '12' })).toEqual({ [key]: '12' });
  });
});

describe('texts that hold JSON', () => {
  it.each([
    ['an object', '{"a":{"b.c":1}}', { 'metadata.a.b.c': 1 }],
    ['an empty object', '{}', { metadata: {} }],
    ['a number', '5', { metadata: 5 }],
    ['a list', '[1,2]', { metadata: [1, 2] }],
    ['null', 'null', {}],
    ['something else', 'not JSON', { metadata: 'not JSON' }],
  ])('are read where metadata holds %s', (_what, text, stored) => {
    expect(read({ metadata: text })).toEqual(stored);
  });

  it('are not split at the dots of their keys', () => {
    expect(tree({ metadata: '{"a.b":1}' })).toBe('{"metadata":{"a.b":1}}');
  });

  it.each([
    'foo.metadata',
    'retrieval.documents.0.document.metadata',
    'llm.prompt_template.variables',
    'tool.parameters',
    'llm.tools.0.tool.parameters',
  ])('are read under %s', (key) => {
    expect(read({ [key]: '{"a":1}' })).toEqual({ [`${key}.a`]: 1 });
  });

  it.each([
    'mymetadata',
    'metadata.text',
    'parameters',
    'variables',
    'prompt_template.variables',
    'llm.invocation_parameters',
    'embedding.invocation_parameters',
    'output.value',
    'tool.json_schema',
    'llm.function_call',
    'message.tool_call.function.arguments',
  ])('stay text under %s', (key) => {
    expect(read({ [key]: '{"a":1}' })).toEqual({ [key]: '{"a":1}' });
  });

  it('stay text where the JSON is nested too deep', () => {
    const text = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    expect(read({ metadata: text })).toEqual({ metadata: text });
  });

  it('keep integers beyond 64 bits and lose no span to lone surrogates', () => {
    expect(tree({ metadata: String.raw`{"n":123456789012345678901234567890,"s":"\ud800"}` })).toBe(
      '{"metadata":{"n":123456789012345678901234567890,"s":"\ufffd"}}',
    );
  });
});

describe('lists of objects', () => {
  const list = '[{"message.role":"user","message.content":"hi"},{"message":{"role":"assistant"}}]';

  it.each(['llm.input_messages', 'llm.output_messages', 'llm.tools', 'retrieval.documents', 'embedding.embeddings'])(
    'are read from JSON text under %s',
    (key) => {
      expect(read({ [key]: list })).toEqual({
        [`${key}.0.message.role`]: 'user',
        [`${key}.0.message.content`]: 'hi',
        [`${key}.1.message.role`]: 'assistant',
      });
    },
  );

  it('are those of flattened keys where there is a text, too, which stays readable under the whole key', () => {
    const attributes = { 'llm.input_messages': list, 'llm.input_messages.0.message.role': 'system' };
    expect(tree(attributes)).toBe(
      JSON.stringify({ llm: { input_messages: [{ message: { role: 'system' } }] }, 'llm.input_messages': list }),
    );
    expect(read(attributes)).toEqual(attributes);
  });

  it.each(['[]', '["a"]', '[{"a":1},2]', '{"a":1}', '[{"a":1}', 'text'])('are not read from %s', (text) => {
    expect(read({ 'llm.tools': text })).toEqual({ 'llm.tools': text });
  });

  it('are not read under other keys', () => {
    expect(read({ 'llm.prompts': list })).toEqual({ 'llm.prompts': list });
  });
});

function tree(attributes: Readonly<Record<string, AnyValue>>): string {
  return JSON.stringify(normalizeSpan(otlpSpan({ attributes }), otlpScope(), otlpResource(), 0n).attributes);
}

function read(attributes: Readonly<Record<string, AnyValue>>): Record<string, unknown> {
  return Object.fromEntries(
    flattenAttributes(normalizeSpan(otlpSpan({ attributes }), otlpScope(), otlpResource(), 0n).attributes),
  );
}
