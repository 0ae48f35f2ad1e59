import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan, spanRecord } from '../../../test/support/dialect-span.ts';

const SCOPE = 'semantic_kernel.utils.telemetry.model_diagnostics.decorators';

describe('Semantic Kernel', () => {
  it('says what was said in bodies of log records that are JSON texts', () => {
    const beside = { 'gen_ai.system': 'openai', CHAT_MESSAGE_INDEX: 0, 'code.function.name': '_set_completion_input' };
    const span = readSpan({
      scope: SCOPE,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'm',
        'gen_ai.response.finish_reason': 'FinishReason.TOOL_CALLS',
      },
      records: [
        spanRecord('gen_ai.system.message', beside, '{"role": "system", "content": "Be brief."}'),
        spanRecord('gen_ai.user.message', beside, '{"role": "user", "content": "{\\"a\\": 1}"}'),
        spanRecord('gen_ai.tool.message', beside, '{"role": "tool", "content": "sunny", "tool_call_id": "c"}'),
        spanRecord(
          'gen_ai.choice',
          beside,
          '{"message": {"role": "assistant", "tool_calls": [{"id": "d", "function": {"name": "f", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}',
        ),
      ],
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '{"a": 1}' },
      { role: 'tool', content: 'sunny', tool_call_id: 'c' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([
      {
        role: 'assistant',
        tool_calls: [{ tool_call: { id: 'd', function: { name: 'f', arguments: '{}' } } }],
        finish_reason: 'tool_calls',
      },
    ]);
    expect(flatAttributes(span)['llm.finish_reason']).toBe('tool_calls');
    expect(span.input?.value).not.toContain('code.function.name');
  });

  it('has a step around model and tools', () => {
    const attributes = { 'sk.available_functions': 'weather-get_weather' };
    expect(readSpan({ name: 'AutoFunctionInvocationLoop', attributes }).kind).toBe('CHAIN');
  });

  it('has operations of its own in .NET', () => {
    const attributes = { 'gen_ai.operation.name': 'chat.completions', 'gen_ai.request.model': 'm' };
    expect(readSpan({ scope: 'Microsoft.SemanticKernel.Diagnostics', attributes }).kind).toBe('LLM');
  });
});
