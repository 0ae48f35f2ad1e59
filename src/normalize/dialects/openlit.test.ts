import { describe, expect, it } from 'vitest';
import { messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

const USAGE = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.usage.input_tokens': 41n,
  'gen_ai.usage.output_tokens': 29n,
  'gen_ai.usage.cache_read.input_tokens': 64n,
  'gen_ai.usage.cache_creation.input_tokens': 32n,
};

describe('OpenLIT', () => {
  it.each([
    ['openlit.instrumentation.anthropic', 'anthropic', 137],
    ['openlit.instrumentation.bedrock', 'aws.bedrock', 137],
    ['openlit.otel.tracing', 'anthropic', 137],
    // Counts of other libraries have the cached tokens in the input; so few would contradict that, and are told apart later.
    ['openlit.instrumentation.langchain', 'anthropic', 200],
  ])('counts in %s for %s as the provider does', (scope, provider, prompt) => {
    const input = scope.endsWith('langchain') ? { 'gen_ai.usage.input_tokens': 200n } : {};
    const span = readSpan({ scope, attributes: { ...USAGE, ...input, 'gen_ai.provider.name': provider } });
    expect(span.tokenCounts).toMatchObject({ prompt, total: prompt + 29, cacheRead: 64, cacheWrite: 32 });
  });

  it('knows no price where the cost is 0', () => {
    const scope = 'openlit.instrumentation.openai';
    expect(readSpan({ scope, attributes: { ...USAGE, 'gen_ai.usage.cost': 0n } }).reportedCostUsd).toBeNull();
    expect(readSpan({ scope, attributes: { ...USAGE, 'gen_ai.usage.cost': 0.5 } }).reportedCostUsd).toBe(0.5);
  });

  it.each([
    ["('Capital of France?',)", '{}', 'Capital of France?'],
    ["('a', 2)", '{}', '["a",2]'],
    ['()', "{'city': 'Paris'}", '{"city":"Paris"}'],
    ["('a',)", "{'n': 2}", '[["a"],{"n":2}]'],
    ['<no repr', '{}', '<no repr'],
  ])('reads the arguments %s and %s of a function', (args, kwargs, input) => {
    const attributes = { 'function.args': args, 'function.kwargs': kwargs, 'gen_ai.output.messages': 'Paris.' };
    const span = readSpan({ scope: 'openlit', attributes });
    expect(span).toMatchObject({ kind: 'CHAIN', input: { value: input }, output: { value: 'Paris.' } });
  });

  it('says the system’s instructions twice, which are shown once', () => {
    const attributes = {
      ...USAGE,
      'gen_ai.input.messages':
        '[{"role":"system","parts":[{"type":"text","content":"Be brief."}]},{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
      'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
    };
    expect(messagesOf(readSpan({ scope: 'openlit.instrumentation.openai', attributes }), 'input')).toHaveLength(2);
  });

  it.each([
    ['call_1', ['call_1']],
    ['call_1, call_2', ['fc_1']],
  ])('has the ids of calls beside those of items: %s', (ids, expected) => {
    const attributes = {
      ...USAGE,
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"tool_call","id":"fc_1","name":"f","arguments":{}}]}]',
      'gen_ai.tool.call.id': ids,
    };
    const [message] = messagesOf(readSpan({ scope: 'openlit.instrumentation.openai', attributes }), 'output');
    expect(message).toMatchObject({ tool_calls: expected.map((id) => ({ tool_call: { id } })) });
  });

  it('looks up in a store', () => {
    const attributes = {
      'gen_ai.operation.name': 'vectordb',
      'db.operation.name': 'QUERY',
      'db.query.text': 'stones',
      'telemetry.sdk.name': 'openlit',
    };
    expect(readSpan({ attributes })).toMatchObject({ kind: 'RETRIEVER', input: { value: 'stones' } });
    expect(readSpan({ attributes: { ...attributes, 'db.operation.name': 'UPSERT' } }).kind).toBe('UNKNOWN');
  });
});
