import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

describe('Mastra', () => {
  it.each([
    ['agent_run', 'invoke_agent', 'AGENT'],
    ['model_generation', 'model_generation', 'CHAIN'],
    ['model_generation', 'chat', 'LLM'],
    ['model_inference', 'chat', 'LLM'],
    ['model_step', 'agent_step', 'CHAIN'],
    ['model_chunk', 'model_chunk', 'CHAIN'],
    ['mcp_tool_call', 'execute_tool', 'TOOL'],
    ['client_tool_call', 'client_tool_call', 'TOOL'],
    ['workflow_run', 'invoke_workflow', 'CHAIN'],
    ['workflow_step', 'workflow_step', 'CHAIN'],
    ['rag_embedding', 'embeddings', 'EMBEDDING'],
    ['scorer_run', 'scorer_run', 'EVALUATOR'],
    // Version 0.
    ['agent_run', 'agent.run', 'AGENT'],
    ['tool_call', 'tool.execute', 'TOOL'],
    ['model_generation', 'tool_selection', 'LLM'],
  ])('has %s spans of operation %s, which are %s', (spanType, operation, kind) => {
    const attributes = { 'mastra.span.type': spanType, 'gen_ai.operation.name': operation };
    expect(readSpan({ attributes }).kind).toBe(kind);
  });

  it('has the conversation of an agent, with its instructions', () => {
    const span = readSpan({
      attributes: {
        'mastra.span.type': 'agent_run',
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'Weather',
        'gen_ai.system_instructions': 'Be brief.',
        'mastra.agent_run.input': '[{"role":"user","content":"Rain?"}]',
        'mastra.agent_run.output': '{"text":"No.","files":[]}',
        'mastra.metadata.threadId': 't-1',
        'mastra.metadata.userId': 'u-1',
        'mastra.metadata.limits': '{"steps":3}',
        'mastra.tags': '["a","b"]',
      },
    });
    expect(span).toMatchObject({
      input: { value: 'Rain?' },
      output: { value: 'No.' },
      sessionId: 't-1',
      userId: 'u-1',
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Rain?' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'No.' }]);
    expect(flatAttributes(span)).toMatchObject({
      'agent.name': 'Weather',
      'metadata.limits.steps': 3,
      'tag.tags': ['a', 'b'],
      'mastra.agent_run.input': '[{"role":"user","content":"Rain?"}]',
    });
  });

  it.each([
    [
      'an agent that is asked in plain text',
      'agent_run',
      'Rain?',
      '{"object":{"rain":false}}',
      '{"object":{"rain":false}}',
    ],
    ['a workflow', 'workflow_run', '{"city":"Oslo"}', '{"rain":false}', '{"rain":false}'],
    ['the loop around a call', 'model_generation', '{"messages":[]}', '{"text":"No."}', 'No.'],
    ['a step whose text is empty', 'model_step', '{}', '{"text":"","toolCalls":[1]}', '{"text":"","toolCalls":[1]}'],
  ])('has input and output of %s', (_what, spanType, given, output, shown) => {
    const span = readSpan({
      attributes: {
        'mastra.span.type': spanType,
        [`mastra.${spanType}.input`]: given,
        [`mastra.${spanType}.output`]: output,
      },
    });
    expect(span).toMatchObject({ input: { value: given }, output: { value: shown } });
  });

  it('says calls in the names of the conventions', () => {
    const span = readSpan({
      attributes: {
        'mastra.span.type': 'model_inference',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Rain?"}]}]',
        'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"No."}]}]',
      },
    });
    expect(span).toMatchObject({ modelName: 'm', input: { value: 'Rain?' }, output: { value: 'No.' } });
  });

  it('had other names in version 0', () => {
    const tool = readSpan({
      attributes: {
        'mastra.span.type': 'tool_call',
        'gen_ai.operation.name': 'tool.execute',
        'gen_ai.tool.name': 'weather',
        input: '{"city":"Oslo"}',
        'gen_ai.tool.input': '{"city":"Oslo"}',
        output: 'dry',
        'gen_ai.tool.output': 'dry',
        threadId: 't-1',
      },
    });
    expect(tool).toMatchObject({ sessionId: 't-1', input: { value: '{"city":"Oslo"}' }, output: { value: 'dry' } });
    expect(flatAttributes(tool)).toMatchObject({ 'tool.name': 'weather', 'tool.parameters.city': 'Oslo' });
    const workflow = readSpan({ attributes: { 'mastra.span.type': 'workflow_run', input: '{"a":1}', output: 'done' } });
    expect(workflow).toMatchObject({ input: { value: '{"a":1}' }, output: { value: 'done' } });
  });
});
