import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';
import { otlpEvent } from '../../../test/support/otlp-span.ts';

const SCOPE = 'strands.telemetry.tracer';

describe('Strands Agents', () => {
  it('adds what Bedrock counts beside the input, which the total proves', () => {
    const usage = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 10n,
      'gen_ai.usage.output_tokens': 5n,
      'gen_ai.usage.cache_read_input_tokens': 4n,
      'gen_ai.usage.cache_write_input_tokens': 1n,
    };
    const read = (total: bigint) =>
      readSpan({ scope: SCOPE, attributes: { ...usage, 'gen_ai.usage.total_tokens': total } }).tokenCounts;
    expect(read(20n)).toMatchObject({ prompt: 15, completion: 5, total: 20, cacheRead: 4, cacheWrite: 1 });
    expect(read(15n)).toMatchObject({ prompt: 10, completion: 5, total: 15 });
  });

  it('looks up what it remembers', () => {
    const results = '[{"content":"likes tea","store_name":"facts","metadata":{"n":1}}]';
    const attributes = { 'gen_ai.operation.name': 'memory.search', 'memory.result.count': 1n };
    const events = [
      otlpEvent('memory.query', { content: 'drinks?' }),
      otlpEvent('memory.results', { content: results }),
    ];
    const span = readSpan({ scope: SCOPE, attributes, events });
    expect(span).toMatchObject({ kind: 'RETRIEVER', input: { value: 'drinks?' }, output: { value: results } });
    expect(flatAttributes(span)).toMatchObject({
      'retrieval.documents.0.document.content': 'likes tea',
      'retrieval.documents.0.document.metadata.n': 1,
    });
    const alone = readSpan({ scope: SCOPE, attributes: { ...attributes, content: results } });
    expect(alone).toMatchObject({ kind: 'RETRIEVER', input: null, output: { value: results } });
    const failed = readSpan({ scope: SCOPE, attributes: { ...attributes, content: 'drinks?' } });
    expect(failed).toMatchObject({ input: { value: 'drinks?' }, output: null });
  });

  it('keeps what it remembers', () => {
    const attributes = { 'gen_ai.operation.name': 'memory.add' };
    const events = [otlpEvent('memory.content', { content: 'likes tea' })];
    expect(readSpan({ scope: SCOPE, attributes, events })).toMatchObject({
      kind: 'CHAIN',
      input: { value: 'likes tea' },
    });
    expect(readSpan({ scope: SCOPE, attributes: { 'gen_ai.operation.name': 'memory.inject' } }).kind).toBe('CHAIN');
  });

  it('names itself as the provider, which is none', () => {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'strands-agents' };
    const span = readSpan({ scope: SCOPE, attributes });
    expect(span.provider).toBeNull();
    expect(flatAttributes(span)).not.toHaveProperty('llm.system');
  });

  it('tells in a turn what the tools gave beside the calls', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'gen_ai.operation.name': 'execute_event_loop_cycle', 'event_loop.cycle_id': 'x' },
      events: [
        otlpEvent('gen_ai.choice', {
          message: '[{"toolUse":{"toolUseId":"c","name":"f","input":{}}}]',
          'tool.result': '[{"toolResult":{"toolUseId":"c","content":[{"text":"sunny"}]}}]',
        }),
      ],
    });
    expect(span.kind).toBe('CHAIN');
    expect(messagesOf(span, 'output')).toEqual([
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }] },
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
    ]);
  });

  it('has the instructions on an agent’s span and the rest in its events', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
      },
      events: [
        otlpEvent('gen_ai.client.inference.operation.details', {
          'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
        }),
      ],
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
  });

  it('tells what a tool that failed gave in its events alone', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' },
      events: [
        otlpEvent('gen_ai.client.inference.operation.details', {
          'gen_ai.input.messages':
            '[{"role":"tool","parts":[{"type":"tool_call","name":"f","id":"c","arguments":{"city":"Paris"}}]}]',
        }),
        otlpEvent('gen_ai.client.inference.operation.details', {
          'gen_ai.output.messages':
            '[{"role":"tool","parts":[{"type":"tool_call_response","id":"c","response":[{"text":"Error: offline"}]}]}]',
        }),
      ],
    });
    expect(span).toMatchObject({
      kind: 'TOOL',
      input: { value: '{"city":"Paris"}' },
      output: { value: 'Error: offline' },
    });
  });

  it.each([
    ['Model invoke', { 'gen_ai.agent.name': 'a', 'gen_ai.request.model': 'm' }, 'LLM'],
    ['a', { 'gen_ai.agent.name': 'a', 'gen_ai.request.model': 'm' }, 'AGENT'],
    ['Cycle 1', { 'event_loop.cycle_id': '1', 'gen_ai.prompt': '[]' }, 'CHAIN'],
    ['Tool: f', { 'tool.name': 'f', 'gen_ai.prompt': '{}' }, 'TOOL'],
  ])('named no operation in its first versions: %s', (name, attributes, kind) => {
    expect(readSpan({ name, scope: SCOPE, attributes }).kind).toBe(kind);
  });

  it('had a tool’s result in an attribute of its own', () => {
    const attributes = { 'tool.name': 'f', 'tool.parameters': '{"city":"Paris"}', 'tool.result': '[{"text":"sunny"}]' };
    expect(readSpan({ scope: SCOPE, attributes })).toMatchObject({
      input: { value: '{"city":"Paris"}' },
      output: { value: 'sunny' },
    });
  });
});
