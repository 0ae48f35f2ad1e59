import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan, spanRecord } from '../../../test/support/dialect-span.ts';
import { otlpEvent } from '../../../test/support/otlp-span.ts';

const SCOPE = 'com.anthropic.claude_code.tracing';

describe('Claude Code', () => {
  it('has an agent for each thing the user says, with the last answer', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'span.type': 'interaction', user_prompt: 'Capital of France?', 'session.id': 's' },
      records: [
        spanRecord('assistant_response', { response: 'Let me see.' }),
        spanRecord('assistant_response', { response: 'Paris.' }),
      ],
    });
    expect(span).toMatchObject({
      kind: 'AGENT',
      sessionId: 's',
      input: { value: 'Capital of France?' },
      output: { value: 'Paris.' },
    });
  });

  it('has the calls of tools among the answers of a turn, and the model of all calls', () => {
    const parameters = '{"mcp_server_name":"w","mcp_tool_name":"get_weather"}';
    const ran = { tool_use_id: 'c', tool_input: '{"city":"Paris"}' };
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'span.type': 'interaction', user_prompt: 'Weather?' },
      records: [
        spanRecord('api_request', { model: 'm-1' }),
        spanRecord('tool_result', { ...ran, tool_name: 'mcp_tool', tool_parameters: parameters }),
        spanRecord('tool_result', { tool_name: 'Bash' }),
        spanRecord('api_request', { model: 'm-1' }),
        spanRecord('assistant_response', { response: 'Sunny.' }),
        spanRecord('assistant_response', { response: '<REDACTED>' }),
      ],
    });
    expect(messagesOf(span, 'output')).toMatchObject([
      {
        role: 'assistant',
        tool_calls: [
          { tool_call: { id: 'c', function: { name: 'mcp__w__get_weather', arguments: '{"city":"Paris"}' } } },
        ],
      },
      { role: 'assistant', tool_calls: [{ tool_call: { function: { name: 'Bash' } } }] },
      { role: 'assistant', content: 'Sunny.' },
    ]);
    expect(flatAttributes(span)['llm.response.model_name']).toBe('m-1');
  });

  it('leaves out what the call said that names the session', () => {
    const title = { query_source: 'generate_session_title' };
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'span.type': 'interaction', user_prompt: 'Weather?' },
      records: [
        spanRecord('api_request', { model: 'm-1' }),
        spanRecord('assistant_response', { response: 'Sunny.' }),
        spanRecord('api_request', { model: 'm-2', ...title }),
        spanRecord('assistant_response', { response: 'Weather question', ...title }),
      ],
    });
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Sunny.' }]);
    expect(span.output?.value).toBe('Sunny.');
    expect(flatAttributes(span)['llm.response.model_name']).toBe('m-1');
  });

  it('has the tools that a call called beside what it said', () => {
    const ran = { request_id: 'r', tool_name: 'Bash', tool_input: '{"command":"ls"}' };
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'span.type': 'llm_request', request_id: 'r', 'response.model_output': 'Let me look.' },
      records: [
        spanRecord('assistant_response', { request_id: 'r', response: 'Let me' }),
        spanRecord('tool_result', { ...ran, tool_use_id: 'c1' }),
        spanRecord('tool_result', { ...ran, tool_use_id: 'c2', tool_name: 'Read', tool_input: '<REDACTED>' }),
      ],
    });
    const call = (id: string, f: object) => ({ tool_call: { id, function: f } });
    expect(messagesOf(span, 'output')).toMatchObject([
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [call('c1', { name: 'Bash', arguments: '{"command":"ls"}' }), call('c2', { name: 'Read' })],
      },
    ]);
  });

  it('names no model of a turn that two have answered', () => {
    const records = [spanRecord('api_request', { model: 'm-1' }), spanRecord('api_request', { model: 'm-2' })];
    const span = readSpan({ scope: SCOPE, attributes: { 'span.type': 'interaction' }, records });
    expect(flatAttributes(span)['llm.response.model_name']).toBeUndefined();
  });

  it('counts the input without what was cached, which is added', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: {
        'span.type': 'llm_request',
        'gen_ai.system': 'anthropic',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        input_tokens: 49n,
        output_tokens: 41n,
        cache_read_tokens: 48n,
        cache_creation_tokens: 16n,
        'gen_ai.response.finish_reasons': ['end_turn'],
      },
      events: [otlpEvent('gen_ai.request.attempt', { attempt: 1n })],
      records: [
        spanRecord('claude_code.api_request', { model: 'claude-sonnet-4-5-20250929', cost_usd: 0.001 }),
        spanRecord('', { 'event.name': 'assistant_response', response: 'Paris.' }, 'claude_code.assistant_response'),
      ],
    });
    expect(span).toMatchObject({
      kind: 'LLM',
      provider: 'anthropic',
      modelName: 'claude-sonnet-4-5-20250929',
      reportedCostUsd: 0.001,
      tokenCounts: { prompt: 113, completion: 41, total: 154, cacheRead: 48, cacheWrite: 16 },
    });
    expect(flatAttributes(span)).toMatchObject({
      input_tokens: 49,
      'llm.finish_reason': 'end_turn',
      'llm.request.model_name': 'claude-sonnet-4-5',
    });
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Paris.' }]);
  });

  it('has the whole request and answer where the program wants them logged', () => {
    const request = {
      model: 'm',
      max_tokens: 100,
      temperature: 0.5,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }],
    };
    const response = {
      model: 'm-2',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 },
    };
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'span.type': 'llm_request' },
      records: [
        spanRecord('api_request_body', { body: JSON.stringify(request) }),
        spanRecord('api_response_body', { body: JSON.stringify(response) }),
      ],
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello.' }]);
    expect(flatAttributes(span)['llm.tools.0.tool.json_schema']).toContain('"name":"f"');
    expect(span).toMatchObject({ modelName: 'm-2', tokenCounts: { prompt: 7, completion: 5, cacheRead: 4 } });
    expect(flatAttributes(span)).toMatchObject({
      'llm.request.model_name': 'm',
      'llm.invocation_parameters': '{"max_tokens":100,"temperature":0.5}',
      'llm.finish_reason': 'end_turn',
    });
    // Nobody sent them as attributes.
    expect(span.attributes['llm']).not.toHaveProperty('invocation_parameters');
  });

  it('makes no request of a body that was cut off', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'span.type': 'llm_request', new_context: 'Hi', user_system_prompt: 'Be brief.' },
      records: [spanRecord('api_request_body', { body: '{"messages":[{"role":"user","cont' })],
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
  });

  it('says in detail what was new in the prompt: texts of the user, and results of tools', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: {
        'span.type': 'llm_request',
        new_context: [
          '[USER]\nAnd Rome?\n\n---\n\n[not a heading]',
          '[TOOL RESULT: toolu_1]\n18 degrees',
          '[TOOL RESULT: toolu_2]\n[{"type":"text","text":"sunny"}]',
        ].join('\n\n---\n\n'),
        'response.model_output': 'It is 18 degrees.',
        tools: '[{"name":"Bash","hash":"9fadb04d97e3"}]',
      },
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'user', content: 'And Rome?\n\n---\n\n[not a heading]' },
      { role: 'tool', tool_call_id: 'toolu_1', content: '18 degrees' },
      { role: 'tool', tool_call_id: 'toolu_2', content: 'sunny' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'It is 18 degrees.' }]);
    expect(flatAttributes(span)['llm.tools.0.tool.json_schema']).toBe('{"type":"function","function":{"name":"Bash"}}');
  });

  it('says in detail what a tool was given', () => {
    const span = readSpan({
      scope: SCOPE,
      attributes: {
        'span.type': 'tool',
        tool_name: 'Bash',
        tool_input: '[TOOL INPUT: Bash]\n{"command":"ls"}',
      },
    });
    expect(span.input).toMatchObject({ value: '{"command":"ls"}' });
    expect(flatAttributes(span)).toMatchObject({ 'tool.parameters.command': 'ls' });
  });

  it.each([
    ['an MCP tool', { tool_name: 'mcp__w__get_weather', 'gen_ai.tool.name': 'get_weather' }, 'get_weather'],
    ['a tool of its own', { tool_name: 'Bash' }, 'Bash'],
  ])('runs %s', (_what, attributes, toolName) => {
    const span = readSpan({
      scope: SCOPE,
      attributes: { 'span.type': 'tool', 'gen_ai.tool.call.id': 'c', ...attributes },
      events: [otlpEvent('tool.output', { output: '18 degrees' })],
      records: [spanRecord('tool_result', { tool_input: '{"city":"Paris"}' })],
    });
    expect(span).toMatchObject({ kind: 'TOOL', input: { value: '{"city":"Paris"}' }, output: { value: '18 degrees' } });
    expect(flatAttributes(span)).toMatchObject({
      'tool.name': toolName,
      'tool.id': 'c',
      'tool.parameters.city': 'Paris',
    });
  });

  it('shows the command where the tool’s input is not sent', () => {
    const span = readSpan({ scope: SCOPE, attributes: { 'span.type': 'tool', full_command: 'ls' } });
    expect(span.input).toEqual({ value: 'ls', mimeType: 'text/plain' });
  });

  it.each(['tool.execution', 'tool.blocked_on_user', 'hook'])('takes %s for a step', (type) => {
    const attributes = { 'span.type': type, 'gen_ai.tool.call.id': 'c' };
    expect(readSpan({ scope: SCOPE, attributes }).kind).toBe('CHAIN');
  });

  it('shows nothing where the prompt was not to be sent', () => {
    const span = readSpan({ scope: SCOPE, attributes: { 'span.type': 'interaction', user_prompt: '<REDACTED>' } });
    expect(span.input).toBeNull();
    expect(flatAttributes(span)['user_prompt']).toBe('<REDACTED>');
  });

  it('is told by the names of its spans in another scope', () => {
    const attributes = { 'span.type': 'llm_request', input_tokens: 1n, cache_read_tokens: 2n };
    expect(readSpan({ name: 'claude_code.llm_request', attributes }).tokenCounts.prompt).toBe(3);
    expect(readSpan({ attributes }).tokenCounts.prompt).toBeNull();
  });
});
