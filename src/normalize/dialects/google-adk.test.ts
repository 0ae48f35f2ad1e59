import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan, spanRecord } from '../../../test/support/dialect-span.ts';

const SCOPE = 'gcp.vertex.agent';
const DETAILS = 'gen_ai.client.inference.operation.details';

describe('Google ADK', () => {
  it('has the whole request and answer as JSON', () => {
    const request = {
      model: 'gemini',
      config: {
        system_instruction: 'Be brief.',
        tools: [{ function_declarations: [{ name: 'f', description: 'd', parameters: { type: 'OBJECT' } }] }],
      },
      contents: [
        { role: 'user', parts: [{ text: 'Weather?' }] },
        { role: 'model', parts: [{ function_call: { id: 'c', name: 'f', args: { city: 'Paris' } } }] },
        { role: 'user', parts: [{ function_response: { id: 'c', name: 'f', response: { result: 'sunny' } } }] },
      ],
    };
    const response = {
      content: { role: 'model', parts: [{ text: 'It is sunny.' }] },
      usage_metadata: { prompt_token_count: 10, candidates_token_count: 3, thoughts_token_count: 2 },
    };
    const span = readSpan({
      name: 'call_llm',
      scope: SCOPE,
      attributes: {
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.request.model': 'gemini',
        'gcp.vertex.agent.session_id': 's',
        'gcp.vertex.agent.llm_request': JSON.stringify(request),
        'gcp.vertex.agent.llm_response': JSON.stringify(response),
      },
    });
    expect(span).toMatchObject({
      kind: 'LLM',
      sessionId: 's',
      tokenCounts: { prompt: 10, completion: 5, reasoning: 2 },
      output: { value: 'It is sunny.' },
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"city":"Paris"}' } } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '{"result":"sunny"}' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'It is sunny.' }]);
    expect(flatAttributes(span)['llm.tools.0.tool.json_schema']).toContain('"name":"f"');
  });

  it('runs tools, and says in words where there is nothing', () => {
    const sent = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' };
    const span = readSpan({
      scope: SCOPE,
      attributes: {
        ...sent,
        'gcp.vertex.agent.llm_request': '{}',
        'gcp.vertex.agent.tool_call_args': '{"city": "Paris"}',
        'gcp.vertex.agent.tool_response': '{"result": "sunny"}',
      },
    });
    expect(span).toMatchObject({
      kind: 'TOOL',
      input: { value: '{"city": "Paris"}' },
      output: { value: '{"result": "sunny"}' },
    });
    const merged = {
      ...sent,
      'gcp.vertex.agent.tool_call_args': 'N/A',
      'gcp.vertex.agent.tool_response': '<not serializable>',
    };
    expect(readSpan({ scope: SCOPE, attributes: merged })).toMatchObject({ input: null, output: null });
  });

  it.each([
    ['invocation', 'CHAIN'],
    ['agent_run [helper]', 'AGENT'],
    ['something else', 'UNKNOWN'],
  ])('named the span %s before it named operations', (name, kind) => {
    expect(readSpan({ name, scope: SCOPE }).kind).toBe(kind);
  });

  it('left what was thought out of the output while its key was experimental', () => {
    const attributes = {
      'gen_ai.request.model': 'gemini',
      'gen_ai.usage.input_tokens': 10n,
      'gen_ai.usage.output_tokens': 3n,
      'gen_ai.usage.experimental.reasoning_tokens': 2n,
    };
    expect(readSpan({ scope: SCOPE, attributes }).tokenCounts).toMatchObject({
      prompt: 10,
      completion: 5,
      total: 15,
      reasoning: 2,
    });
  });

  it('counts what was thought under other names, too', () => {
    const counts = { 'gen_ai.usage.input_tokens': 10n, 'gen_ai.usage.output_tokens': 5n };
    const names = ['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'];
    for (const name of names) {
      const attributes = { ...counts, 'gen_ai.usage.experimental.reasoning_tokens': 'unknown', [name]: 2n };
      expect(readSpan({ scope: SCOPE, attributes }).tokenCounts).toMatchObject({
        completion: 5,
        total: 15,
        reasoning: 2,
      });
    }
  });

  it('tells a streamed answer in pieces, which are one message', () => {
    const piece = (content: string, finish: string) => ({
      role: 'assistant',
      parts: [{ type: 'text', content }],
      finish_reason: finish,
    });
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'gen_ai.operation.name': 'generate_content' },
      records: [
        spanRecord(DETAILS, {
          'user.id': 'u',
          'gen_ai.output.messages': [piece('Stones ', ''), piece('on a ', ''), piece('hill.', 'stop')],
        }),
      ],
    });
    expect(messagesOf(span, 'output')).toEqual([
      { role: 'assistant', content: 'Stones on a hill.', finish_reason: 'stop' },
    ]);
    expect(span).toMatchObject({ userId: 'u', output: { value: 'Stones on a hill.' } });
  });

  it('keeps several answers apart', () => {
    const answer = (content: string) => ({
      role: 'assistant',
      parts: [{ type: 'text', content }],
      finish_reason: 'stop',
    });
    const records = [spanRecord(DETAILS, { 'gen_ai.output.messages': [answer('a'), answer('b')] })];
    expect(messagesOf(readSpan({ scope: SCOPE, records }), 'output')).toHaveLength(2);
  });
});
