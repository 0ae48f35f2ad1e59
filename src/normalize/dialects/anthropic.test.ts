import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

const CALL = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'anthropic', 'gen_ai.request.model': 'claude' };

describe('Anthropic’s own spans', () => {
  it('say why the model stopped, and what it was asked to think', () => {
    const span = readSpan({
      scope: 'com.anthropic.sdk.python',
      attributes: {
        ...CALL,
        'gen_ai.request.max_tokens': 4096n,
        'anthropic.message.stop_reason': 'end_turn',
        'anthropic.thinking.type': 'enabled',
        'anthropic.thinking.budget_tokens': 1024n,
      },
    });
    const attributes = flatAttributes(span);
    expect(span.kind).toBe('LLM');
    expect(attributes['llm.finish_reason']).toBe('end_turn');
    expect(JSON.parse(String(attributes['llm.invocation_parameters']))).toEqual({
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
  });

  it('count what was cached in the input', () => {
    const usage = {
      'gen_ai.usage.input_tokens': 137n,
      'gen_ai.usage.output_tokens': 29n,
      'gen_ai.usage.cache_read.input_tokens': 64n,
      'gen_ai.usage.cache_write.input_tokens': 32n,
    };
    const span = readSpan({ scope: 'com.anthropic.sdk.python', attributes: { ...CALL, ...usage } });
    expect(span.tokenCounts).toMatchObject({ prompt: 137, total: 166, cacheRead: 64, cacheWrite: 32 });
  });

  it('say what a tool gave', () => {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.call.arguments': '{"city":"Paris"}',
      'anthropic.tool_result.content': '[{"type":"text","text":"18 degrees"},{"type":"text","text":"sunny"}]',
    };
    const span = readSpan({ scope: 'com.anthropic.sdk.python', attributes });
    expect(span).toMatchObject({ kind: 'TOOL', output: { value: '18 degrees\nsunny' } });
    expect(span.input?.value).toBe('{"city":"Paris"}');
  });

  it('leave out the data of pictures, which are shown as such', () => {
    const sent = '[{"role":"user","parts":[{"type":"anthropic_image"},{"type":"text","content":"What?"}]}]';
    const span = readSpan({ scope: 'com.anthropic.sdk.ts', attributes: { ...CALL, 'gen_ai.input.messages': sent } });
    expect(messagesOf(span, 'input')).toEqual([
      {
        role: 'user',
        contents: [{ message_content: { type: 'image' } }, { message_content: { type: 'text', text: 'What?' } }],
      },
    ]);
  });
});
